// cli/bench_full_report.cpp -- reports runs on the triangles of a factorization as JSON and as a
// table.
// SPDX-License-Identifier: BSD-3-Clause
#include "bench_full_report.hpp"

#include <array>
#include <ostream>

#include "report_members.hpp"
#include "table.hpp"

namespace echelon::cli {
namespace {

using bench::Phase;

bool is_ours(const FullRun& run) { return run.facts.contender.starts_with("echelon:"); }

double nonzero_bandwidth(const FullRun& run) {
  return run.solve.median > 0 ? run.nonzero_bytes / run.solve.median : 0;
}

bool is_on_device(const FullRun& run) { return run.facts.report.backend != Backend::cpu; }

// The measured bandwidth with this number of threads, or of the device; 0 if not measured.
double available(const FullRun& run, const Bandwidths& bandwidths) {
  if (is_on_device(run)) return bandwidths.device;
  const auto found = bandwidths.threads.find(run.facts.threads);
  return found == bandwidths.threads.end() ? 0 : found->second;
}

// Bytes of the matrix that the phase reads; 0 for other libraries, whose storage is not known.
double matrix_bytes(const FullRun& run) {
  const DirectReport& d = run.facts.report;
  return static_cast<double>((run.phase == Phase::upper ? 0 : d.lower_bytes) +
                             (run.phase == Phase::lower ? 0 : d.upper_bytes));
}

Json traffic_of(const FullRun& run, double most) {
  const double matrix = matrix_bytes(run), seconds = run.solve.median;
  return Json::object()
      .set("bytes", positive_or_null(matrix))
      .add(traffic(matrix > 0 ? matrix + run.vector_bytes : 0, seconds, most))
      .add(nonzero_traffic(run.nonzero_bytes, seconds, most))
      .set("read_gb_per_s", positive_or_null(most / 1e9));
}

// As in echelon solve; for other libraries only the nonzeros are known.
Json structure_of(const FullSystem& system, const FullRun& run) {
  if (!is_ours(run))
    return Json::object()
        .set("lower", Json::object().set("nnz", system.lower_nonzeros))
        .set("upper", Json::object().set("nnz", system.upper_nonzeros));
  const DirectReport& d = run.facts.report;
  return supernode_counts(d.lower)
      .set("vector_unit", to_json(d.vector_unit))
      .set("explicit_zeros", d.lower.explicit_zeros)
      .set("lower", triangle_members(d.lower, d.lower_bytes, d.lower_launches))
      .set("upper", triangle_members(d.upper, d.upper_bytes, d.upper_launches))
      .set("symmetric_storage", d.symmetric_storage)
      .set("uninverted_blocks", d.uninverted_blocks)
      .set("largest_growth", d.largest_growth);
}

Json levels_json(const std::vector<LevelTime>& levels) {
  Json json = Json::array();
  for (const LevelTime& level : levels)
    json.push(Json::object()
                  .set("supernodes", level.work.blocks)
                  .set("bytes", level.work.bytes)
                  .set("level_s", level.seconds));
  return json;
}

// A table row: the phases of one contender.
struct Entry {
  const FullRun* lower = nullptr;
  const FullRun* upper = nullptr;
  const FullRun* both = nullptr;
  const FullRun* whole = nullptr;

  const FullRun& any() const { return both != nullptr ? *both : *whole; }
};

std::vector<Entry> entries_of(const std::vector<FullRun>& runs) {
  std::vector<Entry> entries;
  Phase before = Phase::whole;
  for (const FullRun& run : runs) {
    if (run.phase <= before) entries.emplace_back();  // the phases of one contender rise
    before = run.phase;
    Entry& entry = entries.back();
    (run.phase == Phase::lower   ? entry.lower
     : run.phase == Phase::upper ? entry.upper
     : run.phase == Phase::both  ? entry.both
                                 : entry.whole) = &run;
  }
  return entries;
}

std::string median_text(const FullRun* run) {
  return run == nullptr ? "-" : time_text(run->solve.median);
}

std::string speed_text(const FullRun* run) {
  return run == nullptr ? "-" : fixed(nonzero_bandwidth(*run) / 1e9, 1);
}

std::vector<std::string> row_of(const Entry& entry) {
  const FullRun& run = entry.any();
  const bench::FactorFacts& facts = run.facts;
  return {facts.contender,
          facts.method,
          is_on_device(run) ? name(facts.report.backend) : std::to_string(facts.threads),
          median_text(entry.lower),
          median_text(entry.upper),
          median_text(entry.both),
          median_text(entry.whole),
          speed_text(entry.lower),
          speed_text(entry.upper),
          size_text(static_cast<double>(facts.stored_bytes)),
          time_text(facts.analysis_s),
          time_text(facts.setup_s),
          facts.update_s > 0 ? time_text(facts.update_s) : "-",
          digits(run.normwise_error)};
}

const FullRun* fastest(const std::vector<FullRun>& runs, Phase phase, bool ours) {
  const FullRun* best = nullptr;
  for (const FullRun& run : runs)
    if (run.phase == phase && is_ours(run) == ours &&
        (best == nullptr || run.solve.median < best->solve.median))
      best = &run;
  return best;
}

std::string described(const FullRun& run) {
  const Index threads = run.facts.threads;
  const std::string place = is_on_device(run) ? std::string(" on ") + name(run.facts.report.backend)
                                              : " with " + std::to_string(threads) +
                                                    (threads == 1 ? " thread" : " threads");
  return run.facts.contender + place + ", " + time_text(run.solve.median);
}

// "fastest L-solve: echelon:tree with 2 threads, 5.1 ms; 0.61 of the best of the others, ..."
void print_winner(std::ostream& out, const std::vector<FullRun>& runs, Phase phase,
                  const char* title) {
  const FullRun* ours = fastest(runs, phase, true);
  const FullRun* theirs = fastest(runs, phase, false);
  if (ours == nullptr) std::swap(ours, theirs);
  if (ours == nullptr) return;
  if (theirs != nullptr && theirs->solve.median < ours->solve.median) std::swap(ours, theirs);
  out << "  fastest " << title << ": " << described(*ours);
  if (theirs != nullptr)
    out << "; " << fixed(ours->solve.median / theirs->solve.median, 2) << " of "
        << described(*theirs);
  if (ours->speedup_vs_cusparse > 0 && is_ours(*ours))
    out << "; " << digits(ours->speedup_vs_cusparse) << " times as fast as cusparse";
  out << '\n';
}

void print_levels(std::ostream& out, const FullRun& run) {
  if (run.by_level.empty()) return;
  out << "  " << run.facts.contender << ", " << name(run.phase) << ", level by level\n";
  Table table({"level", "blocks", "size", "time", "GB/s"}, 2);
  for (std::size_t l = 0; l < run.by_level.size(); ++l) {
    const auto& [work, seconds] = run.by_level[l];
    const auto bytes = static_cast<double>(work.bytes);
    table.add({std::to_string(l), grouped(work.blocks), size_text(bytes), time_text(seconds),
               fixed(seconds > 0 ? bytes / seconds / 1e9 : 0, 1)});
  }
  table.print(out);
}

}  // namespace

Json to_json(const FullSystem& system, const FullRun& run, Precision precision,
             const Bandwidths& bandwidths) {
  const bench::FactorFacts& facts = run.facts;
  Json json = Json::object();
  json.set("contender", facts.contender)
      .set("phase", name(run.phase))
      .set("threads", facts.threads)
      .set("nrhs", system.nrhs)
      .set("input", system.input)
      .set("part", "full")
      .set("factor", system.package)
      .set("factor_kind", system.kind)
      .set("factor_reason", system.reason)
      .set("ordering", system.ordering)
      .set("n", system.n)
      .set("nnz", system.nonzeros)
      .set("fill_ratio", system.fill_ratio())
      .set("stored_ratio",
           static_cast<double>(facts.stored_values) / static_cast<double>(system.nonzeros))
      .set("precision", name(precision))
      .set("low_precision", facts.report.low_precision)
      .set("method", facts.method)
      .set("reason", facts.reason)
      .set("backend", name(facts.report.backend))
      .set("order_s", system.order_s)
      .set("factor_s", system.factor_s)
      .set("analysis_s", facts.analysis_s)
      .set("setup_s", facts.setup_s)
      .set("setups", facts.setups)
      .set("update_s", positive_or_null(facts.update_s))
      .add(bench_times(run.solve))
      .add(traffic_of(run, available(run, bandwidths)))
      .set("stored_bytes", facts.stored_bytes)
      .set("backward_error", run.backward_error)
      .set("normwise_error", run.normwise_error)
      .set("speedup_vs_cusparse", positive_or_null(run.speedup_vs_cusparse))
      .add(structure_of(system, run));
  if (!run.by_level.empty()) json.set("by_level", levels_json(run.by_level));
  return json;
}

void print_result(std::ostream& out, const FullResult& result, const Bandwidths& bandwidths) {
  const FullSystem& s = result.system;
  out << s.input << ": " << grouped(s.n) << " unknowns, " << grouped(s.nonzeros) << " nonzeros, "
      << s.package << " (" << s.reason << ") " << s.kind << ", order " << s.ordering
      << ", fill ratio " << digits(s.fill_ratio()) << ", " << s.nrhs
      << (s.nrhs == 1 ? " right-hand side\n" : " right-hand sides\n");
  for (const auto& [threads, rate] : bandwidths.threads)
    out << "  " << threads << (threads == 1 ? " thread reads " : " threads read ")
        << digits(rate / 1e9) << " GB/s\n";
  Table table({"contender", "runs", "threads", "L", "U", "L+U", "whole", "L GB/s", "U GB/s",
               "stored", "analysis", "setup", "update", "error/eps"},
              2);
  for (const Entry& entry : entries_of(result.runs)) table.add(row_of(entry));
  table.print(out);
  print_winner(out, result.runs, Phase::lower, "L-solve");
  print_winner(out, result.runs, Phase::upper, "U-solve");
  print_winner(out, result.runs, Phase::both, "L+U-solve");
  if (fastest(result.runs, Phase::whole, true) != nullptr)
    print_winner(out, result.runs, Phase::whole, "whole solve");
  for (const FullRun& run : result.runs) print_levels(out, run);
  out << std::endl;
}

}  // namespace echelon::cli

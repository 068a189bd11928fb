// cli/bench_report.cpp -- reports runs on one triangle as JSON and as a table.
// SPDX-License-Identifier: BSD-3-Clause
#include "bench_report.hpp"

#include <ostream>

#include "report_members.hpp"
#include "table.hpp"

namespace echelon::cli {
namespace {

std::string positive_or_dash(double value, int decimals) {
  return value > 0 ? fixed(value, decimals) : "-";
}

double parallelism(const SystemFacts& system) {
  return system.levels == 0 ? 0 : static_cast<double>(system.n) / system.levels;
}

double gigabytes_per_second(const BenchRun& run) {
  return run.traffic_bytes / run.solve.median / 1e9;
}

}  // namespace

Json to_json(const SystemFacts& system, const BenchRun& run, Precision precision,
             double device_bandwidth) {
  const double most = run.facts.backend != Backend::cpu ? device_bandwidth : 0;
  return Json::object()
      .set("contender", run.facts.contender)
      .set("input", system.input)
      .set("part", name(system.part))
      .set("n", system.n)
      .set("nnz", system.nonzeros)
      .set("levels", system.levels)
      .set("average_parallelism", parallelism(system))
      .set("method", run.facts.method)
      .set("reason", run.facts.reason)
      .set("backend", name(run.facts.backend))
      .set("threads", run.facts.threads)
      .set("supersteps", run.facts.supersteps)
      .set("launches", run.facts.launches)
      .set("op", "n")
      .set("unit", false)
      .set("nrhs", system.nrhs)
      .set("precision", name(precision))
      .set("analysis_s", run.facts.analysis_s)
      .set("analysis_solves", positive_or_null(run.analysis_solves))
      .set("setup_s", run.facts.setup_s)
      .set("setups", run.facts.setups)
      .set("update_s", positive_or_null(run.facts.update_s))
      .add(bench_times(run.solve))
      .set("backward_error", run.errors.componentwise)
      .set("normwise_error", run.errors.normwise)
      .set("bytes", run.facts.matrix_bytes)
      .add(traffic(run.traffic_bytes, run.solve.median, most))
      .set("read_gb_per_s", positive_or_null(most / 1e9))
      .set("speedup_vs_eigen", positive_or_null(run.speedup_vs_eigen))
      .set("speedup_vs_cusparse", positive_or_null(run.speedup_vs_cusparse));
}

void print_runs(std::ostream& out, const SystemFacts& system, const std::vector<BenchRun>& runs) {
  out << system.input << ", " << name(system.part) << ": " << grouped(system.n) << " unknowns, "
      << grouped(system.nonzeros) << " nonzeros, " << grouped(system.levels) << " levels, "
      << digits(parallelism(system)) << " unknowns per level, " << system.nrhs
      << (system.nrhs == 1 ? " right-hand side\n" : " right-hand sides\n");
  Table table({"contender", "runs", "threads", "median", "from", "to", "GB/s", "x eigen",
               "x cusparse", "analysis", "in solves"},
              2);
  for (const BenchRun& run : runs)
    table.add({run.facts.contender, run.facts.method,
               run.facts.backend == Backend::cpu ? std::to_string(run.facts.threads)
                                                 : name(run.facts.backend),
               time_text(run.solve.median), time_text(run.solve.least), time_text(run.solve.most),
               fixed(gigabytes_per_second(run), 1), positive_or_dash(run.speedup_vs_eigen, 2),
               positive_or_dash(run.speedup_vs_cusparse, 2),
               run.facts.analysis_s > 0 ? time_text(run.facts.analysis_s) : "-",
               positive_or_dash(run.analysis_solves, 1)});
  table.print(out);
  out << std::endl;
}

}  // namespace echelon::cli

// bench/multi_gpu/layouts.cpp -- times L x = b and L' x = b on several PEs by layout, mapping and
// design, like Figure 5 of Ding, Liu, Williams and Li (2021).
// SPDX-License-Identifier: BSD-3-Clause
//
// Run:  mpirun -n 4 layouts elasticity3d:20 [--repeat 50] [--designs persistent,coupled]
//       [--mappings balanced,cyclic] [--trees flat,binary] [--max-panel-columns 0] [--nrhs 1]
//       [--grids 2x2,..]
//       [--blocks 0]
// One JSON line per layout.  All layouts are set up first, then run in turn, repeatedly.  A time is
// the median over rounds of a pass, from the last PE's start to the last PE's end (all PEs share
// one GPU and its clock).  With one PE, the solver for one GPU (method tree) runs too, timed by
// events.
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "echelon/device.hpp"
#include "echelon/direct.hpp"
#include "echelon/factor.hpp"
#include "echelon/generate.hpp"
#include "echelon/nvshmem.hpp"

namespace {

using namespace echelon;

struct Job {
  std::string matrix;
  int repeat = 50;
  Index nrhs = 1;
  Index max_panel_columns = 0;
  Index blocks = 0;
  std::map<std::string, std::string> lists = {{"--designs", "persistent,coupled"},
                                              {"--mappings", "balanced,cyclic"},
                                              {"--trees", "flat"},
                                              {"--grids", ""}};
};

Job read_arguments(int argc, char** argv) {
  Job job;
  for (int k = 1; k < argc; ++k) {
    const std::string word = argv[k];
    if (word.rfind("--", 0) != 0) {
      job.matrix = word;
      continue;
    }
    const std::string value = k + 1 < argc ? argv[++k] : "";
    if (word == "--repeat")
      job.repeat = std::atoi(value.c_str());
    else if (word == "--nrhs")
      job.nrhs = std::atoi(value.c_str());
    else if (word == "--max-panel-columns")
      job.max_panel_columns = std::atoi(value.c_str());
    else if (word == "--blocks")
      job.blocks = std::atoi(value.c_str());
    else if (job.lists.count(word) > 0)
      job.lists[word] = value;
    else
      throw Error(ErrorCode::bad_argument, "layouts: there is no " + word);
  }
  if (job.matrix.empty() || job.repeat < 1)
    throw Error(ErrorCode::bad_argument, "usage: layouts MATRIX [--repeat N] ...");
  return job;
}
std::vector<std::string> words_of(const std::string& list) {
  std::vector<std::string> words;
  std::istringstream in(list);
  for (std::string word; std::getline(in, word, ',');) words.push_back(word);
  return words;
}
bool has(const Job& job, const char* list, const std::string& word) {
  const auto words = words_of(job.lists.at(list));
  return std::find(words.begin(), words.end(), word) != words.end();
}

double median(std::vector<double> v) {
  if (v.empty()) return 0;
  std::nth_element(v.begin(), v.begin() + v.size() / 2, v.end());
  return v[v.size() / 2];
}
double least(const std::vector<double>& v) {
  return v.empty() ? 0 : *std::min_element(v.begin(), v.end());
}

// One layout: its solver, and the times of its passes.
struct Contender {
  NvshmemOptions options;
  NvshmemSolver<double> solver;
  std::vector<double> span[2], kernel[2];  // seconds, by direction
  Offset messages[2] = {}, bytes[2] = {};  // per pass
  Index hops[2] = {};                      // messages on the longest path
  Index levels = 0, blocks = 0;
  double error = 0;

  Contender(const Factors<double>* f, const NvshmemOptions& o)
      : options(o), solver(MPI_COMM_WORLD, f, o) {
    solver.report();
  }
  void run(int way, const Vectors<const double>& b, const Vectors<double>& x) {
    solver.solve(b, x, {.part = Part::lower, .op = way == 0 ? Op::none : Op::transpose});
    const NvshmemReport report = solver.report();
    double slowest = 0;
    messages[way] = bytes[way] = 0;
    for (const PeReport& pe : report.pes) {
      slowest = std::max(slowest, pe.solve_s);
      messages[way] += pe.messages;
      bytes[way] += pe.message_bytes;
    }
    blocks = report.pes.front().blocks;
    span[way].push_back(report.span_s);
    kernel[way].push_back(slowest);
  }
};

// Distributes the factor as the solver does.
void count_messages(const Factors<double>& f, Contender& c) {
  const bool tiles = c.options.design == Design::persistent;
  const RankFactors<double> shared =
      distribute_factors(f, c.options.ranks.max_panel_columns,
                         tiles ? for_tiles(SupernodeOptions()) : SupernodeOptions());
  const BlockMap map = map_blocks(shared.lower, {c.options.ranks.rows, c.options.ranks.cols},
                                  *c.options.ranks.mapping);
  const std::vector<LocalPlan> plans = make_local_plans(shared.lower, map, *c.options.ranks.tree);
  c.hops[0] = count_hops(plans, Way::forwards);
  c.hops[1] = count_hops(plans, Way::backwards);
  c.levels = find_level_sets(shared.lower).count();
}

// The largest difference to the host's solution y with one thread, relative to the largest |y|.
double difference(const std::vector<double>& x, const std::vector<double>& y) {
  double most = 0, size = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    most = std::max(most, std::abs(x[k] - y[k]));
    size = std::max(size, std::abs(y[k]));
    if (!(std::abs(x[k] - y[k]) < 1e300)) return HUGE_VAL;
  }
  return most / size;
}

}  // namespace

int run(int argc, char** argv) {
  int rank = 0, ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const Job job = read_arguments(argc, argv);
  std::optional<Factors<double>> f;
  std::vector<double> b, x, answer[2];
  std::optional<DirectSolver<double>> one;
  if (rank == 0) {
    const Csr<double> a = generate<double>(job.matrix);
    f = factor_cholmod<double>(a, {});
    b.resize(static_cast<std::size_t>(a.rows) * job.nrhs);
    for (std::size_t k = 0; k < b.size(); ++k) b[k] = std::cos(static_cast<double>(k));
    x.resize(b.size());
    Options o;
    o.method = Method::tree;
    const DirectSolver<double> host(*f, o);
    for (int way = 0; way < 2; ++way) {
      answer[way].resize(b.size());
      const Vectors<const double> from{b.data(), a.rows, job.nrhs};
      const Vectors<double> to{answer[way].data(), a.rows, job.nrhs};
      if (way == 0)
        host.solve(from, to, {.part = echelon::Part::lower});
      else
        host.solve(from, to, {.part = echelon::Part::lower, .op = Op::transpose});
    }
    if (ranks == 1) {
      o.backend = Backend::cuda;
      one.emplace(*f, o);
    }
  }
  const Index n = rank == 0 ? static_cast<Index>(b.size()) / job.nrhs : 0;
  const Vectors<const double> from{b.data(), n, job.nrhs};
  const Vectors<double> to{x.data(), n, job.nrhs};

  std::vector<std::unique_ptr<Contender>> contenders;
  for (Index rows = ranks; rows >= 1; --rows) {
    if (ranks % rows != 0) continue;
    const std::string grid = std::to_string(rows) + "x" + std::to_string(ranks / rows);
    if (!job.lists.at("--grids").empty() && !has(job, "--grids", grid)) continue;
    for (const Design design : {Design::persistent, Design::coupled})
      for (const Mapping mapping : {Mapping::balanced, Mapping::subtree, Mapping::cyclic})
        for (const TreeShape tree : {TreeShape::binary, TreeShape::flat}) {
          if (!has(job, "--designs", name(design)) || !has(job, "--mappings", name(mapping)) ||
              !has(job, "--trees", name(tree)))
            continue;
          NvshmemOptions o;
          o.ranks.rows = rows;
          o.ranks.cols = ranks / rows;
          o.design = design;
          o.ranks.mapping = mapping;
          o.ranks.tree = tree;
          const bool tiles = design == Design::persistent;
          o.ranks.max_panel_columns = job.max_panel_columns > 0 ? job.max_panel_columns
                                      : !tiles                  ? 128
                                      : ranks == 1              ? 4096
                                                                : 1024;
          o.ranks.rhs_per_pass = std::min<Index>(job.nrhs, 16);
          o.blocks = job.blocks;
          contenders.push_back(std::make_unique<Contender>(f ? &*f : nullptr, o));
          if (f) count_messages(*f, *contenders.back());
        }
  }

  std::vector<double> alone[2];
  DeviceVector<double> device_b, device_x;
  if (one) {
    device_b = DeviceVector<double>(std::span<const double>(b));
    device_x = DeviceVector<double>(b.size());
  }
  constexpr int warmup = 3;
  for (int round = 0; round < job.repeat + warmup; ++round)
    for (int way = 0; way < 2; ++way) {
      for (auto& c : contenders) {
        c->run(way, from, to);
        if (rank == 0) c->error = std::max(c->error, difference(x, answer[way]));
        if (round < warmup) c->span[way].clear(), c->kernel[way].clear();
      }
      if (!one) continue;
      const auto times = time_on_device(1, 1, [&](void* stream) {
        const Vectors<const double> db{device_b.data(), n, job.nrhs};
        const Vectors<double> dx{device_x.data(), n, job.nrhs};
        if (way == 0)
          one->solve(db, dx, {.part = echelon::Part::lower, .stream = stream});
        else
          one->solve(db, dx, {.part = echelon::Part::lower, .op = Op::transpose, .stream = stream});
      });
      if (round >= warmup) alone[way].push_back(times[0]);
    }
  if (rank > 0) return 0;
  if (one) one->check();
  for (auto& c : contenders) {
    const NvshmemOptions& o = c->options;
    std::printf(
        "{\"matrix\": \"%s\", \"n\": %d, \"pes\": %d, \"grid\": \"%dx%d\", \"design\": \"%s\", "
        "\"mapping\": \"%s\", \"tree\": \"%s\", \"widest\": %d, \"levels\": %d, \"blocks\": %d, "
        "\"nrhs\": %d, \"repeat\": %d",
        job.matrix.c_str(), n, ranks, o.ranks.rows, o.ranks.cols, name(o.design),
        name(*o.ranks.mapping), name(*o.ranks.tree), o.ranks.max_panel_columns, c->levels,
        c->blocks, job.nrhs, job.repeat);
    for (int way = 0; way < 2; ++way)
      std::printf(
          ", \"%s\": {\"us\": %.2f, \"least_us\": %.2f, \"kernel_us\": %.2f, \"messages\": %lld, "
          "\"message_bytes\": %lld, \"hops\": %d, \"one_gpu_us\": %.2f}",
          way == 0 ? "forwards" : "backwards", 1e6 * median(c->span[way]),
          1e6 * least(c->span[way]), 1e6 * median(c->kernel[way]),
          static_cast<long long>(c->messages[way]), static_cast<long long>(c->bytes[way]),
          c->hops[way], 1e6 * median(alone[way]));
    std::printf(", \"largest_difference\": %.2e}\n", c->error);
    std::fflush(stdout);
  }
  return 0;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int status = 1;
  try {
    status = run(argc, argv);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "layouts: %s\n", e.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
  return status;
}

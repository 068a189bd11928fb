// bench/batch/batch.cpp -- times solves with many Cholesky factors of one pattern against the
// bandwidth of memory and against a loop over Solver.
// SPDX-License-Identifier: BSD-3-Clause
//
//   batch [--matrix laplace2d:24x24:5] [--count 10000] [--backend cpu|cuda] [--threads 2]
//         [--width 0] [--nrhs 1] [--repeats 30]
//
// One JSON line per solve (L, L') and contender.  exact_bytes: all values of L once, b and x.  Both
// bandwidths are measured before and after.  Answers are checked before they are timed.
#include "echelon/batch.hpp"

#include <cmath>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "echelon/device.hpp"
#include "echelon/factor.hpp"
#include "echelon/generate.hpp"
#include "echelon/solver.hpp"
#include "echelon/tools/calibrate.hpp"
#include "support/clock.hpp"

namespace echelon::bench {
namespace {

struct Settings {
  std::string matrix = "laplace2d:24x24:5", backend = "cpu";
  Index count = 10000, threads = 2, width = 0, nrhs = 1;
  int repeats = 30;
  bool on_device() const { return backend == "cuda"; }
};

Settings read_settings(int argc, char** argv) {
  Settings s;
  for (int k = 1; k + 1 < argc; k += 2) {
    const std::string key = argv[k], value = argv[k + 1];
    const int number = std::atoi(value.c_str());
    if (key == "--matrix")
      s.matrix = value;
    else if (key == "--backend")
      s.backend = value;
    else if (key == "--count")
      s.count = number;
    else if (key == "--threads")
      s.threads = number;
    else if (key == "--width")
      s.width = number;
    else if (key == "--nrhs")
      s.nrhs = number;
    else if (key == "--repeats")
      s.repeats = number;
    else
      throw Error(ErrorCode::bad_argument, "unknown flag " + key);
  }
  return s;
}

// L of every system: the same factor, each with values of its own.
struct Systems {
  Csc<double> l;
  std::vector<double> values, b;

  explicit Systems(const Settings& s) {
    const auto f = factor_automatic(MatrixView(generate<double>(s.matrix)));
    if (!f.symmetric) throw Error(ErrorCode::bad_argument, "the matrix has no Cholesky factor");
    l = f.lower.in_panels() ? columns_of(f.lower.panels) : f.lower.columns;
    if (f.lower.unit_diagonal) throw Error(ErrorCode::bad_argument, "the factor is LDL'");
    for (Index k = 0; k < s.count; ++k)
      for (const double v : l.value) values.push_back(v * (1 + 1e-4 * (k % 1000)));
    for (Offset i = 0; i < Offset{l.rows} * s.count * s.nrhs; ++i)
      b.push_back(1 + 1e-3 * static_cast<double>(i % 977));
  }
  Triangle<double> system(Index k) const {
    Triangle<double> t = lower(l);
    t.value = std::span(values).subspan(k * l.value.size(), l.value.size());
    return t;
  }
};

double exact_bytes(const Systems& all) {
  return 8.0 * (static_cast<double>(all.values.size()) + 2.0 * static_cast<double>(all.b.size()));
}

// The largest difference from Solver, relative to the answer, in some of the systems.
double find_error(const Settings& s, const Systems& all, Op op, const std::vector<double>& x) {
  const auto n = static_cast<std::size_t>(all.l.rows);
  double worst = 0;
  for (Index k = 0; k < s.count; k += std::max(s.count / 50, 1)) {
    const Solver<double> solver(all.system(k), {.method = Method::serial});
    for (Index r = 0; r < s.nrhs; ++r) {
      const std::size_t from = (static_cast<std::size_t>(k) * s.nrhs + r) * n;
      const auto want = solver.solve(std::span(all.b).subspan(from, n), {.op = op});
      for (std::size_t i = 0; i < n; ++i)
        worst = std::max(worst, std::abs(want[i] - x[from + i]) / std::abs(want[i]));
    }
  }
  return worst;
}

double bandwidth(const Settings& s) {
  return s.on_device() ? measure_copy_bandwidth() : read_bandwidth(s.threads);
}

struct Line {
  const char* contender;
  Op op;
  double error, median_s, fastest_s, setup_s, update_s;
  Index width;
};

void print(const Settings& s, const Systems& all, const Line& line, double most) {
  const double bytes = exact_bytes(all), rate = bytes / line.median_s;
  std::cout << "{\"bench\": \"batch\", \"contender\": \"" << line.contender << "\", \"matrix\": \""
            << s.matrix << "\", \"n\": " << all.l.rows << ", \"nnz\": " << all.l.value.size()
            << ", \"count\": " << s.count << ", \"nrhs\": " << s.nrhs << ", \"op\": \""
            << name(line.op) << "\", \"backend\": \"" << s.backend
            << "\", \"threads\": " << (s.on_device() ? 0 : s.threads)
            << ", \"width\": " << line.width << ", \"error\": " << line.error
            << ", \"median_s\": " << line.median_s << ", \"fastest_s\": " << line.fastest_s
            << ", \"setup_s\": " << line.setup_s << ", \"update_s\": " << line.update_s
            << ", \"exact_bytes\": " << bytes << ", \"gb_per_s\": " << rate / 1e9
            << ", \"bandwidth_gb_per_s\": " << most / 1e9
            << ", \"bandwidth_share\": " << rate / most << "}" << std::endl;
}

std::vector<double> time_calls(const Settings& s, const std::function<void(void*)>& call) {
  if (s.on_device()) return time_on_device(s.repeats, 3, call);
  std::vector<double> seconds;
  for (int k = 0; k < s.repeats; ++k) seconds.push_back(time_of([&] { call(nullptr); }));
  return seconds;
}

void run_batch(const Settings& s, const Systems& all, double most) {
  BatchOptions o{.width = s.width};
  o.solver.backend = s.on_device() ? Backend::cuda : Backend::cpu;
  o.solver.cpu.threads = s.threads;
  BatchSolver<double> many(lower(all.l), s.count, all.values, o);
  const Index n = all.l.rows, vectors = s.count * s.nrhs;
  std::vector<double> x(all.b.size());
  const DeviceVector<double> there =
      s.on_device() ? DeviceVector<double>(std::span(all.b)) : DeviceVector<double>();
  const DeviceVector<double> answer(s.on_device() ? x.size() : 0);
  const DeviceVector<double> values =
      s.on_device() ? DeviceVector<double>(std::span(all.values)) : DeviceVector<double>();
  const double* const b = s.on_device() ? there.data() : all.b.data();
  double* const to = s.on_device() ? answer.data() : x.data();
  const double* const given = s.on_device() ? values.data() : all.values.data();
  for (const Op op : {Op::none, Op::transpose}) {
    const auto solve = [&](void* stream) {
      many.solve(Vectors<const double>(b, n, vectors), Vectors<double>(to, n, vectors),
                 {.op = op, .stream = stream});
    };
    solve(nullptr);
    if (s.on_device()) answer.store(x);
    const double error = find_error(s, all, op, x);
    auto seconds = time_calls(s, solve);
    std::sort(seconds.begin(), seconds.end());
    const double setup = many.report().setup_s;
    const double update = time_updates([] { return 0; },
                                       [&](int) {
                                         many.update({given, s.count, 0});
                                       });
    print(s, all,
          {"echelon_batch", op, error, middle(seconds), seconds.front(), setup, update,
           many.report().width},
          most);
  }
}

// One Solver per system, on one thread each, systems one after the other.
void run_loop(const Settings& s, const Systems& all, double most) {
  const Analysis analysis(all.system(0), {.method = Method::serial});
  std::vector<Solver<double>> solvers;
  const double setup = time_of([&] {
    for (Index k = 0; k < s.count; ++k) solvers.emplace_back(analysis, all.system(k));
  });
  std::vector<double> x(all.b.size());
  const auto n = static_cast<std::size_t>(all.l.rows) * s.nrhs;
  const auto solve = [&](void*) {
    for (std::size_t k = 0; k < solvers.size(); ++k)
      solvers[k].solve(Vectors<const double>(all.b.data() + k * n, all.l.rows, s.nrhs),
                       Vectors<double>(x.data() + k * n, all.l.rows, s.nrhs));
  };
  solve(nullptr);
  const double error = find_error(s, all, Op::none, x);
  auto seconds = time_calls(s, solve);
  std::sort(seconds.begin(), seconds.end());
  print(s, all,
        {"loop_over_solver", Op::none, error, middle(seconds), seconds.front(), setup, 0, 1}, most);
}

}  // namespace
}  // namespace echelon::bench

int main(int argc, char** argv) {
  using namespace echelon::bench;
  try {
    const Settings s = read_settings(argc, argv);
    const Systems all(s);
    const double before = bandwidth(s);
    run_batch(s, all, before);
    if (!s.on_device()) run_loop(s, all, before);
  } catch (const std::exception& e) {
    std::cerr << "batch: " << e.what() << '\n';
    return 1;
  }
}

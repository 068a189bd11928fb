// cli/compare_sweeps.cpp -- echelon smooth --compare: times the smoother against plain serial
// loops, or its methods on a device.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <gauss_seidel/plain_sweep.hpp>
#include <iostream>
#include <limits>

#include "contenders.hpp"
#include "device_facts.hpp"
#include "json.hpp"
#include "machine.hpp"
#include "out_file.hpp"
#include "progress.hpp"
#include "report_members.hpp"
#include "rounds.hpp"
#include "smooth.hpp"
#include "table.hpp"
#include "timing.hpp"

namespace echelon::cli {
namespace {

// One contestant and its properties.
template <Scalar T>
struct Sweeper {
  std::string contender;
  Index threads = 1;
  std::unique_ptr<GaussSeidel<T>> smoother;  // null: a plain loop
  bench::PlainLoop loop = bench::PlainLoop::split_row;
};

// |x - y| relative to the largest entry, in units of rounding.
template <Scalar T>
double distance(const Buffer<T>& x, const Buffer<T>& y) {
  double most = 0, apart = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    most = std::max(most, double{std::abs(y[i])});
    apart = std::max(apart, double{std::abs(x[i] - y[i])});
  }
  return apart == 0 ? 0 : apart / (most * std::numeric_limits<Real<T>>::epsilon());
}

template <Scalar T>
class Contest {
 public:
  Contest(const Smooth& o, const SmoothTask<T>& task)
      : o_(o), task_(task), plain_(task.a, o.options.omega), x_(task.x.value) {
    o.on_device() ? enter_methods() : enter_loops();
  }

  // Checks all contestants against a plain loop, then times them in turn.
  std::vector<Contestant> run() {
    sweep_plainly(bench::PlainLoop::whole_row);
    const Buffer<T> expected = x_;
    std::vector<Contestant> contestants;
    for (const Sweeper<T>& s : sweepers_) {
      const Progress progress("checking " + s.contender);
      Contestant c{[this, &s] { return seconds_of(s); }};
      c.first = check(s, expected);
      contestants.push_back(std::move(c));
    }
    run_in_turn(contestants, o_.repeat, "sweeping");
    return contestants;
  }
  const std::vector<Sweeper<T>>& sweepers() const { return sweepers_; }
  const std::vector<Missing>& missing() const { return missing_; }

 private:
  // On the CPU: the loops, and the smoother on one thread and on several.
  void enter_loops() {
    sweepers_.push_back({name(bench::PlainLoop::whole_row), 1, {}, bench::PlainLoop::whole_row});
    sweepers_.push_back({name(bench::PlainLoop::split_row), 1, {}, bench::PlainLoop::split_row});
    SmootherOptions options = o_.options;
    const Index most =
        options.solver.cpu.threads > 0 ? options.solver.cpu.threads : available_cores();
    for (const Index threads : {Index{1}, most}) {
      if (threads == 1 && sweepers_.size() > 2) break;
      options.solver.cpu.threads = threads;
      sweepers_.push_back({"echelon", threads, std::make_unique<GaussSeidel<T>>(task_.a, options)});
      check_low_precision(options.solver,
                          sweepers_.back().smoother->report().triangles.front().method);
    }
  }

  // On a device: the smoother with each of the methods.  Those that cannot run there are missing.
  void enter_methods() {
    std::vector<Method> methods{o_.options.solver.method};
    if (!o_.methods.empty()) {
      methods.clear();
      for (const std::string& word : split_list("--methods", o_.methods))
        methods.push_back(parse<Method>("method", word));
    }
    for (const Method method : methods) {
      SmootherOptions options = o_.options;
      options.solver.method = method;
      const std::string contender = std::string("echelon:") + name(method);
      try {
        sweepers_.push_back({contender, 1, std::make_unique<GaussSeidel<T>>(task_.a, options)});
      } catch (const Error& error) {
        if (error.code() != ErrorCode::bad_argument) throw;
        missing_.push_back({contender, error.what()});
      }
    }
    if (sweepers_.empty()) throw Error(ErrorCode::bad_argument, missing_.front().reason);
    there_b_ = DeviceVector<T>(std::span<const T>(task_.b.value));
    there_x_ = DeviceVector<T>(task_.b.value.size());
  }

  // Starts from the guess.
  void sweep_plainly(bench::PlainLoop loop) {
    x_ = task_.x.value;
    if (o_.from_zero) std::fill(x_.begin(), x_.end(), T(0));
    go_on_plainly(loop);
  }
  void go_on_plainly(bench::PlainLoop loop) {
    for (Index k = 0; k < o_.sweeps; ++k)
      plain_.sweep(loop, o_.options.direction, task_.b.value.data(), x_.data());
  }

  // x continues from its last value: the time of a sweep does not depend on x.
  double seconds_of(const Sweeper<T>& s) {
    if (o_.on_device()) return seconds_there(s, 1);
    const Index n = task_.a.rows;
    const Stopwatch watch;
    if (s.smoother) {
      s.smoother->solve(Vectors<const T>(task_.b.value.data(), n), Vectors<T>(x_.data(), n),
                        o_.sweep_options());
    } else {
      if (o_.from_zero) std::fill(x_.begin(), x_.end(), T(0));
      go_on_plainly(s.loop);
    }
    return watch.seconds();
  }
  // By device events, with work queued before so that the device does not wait for the host.
  double seconds_there(const Sweeper<T>& s, int warmup) {
    const Index n = task_.a.rows;
    return time_on_device(1, warmup,
                          [&](void* stream) {
                            s.smoother->solve(Vectors<const T>(there_b_.data(), n),
                                              Vectors<T>(there_x_.data(), n),
                                              o_.sweep_options(stream));
                          })
        .front();
  }

  // Sweeps once from the guess and returns the seconds.  Throws unless x is the expected one.
  double check(const Sweeper<T>& s, const Buffer<T>& expected) {
    constexpr double accepted = 1e4;
    x_ = task_.x.value;
    if (o_.on_device()) there_x_.load(x_);
    const double seconds = o_.on_device() ? seconds_there(s, 0) : seconds_of(s);
    if (o_.on_device()) there_x_.store(x_);
    if (s.smoother) s.smoother->check();
    if (const double far = distance(x_, expected); !(far <= accepted))
      throw Error(ErrorCode::backend_failed,
                  s.contender + " on " + std::to_string(s.threads) +
                      " threads gives an x that differs from that of a plain loop by " +
                      digits(far) + " roundings");
    return seconds;
  }

  const Smooth& o_;
  const SmoothTask<T>& task_;
  bench::PlainSweep<T> plain_;
  std::vector<Sweeper<T>> sweepers_;
  std::vector<Missing> missing_;
  Buffer<T> x_;
  DeviceVector<T> there_b_, there_x_;  // on a device
};

// As Li and Zhang count: two per entry and sweep.
template <Scalar T>
double flops_of(const Smooth& o, const SmoothTask<T>& task) {
  const double ways = o.options.direction == Sweep::symmetric ? 2 : 1;
  return 2 * ways * static_cast<double>(task.a.nonzeros()) * o.sweeps;
}

template <Scalar T>
Json to_json(const Smooth& o, const SmoothTask<T>& task, const Sweeper<T>& s, const Spread& time) {
  Json run = Json::object();
  run.set("contender", s.contender)
      .set("threads", s.threads)
      .set("input", o.input)
      .set("n", task.a.rows)
      .set("nnz", task.a.nonzeros())
      .set("direction", name(o.options.direction))
      .set("sweeps", o.sweeps)
      .set("omega", o.options.omega)
      .set("precision", name(o.precision))
      .add(bench_times(time))
      .set("gflops", flops_of(o, task) / time.median / 1e9);
  if (!s.smoother) return run;
  const SmootherReport& plan = s.smoother->report();
  return run.set("form", name(plan.form))
      .set("backend", name(plan.triangles.front().backend))
      .set("vectors", plan.vectors)
      .set("method", name(plan.triangles.front().method))
      .set("levels", plan.levels())
      .set("analysis_s", plan.analysis_s)
      .set("setup_s", s.smoother->report().setup_s)
      .set("setups", 1)
      .set("bytes", s.smoother->report().bytes);
}

}  // namespace

template <Scalar T>
void compare_sweeps(const Smooth& o, const SmoothTask<T>& task) {
  Contest<T> contest(o, task);
  const std::vector<Contestant> contestants = contest.run();
  Json runs = Json::array();
  Table table({"contender", "threads", "median", "from", "to", "GFLOPS",
               o.on_device() ? "over the first" : "over plain"});
  const double plain = find_spread(contestants.front().seconds).median;
  for (std::size_t k = 0; k < contestants.size(); ++k) {
    const Sweeper<T>& s = contest.sweepers()[k];
    const Spread time = find_spread(contestants[k].seconds);
    runs.push(to_json(o, task, s, time));
    table.add({s.contender, std::to_string(s.threads), time_text(time.median),
               time_text(time.least), time_text(time.most),
               digits(flops_of(o, task) / time.median / 1e9), digits(plain / time.median)});
  }
  if (!o.json) {
    std::cout << o.input << ", " << name(o.options.direction) << ", " << o.sweeps
              << (o.sweeps == 1 ? " sweep\n" : " sweeps\n");
    table.print(std::cout);
  }
  hand_out(begin_document("echelon", "smooth")
               .set("commit", o.commit)
               .set("device", to_json(find_device_facts(o.options.solver.backend)))
               .set("missing", to_json(contest.missing()))
               .set("runs", std::move(runs))
               .set("out", or_null(o.out)),
           o.out, o.json);
}

template void compare_sweeps(const Smooth&, const SmoothTask<float>&);
template void compare_sweeps(const Smooth&, const SmoothTask<double>&);
template void compare_sweeps(const Smooth&, const SmoothTask<std::complex<float>>&);
template void compare_sweeps(const Smooth&, const SmoothTask<std::complex<double>>&);

}  // namespace echelon::cli

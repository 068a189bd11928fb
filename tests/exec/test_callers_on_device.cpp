// tests/exec/test_callers_on_device.cpp -- streams, threads and graphs that share one solver on a
// GPU: every solution is right, and an error reaches the caller that caused it.
// SPDX-License-Identifier: BSD-3-Clause
#include <thread>

#include "direct/ldl_factors.hpp"
#include "echelon/direct.hpp"
#include "echelon/generate.hpp"
#include "echelon/smoother.hpp"
#include "exec/cuda/runtime/streams.cuh"
#include "support/device.hpp"
#include "support/random_matrix.hpp"
#include "support/reference_solve.hpp"

namespace echelon {
namespace {

using test::refusal;
constexpr double accepted = 8;

Options on_device(Method method) {
  return {.method = method, .backend = Backend::cuda, .cuda = test::cuda_options()};
}

constexpr Index n = 64 * 64;

constexpr Method methods[] = {Method::level_row,      Method::level_column, Method::element_row,
                              Method::element_column, Method::superstep,    Method::plain,
                              Method::stream,         Method::team,         Method::merge,
                              Method::invert_diag,    Method::invert_off,   Method::spmv,
                              Method::dynamic,        Method::tree};

// Two vectors, each with its own solution.
struct Pair {
  explicit Pair(unsigned seed, Index count_ = 2)
      : count(count_),
        b(test::random_vector<double>(static_cast<std::size_t>(n * count_), seed)),
        given{std::span<const double>(b)},
        found(b.size()) {}
  Vectors<const double> right() const { return {given.data(), n, count}; }
  Vectors<double> answer() const { return {found.data(), n, count}; }
  // The largest error(b, x) of the two vectors.
  template <class Error>
  double worst(const Error& error) const {
    const std::vector<double> x = found.to_host();
    double most = 0;
    for (Index k = 0; k < count; ++k)
      most = std::max(most, error(std::vector<double>(b.begin() + k * n, b.begin() + (k + 1) * n),
                                  std::vector<double>(x.begin() + k * n, x.begin() + (k + 1) * n)));
    return most;
  }

  Index count;
  std::vector<double> b;
  DeviceVector<double> given, found;
};

void wait_for_all() { check_cuda(cudaDeviceSynchronize(), "all streams"); }

// Calls put(right, answer, stream) for many pairs, in three streams in turn, without waiting.
template <class Put, class Error>
void expect_streams_in_order(const Put& put, const Error& error, double most) {
  const CudaStream streams[3];
  std::vector<Pair> pairs;
  for (unsigned k = 0; k < 30; ++k) pairs.emplace_back(k, k % 3 == 2 ? 1 : 3);
  wait_for_all();
  for (std::size_t k = 0; k < pairs.size(); ++k)
    put(pairs[k].right(), pairs[k].answer(), streams[k % 3].get());
  wait_for_all();
  for (const Pair& pair : pairs) ASSERT_LE(pair.worst(error), most);
}

// Calls solve(workspace, right, answer, stream) in threads with one workspace and stream each.
template <class Solver, class Solve, class Error>
void expect_threads_apart(const Solver& solver, const Solve& solve, const Error& error,
                          double most) {
  std::vector<std::thread> callers;
  for (unsigned caller = 0; caller < 4; ++caller)
    callers.emplace_back([&, caller] {
      auto workspace = solver.make_workspace();
      const CudaStream stream;
      for (unsigned repeat = 0; repeat < 10; ++repeat) {
        Pair pair(100 * caller + repeat, 1 + static_cast<Index>(repeat) % 4);
        solve(workspace, pair.right(), pair.answer(), stream.get());
        check_cuda(cudaStreamSynchronize(stream.get()), "a stream");
        ASSERT_EQ(refusal([&] { solver.check(workspace); }).code, ErrorCode{});
        ASSERT_LE(pair.worst(error), most);
        std::vector<double> x(pair.b.size());  // also with vectors in host memory
        solve(workspace, Vectors<const double>(pair.b.data(), n, pair.count),
              Vectors<double>(x.data(), n, pair.count), stream.get());
        pair.found.load(x);
        ASSERT_LE(pair.worst(error), most);
      }
    });
  for (auto& caller : callers) caller.join();
}

class CallersOnDevice : public test::OnDevice {
 protected:
  Csr<double> a = generate<double>("laplace2d:64x64:5");
  Triangle<double> t = lower(a, {.outside = OutsideEntries::ignore});
  double error(const std::vector<double>& b, const std::vector<double>& x) const {
    return test::backward_error(t, b, x);
  }
};

TEST_F(CallersOnDevice, SolvesInSeveralStreamsFollowEachOther) {
  for (const Method method : methods) {
    SCOPED_TRACE(name(method));
    const Solver<double> solver(t, on_device(method));
    expect_streams_in_order(
        [&](const auto& b, const auto& x, void* stream) { solver.solve(b, x, {.stream = stream}); },
        [&](const auto& b, const auto& x) { return error(b, x); }, accepted);
    solver.check();
  }
}

TEST_F(CallersOnDevice, ThreadsWithTheirOwnWorkspacesDoNotDisturbEachOther) {
  for (const Method method : methods) {
    SCOPED_TRACE(name(method));
    const Solver<double> solver(t, on_device(method));
    expect_threads_apart(
        solver,
        [&](auto& workspace, const auto& b, const auto& x, void* stream) {
          solver.solve(workspace, b, x, {.stream = stream});
        },
        [&](const auto& b, const auto& x) { return error(b, x); }, accepted);
  }
}

TEST_F(CallersOnDevice, OnlyWhoAskedForItIsToldOfAnAnswerThatIsNotFinite) {
  const Solver<double> solver(t, on_device(Method::automatic));
  auto good = solver.make_workspace(), bad = solver.make_workspace();
  Pair fine(1), broken(2);
  broken.given.load(std::vector<double>(broken.b.size(), std::numeric_limits<double>::infinity()));
  const CudaStream one, other;
  solver.solve(bad, broken.right(), broken.answer(), {.stream = one.get()});
  solver.solve(good, fine.right(), fine.answer(), {.stream = other.get()});
  wait_for_all();
  std::vector<double> x(fine.b.size());
  EXPECT_NO_THROW(solver.solve(good, Vectors<const double>(fine.b.data(), n, 2),
                               Vectors<double>(x.data(), n, 2)));
  EXPECT_NO_THROW(solver.check(good));
  EXPECT_NO_THROW(solver.check());
  EXPECT_EQ(refusal([&] { solver.check(bad); }).code, ErrorCode::not_finite);
  EXPECT_NO_THROW(solver.check(bad));
}

TEST_F(CallersOnDevice, ACaptureDoesNotBreakSolvesOutside) {
  for (const Method method : methods) {
    SCOPED_TRACE(name(method));
    const Solver<double> solver(t, on_device(method));
    const Pair before(1), captured(2), after(3);
    const CudaStream one, other;
    const auto right = [&](const Pair& pair) {
      return pair.worst([&](const auto& b, const auto& x) { return error(b, x); }) <= accepted;
    };
    solver.solve(before.right(), before.answer(), {.stream = one.get()});
    time_graph(3, 1, [&](void* stream) {
      solver.solve(captured.right(), captured.answer(), {.stream = stream});
    });
    solver.solve(after.right(), after.answer(), {.stream = other.get()});
    wait_for_all();
    EXPECT_TRUE(right(before) && right(captured) && right(after));
    solver.check();
  }
}

// A factorization without any package.
class FactorsOnDevice : public test::OnDevice {
 protected:
  Factors<double> f = test::ldl_factors<double>(n);
  double error(const std::vector<double>& b, const std::vector<double>& x) const {
    return test::ldl_error<double>(f, {b.data(), n}, {x.data(), n}, 0);
  }
  static constexpr double most = 1000;  // in units of eps
};

TEST_F(FactorsOnDevice, SolvesInSeveralStreamsFollowEachOther) {
  for (const Method method : {Method::tree, Method::team, Method::stream, Method::superstep}) {
    SCOPED_TRACE(name(method));
    const DirectSolver<double> solver(f, on_device(method));
    expect_streams_in_order(
        [&](const auto& b, const auto& x, void* stream) { solver.solve(b, x, {.stream = stream}); },
        [&](const auto& b, const auto& x) { return error(b, x); }, most);
    solver.check();
  }
}

TEST_F(FactorsOnDevice, ThreadsWithTheirOwnWorkspacesDoNotDisturbEachOther) {
  for (const Method method : {Method::tree, Method::team, Method::stream, Method::superstep}) {
    SCOPED_TRACE(name(method));
    const DirectSolver<double> solver(f, on_device(method));
    expect_threads_apart(
        solver,
        [&](auto& workspace, const auto& b, const auto& x, void* stream) {
          solver.solve(workspace, b, x, {.stream = stream});
        },
        [&](const auto& b, const auto& x) { return error(b, x); }, most);
  }
}

// More vectors than rows of blocks in a grid.
TEST_F(FactorsOnDevice, DivideByDForAnyNumberOfVectors) {
  const Index few = 50, count = 2600;
  const Factors<double> small = test::ldl_factors<double>(few);
  const auto b = test::random_vector<double>(static_cast<std::size_t>(few * count));
  for (const Method method : {Method::tree, Method::team, Method::level_row})
    for (const Layout layout : {Layout::column_major, Layout::row_major}) {
      const DirectSolver<double> solver(small, on_device(method));
      const DeviceVector<double> given{std::span<const double>(b)}, found(b.size());
      solver.solve(Vectors<const double>(given.data(), few, count, 0, layout),
                   Vectors<double>(found.data(), few, count, 0, layout), {.part = Part::triangles});
      const std::vector<double> x = found.to_host();
      double worst = 0;
      for (Index k = 0; k < count; ++k)
        worst = std::max(worst, test::ldl_error<double>(small, {b.data(), few, count, 0, layout},
                                                        {x.data(), few, count, 0, layout}, k));
      EXPECT_LE(worst, most) << name(method);
    }
}

class SmootherCallersOnDevice : public CallersOnDevice {};

TEST_F(SmootherCallersOnDevice, StreamsAndThreadsDoNotDisturbEachOther) {
  for (const Method method : {Method::automatic, Method::level_row, Method::tree}) {
    SCOPED_TRACE(name(method));
    SmootherOptions o;
    const GaussSeidel<double> cpu(a, [] {
      SmootherOptions plain;
      plain.solver.method = Method::serial;
      return plain;
    }());
    std::mutex one_at_a_time;
    const auto difference = [&](const std::vector<double>& b, const std::vector<double>& x) {
      std::vector<double> expected(b.size());
      const std::lock_guard lock(one_at_a_time);
      cpu.solve(b, expected, {.sweeps = 2, .guess = Guess::zero});
      double most = 0;
      for (std::size_t k = 0; k < x.size(); ++k)
        most = std::max(most, std::abs(x[k] - expected[k]) / (1 + std::abs(expected[k])));
      return most;
    };
    o.solver = on_device(method);
    const GaussSeidel<double> smoother(a, o);
    const SweepOptions two{.sweeps = 2, .guess = Guess::zero};
    const auto in = [&](void* stream) {
      SweepOptions s = two;
      s.stream = stream;
      return s;
    };
    expect_streams_in_order(
        [&](const auto& b, const auto& x, void* stream) { smoother.solve(b, x, in(stream)); },
        difference, 1e-10);
    expect_threads_apart(
        smoother,
        [&](auto& workspace, const auto& b, const auto& x, void* stream) {
          smoother.solve(workspace, b, x, in(stream));
        },
        difference, 1e-10);
  }
}

}  // namespace
}  // namespace echelon

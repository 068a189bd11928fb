// tests/nvshmem/test_nvshmem_solver.cpp -- the tests of distributed solvers for NvshmemSolver, by
// both designs.
// SPDX-License-Identifier: BSD-3-Clause
#include <cstdlib>

#include "echelon/device.hpp"
#include "echelon/nvshmem.hpp"
#include "exec/cuda/runtime/check.cuh"
#include "mpi/rank_refusal_cases.hpp"
#include "mpi/rank_sequence_cases.hpp"
#include "support/device.hpp"

namespace echelon::test {
namespace {

template <class T>
struct OnGpus {
  using Number = T;
  using Solver = NvshmemSolver<T>;
  using Options = NvshmemOptions;
  static constexpr bool same_bits = false;

  static std::string missing() {
    try {
      find_device();
      return "";
    } catch (const Error& error) {
      return error.what();
    }
  }
  static std::vector<Options> variants() {
    const Index shared_memory = shared_memory_of_tests();
    return {
        {.ranks = {.timeout_s = 120}, .design = Design::persistent, .shared_memory = shared_memory},
        {.ranks = {.timeout_s = 120}, .design = Design::coupled, .shared_memory = shared_memory}};
  }
  static std::vector<std::pair<Options, int>> restless() {
    std::vector<std::pair<Options, int>> all;
    for (const Options& o : variants()) all.emplace_back(o, 200);
    return all;
  }
  static std::string text(const Options& o) { return name(o.design); }
  static RankReport ranks_of(const Solver& solver) { return solver.report(); }
};

using Scalars = testing::Types<OnGpus<float>, OnGpus<double>, OnGpus<std::complex<float>>,
                               OnGpus<std::complex<double>>>;
INSTANTIATE_TYPED_TEST_SUITE_P(Nvshmem, RankSolvers, Scalars);
using Doubles = testing::Types<OnGpus<double>>;
INSTANTIATE_TYPED_TEST_SUITE_P(Nvshmem, RankSolversOfDoubles, Doubles);
INSTANTIATE_TYPED_TEST_SUITE_P(Nvshmem, RankRefusals, Doubles);
INSTANTIATE_TYPED_TEST_SUITE_P(Nvshmem, RankSequences, Doubles);

class NvshmemSolvers : public RankTest<OnGpus<double>> {};

TEST_F(NvshmemSolvers, ReportOnEveryPe) {
  const Problem<double> p("elasticity3d:3", "cholmod");
  const auto b = random_vector<double>(static_cast<std::size_t>(p.a.rows));
  for (Design design : {Design::automatic, Design::persistent, Design::coupled}) {
    const NvshmemSolver<double> solver(MPI_COMM_WORLD, p.mine(),
                                       {.ranks = {.max_panel_columns = 24}, .design = design});
    solve(solver, b);
    const NvshmemReport r = solver.report();
    EXPECT_NE(r.design, Design::automatic);
    if (design != Design::automatic) {
      EXPECT_EQ(r.design, design);
    }
    ASSERT_EQ(r.pes.size(), static_cast<std::size_t>(size()));
    Offset messages = 0;
    Index multiprocessors = 0;
    for (const PeReport& pe : r.pes) {
      EXPECT_FALSE(pe.device.empty());
      EXPECT_GT(pe.multiprocessors, 0);
      EXPECT_GT(pe.solve_s, 0);
      messages += pe.messages;
      multiprocessors += pe.multiprocessors;
    }
    // PEs that share a GPU have a part of it each, unless MPS sets a percentage.
    if (std::getenv("CUDA_MPS_ACTIVE_THREAD_PERCENTAGE") == nullptr) {
      EXPECT_LE(multiprocessors, cuda_devices() * find_device().multiprocessors);
    }
    EXPECT_EQ(messages > 0, size() > 1);
    EXPECT_EQ(r.library.substr(0, 2), "3.");
  }
}

TEST_F(NvshmemSolvers, RefuseOptionsThatMeanNothing) {
  const Problem<double> p("laplace2d:6x7:5", "cholmod");
  const auto code = [&](const NvshmemOptions& o) {
    return refusal([&] { NvshmemSolver<double>(MPI_COMM_WORLD, p.mine(), o); }).code;
  };
  EXPECT_EQ(code({.watchdog_ms = -1}), ErrorCode::bad_argument);
  EXPECT_EQ(code({.blocks = -1}), ErrorCode::bad_argument);
}

// A solver on fewer ranks, or the same in another order, cannot share NVSHMEM with the first.
TEST_F(NvshmemSolvers, RefuseOtherRanksThanTheFirst) {
  const Problem<double> p("laplace2d:6x7:5", "cholmod");
  const NvshmemSolver<double> first(MPI_COMM_WORLD, p.mine());
  if (size() == 1) return;
  MPI_Comm turned = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, 0, size() - rank(), &turned);
  int place = 0;
  MPI_Comm_rank(turned, &place);
  const Factors<double> none;
  EXPECT_EQ(refusal([&] { NvshmemSolver<double>(turned, place == 0 ? &none : nullptr); }).code,
            ErrorCode::bad_argument);
  MPI_Comm_free(&turned);
}

// Without a GPU all PEs report it, before NVSHMEM is called.
TEST(NvshmemWithoutGpu, IsRefused) {
  if (OnGpus<double>::missing().empty()) GTEST_SKIP() << "there is a GPU";
  const Problem<double> p("laplace2d:6x7:5", "cholmod");
  const auto r = refusal([&] { NvshmemSolver<double>(MPI_COMM_WORLD, p.mine()); });
  EXPECT_EQ(r.code, ErrorCode::backend_missing);
  EXPECT_EQ(r.text, "there is no CUDA device, or no driver for it, on rank 0");
}

}  // namespace
}  // namespace echelon::test

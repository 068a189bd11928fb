// tests/bindings/c/test_guard_memory.cpp -- tests that every call survives every failed allocation.
// SPDX-License-Identifier: BSD-3-Clause
#include <cstring>
#include <functional>

#include "own.hpp"
#include "support/failing_new.hpp"

using namespace echelon::test;

namespace {

// Lets allocation 0, 1, 2, ... of `call` fail until it succeeds.  The number of failures seen.
int fail_each(const std::function<echelon_status()>& call) {
  for (int k = 0;; ++k) {
    allocations_left = k;
    const echelon_status status = call();
    const bool failed = allocations_left < 0;
    allocations_left = -1;
    if (!failed) {
      EXPECT_EQ(ECHELON_OK, status) << echelon_last_error(nullptr);
      return k;
    }
    if (status == ECHELON_OK) continue;  // done without: a cache, a buffer for speed
    EXPECT_EQ(ECHELON_OUT_OF_MEMORY, status) << k << ": " << echelon_last_error(nullptr);
    EXPECT_EQ(ECHELON_OUT_OF_MEMORY, echelon_last_error_status(nullptr)) << k;
    EXPECT_NE(nullptr, std::strstr(echelon_last_error(nullptr), "memory")) << k;
  }
}

TEST(CMemory, AFailureIsAStatusOfEveryCallThatCreates) {
  const auto a = lower_arrays(1);
  echelon_matrix* made = nullptr;
  EXPECT_GT(fail_each([&] {
              echelon_destroy_matrix(made);
              const echelon_status status =
                  echelon_create_matrix(&made, ECHELON_DOUBLE, ECHELON_INT32, 3, a.start.data(),
                                        a.index.data(), a.values.data(), "base=1");
              EXPECT_EQ(status == ECHELON_OK, made != nullptr);
              return status;
            }),
            2);
  const OwnMatrix m(made);
  OwnSolver own;
  const auto creates = [&](const std::function<echelon_status(echelon_solver**)>& create) {
    return fail_each([&] {  // a failed allocation that the call can do without leaves a solver
      echelon_solver* s = nullptr;
      const echelon_status status = create(&s);
      own.reset(s);
      return status;
    });
  };
  EXPECT_GT(creates([&](auto** s) { return echelon_create_triangle(s, m.get(), "cpu.threads=1"); }),
            5);
  EXPECT_GT(
      creates([&](auto** s) { return echelon_create_gauss_seidel(s, m.get(), "cpu.threads=1"); }),
      5);
  const std::vector<double> two(10, 1);
  EXPECT_GT(creates([&](auto** s) {
              return echelon_create_batch(s, m.get(), 2, two.data(), 0, "cpu.threads=1");
            }),
            5);
  const char* const options = "cpu.threads=1,factor.order=natural";
  EXPECT_GT(creates([&](auto** s) { return echelon_create_direct(s, m.get(), "ilu0", options); }),
            5);
  echelon_workspace* w = nullptr;
  EXPECT_GT(fail_each([&] {
              echelon_destroy_workspace(w);
              return echelon_create_workspace(&w, own.get(), "op=t,nrhs=3");
            }),
            1);
  const OwnWorkspace own_workspace(w);
  const double b[9] = {};
  double x[9];
  EXPECT_GE(fail_each([&] { return echelon_solve_in(w, b, x); }), 0);
}

// The solver is whole again after the update that succeeds.
TEST(CMemory, AFailedUpdateCanBeRepeated) {
  const OwnMatrix m = lower_arrays().matrix();
  const OwnSolver s = direct(m, "ilu0", "cpu.threads=1,factor.order=natural");
  EXPECT_GT(fail_each([&] { return echelon_update(s.get(), m.get()); }), 5);
  double x[] = {2, 5, 10};
  EXPECT_EQ(ECHELON_OK, echelon_solve(s.get(), x, x));
  EXPECT_EQ(2, x[2]);
}

TEST(CMemory, ReportsAndTextsNeedNone) {
  const OwnSolver s = triangle(lower_arrays().matrix());
  const char* text = nullptr;
  double number = 0;
  EXPECT_GT(fail_each([&] { return echelon_report(s.get(), &text); }), 0);
  EXPECT_GE(fail_each([&] { return echelon_report_number(s.get(), "levels", &number); }), 0);
  EXPECT_EQ(3, number);
  (void)echelon_solve(s.get(), nullptr, nullptr);
  allocations_left = 0;
  const char* const last = echelon_last_error(s.get());
  allocations_left = -1;
  EXPECT_NE(nullptr, last);
}

}  // namespace

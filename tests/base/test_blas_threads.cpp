// tests/base/test_blas_threads.cpp -- the number of BLAS threads is set and restored.
// SPDX-License-Identifier: BSD-3-Clause
#include <cblas.h>
#include <gtest/gtest.h>

#include <memory>

#include "base/blas_threads.hpp"

namespace echelon {
namespace {

TEST(BlasThreads, AreSetForALifetime) {
  const double x = 3;
  EXPECT_EQ(cblas_ddot(1, &x, 1, &x, 1), 9);  // without a BLAS call the library may not be loaded
  if (blas_threads() == 0) GTEST_SKIP() << "the BLAS of this process is not OpenBLAS";
  const Index before = blas_threads();
  set_blas_threads(2);
  {
    const OneBlasThread one;
    EXPECT_EQ(blas_threads(), 1);
    const BlasThreads as_they_are(0);
    EXPECT_EQ(blas_threads(), 1);
  }
  EXPECT_EQ(blas_threads(), 2);
  set_blas_threads(0);
  EXPECT_EQ(blas_threads(), 2);
  set_blas_threads(before);
}

// The last caller to leave restores the number before the first.
TEST(BlasThreads, OfSeveralCallersAreRestoredOnce) {
  if (blas_threads() == 0) GTEST_SKIP() << "the BLAS is not OpenBLAS";
  const Index before = blas_threads();
  set_blas_threads(2);
  auto one = std::make_unique<BlasThreads>(1), other = std::make_unique<BlasThreads>(1);
  one.reset();
  EXPECT_EQ(blas_threads(), 1);
  other.reset();
  EXPECT_EQ(blas_threads(), 2);
  set_blas_threads(before);
}

}  // namespace
}  // namespace echelon

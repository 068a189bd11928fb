// tests/factor/test_solve_columns.cpp -- sparse right-hand sides of a sparse triangle.
// SPDX-License-Identifier: BSD-3-Clause
#include "dense_factors.hpp"
#include "factor/solve_columns.hpp"

namespace echelon {
namespace {

Csc<double> columns(const char* text) {
  const Csr<double> rows = test::picture<double>(text);
  return to_csc(CsrView<double>(rows));
}

TEST(SparseLowerSolves, ReachWhatTheColumnReaches) {
  const Csc<double> l = columns(R"( 1 . . .
                                    2 1 . .
                                    . . 1 .
                                    3 4 . 1 )");
  const Csc<double> b = columns(R"( 1 . . .
                                    . . . .
                                    . 5 . .
                                    . 1 . . )");
  SparseLowerSolve<double> solve(l);
  Csc<double> x{4, 4, Buffer<Offset>(1, 0), {}, {}};
  for (Index j = 0; j < 4; ++j) {
    solve.append_column(b, j, x);
    x.start.push_back(static_cast<Offset>(x.index.size()));
  }
  EXPECT_EQ(x.start, (Buffer<Offset>{0, 3, 5, 5, 5}));
  const Csr<double> rows = to_csr(CscView<double>(x));
  const test::Dense d = test::dense<double>(rows);
  EXPECT_EQ(d(0, 0), 1.0);
  EXPECT_EQ(d(1, 0), -2.0);
  EXPECT_EQ(d(3, 0), 5.0);  // -3 - 4 * -2
  EXPECT_EQ(d(2, 1), 5.0);
  EXPECT_EQ(d(3, 1), 1.0);
}

}  // namespace
}  // namespace echelon

// examples/04_from_your_arrays.cpp -- arrays you already have: rows or columns, either
// triangle, transposed, unit diagonal; and what an error looks like.
// SPDX-License-Identifier: BSD-3-Clause
//
//   c++ -std=c++20 04_from_your_arrays.cpp $(pkg-config --cflags --libs echelon) -o
//   04_from_your_arrays
//   ./04_from_your_arrays
//   lower: 1 1 0.5
//   upper: 0.625 1.5 1
//   lower^T: 0.5 1 1
//   unit lower: 4 -4 12
//   upper of A^T: 0.5 1 1
//   whole matrix: refused, not_triangular: row 0 has an entry in column 1, outside the lower ...
#include <echelon/echelon.hpp>
#include <iostream>
#include <vector>

using namespace echelon;

void solve_and_print(const char* what, const Triangle<double>& t) {
  const std::vector<double> b{4, 4, 4};
  std::cout << what << ":";
  try {
    for (const double x : Solver(t).solve(b)) std::cout << ' ' << x;
    std::cout << '\n';
  } catch (const Error& error) {
    std::cout << " refused, " << name(error.code()) << ": " << error.what() << '\n';
  }
}

int main() try {
  // [doc
  //   4 1 .     by rows; nothing is copied, so the arrays stay yours
  //   2 2 1     and must live as long as the views are used
  //   . 2 4
  const std::vector<Offset> start{0, 2, 5, 7};
  const std::vector<Index> index{0, 1, 0, 1, 2, 1, 2};
  const std::vector<double> value{4, 1, 2, 2, 1, 2, 4};
  const CsrView<double> a(3, 3, start, index, value);
  const CscView<double> c(3, 3, start, index, value);  // the same arrays by columns: A^T

  solve_and_print("lower", triangle(a, Uplo::lower, {.outside = OutsideEntries::ignore}));
  solve_and_print("upper", triangle(a, Uplo::upper, {.outside = OutsideEntries::ignore}));
  solve_and_print("lower^T", triangle(a, Uplo::lower,
                                      {.op = Op::transpose, .outside = OutsideEntries::ignore}));
  solve_and_print(
      "unit lower",
      triangle(a, Uplo::lower, {.diagonal = Diagonal::unit, .outside = OutsideEntries::ignore}));
  solve_and_print("upper of A^T", triangle(c, Uplo::upper, {.outside = OutsideEntries::ignore}));
  solve_and_print("whole matrix", triangle(a, Uplo::lower));  // by default the rest is an error
  // doc]
} catch (const Error& error) {
  std::cerr << error.what() << '\n';
  return 1;
}

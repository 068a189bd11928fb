// examples/02_many_right_sides.cpp -- several right-hand sides at once, column by column and
// row by row; their number may change from call to call.
// SPDX-License-Identifier: BSD-3-Clause
//
//   c++ -std=c++20 02_many_right_sides.cpp $(pkg-config --cflags --libs echelon) -o
//   02_many_right_sides
//   ./02_many_right_sides
//   1 right-hand sides: x(n-1) of the last is 0.163809
//   3 right-hand sides: x(n-1) of the last is 0.55441
//   20 right-hand sides: x(n-1) of the last is 1.92524
//   both layouts gave the same bits
#include <echelon/echelon.hpp>
#include <iostream>
#include <vector>

using echelon::Index;
using echelon::Layout;
using echelon::Offset;
using echelon::Vectors;

int main() try {
  const auto a = echelon::generate<double>("laplace2d:60x60:9");
  // The recipe gives the whole matrix; its lower triangle is solved with.
  const echelon::Solver solver(echelon::lower(a, {.outside = echelon::OutsideEntries::ignore}));
  const Index n = a.rows;
  bool same = true;
  for (const Index count : {1, 3, 20}) {
    // [doc
    // Column-major: entry i of vector k is at i + k*leading.  4 unused rows at the end.
    const Offset leading = n + 4;
    std::vector<double> columns(leading * count);
    for (Index k = 0; k < count; ++k)
      for (Index i = 0; i < n; ++i) columns[i + k * leading] = i % (k + 2);
    const Vectors<const double> b(columns.data(), n, count, leading);

    // Row-major: entry i of vector k is at i*count + k.  Same numbers.
    std::vector<double> rows(Offset{n} * count);
    for (Index k = 0; k < count; ++k)
      for (Index i = 0; i < n; ++i) rows[Offset{i} * count + k] = i % (k + 2);
    const Vectors<const double> c(rows.data(), n, count, 0, Layout::row_major);

    // In place: x is b.
    solver.solve(b, Vectors<double>(columns.data(), n, count, leading));
    solver.solve(c, Vectors<double>(rows.data(), n, count, 0, Layout::row_major));
    // doc]
    for (Index k = 0; k < count; ++k)
      for (Index i = 0; i < n; ++i)
        same = same && columns[i + k * leading] == rows[Offset{i} * count + k];
    std::cout << count << " right-hand sides: x(n-1) of the last is " << rows.back() << '\n';
  }
  std::cout << (same ? "both layouts gave the same bits\n" : "the layouts differ\n");
  return same ? 0 : 1;
} catch (const echelon::Error& error) {
  std::cerr << error.what() << '\n';
  return 1;
}

// examples/12_batch.cpp -- a thousand triangles of one pattern, solved at once; one of them is
// singular.
// SPDX-License-Identifier: BSD-3-Clause
//
//   c++ -std=c++20 12_batch.cpp $(pkg-config --cflags --libs echelon) -o 12_batch
//   ./12_batch
//   1000 systems, failed: 7
//   x of system 0 and 999: 0.25 0.00025
//   new values, failed: none
#include <echelon/echelon.hpp>
#include <iostream>
#include <vector>

int main() try {
  const auto a = echelon::generate<double>("laplace2d:24x24:5");
  const auto l = echelon::extract_triangle(echelon::CsrView<double>(a), echelon::Uplo::lower);
  constexpr int count = 1000;
  std::vector<double> values;  // those of system 0, then those of system 1, ...
  for (int k = 0; k < count; ++k)
    for (const double v : l.value) values.push_back(v * (k + 1));
  const std::size_t nnz = l.value.size();
  const double diagonal = values[7 * nnz];
  values[7 * nnz] = 0;  // the first diagonal entry of system 7

  // [doc
  echelon::BatchSolver<double> many(echelon::lower(l), count, values);  // one analysis
  const auto print_failed = [&] {
    for (const echelon::Index k : many.failed()) std::cout << ' ' << k;
    std::cout << (many.failed().empty() ? " none\n" : "\n");
  };

  const std::size_t n = static_cast<std::size_t>(l.rows);
  const std::vector<double> b(count * n, 1.0);  // a right-hand side for each, one after the other
  std::vector<double> x(b.size());
  many.solve(b, x);
  std::cout << count << " systems, failed:";
  print_failed();  // their x is NaN; all others are solved
  std::cout << "x of system 0 and " << count - 1 << ": " << x[0] << ' ' << x[(count - 1) * n]
            << '\n';

  values[7 * nnz] = diagonal;
  many.update(values);  // same pattern, new values
  many.solve(b, x);
  many.solve(x, x, {.op = echelon::Op::transpose});  // then L' of each; x may be b
  std::cout << "new values, failed:";
  print_failed();
  // doc]
} catch (const echelon::Error& error) {
  std::cerr << error.what() << '\n';
  return 1;
}

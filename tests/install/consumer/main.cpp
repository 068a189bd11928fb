// tests/install/consumer/main.cpp -- a user's program: solves systems of all scalars, catches an
// error, prints a report and the version.
// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <complex>
#include <iostream>

#include "echelon/echelon.hpp"

namespace {

// Solves L x = L 1, so x is 1.
template <class T>
bool solves() {
  const echelon::Csr<T> l = echelon::generate<T>("bidiagonal:4");
  std::vector<T> b(4);
  for (echelon::Index i = 0; i < 4; ++i)
    for (echelon::Offset p = l.start[i]; p < l.start[i + 1]; ++p) b[i] += l.value[p];
  const echelon::Solver<T> solver(echelon::lower(l));
  std::cout << solver;
  bool right = true;
  for (const T x : solver.solve(b)) right = right && std::abs(x - T(1)) < 1e-5;
  return right;
}

bool catches_error() {
  const auto l = echelon::generate<double>("bidiagonal:4");
  try {
    echelon::Solver<double> solver(echelon::upper(l));
  } catch (const echelon::Error& error) {
    std::cout << name(error.code()) << ": " << error.what() << '\n';
    return error.code() == echelon::ErrorCode::not_triangular;
  }
  return false;
}

}  // namespace

int main() {
  std::cout << "echelon " ECHELON_VERSION "\n";
  const bool right = solves<float>() && solves<double>() && solves<std::complex<float>>() &&
                     solves<std::complex<double>>();
  return right && catches_error() ? 0 : 1;
}

// tests/support/pictures.cpp -- parses matrices drawn as text.
// SPDX-License-Identifier: BSD-3-Clause
#include "support/pictures.hpp"

#include <sstream>
#include <string>

namespace echelon::test {

template <Scalar T>
Csr<T> picture(std::string_view text) {
  Csr<T> a;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    Index j = 0;
    for (std::string word; words >> word; ++j) {
      if (word == ".") continue;
      a.index.push_back(j);
      a.value.push_back(word == "x" ? T(1) : T(static_cast<Real<T>>(std::stod(word))));
    }
    if (j == 0) continue;
    a.cols = j;
    ++a.rows;
    a.start.push_back(static_cast<Offset>(a.index.size()));
  }
  return a;
}

template Csr<float> picture(std::string_view);
template Csr<double> picture(std::string_view);
template Csr<std::complex<float>> picture(std::string_view);
template Csr<std::complex<double>> picture(std::string_view);

}  // namespace echelon::test

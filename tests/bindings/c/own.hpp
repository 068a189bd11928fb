// tests/bindings/c/own.hpp -- handles of the C interface that destroy themselves, and refusals.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include <complex>
#include <memory>
#include <string>
#include <vector>

#include "echelon.h"

namespace echelon::test {

struct Destroy {
  void operator()(echelon_matrix* m) const { echelon_destroy_matrix(m); }
  void operator()(echelon_solver* s) const { echelon_destroy(s); }
  void operator()(echelon_workspace* w) const { echelon_destroy_workspace(w); }
};
using OwnSolver = std::unique_ptr<echelon_solver, Destroy>;
using OwnWorkspace = std::unique_ptr<echelon_workspace, Destroy>;

// With the arrays it lies in.
class OwnMatrix {
 public:
  explicit OwnMatrix(echelon_matrix* m, std::shared_ptr<const void> arrays = nullptr)
      : arrays_(std::move(arrays)), matrix_(m) {}
  echelon_matrix* get() const { return matrix_.get(); }

 private:
  std::shared_ptr<const void> arrays_;
  std::unique_ptr<echelon_matrix, Destroy> matrix_;
};

template <class T>
constexpr echelon_type c_type() {
  if constexpr (std::is_same_v<T, float>) return ECHELON_FLOAT;
  if constexpr (std::is_same_v<T, double>) return ECHELON_DOUBLE;
  if constexpr (std::is_same_v<T, std::complex<float>>) return ECHELON_COMPLEX_FLOAT;
  return ECHELON_COMPLEX_DOUBLE;
}
template <class Start, class Number>
constexpr echelon_index_type c_index_type() {
  if constexpr (sizeof(Number) == 8) return ECHELON_INT64;
  return sizeof(Start) == 8 ? ECHELON_INT64_INT32 : ECHELON_INT32;
}

// Arrays of a matrix, as a program has them.
template <class T, class Start = std::int32_t, class Number = std::int32_t>
struct ArraysOf {
  std::vector<Start> start;
  std::vector<Number> index;
  std::vector<T> values;

  std::int64_t n() const { return static_cast<std::int64_t>(start.size()) - 1; }
  OwnMatrix matrix(const char* how = nullptr) const {
    const auto own = std::make_shared<const ArraysOf>(*this);
    echelon_matrix* m = nullptr;
    EXPECT_EQ(ECHELON_OK,
              echelon_create_matrix(&m, c_type<T>(), c_index_type<Start, Number>(), n(),
                                    own->start.data(), own->index.data(), own->values.data(), how))
        << echelon_last_error(nullptr);
    return OwnMatrix(m, own);
  }
};

//  2 . .      by rows; L x = (2, 5, 10) has x = (1, 2, 2)
//  1 2 .
//  . 2 3
template <class T = double, class Start = std::int32_t, class Number = std::int32_t>
ArraysOf<T, Start, Number> lower_arrays(int base = 0) {
  ArraysOf<T, Start, Number> a{{0, 1, 3, 5}, {0, 0, 1, 1, 2}, {2, 1, 2, 2, 3}};
  for (auto& k : a.start) k += static_cast<Start>(base);
  for (auto& k : a.index) k += static_cast<Number>(base);
  return a;
}

// The whole matrix tridiag(-1, 4, -1): factors exist for every package.
inline ArraysOf<double> chain_arrays(int n) {
  ArraysOf<double> a{{0}, {}, {}};
  for (int i = 0; i < n; ++i) {
    for (int j = std::max(0, i - 1); j <= std::min(n - 1, i + 1); ++j) {
      a.index.push_back(j);
      a.values.push_back(i == j ? 4 : -1);
    }
    a.start.push_back(static_cast<int>(a.index.size()));
  }
  return a;
}

inline OwnSolver triangle(const OwnMatrix& m, const char* options = nullptr) {
  echelon_solver* s = nullptr;
  EXPECT_EQ(ECHELON_OK, echelon_create_triangle(&s, m.get(), options))
      << echelon_last_error(nullptr);
  return OwnSolver(s);
}
inline OwnSolver direct(const OwnMatrix& m, const char* package, const char* options = nullptr) {
  echelon_solver* s = nullptr;
  EXPECT_EQ(ECHELON_OK, echelon_create_direct(&s, m.get(), package, options))
      << echelon_last_error(nullptr);
  return OwnSolver(s);
}
inline OwnSolver gauss_seidel(const OwnMatrix& m, const char* options = nullptr) {
  echelon_solver* s = nullptr;
  EXPECT_EQ(ECHELON_OK, echelon_create_gauss_seidel(&s, m.get(), options))
      << echelon_last_error(nullptr);
  return OwnSolver(s);
}
inline OwnWorkspace workspace(const OwnSolver& s, const char* settings = nullptr) {
  echelon_workspace* w = nullptr;
  EXPECT_EQ(ECHELON_OK, echelon_create_workspace(&w, s.get(), settings))
      << echelon_last_error(nullptr);
  return OwnWorkspace(w);
}

// The call failed with this status, and the text of `solver` (null: of this thread) has the words.
inline void expect_refused(echelon_status expected, echelon_status got, const std::string& words,
                           const echelon_solver* solver = nullptr) {
  EXPECT_EQ(expected, got);
  EXPECT_EQ(expected, echelon_last_error_status(solver));
  const std::string text = echelon_last_error(solver);
  EXPECT_NE(std::string::npos, text.find(words)) << "the text is: " << text;
}

}  // namespace echelon::test

// tests/sequence/problem.hpp -- the matrices of a sequence: one pattern per problem of a setting,
// with any number of sets of values.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>

#include "sequence/call.hpp"
#include "sequence/system.hpp"
#include "support/pictures.hpp"
#include "support/reference_solve.hpp"

namespace echelon::test {

// A number between -1 and 1 for each key, the same on every machine (splitmix64).
inline double hashed(std::uint64_t key) {
  key += 0x9e3779b97f4a7c15u;
  key = (key ^ key >> 30) * 0xbf58476d1ce4e5b9u;
  key = (key ^ key >> 27) * 0x94d049bb133111ebu;
  key ^= key >> 31;
  return std::ldexp(static_cast<double>(key >> 11), -52) - 1;
}
inline std::uint64_t key_of(std::uint64_t a, std::uint64_t b, std::uint64_t c = 0) {
  return (a * 0x100000001b3u ^ b) * 0x100000001b3u ^ c;
}

// Unknowns of a problem: the second one is smaller.
inline Index size_of(const Setting& s, Index problem) { return problem == 0 ? s.n : (s.n + 1) / 2; }

// Columns below the diagonal, by row, sorted.
std::vector<std::vector<Index>> lower_places(const Setting& s, Index problem);

// The version with a row so small that 1/d overflows, for methods that handle this.
constexpr unsigned tiny_version = 3;

enum class Values { general, hermitian };

// A square matrix with entries on both sides of an on average dominant diagonal; for a unit
// triangle the entries are small.  Hermitian matrices are positive definite.
template <Scalar T>
Csr<T> make_matrix(const Setting& s, Index problem, unsigned version, Values values) {
  const auto below = lower_places(s, problem);
  const auto n = static_cast<Index>(below.size());
  Coo<T> coo{n, n, {}, {}, {}};
  std::vector<Index> size(below.size(), 1);
  Index most = 1;
  for (Index i = 0; i < n; ++i)
    for (const Index j : below[i]) most = std::max({most, ++size[i], ++size[j]});
  const double scale = s.diagonal == Diagonal::unit ? 1.0 / most : 1;
  const auto draw = [&](Index i, Index j) {
    const auto key = key_of(1000 + version, static_cast<unsigned>(i), static_cast<unsigned>(j));
    return number<T>(scale * hashed(key), scale * hashed(~key));
  };
  const auto add = [&](Index i, Index j, T v) {
    coo.row.push_back(i);
    coo.col.push_back(j);
    coo.value.push_back(v);
  };
  for (Index i = 0; i < n; ++i) {
    for (const Index j : below[i]) {
      const T v = draw(i, j);
      add(i, j, v);
      if constexpr (is_complex<T>)
        add(j, i, values == Values::hermitian ? std::conj(v) : draw(j, i));
      else
        add(j, i, values == Values::hermitian ? v : draw(j, i));
    }
    const double d = values == Values::hermitian ? 1.5 * size[i] : 1 + size[i] / 2.0;
    add(i, i, number<T>(d, values == Values::hermitian ? 0 : 0.5));
  }
  return to_csr(coo);
}

// A factor so small that 1/d overflows for a diagonal entry below 2^5.
template <Scalar T>
Real<T> tiny_weight() {
  return std::ldexp(Real<T>(1), std::numeric_limits<Real<T>>::min_exponent - 8);
}
// Multiplies row i of op(a) by that factor.
template <Scalar T>
void make_row_tiny(Csr<T>& a, Op op, Index i) {
  for (Index row = 0; row < a.rows; ++row)
    for (Offset p = a.start[row]; p < a.start[row + 1]; ++p)
      if ((op == Op::none ? row : a.index[p]) == i) a.value[p] *= tiny_weight<T>();
}

template <Scalar T>
Wide widened(T v) {
  if constexpr (is_complex<T>)
    return {v.real(), v.imag()};
  else
    return {v, 0};
}

template <Scalar T>
WideVector widened(const std::vector<T>& v) {
  WideVector wide;
  for (const T& a : v) wide.push_back(widened(a));
  return wide;
}

// A matrix and one of its triangles, by the setting.
template <Scalar T>
struct StoredTriangle {
  Csr<T> rows;
  Csc<T> columns;
  Triangle<T> triangle;
};
// `tiny`: the row to make tiny, or -1.
template <Scalar T>
std::unique_ptr<StoredTriangle<T>> store_triangle(const Setting& s, Index problem, unsigned version,
                                                  Index tiny = -1) {
  auto stored = std::make_unique<StoredTriangle<T>>();
  stored->rows = make_matrix<T>(s, problem, version, Values::general);
  if (tiny >= 0) make_row_tiny(stored->rows, s.op, tiny);
  stored->columns = to_csc(CsrView<T>(stored->rows));
  const TriangleOptions o{s.op, s.diagonal, OutsideEntries::ignore};
  stored->triangle = s.order == Order::rows ? triangle(CsrView<T>(stored->rows), s.uplo, o)
                                            : triangle(CscView<T>(stored->columns), s.uplo, o);
  return stored;
}
template <Scalar T>
SparseFactor factor_of(const Triangle<T>& t) {
  SparseFactor f;
  for (const auto& row : rows_of(t)) {
    f.rows.emplace_back();
    for (const auto& [j, value] : row) f.rows.back().push_back({j, widened(value)});
  }
  return f;
}
// The tiny row of this version, for methods that divide by d where 1/d overflows; panel methods do
// not, since their inverses overflow.
inline Index tiny_row_of(const Setting& s, Index problem, unsigned version) {
  const Index n = size_of(s, problem);
  const bool panels = is_supernodal(s.method) || s.kind == Kind::ranks || s.kind == Kind::shares ||
                      s.kind == Kind::tiles ||
                      (s.method == Method::automatic && s.backend == Backend::cuda);
  const bool can = s.diagonal == Diagonal::stored && n > 0 && !panels;
  return version == tiny_version && can ? n / 3 : -1;
}

// Whether each row's residual is small: not if x comes from products with inverses.
inline bool is_by_substitution(Method method) {
  if (method == Method::invert_full) return false;
  return !is_supernodal(method) || recipe_of(method).form == BlockForm::triangle;
}

// The factors alpha, by the number in a call.
template <Scalar T>
T alpha_of(const Call& call) {
  return number<T>(alphas[call.alpha].real(), alphas[call.alpha].imag());
}

}  // namespace echelon::test

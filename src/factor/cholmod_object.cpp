// factor/cholmod_object.cpp -- presents a cholmod_factor as Factors.
// SPDX-License-Identifier: BSD-3-Clause
//
// CHOLMOD stores a supernodal factor in panels with rising rows, its own columns first.  It stores
// a simplicial factor in sorted columns, which may lie in any order; each begins with the diagonal
// entry of L, or with that of D.
#include "factor/cholmod_object.hpp"

#include <algorithm>
#include <limits>

#include "base/instantiate.hpp"
#include "base/out_of_memory.hpp"
#include "factor/exact_supernodes.hpp"

namespace echelon {
namespace {

template <class T>
using Wide = std::conditional_t<is_complex<T>, std::complex<double>, double>;

[[noreturn]] void refuse(const char* text) {
  throw Error(ErrorCode::bad_argument, std::string("load_cholmod: ") + text);
}

template <class T>
void check_form(const cholmod_factor& l) {
  if (l.itype != CHOLMOD_INT && l.itype != CHOLMOD_LONG)
    refuse("the factor's indices are neither int nor long");
  if (l.n > static_cast<std::size_t>(std::numeric_limits<Index>::max()))
    refuse("the factor has more rows than 32-bit indices can count");
  if (l.dtype != CHOLMOD_DOUBLE) refuse("the factor is not of double precision");
  if (l.xtype == CHOLMOD_PATTERN) refuse("the factor is symbolic only");
  if (l.xtype == CHOLMOD_ZOMPLEX)
    refuse("real and imaginary parts are kept apart; call cholmod_change_factor for xtype COMPLEX");
  if (l.xtype != (is_complex<T> ? CHOLMOD_COMPLEX : CHOLMOD_REAL))
    refuse(is_complex<T> ? "the factor is not complex" : "the factor is not real");
  if (l.minor < l.n) refuse("the factor is of a failed factorization");
}

template <class Out, class In>
Out copy_of(const void* array, std::size_t count) {
  const auto* const in = static_cast<const In*>(array);
  Out out;
  out.reserve(count);
  for (std::size_t k = 0; k < count; ++k)
    out.push_back(static_cast<typename Out::value_type>(in[k]));
  return out;
}

// `Number` is the type of the factor's indices: int, or Offset for long.
template <class Number, class T>
void see_panels(const cholmod_factor& l, Index threads, Factors<T>& f) {
  Panels<T>& panels = f.lower.panels;
  panels.first = copy_of<Buffer<Index>, Number>(l.super, l.nsuper + 1);
  panels.row_start = copy_of<Buffer<Offset>, Number>(l.pi, l.nsuper + 1);
  panels.row = copy_of<Buffer<Index>, Number>(l.s, l.ssize);
  panels.value_start = copy_of<Buffer<Offset>, Number>(l.px, l.nsuper);
  const auto* const value = static_cast<const Wide<T>*>(l.x);
  if constexpr (std::same_as<T, Wide<T>>) {
    panels.value = {value, l.xsize};
  } else {
    auto rounded = std::make_shared<Buffer<T>>(l.xsize);
    std::transform(value, value + l.xsize, rounded->begin(), [](Wide<T> v) { return T(v); });
    panels.value = *rounded;
    f.owner = rounded;
  }
  ExactSupernodes exact = find_exact_supernodes(panels, threads);
  f.lower.supernodes = std::move(exact.supernodes);
  f.lower.nonzeros = exact.nonzeros;
}

// In LDL', the first entry of each column is that of D.
template <class Number, class T>
void see_columns(const cholmod_factor& l, Factors<T>& f) {
  const auto* const start = static_cast<const Number*>(l.p);
  const auto* const count = static_cast<const Number*>(l.nz);
  const auto* const row = static_cast<const Number*>(l.i);
  const auto* const value = static_cast<const Wide<T>*>(l.x);
  const Number skipped = l.is_ll ? 0 : 1;
  Csc<T>& columns = f.lower.columns;
  columns.rows = columns.cols = f.n;
  columns.start.reserve(l.n + 1);
  for (Index j = 0; j < f.n; ++j) columns.start.push_back(columns.start[j] + count[j] - skipped);
  columns.index.reserve(static_cast<std::size_t>(columns.nonzeros()));
  columns.value.reserve(static_cast<std::size_t>(columns.nonzeros()));
  for (Index j = 0; j < f.n; ++j) {
    if (!l.is_ll) f.diagonal.push_back(T(value[start[j]]));
    for (Number p = start[j] + skipped; p < start[j] + count[j]; ++p) {
      columns.index.push_back(static_cast<Index>(row[p]));
      columns.value.push_back(T(value[p]));
    }
  }
  f.lower.unit_diagonal = !l.is_ll;
  f.lower.nonzeros = columns.nonzeros() + (l.is_ll ? 0 : f.n);
}

const char* ordering_of(const cholmod_factor& l, const std::vector<Index>& order) {
  switch (l.ordering) {
    case CHOLMOD_GIVEN:
      return "given";
    case CHOLMOD_AMD:
      return "amd";
    case CHOLMOD_METIS:
      return "metis";
    case CHOLMOD_NESDIS:
      return "nesdis";
    case CHOLMOD_COLAMD:
      return "colamd";
    default:
      return std::is_sorted(order.begin(), order.end()) ? "natural" : "postorder";
  }
}

template <class Number, class T>
Factors<T> see(const cholmod_factor& l, Index threads) {
  Factors<T> f;
  f.n = static_cast<Index>(l.n);
  f.package = "cholmod";
  f.symmetric = true;
  f.kind = std::string(l.is_ll ? "LL'" : "LDL'") + (l.is_super ? " supernodal" : " simplicial");
  f.row_order =
      copy_of<std::vector<Index>, Number>(l.Perm, l.n);  // (P A P')(i,j) = A(Perm i, Perm j)
  f.col_order = f.row_order;
  f.ordering = ordering_of(l, f.row_order);
  if (l.is_super)
    see_panels<Number>(l, threads, f);
  else
    see_columns<Number>(l, f);
  return f;
}

}  // namespace

template <Scalar T>
Factors<T> see_cholmod(const cholmod_factor& l, Index threads) {
  check_form<T>(l);
  if (l.itype == CHOLMOD_INT) return see<int, T>(l, threads);
  return see<Offset, T>(l, threads);
}

template <Scalar T>
Factors<T> load_cholmod(const void* cholmod_factor_) {
  if (cholmod_factor_ == nullptr) refuse("the factor is a null pointer");
  const auto& l = *static_cast<const cholmod_factor*>(cholmod_factor_);
  return report_bad_alloc("factors", [&] { return see_cholmod<T>(l, 0); });
}

#define ECHELON_INSTANTIATE(T)                                      \
  template Factors<T> see_cholmod<T>(const cholmod_factor&, Index); \
  template Factors<T> load_cholmod<T>(const void*);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon

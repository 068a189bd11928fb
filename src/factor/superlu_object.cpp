// factor/superlu_object.cpp -- presents SuperLU's L and U as Factors.
// SPDX-License-Identifier: BSD-3-Clause
//
// SuperLU stores L in panels.  The first rows of a panel are its own columns, in order; the others
// follow in any order.  In the diagonal block, the strict lower half is L, which has a unit
// diagonal, and the upper half with the diagonal belongs to U.  The other entries of U are stored
// by columns.
#include "factor/superlu_object.hpp"

#include "base/instantiate.hpp"
#include "base/out_of_memory.hpp"
#include "factor/exact_supernodes.hpp"
#include "factor/upper_rows.hpp"

namespace echelon {
namespace {

[[noreturn]] void refuse(const std::string& text) {
  throw Error(ErrorCode::bad_argument, "load_superlu: " + text);
}

template <class T>
void check_form(const SuperMatrix& l, const SuperMatrix& u) {
  if (l.Stype != SLU_SC || l.Mtype != SLU_TRLU)
    refuse("L is not stored by supernodes (SLU_SC) with a unit diagonal (SLU_TRLU)");
  if (u.Stype != SLU_NC || u.Mtype != SLU_TRU)
    refuse("U is not stored by columns (SLU_NC) as an upper triangle (SLU_TRU)");
  if (l.Dtype != SuperluCalls<T>::type || u.Dtype != SuperluCalls<T>::type)
    refuse("L and U do not have the requested precision");
  if (l.nrow != l.ncol || u.nrow != u.ncol || l.nrow != u.nrow)
    refuse("L and U are not square, or differ in size");
}

template <class T>
Panels<T> see_panels(const SuperMatrix& l) {
  const auto& store = *static_cast<const SCformat*>(l.Store);
  const auto n = static_cast<Index>(l.ncol);
  const auto count = static_cast<Index>(n == 0 ? 0 : store.nsuper + 1);
  Panels<T> panels;
  panels.unit_diagonal = true;
  panels.first.assign(store.sup_to_col, store.sup_to_col + count + 1);
  panels.row_start.assign(1, 0);
  for (Index s = 0; s < count; ++s) {
    const int first = store.sup_to_col[s];
    const int begin = store.rowind_colptr[first], end = store.rowind_colptr[first + 1];
    panels.row.insert(panels.row.end(), store.rowind + begin, store.rowind + end);
    panels.row_start.push_back(static_cast<Offset>(panels.row.size()));
    panels.value_start.push_back(store.nzval_colptr[first]);
  }
  panels.value = {static_cast<const T*>(store.nzval),
                  static_cast<std::size_t>(n == 0 ? 0 : store.nzval_colptr[n])};
  return panels;
}

template <class T>
UpperColumns<T> see_columns(const SuperMatrix& u) {
  const auto& store = *static_cast<const NCformat*>(u.Store);
  const auto n = static_cast<std::size_t>(u.ncol);
  const auto nonzeros = static_cast<std::size_t>(store.colptr[n]);
  return {{store.colptr, n + 1},
          {store.rowind, nonzeros},
          {static_cast<const T*>(store.nzval), nonzeros}};
}

std::vector<Index> inverse(std::span<const int> order) {
  std::vector<Index> result(order.size(), -1);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const int k = order[i];
    if (k < 0 || static_cast<std::size_t>(k) >= order.size() || result[k] >= 0)
      refuse("entry " + std::to_string(i) + " of a permutation is " + std::to_string(k) +
             ", out of range or given twice");
    result[k] = static_cast<Index>(i);
  }
  return result;
}

}  // namespace

template <Scalar T>
Factors<T> see_superlu(const SuperluObject& o, Index threads) {
  check_form<T>(o.l, o.u);
  Factors<T> f;
  f.n = static_cast<Index>(o.l.nrow);
  f.package = "superlu";
  f.kind = "LU";
  f.row_order = inverse(o.perm_r);
  f.col_order = inverse(o.perm_c);
  f.lower.panels = see_panels<T>(o.l);
  ExactSupernodes exact = find_exact_supernodes(f.lower.panels, threads);
  f.lower.supernodes = std::move(exact.supernodes);
  f.lower.nonzeros = exact.nonzeros;
  f.upper.columns = gather_upper_rows(f.lower.panels, see_columns<T>(o.u), threads);
  f.upper.nonzeros = f.upper.columns.nonzeros();
  return f;
}

template <Scalar T>
Factors<T> load_superlu(const void* lower, const void* upper, const int* perm_r,
                        const int* perm_c) {
  if (lower == nullptr || upper == nullptr || perm_r == nullptr || perm_c == nullptr)
    refuse("L, U and both permutations must be given");
  const auto& l = *static_cast<const SuperMatrix*>(lower);
  const auto n = static_cast<std::size_t>(l.nrow);
  return report_bad_alloc("factors", [&] {
    Factors<T> f =
        see_superlu<T>({l, *static_cast<const SuperMatrix*>(upper), {perm_r, n}, {perm_c, n}}, 0);
    f.ordering = "given";
    return f;
  });
}

#define ECHELON_INSTANTIATE(T)                                     \
  template Factors<T> see_superlu<T>(const SuperluObject&, Index); \
  template Factors<T> load_superlu<T>(const void*, const void*, const int*, const int*);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon

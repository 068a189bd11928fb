// numeric/fill_panel.cpp -- the values of one panel, from compressed lists or from the panels of
// a factorization.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <string>

#include "base/conjugate.hpp"
#include "base/instantiate.hpp"
#include "echelon/numeric.hpp"
#include "numeric/diagonal_of.hpp"

namespace echelon {
namespace {

// where[i]: the row of panel s that position i is.
void place_rows(const Supernodes& s, Index t, Index* where) {
  const Index w = s.width(t);
  for (Index j = 0; j < w; ++j) where[s.first[t] + j] = j;
  Index row = w;
  for (const Index i : s.rows(t)) where[i] = row++;
}

template <class T>
void clear_panel(const Supernodes& s, Index t, T* panel, Offset ld) {
  for (Index j = 0; j < s.width(t); ++j) std::fill_n(panel + j * ld + j, ld - j, T(0));
}

[[noreturn]] void refuse_entry(Index i, Index j) {
  throw Error(ErrorCode::bad_argument, "the factor has a new entry in row " + std::to_string(i) +
                                           ", column " + std::to_string(j) +
                                           ": its pattern is not the one that was analyzed");
}

// Copies the columns of s that lie in panel p of the factor.  Rows the plan leaves out held
// zeros when it was made; they must still.
template <class T>
void copy_panel(const Supernodes& s, Index t, const Panels<T>& from, Index p, T* panel, Offset ld,
                Index* where) {
  const Index rows = from.rows(p), first = from.first[p];
  const Index begin = std::max(s.first[t], first),
              end = std::min(s.first[t + 1], from.first[p + 1]);
  const auto mine = s.rows(t);
  Index* const target = where + s.n;  // the second half
  for (Index k = 0; k < rows; ++k) {
    const Index i = from.row[from.row_start[p] + k];
    const bool inside =
        (i >= s.first[t] && i < s.first[t + 1]) || std::binary_search(mine.begin(), mine.end(), i);
    target[k] = inside ? where[i] : -1;
  }
  for (Index j = begin; j < end; ++j) {
    const T* const column = from.value.data() + from.value_start[p] + Offset{j - first} * rows;
    T* const out = panel + Offset{j - s.first[t]} * ld;
    for (Index k = j - first; k < rows; ++k)
      if (target[k] >= 0)
        out[target[k]] = column[k];
      else if (column[k] != T(0))
        refuse_entry(from.row[from.row_start[p] + k], j);
    if (from.unit_diagonal) out[j - s.first[t]] = T(1);
  }
}

template <class T>
void fill_from_panels(const Supernodes& s, Index t, const Panels<T>& from, T* panel, Offset ld,
                      Index* where) {
  Index p = static_cast<Index>(std::upper_bound(from.first.begin(), from.first.end(), s.first[t]) -
                               from.first.begin() - 1);
  for (; p < from.count() && from.first[p] < s.first[t + 1]; ++p)
    copy_panel(s, t, from, p, panel, ld, where);
}

// True if position i is a row of panel t: `where` may hold what panels before left there.
bool is_row(const Supernodes& s, Index t, Index i, const Index* where) {
  if (i < s.first[t + 1]) return i >= s.first[t];
  const Offset k = Offset{where[i]} - s.width(t);
  return k >= 0 && k < s.height(t) && s.rows(t)[static_cast<std::size_t>(k)] == i;
}

template <class T>
void fill_from_columns(const Supernodes& s, Index t, const FactorTriangle<T>& factor, T* panel,
                       Offset ld, const Index* where) {
  const Csc<T>& a = factor.columns;
  for (Index j = 0; j < s.width(t); ++j) {
    T* const out = panel + j * ld;
    const Index column = s.first[t] + j;
    if (factor.unit_diagonal) out[j] = T(1);
    for (Offset p = a.start[column]; p < a.start[column + 1]; ++p) {
      const Index i = a.index[p];
      if (!is_row(s, t, i, where)) refuse_entry(i, column);
      out[where[i]] += a.value[p];
    }
  }
}

}  // namespace

template <Scalar T>
FillPanel<T> fill_from_lists(const BlockPlan& plan, const PackedPattern& pattern,
                             std::span<const T> stored, bool conjugated) {
  return [&plan, &pattern, stored, conjugated](Index t, T* panel, Offset ld, Index* where) {
    const Supernodes& s = plan.supernodes;
    place_rows(s, t, where);
    clear_panel(s, t, panel, ld);
    for (Index j = 0; j < s.width(t); ++j) {
      T* const out = panel + j * ld;
      const Index k = s.first[t] + j, unknown = plan.unknown(k);
      Offset source = pattern.source[unknown];
      for (Offset p = pattern.start[k]; p < pattern.start[k + 1]; ++p, ++source) {
        const Offset place = pattern.from.empty() ? source : pattern.from[source];
        out[where[plan.unknown(pattern.index[p])]] += conjugate_if(conjugated, stored[place]);
      }
      out[j] = pattern.diagonal.empty()
                   ? T(1)
                   : conjugate_if(conjugated, diagonal_of(pattern, stored, unknown));
    }
  };
}

template <Scalar T>
FillPanel<T> fill_from_factor(const BlockPlan& plan, const FactorTriangle<T>& factor) {
  return [&plan, &factor](Index t, T* panel, Offset ld, Index* where) {
    const Supernodes& s = plan.supernodes;
    place_rows(s, t, where);
    clear_panel(s, t, panel, ld);
    if (factor.in_panels())
      fill_from_panels(s, t, factor.panels, panel, ld, where);
    else
      fill_from_columns(s, t, factor, panel, ld, where);
  };
}

#define ECHELON_INSTANTIATE(T)                                                  \
  template FillPanel<T> fill_from_lists(const BlockPlan&, const PackedPattern&, \
                                        std::span<const T>, bool);              \
  template FillPanel<T> fill_from_factor(const BlockPlan&, const FactorTriangle<T>&);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon

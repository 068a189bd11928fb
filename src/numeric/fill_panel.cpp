// numeric/fill_panel.cpp -- fills one panel with values from compressed lists or from the panels of
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

// Sets where[i] to the row of panel t that holds position i.
void place_rows(const Supernodes& s, Index t, Index* where) {
  const Index w = s.width(t);
  for (Index j = 0; j < w; ++j) where[s.first[t] + j] = j;
  Index row = w;
  for (const Index i : s.rows(t)) where[i] = row++;
}

// A range of columns of a panel.
struct Part {
  const Supernodes& s;
  Index t;
  Index from, to;  // columns of the panel

  Index first() const { return s.first[t] + from; }  // positions
  Index last() const { return s.first[t] + to; }
};

// True if position i is a row of the panel; `where` may hold entries of earlier panels.
bool is_row(const Part& part, Index i, const Index* where) {
  const Supernodes& s = part.s;
  if (i < s.first[part.t + 1]) return i >= s.first[part.t];
  const Offset k = Offset{where[i]} - s.width(part.t);
  return k >= 0 && k < s.height(part.t) && s.rows(part.t)[static_cast<std::size_t>(k)] == i;
}

template <class T>
void clear(const Part& part, T* columns, Offset ld) {
  for (Index j = part.from; j < part.to; ++j)
    std::fill_n(columns + (j - part.from) * ld + j, ld - j, T(0));
}

[[noreturn]] void refuse_entry(Index i, Index j) {
  throw Error(ErrorCode::bad_argument, "the factor has a new entry in row " + std::to_string(i) +
                                           ", column " + std::to_string(j) +
                                           ": its pattern is not the one that was analyzed");
}

// Copies the columns that lie in panel p of the factor.  Rows that the plan omits were zero at
// analysis; throws if they no longer are.
template <class T>
void copy_panel(const Part& part, const Panels<T>& from, Index p, T* columns, Offset ld,
                Index* where) {
  const Index rows = from.rows(p), first = from.first[p];
  const Index begin = std::max(part.first(), first), end = std::min(part.last(), from.first[p + 1]);
  Index* const target = where + part.s.n;  // the second half
  for (Index k = begin - first; k < rows; ++k) {
    const Index i = from.row[from.row_start[p] + k];
    target[k] = is_row(part, i, where) ? where[i] : -1;
  }
  for (Index j = begin; j < end; ++j) {
    const T* const column = from.value.data() + from.value_start[p] + Offset{j - first} * rows;
    T* const out = columns + Offset{j - part.first()} * ld;
    for (Index k = j - first; k < rows; ++k)
      if (target[k] >= 0)
        out[target[k]] = column[k];
      else if (column[k] != T(0))
        refuse_entry(from.row[from.row_start[p] + k], j);
    if (from.unit_diagonal) out[j - part.s.first[part.t]] = T(1);
  }
}

template <class T>
void fill_from_panels(const Part& part, const Panels<T>& from, T* columns, Offset ld,
                      Index* where) {
  Index p =
      static_cast<Index>(std::upper_bound(from.first.begin(), from.first.end(), part.first()) -
                         from.first.begin() - 1);
  for (; p < from.count() && from.first[p] < part.last(); ++p)
    copy_panel(part, from, p, columns, ld, where);
}

template <class T>
void fill_from_columns(const Part& part, const FactorTriangle<T>& factor, T* columns, Offset ld,
                       const Index* where) {
  const Csc<T>& a = factor.columns;
  for (Index j = part.from; j < part.to; ++j) {
    T* const out = columns + (j - part.from) * ld;
    const Index column = part.s.first[part.t] + j;
    if (factor.unit_diagonal) out[j] = T(1);
    for (Offset p = a.start[column]; p < a.start[column + 1]; ++p) {
      const Index i = a.index[p];
      if (!is_row(part, i, where)) refuse_entry(i, column);
      out[where[i]] += a.value[p];
    }
  }
}

}  // namespace

template <Scalar T>
FillPanel<T> fill_from_lists(const BlockPlan& plan, const PackedPattern& pattern,
                             std::span<const T> stored, bool conjugated) {
  return [&plan, &pattern, stored, conjugated](Index t, Index from, Index to, T* columns, Offset ld,
                                               Index* where) {
    const Supernodes& s = plan.supernodes;
    place_rows(s, t, where);
    clear({s, t, from, to}, columns, ld);
    for (Index j = from; j < to; ++j) {
      T* const out = columns + (j - from) * ld;
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
  return [&plan, &factor](Index t, Index from, Index to, T* columns, Offset ld, Index* where) {
    const Part part{plan.supernodes, t, from, to};
    place_rows(plan.supernodes, t, where);
    clear(part, columns, ld);
    if (factor.in_panels())
      fill_from_panels(part, factor.panels, columns, ld, where);
    else
      fill_from_columns(part, factor, columns, ld, where);
  };
}

#define ECHELON_INSTANTIATE(T)                                                  \
  template FillPanel<T> fill_from_lists(const BlockPlan&, const PackedPattern&, \
                                        std::span<const T>, bool);              \
  template FillPanel<T> fill_from_factor(const BlockPlan&, const FactorTriangle<T>&);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon

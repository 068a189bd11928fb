// numeric/pack_values.cpp -- copies stored values into packed order and checks them.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  The diagonal is stored as its reciprocal: a division costs more than the rest of a
// sparse row.  x = s * (1/d) is as backward stable as s / d (two roundings instead of one) if 1/d
// neither overflows nor underflows; if any would, all unknowns divide.
#include <algorithm>
#include <atomic>
#include <string>

#include "base/instantiate.hpp"
#include "base/invertible.hpp"
#include "base/number.hpp"
#include "base/parallel.hpp"
#include "echelon/numeric.hpp"
#include "numeric/diagonal_of.hpp"

namespace echelon {
namespace {

constexpr Offset value_grain = 1 << 13;

[[noreturn]] void refuse_value(const PackedPattern& pattern, Index k, Offset p) {
  const Index a = pattern.order[k], b = p < 0 ? a : pattern.index[p];
  const bool by_rows = (pattern.lists == Order::rows) != pattern.transposed;
  throw Error(ErrorCode::not_finite, "the entry in row " + std::to_string(by_rows ? a : b) +
                                         ", column " + std::to_string(by_rows ? b : a) +
                                         " is not finite");
}

// Copies the entries of position k; throws if one is not finite.  One sum tests all of them: 0*v is
// 0 for a finite v, NaN otherwise.
template <class T>
void pack_list(const PackedPattern& pattern, std::span<const T> stored, bool conjugated, Index k,
               PackedValues<T>& out) {
  T probe{};
  Offset source = pattern.source[pattern.order[k]];
  for (Offset p = pattern.start[k]; p < pattern.start[k + 1]; ++p, ++source) {
    const Offset place = pattern.from.empty() ? source : pattern.from[source];
    const T v = conjugate_if(conjugated, stored[place]);
    out.value[p] = v;
    probe += v * Real<T>(0);
  }
  if (is_finite(probe)) return;
  for (Offset p = pattern.start[k]; p < pattern.start[k + 1]; ++p)
    if (!is_finite(out.value[p])) refuse_value(pattern, k, p);
}

// Stores the k-th diagonal entry unchanged; returns whether its reciprocal can be used.
template <class T>
bool pack_diagonal(const PackedPattern& pattern, std::span<const T> stored, bool conjugated,
                   Index k, PackedValues<T>& out) {
  const T d = conjugate_if(conjugated, diagonal_of(pattern, stored, pattern.order[k]));
  if (!is_finite(d)) refuse_value(pattern, k, -1);
  if (d == T(0))
    throw Error(ErrorCode::zero_diagonal,
                "the diagonal entry of row " + std::to_string(pattern.order[k]) + " is zero");
  out.diagonal[k] = d;
  return invertible(d);
}

}  // namespace

template <Scalar T>
void pack_values(const PackedPattern& pattern, std::span<const T> stored, Offset stored_count,
                 bool conjugated, PackedValues<T>& out, Index threads) {
  if (static_cast<Offset>(stored.size()) != stored_count)
    throw Error(ErrorCode::bad_argument, "there are " + std::to_string(stored.size()) +
                                             " values for a pattern with " +
                                             std::to_string(stored_count) + " entries");
  out.value.resize(pattern.index.size());
  out.diagonal.resize(pattern.diagonal.size());
  out.form = DiagonalForm::unit;
  std::atomic<bool> all_invertible = true;
  parallel_pieces(
      pattern.n, value_grain, thread_count(threads), [&](Offset begin, Offset end, Index) {
        bool invertible = true;
        for (auto k = static_cast<Index>(begin); k < end; ++k) {
          pack_list(pattern, stored, conjugated, k, out);
          if (!pattern.diagonal.empty())
            invertible = pack_diagonal(pattern, stored, conjugated, k, out) && invertible;
        }
        if (!invertible) all_invertible = false;
      });
  if (pattern.diagonal.empty()) return;
  out.form = all_invertible ? DiagonalForm::reciprocal : DiagonalForm::plain;
  if (!all_invertible) return;
  parallel_pieces(pattern.n, value_grain, thread_count(threads),
                  [&](Offset begin, Offset end, Index) {
                    for (Offset k = begin; k < end; ++k) out.diagonal[k] = T(1) / out.diagonal[k];
                  });
}

#define ECHELON_INSTANTIATE(T)                                                      \
  template void pack_values(const PackedPattern&, std::span<const T>, Offset, bool, \
                            PackedValues<T>&, Index);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon

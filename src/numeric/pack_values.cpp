// numeric/pack_values.cpp -- stored values fetched into packed order, and checked on the way.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  The diagonal is kept as its reciprocal: a division costs more than all else an
// unknown of a sparse row needs.  x = s * (1/d) is as backward stable as s / d (two roundings
// in place of one) as long as 1/d neither overflows nor underflows; where it would, all
// unknowns divide.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <string>

#include "base/conjugate.hpp"
#include "base/finite.hpp"
#include "base/instantiate.hpp"
#include "base/parallel.hpp"
#include "echelon/numeric.hpp"
#include "numeric/diagonal_of.hpp"

namespace echelon {
namespace {

constexpr Offset value_grain = 1 << 13;

// Largest part: cheaper than the modulus, and does not overflow.
template <class T>
Real<T> size(T a) {
  if constexpr (is_complex<T>)
    return std::max(std::abs(a.real()), std::abs(a.imag()));
  else
    return std::abs(a);
}

// 1/d is normal, and so is d: nothing is lost by multiplying.
template <class T>
bool invertible(T d) {
  const Real<T> low = 4 * std::numeric_limits<Real<T>>::min();
  return size(d) > low && size(d) < 1 / low;
}

[[noreturn]] void refuse_value(const PackedPattern& pattern, Index k, Offset p) {
  const Index a = pattern.order[k], b = p < 0 ? a : pattern.index[p];
  const bool by_rows = (pattern.lists == Order::rows) != pattern.transposed;
  throw Error(ErrorCode::not_finite, "the entry in row " + std::to_string(by_rows ? a : b) +
                                         ", column " + std::to_string(by_rows ? b : a) +
                                         " is not finite");
}

// Entries of position k; false sums are how a loop over many values tests them all at once:
// 0*v is 0 for a finite v and NaN for others.
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

// Stores the k-th diagonal entry as it is; returns whether its reciprocal would do.
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

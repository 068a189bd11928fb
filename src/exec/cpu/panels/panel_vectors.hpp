// exec/cpu/panels/panel_vectors.hpp -- the SIMD vectors of the panel kernels: a group of 8 rows is
// one vector of the unit, or two or four.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/unit_vectors.hpp"
#include "base/vector_unit.hpp"
#include "exec/cpu/panels/panel_kernels.hpp"

namespace echelon {
namespace {

constexpr int group = PanelVector::lanes;
constexpr Offset plane = PanelVector::rows;
constexpr Index block = 16;  // columns that stay in L1 for all right-hand sides
constexpr Index wide = 64;   // columns from which on a strip is read as four streams

constexpr int least(int a, int b) { return a < b ? a : b; }
constexpr int most(int a, int b) { return a > b ? a : b; }

template <class R>
constexpr int lanes = least(group, unit_bytes / static_cast<int>(sizeof(R)));
template <class R>
constexpr int parts_of_group = group / lanes<R>;
template <class R>
using Vector = VectorWith<R, lanes<R>>;

template <class S, class R>
ECHELON_INLINE Vector<R> load(const S* p) {
  return load_vector<S, R, lanes<R>>(p);
}

template <class S>
ECHELON_INLINE void fetch_ahead(const S* a, int numbers, Offset ahead) {
  const char* p = reinterpret_cast<const char*>(a) + ahead;
  for (int line = 0; line < numbers * static_cast<int>(sizeof(S)); line += 64)
    __builtin_prefetch(p + line);
}

}  // namespace
}  // namespace echelon

// io/dense.cpp -- reads the body of a Matrix Market array: one number per line, column by column;
// symmetric matrices store the lower triangle only.
// SPDX-License-Identifier: BSD-3-Clause
#include "base/instantiate.hpp"
#include "io/data_lines.hpp"
#include "io/entries.hpp"

namespace echelon {
namespace {

// The full square from the columns of its lower triangle.
template <class T>
Buffer<T> unfold_dense(const Source& source, const Header& h, const Buffer<T>& stored) {
  const auto n = static_cast<Offset>(h.rows);
  const Offset below = h.symmetry == Symmetry::skew ? 1 : 0;  // skew: no diagonal stored
  Buffer<T> full(static_cast<std::size_t>(n * n));
  Offset k = 0;
  for (Offset j = 0; j < n; ++j) {
    full[j * n + j] = T(0);
    for (Offset i = j + below; i < n; ++i, ++k) {
      const T v = stored[k];
      if (const char* why = why_misplaced(h.symmetry, i + 1, j + 1, v))
        refuse_place(source, place_of_entry(source, h, k), i + 1, j + 1, why);
      full[j * n + i] = v;
      full[i * n + j] = i == j ? v : mirrored(v, h.symmetry);
    }
  }
  return full;
}

}  // namespace

template <Scalar T>
DenseArray<T> read_dense(const Source& source, const Header& h, Progress& progress) {
  Buffer<T> stored;
  read_data_lines(
      source, h, progress, [&] { stored.resize(static_cast<std::size_t>(h.entries)); },
      [&](const char*& p, Offset k) { scan_value(source, p, h.field, stored[k]); });
  DenseArray<T> a{h.rows, h.cols, {}};
  a.value = h.symmetry == Symmetry::general ? std::move(stored) : unfold_dense(source, h, stored);
  return a;
}

#define ECHELON_INSTANTIATE(T) \
  template DenseArray<T> read_dense(const Source&, const Header&, Progress&);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon

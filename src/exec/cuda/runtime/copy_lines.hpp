// exec/cuda/runtime/copy_lines.hpp -- splits a strided copy into as few CUDA copies as possible.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

#include "echelon/matrix.hpp"

namespace echelon {

// `count` lines of `bytes` contiguous bytes each; `apart` bytes from the start of one to the next.
struct MemoryLines {
  template <class T>
  explicit MemoryLines(const Vectors<T>& v)
      : bytes(static_cast<std::size_t>(v.layout == Layout::column_major ? v.n : v.count) *
              sizeof(T)),
        count(static_cast<std::size_t>(v.layout == Layout::column_major ? v.count : v.n)),
        apart(static_cast<std::size_t>(v.leading) * sizeof(T)) {}

  std::size_t bytes, count, apart;
};

// The largest pitch of a 2D copy: cudaDevAttrMaxPitch.
constexpr std::size_t most_apart = (std::size_t{1} << 31) - 1;

// Calls one(offset from, offset to, bytes) once if the lines have no gaps, several(bytes, lines)
// once if the pitch is small enough, and else one() per line.
template <class One, class Several>
void copy_lines(const MemoryLines& from, const MemoryLines& to, const One& one,
                const Several& several, std::size_t most = most_apart) {
  const std::size_t bytes = from.bytes;
  if (bytes == 0 || from.count == 0) return;
  if (from.count == 1 || (from.apart == bytes && to.apart == bytes))
    return one(std::size_t{0}, std::size_t{0}, bytes * from.count);
  if (from.apart <= most && to.apart <= most) return several(bytes, from.count);
  for (std::size_t k = 0; k < from.count; ++k) one(k * from.apart, k * to.apart, bytes);
}

}  // namespace echelon

// exec/cuda/runtime/by_width.cuh -- one object per number of right-hand sides per pass: setup makes
// the object for the expected number, find() makes others on first use.
// SPDX-License-Identifier: BSD-3-Clause
//
// While a stream is captured into a graph, no object can be made for it.  The solve then uses
// objects that already exist, in more passes if need be, and allocates nothing.  Objects live as
// long as the ByWidth, because captured graphs hold their addresses.  Not thread-safe: one call at
// a time.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "echelon/types.hpp"
#include "exec/cuda/runtime/streams.cuh"

namespace echelon {

// Made has a member `width` and a function bytes().
template <class Made>
class ByWidth {
 public:
  // `widths`: numbers of right-hand sides that objects can be made for, ascending.
  explicit ByWidth(std::vector<Index> widths) : widths_(std::move(widths)), made_(widths_.size()) {}

  // Makes the objects for one and for `count` right-hand sides; make(width) returns a unique_ptr.
  template <class Make>
  void prepare(Index count, const Make& make) {
    prepare_one(widths_[0], make);
    prepare_one(count, make);
  }
  // Makes the object for `count` alone.
  template <class Make>
  void prepare_one(Index count, const Make& make) {
    const std::size_t k = place_for(count);
    if (!made_[k]) made_[k] = make(widths_[k]);
  }
  bool has_any() const {
    return std::any_of(made_.begin(), made_.end(),
                       [](const auto& made) { return made != nullptr; });
  }

  // Returns the object to use next when `left` right-hand sides are left.  While the stream is
  // captured, has_any() must hold.
  template <class Make>
  const Made& find(Index left, void* stream, const Make& make) const {
    const std::size_t wanted = place_for(left);
    if (made_[wanted]) return *made_[wanted];
    if (is_captured(static_cast<cudaStream_t>(stream))) return nearest(wanted);
    made_[wanted] = make(widths_[wanted]);
    return *made_[wanted];
  }

  template <class Visit>
  void for_each(const Visit& visit) const {
    for (const auto& made : made_)
      if (made) visit(*made);
  }
  Offset bytes() const {
    Offset bytes = 0;
    for_each([&](const Made& made) { bytes += made.bytes(); });
    return bytes;
  }

 private:
  // Index of the smallest width >= count, or of the largest width.
  std::size_t place_for(Index count) const {
    std::size_t k = 0;
    while (k + 1 < widths_.size() && widths_[k] < count) ++k;
    return k;
  }
  // Returns the next wider object that exists, or else the next narrower one.
  const Made& nearest(std::size_t wanted) const {
    for (std::size_t k = wanted; k < made_.size(); ++k)
      if (made_[k]) return *made_[k];
    while (!made_[wanted]) --wanted;
    return *made_[wanted];
  }

  std::vector<Index> widths_;
  mutable std::vector<std::unique_ptr<Made>> made_;
};

// The usual widths: one right-hand side, and rhs_per_pass of them.
inline std::vector<Index> one_and(Index rhs_per_pass) {
  return rhs_per_pass > 1 ? std::vector<Index>{1, rhs_per_pass} : std::vector<Index>{1};
}

}  // namespace echelon

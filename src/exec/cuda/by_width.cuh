// exec/cuda/by_width.cuh -- what a solve needs for so many right-hand sides at once: made by setup
// for the number it was told of, and for more when they first come.
// SPDX-License-Identifier: BSD-3-Clause
//
// A stream that is being captured into a graph cannot be made anything for: there more passes are
// taken with what is ready, which needs no new memory.  What was made stays as long as this does,
// since graphs have its addresses.  One call at a time.
#pragma once

#include <memory>
#include <vector>

#include "echelon/types.hpp"
#include "exec/cuda/streams.cuh"

namespace echelon {

// Made has its `width`, and bytes().
template <class Made>
class ByWidth {
 public:
  // Numbers of right-hand sides it can be made for, rising.
  explicit ByWidth(std::vector<Index> widths) : widths_(std::move(widths)), made_(widths_.size()) {}

  // One right-hand side and `count` of them; make(width) returns a unique_ptr.
  template <class Make>
  void prepare(Index count, const Make& make) {
    for (const std::size_t k : {std::size_t{0}, place_for(count)})
      if (!made_[k]) made_[k] = make(widths_[k]);
  }

  // For `left` right-hand sides or the first of them.
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
  // The least that serves so many, or the last.
  std::size_t place_for(Index count) const {
    std::size_t k = 0;
    while (k + 1 < widths_.size() && widths_[k] < count) ++k;
    return k;
  }
  // Of those that are ready: the next wider one, or else the next narrower.
  const Made& nearest(std::size_t wanted) const {
    for (std::size_t k = wanted; k < made_.size(); ++k)
      if (made_[k]) return *made_[k];
    while (!made_[wanted]) --wanted;  // the first always is
    return *made_[wanted];
  }

  std::vector<Index> widths_;
  mutable std::vector<std::unique_ptr<Made>> made_;
};

// As a rule there are two: one right-hand side, and as many as go together.
inline std::vector<Index> one_and(Index together) {
  return together > 1 ? std::vector<Index>{1, together} : std::vector<Index>{1};
}

}  // namespace echelon

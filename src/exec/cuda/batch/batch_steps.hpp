// exec/cuda/batch/batch_steps.hpp -- which rows of a batch a thread block solves together, and how
// many systems side by side.
// SPDX-License-Identifier: BSD-3-Clause
//
// No device code: tests run it without a GPU.
#pragma once

#include <algorithm>
#include <bit>
#include <limits>

#include "echelon/batch_executor.hpp"

namespace echelon {

// Rows [first, first + count), each by a team of 2^team_bits slots; where there are more rows than
// teams, by each team in turn.
struct BatchStep {
  Index first;
  std::int16_t count, team_bits;
};

// The threads of a block: `slots` times as many as systems side by side, `warp_slots` in each warp;
// powers of two.
struct BatchSlots {
  Index slots, warp_slots;
  Index most_entries;  // of several rows together
};

constexpr Index most_step_rows = std::numeric_limits<std::int16_t>::max();

// With teams of the largest power of two up to `team` slots, at least one.
inline BatchStep make_batch_step(Index first, Index rows, Index team) {
  const int bits = std::bit_width(static_cast<unsigned>(std::max(team, 1))) - 1;
  return {first, static_cast<std::int16_t>(rows), static_cast<std::int16_t>(bits)};
}

// How many rows from `first` on, of those below `end`, make up a step.
inline Index count_step_rows(const BatchPlan& plan, Index first, Index end, const BatchSlots& o) {
  Index rows = std::min(end - first, most_step_rows);
  while (rows > 1 && plan.start[first + rows] - plan.start[first] > o.most_entries) --rows;
  return rows;
}

// Steps of a solve with M: rows of one level.  A row alone has all slots; several rows have teams
// within a warp, which add their sums by shuffles.
inline Buffer<BatchStep> find_batch_steps(const BatchPlan& plan, const BatchSlots& o) {
  Buffer<BatchStep> steps;
  for (std::size_t l = 0; l + 1 < plan.level.size(); ++l)
    for (Index k = plan.level[l]; k < plan.level[l + 1];) {
      const Index rows = count_step_rows(plan, k, plan.level[l + 1], o);
      steps.push_back(
          make_batch_step(k, rows, rows == 1 ? o.slots : std::min(o.warp_slots, o.slots / rows)));
      k += rows;
    }
  return steps;
}

// Steps of a solve with the transpose, in its order: rows of one level without a common entry,
// since they are scattered at the same time.
inline Buffer<BatchStep> find_turned_steps(const BatchPlan& plan, const BatchSlots& o) {
  Buffer<BatchStep> steps;
  std::vector<Index> met(static_cast<std::size_t>(plan.n), -1);  // the step that scatters to it
  const auto meets = [&](Index k, Index step) {
    return std::any_of(plan.index.begin() + plan.start[k], plan.index.begin() + plan.end(k),
                       [&](Index j) { return met[j] == step; });
  };
  for (std::size_t l = plan.level.size(); l-- > 1;)
    for (Index end = plan.level[l]; end > plan.level[l - 1];) {
      const auto step = static_cast<Index>(steps.size());
      Index k = end;
      do {
        --k;
        for (Index p = plan.start[k]; p < plan.end(k); ++p) met[plan.index[p]] = step;
      } while (k > plan.level[l - 1] && end - k < most_step_rows &&
               plan.start[end] - plan.start[k - 1] <= o.most_entries && !meets(k - 1, step));
      steps.push_back(make_batch_step(k, end - k, o.slots / (end - k)));
      end = k;
    }
  return steps;
}

// Where the pieces begin in which the entries of the steps are read, in the order of reading, then
// the end, and `padding` times more.  A step of several rows is one piece, a row alone as many as
// it takes.
inline Buffer<Index> find_batch_pieces(const BatchPlan& plan, const Buffer<BatchStep>& steps,
                                       bool turned, Index most_entries, int padding) {
  Buffer<Index> pieces;
  for (const BatchStep& step : steps) {
    const Index low = plan.start[step.first], high = plan.start[step.first + step.count];
    Index done = 0;
    do {
      pieces.push_back(turned ? high - done : low + done);
      done += most_entries;
    } while (done < high - low);
  }
  pieces.insert(pieces.end(), static_cast<std::size_t>(padding) + 1, turned ? 0 : plan.entries());
  return pieces;
}

// Systems per thread block: as many as let several blocks share the shared memory of a
// multiprocessor, fewer if that leaves too few blocks.
inline Index choose_batch_width(Index n, Offset number_bytes, Offset shared) {
  Index width = 8;
  while (width > 1 && Offset{n} * width * number_bytes > shared / 4) width /= 2;
  return width;
}

}  // namespace echelon

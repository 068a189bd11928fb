// tests/exec/emulated_course.hpp -- the program of one course of method tree and its flow, in the
// memory of the host.
// SPDX-License-Identifier: BSD-3-Clause
//
// Include it after emulated_flow.hpp.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "exec/cuda/tiles/tile_parameters.cuh"

namespace echelon {

template <Scalar T>
struct EmulatedCourse : TileProgram {
  EmulatedCourse(const BlockPlan& plan, const TileSlots& slots, Sweep way, const TileLimits& limits,
                 Index words_per_slot)
      : TileProgram(make_tile_program(plan, slots, way, limits)),
        course(way),
        slot_words(words_per_slot),
        places(lay_flow(slots, plan.n, way, sums)),
        flow_size(places.size * slot_words),
        flow(2 * static_cast<std::size_t>(flow_size)) {}

  // Empties all slots, and sets slots without a producer to zero.
  void forget(const TileSlots& slots) {
    words = {};
    std::fill(flow.begin(), flow.end(), empty_word(Real<T>(0)));
    if (course == Sweep::backward) return;
    for (const Index slot : slots.unused)
      for (const Offset copy : {Offset{0}, flow_size})
        std::fill_n(flow.begin() + copy + slot * slot_words, slot_words, Real<T>(0));
  }

  Sweep course;
  Index slot_words;
  FlowPlaces places;
  Offset flow_size;  // words per copy
  std::vector<Real<T>> flow;
  std::array<GridWords, 1> words;
};

}  // namespace echelon

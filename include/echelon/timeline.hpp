// echelon/timeline.hpp -- the activities of ranks over time in a traced or simulated pass.
// SPDX-License-Identifier: BSD-3-Clause
//
// Extend it.  Comes after types.hpp; rank_pass.hpp and forecast.hpp write it.
#pragma once

#include <vector>

#include "echelon/types.hpp"

namespace echelon {

enum class Doing { product, sum, send, receive, wait };
const char* name(Doing doing) noexcept;

struct Span {
  Index rank = 0;
  Doing doing = Doing::wait;
  Index supernode = -1;  // -1: none
  double begin_s = 0, end_s = 0;
};
using Timeline = std::vector<Span>;

}  // namespace echelon

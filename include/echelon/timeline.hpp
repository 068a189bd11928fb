// echelon/timeline.hpp -- what ranks do when, in a pass that was traced or simulated.
// SPDX-License-Identifier: BSD-3-Clause
//
// Extend it.  Comes after types.hpp; rank_pass.hpp and forecast.hpp write it.
#pragma once

#include <vector>

#include "echelon/types.hpp"

#pragma GCC visibility push(default)
namespace echelon {

enum class Doing { product, sum, send, receive, wait };
const char* name(Doing doing) noexcept;

struct Span {
  Index rank = 0;
  Doing doing = Doing::wait;
  Index supernode = -1;  // what it is about; -1: nothing in particular
  double begin_s = 0, end_s = 0;
};
using Timeline = std::vector<Span>;

}  // namespace echelon
#pragma GCC visibility pop

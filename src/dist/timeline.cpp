// dist/timeline.cpp -- names of the activities in a timeline.
// SPDX-License-Identifier: BSD-3-Clause
#include "echelon/tools/timeline.hpp"

namespace echelon {

const char* name(Doing doing) noexcept {
  switch (doing) {
    case Doing::product:
      return "product";
    case Doing::sum:
      return "sum";
    case Doing::send:
      return "send";
    case Doing::receive:
      return "receive";
    case Doing::wait:
      return "wait";
  }
  return "";
}

}  // namespace echelon

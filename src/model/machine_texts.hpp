// model/machine_texts.hpp -- the files of machines/, embedded in the library by the build.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string_view>

namespace echelon {

struct MachineText {
  std::string_view name, text;
};
std::span<const MachineText> machine_texts();

}  // namespace echelon

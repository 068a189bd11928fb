// model/machine_texts.hpp -- the files of machines/, which the build puts into the library.
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

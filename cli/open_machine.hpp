// cli/open_machine.hpp -- opens the machine of a flag: a built-in name or a file.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "echelon/machine.hpp"

namespace echelon::cli {

// Throws UsageError for an empty or unknown name; bad_file for a file that is not a machine file.
Machine open_machine(const std::string& name);

}  // namespace echelon::cli

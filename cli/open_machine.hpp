// cli/open_machine.hpp -- a machine the user names: one that is built in, or a file.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "echelon/tools/machine.hpp"

namespace echelon::cli {

// Throws UsageError for a name that is neither, or none; bad_file for a file that is no machine.
Machine open_machine(const std::string& name);

}  // namespace echelon::cli

// adapters/cusparse/engine/log.hpp -- one line per decision on the standard error, if
// ECHELON_CUSPARSE_LOG asks for it.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace echelon::dropin {

bool is_logging();
// Does nothing unless is_logging().
void log(const std::string& line);

}  // namespace echelon::dropin

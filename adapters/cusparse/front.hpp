// adapters/cusparse/front.hpp -- the table of operations that this process uses.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "operations.hpp"

namespace echelon::dropin {

// The engine's, or the vendor's where the engine is switched off or cannot be loaded.  Decided at
// the first call, for the whole process.
const Operations& operations();

}  // namespace echelon::dropin

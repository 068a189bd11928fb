// cli/machine.hpp -- the machine a measurement was made on.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

#include "echelon/types.hpp"
#include "json.hpp"

namespace echelon::cli {

// Processors this program may run on; at least 1.
Index available_cores();

// The model's name; empty if the system does not tell.
std::string processor_name();

// Processor, cores, memory, system, load, compiler; what is not known is null.
Json describe_machine();

// The time now, as 2026-01-31T12:00:00Z.
std::string date_now();

// An object with the members that every document begins with: program, command, version, date and
// machine.
Json begin_document(std::string_view program, std::string_view command);

}  // namespace echelon::cli

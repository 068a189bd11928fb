// cli/machine.hpp -- the machine on which a measurement was made.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

#include "echelon/types.hpp"
#include "json.hpp"

namespace echelon::cli {

// The number of processors this program may run on; at least 1.
Index available_cores();

// The processor model; empty if unknown.
std::string compiler_name();  // with its version
std::string processor_name();

// Processor, cores, memory, system, load, compiler; null where unknown.
Json describe_machine();

// The current time, as 2026-01-31T12:00:00Z.
std::string date_now();

// An object with the members at the start of every document: program, command, version, date and
// machine.
Json begin_document(std::string_view program, std::string_view command);

}  // namespace echelon::cli

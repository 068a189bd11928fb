// echelon/tools/whole_files.hpp -- files that are there whole or not at all, also for programs that
// end on a signal.
// SPDX-License-Identifier: BSD-3-Clause
//
// Extend it.  All files of the library are written so: beside their place, and moved into it when
// they are whole.
#pragma once

#include <filesystem>
#include <string_view>

#pragma GCC visibility push(default)
namespace echelon {

// Writes any text as a file.  Throws bad_file.
void write_text(const std::filesystem::path& path, std::string_view text);

// Removes what the threads of this process have written of unfinished files; these threads then
// fail with bad_file.  For a program that is about to end on a signal: call it from a thread, not
// from the signal's handler.
void remove_unfinished_files() noexcept;

}  // namespace echelon
#pragma GCC visibility pop

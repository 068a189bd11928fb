// cli/out_file.hpp -- the file of -o: checked before the work, written after it.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "json.hpp"

namespace echelon::cli {

// Before any work: throws UsageError for a compressed file, bad_file for one that cannot be
// written.  An empty path passes.
void check_out(const std::string& path);

// The document as a file.  Throws bad_file.
void write_document(const std::string& path, const Json& document);

// The end of a command whose result is its document: writes it where -o asks for it, and prints it
// if `json` is set.
void hand_out(const Json& document, const std::string& path, bool json);

}  // namespace echelon::cli

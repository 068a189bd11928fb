// cli/out_file.hpp -- the output file of -o: checked before the work, written after it.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "json.hpp"

namespace echelon::cli {

// Call before any work: throws UsageError for a compressed file, bad_file if the file cannot be
// written.  Accepts an empty path.
void check_out(const std::string& path);

// Writes the document to a file.  Throws bad_file.
void write_document(const std::string& path, const Json& document);

// The end of a command whose result is a document: writes it to `path` unless empty, and prints it
// if `json` is set.
void hand_out(const Json& document, const std::string& path, bool json);

}  // namespace echelon::cli

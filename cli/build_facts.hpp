// cli/build_facts.hpp -- what a program was built with, and what it finds where it runs.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace echelon::cli {

using BuildFacts = std::vector<std::pair<std::string, std::string>>;

// Compiler, libraries and devices; CHOLMOD, BLAS and the processor as they are found now.
BuildFacts find_build_facts();

// The text of --version: the name and the version, "with" or "without" CUDA, and a line per fact.
std::string version_text(const std::string& program, const BuildFacts& more = {});

}  // namespace echelon::cli

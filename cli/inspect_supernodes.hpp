// cli/inspect_supernodes.hpp -- echelon inspect --supernodes: supernodes before and after merging.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

#include "factor_flags.hpp"
#include "inspect_report.hpp"
#include "options.hpp"

namespace echelon::cli {

struct SupernodeRequest {
  std::string input;
  std::optional<Part> part;  // full: supernodes of the factors; none: chosen from the matrix
  std::string out;
  bool json = false;
  Options options;
  FactorRequest factor;
  ReportRequest report;
};

// A triangle of a matrix and its supernodes.  Values are not used; the diagonal is taken as 1.
DrawnTriangle triangle_to_draw(const Pattern& a, Uplo uplo, Index threads);

// Prints the supernodes of a triangle of the matrix or of its factors: as found, merged where
// neighbours have the same structure, and amalgamated; and their number and sizes per level (Figure
// 5 of the ICPP 2020 paper).
void inspect_supernodes(const SupernodeRequest& o);

}  // namespace echelon::cli

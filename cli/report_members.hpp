// cli/report_members.hpp -- JSON members that several reports have in common.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "echelon/solver.hpp"
#include "json.hpp"
#include "timing.hpp"

namespace echelon::cli {

// NAME_s, the median, NAME_min_s and NAME_max_s.
Json times_of(const std::string& name, const Spread& seconds);
Json solve_times(const Spread& seconds);  // of solves; repeats: of how many
Json bench_times(const Spread& seconds);  // the same, and the quartiles
Json supernode_counts(const SupernodeReport& supernodes);
Json to_json(VectorUnit unit);  // its name; null for a device, which has none

// Speed, and how much that is of what the machine can: bytes, gb_per_s, bandwidth_share.  Without
// bytes, or where `most` (bytes per second) is not known, null.
Json traffic(double bytes, double seconds, double most);
// The same of the exact nonzeros without indices: nonzero_bytes, nonzero_gb_per_s, nonzero_share.
Json nonzero_traffic(double bytes, double seconds, double most);

// A triangle of a factorization as it is kept: nnz, supernodes, levels, tasks, matrix_bytes, ...
Json triangle_members(const SupernodeReport& s, Offset matrix_bytes, Index launches);

// A number that is 0 where it is not known, which becomes null.
template <class Number>
Json positive_or_null(Number value) {
  return value > 0 ? Json(value) : Json();
}

}  // namespace echelon::cli

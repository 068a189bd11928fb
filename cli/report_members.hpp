// cli/report_members.hpp -- JSON members shared by several reports.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "echelon/solver.hpp"
#include "json.hpp"
#include "timing.hpp"

namespace echelon::cli {

// NAME_s (the median), NAME_min_s and NAME_max_s.
Json times_of(const std::string& name, const Spread& seconds);
Json solve_times(const Spread& seconds);  // of solves; `repeats`: their number
Json bench_times(const Spread& seconds);  // the same, and the quartiles
Json supernode_counts(const SupernodeReport& supernodes);
Json to_json(VectorUnit unit);  // null for a device

// Speed, also as a share of the machine's bandwidth: traffic_bytes, gb_per_s, bandwidth_share. Null
// without bytes, or if `most` (bytes per second) is not known.
Json traffic(double bytes, double seconds, double most);
// The same for the exact nonzeros without indices: nonzero_bytes, nonzero_gb_per_s, nonzero_share.
Json nonzero_traffic(double bytes, double seconds, double most);

// A stored triangle of a factorization: nnz, supernodes, levels, tasks, bytes, ...
Json triangle_members(const SupernodeReport& s, Offset matrix_bytes, Index launches);

// Null for 0, which means unknown.
template <class Number>
Json positive_or_null(Number value) {
  return value > 0 ? Json(value) : Json();
}

}  // namespace echelon::cli

// cli/report_members.hpp -- JSON members that several reports have in common.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "echelon/supernode.hpp"
#include "json.hpp"
#include "timing.hpp"

namespace echelon::cli {

Json solve_times(const Spread& solve);  // the median, from, to
Json bench_times(const Spread& solve);  // the same, the quartiles, and of how many runs
Json supernode_counts(const SupernodeReport& supernodes);

}  // namespace echelon::cli

// cli/bench_report.hpp -- runs of contenders, as JSON and as a table.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <iosfwd>
#include <vector>

#include "bench_rounds.hpp"
#include "json.hpp"
#include "scalar.hpp"

namespace echelon::cli {

// `device_bandwidth`: bytes a second of a copy there; 0 without one.
Json to_json(const SystemFacts& system, const BenchRun& run, Precision precision,
             double device_bandwidth);

// The system in a line, then a row for each run.
void print_runs(std::ostream& out, const SystemFacts& system, const std::vector<BenchRun>& runs);

}  // namespace echelon::cli

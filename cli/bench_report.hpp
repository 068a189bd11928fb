// cli/bench_report.hpp -- reports runs on one triangle as JSON and as a table.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <iosfwd>
#include <vector>

#include "bench_rounds.hpp"
#include "json.hpp"
#include "scalar.hpp"

namespace echelon::cli {

// `device_bandwidth`: bytes per second of a device copy; 0 without a device.
Json to_json(const SystemFacts& system, const BenchRun& run, Precision precision,
             double device_bandwidth);

// The system in one line, then a row per run.
void print_runs(std::ostream& out, const SystemFacts& system, const std::vector<BenchRun>& runs);

}  // namespace echelon::cli

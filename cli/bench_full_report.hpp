// cli/bench_full_report.hpp -- runs with the triangles of a factorization, as JSON and as a table.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <iosfwd>
#include <map>

#include "bench_full.hpp"
#include "json.hpp"
#include "scalar.hpp"

namespace echelon::cli {

// What this machine reads, in bytes a second.
struct Bandwidths {
  std::map<Index, double> threads;  // by their number
  double device = 0;                // read and written by a copy on the device; 0 without one
};

Json to_json(const FullSystem& system, const FullRun& run, Precision precision,
             const Bandwidths& bandwidths);

// The system in a line, a row for each contender, and who was the fastest.
void print_result(std::ostream& out, const FullResult& result, const Bandwidths& bandwidths);

}  // namespace echelon::cli

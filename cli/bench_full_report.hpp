// cli/bench_full_report.hpp -- reports runs on the triangles of a factorization as JSON and as a
// table.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <iosfwd>
#include <map>

#include "bench_full.hpp"
#include "json.hpp"
#include "scalar.hpp"

namespace echelon::cli {

// Read bandwidth of this machine, in bytes per second.
struct Bandwidths {
  std::map<Index, double> threads;  // by number of threads
  double device = 0;                // read plus written by a device copy; 0 without a device
};

Json to_json(const FullSystem& system, const FullRun& run, Precision precision,
             const Bandwidths& bandwidths);

// The system in one line, a row per contender, and the fastest ones.
void print_result(std::ostream& out, const FullResult& result, const Bandwidths& bandwidths);

}  // namespace echelon::cli

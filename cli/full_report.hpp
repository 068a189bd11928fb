// cli/full_report.hpp -- reports a full solve as JSON and as text.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

#include "device_facts.hpp"
#include "echelon/direct.hpp"
#include "profile.hpp"
#include "solve.hpp"
#include "timing.hpp"

namespace echelon::cli {

struct FullOutcome {
  DirectReport report;
  std::string factor_reason;
  Offset nonzeros = 0;  // of A
  Index nrhs = 1;
  double read_s = 0;
  double order_s = 0;
  double factor_s = 0;
  Spread solve;  // of A x = b
  Spread lower;  // of L x = b
  Spread upper;  // of U x = b
  std::optional<RefineReport> refine = std::nullopt;
  double refine_s = 0;             // one solve with refinement
  double fill_ratio = 0;           // nonzeros of L+U over nonzeros of A
  double stored_ratio = 0;         // stored values, with explicit zeros, over nonzeros of A
  double lower_nonzero_bytes = 0;  // of the exact nonzeros of L
  double upper_nonzero_bytes = 0;
  double vector_bytes = 0;    // of b and x
  double read_bandwidth = 0;  // bytes per second with this number of threads; or
  std::optional<DeviceFacts> device = std::nullopt;  // of device copies
  Profile profile = {};                              // on a device: of A x = b with host vectors
  double componentwise_error = 0;
  double normwise_error = 0;
};

void print_json(const Solve& o, const FullOutcome& r);
void print_report(const Solve& o, const Input& input, const FullOutcome& r);

}  // namespace echelon::cli

// cli/rank_calibrate.hpp -- echelon-mpi calibrate: many ranks, measured for the models.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <CLI/CLI.hpp>

#include "calibrate_report.hpp"

namespace echelon::cli {

CLI::App* add_rank_calibrate(CLI::App& program, CalibrateRequest& request);

// Collective.  Throws the same on all ranks: Error, UsageError; or Stranded.
void run_rank_calibrate(const CalibrateRequest& request);

}  // namespace echelon::cli

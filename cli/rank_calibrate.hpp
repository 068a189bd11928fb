// cli/rank_calibrate.hpp -- calibrate on several ranks: measures their costs for the models.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "calibrate_report.hpp"
#include "echelon/mpi.hpp"

namespace echelon::cli {

CLI::App* add_rank_calibrate(CLI::App& program, CalibrateRequest& request);

// The measurements of a program.
struct RankMeasures {
  std::string program;
  std::function<Machine()> alone;  // by rank 0 while the others sleep; sets the name of the machine
  bool reads_together = false;     // whether all ranks of a node read at once
  struct Carrier {
    std::string engine;
    std::function<std::vector<MessageTimes>(const PingPongOptions&)> measure;
  };
  std::vector<Carrier> carriers;
};

// Collective.  Throws the same Error or UsageError on all ranks, or Stranded.
void run_rank_calibrate(const CalibrateRequest& request, const RankMeasures& measures);

}  // namespace echelon::cli

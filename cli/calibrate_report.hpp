// cli/calibrate_report.hpp -- flags and report of calibrate, shared by all programs.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "echelon/tools/calibrate.hpp"

namespace echelon::cli {

struct CalibrateRequest {
  std::string out;  // empty: standard output
  bool quick = false;
  bool json = false;

  CalibrateOptions options() const { return quick ? quick_calibration() : CalibrateOptions{}; }
};

// The cores of this node, as a phase.
Machine calibrate_cores(const CalibrateRequest& request);

void add_calibrate_flags(CLI::App& app, CalibrateRequest& request);

// "AMD EPYC, 2 cores", in a form that fits on a line of a machine file.
std::string name_machine(const std::string& model, Index count, const std::string& unit);

// Sets the source of the numbers; writes the machine to its file or to standard output and a table
// to standard error; or all of it as JSON.
void report_machine(const CalibrateRequest& request, Machine machine, const std::string& program);

}  // namespace echelon::cli

// cli/calibrate_report.hpp -- what calibrate is asked for in all programs, and what it says of a
// machine.
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

void add_calibrate_flags(CLI::App& app, CalibrateRequest& request);

// "AMD EPYC, 2 cores", as a line of a machine file can hold it.
std::string name_machine(const std::string& model, Index count, const std::string& unit);

// Fills in where the numbers come from; writes the machine to its file or on standard output, and a
// table on standard error; or all of it as JSON.
void report_machine(const CalibrateRequest& request, Machine machine, const std::string& program);

}  // namespace echelon::cli

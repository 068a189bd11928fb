// cli/model_pictures.hpp -- draws forecasts: times over ranks, and timelines.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "echelon/draw.hpp"

namespace echelon::cli {

// "1:0.017,4:0.006": ranks and seconds.  Throws UsageError.
std::vector<std::pair<Index, double>> parse_measured(const std::string& text);

// The fastest grid per number of ranks and engine (simulated if available, else the model); the
// model's lower bound; and the measured times.
Canvas draw_trials(const std::string& title, const std::vector<Trial>& trials,
                   const std::vector<std::pair<Index, double>>& measured = {});

// Throws bad_file if the folder does not exist.
void check_folder(const std::string& folder);
// Writes NAME.svg and NAME.png.  Throws bad_file.
void write_to_folder(const Canvas& canvas, const std::string& folder, const std::string& name);

// The timeline of a simulated solve, one pass after the other.
Timeline timeline_of(const Trial& trial);

}  // namespace echelon::cli

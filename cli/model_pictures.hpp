// cli/model_pictures.hpp -- forecasts, drawn: times over ranks, and what ranks do when.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "echelon/tools/draw.hpp"

namespace echelon::cli {

// "1:0.017,4:0.006": ranks and seconds.  Throws UsageError.
std::vector<std::pair<Index, double>> parse_measured(const std::string& text);

// Of each number of ranks the fastest grid, by engine: simulated where that was done, else the
// model; the model's lower bound; and what was measured.
Canvas draw_trials(const std::string& title, const std::vector<Trial>& trials,
                   const std::vector<std::pair<Index, double>>& measured = {});

// The folder that pictures are to be written to.  Throws bad_file where there is none.
void check_folder(const std::string& folder);
// As NAME.svg and NAME.png.  Throws bad_file.
void write_to_folder(const Canvas& canvas, const std::string& folder, const std::string& name);

// What the ranks of a simulated solve do when, one pass after the other.
Timeline timeline_of(const Trial& trial);

}  // namespace echelon::cli

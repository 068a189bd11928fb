// cli/break_even.hpp -- the number of solves after which analysis or inversion pays, for echelon
// inspect.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "echelon/estimate.hpp"
#include "echelon/solver.hpp"
#include "json.hpp"

namespace echelon::cli {

// A solver with its measured analysis time, compared with a loop over the rows without analysis.
struct AnalysisPayoff {
  Estimate solve;  // with the chosen method
  Estimate loop;
  Advice advice;  // the loop is the first alternative
};
AnalysisPayoff find_analysis_payoff(const AnalysisReport& report, double expected_solves);
std::string text_of(const AnalysisPayoff& p);
Json to_json(const AnalysisPayoff& p);

// Inverted or plain diagonal blocks on CPU threads; all times are estimates.
struct InversePayoff {
  Index threads = 1;
  double invert_s = 0;
  Estimate inverted, plain;
  Advice advice;  // plain is the first alternative
};
InversePayoff find_inverse_payoff(PanelFacts facts, const Options& o);
std::string text_of(const InversePayoff& p);
Json to_json(const InversePayoff& p);

}  // namespace echelon::cli

// cli/break_even.hpp -- what pays after how many solves, as echelon inspect says it.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "echelon/solver.hpp"
#include "echelon/tools/estimate.hpp"
#include "json.hpp"

namespace echelon::cli {

// An analysis, whose time was measured, against a loop over the rows that needs none.
struct AnalysisPayoff {
  Estimate solve;  // by the method chosen
  Estimate loop;
  Advice advice;  // of those two, the loop first
};
AnalysisPayoff find_analysis_payoff(const AnalysisReport& report, double expected_solves);
std::string text_of(const AnalysisPayoff& p);
Json to_json(const AnalysisPayoff& p);

// Diagonal blocks inverted or not, on CPU threads; all times are estimates.
struct InversePayoff {
  Index threads = 1;
  double invert_s = 0;
  Estimate inverted, plain;
  Advice advice;  // of those two, the plain one first
};
InversePayoff find_inverse_payoff(PanelFacts facts, const Options& o);
std::string text_of(const InversePayoff& p);
Json to_json(const InversePayoff& p);

}  // namespace echelon::cli

// cli/model_report.hpp -- what echelon model prints: a table, or JSON, and the advice.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "echelon/forecast.hpp"

namespace echelon::cli {

struct ModelFacts {
  std::string input;
  Index n = 0;
  std::string package, kind, ordering;
  Index blocks = 0;    // of columns, where there are several ranks
  Offset entries = 0;  // of all panels of the passes
  std::string mapping, tree;
  Index vectors = 1;
};

void print_model_table(const ModelFacts& facts, const Machine& machine,
                       const std::vector<Trial>& trials, const RankAdvice& advice);
// `levels`: with the numbers of each level.
void print_model_json(const ModelFacts& facts, const Machine& machine,
                      const std::vector<Trial>& trials, const RankAdvice& advice, bool levels);

}  // namespace echelon::cli

// cli/model_report.hpp -- reports of echelon model: a table or JSON, and the advice.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "echelon/forecast.hpp"
#include "json.hpp"

namespace echelon::cli {

struct ModelFacts {
  std::string input, part, phase, precision;
  Index n = 0;
  Offset nonzeros = 0;  // of the part
  std::string package, kind, ordering;
  Index blocks = 0;    // of columns, for several ranks
  Offset entries = 0;  // in the panels of all passes
  std::string mapping, tree;
  Index vectors = 1;
};

void print_model_table(const ModelFacts& facts, const Machine& machine,
                       const std::vector<Trial>& trials, const RankAdvice& advice);
// `levels`: include the numbers of each level.
Json to_json(const ModelFacts& facts, const Machine& machine, const std::vector<Trial>& trials,
             const RankAdvice& advice, bool levels);

}  // namespace echelon::cli

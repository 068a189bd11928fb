// cli/contenders.hpp -- who takes part in a benchmark, by name.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "echelon/analysis.hpp"
#include "json.hpp"

namespace echelon::cli {

// What is solved with: one triangle of the matrix itself, or both of its factorization.
enum class Arena { triangle, factors };

struct ContenderChoice {
  enum class Kind { echelon, eigen, mkl, scipy, cholmod, superlu, pardiso, cusparse };
  Kind kind = Kind::echelon;
  Method method = Method::automatic;  // of Echelon
  bool by_name = false;               // asked for by name, not with all the others

  bool has_threads() const;  // false: it runs on one, whatever is asked for
  std::string name() const;
};

// From a list like "echelon,eigen" or "all"; each once.  On a device Echelon has all its methods
// but the serial one, and cuSPARSE is there.  Throws UsageError with near names.
std::vector<ContenderChoice> parse_contenders(const std::string& list, Arena arena,
                                              Backend backend);

// A contender that is left out, and why.
struct Missing {
  std::string contender;
  std::string reason;
};
Json to_json(const std::vector<Missing>& missing);

}  // namespace echelon::cli

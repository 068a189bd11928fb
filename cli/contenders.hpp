// cli/contenders.hpp -- parses the names of contenders in a benchmark.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "echelon/analysis.hpp"
#include "json.hpp"

namespace echelon::cli {

// What is solved: one triangle of the matrix itself, or both of its factorization.
enum class Arena { triangle, factors };

struct ContenderChoice {
  enum class Kind {
    echelon,
    eigen,
    mkl,
    scipy,
    cholmod,
    superlu,
    umfpack,
    klu,
    pardiso,
    cusparse,
    cudss
  };
  Kind kind = Kind::echelon;
  Method method = Method::automatic;  // for Echelon
  bool by_name = false;               // requested by name, not with "all"

  bool has_threads() const;  // false: it always runs on one thread
  std::string name() const;
};

// Parses a list like "echelon,eigen" or "all"; no duplicates.  On a device, Echelon has all its
// methods except serial, and cuSPARSE is available.  Throws UsageError with similar names.
std::vector<ContenderChoice> parse_contenders(const std::string& list, Arena arena,
                                              Backend backend);

// A contender that is left out, with the reason.
struct Missing {
  std::string contender;
  std::string reason;
};
Json to_json(const std::vector<Missing>& missing);

}  // namespace echelon::cli

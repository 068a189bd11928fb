// cli/system.hpp -- which system is solved: a triangular matrix as it is, any other as a whole.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "echelon/matrix.hpp"
#include "factor_flags.hpp"
#include "options.hpp"

namespace echelon::cli {

// Lower or upper if all entries lie there, a diagonal matrix being lower; else full.  O(nnz).
Part part_of(const Pattern& a);

// Entries of that part, the diagonal with each triangle.  O(nnz).
Offset nonzeros_of(const Pattern& a, Part part);

// What the flags say: --part, or full where a factorization is asked for; none: the matrix decides.
// Throws UsageError for a triangle that is to be factored.
std::optional<Part> part_asked_for(const std::optional<Part>& part, const CLI::App& app);

// For messages: "--part full", or where the matrix decided "A.mtx, a full matrix (use --part lower
// or --part upper to solve with a triangle of it)".
std::string described(const std::string& input, Part part, bool asked_for);

// Which solves with a factorization are done.
enum class Phase { lower, upper, both };
constexpr auto names(Phase) {
  return name_table<Phase>(
      {{Phase::lower, "lower"}, {Phase::upper, "upper"}, {Phase::both, "both"}});
}

// What ranks solve with, or are forecast to.
struct SystemRequest {
  std::optional<Part> part;
  Phase phase = Phase::both;
  bool as_is = false;  // a full matrix is not factored: its own triangles are L and U
  FactorRequest factor;
};
// --part, --phase, --as-is, --threads and the factor options.
void add_system_flags(CLI::App& app, SystemRequest& request);
// Before anything is read: fills in the part that the flags imply.  Throws UsageError for those
// that contradict each other.
void check_system_flags(const CLI::App& app, SystemRequest& request);

template <Scalar T>
struct RankSystem {
  Part part = Part::full;
  Phase phase = Phase::both;  // lower or upper where a triangle is solved with
  Factors<T> factors;         // of a triangle: itself as L or U
  std::string factor_reason;
  bool factored = false;
};
// Throws Error that names the input, UsageError.
template <Scalar T>
RankSystem<T> make_system(const SystemRequest& request, const Csr<T>& a, const std::string& input);

}  // namespace echelon::cli

// cli/system.hpp -- chooses the system to solve: a triangular matrix as it is, any other by its
// factors.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "echelon/matrix.hpp"
#include "factor_flags.hpp"
#include "options.hpp"

namespace echelon::cli {

// Lower or upper if all entries are in that triangle (a diagonal matrix is lower), else full.
// O(nnz).
Part part_of(const Pattern& a);

// The entries of the part; a triangle includes the diagonal.  O(nnz).
Offset nonzeros_of(const Pattern& a, Part part);

// The part that the flags ask for: --part, or full if a factorization is requested; none: chosen
// from the matrix.  Throws UsageError if a triangle is to be factored.
std::optional<Part> part_asked_for(const std::optional<Part>& part, const CLI::App& app);

// For messages: "--part full", or if it was chosen from the matrix "A.mtx, a full matrix (use
// --part lower or --part upper to solve with a triangle)".
std::string described(const std::string& input, Part part, bool asked_for);

// Which triangles of a factorization to solve with.
enum class Phase { lower, upper, both };
constexpr const char* name(Phase phase) {
  return phase == Phase::lower ? "lower" : phase == Phase::upper ? "upper" : "both";
}

// The system that ranks solve, or whose time is predicted.
struct SystemRequest {
  std::optional<Part> part;
  Phase phase = Phase::both;
  bool as_is = false;  // do not factor a full matrix: its own triangles are L and U
  FactorRequest factor;
};
// --part, --phase, --as-is, --threads and the factor options.
void add_system_flags(CLI::App& app, SystemRequest& request);
// Call before reading any file: sets the part that the flags imply.  Throws UsageError for flags
// that contradict each other.
void check_system_flags(const CLI::App& app, SystemRequest& request);

template <Scalar T>
struct RankSystem {
  Part part = Part::full;
  Phase phase = Phase::both;  // lower or upper for a triangle
  Factors<T> factors;         // for a triangle: itself as L or U
  std::string factor_reason;
  bool factored = false;
};
// Throws Error that names the input, UsageError.
template <Scalar T>
RankSystem<T> make_system(const SystemRequest& request, const Csr<T>& a, const std::string& input);

}  // namespace echelon::cli

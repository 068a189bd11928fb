// cli/factor_flags.hpp -- factors a matrix as the flags say: package, ordering and options.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "echelon/factor.hpp"
#include "echelon/matrix.hpp"

namespace echelon::cli {

struct FactorRequest {
  std::string package;            // empty: chosen from the matrix
  std::optional<Ordering> order;  // none: default of the package
  FactorOptions options;

  // The same for solves on this backend.
  FactorRequest solved_on(Backend backend) const {
    FactorRequest request = *this;
    request.options.solve_on = backend;
    return request;
  }
};

// --factor, --order and one flag per option.
void add_factor_flags(CLI::App& app, FactorRequest& request);

// A factorization and how it was chosen.
template <Scalar T>
struct Factored {
  Factors<T> factors;
  FactorOptions options;  // the ones used
  std::string reason;     // why this package
};

// Factors the matrix as requested.  Default package: CHOLMOD for a Hermitian matrix with a positive
// diagonal, else SuperLU.  Default ordering: METIS for complete factorizations, natural for
// incomplete ones.  Throws what factor_by_name throws; if the matrix is not positive definite, the
// message suggests another package.
template <Scalar T>
Factored<T> factor_matrix(const FactorRequest& request, const Csr<T>& a);

bool is_incomplete(const std::string& package);

}  // namespace echelon::cli

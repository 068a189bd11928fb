// cli/factor_flags.hpp -- the factorization the user asks for: package, order and options.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "echelon/factor.hpp"
#include "echelon/matrix.hpp"

namespace echelon::cli {

struct FactorRequest {
  std::string package;            // empty: by what the matrix is like
  std::optional<Ordering> order;  // none: that of the package
  FactorOptions options;
};

// --factor, --order and one flag for each of the options.
void add_factor_flags(CLI::App& app, FactorRequest& request);

// A factorization, and what led to it.
template <Scalar T>
struct Factored {
  Factors<T> factors;
  FactorOptions options;  // as they were used
  std::string reason;     // why this package
};

// Factors the matrix as asked for: by CHOLMOD if it is Hermitian with a positive diagonal, else
// by SuperLU, where no package is named; complete factorizations in METIS' order, incomplete
// ones in the natural one, where none is named.  Throws what factor_by_name does; where the
// matrix is not positive definite, the text says what else there is.
template <Scalar T>
Factored<T> factor_matrix(const FactorRequest& request, const Csr<T>& a);

bool is_incomplete(const std::string& package);

}  // namespace echelon::cli

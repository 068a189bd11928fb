// cli/system.cpp -- chooses the system to solve: a triangular matrix as it is, any other by its
// factors.
// SPDX-License-Identifier: BSD-3-Clause
#include "system.hpp"

#include "input.hpp"

namespace echelon::cli {

Part part_of(const Pattern& a) {
  bool lower = true, upper = true;
  for (Index i = 0; i < a.rows; ++i)
    for (const Index j : a.list(i)) {
      lower &= j <= i;
      upper &= j >= i;
    }
  return lower ? Part::lower : upper ? Part::upper : Part::full;
}

Offset nonzeros_of(const Pattern& a, Part part) {
  if (part == Part::full) return a.nonzeros();
  Offset count = 0;
  for (Index i = 0; i < a.rows; ++i)
    for (const Index j : a.list(i)) count += (part == Part::lower ? j <= i : j >= i) ? 1 : 0;
  return count;
}

std::optional<Part> part_asked_for(const std::optional<Part>& part, const CLI::App& app) {
  if (part && *part != Part::full) refuse_factor_options(app, std::string("--part ") + name(*part));
  if (!part && has_factor_options(app)) return Part::full;
  return part;
}

std::string described(const std::string& input, Part part, bool asked_for) {
  if (asked_for) return std::string("--part ") + name(part);
  if (part == Part::full)
    return input + ", a full matrix (use --part lower or --part upper to solve with a triangle)";
  return input + ", a triangular matrix (use --part full to solve by a factorization)";
}

void add_system_flags(CLI::App& app, SystemRequest& request) {
  add_part(app, request.part);
  add_choice<Phase>(
      app, "--phase", request.phase,
      {{"lower", Phase::lower}, {"upper", Phase::upper}, {"both", Phase::both}},
      "for a factorization: solve with L, with U (in the order of the factors), or both [both]");
  app.add_flag("--as-is", request.as_is,
               "do not factor a full matrix: use its own triangles as L and U");
  add_threads(app, request.factor.options.threads);
  add_factor_flags(app, request.factor);
}

void check_system_flags(const CLI::App& app, SystemRequest& request) {
  if (request.as_is) refuse_factor_options(app, "--as-is");
  request.part = part_asked_for(request.part, app);
}

template <Scalar T>
RankSystem<T> make_system(const SystemRequest& request, const Csr<T>& a, const std::string& input) {
  RankSystem<T> system;
  system.phase = request.phase;
  system.part = request.part ? *request.part : part_of(a.pattern());
  if (system.part != Part::full) {
    if (request.phase != Phase::both)
      throw UsageError("--phase does not go with " +
                       described(input, system.part, request.part.has_value()));
    system.phase = system.part == Part::lower ? Phase::lower : Phase::upper;
  }
  try {
    if (system.part != Part::full || request.as_is) {
      system.factors = factors_of(lower(a, {.outside = OutsideEntries::ignore}),
                                  upper(a, {.outside = OutsideEntries::ignore}));
      return system;
    }
    Factored<T> factored = factor_matrix(request.factor, a);
    system.factors = std::move(factored.factors);
    system.factor_reason = factored.reason;
    system.factored = true;
    return system;
  } catch (const Error& error) {
    refuse_input(input, error);
  }
}

#define ECHELON_INSTANTIATE(T) \
  template RankSystem<T> make_system(const SystemRequest&, const Csr<T>&, const std::string&);
ECHELON_INSTANTIATE(float)
ECHELON_INSTANTIATE(double)
ECHELON_INSTANTIATE(std::complex<float>)
ECHELON_INSTANTIATE(std::complex<double>)
#undef ECHELON_INSTANTIATE

}  // namespace echelon::cli

// cli/factor_flags.cpp -- factors a matrix as the flags say: package, ordering and options.
// SPDX-License-Identifier: BSD-3-Clause
#include "factor_flags.hpp"

#include <algorithm>
#include <array>

#include "input.hpp"
#include "options.hpp"
#include "progress.hpp"

namespace echelon::cli {
namespace {

constexpr std::array packages{"automatic", "cholmod",     "superlu", "umfpack",
                              "klu",       "superlu_ilu", "ilu0",    "ic0"};

std::string take_package(const std::string& text) {
  const std::vector<std::string> known(packages.begin(), packages.end());
  if (std::find(known.begin(), known.end(), text) != known.end()) return text;
  std::string list;
  for (const std::string& name : known) list += (list.empty() ? "" : "|") + name;
  throw UsageError("--factor is one of " + list + ", not '" + text + "'" + suggestion(text, known));
}

Ordering default_order(const std::string& package) {
  if (package == "ilu0" || package == "ic0") return Ordering::natural;
  return factor_defaults(package).order;
}

// What to try after a matrix could not be factored.
std::string next_try(const std::string& package, ErrorCode code) {
  if (code == ErrorCode::not_positive_definite && package == "cholmod")
    return "; use --factor automatic";
  if (code == ErrorCode::singular && !is_incomplete(package))
    return "; no factorization solves it: check that row or column, or add a small diagonal";
  return "";
}

}  // namespace

bool is_incomplete(const std::string& package) {
  return package == "superlu_ilu" || package == "ilu0" || package == "ic0";
}

void add_factor_flags(CLI::App& app, FactorRequest& request) {
  const auto take = [&request](const std::string& text) { request.package = take_package(text); };
  app.add_option_function<std::string>(
         "--factor", take, "package that factors [automatic: LL', LDL' or LU by the matrix]")
      ->type_name("automatic|cholmod|superlu|umfpack|klu|superlu_ilu|ilu0|ic0")
      ->group(factor_group);
  add_choice(app, "--order,--factor.order", request.order,
             "fill-reducing order [metis for cholmod and superlu, natural for ilu0 and ic0]")
      ->group(factor_group);
  add_factor_options(app, request.options);
}

template <Scalar T>
Factored<T> factor_matrix(const FactorRequest& request, const Csr<T>& a) {
  Factored<T> done{{}, request.options, "as asked for"};
  const std::string package = request.package.empty() ? "automatic" : request.package;
  done.options.order = request.order.value_or(default_order(package));
  try {
    done.factors = as_phase(package == "automatic" ? "choosing, ordering and factoring"
                                                   : "ordering and factoring with " + package,
                            [&] { return factor_by_name<T>(package, a, done.options); });
  } catch (const Error& error) {
    const std::string advice = next_try(package, error.code());
    if (advice.empty()) throw;
    throw Error(error.code(), error.what() + advice);
  }
  if (!done.factors.reason.empty())  // places are counted from 1, as in files
    done.reason = counted_from_one(Error(ErrorCode::singular, done.factors.reason));
  return done;
}

#define ECHELON_INSTANTIATE(T) \
  template Factored<T> factor_matrix(const FactorRequest&, const Csr<T>&);
ECHELON_INSTANTIATE(float)
ECHELON_INSTANTIATE(double)
ECHELON_INSTANTIATE(std::complex<float>)
ECHELON_INSTANTIATE(std::complex<double>)
#undef ECHELON_INSTANTIATE

}  // namespace echelon::cli

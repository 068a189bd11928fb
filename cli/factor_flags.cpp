// cli/factor_flags.cpp -- factors a matrix as the flags say: package, ordering and options.
// SPDX-License-Identifier: BSD-3-Clause
#include "factor_flags.hpp"

#include <algorithm>
#include <array>

#include "hermitian.hpp"
#include "options.hpp"

namespace echelon::cli {
namespace {

constexpr std::array packages{"cholmod", "superlu", "superlu_ilu", "ilu0", "ic0"};

std::string take_package(const std::string& text) {
  const std::vector<std::string> known(packages.begin(), packages.end());
  if (std::find(known.begin(), known.end(), text) != known.end()) return text;
  std::string list;
  for (const std::string& name : known) list += (list.empty() ? "" : "|") + name;
  throw UsageError("--factor is one of " + list + ", not '" + text + "'" + suggestion(text, known));
}

// Chooses the package from the properties of the matrix.
template <Scalar T>
std::string choose_package(const Csr<T>& a, std::string& reason) {
  const std::string obstacle = why_not_hermitian<T>(a);
  reason = obstacle.empty() ? "the matrix is Hermitian with a positive diagonal" : obstacle;
  return obstacle.empty() ? "cholmod" : "superlu";
}

}  // namespace

bool is_incomplete(const std::string& package) {
  return package == "superlu_ilu" || package == "ilu0" || package == "ic0";
}

void add_factor_flags(CLI::App& app, FactorRequest& request) {
  const auto take = [&request](const std::string& text) { request.package = take_package(text); };
  app.add_option_function<std::string>(
         "--factor", take,
         "package that factors [cholmod if Hermitian with a positive diagonal, else superlu]")
      ->type_name("cholmod|superlu|superlu_ilu|ilu0|ic0")
      ->group(factor_group);
  add_choice<std::optional<Ordering>>(
      app, "--order,--factor.order", request.order,
      {{"metis", Ordering::metis}, {"amd", Ordering::amd}, {"natural", Ordering::natural}},
      "fill-reducing order [metis; natural for ilu0 and ic0]")
      ->group(factor_group);
  add_factor_options(app, request.options);
}

template <Scalar T>
Factored<T> factor_matrix(const FactorRequest& request, const Csr<T>& a) {
  Factored<T> done{{}, request.options, "as asked for"};
  std::string package = request.package;
  if (package.empty()) package = choose_package(a, done.reason);
  const bool ours = package == "ilu0" || package == "ic0";
  done.options.order = request.order.value_or(ours ? Ordering::natural : Ordering::metis);
  try {
    done.factors = factor_by_name<T>(package, a, done.options);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::not_positive_definite || ours) throw;
    throw Error(error.code(), std::string(error.what()) + "; use --factor superlu");
  }
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

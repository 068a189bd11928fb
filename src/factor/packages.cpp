// factor/packages.cpp -- finds factorizations and orderings by name.
// SPDX-License-Identifier: BSD-3-Clause

#include "base/instantiate.hpp"
#include "echelon/factor.hpp"
#ifdef ECHELON_WITH_CHOLMOD
#include "factor/cholmod_library.hpp"
#endif
#ifdef ECHELON_WITH_UMFPACK
#include "factor/umfpack_library.hpp"
#endif
#ifdef ECHELON_WITH_KLU
#include "factor/klu_library.hpp"
#endif

namespace echelon {
namespace {

// Whether a library that is loaded at run time is installed where this program runs.
template <class Load>
bool loads(const Load& load) {
  try {
    load();
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

std::vector<std::string> factor_packages() {
  std::vector<std::string> names;
#ifdef ECHELON_WITH_CHOLMOD
  if (loads(cholmod_library)) names.push_back("cholmod");
#endif
#ifdef ECHELON_WITH_SUPERLU
  names.push_back("superlu");
#endif
#ifdef ECHELON_WITH_UMFPACK
  if (loads(umfpack_library)) names.push_back("umfpack");
#endif
#ifdef ECHELON_WITH_KLU
  if (loads(klu_library)) names.push_back("klu");
#endif
#ifdef ECHELON_WITH_SUPERLU
  names.push_back("superlu_ilu");
#endif
  names.push_back("ilu0");
  names.push_back("ic0");
  return names;
}

FactorOptions factor_defaults(const std::string& package, Backend solve_on) {
  FactorOptions o;
  o.solve_on = solve_on;
  if (package == "automatic" || package == "umfpack" || package == "klu")
    o.order = Ordering::automatic;
  return o;
}

template <Scalar T>
Factors<T> factor_by_name(const std::string& package, const MatrixView<T>& a,
                          const FactorOptions& o) {
  if (package == "automatic") return factor_automatic<T>(a, o);
  if (package == "cholmod") return factor_cholmod<T>(a, o);
  if (package == "superlu") return factor_superlu<T>(a, o);
  if (package == "umfpack") return factor_umfpack<T>(a, o);
  if (package == "klu") return factor_klu<T>(a, o);
  if (package == "superlu_ilu") return factor_superlu_ilu<T>(a, o);
  if (package == "ilu0") return factor_ilu0<T>(a, o);
  if (package == "ic0") return factor_ic0<T>(a, o);
  throw Error(ErrorCode::bad_argument,
              "there is no factorization '" + package +
                  "'; there are automatic, cholmod, superlu, umfpack, klu, superlu_ilu, ilu0, ic0");
}

#define ECHELON_INSTANTIATE(T)                                                 \
  template Factors<T> factor_by_name(const std::string&, const MatrixView<T>&, \
                                     const FactorOptions&);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon

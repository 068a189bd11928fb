// factor/packages.cpp -- finds factorizations and orderings by name.
// SPDX-License-Identifier: BSD-3-Clause

#include "base/instantiate.hpp"
#include "echelon/factor.hpp"

namespace echelon {

const char* name(Ordering order) noexcept {
  switch (order) {
    case Ordering::metis:
      return "metis";
    case Ordering::amd:
      return "amd";
    case Ordering::natural:
      return "natural";
  }
  return "unknown";
}

Ordering parse_ordering(std::string_view text) {
  for (const Ordering order : {Ordering::metis, Ordering::amd, Ordering::natural})
    if (text == name(order)) return order;
  throw Error(ErrorCode::bad_argument,
              "there is no ordering '" + std::string(text) + "'; there are metis, amd, natural");
}

std::vector<std::string> factor_packages() {
  std::vector<std::string> names;
#ifdef ECHELON_WITH_CHOLMOD
  names.push_back("cholmod");
#endif
#ifdef ECHELON_WITH_SUPERLU
  names.push_back("superlu");
  names.push_back("superlu_ilu");
#endif
  names.push_back("ilu0");
  names.push_back("ic0");
  return names;
}

template <Scalar T>
Factors<T> factor_by_name(const std::string& package, const CsrView<T>& a, const FactorOptions& o) {
  if (package == "cholmod") return factor_cholmod(a, o);
  if (package == "superlu") return factor_superlu(a, o);
  if (package == "superlu_ilu") return factor_superlu_ilu(a, o);
  if (package == "ilu0") return factor_ilu0(a, o);
  if (package == "ic0") return factor_ic0(a, o);
  throw Error(ErrorCode::bad_argument, "there is no factorization '" + package +
                                           "'; there are cholmod, superlu, superlu_ilu, ilu0, ic0");
}

#define ECHELON_INSTANTIATE(T) \
  template Factors<T> factor_by_name(const std::string&, const CsrView<T>&, const FactorOptions&);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon

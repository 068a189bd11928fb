// factor/choose_lu.cpp -- chooses the package for an LU factorization by the matrix.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  With a symmetric pattern and few zeros on the diagonal, pivots can stay on the diagonal
// in an order for A + A': then KLU factors where little work per entry is predicted.  All else goes
// to UMFPACK, which keeps the diagonal where it can, else orders columns and chooses sparse pivot
// rows.  KLU's analysis (block triangular form, AMD in each block) takes a small part of a
// factorization.
//
// Reference.  Davis and Palamadai Natarajan, ACM Trans. Math. Softw. 37 (2010), article 36.
#include "factor/choose_lu.hpp"

#include <algorithm>
#include <cmath>

#include "base/instantiate.hpp"
#include "echelon/factor.hpp"
#include "factor/input.hpp"

namespace echelon {
namespace {

// Flops per entry of L and U below which KLU is at least as fast as methods with dense blocks, as
// its authors found.
constexpr double most_flops_per_entry = 40;
// The share of diagonal entries that may be zero if pivots are to stay there.
constexpr double few_zeros = 0.01;
// Another package factors too if fewer entries by this factor were promised, for so many flops per
// entry that there are now.
constexpr double far_fewer = 2;
constexpr double little_work = 1000;

std::string text_of(const LuForecast& forecast) {
  if (!forecast.known) return "";
  return ", " + std::to_string(std::llround(forecast.flops / std::max(forecast.entries, 1.0))) +
         " flops per entry and " + std::to_string(forecast.blocks) +
         (forecast.blocks == 1 ? " diagonal block" : " diagonal blocks") + " expected";
}

}  // namespace

bool LuChoice::promises_less(Offset entries) const {
  const auto now = static_cast<double>(entries);
  return forecast.known && far_fewer * forecast.entries < now && forecast.flops < little_work * now;
}

template <Scalar T>
LuChoice choose_lu(const MatrixView<T>& a) {
  LuChoice choice;
  choice.forecast = forecast_lu(a);
  const bool symmetric = has_symmetric_pattern(a);
  const bool keeps_diagonal = symmetric && count_zero_diagonal(a) <= few_zeros * a.cols;
  const bool light = choice.forecast.known &&
                     choice.forecast.flops <= most_flops_per_entry * choice.forecast.entries;
  std::vector<std::string> wanted{"umfpack", light ? "klu" : "superlu", light ? "superlu" : "klu"};
  if (keeps_diagonal && light) std::swap(wanted[0], wanted[1]);
  const std::vector<std::string> installed = factor_packages();
  for (const std::string& package : wanted)
    if (std::find(installed.begin(), installed.end(), package) != installed.end())
      choice.packages.push_back(package);
  if (choice.packages.empty()) return choice;
  choice.reason = choice.packages.front() + ": " +
                  (keeps_diagonal ? "symmetric pattern"
                   : symmetric    ? "zeros on the diagonal"
                                  : "unsymmetric pattern") +
                  text_of(choice.forecast);
  return choice;
}

#define ECHELON_INSTANTIATE(T) template LuChoice choose_lu(const MatrixView<T>&);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon

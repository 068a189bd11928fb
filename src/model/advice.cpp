// model/advice.cpp -- finds the cheapest of several alternatives for a number of solves, and when
// each pays off.
// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <cstdio>
#include <limits>

#include "echelon/error.hpp"
#include "echelon/tools/estimate.hpp"

namespace echelon {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

double total_of(const Alternative& a, double solves) { return a.prepare_s + solves * a.solve_s; }

// The smallest number of solves for which `a` takes no more time than `first`.
double find_payoff(const Alternative& first, const Alternative& a) {
  const double gain = first.solve_s - a.solve_s;
  const double cost = a.prepare_s - first.prepare_s;
  if (gain < 0) return never;
  if (cost <= 0) return 1;
  return gain > 0 ? std::max(std::ceil(cost / gain), 1.0) : never;
}

std::string in_digits(const char* format, double value) {
  char text[32];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

void check(const Alternative& a) {
  if (!(a.prepare_s >= 0) || !(a.solve_s >= 0))
    throw Error(ErrorCode::bad_argument,
                "alternative '" + a.name + "' has a time that is no number from 0 on");
}

}  // namespace

std::string payoff_text(std::string_view what, std::string_view pays, double pays_after) {
  std::string text(what);
  if (std::isinf(pays_after)) return text.append(" never ").append(pays);
  text.append(" ").append(pays);
  if (pays_after <= 1) return text.append(" at once");
  return text.append(" after ").append(in_digits("%.15g", pays_after)).append(" solves");
}

Advice advise(std::span<const Alternative> alternatives, double expected_solves) {
  if (alternatives.empty())
    throw Error(ErrorCode::bad_argument, "there is no alternative to advise on");
  if (!(expected_solves >= 0))
    throw Error(ErrorCode::bad_argument, "expected_solves must be a number from 0 on");
  Advice advice;
  for (std::size_t k = 0; k < alternatives.size(); ++k) {
    const Alternative& a = alternatives[k];
    check(a);
    const double total = total_of(a, expected_solves);
    if (k == 0 || total < advice.total_s) {
      advice.best = k;
      advice.total_s = total;
    }
    advice.pays_after.push_back(find_payoff(alternatives[0], a));
  }
  std::string& text = advice.sentence;
  text.append("for ").append(in_digits("%.15g", expected_solves)).append(" solves ");
  text.append(alternatives[advice.best].name);
  text.append(" takes least, ").append(in_digits("%.3g", advice.total_s)).append(" s");
  for (std::size_t k = 1; k < alternatives.size(); ++k)
    text.append("; ").append(payoff_text(alternatives[k].name, "pays", advice.pays_after[k]));
  return advice;
}

}  // namespace echelon

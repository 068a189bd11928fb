// tests/support/refusal.hpp -- captures an Error, to compare its code and text.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <ostream>
#include <string>
#include <utility>

#include "echelon/error.hpp"

namespace echelon::test {

struct Refusal {
  ErrorCode code{};
  std::string text;

  Refusal() = default;
  Refusal(ErrorCode c, std::string t) : code(c), text(std::move(t)) {}
  bool operator==(const Refusal&) const = default;
  friend std::ostream& operator<<(std::ostream& out, const Refusal& r) {
    return out << name(r.code) << ": " << r.text;
  }
};

// Code and text of the Error that body throws; empty if it throws none.
template <class Body>
Refusal refusal(const Body& body) {
  try {
    body();
  } catch (const Error& e) {
    return {e.code(), e.what()};
  }
  return {};
}

}  // namespace echelon::test

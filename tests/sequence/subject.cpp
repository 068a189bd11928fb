// tests/sequence/subject.cpp -- remembers solutions and compares them bit by bit.
// SPDX-License-Identifier: BSD-3-Clause
#include "sequence/subject.hpp"

#include <cmath>
#include <sstream>

#include "sequence/call_vectors.hpp"

namespace echelon::test {
namespace {

// Zeros of different sign differ.
bool same_bits(const WideVector& a, const WideVector& b) {
  const auto same = [](long double p, long double q) {
    return p == q && std::signbit(p) == std::signbit(q);
  };
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!same(a[i].real(), b[i].real()) || !same(a[i].imag(), b[i].imag())) return false;
  return true;
}

}  // namespace

bool AnswerBook::agrees(Promise promise, Index problem, unsigned version, const Call& call, Index k,
                        const WideVector& x) {
  if (promise == Promise::none) return true;
  const bool same_call = promise == Promise::same_call;
  const Question question{problem,
                          version,
                          call.part,
                          call.alpha,
                          call.sweeps,
                          call.zero_guess,
                          vector_of(call, k),
                          same_call ? call.count : 0,
                          same_call ? k : 0,
                          same_call ? call.layout : Layout::column_major,
                          same_call ? call.pad_b : 0,
                          same_call ? call.pad_x : 0};
  const auto [at, is_new] = answers_.try_emplace(question, x);
  return is_new || same_bits(at->second, x);
}

std::string wrong_answer(Index k, double error, const Bound& bound) {
  std::ostringstream text;
  text << "vector " << k << " has " << (bound.componentwise ? "componentwise" : "normwise")
       << " backward error " << error << ", accepted " << bound.most;
  return text.str();
}

}  // namespace echelon::test

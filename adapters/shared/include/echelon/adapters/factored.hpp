// echelon/adapters/factored.hpp -- factors a matrix with a package and keeps its solver: factors of
// the same structure go through update(), so that the analysis is done once.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "echelon/direct.hpp"

namespace echelon::adapters {

// A number that differs, with a chance of 2^-64, for factors that one DirectSolver cannot share.
// Pivoting changes the structure of L and U, and cancellation the zeros of a panel.  O(nnz).
class Fingerprint {
 public:
  template <Scalar T>
  explicit Fingerprint(const Factors<T>& f) {
    add(f.n);
    add(f.symmetric ? 1 : 0);
    for (const char letter : f.kind) add(letter);
    add_all(f.col_order);
    add_triangle(f.lower);
    add_triangle(f.upper);
  }
  bool operator==(const Fingerprint&) const = default;

 private:
  void add(std::int64_t number) {
    hash_ = (hash_ ^ static_cast<std::uint64_t>(number)) * 0x9E3779B97F4A7C15U;
    hash_ ^= hash_ >> 32U;
  }
  template <class Array>
  void add_all(const Array& numbers) {
    add(static_cast<std::int64_t>(numbers.size()));
    for (const auto number : numbers) add(number);
  }
  template <Scalar T>
  void add_triangle(const FactorTriangle<T>& t) {
    add(t.unit_diagonal ? 1 : 0);
    add_all(t.panels.first);
    add_all(t.panels.row_start);
    add_all(t.panels.row);
    add_all(t.columns.start);
    add_all(t.columns.index);
    add_all(t.supernodes.first);
    add_all(t.supernodes.row);
  }

  std::uint64_t hash_ = 0;
};

// A DirectSolver that takes factors of any structure, one set after the other.
template <Scalar T>
class Factored {
 public:
  // Throws as DirectSolver does; there is then no solver.
  void take(Factors<T> factors, const Options& options) {
    const Fingerprint structure(factors);
    if (solver_ && structure_ == structure) {
      try {
        return solver_->update(std::move(factors));
      } catch (...) {
        forget();
        throw;
      }
    }
    forget();
    solver_.emplace(std::move(factors), options);
    structure_ = structure;
    ++analyses_;
  }
  void forget() {
    solver_.reset();
    structure_.reset();
  }

  // How many of the factors so far needed an analysis of their own.
  Index analyses() const { return analyses_; }
  bool ready() const { return solver_.has_value(); }
  // Throws bad_argument if there are no factors.
  const DirectSolver<T>& solver() const {
    if (!solver_) throw Error(ErrorCode::bad_argument, "no matrix has been factored yet");
    return *solver_;
  }

 private:
  std::optional<DirectSolver<T>> solver_;
  std::optional<Fingerprint> structure_;
  Index analyses_ = 0;
};

}  // namespace echelon::adapters

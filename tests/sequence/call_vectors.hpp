// tests/sequence/call_vectors.hpp -- the right-hand sides and solutions of one call, in memory with
// gaps that must not be read or written.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstring>
#include <optional>
#include <string>

#include "echelon/device.hpp"
#include "sequence/problem.hpp"

namespace echelon::test {

// Right-hand side k of a call is one of these: the same vector occurs in other calls, at other
// places, and must have the same solution.
constexpr unsigned different_vectors = 6;
inline unsigned vector_of(const Call& call, Index k) {
  return (call.seed + static_cast<unsigned>(k)) % different_vectors;
}

template <Scalar T>
class CallVectors {
 public:
  // `tiny`: the row whose right-hand side is tiny, or -1.  `guess`: x must not be NaN.
  CallVectors(Index n, const Call& call, Index tiny = -1, bool guess = false)
      : n_(n),
        call_(call),
        b_(memory(leading_b())),
        x_(call.in_place ? std::vector<T>() : memory(leading_x())) {
    for (Index k = 0; k < call.count; ++k)
      for (Index i = 0; i < n; ++i) {
        const auto key = key_of(vector_of(call, k), static_cast<unsigned>(i));
        b_[place(leading_b(), i, k)] =
            number<T>(hashed(key), hashed(~key)) * (i == tiny ? tiny_weight<T>() : Real<T>(1));
        if (guess) x_[place(leading_x(), i, k)] = number<T>(hashed(key + 1), hashed(~key - 1));
      }
    if (poisons()) b_[place(leading_b(), n / 2, call.count / 2)] = gap();
    given_b_ = b_;
    given_x_ = x_;
    if (!call.on_device) return;
    there_b_ = DeviceVector<T>(std::span<const T>(b_));
    if (!call.in_place) there_x_ = DeviceVector<T>(std::span<const T>(x_));
  }

  const Call& call() const { return call_; }
  Index n() const { return n_; }
  bool poisons() const { return call_.poison && call_.count > 0 && n_ > 0; }

  Vectors<const T> b() {
    return {call_.on_device ? there_b_.data() : b_.data(), n_, call_.count, leading_b(),
            call_.layout};
  }
  Vectors<T> x() {
    if (call_.in_place)
      return {call_.on_device ? there_b_.data() : b_.data(), n_, call_.count, leading_b(),
              call_.layout};
    return {call_.on_device ? there_x_.data() : x_.data(), n_, call_.count, leading_x(),
            call_.layout};
  }

  // Call it before the functions below, after the device has finished.
  void fetch() {
    if (!call_.on_device) return;
    there_b_.store(b_);
    if (!call_.in_place) there_x_.store(x_);
  }
  std::vector<T> right(Index k) const { return column(given_b_, leading_b(), k); }
  std::vector<T> guess(Index k) const { return column(given_x_, leading_x(), k); }
  std::vector<T> answer(Index k) const {
    return call_.in_place ? column(b_, leading_b(), k) : column(x_, leading_x(), k);
  }
  // Describes a write outside x; empty if there was none.
  std::string harm() const {
    if (!call_.in_place && !same_bits(b_, given_b_)) return "b was changed";
    const std::vector<T>& now = call_.in_place ? b_ : x_;
    std::vector<T> gaps = now, given = call_.in_place ? given_b_ : given_x_;
    const Offset leading = call_.in_place ? leading_b() : leading_x();
    for (Index k = 0; k < call_.count; ++k)
      for (Index i = 0; i < n_; ++i)
        gaps[place(leading, i, k)] = given[place(leading, i, k)] = T(0);
    return same_bits(gaps, given) ? "" : "memory between the answers was changed";
  }
  bool untouched() const { return same_bits(b_, given_b_) && same_bits(x_, given_x_); }

 private:
  static T gap() { return T(std::numeric_limits<Real<T>>::quiet_NaN()); }
  static bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
    return a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
  }
  bool by_columns() const { return call_.layout == Layout::column_major; }
  Offset least() const { return by_columns() ? n_ : call_.count; }
  Offset leading_b() const { return least() + call_.pad_b; }
  Offset leading_x() const { return least() + call_.pad_x; }
  std::size_t place(Offset leading, Index i, Index k) const {
    return static_cast<std::size_t>(by_columns() ? k * leading + i : i * leading + k);
  }
  std::vector<T> memory(Offset leading) const {
    return std::vector<T>(static_cast<std::size_t>(leading * (by_columns() ? call_.count : n_)),
                          gap());
  }
  std::vector<T> column(const std::vector<T>& from, Offset leading, Index k) const {
    std::vector<T> v;
    for (Index i = 0; i < n_; ++i) v.push_back(from[place(leading, i, k)]);
    return v;
  }

  Index n_;
  Call call_;
  std::vector<T> b_, x_, given_b_, given_x_;
  DeviceVector<T> there_b_, there_x_;
};

}  // namespace echelon::test

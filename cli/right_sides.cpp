// cli/right_sides.cpp -- right-hand sides of --rhs: ones, random numbers or a file.
// SPDX-License-Identifier: BSD-3-Clause
#include "right_sides.hpp"

#include <algorithm>
#include <charconv>

#include "echelon/io.hpp"
#include "usage.hpp"

namespace echelon::cli {
namespace {

double next_random(std::uint64_t& state) {  // splitmix64, in [-1, 1)
  std::uint64_t z = (state += 0x9E3779B97F4A7C15);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-52 - 1;
}

template <Scalar T>
T next_number(std::uint64_t& state) {
  const auto real = static_cast<Real<T>>(next_random(state));
  if constexpr (is_complex<T>)
    return {real, static_cast<Real<T>>(next_random(state))};
  else
    return real;
}

[[noreturn]] void refuse_size(const std::string& path, const std::string& has,
                              const std::string& needed) {
  throw Error(ErrorCode::bad_argument, path + ": has " + has + ", the system needs " + needed);
}

template <Scalar T>
DenseArray<T> read_checked(const std::string& path, Index n, Index count) {
  DenseArray<T> array = read_array<T>(path);
  if (array.rows != n) refuse_size(path, std::to_string(array.rows) + " rows", std::to_string(n));
  if (count != 0 && array.cols != count)
    refuse_size(path, std::to_string(array.cols) + " columns", std::to_string(count));
  return array;
}

template <Scalar T>
VectorBlock<T> make_block(Index n, Index count, Layout layout) {
  return {n, count, layout, Buffer<T>(static_cast<std::size_t>(n) * count)};
}

template <Scalar T, class Number>
void fill(VectorBlock<T>& block, const Number& number) {
  const Vectors<T> v = block.vectors();
  for (Index k = 0; k < v.count; ++k)
    for (Index i = 0; i < v.n; ++i) v.data[i * v.step() + k * v.stride()] = number(i, k);
}

}  // namespace

RightSides parse_right_sides(const std::string& text) {
  if (text == "ones") return {};
  if (text == "random") return {.kind = RightSides::Kind::random};
  if (text.starts_with("random:")) {
    RightSides from{.kind = RightSides::Kind::random};
    const char* last = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data() + 7, last, from.seed);
    if (error != std::errc() || end != last)
      throw UsageError("--rhs random:SEED needs a whole number, not '" + text.substr(7) + "'");
    return from;
  }
  const Field field = read_header(text).field;
  return {RightSides::Kind::file, 1, text,
          field == Field::complex ? Numbers::complex : Numbers::real};
}

template <Scalar T>
VectorBlock<T> make_right_sides(const RightSides& from, Index n, Index count, Layout layout) {
  if (from.kind == RightSides::Kind::file) {
    const DenseArray<T> array = read_checked<T>(from.path, n, count);
    VectorBlock<T> block = make_block<T>(n, array.cols, layout);
    fill(block, [&](Index i, Index k) { return array.value[i + Offset{k} * n]; });
    return block;
  }
  VectorBlock<T> block = make_block<T>(n, std::max<Index>(count, 1), layout);
  std::uint64_t state = from.seed;
  if (from.kind == RightSides::Kind::random)
    fill(block, [&](Index, Index) { return next_number<T>(state); });
  else
    fill(block, [](Index, Index) { return T(1); });
  return block;
}

#define ECHELON_INSTANTIATE(T) \
  template VectorBlock<T> make_right_sides(const RightSides&, Index, Index, Layout);
ECHELON_INSTANTIATE(float)
ECHELON_INSTANTIATE(double)
ECHELON_INSTANTIATE(std::complex<float>)
ECHELON_INSTANTIATE(std::complex<double>)
#undef ECHELON_INSTANTIATE

}  // namespace echelon::cli

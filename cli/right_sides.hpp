// cli/right_sides.hpp -- right-hand sides of --rhs: ones, random numbers or a file.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>

#include "echelon/matrix.hpp"
#include "scalar.hpp"

namespace echelon::cli {

struct RightSides {
  enum class Kind { ones, random, file };
  Kind kind = Kind::ones;
  std::uint64_t seed = 1;
  std::string path = {};  // of a file
  Numbers numbers = Numbers::real;
};

// "ones", "random:SEED" or the name of a file, whose header is read.  Throws UsageError for an
// invalid seed, bad_file.
RightSides parse_right_sides(const std::string& text);

// Vectors of n numbers that own their memory.
template <Scalar T>
struct VectorBlock {
  Index n = 0;
  Index count = 1;
  Layout layout = Layout::column_major;
  Buffer<T> value;  // size n*count

  Vectors<T> vectors() { return {value.data(), n, count, 0, layout}; }
  Vectors<const T> vectors() const { return {value.data(), n, count, 0, layout}; }
};

// Makes or reads `count` vectors of n numbers; 0: as many as the file has, or one.  Random numbers
// are between -1 and 1 and do not depend on the layout.  Throws bad_file, and bad_argument if the
// file has other sizes.
template <Scalar T>
VectorBlock<T> make_right_sides(const RightSides& from, Index n, Index count, Layout layout);

}  // namespace echelon::cli

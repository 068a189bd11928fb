// matrix/check_vectors.cpp -- checks sizes, layout and memory of right-hand sides and solutions.
// SPDX-License-Identifier: BSD-3-Clause
#include <cstdint>
#include <string>

#include "base/instantiate.hpp"
#include "base/refuse.hpp"
#include "echelon/error.hpp"
#include "echelon/matrix.hpp"

namespace echelon {
namespace {

template <class T>
void check_shape(Index n, const Vectors<T>& v, const char* what) {
  if (v.n != n)
    refuse(std::string(what) + " has " + std::to_string(v.n) + " entries for " + std::to_string(n) +
           " unknowns");
  if (v.count < 0) refuse(std::string(what) + " has a negative number of vectors");
  const Offset least = v.layout == Layout::column_major ? v.n : v.count;
  if (v.leading < least)
    refuse(std::string("the leading dimension of ") + what + " is " + std::to_string(v.leading) +
           ", below " + std::to_string(least));
  if (v.data == nullptr && n > 0 && v.count > 0) refuse(std::string(what) + " is a null pointer");
}

// The memory of vectors, as address ranges of equal length that do not touch each other.
struct Lines {
  template <class T>
  explicit Lines(const Vectors<T>& v)
      : begin(reinterpret_cast<std::uintptr_t>(v.data)),
        apart(static_cast<std::uintptr_t>(v.leading) * sizeof(T)),
        length(static_cast<std::uintptr_t>(v.layout == Layout::column_major ? v.n : v.count) *
               sizeof(T)),
        count(v.layout == Layout::column_major ? v.count : v.n) {}
  std::uintptr_t line(Index k) const { return begin + static_cast<std::uintptr_t>(k) * apart; }
  std::uintptr_t end() const { return line(count - 1) + length; }

  std::uintptr_t begin, apart, length;
  Index count;
};

// The same memory, entry for entry.  Both have the same number of lines of the same length.
bool same(const Lines& a, const Lines& b) {
  return a.begin == b.begin && (a.count == 1 || a.apart == b.apart);
}

// Both by rising addresses: if two lines do not overlap, the first of them overlaps no other line.
bool apart(const Lines& a, const Lines& b) {
  if (a.end() <= b.begin || b.end() <= a.begin) return true;
  for (Index i = 0, j = 0; i < a.count && j < b.count;) {
    if (a.line(i) + a.length <= b.line(j))
      ++i;
    else if (b.line(j) + b.length <= a.line(i))
      ++j;
    else
      return false;
  }
  return true;
}

}  // namespace

template <Scalar T>
void check_vectors(Index n, const Vectors<const T>& b, const Vectors<T>& x) {
  check_shape(n, b, "b");
  check_shape(n, x, "x");
  if (b.count != x.count || b.layout != x.layout)
    refuse("b and x differ in their number of vectors or their layout");
  if (n == 0 || x.count == 0) return;
  if (const Lines of_b(b), of_x(x); !same(of_b, of_x) && !apart(of_b, of_x))
    refuse("b and x overlap; they must be the same memory or not overlap at all");
}

#define ECHELON_INSTANTIATE(T) \
  template void check_vectors(Index, const Vectors<const T>&, const Vectors<T>&);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon

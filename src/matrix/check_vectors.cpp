// matrix/check_vectors.cpp -- right-hand sides and answers fit the unknowns and each other.
// SPDX-License-Identifier: BSD-3-Clause
#include <functional>
#include <string>

#include "base/instantiate.hpp"
#include "echelon/error.hpp"
#include "echelon/matrix.hpp"

namespace echelon {
namespace {

[[noreturn]] void refuse(const std::string& text) { throw Error(ErrorCode::bad_argument, text); }

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

// True if no entry of b shares memory with an entry of x other than its own.
template <class T>
bool apart_or_same(const Vectors<const T>& b, const Vectors<T>& x) {
  if (b.data == x.data && (b.count == 1 || b.leading == x.leading)) return true;
  const auto end = [](const auto& v) {
    return v.data + (v.n - 1) * v.step() + (v.count - 1) * v.stride() + 1;
  };
  const std::less_equal<const T*> before;
  if (before(end(b), x.data) || before(end(x), b.data)) return true;
  // Interleaved with one leading dimension: lines of one between lines of the other.
  const Offset line = x.layout == Layout::column_major ? x.n : x.count;
  if (b.leading != x.leading) return false;
  const Offset shift = ((x.data - b.data) % x.leading + x.leading) % x.leading;
  return shift >= line && shift <= x.leading - line;
}

}  // namespace

template <Scalar T>
void check_vectors(Index n, const Vectors<const T>& b, const Vectors<T>& x) {
  check_shape(n, b, "b");
  check_shape(n, x, "x");
  if (b.count != x.count || b.layout != x.layout)
    refuse("b and x differ in their number of vectors or their layout");
  if (n > 0 && x.count > 0 && !apart_or_same(b, x))
    refuse("b and x overlap; they must be the same memory or apart");
}

#define ECHELON_INSTANTIATE(T) \
  template void check_vectors(Index, const Vectors<const T>&, const Vectors<T>&);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon

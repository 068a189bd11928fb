// tests/support/failing_new.cpp -- replaces operator new of the program it is linked into.
// SPDX-License-Identifier: BSD-3-Clause
//
// A separate file: a compiler that sees both new and free warns of a mismatch.
#include "support/failing_new.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace echelon::test {

std::atomic<long> allocations_left{-1};
std::atomic<long> allocations_made{0};

}  // namespace echelon::test

namespace {

void* take(std::size_t bytes, std::size_t alignment) {
  ++echelon::test::allocations_made;
  if (echelon::test::allocations_left.load() >= 0 &&
      echelon::test::allocations_left.fetch_sub(1) == 0)
    throw std::bad_alloc();
  const std::size_t rounded = (std::max<std::size_t>(bytes, 1) + alignment - 1) / alignment;
  void* p = std::aligned_alloc(alignment, rounded * alignment);
  if (p == nullptr) throw std::bad_alloc();
  return p;
}

}  // namespace

void* operator new(std::size_t bytes) { return take(bytes, alignof(std::max_align_t)); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return take(bytes, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  try {
    return operator new(bytes);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }

// echelon/buffer.hpp -- a std::vector for large arrays of numbers: aligned to cache lines, on huge
// pages where available, and not zeroed by resize.
// SPDX-License-Identifier: BSD-3-Clause
//
// Use it.  Zeroing a new array and faulting it in by 4 KiB pages can cost more than an analysis.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace echelon {

// Allocates with operator new (so that tests can make it fail) and advises the kernel to use huge
// pages for arrays of several megabytes.  Throws std::bad_alloc.
void* allocate_aligned(std::size_t bytes);
void free_aligned(void* p, std::size_t bytes) noexcept;

template <class T>
struct BufferAllocator {
  using value_type = T;
  BufferAllocator() = default;
  template <class U>
  BufferAllocator(const BufferAllocator<U>&) noexcept {}

  T* allocate(std::size_t count) {
    if (count > static_cast<std::size_t>(-1) / sizeof(T)) throw std::bad_alloc();
    return static_cast<T*>(allocate_aligned(count * sizeof(T)));
  }
  void deallocate(T* p, std::size_t count) noexcept { free_aligned(p, count * sizeof(T)); }

  // resize(n) default-initializes: new numbers have no defined value until written.
  template <class U>
  void construct(U* p) noexcept {
    ::new (static_cast<void*>(p)) U;
  }
  template <class U, class... Args>
  void construct(U* p, Args&&... args) {
    ::new (static_cast<void*>(p)) U(std::forward<Args>(args)...);
  }
  bool operator==(const BufferAllocator&) const noexcept { return true; }
};

template <class T>
using Buffer = std::vector<T, BufferAllocator<T>>;

}  // namespace echelon

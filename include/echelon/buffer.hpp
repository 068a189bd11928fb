// echelon/buffer.hpp -- a std::vector for large arrays of plain numbers: aligned to a
// cache line, on huge pages where the system has them, and not zeroed when resized.
// SPDX-License-Identifier: BSD-3-Clause
//
// Use it.  Why: a fresh array is written once by the loop that fills it; zeroing it
// first, and faulting it in by 4 KiB pages, costs more than many an analysis.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#pragma GCC visibility push(default)
namespace echelon {

// Allocates through operator new (so that tests can make it fail) and advises the
// system to back arrays of several megabytes with huge pages.  Throws std::bad_alloc.
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

  // resize(n) default-initializes: numbers are left as they are until written.
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
#pragma GCC visibility pop

// base/buffer.cpp -- allocates aligned memory; large arrays use huge pages.
// SPDX-License-Identifier: BSD-3-Clause
#include "echelon/buffer.hpp"

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace echelon {
namespace {

constexpr std::size_t cache_line = 64;
constexpr std::size_t huge_page = std::size_t{2} << 20;

// Below two huge pages the alignment wastes more memory than huge pages are worth.
std::align_val_t alignment_of(std::size_t bytes) {
  return std::align_val_t(bytes < 2 * huge_page ? cache_line : huge_page);
}

}  // namespace

void* allocate_aligned(std::size_t bytes) {
  const auto alignment = alignment_of(bytes);
  void* p = ::operator new(bytes, alignment);
#ifdef __linux__
  if (alignment == std::align_val_t(huge_page)) madvise(p, bytes, MADV_HUGEPAGE);
#endif
  return p;
}

void free_aligned(void* p, std::size_t bytes) noexcept {
  ::operator delete(p, alignment_of(bytes));
}

}  // namespace echelon

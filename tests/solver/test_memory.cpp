// tests/solver/test_memory.cpp -- a solve allocates nothing; an allocation that fails anywhere
// is an Error, and nothing leaks (the sanitizer looks).
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "echelon/generate.hpp"
#include "echelon/solver.hpp"

namespace {

std::atomic<long> allocations{0};
std::atomic<long> fail_after{-1};  // the allocation after so many fails; -1: none

void* allocate(std::size_t bytes, std::size_t alignment) {
  ++allocations;
  if (fail_after >= 0 && fail_after-- == 0) throw std::bad_alloc();
  void* p = nullptr;
  if (posix_memalign(&p, std::max(alignment, sizeof(void*)), std::max<std::size_t>(bytes, 1)) != 0)
    throw std::bad_alloc();
  return p;
}

}  // namespace

void* operator new(std::size_t bytes) { return allocate(bytes, alignof(std::max_align_t)); }
void* operator new[](std::size_t bytes) { return allocate(bytes, alignof(std::max_align_t)); }
void* operator new(std::size_t bytes, std::align_val_t a) {
  return allocate(bytes, static_cast<std::size_t>(a));
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete[](void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }

namespace echelon {
namespace {

constexpr Method methods[] = {Method::serial,      Method::level_row,      Method::level_column,
                              Method::element_row, Method::element_column, Method::superstep};

TEST(Memory, ASolveAndAnUpdateAllocateNothing) {
  const auto a = generate<double>("laplace2d:40x40:5");
  const std::vector<double> b(1600 * 3, 1.0);
  std::vector<double> x(1600 * 3);
  for (const Method method : methods) {
    Options o;
    o.method = method;
    o.cpu.threads = 2;
    Solver<double> solver(lower(a, {.other = Other::ignore}), o);
    solver.solve(Vectors<const double>(b.data(), 1600, 3), Vectors<double>(x.data(), 1600, 3));
    const long before = allocations;
    solver.solve(Vectors<const double>(b.data(), 1600, 3), Vectors<double>(x.data(), 1600, 3));
    EXPECT_EQ(allocations, before) << name(method);
    solver.update(a.value);
    EXPECT_EQ(allocations, before) << name(method);
  }
}

TEST(Memory, EveryAllocationThatFailsIsAnErrorOfOurs) {
  const auto a = generate<double>("laplace2d:9x9:5");
  for (const Method method : methods) {
    for (const Op op : {Op::none, Op::transpose}) {
      Options o;
      o.method = method;
      o.cpu.threads = 2;
      const auto t = lower(a, {.op = op, .other = Other::ignore});
      bool failed = true;
      for (long k = 0; failed; ++k) {
        failed = false;
        fail_after = k;
        try {
          const Solver<double> solver(t, o);
        } catch (const Error& e) {
          failed = true;
          EXPECT_EQ(e.code(), ErrorCode::out_of_memory);
        }
        fail_after = -1;
        ASSERT_LT(k, 10000);
      }
    }
  }
}

}  // namespace
}  // namespace echelon

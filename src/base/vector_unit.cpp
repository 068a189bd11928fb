// base/vector_unit.cpp -- asks the processor.
// SPDX-License-Identifier: BSD-3-Clause
#include "base/vector_unit.hpp"

namespace echelon {

const char* name(VectorUnit unit) noexcept {
  constexpr const char* names[] = {"plain", "avx2", "avx512"};
  return names[static_cast<int>(unit)];
}

VectorUnit find_vector_unit() noexcept {
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("fma"))
    return VectorUnit::avx512;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return VectorUnit::avx2;
#endif
  return VectorUnit::plain;
}

namespace {

bool find_streams() noexcept {
#ifdef __x86_64__
  __builtin_cpu_init();
  return !__builtin_cpu_is("amd");
#else
  return true;
#endif
}

}  // namespace

const bool four_streams = find_streams();

}  // namespace echelon

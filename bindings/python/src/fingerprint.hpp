// bindings/python/src/fingerprint.hpp -- 128 bits that tell arrays apart, at the speed of memory.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  Two independent sums of 64 bits, each over four lanes of multiply-and-fold (the 128-bit
// product of two words mixed with secrets, its halves xored).  Not for hostile input: the arrays of
// one program differ by chance, and two patterns agree in 128 bits by chance only.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace echelon::python {

struct Fingerprint {
  std::uint64_t a = 0;
  std::uint64_t b = 0;
  bool operator==(const Fingerprint&) const = default;
};

inline std::uint64_t fold(std::uint64_t x, std::uint64_t y) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(x) * y;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

inline Fingerprint fingerprint(const void* data, std::size_t bytes, Fingerprint seed = {}) {
  constexpr std::uint64_t s0 = 0xa0761d6478bd642f, s1 = 0xe7037ed1a0b428db, s2 = 0x8ebc6af09c88c6e3,
                          s3 = 0x589965cc75374cc3;
  const auto* p = static_cast<const unsigned char*>(data);
  std::array<std::uint64_t, 4> lane{seed.a ^ s0, seed.b ^ s1, seed.a + s2, seed.b + s3};
  std::array<std::uint64_t, 8> w{};
  const auto mix = [&] {
    lane[0] = fold(w[0] ^ s0, w[1] ^ lane[0]) + w[1];
    lane[1] = fold(w[2] ^ s1, w[3] ^ lane[1]) + w[3];
    lane[2] = fold(w[4] ^ s2, w[5] ^ lane[2]) + w[5];
    lane[3] = fold(w[6] ^ s3, w[7] ^ lane[3]) + w[7];
  };
  std::size_t left = bytes;
  for (; left >= sizeof(w); left -= sizeof(w), p += sizeof(w)) {
    std::memcpy(w.data(), p, sizeof(w));
    mix();
  }
  w.fill(0);
  if (left > 0) std::memcpy(w.data(), p, left);
  mix();
  const std::uint64_t size = bytes;
  return {fold(lane[0] ^ size, lane[1] ^ s1) + fold(lane[2] ^ s2, lane[3]),
          fold(lane[2] ^ size, lane[0] ^ s3) + fold(lane[1] ^ s0, lane[3] + size)};
}

}  // namespace echelon::python

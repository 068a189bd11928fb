// adapters/cusparse/engine/kernels.hpp -- what the drop-in computes on the device itself: digests
// of arrays, and right-hand sides copied with a factor.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cuda_runtime_api.h>

#include <array>
#include <compare>
#include <cstdint>

#include "dense.hpp"
#include "matrix.hpp"

namespace echelon::dropin {

// 128 bits of an array's contents and order.
struct Digest {
  std::uint64_t low = 0, high = 0;
  auto operator<=>(const Digest&) const = default;
};

// Of starts and indices (minus their base, so that 32 and 64 bits, base 0 and 1 agree), and of the
// values' bits.
struct Digests {
  Digest start, index, value;
};

constexpr std::size_t digest_bytes = sizeof(Digests);

// `scratch`: digest_bytes on the device.  Waits.  Throws backend_failed.
Digests digest(const DeviceMatrix& a, void* scratch, cudaStream_t stream);

// A factor on the host, or on the device: then it is read when the kernel runs.
struct Factor {
  const void* number = nullptr;
  bool on_device = false;
};

// to = factor * from, entry by entry, for any layouts.  `to` may be `from` if their layouts agree.
void scale(const Dense& from, const Dense& to, const Factor& factor, cudaDataType type,
           cudaStream_t stream);

}  // namespace echelon::dropin

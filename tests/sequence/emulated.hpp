// tests/sequence/emulated.hpp -- the common part of the engines for emulated device code.
// SPDX-License-Identifier: BSD-3-Clause
//
// Include it after exec/emulated_flow.hpp.
#pragma once

#include <bit>
#include <map>
#include <memory>

#include "exec/cuda/runtime/device_vectors.cuh"
#include "exec/cuda/runtime/status_word.cuh"
#include "sequence/engine.hpp"

namespace echelon::test {

constexpr unsigned long long emulated_timeout_ns = 20000000000;  // twenty seconds

// Has the alignment of shared memory.
struct alignas(128) Line {
  char byte[128];
};

// The status words that kernels write for the host.
struct EmulatedStatus {
  unsigned words[status_words] = {};

  void check() const {
    unsigned all = 0;
    for (const unsigned word : words) all |= word;
    if ((all & status_gave_up) != 0) throw Error(ErrorCode::backend_failed, "it gave up");
    if (all != 0) throw Error(ErrorCode::not_finite, "an answer is not finite");
  }
};

template <Scalar T>
DeviceVectors<DeviceScalar<T>> device_vectors(const Vectors<const T>& b, const Vectors<T>& x,
                                              const Call& call, unsigned* status) {
  using D = DeviceScalar<T>;
  return {x.n,
          false,
          false,
          std::bit_cast<D>(alpha_of<T>(call)),
          reinterpret_cast<const D*>(b.data),
          b.step(),
          b.stride(),
          reinterpret_cast<D*>(x.data),
          x.step(),
          x.stride(),
          status};
}

// Runs body as each thread of `blocks` blocks.  Stacks are reused by later calls.
inline void run_emulated(int threads, int blocks, const std::function<void()>& body) {
  static std::map<std::pair<int, int>, std::unique_ptr<EmulatedBlock>> grids;
  auto& grid = grids[{threads, blocks}];
  if (!grid) grid = std::make_unique<EmulatedBlock>(threads, blocks);
  grid->run(body);
}

}  // namespace echelon::test

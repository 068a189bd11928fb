// exec/cuda/tiles/unused_slots.cuh -- sets slots without a producer to zero.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "exec/cuda/runtime/device_array.cuh"

namespace echelon {

template <class Word>
__global__ void fill_unused_slots(const Index* slot, Index slots, Index words, Word* flow,
                                  Offset size, Index copies) {
  const Offset k = Offset{blockIdx.x} * blockDim.x + threadIdx.x;
  if (k >= Offset{slots} * words) return;
  const Offset word = Offset{slot[k / words]} * words + k % words;
  for (Index c = 0; c < copies; ++c) flow[c * size + word] = 0;
}

// Fills all copies of a flow.  `words`: words per slot; `size`: words per copy.
template <class Word>
void fill_unused(const DeviceArray<Index>& unused, Index words, Word* flow, Offset size,
                 Index copies) {
  const std::size_t count = unused.size() * static_cast<std::size_t>(words);
  if (count == 0) return;
  fill_unused_slots<Word><<<static_cast<unsigned>((count + 255) / 256), 256>>>(
      unused.data(), static_cast<Index>(unused.size()), words, flow, size, copies);
  check_cuda(cudaGetLastError(), "a launch");
}

}  // namespace echelon

// exec/cuda/runtime/shared_memory.cpp -- shared memory available per thread block, and whether a
// method fits into it.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "echelon/executor.hpp"
#include "exec/cuda/tiles/tile_shared_memory.hpp"

namespace echelon {

Offset shared_memory_for(const CudaOptions& o) {
  const Offset there = shared_memory_of_device(o.device);
  const Offset most = there > 0 ? there : most_shared_memory;
  return o.shared_memory > 0 ? std::min(Offset{o.shared_memory} * 1024, most) : most;
}

// Every method but tree fits into the 48 KiB that every GPU has.
bool fits_shared_memory(Method method, Offset bytes) {
  return method != Method::tree || make_tile_room({1, 16}, bytes).bytes <= bytes;
}

}  // namespace echelon

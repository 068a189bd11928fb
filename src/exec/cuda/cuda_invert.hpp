// exec/cuda/cuda_invert.hpp -- panels uploaded as they are and inverted on the GPU.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "exec/cuda/device_values.cuh"

namespace echelon {

// What pack_blocks does, with the arithmetic on the device.  The same bits each time.
template <Scalar T>
class CudaInverter {
 public:
  // For plans in strips.  Uploads what it needs of it to the current device.
  // Throws backend_missing without one, out_of_memory.
  explicit CudaInverter(const BlockPlan& plan);
  ~CudaInverter();
  CudaInverter(const CudaInverter&) = delete;
  CudaInverter& operator=(const CudaInverter&) = delete;

  // Packs the panels as they are, of the same plan, and uploads them in pieces: one is packed while
  // the one before is on its way.  Returns when the last is packed.  Throws as pack_blocks does.
  void load(const BlockPlan& plan, const FillPanel<T>& fill, Index threads, cudaStream_t stream);

  // Puts the wanted form of what was loaded into `out`, sized as need be, and what became of it
  // into `report`: all but the values themselves, which the host does not see.  Waits for the end.
  // Throws out_of_memory with all that is needed, and not_finite with the row where single
  // precision is asked for and cannot hold a value; `out` is of no use then.
  void run(BlockForm wanted, const NumericOptions& o, DeviceValues<T>& out, BlockValues<T>& report,
           cudaStream_t stream);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace echelon

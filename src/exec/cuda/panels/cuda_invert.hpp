// exec/cuda/panels/cuda_invert.hpp -- uploads panels unchanged and inverts them on the GPU.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "exec/cuda/panels/device_values.cuh"

namespace echelon {

// Same results as pack_blocks, computed on the device.  Bitwise reproducible.
template <Scalar T>
class CudaInverter {
 public:
  // For plans with panels in strips.  Uploads the arrays it needs to the current device.  Throws
  // backend_missing without a device, and out_of_memory.
  explicit CudaInverter(const BlockPlan& plan);
  ~CudaInverter();
  CudaInverter(const CudaInverter&) = delete;
  CudaInverter& operator=(const CudaInverter&) = delete;

  // Packs the panels of the same plan unchanged and uploads them in pieces: the host packs one
  // piece while the previous one is uploaded.  Returns when the last piece is packed.  Throws as
  // pack_blocks does.
  void load(const BlockPlan& plan, const FillPanel<T>& fill, Index threads, cudaStream_t stream);

  // Computes the wanted form of the loaded panels into `out`, which it resizes as needed.  Fills
  // `report` except for the values, which stay on the device.  Waits for completion.  Throws
  // out_of_memory with the total bytes needed, and not_finite with the row if single precision is
  // requested and cannot hold a value; `out` is then unusable.
  void run(BlockForm wanted, const NumericOptions& o, DeviceValues<T>& out, BlockValues<T>& report,
           cudaStream_t stream);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace echelon

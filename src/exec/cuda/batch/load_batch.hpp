// exec/cuda/batch/load_batch.hpp -- copies values of systems on the device into groups.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cuda_runtime_api.h>

#include "exec/cuda/batch/batch_view.cuh"

namespace echelon {

// Fills whole groups of `width` systems, from system `first` on, with `systems` systems; entry p of
// system k of them is values[k * stride + p], on the device.  `refused` and `divides` of them must
// be zero.  Puts its kernels into the stream.
template <class T>
void load_groups(const BatchStore<T>& store, int width, Index first, Index systems, const T* values,
                 Offset stride, cudaStream_t stream);

}  // namespace echelon

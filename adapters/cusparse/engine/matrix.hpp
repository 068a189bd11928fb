// adapters/cusparse/engine/matrix.hpp -- a sparse matrix of a call: where it lies on the device,
// how it is read, and a copy on the host.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>

#include "call.hpp"
#include "echelon/buffer.hpp"
#include "echelon/matrix.hpp"

namespace echelon::dropin {

// Indices on the device: of 32 or 64 bits, counted from `base`.
struct DeviceIndices {
  const void* data = nullptr;
  bool wide = false;
  Index base = 0;
  Offset count = 0;
};

struct DeviceMatrix {
  Index n = 0;
  Offset nnz = 0;
  Order order = Order::rows;
  bool triplets = false;  // COO: `start` has the row of every entry
  Uplo uplo = Uplo::lower;
  Diagonal diagonal = Diagonal::stored;
  Op op = Op::none;
  cudaDataType type = CUDA_R_64F;
  DeviceIndices start, index;
  const void* value = nullptr;
};

// Bytes of a number, 0 for types that are not ours.
std::size_t size_of(cudaDataType type);

// Why the call is one for the vendor's library, or an empty string: then `found` is filled in.
// Reads descriptors only.
std::string read_matrix(const Call& call, DeviceMatrix& found);

// The pattern in the types of our library.
struct HostPattern {
  Buffer<Offset> start;
  Buffer<Index> index;
  // Of every unknown, the entry that is its diagonal.  Empty for a unit diagonal.
  Buffer<Offset> diagonal;
};

// Both wait until the copy is complete.
// Throws bad_argument for triplets that are not sorted by rows and for an unknown with several
// diagonal entries, zero_diagonal for one without; and whatever CUDA reports.
HostPattern download_pattern(const DeviceMatrix& a, cudaStream_t stream);
void download(const void* device, void* host, std::size_t bytes, cudaStream_t stream);

}  // namespace echelon::dropin

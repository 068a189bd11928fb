// exec/nvshmem/pe.hpp -- this process as an NVSHMEM PE: initialization with the ranks of a
// communicator, and symmetric memory.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <utility>

#include "distributed/communicator.hpp"
#include "exec/nvshmem/sm_partition.hpp"

namespace echelon {

// Memory of the symmetric heap, of the same size on all PEs, filled with zero bytes.
class SymmetricMemory {
 public:
  SymmetricMemory() = default;
  SymmetricMemory(SymmetricMemory&& other) noexcept { *this = std::move(other); }
  SymmetricMemory& operator=(SymmetricMemory&& other) noexcept;
  ~SymmetricMemory();  // collective; with a broken communicator the memory is not freed

  char* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }
  // The address of another PE's memory for this PE's GPU; null if it is not reachable.
  char* of(Index pe) const;

 private:
  friend class Pe;
  char* data_ = nullptr;
  std::size_t bytes_ = 0;
  Communicator* comm_ = nullptr;
};

class Pe {
 public:
  // Collective.  The first object chooses a GPU (rank on its node modulo number of GPUs) and
  // initializes NVSHMEM with these ranks; later objects must have the same ranks.  Throws the same
  // on all PEs, also if NVSHMEM fails on some only: backend_missing (no GPU, NVSHMEM older than
  // 3.4, or another version than at compile time), backend_failed, bad_argument.
  explicit Pe(Communicator& comm);
  Pe(const Pe&) = delete;
  Pe& operator=(const Pe&) = delete;
  ~Pe();  // with a broken communicator NVSHMEM is not finalized: that needs all PEs

  Communicator& comm() const { return comm_; }
  Index rank() const { return comm_.rank(); }
  Index size() const { return comm_.size(); }
  // CUDA's number.  It is the current device during the constructor; a caller of any other
  // function, or of a destructor of its memory, must make it current.
  Index gpu() const;
  std::string device_name() const;
  // This PE's part of the GPU, among the PEs that share it.
  const SmPartition& device() const;
  static std::string library_version();

  // Collective; allocates the largest `bytes` of all PEs.  Throws out_of_memory on all PEs, with
  // the requested size and the size of the heap (NVSHMEM_SYMMETRIC_SIZE).
  SymmetricMemory allocate(std::size_t bytes);
  // Number of PEs on this GPU, including this one.
  Index on_this_device() const;
  // Whether every PE's GPU can write into the memory of every other.
  bool all_in_reach();

 private:
  Communicator& comm_;
};

}  // namespace echelon

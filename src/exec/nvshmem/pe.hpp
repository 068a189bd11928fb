// exec/nvshmem/pe.hpp -- this process among those whose GPUs share memory: NVSHMEM, started with
// the ranks of a communicator, and memory that others may write to.
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
  ~SymmetricMemory();  // collective, unless the communicator is broken: then it is not given back

  char* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }
  // The same memory of another PE, as this one's GPU can reach it; null if it cannot.
  char* of(Index pe) const;

 private:
  friend class Pe;
  char* data_ = nullptr;
  std::size_t bytes_ = 0;
  Communicator* comm_ = nullptr;
};

class Pe {
 public:
  // Collective.  The first one picks a GPU (rank on its machine modulo GPUs) and initializes
  // NVSHMEM with these ranks; later ones must have the same.  Throws on all PEs alike, also where
  // NVSHMEM runs on some of them only:
  // backend_missing (no GPU, NVSHMEM older than 3.4, or not that which was compiled for),
  // backend_failed, bad_argument.
  explicit Pe(Communicator& comm);
  Pe(const Pe&) = delete;
  Pe& operator=(const Pe&) = delete;
  ~Pe();  // after a broken communicator NVSHMEM is not finalized: that needs all PEs

  Communicator& comm() const { return comm_; }
  Index rank() const { return comm_.rank(); }
  Index size() const { return comm_.size(); }
  // By CUDA's number.  It is the current device while the constructor runs; whoever calls another
  // function of a PE, or frees its memory, makes it so.
  Index gpu() const;
  std::string device_name() const;
  // Its own among the PEs that share its GPU.
  const SmPartition& device() const;
  static std::string library_version();

  // Collective; as many bytes as the PE that wants most.  Throws out_of_memory on all alike, with
  // how much was wanted and what the heap is (NVSHMEM_SYMMETRIC_SIZE).
  SymmetricMemory allocate(std::size_t bytes);
  // PEs that share this one's GPU, itself among them.
  Index on_this_device() const;
  // Whether every PE's GPU can write into the memory of every other.
  bool all_in_reach();

 private:
  Communicator& comm_;
};

}  // namespace echelon

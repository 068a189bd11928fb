// exec/cuda/bands/band_block.cuh -- a thread block of method superstep: its parameters, its shared
// memory, and the answers it publishes.
// SPDX-License-Identifier: BSD-3-Clause
//
// Protocol: see exec/cuda/bands/solve_bands.cuh.
#pragma once

#include "exec/cuda/bands/band_shared_memory.hpp"
#include "exec/cuda/runtime/device_flow.cuh"
#include "exec/cuda/runtime/device_vectors.cuh"
#include "exec/cuda/runtime/flow_copies.cuh"

namespace echelon {

// T is a DeviceScalar.
template <class T>
struct BandBlock {
  static constexpr int stages = BandRings::stages(sizeof(T));

  const char* chunk;         // all chunks, in the layout of BandParts
  const Offset* chunk_at;    // size chunks+1: offset of each chunk
  const Index* chunk_start;  // size bands+1
  Index bands;
  BandRings rings;
  BandRoles roles;
  DeviceVectors<T> vectors;
  Index count;  // number of vectors
  T* flow;      // two copies, each vector after vector
  Offset flow_size;
  Index published;
  GridState grid;
  BandSharedMemory room;

  struct Block {
    char* stage;
    Gate* full;  // [stages], as the next two
    Gate* ready;
    Gate* solved;
    T* slot;
    T* right;
    FlowCopies<T> copies;
    unsigned long long deadline;
    Index q;           // chunks of earlier bands
    Index begin, end;  // chunks of the band
    const T* b;        // of the current vector
    T* x;
    Offset first;  // of its slots in the flow
  };
  // A chunk in shared memory.
  struct Chunk {
    BandHead head;
    const char* value;
    const char* slot;
    const BandRow* row;
    const T* diagonal;
    const Index* fetch;
    const std::uint16_t* step_end;
  };

  __device__ static int worker() { return static_cast<int>(threadIdx.x); }
  __device__ static T zero() { return zero_of(T{}); }
  __device__ static T* slot_at(const Block& block, int k) { return block.slot + k; }
  __device__ T* right_of(const Block& block, Index q) const {
    return block.right +
           q % stages * ((room.bytes - room.right) / stages / static_cast<int>(sizeof(T)));
  }

  // --- Chunks.

  __device__ Chunk chunk_of(const Block& block, Index q) const {
    const char* const at = block.stage + q % stages * room.stage;
    const BandHead head = *reinterpret_cast<const BandHead*>(at);
    return {head,
            at + BandParts::value,
            at + head.slot_at,
            reinterpret_cast<const BandRow*>(at + head.row_at),
            reinterpret_cast<const T*>(at + head.diagonal_at),
            reinterpret_cast<const Index*>(at + head.fetch_at),
            reinterpret_cast<const std::uint16_t*>(at + head.step_end_at)};
  }
  // Waits for the gate of chunk q.
  __device__ static void wait_for(Gate* gates, Index q) {
    gate_wait(gates + q % stages, q / stages & 1);
  }
  __device__ static void arrive(Gate* gates, Index q) { gate_arrive(gates + q % stages); }
  // Calls body(q, chunk) for each chunk of the band that uses this stage, as soon as it is loaded.
  template <class Body>
  __device__ void for_chunks_of_stage(const Block& block, int stage, const Body& body) const {
    const Index end = block.q + block.end - block.begin;
    for (Index q = block.q + (stage - block.q % stages + stages) % stages; q < end; q += stages) {
      wait_for(block.full, q);
      body(q, chunk_of(block, q));
    }
  }

  // --- Published answers.

  __device__ static T poll(const Block& block, Index number) {
    return look_for(block.copies.now + block.first + number);
  }
  __device__ static void give(const Block& block, Index number, T a) {
    publish(block.copies.now + block.first + number, a);
    block.copies.empty_next(block.first + number);
  }
};

}  // namespace echelon

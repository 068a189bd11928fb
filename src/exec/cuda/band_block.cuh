// exec/cuda/band_block.cuh -- a block that runs bands: its parameters, its shared memory, and the
// answers it hands to others.
// SPDX-License-Identifier: BSD-3-Clause
//
// Protocol: exec/cuda/solve_bands.cuh.
#pragma once

#include "exec/cuda/band_room.hpp"
#include "exec/cuda/device_sync.cuh"
#include "exec/cuda/device_vectors.cuh"
#include "exec/cuda/flow_copies.cuh"

namespace echelon {

// T is a DeviceScalar.
template <class T>
struct BandBlock {
  static constexpr int stages = BandRings::stages(sizeof(T));

  const char* chunk;         // all of them, laid out as BandParts says
  const Offset* chunk_at;    // size chunks+1: where each begins
  const Index* chunk_start;  // size bands+1
  Index bands;
  BandRings rings;
  BandRoles roles;
  DeviceVectors<T> vectors;
  Index count;  // of them
  T* flow;      // two copies of: vector after vector
  Offset flow_size;
  Index handed_on;
  FlowState* state;
  unsigned long long patience;  // nanoseconds; 0: for ever
  BandRoom room;

  struct Block {
    char* stage;
    Gate* full;  // [stages], likewise
    Gate* ready;
    Gate* solved;
    T* slot;
    T* right;
    FlowCopies<T> copies;
    unsigned long long deadline;
    Index q;           // chunks before this band
    Index begin, end;  // chunks of the band
    const T* b;        // the vector's
    T* x;
    Offset first;  // of its numbers in the flow
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
  // Waits for what a gate says of the q-th chunk.
  __device__ static void wait_for(Gate* gates, Index q) {
    gate_wait(gates + q % stages, q / stages & 1);
  }
  __device__ static void arrive(Gate* gates, Index q) { gate_arrive(gates + q % stages); }
  // Calls body(q, chunk) for each of the band that goes through this stage, as soon as it is there.
  template <class Body>
  __device__ void for_chunks_of_stage(const Block& block, int stage, const Body& body) const {
    const Index end = block.q + block.end - block.begin;
    for (Index q = block.q + (stage - block.q % stages + stages) % stages; q < end; q += stages) {
      wait_for(block.full, q);
      body(q, chunk_of(block, q));
    }
  }

  // --- Numbers under way.

  __device__ static T look(const Block& block, Index number) {
    return look_for(block.copies.now + block.first + number);
  }
  __device__ static void give(const Block& block, Index number, T a) {
    hand_on(block.copies.now + block.first + number, a);
    block.copies.empty_next(block.first + number);
  }
  __device__ bool gives_up(const Block& block) const {
    if (load_flow(&state->given_up) == 0) {
      if (nanoseconds() < block.deadline) return false;
      store_flow(&state->given_up, 1u);
    }
    raise_status(vectors.status, status_gave_up);
    return true;
  }
};

}  // namespace echelon

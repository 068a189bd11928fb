// exec/cuda/runtime/stream_order.cpp -- serializes work in different streams with a CUDA event.
// SPDX-License-Identifier: BSD-3-Clause
//
// Protocol.  A StreamTurn starts with a wait for the event and ends with a record of it, both in
// the turn's stream.  The caller holds at most one turn of an order at a time.  So the work of a
// turn runs after the work of all earlier turns.  A wait for an event that was never recorded
// returns at once.  During a graph capture the turn does neither: a captured record would tie the
// event to the graph, and CUDA would reject a later wait for it outside the graph.
#include "echelon/executor.hpp"
#include "exec/cuda/runtime/require_device.hpp"
#include "exec/cuda/runtime/streams.cuh"

namespace echelon {

struct StreamOrder::State {
  CudaEvent last;
};

StreamOrder::StreamOrder() {
  require_device();
  state_ = std::make_unique<State>();
}
StreamOrder::~StreamOrder() = default;

bool is_capturing(void* stream) { return is_captured(static_cast<cudaStream_t>(stream)); }

StreamTurn::StreamTurn(const StreamOrder* order, void* stream)
    : order_(order == nullptr || is_capturing(stream) ? nullptr : order), stream_(stream) {
  if (order_ != nullptr) order_->state_->last.hold(static_cast<cudaStream_t>(stream_));
}

// If the stream rejects the record, it has rejected the work before it too, and that error was
// already reported.
StreamTurn::~StreamTurn() {
  if (order_ != nullptr) order_->state_->last.try_record(static_cast<cudaStream_t>(stream_));
}

}  // namespace echelon

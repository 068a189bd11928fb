// exec/cuda/stream_order.cpp -- work in any streams, one after the other, by an event.
// SPDX-License-Identifier: BSD-3-Clause
//
// Protocol.  A turn begins with a wait for the event and ends with its record, both in the turn's
// stream; turns of one order are taken one at a time.  So the work of a turn comes after that of
// the one before, and of all before that.  An event that was never recorded is not waited for.  In
// a capture neither is done: a captured record would leave the event to a graph, and who waits for
// it outside would be refused.
#include "echelon/executor.hpp"
#include "exec/cuda/require_device.hpp"
#include "exec/cuda/streams.cuh"

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

// A stream that takes no record has not taken the work before it either, which was told of.
StreamTurn::~StreamTurn() {
  if (order_ != nullptr) order_->state_->last.try_record(static_cast<cudaStream_t>(stream_));
}

}  // namespace echelon

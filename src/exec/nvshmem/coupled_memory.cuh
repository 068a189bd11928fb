// exec/nvshmem/coupled_memory.cuh -- the plan, lists and buffers of one PE of the coupled design in
// GPU memory.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "distributed/all_to_all.hpp"
#include "exec/cuda/runtime/device_array.cuh"
#include "exec/nvshmem/coupled_view.cuh"
#include "exec/nvshmem/pe.hpp"

namespace echelon {

// Collective: each receiver sends the places of its messages to its senders.
inline void exchange_targets(Communicator& comm, const LocalPlan& plan, Way way,
                             CoupledLists& lists) {
  std::vector<std::vector<std::int64_t>> out;
  comm.all_succeed([&] {
    for (const auto& messages : targets_for_senders(plan, lists)) {
      out.emplace_back();
      for (const CoupledPlace& message : messages)
        out.back().insert(out.back().end(), {message.place, message.signal});
    }
  });
  const auto in = all_to_all(comm, out);
  CoupledPlaces got(in.size());
  for (std::size_t r = 0; r < in.size(); ++r)
    for (std::size_t k = 0; k < in[r].size(); k += 2) got[r].push_back({in[r][k], in[r][k + 1]});
  receive_targets(plan, way, got, lists);
}

// Maximum sizes over all PEs, so that places are valid on every PE.
struct CoupledSizes {
  std::int64_t numbers = 0;  // per copy, for one right-hand side
  std::int64_t signals = 0;  // per copy
};
inline CoupledSizes common_sizes(Communicator& comm, const CoupledLists (&lists)[2]) {
  std::int64_t sizes[2] = {};
  for (const CoupledLists& l : lists) {
    sizes[0] = std::max<std::int64_t>(sizes[0], l.numbers());
    sizes[1] = std::max<std::int64_t>(sizes[1], l.message.size());
  }
  comm.reduce(sizes, MPI_MAX, "the sizes of others");
  return {sizes[0], sizes[1]};
}

// The layout of the memory that other PEs write: the last finished pass of each PE, the signals of
// both copies, both copies.
struct CoupledLayout {
  std::size_t signals = 0, copies = 0, bytes = 0;  // byte offsets
  std::size_t copy_bytes = 0;
  std::int64_t signal_count = 0;

  CoupledLayout() = default;
  CoupledLayout(Index pes, const CoupledSizes& sizes, std::size_t number_bytes) {
    constexpr std::size_t line = 256;
    const auto whole = [](std::size_t n) { return (n + line - 1) / line * line; };
    signal_count = sizes.signals;
    signals = whole(static_cast<std::size_t>(pes) * sizeof(Signal));
    copies = signals + whole(2 * static_cast<std::size_t>(sizes.signals) * sizeof(Signal));
    copy_bytes = whole(static_cast<std::size_t>(sizes.numbers) * number_bytes);
    bytes = copies + 2 * copy_bytes;
  }
};

// The lists of one direction, in device memory.
struct UploadedLists {
  DeviceArray<Index> task, needs, pending, child_start;
  DeviceArray<Offset> received_start;
  DeviceArray<CoupledMessage> message;
  DeviceArray<CoupledTarget> child, parent;
  Index tasks = 0, messages = 0;

  UploadedLists() = default;
  UploadedLists(const LocalPlan& plan, Way way, const CoupledLists& lists)
      : task(lists.task),
        needs(lists.missing),
        child_start(answer_trees(plan, way).child_start),
        received_start(lists.received_start),
        message(lists.message),
        child(lists.child),
        parent(lists.parent),
        tasks(static_cast<Index>(lists.task.size())),
        messages(static_cast<Index>(lists.message.size())) {
    Buffer<Index> all(lists.message.size());
    std::iota(all.begin(), all.end(), 0);
    pending.assign(all);
  }
  template <class View>
  void show(View& view) const {
    view.task = task.data();
    view.needs = needs.data();
    view.pending = pending.data();
    view.child_start = child_start.data();
    view.received_start = received_start.data();
    view.message = message.data();
    view.child = child.data();
    view.parent = parent.data();
    view.tasks = tasks;
    view.messages = messages;
  }
};

// The arrays of the plan that kernels read.
struct UploadedLocalPlan {
  DeviceArray<Index> start, block_start, row, receiver, sender;
  DeviceArray<Offset> row_start, value_start, diagonal;
  DeviceArray<LocalPlan::Block> block;

  UploadedLocalPlan() = default;
  UploadedLocalPlan(const LocalPlan& plan, const CoupledLists (&lists)[2])
      : start(plan.start),
        block_start(plan.block_start),
        row(plan.row),
        row_start(plan.row_start),
        value_start(plan.value_start),
        block(plan.block) {
    Buffer<Offset> at;
    for (const Index d : plan.diagonal) at.push_back(d < 0 ? -1 : plan.diagonals.value_start[d]);
    diagonal.assign(at);
    // For both directions, since both use the copies.
    Buffer<char> gets(static_cast<std::size_t>(plan.ranks), 0), sends = gets;
    for (const CoupledLists& l : lists) {
      for (const CoupledTarget& t : l.child) gets[t.pe] = 1;
      for (const CoupledTarget& t : l.parent)
        if (t.pe >= 0) gets[t.pe] = 1;
      for (const CoupledMessage& m : l.message) sends[m.from] = 1;
    }
    const auto list = [](const Buffer<char>& marked) {
      Buffer<Index> pes;
      for (std::size_t r = 0; r < marked.size(); ++r)
        if (marked[r]) pes.push_back(static_cast<Index>(r));
      return pes;
    };
    receiver.assign(list(gets));
    sender.assign(list(sends));
  }
  template <class View>
  void show(View& view) const {
    view.start = start.data();
    view.block_start = block_start.data();
    view.row = row.data();
    view.row_start = row_start.data();
    view.value_start = value_start.data();
    view.diagonal = diagonal.data();
    view.block = block.data();
    view.receiver = receiver.data();
    view.sender = sender.data();
    view.receivers = static_cast<Index>(receiver.size());
    view.senders = static_cast<Index>(sender.size());
  }
};

}  // namespace echelon

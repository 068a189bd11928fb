// distributed/all_to_all.cpp -- exchanges the sizes of all messages, then their contents.
// SPDX-License-Identifier: BSD-3-Clause
#include "distributed/all_to_all.hpp"

#include <limits>

namespace echelon {
namespace {

// Start of each message; the last element is the end of all.
std::vector<int> starts_of(const std::vector<int>& sizes) {
  std::vector<int> start(1, 0);
  for (const int size : sizes) {
    if (size > std::numeric_limits<int>::max() - start.back())
      throw Error(ErrorCode::bad_argument,
                  "ranks have more than 2^31 numbers to send to each other");
    start.push_back(start.back() + size);
  }
  return start;
}

}  // namespace

template <class Number>
std::vector<std::vector<Number>> all_to_all(Communicator& comm,
                                            const std::vector<std::vector<Number>>& messages) {
  constexpr const char* what = "messages between all ranks";
  struct Buffers {
    std::vector<int> sizes, from, come, to;
    std::vector<Number> out, in;
  };
  const Lent<Buffers> lent(comm.broken());
  Buffers& buffers = *lent;
  for (const auto& message : messages) buffers.sizes.push_back(static_cast<int>(message.size()));
  buffers.come = comm.exchange(buffers.sizes, what);
  comm.all_succeed([&] {
    for (const auto& message : messages)
      buffers.out.insert(buffers.out.end(), message.begin(), message.end());
    buffers.from = starts_of(buffers.sizes);
    buffers.to = starts_of(buffers.come);
    buffers.in.resize(static_cast<std::size_t>(buffers.to.back()));
  });
  const MPI_Datatype type = sizeof(Number) == 8 ? MPI_INT64_T : MPI_INT32_T;
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Ialltoallv(buffers.out.data(), buffers.sizes.data(), buffers.from.data(), type,
                           buffers.in.data(), buffers.come.data(), buffers.to.data(), type,
                           comm.get(), &request),
            "MPI_Ialltoallv");
  comm.wait(request, what);
  std::vector<std::vector<Number>> received;
  for (std::size_t k = 0; k < messages.size(); ++k)
    received.emplace_back(buffers.in.begin() + buffers.to[k],
                          buffers.in.begin() + buffers.to[k + 1]);
  return received;
}
template std::vector<std::vector<Index>> all_to_all(Communicator&,
                                                    const std::vector<std::vector<Index>>&);
template std::vector<std::vector<std::int64_t>> all_to_all(
    Communicator&, const std::vector<std::vector<std::int64_t>>&);

Offset largest(Communicator& comm, Offset mine) {
  comm.reduce(std::span(&mine, 1), MPI_MAX, "how large the largest is");
  return mine;
}

}  // namespace echelon

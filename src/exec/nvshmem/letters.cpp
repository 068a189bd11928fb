// exec/nvshmem/letters.cpp -- one exchange of how long letters are, one of what is in them.
// SPDX-License-Identifier: BSD-3-Clause
#include "exec/nvshmem/letters.hpp"

#include <limits>

namespace echelon {
namespace {

// Where each begins, and the end of all.
std::vector<int> starts_of(const std::vector<int>& sizes) {
  std::vector<int> start(1, 0);
  for (const int size : sizes) {
    if (size > std::numeric_limits<int>::max() - start.back())
      throw Error(ErrorCode::bad_argument, "ranks have more than 2^31 numbers to tell each other");
    start.push_back(start.back() + size);
  }
  return start;
}

}  // namespace

template <class Number>
std::vector<std::vector<Number>> exchange_letters(Communicator& comm,
                                                  const std::vector<std::vector<Number>>& letters) {
  constexpr const char* what = "what ranks have to tell each other";
  struct Room {
    std::vector<int> sizes, from, come, to;
    std::vector<Number> out, in;
  };
  const Lent<Room> lent(comm.broken());
  Room& room = *lent;
  for (const auto& letter : letters) room.sizes.push_back(static_cast<int>(letter.size()));
  room.come = comm.exchange(room.sizes, what);
  comm.together([&] {
    for (const auto& letter : letters)
      room.out.insert(room.out.end(), letter.begin(), letter.end());
    room.from = starts_of(room.sizes);
    room.to = starts_of(room.come);
    room.in.resize(static_cast<std::size_t>(room.to.back()));
  });
  const MPI_Datatype type = sizeof(Number) == 8 ? MPI_INT64_T : MPI_INT32_T;
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(
      MPI_Ialltoallv(room.out.data(), room.sizes.data(), room.from.data(), type, room.in.data(),
                     room.come.data(), room.to.data(), type, comm.get(), &request),
      "MPI_Ialltoallv");
  comm.wait(request, what);
  std::vector<std::vector<Number>> received;
  for (std::size_t k = 0; k < letters.size(); ++k)
    received.emplace_back(room.in.begin() + room.to[k], room.in.begin() + room.to[k + 1]);
  return received;
}
template std::vector<std::vector<Index>> exchange_letters(Communicator&,
                                                          const std::vector<std::vector<Index>>&);
template std::vector<std::vector<std::int64_t>> exchange_letters(
    Communicator&, const std::vector<std::vector<std::int64_t>>&);

Offset largest(Communicator& comm, Offset mine) {
  comm.reduce(std::span(&mine, 1), MPI_MAX, "how large the largest is");
  return mine;
}

}  // namespace echelon

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

std::vector<std::vector<Index>> exchange_letters(Communicator& comm,
                                                 const std::vector<std::vector<Index>>& letters) {
  std::vector<int> sizes, come(letters.size());
  std::vector<Index> out;
  for (const auto& letter : letters) {
    sizes.push_back(static_cast<int>(letter.size()));
    out.insert(out.end(), letter.begin(), letter.end());
  }
  MPI_Request request;
  check_mpi(MPI_Ialltoall(sizes.data(), 1, MPI_INT, come.data(), 1, MPI_INT, comm.get(), &request),
            "MPI_Ialltoall");
  comm.wait(request, "what ranks have to tell each other");
  const std::vector<int> from = starts_of(sizes), to = starts_of(come);
  std::vector<Index> in(static_cast<std::size_t>(to.back()));
  check_mpi(MPI_Ialltoallv(out.data(), sizes.data(), from.data(), MPI_INT32_T, in.data(),
                           come.data(), to.data(), MPI_INT32_T, comm.get(), &request),
            "MPI_Ialltoallv");
  comm.wait(request, "what ranks have to tell each other");
  std::vector<std::vector<Index>> received;
  for (std::size_t k = 0; k < letters.size(); ++k)
    received.emplace_back(in.begin() + to[k], in.begin() + to[k + 1]);
  return received;
}

Offset largest(Communicator& comm, Offset mine) {
  Offset most = 0;
  MPI_Request request;
  check_mpi(MPI_Iallreduce(&mine, &most, 1, MPI_INT64_T, MPI_MAX, comm.get(), &request),
            "MPI_Iallreduce");
  comm.wait(request, "how large the largest is");
  return most;
}

}  // namespace echelon

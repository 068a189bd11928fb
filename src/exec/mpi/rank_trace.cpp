// exec/mpi/rank_trace.cpp -- what all ranks did during some solves, gathered on rank 0.
// SPDX-License-Identifier: BSD-3-Clause
#include <numeric>

#include "base/instantiate.hpp"
#include "exec/mpi/rank_solver.hpp"

namespace echelon {
namespace {

// Spans as they lie in memory: all ranks run the same program.
Timeline gather(const Communicator& comm, const Timeline& mine) {
  MPI_Datatype span = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(sizeof(Span), MPI_BYTE, &span);
  MPI_Type_commit(&span);
  const int count = static_cast<int>(mine.size());
  std::vector<int> counts(static_cast<std::size_t>(comm.size()));
  MPI_Gather(&count, 1, MPI_INT, counts.data(), 1, MPI_INT, 0, comm.get());
  std::vector<int> starts(counts.size() + 1, 0);
  std::partial_sum(counts.begin(), counts.end(), starts.begin() + 1);
  Timeline all(comm.rank() == 0 ? static_cast<std::size_t>(starts.back()) : 0);
  MPI_Gatherv(mine.data(), count, span, all.data(), counts.data(), starts.data(), span, 0,
              comm.get());
  MPI_Type_free(&span);
  return all;
}

// Traces as long as it lives.
template <Scalar T>
class Traced {
 public:
  Traced(RankMachine<T>& machine, Timeline& out) : machine_(machine) { machine.trace(&out); }
  Traced(const Traced&) = delete;
  Traced& operator=(const Traced&) = delete;
  ~Traced() { machine_.trace(nullptr); }

 private:
  RankMachine<T>& machine_;
};

}  // namespace

template <Scalar T>
Timeline RankSolver<T>::trace(const std::function<void()>& solves) {
  refuse_when_broken();
  Timeline mine;
  {
    const Traced<T> traced(*machine_, mine);
    solves();
  }
  return gather(comm_, mine);
}

#define ECHELON_INSTANTIATE(T) template Timeline RankSolver<T>::trace(const std::function<void()>&);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon

// distributed/rank_trace.cpp -- gathers the timelines of all ranks on rank 0.
// SPDX-License-Identifier: BSD-3-Clause
#include <numeric>

#include "base/instantiate.hpp"
#include "distributed/rank_solver.hpp"

namespace echelon {
namespace {

// Sends spans as raw bytes: all ranks run the same program.
Timeline gather(Communicator& comm, Timeline mine) {
  constexpr const char* what = "what all ranks did";
  struct Room {
    std::vector<int> counts, starts;
    Timeline mine, all;
  };
  const Lent<Room> room(comm.broken());
  room->counts = comm.gather(static_cast<int>(mine.size()), what);
  comm.all_succeed([&] {
    room->mine = std::move(mine);
    room->starts.assign(room->counts.size() + 1, 0);
    std::partial_sum(room->counts.begin(), room->counts.end(), room->starts.begin() + 1);
    if (comm.rank() == 0) room->all.resize(static_cast<std::size_t>(room->starts.back()));
  });
  MPI_Datatype span = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(sizeof(Span), MPI_BYTE, &span);
  MPI_Type_commit(&span);
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(
      MPI_Igatherv(room->mine.data(), static_cast<int>(room->mine.size()), span, room->all.data(),
                   room->counts.data(), room->starts.data(), span, 0, comm.get(), &request),
      "MPI_Igatherv");
  comm.wait(request, what);
  MPI_Type_free(&span);
  return std::move(room->all);
}

// Traces during its lifetime.
template <Scalar T>
class Traced {
 public:
  Traced(RankBackend<T>& backend, Timeline& out) : backend_(backend) { backend.trace(&out); }
  Traced(const Traced&) = delete;
  Traced& operator=(const Traced&) = delete;
  ~Traced() { backend_.trace(nullptr); }

 private:
  RankBackend<T>& backend_;
};

}  // namespace

template <Scalar T>
Timeline RankSolver<T>::trace(const std::function<void()>& solves) {
  refuse_when_broken();
  Timeline mine;
  {
    const Traced<T> traced(*backend_, mine);
    solves();
  }
  const Call call(comm_);
  comm_.all_succeed([] {});
  return gather(comm_, std::move(mine));
}

#define ECHELON_INSTANTIATE(T) template Timeline RankSolver<T>::trace(const std::function<void()>&);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon

// distributed/scatter.cpp -- distributes the factors of rank 0 to all ranks.
// SPDX-License-Identifier: BSD-3-Clause
//
// Protocol.  Rank 0 visits the supernodes in order and sends each rank that has rows of one a
// message with these rows, column-major.  A rank expects one message per node with rows, in order.
// If rank 0 fails, it sends a message with another tag.  If another rank fails, it receives its
// remaining messages and then throws.
#include "distributed/scatter.hpp"

#include <array>
#include <cstring>
#include <limits>

#include "base/instantiate.hpp"

namespace echelon {
namespace {

constexpr int rows_tag = 1, failed_tag = 2;

template <class List>
void share_list(Communicator& comm, List& list) {
  constexpr const char* what = "the structure of the factors";
  std::int64_t size = comm.rank() == 0 ? static_cast<std::int64_t>(list.size()) : 0;
  comm.reduce(std::span(&size, 1), MPI_MAX, what);
  const Lent<List> lent(comm.broken(), std::move(list));
  comm.all_succeed([&] { lent->resize(static_cast<std::size_t>(size)); });
  MPI_Request request = MPI_REQUEST_NULL;
  auto* at = reinterpret_cast<char*>(lent->data());
  constexpr std::int64_t most = 1 << 30;  // bytes per call
  for (std::int64_t left = size * std::int64_t{sizeof((*lent)[0])}; left > 0; left -= most) {
    const auto piece = static_cast<int>(std::min(left, most));
    check_mpi(MPI_Ibcast(at, piece, MPI_BYTE, 0, comm.get(), &request), "MPI_Ibcast");
    comm.wait(request, what);
    at += piece;
  }
  list = std::move(*lent);
}

void share_supernodes(Communicator& comm, Supernodes& s) {
  share_list(comm, s.first);
  share_list(comm, s.row_start);
  share_list(comm, s.row);
  s.n = s.first.back();
}

// The send buffers of rank 0: two messages in flight at a time.
template <class T>
class RowSender {
 public:
  explicit RowSender(Communicator& comm) : comm_(comm), buffer_(comm.broken()) {}
  // The buffer for the next message.
  T* next(std::size_t numbers) {
    turn_ = 1 - turn_;
    if (busy_[turn_]) comm_.wait(request_[turn_], "a rank to take its rows");
    busy_[turn_] = false;
    now().resize(numbers);
    return now().data();
  }
  void send(Index to, int tag) {
    const std::size_t bytes = now().size() * sizeof(T);
    if (bytes > static_cast<std::size_t>(std::numeric_limits<int>::max()))
      throw Error(ErrorCode::bad_argument, "a block is larger than a message of MPI can be");
    check_mpi(MPI_Isend(now().data(), static_cast<int>(bytes), MPI_BYTE, to, tag, comm_.get(),
                        &request_[turn_]),
              "MPI_Isend");
    busy_[turn_] = true;
  }
  void finish() {
    for (int k = 0; k < 2; ++k)
      if (busy_[k]) comm_.wait(request_[k], "a rank to take its rows");
  }

 private:
  Buffer<T>& now() const { return (*buffer_)[static_cast<std::size_t>(turn_)]; }

  Communicator& comm_;
  Lent<std::array<Buffer<T>, 2>> buffer_;
  MPI_Request request_[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  bool busy_[2] = {false, false};
  int turn_ = 0;
};

// One message per node with rows.
Index count_messages(const LocalPlan& plan) {
  Index messages = 0;
  for (Index c = 0; c < plan.nodes(); ++c) messages += plan.diagonal[c] >= 0 || plan.height(c) > 0;
  return messages;
}

template <class T>
void send_rows(Communicator& comm, const SharedTriangle& triangle,
               const std::vector<LocalPlan>& plans, const FillRows<T>& whole) {
  const Supernodes& s = triangle.supernodes;
  RowSender<T> sender(comm);
  std::vector<Index> rows, left(plans.size(), 0);
  for (std::size_t r = 1; r < plans.size(); ++r) left[r] = count_messages(plans[r]);
  try {
    for (Index t = 0; t < s.count(); ++t)
      for (Index r = 1; r < comm.size(); ++r) {
        const Index c = plans[r].local_of[t];
        if (c < 0) continue;
        list_positions(plans[r], c, rows, triangle.with_diagonals);
        if (rows.empty()) continue;
        T* const columns = sender.next(rows.size() * static_cast<std::size_t>(s.width(t)));
        whole(t, rows, columns, static_cast<Offset>(rows.size()));
        sender.send(r, rows_tag);
        --left[r];
      }
    sender.finish();
  } catch (...) {
    if (comm.broken()) throw;
    for (Index r = 1; r < comm.size(); ++r) {
      if (left[r] == 0) continue;  // it has all its rows, and expects no more messages
      sender.next(0);
      sender.send(r, failed_tag);
    }
    sender.finish();
    throw;
  }
}

// Receives the messages of rank 0 on another rank.
class RowReceiver {
 public:
  RowReceiver(Communicator& comm, const LocalPlan& plan)
      : comm_(comm), left_(count_messages(plan)), buffer_(comm.broken()) {}
  void take(void* to, std::size_t bytes) {
    --left_;
    MPI_Status status;
    MPI_Message message;
    match(message, status);
    if (status.MPI_TAG == failed_tag) {
      left_ = 0;
      receive(message, 0);
      throw Error(ErrorCode::backend_failed, "rank 0 could not send its factors");
    }
    receive(message, bytes);
    std::memcpy(to, buffer_->data(), bytes);
  }
  // Receives all remaining messages.
  void drain() {
    while (left_-- > 0) {
      MPI_Status status;
      MPI_Message message;
      match(message, status);
      int bytes = 0;
      MPI_Get_count(&status, MPI_BYTE, &bytes);
      receive(message, static_cast<std::size_t>(bytes));
      if (status.MPI_TAG == failed_tag) return;
    }
  }

 private:
  void match(MPI_Message& message, MPI_Status& status) {
    const Timer since;
    for (int there = 0; !there;) {
      check_mpi(MPI_Improbe(0, MPI_ANY_TAG, comm_.get(), &there, &message, &status), "MPI_Improbe");
      if (!there) comm_.count_wait(since, "rows of rank 0");
    }
  }
  void receive(MPI_Message& message, std::size_t bytes) {
    if (buffer_->size() < bytes) buffer_->resize(bytes);
    MPI_Request request;
    check_mpi(MPI_Imrecv(buffer_->data(), static_cast<int>(bytes), MPI_BYTE, &message, &request),
              "MPI_Imrecv");
    comm_.wait(request, "rows of rank 0");
  }

  Communicator& comm_;
  Index left_;
  Lent<Buffer<char>> buffer_;
};

}  // namespace

template <Scalar T>
void share_structure(Communicator& comm, RankFactors<T>& f) {
  for (std::string* text : {&f.package, &f.kind, &f.ordering}) share_list(comm, *text);
  std::vector<Index> facts = {f.n, f.symmetric ? 1 : 0};
  share_list(comm, facts);
  f.n = facts[0];
  f.symmetric = facts[1] != 0;
  std::vector<Offset> nnz = {f.nnz};
  share_list(comm, nnz);
  f.nnz = nnz[0];
  share_supernodes(comm, f.lower);
  share_supernodes(comm, f.upper);
  share_list(comm, f.row_order);
  share_list(comm, f.col_order);
  share_scalings(comm, f);
}

template <Scalar T>
void share_scalings(Communicator& comm, RankFactors<T>& f) {
  share_list(comm, f.diagonal);
  share_list(comm, f.row_scale);
  share_list(comm, f.col_scale);
}

template <Scalar T>
void scatter_rows(Communicator& comm, const SharedTriangle& triangle, const FillRows<T>& whole,
                  const std::function<void(const FillRows<T>&)>& pack) {
  const Supernodes& s = triangle.supernodes;
  std::vector<LocalPlan> plans;
  std::unique_ptr<RowReceiver> receiver;
  comm.all_succeed([&] {
    if (comm.rank() > 0) {
      receiver = std::make_unique<RowReceiver>(comm, triangle.mine);
      return;
    }
    plans = make_local_plans(s, triangle.map, triangle.shape, comm.threads());
  });
  comm.all_succeed([&] {
    if (comm.rank() == 0) {
      send_rows(comm, triangle, plans, whole);
      plans.clear();
      return pack(whole);
    }
    try {
      pack([&](Index k, std::span<const Index> rows, T* columns, Offset) {
        receiver->take(columns, rows.size() * static_cast<std::size_t>(s.width(k)) * sizeof(T));
      });
    } catch (...) {
      if (!comm.broken()) receiver->drain();
      throw;
    }
  });
}

#define ECHELON_INSTANTIATE(T)                                                         \
  template void share_structure(Communicator&, RankFactors<T>&);                       \
  template void share_scalings(Communicator&, RankFactors<T>&);                        \
  template void scatter_rows(Communicator&, const SharedTriangle&, const FillRows<T>&, \
                             const std::function<void(const FillRows<T>&)>&);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon

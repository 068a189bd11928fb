// distributed/vector_route.hpp -- moves vector entries between the rank that holds a row and the
// rank that owns the diagonal block of its position.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "distributed/communicator.hpp"
#include "echelon/mpi.hpp"

#pragma GCC visibility push(default)
namespace echelon {

// Position p is row order[p] of a vector (row p if the order is empty).  All ranks can compute the
// holder of each row, so messages carry no indices: numbers between two ranks are sorted by
// position.
class VectorRoute {
 public:
  VectorRoute(const LocalPlan& plan, std::span<const Index> order, Placement placement);

  // The rows this rank holds, and the places of its diagonal blocks, sorted by the other rank.
  std::span<const Index> held() const { return held_; }    // rows, counted from this rank's first
  std::span<const Index> owned() const { return owned_; }  // places in a vector of the plan
  const std::vector<int>& held_count() const { return held_count_; }
  const std::vector<int>& owned_count() const { return owned_count_; }

 private:
  Buffer<Index> held_, owned_;
  std::vector<int> held_count_, owned_count_;
};

// Exchanges the entries along a route, `rhs_per_pass` vectors at a time.
template <Scalar T>
class VectorCarrier {
 public:
  VectorCarrier(Communicator& comm, Offset most_numbers);
  ~VectorCarrier();
  VectorCarrier(const VectorCarrier&) = delete;
  VectorCarrier& operator=(const VectorCarrier&) = delete;

  // put(v, owned place, get(v, held row)) for `count` vectors; `out` is the reverse.
  template <class Get, class Put>
  void in(const VectorRoute& route, Index count, const Get& get, const Put& put) {
    carry(Side{route.held(), route.held_count()}, Side{route.owned(), route.owned_count()}, count,
          get, put);
  }
  template <class Get, class Put>
  void out(const VectorRoute& route, Index count, const Get& get, const Put& put) {
    carry(Side{route.owned(), route.owned_count()}, Side{route.held(), route.held_count()}, count,
          get, put);
  }

 private:
  struct Side {
    std::span<const Index> places;
    const std::vector<int>& rank_count;  // places per other rank
  };
  template <class Get, class Put>
  void carry(const Side& from, const Side& to, Index count, const Get& get, const Put& put) {
    if (comm_.size() == 1) {
      for (Index v = 0; v < count; ++v)
        for (std::size_t i = 0; i < from.places.size(); ++i)
          put(v, to.places[i], get(v, from.places[i]));
      return;
    }
    std::size_t k = 0;
    for (const Index i : from.places)
      for (Index v = 0; v < count; ++v) room_->sent[k++] = get(v, i);
    exchange(from.rank_count, to.rank_count, count);
    k = 0;
    for (const Index i : to.places)
      for (Index v = 0; v < count; ++v) put(v, i, room_->received[k++]);
  }
  void exchange(const std::vector<int>& from_count, const std::vector<int>& to_count, Index count);

  struct Room {
    Buffer<T> sent, received;
    std::vector<int> counts[2], places[2];
  };

  Communicator& comm_;
  Lent<Room> room_;
  MPI_Datatype number_ = MPI_DATATYPE_NULL;
};

}  // namespace echelon
#pragma GCC visibility pop

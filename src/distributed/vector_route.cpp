// distributed/vector_route.cpp -- moves vector entries between the ranks that hold rows and the
// ranks that own diagonal blocks.
// SPDX-License-Identifier: BSD-3-Clause
#include "distributed/vector_route.hpp"

#include <limits>

#include "base/instantiate.hpp"

namespace echelon {
namespace {

Index holder_of(Index row, Index n, Index ranks, Placement placement) {
  if (placement == Placement::root) return 0;
  auto rank = static_cast<Index>(Offset{row} * ranks / n);
  while (row >= row_range(n, rank, ranks, placement).end) ++rank;
  while (row < row_range(n, rank, ranks, placement).begin) --rank;
  return rank;
}

}  // namespace

RowRange row_range(Index n, Index rank, Index ranks, Placement placement) {
  if (placement == Placement::root) return {0, rank == 0 ? n : 0};
  const auto begin = [&](Index r) { return static_cast<Index>(Offset{n} * r / ranks); };
  return {begin(rank), begin(rank + 1)};
}

VectorRoute::VectorRoute(const LocalPlan& plan, std::span<const Index> order, Placement placement)
    : held_count_(static_cast<std::size_t>(plan.ranks), 0),
      owned_count_(static_cast<std::size_t>(plan.ranks), 0) {
  std::vector<std::vector<Index>> held(held_count_.size()), owned(held_count_.size());
  const RowRange mine = row_range(plan.n, plan.rank, plan.ranks, placement);
  for (std::size_t s = 0; s < plan.root.size(); ++s) {
    const Index root = plan.root[s];
    for (Index p = plan.first[s]; p < plan.first[s + 1]; ++p) {
      const Index row = order.empty() ? p : order[p];
      if (row >= mine.begin && row < mine.end) held[root].push_back(row - mine.begin);
      if (root == plan.rank)
        owned[holder_of(row, plan.n, plan.ranks, placement)].push_back(
            plan.start[plan.local_of[s]] + p - plan.first[s]);
    }
  }
  for (std::size_t r = 0; r < held.size(); ++r) {
    held_.insert(held_.end(), held[r].begin(), held[r].end());
    owned_.insert(owned_.end(), owned[r].begin(), owned[r].end());
    held_count_[r] = static_cast<int>(held[r].size());
    owned_count_[r] = static_cast<int>(owned[r].size());
  }
}

template <Scalar T>
VectorCarrier<T>::VectorCarrier(Communicator& comm, Offset most_numbers)
    : comm_(comm), room_(comm.broken()) {
  if (comm.size() == 1) return;
  if (most_numbers > std::numeric_limits<int>::max())
    throw Error(ErrorCode::bad_argument,
                "rows times right-hand sides per pass exceed the largest MPI count; lower the "
                "option rhs_per_pass");
  Room& room = *room_;
  room.sent.resize(static_cast<std::size_t>(most_numbers));
  room.received.resize(static_cast<std::size_t>(most_numbers));
  check_mpi(MPI_Type_contiguous(sizeof(T), MPI_BYTE, &number_), "MPI_Type_contiguous");
  check_mpi(MPI_Type_commit(&number_), "MPI_Type_commit");
  for (auto* list : {&room.counts[0], &room.counts[1], &room.places[0], &room.places[1]})
    list->resize(static_cast<std::size_t>(comm.size()));
}

template <Scalar T>
VectorCarrier<T>::~VectorCarrier() {
  int over = 0;
  MPI_Finalized(&over);
  if (!over && !comm_.broken() && number_ != MPI_DATATYPE_NULL) MPI_Type_free(&number_);
}

template <Scalar T>
void VectorCarrier<T>::exchange(const std::vector<int>& from_count,
                                const std::vector<int>& to_count, Index count) {
  const std::vector<int>* const given[2] = {&from_count, &to_count};
  Room& room = *room_;
  for (int side = 0; side < 2; ++side)
    for (std::size_t r = 0, at = 0; r < room.counts[side].size(); ++r) {
      room.counts[side][r] = (*given[side])[r] * count;
      room.places[side][r] = static_cast<int>(at);
      at += static_cast<std::size_t>(room.counts[side][r]);
    }
  MPI_Request request;
  check_mpi(MPI_Ialltoallv(room.sent.data(), room.counts[0].data(), room.places[0].data(), number_,
                           room.received.data(), room.counts[1].data(), room.places[1].data(),
                           number_, comm_.get(), &request),
            "MPI_Ialltoallv");
  comm_.wait(request, "vectors of other ranks");
}

template class VectorCarrier<float>;
template class VectorCarrier<double>;
template class VectorCarrier<std::complex<float>>;
template class VectorCarrier<std::complex<double>>;

}  // namespace echelon

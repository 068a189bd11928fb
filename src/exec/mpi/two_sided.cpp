// exec/mpi/two_sided.cpp -- the two-sided engine, the baseline: MPI_Isend, and receives in order of
// arrival.
// SPDX-License-Identifier: BSD-3-Clause
//
// Protocol.  The tag is the number of the pass, so that messages of a rank that is ahead are not
// received too early.  A pass ends for a rank when it has received all its messages and its own
// sends are complete.
#include "base/instantiate.hpp"
#include "exec/mpi/mpi_exchange.hpp"

namespace echelon {
namespace {

template <Scalar T>
class TwoSided final : public MpiExchange<T> {
 public:
  TwoSided(Communicator& comm, std::vector<const LocalPlan*> plans, Index rhs_per_pass,
           double shake_us)
      : Base(comm, std::move(plans), rhs_per_pass, shake_us), read_(comm.broken()) {
    read_->resize(static_cast<std::size_t>(this->longest()));
    int* most = nullptr;
    int known = 0;
    MPI_Comm_get_attr(comm.get(), MPI_TAG_UB, &most, &known);
    tags_ = known ? *most : 32767;
  }

  bool receive(Arrival<T>& arrival) override {
    MPI_Message message;
    MPI_Status status;
    int there = 0;
    check_mpi(MPI_Improbe(MPI_ANY_SOURCE, tag(), this->comm_.get(), &there, &message, &status),
              "MPI_Improbe");
    if (!there) return false;
    const auto room = static_cast<int>(read_->size() * sizeof(std::uint64_t));
    MPI_Request request = MPI_REQUEST_NULL;
    check_mpi(MPI_Imrecv(read_->data(), room, MPI_BYTE, &message, &request), "MPI_Imrecv");
    this->comm_.wait(request, "all of a message");
    arrival = {MessageShape::decode(read_->front()), status.MPI_SOURCE,
               reinterpret_cast<const T*>(read_->data() + MessageShape::head)};
    this->arrived();
    return true;
  }
  void end() override { this->comm_.wait_all(sent_, "messages to leave"); }

 private:
  using Base = MpiExchange<T>;

  void begin_pass() override {}
  void post(Index to, std::uint64_t* message, Offset words) override {
    sent_.emplace_back();
    check_mpi(MPI_Isend(message, static_cast<int>(words * 8), MPI_BYTE, to, tag(),
                        this->comm_.get(), &sent_.back()),
              "MPI_Isend");
  }
  void make_progress() override {}  // MPI_Improbe makes progress
  int tag() const { return static_cast<int>(this->pass_ % static_cast<std::uint64_t>(tags_)); }

  Lent<std::vector<std::uint64_t>> read_;
  std::vector<MPI_Request> sent_;
  int tags_ = 0;
};

}  // namespace

template <Scalar T>
std::unique_ptr<MpiExchange<T>> make_two_sided(Communicator& comm,
                                               std::vector<const LocalPlan*> plans,
                                               Index rhs_per_pass, double shake_us) {
  return std::make_unique<TwoSided<T>>(comm, std::move(plans), rhs_per_pass, shake_us);
}

#define ECHELON_INSTANTIATE(T)                             \
  template std::unique_ptr<MpiExchange<T>> make_two_sided( \
      Communicator&, std::vector<const LocalPlan*>, Index, double);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon

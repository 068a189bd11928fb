// distributed/agreement.cpp -- collective agreement of ranks on errors and on small values.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  Each rank contributes a vote: whether it has failed, a value that must be equal on all
// ranks, and a flag.  One MPI_MAX reduction over these and the value's complement gives all ranks
// the same result: the lowest failed rank, whether the values differ, and whether a flag is set.
// All agreements have this one shape.  So a rank that fails and votes early matches the next
// agreement of the other ranks, whichever that is.
#include <cstring>
#include <new>
#include <optional>

#include "distributed/communicator.hpp"

namespace echelon {
namespace {

// Votes of agreements without a value of their own.
constexpr std::uint64_t to_be_ready = 0x7265616479, to_part = 0x70617274;

// Counts the nesting depth of all_succeed().
class Inside {
 public:
  explicit Inside(int& depth) : depth_(depth) { ++depth_; }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;
  ~Inside() { --depth_; }

 private:
  int& depth_;
};

std::string list_of(const std::vector<char>& flags, char wanted) {
  std::string text;
  for (std::size_t r = 0; r < flags.size(); ++r)
    if (flags[r] == wanted) text += (text.empty() ? "" : ", ") + std::to_string(r);
  return text;
}

}  // namespace

bool Communicator::agree(std::uint64_t value, bool flag, const Failure* failure, const char* what,
                         const char* differ) {
  auto& numbers = room_->numbers;
  const auto ranks = static_cast<std::uint64_t>(size_);
  numbers = {failure ? ranks - static_cast<std::uint64_t>(rank_) : 0, value, ~value,
             flag ? 1u : 0u};
  if (size_ > 1) {
    MPI_Request request = MPI_REQUEST_NULL;
    check_mpi(
        MPI_Iallreduce(MPI_IN_PLACE, numbers.data(), 4, MPI_UINT64_T, MPI_MAX, get(), &request),
        "MPI_Iallreduce");
    wait(request, what);
  }
  if (numbers[0] != 0) throw_failure(static_cast<Index>(ranks - numbers[0]), failure);
  if (numbers[1] != ~numbers[2])
    throw AgreedError(ErrorCode::bad_argument, std::string("ranks differ in ") + differ);
  return numbers[3] != 0;
}

void Communicator::throw_failure(Index of, const Failure* mine) {
  if (of == rank_)
    room_->head = {static_cast<int>(mine->code), static_cast<int>(mine->text.size())};
  Lent<std::string> text(broken_, of == rank_ ? mine->text : std::string());
  if (size_ > 1) {
    MPI_Request request = MPI_REQUEST_NULL;
    check_mpi(MPI_Ibcast(room_->head.data(), 2, MPI_INT, of, get(), &request), "MPI_Ibcast");
    wait(request, "an error's text");
    text->resize(static_cast<std::size_t>(room_->head[1]));
    check_mpi(MPI_Ibcast(text->data(), room_->head[1], MPI_CHAR, of, get(), &request),
              "MPI_Ibcast");
    wait(request, "an error's text");
  }
  throw AgreedError(static_cast<ErrorCode>(room_->head[0]), *text);
}

void Communicator::all_succeed(const std::function<void()>& body) {
  std::optional<Failure> failure;
  const std::string who = "rank " + std::to_string(rank_);
  try {
    const Inside inside(depth_);
    body();
  } catch (const AgreedError&) {
    throw;
  } catch (const Error& e) {
    if (broken_) throw;
    failure = {e.code(), e.what()};
  } catch (const std::bad_alloc&) {
    failure = {ErrorCode::out_of_memory, "there is not enough memory on " + who};
  } catch (const std::exception& e) {  // from a function of the caller
    failure = {ErrorCode::backend_failed, who + ": " + e.what()};
  } catch (...) {
    failure = {ErrorCode::backend_failed, who + " threw what is no std::exception"};
  }
  agree(to_be_ready, false, failure ? &*failure : nullptr, "all ranks to be ready");
}

// Inside a body of all_succeed(), another rank may have failed; this matches its vote.
void Communicator::hear() {
  if (depth_ > 0) agree(to_be_ready, false, nullptr, "all ranks to be ready");
}

void Communicator::require_same(std::uint64_t value, const char* what, const std::string& wrong) {
  const Failure failure{ErrorCode::bad_argument, wrong};
  agree(value, false, wrong.empty() ? nullptr : &failure, what, what);
}

bool Communicator::any(bool mine) {
  return agree(to_be_ready, mine, nullptr, "all ranks to be done");
}

bool Communicator::all_or_none(bool mine, const char* what) {
  const std::vector<char> all = gather<char>(mine ? 1 : 0, what);
  const std::string yes = list_of(all, 1), no = list_of(all, 0);
  if (!yes.empty() && !no.empty())
    throw AgreedError(ErrorCode::bad_argument,
                      std::string(what) + " rank " + yes + " but not rank " + no);
  return no.empty();
}

void Communicator::meet(const char* what) {
  for (int round = 0; round < 2; ++round) agree(to_be_ready, false, nullptr, what);
}

bool Communicator::can_part() noexcept try {
  if (broken_) return false;
  const double before = std::exchange(timeout_factor_, 1);
  for (int round = 0; round < 2; ++round)
    agree(to_part, false, nullptr, "all ranks to give the solver back");
  timeout_factor_ = before;
  return true;
} catch (...) {
  broken_ = true;
  return false;
}

void Communicator::reduce_words(std::size_t count, MPI_Datatype type, MPI_Op op, const char* what) {
  if (size_ == 1) return;
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Iallreduce(MPI_IN_PLACE, room_->numbers.data(), static_cast<int>(count), type, op,
                           get(), &request),
            "MPI_Iallreduce");
  wait(request, what);
}

void Communicator::reduce(std::span<double> numbers, MPI_Op op, const char* what) {
  hear();
  std::memcpy(room_->numbers.data(), numbers.data(), numbers.size_bytes());
  reduce_words(numbers.size(), MPI_DOUBLE, op, what);
  std::memcpy(numbers.data(), room_->numbers.data(), numbers.size_bytes());
}

void Communicator::reduce(std::span<std::int64_t> numbers, MPI_Op op, const char* what) {
  hear();
  std::memcpy(room_->numbers.data(), numbers.data(), numbers.size_bytes());
  reduce_words(numbers.size(), MPI_INT64_T, op, what);
  std::memcpy(numbers.data(), room_->numbers.data(), numbers.size_bytes());
}

void Communicator::gather_bytes(const void* mine, void* all, std::size_t bytes, const char* what) {
  hear();
  const auto count = static_cast<int>(bytes);
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Iallgather(mine, count, MPI_BYTE, all, count, MPI_BYTE, get(), &request),
            "MPI_Iallgather");
  wait(request, what);
}

void Communicator::exchange_bytes(const void* mine, void* all, std::size_t bytes,
                                  const char* what) {
  hear();
  const auto count = static_cast<int>(bytes);
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Ialltoall(mine, count, MPI_BYTE, all, count, MPI_BYTE, get(), &request),
            "MPI_Ialltoall");
  wait(request, what);
}

}  // namespace echelon

// tests/distributed/test_communicator.cpp -- ranks agree on errors, also inside an agreement.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <chrono>
#include <limits>
#include <stdexcept>
#include <thread>

#include "distributed/communicator.hpp"
#include "distributed/rank_problem.hpp"
#include "support/refusal.hpp"

namespace echelon::test {
namespace {

TEST(Communicators, HearWhoFailsBetweenTwoInnerAgreements) {
  Communicator comm(MPI_COMM_WORLD, 30);
  const Index last = size() - 1;
  for (int step = 0; step < 4; ++step) {  // before, between and after the inner agreements
    int done = 0;
    const auto fail = [&](int at) {
      if (step == at && rank() == last) throw Error(ErrorCode::zero_diagonal, "the last one");
    };
    const auto r = refusal([&] {
      comm.all_succeed([&] {
        fail(0);
        comm.all_succeed([&] { fail(1); });
        ++done;
        fail(2);
        comm.all_succeed([&] { ++done; });
        fail(3);
        ++done;
      });
    });
    EXPECT_EQ(r.code, ErrorCode::zero_diagonal) << step;
    EXPECT_EQ(r.text, "the last one");
    EXPECT_LE(done, 3);
    // All ranks are in step again.
    int sum = 0;
    comm.all_succeed([&] { ++sum; });
    EXPECT_EQ(sum, 1);
    EXPECT_FALSE(comm.any(false));
  }
}

TEST(Communicators, GoOnAfterAnErrorThatWasCaughtInside) {
  Communicator comm(MPI_COMM_WORLD, 30);
  const auto outer = refusal([&] {
    comm.all_succeed([&] {
      const auto inner = refusal(
          [&] { comm.all_succeed([] { throw Error(ErrorCode::bad_argument, "all of them"); }); });
      EXPECT_EQ(inner.text, "all of them");
      if (rank() == 0) throw Error(ErrorCode::bad_file, "then the first alone");
    });
  });
  EXPECT_EQ(outer.code, ErrorCode::bad_file);
  EXPECT_EQ(outer.text, "then the first alone");
}

// For any collective the others are about to call, they receive the error first.
TEST(Communicators, HearWhoFailsBeforeACollective) {
  Communicator comm(MPI_COMM_WORLD, 30);
  std::int64_t number = rank();
  const std::vector<std::function<void()>> collectives = {
      [&] { comm.reduce(std::span(&number, 1), MPI_MAX, "a number"); },
      [&] { comm.gather(rank(), "a number"); },
      [&] { comm.exchange(std::vector<int>(static_cast<std::size_t>(size())), "numbers"); },
      [&] { comm.any(true); },
      [&] { comm.meet("all"); },
  };
  for (const auto& collective : collectives) {
    const auto r = refusal([&] {
      comm.all_succeed([&] {
        if (rank() == size() - 1) throw std::runtime_error("no more");
        collective();
      });
    });
    EXPECT_EQ(
        r, Refusal(ErrorCode::backend_failed, "rank " + std::to_string(size() - 1) + ": no more"));
  }
  EXPECT_FALSE(comm.any(false));
}

TEST(Communicators, SayThatRanksMakeDifferentCalls) {
  if (size() == 1) return;
  Communicator comm(MPI_COMM_WORLD, 30);
  const auto r = refusal([&] {
    if (rank() == 0)
      comm.require_same(17, "what they ask for");
    else
      comm.all_succeed([] {});
  });
  EXPECT_EQ(r,
            Refusal(ErrorCode::bad_argument, rank() == 0 ? "ranks differ in what they ask for"
                                                         : "ranks differ in the call they make"));
  EXPECT_FALSE(comm.any(false));
}

TEST(Communicators, KnowWhatAllHaveOrNone) {
  Communicator comm(MPI_COMM_WORLD, 30);
  EXPECT_TRUE(comm.all_or_none(true, "A library runs on"));
  EXPECT_FALSE(comm.all_or_none(false, "A library runs on"));
  if (size() != 3) return;
  const auto r = refusal([&] { comm.all_or_none(rank() != 1, "A library runs on"); });
  EXPECT_EQ(r, Refusal(ErrorCode::bad_argument, "A library runs on rank 0, 2 but not rank 1"));
}

TEST(Communicators, TakeATimeOutWithoutEnd) {
  for (const double never : {0.0, std::numeric_limits<double>::infinity(), 1e300}) {
    Communicator comm(MPI_COMM_WORLD, never);
    const Call call(comm, Communicator::setup_timeout_factor);
    if (rank() == 0) std::this_thread::sleep_for(std::chrono::milliseconds(50));
    EXPECT_FALSE(comm.any(false));
  }
}

}  // namespace
}  // namespace echelon::test

// tests/mpi/test_communicator.cpp -- ranks that agree on what went wrong, also inside an agreement.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "exec/mpi/communicator.hpp"
#include "mpi/rank_problem.hpp"
#include "support/refusal.hpp"

namespace echelon::test {
namespace {

TEST(Communicators, HearWhoFailsBetweenTwoInnerAgreements) {
  Communicator comm(MPI_COMM_WORLD, 30);
  const Index last = size() - 1;
  for (int step = 0; step < 4; ++step) {  // before, between and after the inner ones
    int done = 0;
    const auto fail = [&](int at) {
      if (step == at && rank() == last) throw Error(ErrorCode::zero_diagonal, "the last one");
    };
    const auto r = refusal([&] {
      comm.together([&] {
        fail(0);
        comm.together([&] { fail(1); });
        ++done;
        fail(2);
        comm.together([&] { ++done; });
        fail(3);
        ++done;
      });
    });
    EXPECT_EQ(r.code, ErrorCode::zero_diagonal) << step;
    EXPECT_EQ(r.text, "the last one");
    EXPECT_LE(done, 3);
    // All are at the same place again.
    int sum = 0;
    comm.together([&] { ++sum; });
    EXPECT_EQ(sum, 1);
    EXPECT_FALSE(comm.any(false));
  }
}

TEST(Communicators, GoOnAfterAnErrorThatWasCaughtInside) {
  Communicator comm(MPI_COMM_WORLD, 30);
  const auto outer = refusal([&] {
    comm.together([&] {
      const auto inner = refusal(
          [&] { comm.together([] { throw Error(ErrorCode::bad_argument, "all of them"); }); });
      EXPECT_EQ(inner.text, "all of them");
      if (rank() == 0) throw Error(ErrorCode::bad_file, "then the first alone");
    });
  });
  EXPECT_EQ(outer.code, ErrorCode::bad_file);
  EXPECT_EQ(outer.text, "then the first alone");
}

}  // namespace
}  // namespace echelon::test

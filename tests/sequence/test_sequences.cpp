// tests/sequence/test_sequences.cpp -- random sequences of calls on the CPU's solvers.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "sequence/run_sequence.hpp"

namespace echelon::test {
namespace {

TEST(Sequences, OfSolvers) {
  expect_right({"solver", [](Draw& draw) { return draw_solver(draw, Backend::cpu); },
                make_solver_subject, 3300});
}

TEST(Sequences, OfDirectSolvers) {
  expect_right({"direct", [](Draw& draw) { return draw_direct(draw, Backend::cpu); },
                make_direct_subject, 2500});
}

TEST(Sequences, OfRanks) { expect_right({"ranks", draw_ranks, make_rank_subject, 800}); }

TEST(Sequences, OfSmoothers) {
  expect_right({"smoother", [](Draw& draw) { return draw_smoother(draw, Backend::cpu); },
                make_smoother_subject, 1200});
}

TEST(Sequences, OfBatches) {
  expect_right({"batch", [](Draw& draw) { return draw_batch(draw, Backend::cpu); },
                make_batch_subject, 1000});
}

// Found by sequences: a workspace identified its solver by address, which a later solver may get.
TEST(Sequences, WorkspacesOfASolverThatIsGoneAreRefused) {
  expect_right(make_solver_subject, {.n = 1},
               {{.action = Action::workspace, .solver = 1},
                {.action = Action::rebuild, .solver = 1},
                {.action = Action::rebuild},
                {.workspace = 3}});
}

// Found by sequences: the division by D ignored the layout of the vectors.
TEST(Sequences, TrianglesWithADiagonalTakeRowMajorVectors) {
  expect_right(make_direct_subject,
               {.kind = Kind::direct, .n = 2, .package = "simplicial", .rhs_per_pass = 3},
               {{.part = Part::triangles, .layout = Layout::row_major, .pad_x = 1}});
}

}  // namespace
}  // namespace echelon::test

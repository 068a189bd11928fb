// tests/cli/test_smooth.cpp -- echelon smooth: every direction, form and scalar type, the
// comparison with plain loops, and errors.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "echelon/io.hpp"
#include "expect_failure.hpp"
#include "run_program.hpp"

using namespace echelon::test;

TEST(Smooth, SaysWhatWasSweptAndHowFast) {
  const JsonValue v = run_well("smooth laplace2d:20x30:5 --json --repeat 3 --sweeps 4").json();
  EXPECT_EQ(v["n"].number, 600);
  EXPECT_EQ(v["nnz"].number, 2900);
  EXPECT_EQ(v["direction"].string, "symmetric");
  EXPECT_EQ(v["levels"].number, 98);
  EXPECT_EQ(v["flops"].number, 4 * 4 * 2900);
  EXPECT_NEAR(v["sweep_s"].number, v["solve_s"].number / 4, 1e-12);
  EXPECT_NEAR(v["gflops"].number, v["flops"].number / v["solve_s"].number / 1e9,
              1e-9 * v["gflops"].number);
}

TEST(Smooth, EveryDirectionFormAndMethodReducesTheResidual) {
  for (const std::string direction : {"forward", "backward", "symmetric"})
    for (const std::string form : {"row", "column", "automatic"})
      for (const std::string method : {"automatic", "serial", "LEVR", "superstep"}) {
        const JsonValue v = run_well(
                                "smooth laplace2d:12x13:5 --json --repeat 1 --threads 2 "
                                "--guess random:2 --sweeps 3 --direction " +
                                direction + " --form " + form + " --method " + method)
                                .json();
        EXPECT_EQ(v["direction"].string, direction);
        EXPECT_EQ(v["form"].string, form == "column" ? "column" : "row");
        EXPECT_LT(v["reduction"].number, 0.7) << direction << ' ' << form << ' ' << method;
      }
}

TEST(Smooth, TakesManyRightHandSidesAndComplexFiles) {
  const JsonValue many = run_well(
                             "smooth random:200:5:3 --json --repeat 1 --nrhs 3 --layout row "
                             "--rhs random:1 --omega 1.1 --precision float --sweeps 30")
                             .json();
  EXPECT_EQ(many["residual_after"].items.size(), 3u);
  EXPECT_LT(many["reduction"].number, 1e-5);
  EXPECT_EQ(many["vectors"].number, 2);
  const TestFolder folder;
  const std::string file = folder.write("z.mtx",
                                        "%%MatrixMarket matrix coordinate complex general\n"
                                        "2 2 4\n1 1 4 1\n2 2 5 -2\n2 1 1 1\n1 2 0 1\n");
  EXPECT_LT(run_well("smooth " + file + " --json --sweeps 40").json()["reduction"].number, 1e-14);
}

TEST(Smooth, WritesWhatTheSweepsGive) {
  const TestFolder folder;
  const std::string file = folder.write("a.mtx",
                                        "%%MatrixMarket matrix coordinate real general\n"
                                        "2 2 3\n1 1 2\n2 2 4\n2 1 1\n");
  const std::string out = folder.path("x.mtx");
  run_well("smooth " + file + " --direction forward --from-zero -o " + out);
  const auto x = echelon::read_array<double>(out);
  EXPECT_EQ(x.value[0], 0.5);
  EXPECT_EQ(x.value[1], 0.125);
}

TEST(Smooth, ComparesWithPlainLoops) {
  for (const std::string direction : {"forward", "backward", "symmetric"}) {
    const JsonValue v = run_well(
                            "smooth laplace2d:30x30:9 --json --compare --repeat 2 --threads 2 "
                            "--omega 1.2 --direction " +
                            direction)
                            .json();
    ASSERT_EQ(v["runs"].items.size(), 4u);
    EXPECT_EQ(v["runs"].items[0]["contender"].string, "plain");
    EXPECT_EQ(v["runs"].items[1]["contender"].string, "matsor");
    EXPECT_EQ(v["runs"].items[3]["contender"].string, "echelon");
    EXPECT_EQ(v["runs"].items[3]["threads"].number, 2);
    EXPECT_TRUE(v.has("machine"));
  }
}

TEST(Smooth, RefusesWhatCannotBeMeant) {
  const auto expect_misuse = [](std::vector<std::string> more, const std::string& part) {
    more.insert(more.begin(), {"smooth", "laplace2d:9x9:5"});
    const Outcome r = run_program(more);
    EXPECT_EQ(r.status, 2) << r.err;
    EXPECT_NE(r.err.find(part), std::string::npos) << "'" << part << "' in: " << r.err;
  };
  expect_misuse({"--omega", "2"}, "omega is 2");
  expect_misuse({"--direction", "down"},
                "--direction is one of forward|backward|symmetric, not 'down'");
  expect_misuse({"--form", "row", "--method", "ELMC"}, "has no row form");
  expect_misuse({"--from-zero", "--guess", "ones"}, "does not go with --guess");
  expect_misuse({"--sweep", "3"}, "there is no option --sweep");
  expect_misuse({"--backend", "cuda", "--form", "column"}, "take form automatic");
  expect_misuse({"--compare", "--methods", "tree"}, "--methods needs --compare and --backend cuda");
}

TEST(Smooth, NamesTheRowOfABadMatrix) {
  const TestFolder folder;
  const std::string file = folder.write("a.mtx",
                                        "%%MatrixMarket matrix coordinate real general\n"
                                        "2 2 2\n1 1 2\n2 1 1\n");
  expect_failure({"smooth", file}, "row 2 has no diagonal entry");
}

// tests/cli/test_bench.cpp -- echelon bench: the contenders that ran, their reports, and the
// missing ones.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <set>

#include "run_program.hpp"

using namespace echelon::test;

namespace {

JsonValue bench(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "bench");
  arguments.push_back("--json");
  const Outcome r = run_program(arguments);
  EXPECT_EQ(r.status, 0) << r.err;
  return r.json();
}

}  // namespace

TEST(Bench, RunsEveryMethodWithEveryNumberOfThreads) {
  const JsonValue v = bench({"laplace2d:30x40:5", "--part", "lower", "--contenders", "echelon",
                             "--threads", "1,2,3", "--repeat", "3", "--commit", "abc"});
  EXPECT_EQ(v["commit"].string, "abc");
  EXPECT_TRUE(v["machine"].has("cpu") && v["machine"].has("cores"));
  EXPECT_EQ(v["date"].string.size(), 20U);
  std::set<std::string> seen;
  for (const JsonValue& run : v["runs"].items) {
    seen.insert(run["contender"].string + "/" + std::to_string(int(run["threads"].number)));
    EXPECT_EQ(run["n"].number, 1200);
    EXPECT_EQ(run["levels"].number, 69);
    EXPECT_EQ(run["repeats"].number, 3);
    EXPECT_GT(run["solve_s"].number, 0);
    EXPECT_LE(run["solve_q1_s"].number, run["solve_q3_s"].number);
    EXPECT_LT(run["backward_error"].number, 1e-14);
  }
  EXPECT_EQ(seen.size(), 19U);  // six methods with three numbers of threads, and serial
  EXPECT_TRUE(seen.count("echelon:serial/1") && seen.count("echelon:element_column/3"));
}

TEST(Bench, ManyMatricesBothPartsAndEachPrecision) {
  const JsonValue v =
      bench({"laplace2d:10", "random:100:4:1", "--contenders", "echelon:serial,echelon:level_row",
             "--part", "both", "--threads", "2", "--repeat", "1", "--precision", "float"});
  EXPECT_EQ(v["runs"].items.size(), 8U);
  EXPECT_EQ(v["runs"].items[0]["part"].string, "lower");
  EXPECT_EQ(v["runs"].items[2]["part"].string, "upper");
  EXPECT_EQ(v["runs"].items[4]["input"].string, "random:100:4:1");
  EXPECT_EQ(v["runs"].items[0]["precision"].string, "float");
}

TEST(Bench, InPlaceAnswersAreCheckedToo) {
  const JsonValue v = bench({"laplace2d:30", "--part", "lower", "--contenders", "echelon",
                             "--threads", "1,2", "--repeat", "1", "--in-place"});
  EXPECT_TRUE(v["in_place"].boolean);
  EXPECT_EQ(v["runs"].items.size(), 13U);
}

TEST(Bench, EigenIsTheYardstickWhereItIsBuiltIn) {
  const Outcome r = run_program({"bench", "laplace2d:30", "--contenders", "eigen,echelon:serial",
                                 "--part", "both", "--repeat", "2", "--json"});
  ASSERT_EQ(r.status, 0) << r.err;
  const JsonValue v = r.json();
  if (!v["missing"].items.empty()) GTEST_SKIP() << v["missing"].items[0]["reason"].string;
  EXPECT_EQ(v["runs"].items[0]["contender"].string, "eigen");
  EXPECT_EQ(v["runs"].items[0]["speedup_vs_eigen"].number, 1);
  EXPECT_GT(v["runs"].items[1]["speedup_vs_eigen"].number, 0);
}

TEST(Bench, TheMissingAreNamed) {
  const Outcome r =
      run_program({"bench", "laplace2d:10", "--part", "lower", "--contenders",
                   "echelon:serial,mkl,scipy", "--mkl-library", "/nowhere/libmkl_rt.so", "--python",
                   "/nowhere/python", "--repeat", "1", "--json"});
  EXPECT_EQ(r.status, 0);
  EXPECT_EQ(count_lines(r.err), 2) << r.err;
  const JsonValue v = r.json();
  ASSERT_EQ(v["missing"].items.size(), 2U);
  EXPECT_EQ(v["missing"].items[0]["contender"].string, "mkl");
  EXPECT_EQ(v["missing"].items[1]["contender"].string, "scipy");
  EXPECT_NE(r.err.find("scipy is missing"), std::string::npos) << r.err;
  EXPECT_EQ(v["runs"].items.size(), 1U);

  const Outcome none = run_program(
      {"bench", "bidiagonal:10", "--contenders", "scipy", "--python", "/nowhere/python"});
  EXPECT_EQ(none.status, 1);
  EXPECT_NE(none.err.find("none of the contenders can run"), std::string::npos) << none.err;
}

TEST(Bench, ABadInputIsFoundBeforeTheFirstRun) {
  const Outcome r = run_program({"bench", "laplace2d:10", "absent.mtx"});
  EXPECT_EQ(r.status, 1);
  EXPECT_EQ(r.out, "");
  EXPECT_EQ(count_lines(r.err), 1) << r.err;
  const TestFolder folder;
  const std::string gap = folder.write(
      "gap.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n2 1 1\n");
  const Outcome singular = run_program({"bench", gap, "--contenders", "echelon", "--json"});
  EXPECT_EQ(singular.status, 1);
  EXPECT_EQ(singular.out, "");
  EXPECT_NE(singular.err.find("gap.mtx: "), std::string::npos) << singular.err;
}

TEST(Bench, ComplexFilesTakePart) {
  const TestFolder folder;
  const std::string file = folder.write("complex.mtx",
                                        "%%MatrixMarket matrix coordinate complex general\n"
                                        "3 3 5\n1 1 4 1\n2 2 5 -2\n3 3 6 0\n2 1 1 1\n3 2 2 -1\n");
  const JsonValue v =
      bench({file, "--part", "lower", "--contenders", "echelon:serial,eigen", "--repeat", "1"});
  EXPECT_GE(v["runs"].items.size(), 1U);
}

TEST(Bench, ATableForPeople) {
  const Outcome r =
      run_well("bench laplace2d:20 --part lower --contenders echelon --threads 1,2 --repeat 2");
  for (const char* part : {"contender", "threads", "GB/s", "x eigen", "echelon:superstep"})
    EXPECT_NE(r.out.find(part), std::string::npos) << part;
}

TEST(Bench, SeveralRightSidesOfATriangle) {
  for (const std::string nrhs : {"1", "5"}) {
    const JsonValue v = bench({"laplace2d:20", "--part", "both", "--contenders", "echelon,eigen",
                               "--nrhs", nrhs, "--threads", "2", "--repeat", "1", "--setups", "1"});
    EXPECT_GE(v["runs"].items.size(), 10U);
    for (const JsonValue& run : v["runs"].items) {
      EXPECT_EQ(std::to_string(static_cast<int>(run["nrhs"].number)), nrhs);
      EXPECT_LT(run["backward_error"].number, 1e-14);
      EXPECT_EQ(run["traffic_bytes"].number - run["bytes"].number,
                2 * 8 * 400 * run["nrhs"].number);
    }
  }
}

TEST(Bench, EachMatrixDecidesWhatIsSolved) {
  const JsonValue v = bench({"bidiagonal:30", "laplace2d:5", "--contenders", "echelon:automatic",
                             "--threads", "1", "--repeat", "1"});
  ASSERT_EQ(v["runs"].items.size(), 4U);
  EXPECT_EQ(v["runs"].items[0]["part"].string, "lower");
  EXPECT_EQ(v["runs"].items[1]["part"].string, "full");
}

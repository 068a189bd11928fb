// tests/cli/test_bench_full.cpp -- echelon bench --part full: the contenders that ran with the
// factors of a matrix, their phases, and the missing ones.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <set>

#include "run_program.hpp"

using namespace echelon::test;

namespace {

// Missing contenders are named on standard error, so it may contain text.
JsonValue full_bench(std::vector<std::string> arguments) {
  const std::vector<std::string> words{"bench", "--part", "full", "--json", "--repeat", "2"};
  arguments.insert(arguments.begin(), words.begin(), words.end());
  const Outcome r = run_program(arguments);
  EXPECT_EQ(r.status, 0) << r.err;
  return r.json();
}

}  // namespace

TEST(FullBench, RunsEveryOptionBesideThePackages) {
  const JsonValue v = full_bench({"laplace3d:6x6x6:7", "--factor", "cholmod", "--threads", "1,2"});
  std::set<std::string> seen;
  for (const JsonValue& run : v["runs"].items) {
    seen.insert(run["contender"].string + " " + run["phase"].string + "/" +
                std::to_string(int(run["threads"].number)));
    const bool ours = run["contender"].string.starts_with("echelon:");
    EXPECT_EQ(run["update_s"].number > 0, ours) << run["contender"].string;
    EXPECT_EQ(run["part"].string, "full");
    EXPECT_EQ(run["repeats"].number, 2);
    EXPECT_GT(run["solve_s"].number, 0);
    EXPECT_GT(run["stored_bytes"].number, 0);
    EXPECT_GT(run["read_gb_per_s"].number, 0);
    EXPECT_EQ(run["lower"].has("supernodes"), ours) << run["contender"].string;
    EXPECT_LT(run["normwise_error"].number, 10);
  }
  for (const char* method : {"default", "stream", "team", "merge", "invert_diag", "invert_off",
                             "spmv", "dynamic", "invert_full", "tree", "automatic"})
    for (const char* phase : {"lower", "upper", "both"})
      for (const char* threads : {"/1", "/2"}) {
        const std::string name = std::string("echelon:") + method + " " + phase + threads;
        EXPECT_TRUE(seen.count(name)) << name;
      }
  if (!is_missing(v, "cholmod")) {
    EXPECT_TRUE(seen.count("cholmod upper/2"));
  }
  if (!is_missing(v, "superlu")) {
    EXPECT_TRUE(seen.count("superlu both/1"));
    EXPECT_FALSE(seen.count("superlu lower/1"));
  }
}

TEST(FullBench, WhoCannotTakePartIsNamed) {
  const TestFolder folder;
  const std::string file = folder.write("general.mtx",
                                        "%%MatrixMarket matrix coordinate real general\n"
                                        "3 3 5\n1 1 4\n2 2 5\n3 3 6\n2 1 1\n3 2 2\n");
  const JsonValue v = full_bench({file, "--contenders", "echelon:tree,cholmod,superlu"});
  EXPECT_TRUE(is_missing(v, "cholmod"));  // the matrix is not symmetric
  EXPECT_EQ(v["runs"].items[0]["factor_kind"].string, "LU");
  const JsonValue low =
      full_bench({"laplace2d:8", "--low-precision", "--contenders", "echelon:stream,echelon:tree"});
  EXPECT_TRUE(is_missing(low, "echelon:stream"));  // BLAS has no panels of mixed precision
  EXPECT_TRUE(low["runs"].items[0]["low_precision"].boolean);
}

// Contenders that solve A x = b, in the order of the runs.
TEST(FullBench, WholeSolvesAreTimedWhenAskedFor) {
  const std::vector<std::string> words{"random:80:3", "--threads", "1,2", "--contenders",
                                       "echelon:tree,echelon:superstep,superlu,umfpack,klu"};
  std::vector<std::string> more = words;
  more.insert(more.end(), {"--whole", "--solves-only", "--most-seconds", "60"});
  std::set<std::string> seen;
  const JsonValue v = full_bench(more);
  for (const JsonValue& run : v["runs"].items) {
    seen.insert(run["contender"].string + " " + run["phase"].string + "/" +
                std::to_string(int(run["threads"].number)));
    EXPECT_LT(run["normwise_error"].number, 10) << run["contender"].string;
    EXPECT_FALSE(run["update_s"].number > 0);
  }
  for (const char* ours : {"echelon:tree", "echelon:superstep"})
    for (const char* phase : {" lower/1", " upper/2", " both/1", " whole/2"})
      EXPECT_TRUE(seen.count(ours + std::string(phase))) << ours << phase;
  EXPECT_EQ(seen.count("superlu whole/2"), !is_missing(v, "superlu"));
  EXPECT_EQ(seen.count("umfpack lower/1"), !is_missing(v, "umfpack"));
  EXPECT_EQ(seen.count("umfpack whole/1"), !is_missing(v, "umfpack"));
  EXPECT_EQ(seen.count("klu whole/1"), !is_missing(v, "klu"));
  EXPECT_FALSE(seen.count("klu whole/2"));  // one thread
  const JsonValue plain = full_bench(words);
  for (const JsonValue& run : plain["runs"].items) {
    EXPECT_TRUE(run["phase"].string != "whole" || run["contender"].string == "klu");
  }
}

TEST(FullBench, APackageThatFailsIsNamedAndTheOthersRun) {
  const TestFolder folder;
  const std::string file = folder.write("complex.mtx",
                                        "%%MatrixMarket matrix coordinate complex general\n"
                                        "3 3 5\n1 1 4 1\n2 2 5 0\n3 3 6 0\n2 1 1 0\n3 2 2 1\n");
  const JsonValue v = full_bench(
      {file, "--whole", "--precision", "float", "--contenders", "echelon:tree,umfpack,klu"});
  EXPECT_TRUE(is_missing(v, "umfpack"));  // double only
  EXPECT_TRUE(is_missing(v, "klu"));
  EXPECT_EQ(v["runs"].items.size() % 4, 0);
  const JsonValue in_double =
      full_bench({file, "--whole", "--contenders", "echelon:tree,umfpack,klu"});
  for (const JsonValue& run : in_double["runs"].items) {
    EXPECT_LT(run["normwise_error"].number, 10);
  }
}

TEST(FullBench, TheWholeInverseOfALargeMatrixIsMadeWhenAskedFor) {
  const JsonValue all = full_bench({"bidiagonal:4001", "--contenders", "echelon,superlu",
                                    "--threads", "1", "--order", "natural"});
  EXPECT_TRUE(is_missing(all, "echelon:invert_full"));
}

TEST(FullBench, SeveralRightSidesFloatAndComplex) {
  const TestFolder folder;
  const std::string file = folder.write("hermitian.mtx",
                                        "%%MatrixMarket matrix coordinate complex hermitian\n"
                                        "3 3 5\n1 1 4 0\n2 2 5 0\n3 3 6 0\n2 1 1 1\n3 2 2 -1\n");
  for (const std::string factor : {"cholmod", "superlu"})
    for (const std::string precision : {"double", "float"}) {
      const JsonValue v = full_bench(
          {file, "--nrhs", "5", "--factor", factor, "--precision", precision, "--threads", "2"});
      for (const JsonValue& run : v["runs"].items) {
        EXPECT_EQ(run["nrhs"].number, 5);
        EXPECT_EQ(run["precision"].string, precision);
      }
    }
}

TEST(FullBench, ATableForPeopleThatNamesTheWinner) {
  const Outcome r = run_program({"bench", "laplace3d:5", "--part", "full", "--repeat", "1"});
  EXPECT_EQ(r.status, 0) << r.err;
  for (const char* part : {"contender", "L+U", "GB/s", "echelon:tree",
                           "fastest L-solve: ", "fastest U-solve: ", "fastest L+U-solve: "})
    EXPECT_NE(r.out.find(part), std::string::npos) << part << "\n" << r.out;
}

TEST(FullBench, AMatrixThatCannotBeFactoredIsAFailure) {
  const TestFolder folder;
  const std::string file = folder.write("indefinite.mtx",
                                        "%%MatrixMarket matrix coordinate real symmetric\n"
                                        "2 2 3\n1 1 1\n2 2 1\n2 1 2\n");
  const Outcome r = run_program({"bench", file, "--factor", "cholmod", "--json"});
  EXPECT_EQ(r.status, 1);
  EXPECT_EQ(r.out, "");
  EXPECT_NE(r.err.find("indefinite.mtx: "), std::string::npos) << r.err;
}

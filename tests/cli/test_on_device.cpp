// tests/cli/test_on_device.cpp -- echelon solve, bench and smooth on a GPU: the parts of their
// reports that only a GPU has.
// SPDX-License-Identifier: BSD-3-Clause
#include <set>

#include "run_program.hpp"
#include "support/device.hpp"

using namespace echelon::test;

namespace {

using ProgramOnDevice = OnDevice;

JsonValue run_json(std::vector<std::string> arguments) {
  for (const char* word : {"--backend", "cuda", "--json", "--repeat", "3"})
    arguments.push_back(word);
  if (const auto kib = shared_memory_of_tests(); kib > 0) {
    arguments.push_back("--cuda.shared-memory");
    arguments.push_back(std::to_string(kib));
  }
  const Outcome r = run_program(arguments);
  EXPECT_EQ(r.status, 0) << r.err;
  return r.json();
}

}  // namespace

TEST_F(ProgramOnDevice, TellsTheStepsOfASolve) {
  const JsonValue one = run_json({"solve", "laplace2d:50", "--part", "lower", "--method", "tree"});
  for (const char* step : {"copy_in_s", "kernel_s", "copy_out_s"})
    EXPECT_GT(one["profile"][step].number, 0) << step;
  EXPECT_GT(one["bandwidth_share"].number, 0);
  EXPECT_GT(one["task_levels"].number, 0);
  EXPECT_GT(one["launches"].number, 0);
  const JsonValue full = run_json({"solve", "laplace3d:8", "--part", "full"});
  for (const char* step : {"copy_in_s", "permute_in_s", "lower_s", "diagonal_s", "upper_s",
                           "permute_out_s", "copy_out_s"})
    EXPECT_TRUE(full["profile"].has(step)) << step;
  EXPECT_GT(full["profile"]["lower_s"].number, 0);
  EXPECT_GT(full["bandwidth_share"].number, 0);
}

TEST_F(ProgramOnDevice, RacesCusparse) {
  for (const std::string precision : {"double", "float"}) {
    const JsonValue v = run_json({"bench", "laplace2d:40", "--part", "both", "--precision",
                                  precision, "--contenders", "echelon:tree,cusparse"});
    if (is_missing(v, "cusparse")) GTEST_SKIP() << "no cuSPARSE: it was not raced";
    ASSERT_EQ(v["runs"].items.size(), 4u);
    for (const JsonValue& run : v["runs"].items) {
      EXPECT_EQ(run["backend"].string, "cuda");
      EXPECT_GT(run["speedup_vs_cusparse"].number, 0);
    }
    for (const std::string nrhs : {"1", "3"}) {
      const JsonValue full =
          run_json({"bench", "laplace3d:8", "--part", "full", "--precision", precision, "--nrhs",
                    nrhs, "--contenders", "echelon:tree,cusparse"});
      ASSERT_EQ(full["runs"].items.size(), 6u);
      for (const JsonValue& run : full["runs"].items)
        EXPECT_GT(run["speedup_vs_cusparse"].number, 0);
      EXPECT_EQ(full["runs"].items.back()["method"].string,
                nrhs == "1" ? "cusparseSpSV" : "cusparseSpSM");
    }
  }
}

TEST_F(ProgramOnDevice, TimesLevels) {
  const JsonValue v =
      run_json({"bench", "laplace3d:8", "--part", "full", "--by-level", "--contenders", "echelon"});
  std::set<std::string> told;
  for (const JsonValue& run : v["runs"].items) {
    if (!run.has("by_level")) continue;
    told.insert(run["contender"].string);
    EXPECT_NE(run["phase"].string, "both");
    for (const JsonValue& level : run["by_level"].items)
      EXPECT_EQ(level["supernodes"].number > 0, level["level_s"].number > 0);
  }
  EXPECT_EQ(told, (std::set<std::string>{"echelon:team", "echelon:merge", "echelon:invert_diag",
                                         "echelon:invert_off", "echelon:spmv"}));
}

TEST_F(ProgramOnDevice, Sweeps) {
  for (const std::string direction : {"forward", "backward", "symmetric"}) {
    const JsonValue v = run_json({"smooth", "laplace2d:20x30:5", "--sweeps", "4", "--direction",
                                  direction, "--guess", "random:2"});
    EXPECT_EQ(v["backend"].string, "cuda");
    EXPECT_LT(v["reduction"].number, 0.7);
    EXPECT_GT(v["gflops"].number, 0);
    EXPECT_GT(v["bandwidth_share"].number, 0);
    EXPECT_NE(v["device"]["name"].string, "");
  }
}

TEST_F(ProgramOnDevice, ComparesMethodsThatSweep) {
  const JsonValue v = run_json({"smooth", "laplace2d:40x50:9", "--compare", "--methods",
                                "tree,automatic,invert_diag", "--guess", "random:1"});
  ASSERT_EQ(v["runs"].items.size(), 3u);
  EXPECT_EQ(v["runs"].items[0]["contender"].string, "echelon:tree");
  for (const JsonValue& run : v["runs"].items) EXPECT_EQ(run["backend"].string, "cuda");
  EXPECT_NE(v["device"]["name"].string, "");
}

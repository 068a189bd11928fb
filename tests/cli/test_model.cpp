// tests/cli/test_model.cpp -- echelon model: forecasts, their order, and invalid requests.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "expect_failure.hpp"
#include "run_program.hpp"

using namespace echelon::test;

namespace {

const char* const slow =
    "name slow\nkind cpu\nread_alone 1:8\nmessage payload network 8:10 1024:10\n";

void expect_misuse(const std::vector<std::string>& arguments, const std::string& part) {
  const Outcome r = run_program(arguments);
  EXPECT_EQ(r.status, 2) << r.err;
  EXPECT_NE(r.err.find(part), std::string::npos) << "'" << part << "' in: " << r.err;
}

TEST(Model, AddsUpAChainOnAMachineFromAFile) {
  const TestFolder folder;
  const std::string machine = folder.write("slow.txt", slow);
  const std::string chain = folder.write("chain.mtx",
                                         "%%MatrixMarket matrix coordinate real general\n"
                                         "3 3 5\n1 1 2\n2 2 2\n3 3 2\n2 1 1\n3 2 1\n");
  const JsonValue v = run_well("model " + chain + " --max-panel-columns 1 --json --levels" +
                               " --mapping cyclic --grid 2x1 --simulate --machine " + machine)
                          .json();
  ASSERT_EQ(v["trials"].items.size(), 1U);
  const JsonValue& t = v["trials"].items[0];
  EXPECT_EQ(t["grid"].string, "2x1");
  EXPECT_DOUBLE_EQ(t["model_s"].number, 25);
  EXPECT_DOUBLE_EQ(t["simulated_s"].number, 25);
  EXPECT_EQ(t["limit"].string, "messages");
  EXPECT_EQ(t["model"].items[0]["level_compute_s"].items.size(), 5U);
  EXPECT_EQ(t["simulation"].items[0]["messages"].number, 2);
  EXPECT_NE(v["advice"].string.find("2 ranks as 2x1 with payload"), std::string::npos);
}

TEST(Model, TriesAllGridsAndEngines) {
  const JsonValue v =
      run_well("model elasticity3d:4 --machine cori-knl --ranks 1,6 --grid all --json").json();
  EXPECT_EQ(v["trials"].items.size(), 1U + 4 * 3);
  for (const JsonValue& t : v["trials"].items) {
    EXPECT_GT(t["model_s"].number, 0);
    EXPECT_FALSE(t.has("simulated_s"));
    EXPECT_EQ(t["model"].items.size(), 2U);
  }
}

// Table 3: what puts with a checksum and with a counter take beside two-sided messages.
TEST(Model, HasThePapersOrderOfEngines) {
  const JsonValue v =
      run_well("model elasticity3d:8 --machine cori-knl --ranks 256 --mapping cyclic --json")
          .json();
  double counter = 0, payload = 0, two_sided = 0;
  for (const JsonValue& t : v["trials"].items) {
    double sum = 0;
    for (const JsonValue& pass : t["model"].items) sum += pass["communicate_s"].number;
    (t["engine"].string == "payload"   ? payload
     : t["engine"].string == "counter" ? counter
                                       : two_sided) = sum;
  }
  EXPECT_GT(two_sided / payload, 1.6);
  EXPECT_LT(two_sided / payload, 3.2);
  EXPECT_GT(two_sided / counter, 0.1);
  EXPECT_LT(two_sided / counter, 0.2);
}

TEST(Model, ForecastsGpus) {
  const JsonValue v =
      run_well("model elasticity3d:6 --machine summit-v100 --gpus 1,2,6 --simulate --json").json();
  EXPECT_EQ(v["trials"].items.size(), 3U);
  const Outcome text = run_well("model elasticity3d:6 --machine summit-v100 --gpus 2 --coupled");
  EXPECT_NE(text.out.find("GPUs"), std::string::npos);
  EXPECT_NE(text.out.find("fastest: 2 GPUs"), std::string::npos) << text.out;
}

TEST(Model, DrawsScalingAndATimeline) {
  const TestFolder folder;
  std::filesystem::create_directory(folder.path("p"));
  run_well(
      "model elasticity3d:5 --machine cori-knl --ranks 1,4,256 --simulate --measured "
      "1:0.01,4:3e-3" +
      std::string(" --pictures ") + folder.path("p"));
  for (const char* name : {"p/scaling.svg", "p/timeline.svg", "p/scaling.png", "p/timeline.png"})
    EXPECT_GT(read_text(folder.path(name)).size(), 1000U) << name;
  const std::string scaling = read_text(folder.path("p/scaling.svg"));
  for (const char* label : {"payload, simulated", "two_sided, model", "measured", "lower bound"})
    EXPECT_NE(scaling.find(label), std::string::npos) << label;
  EXPECT_NE(read_text(folder.path("p/timeline.svg")).find("on 4 ranks"), std::string::npos);
  expect_failure({"model", "elasticity3d:4", "--machine", "cori-knl", "--pictures", "nowhere"},
                 "nowhere: there is no such folder");
  expect_misuse({"model", "elasticity3d:4", "--machine", "cori-knl", "--measured", "1:2"},
                "--pictures");
  expect_misuse({"model", "elasticity3d:4", "--machine", "cori-knl", "--pictures", folder.path("p"),
                 "--measured", "1"},
                "RANKS:SECONDS");
}

TEST(Model, RefusesWhatCannotBeMeant) {
  expect_misuse({"model", "elasticity3d:4"}, "cori-knl");
  expect_misuse({"model", "elasticity3d:4", "--machine", "cori-kln"}, "did you mean cori-knl");
  expect_misuse({"model", "elasticity3d:4", "--machine", "cori-knl", "--gpus", "2"}, "--gpus");
  expect_misuse({"model", "elasticity3d:4", "--machine", "cori-knl", "--ranks", "2,x"}, "--ranks");
  expect_misuse({"model", "elasticity3d:4", "--machine", "cori-knl", "--coupled"}, "--coupled");
  expect_misuse(
      {"model", "elasticity3d:4", "--machine", "cori-knl", "--ranks", "4", "--grid", "3x1"},
      "3 places, not 4");
  expect_misuse({"model", "elasticity3d:4", "--machine", "cori-knl", "--engine", "pigeon"},
                "--engine: machine 'Cori KNL' has no messages of engine 'pigeon'; it has counter, "
                "payload, two_sided");
  run_well("model elasticity3d:4 --machine summit-v100 --gpus 2 --engine all");
}

TEST(Model, NamesTheLineOfABrokenMachine) {
  const TestFolder folder;
  const std::string file = folder.write("bad.txt", "name x\nread_alone 8:fast\n");
  expect_failure({"model", "elasticity3d:4", "--machine", file}, "bad.txt:2: 'read_alone'");
}

}  // namespace

// tests/cli/test_inspect.cpp -- echelon inspect: known counts, and matrices that cannot be solved.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cmath>

#include "run_program.hpp"

using namespace echelon::test;

TEST(Inspect, KnowsTheCountsOfAGrid) {
  const JsonValue v = run_well("inspect laplace2d:20x30:5 --json").json();
  EXPECT_EQ(v["input"].string, "laplace2d:20x30:5");
  EXPECT_EQ(v["format"].string, "recipe");
  EXPECT_EQ(v["n"].number, 600);
  EXPECT_EQ(v["nnz"].number, 2900);  // 600 + 2 (19*30 + 20*29)
  EXPECT_EQ(v["part"].string, "full");
  EXPECT_FALSE(v.has("levels"));  // they are in the two triangles
  const JsonValue top = run_well("inspect laplace2d:20x30:5 --part lower --json").json();
  EXPECT_EQ(top["part"].string, "lower");
  EXPECT_EQ(top["nnz"].number, 1750);
  EXPECT_EQ(top["levels"].number, 49);
  EXPECT_DOUBLE_EQ(top["average_parallelism"].number, 600.0 / 49);
  for (const char* part : {"lower", "upper"}) {
    const JsonValue& t = v[part];
    EXPECT_EQ(t["nnz"].number, 1750);
    EXPECT_EQ(t["levels"].number, 49);
    EXPECT_EQ(t["longest_row"].number, 3);
    EXPECT_EQ(t["largest_level"].number, 20);
    EXPECT_FALSE(t["reason"].string.empty());
    EXPECT_TRUE(t.has("method") && t.has("supersteps") && t.has("predicted_speedup"));
  }
}

TEST(Inspect, SaysWhenTheAnalysisPays) {
  const JsonValue v = run_well("inspect laplace2d:300x300:5 --cpu.threads 2 --json").json();
  const JsonValue &t = v["lower"], &e = t["estimate"];
  ASSERT_EQ(t["method"].string, "superstep");
  EXPECT_LT(e["model_s"].number, e["loop_model_s"].number);
  // The smallest number of solves that pays for the analysis.
  const double won = e["loop_model_s"].number - e["model_s"].number;
  EXPECT_EQ(e["analysis_pays_after"].number, std::ceil(t["analysis_s"].number / won));
  const Outcome chain = run_well("inspect bidiagonal:1000");
  EXPECT_NE(chain.out.find("analysis never pays: "), std::string::npos) << chain.out;
}

TEST(Inspect, SaysWhenInvertedDiagonalsPay) {
  const std::string call = "inspect dense:400 --part lower --supernodes --json --cpu.threads ";
  const JsonValue one = run_well(call + "1").json()["triangles"].items.at(0)["estimate"];
  EXPECT_EQ(one["inverse_pays_after"].kind, JsonValue::Kind::null);
  const JsonValue two = run_well(call + "2").json()["triangles"].items.at(0)["estimate"];
  const double won = two["model_s"].number - two["inverted_model_s"].number;
  EXPECT_GT(won, 0);
  EXPECT_EQ(two["inverse_pays_after"].number, std::ceil(two["invert_model_s"].number / won));
  const Outcome text = run_well("inspect dense:400 --part lower --supernodes --cpu.threads 1");
  EXPECT_NE(text.out.find("inverted diagonals never pay: on 1 thread a solve"), std::string::npos)
      << text.out;
}

TEST(Inspect, ThePartAskedForIsTheOneOnTop) {
  const TestFolder folder;
  // Lower: a chain of 3; upper: the diagonal alone.
  const std::string file = folder.write("chain.mtx",
                                        "%%MatrixMarket matrix coordinate real general\n"
                                        "3 3 5\n1 1 2\n2 2 2\n3 3 2\n2 1 1\n3 2 1\n");
  EXPECT_EQ(run_well("inspect --json " + file).json()["levels"].number, 3);
  EXPECT_EQ(run_well("inspect --json --part lower " + file).json()["levels"].number, 3);
  EXPECT_EQ(run_well("inspect --json --part upper " + file).json()["levels"].number, 1);
}

TEST(Inspect, AnUpperTriangleIsOne) {
  const TestFolder folder;
  const std::string file = folder.write("upper.mtx",
                                        "%%MatrixMarket matrix coordinate real general\n"
                                        "3 3 5\n1 1 2\n2 2 2\n3 3 2\n1 2 1\n2 3 1\n");
  const JsonValue v = run_well("inspect --json " + file).json();
  EXPECT_EQ(v["part"].string, "upper");
  EXPECT_EQ(v["nnz"].number, 5);
  EXPECT_EQ(v["levels"].number, 3);
  const JsonValue s = run_well("inspect --json --supernodes " + file).json();
  EXPECT_EQ(s["part"].string, "upper");
  EXPECT_EQ(s["triangles"].items[0]["triangle"].string, "upper triangle");
}

TEST(Inspect, SupernodesOfAFullMatrixAreThoseOfItsFactors) {
  const Outcome r = run_program({"inspect", "laplace2d:9", "--supernodes", "--json"});
  if (r.status == 1) GTEST_SKIP() << r.err;
  EXPECT_EQ(r.json()["part"].string, "full");
  EXPECT_EQ(r.json()["triangles"].items[0]["triangle"].string.substr(0, 5), "L of ");
}

TEST(Inspect, ADiagonalWithGapsIsCountedAndSaid) {
  const TestFolder folder;
  const std::string file = folder.write("gaps.mtx",
                                        "%%MatrixMarket matrix coordinate real general\n"
                                        "4 4 5\n1 1 2\n2 2 0\n4 4 1\n2 1 1\n3 2 1\n");
  const JsonValue v = run_well("inspect --json " + file).json();
  EXPECT_EQ(v["diagonal_missing"].number, 1);
  EXPECT_EQ(v["diagonal_zero"].number, 1);
  EXPECT_TRUE(v["analyzed_with_unit_diagonal"].boolean);
  EXPECT_EQ(v["lower"]["nnz"].number, 5);
  EXPECT_EQ(v["upper"]["nnz"].number, 3);
  EXPECT_EQ(v["levels"].number, 3);
  const Outcome text = run_well("inspect " + file);
  EXPECT_NE(text.out.find("1 missing, 1 zero"), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("; solve needs --unit"), std::string::npos) << text.out;
  run_well("solve --unit " + file);
}

// A factorization pivots; only a triangular solve needs the diagonal.
TEST(Inspect, AFullMatrixWithGapsIsToldWhatSolveTakes) {
  const TestFolder folder;
  const std::string file = folder.write("swap.mtx",
                                        "%%MatrixMarket matrix coordinate real general\n"
                                        "2 2 3\n1 2 1\n2 1 1\n2 2 1\n");
  const Outcome text = run_well("inspect " + file);
  EXPECT_NE(text.out.find("one triangle needs --part and --unit"), std::string::npos) << text.out;
  EXPECT_EQ(text.out.find("solve needs --unit"), std::string::npos) << text.out;
  run_well("solve --unit --part lower " + file);
}

TEST(Inspect, DescribesAFile) {
  const TestFolder folder;
  const std::string file = folder.write("herm.mtx",
                                        "%%MatrixMarket matrix coordinate complex hermitian\n"
                                        "2 2 3\n1 1 2 0\n2 2 2 0\n2 1 1 1\n");
  const JsonValue v = run_well("inspect --json " + file).json();
  EXPECT_EQ(v["format"].string, "matrix market coordinate, complex, hermitian");
  EXPECT_EQ(v["nnz"].number, 4);
}

TEST(Inspect, ShowsTheChoiceForTheThreadsAskedFor) {
  const JsonValue one = run_well("inspect laplace2d:300x300:9 --json --threads 1").json();
  EXPECT_EQ(one["lower"]["method"].string, "serial");
  const JsonValue two = run_well("inspect laplace2d:300x300:9 --json --threads 2").json();
  EXPECT_EQ(two["lower"]["method"].string, "superstep");
  EXPECT_GT(two["lower"]["supersteps"].number, 1);
  EXPECT_GT(two["lower"]["predicted_speedup"].number, 1);
}

TEST(Inspect, RefusesAMatrixThatIsNotSquare) {
  const TestFolder folder;
  const std::string file =
      folder.write("wide.mtx", "%%MatrixMarket matrix coordinate real general\n2 3 1\n1 1 1\n");
  const Outcome r = run_program({"inspect", file});
  EXPECT_EQ(r.status, 1);
  EXPECT_EQ(count_lines(r.err), 1);
  EXPECT_NE(r.err.find("2 by 3"), std::string::npos) << r.err;
}

TEST(Inspect, ShowsTheSupernodesOfATriangle) {
  // A dense triangle is one supernode; a chain of 5 has one per unknown, but the last two share
  // one.
  const JsonValue dense = run_well("inspect dense:6 --part lower --supernodes --json").json();
  const JsonValue& one = dense["triangles"].items[0]["found"];
  EXPECT_EQ(one["supernodes"].number, 1);
  EXPECT_EQ(one["levels"].number, 1);
  EXPECT_EQ(one["columns"]["max"].number, 6);
  EXPECT_EQ(one["explicit_zeros"].number, 0);
  const JsonValue chain = run_well("inspect bidiagonal:5 --supernodes --json").json();
  const JsonValue& links = chain["triangles"].items[0]["found"];
  EXPECT_EQ(links["supernodes"].number, 4);
  EXPECT_EQ(links["by_level"].items.size(), 4U);
  const JsonValue upper =
      run_well("inspect laplace2d:9x9:9 --supernodes --part upper --json").json();
  EXPECT_EQ(upper["triangles"].items[0]["triangle"].string, "upper triangle");
}

TEST(Inspect, ShowsTheSupernodesOfAFactorBeforeAndAfterMerging) {
  const Outcome r = run_program({"inspect", "elasticity3d:4", "--factor", "superlu", "--json"});
  if (r.err.find("superlu") != std::string::npos && r.status == 1) GTEST_SKIP() << r.err;
  ASSERT_EQ(r.status, 0) << r.err;
  const JsonValue v = r.json();
  ASSERT_EQ(v["triangles"].items.size(), 2U);  // L and U
  const JsonValue& l = v["triangles"].items[0];
  for (const char* stage : {"found", "merged", "amalgamated"}) {
    double supernodes = 0;
    for (const JsonValue& level : l[stage]["by_level"].items)
      supernodes += level["supernodes"].number;
    EXPECT_EQ(supernodes, l[stage]["supernodes"].number) << stage;
  }
  EXPECT_LE(l["merged"]["supernodes"].number, l["found"]["supernodes"].number);
  EXPECT_LE(l["amalgamated"]["levels"].number, l["merged"]["levels"].number);
  EXPECT_GE(l["amalgamated"]["explicit_zeros"].number, l["merged"]["explicit_zeros"].number);
  const Outcome text = run_well("inspect elasticity3d:4 --factor superlu");
  for (const char* part : {"min / avg / max", "merged", "amalgamated", "explicit zeros"})
    EXPECT_NE(text.out.find(part), std::string::npos) << part;
}

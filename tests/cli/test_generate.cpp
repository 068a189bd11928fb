// tests/cli/test_generate.cpp -- echelon generate: writes files that can be read back; errors.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "echelon/generate.hpp"
#include "echelon/io.hpp"
#include "run_program.hpp"

using namespace echelon::test;

TEST(Generate, TheFileReadsBackAsTheRecipe) {
  const TestFolder folder;
  const std::string file = folder.path("grid.mtx");
  run_well("generate laplace3d:4x5x6:27 -o " + file);
  const auto read = echelon::read_matrix<double>(file);
  const auto made = echelon::generate<double>("laplace3d:4x5x6:27");
  EXPECT_EQ(read.start, made.start);
  EXPECT_EQ(read.index, made.index);
  EXPECT_EQ(read.value, made.value);
  const JsonValue a = run_well("inspect --json " + file).json();
  const JsonValue b = run_well("inspect --json laplace3d:4x5x6:27").json();
  EXPECT_EQ(a["lower"]["levels"].number, b["lower"]["levels"].number);
  EXPECT_EQ(a["format"].string, "matrix market coordinate, real, general");
}

TEST(Generate, ListsTheRecipes) {
  const Outcome r = run_well("generate --list");
  for (const char* recipe :
       {"elasticity3d", "elasticity2d", "laplace2d", "laplace3d", "bidiagonal", "dense", "random"})
    EXPECT_NE(r.out.find(recipe), std::string::npos) << recipe;
}

TEST(Generate, SaysWhatItWroteInJson) {
  const TestFolder folder;
  const JsonValue v =
      run_well("generate bidiagonal:10 --json -o " + folder.path("chain.mtx")).json();
  EXPECT_EQ(v["n"].number, 10);
  EXPECT_EQ(v["nnz"].number, 19);
}

TEST(Generate, RefusesByName) {
  const TestFolder folder;
  const std::string zipped = folder.path("a.mtx.gz");
  const Outcome gz = run_program({"generate", "dense:3", "-o", zipped});
  EXPECT_EQ(gz.status, 2);
  EXPECT_NE(gz.err.find("a.mtx.gz"), std::string::npos) << gz.err;
  EXPECT_FALSE(std::filesystem::exists(zipped));
  EXPECT_EQ(run_program({"generate", "dense:3"}).status, 2);
  EXPECT_EQ(run_program({"generate"}).status, 2);
  EXPECT_EQ(run_program({"generate", "laplace2d:0x3", "-o", folder.path("b.mtx")}).status, 2);
  const Outcome nowhere = run_program({"generate", "dense:3", "-o", folder.path("no/such/a.mtx")});
  EXPECT_EQ(nowhere.status, 1);
  EXPECT_EQ(count_lines(nowhere.err), 1);
}

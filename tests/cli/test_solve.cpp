// tests/cli/test_solve.cpp -- echelon solve: every way to read a triangle, every scalar type, and
// inputs that cannot be solved.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "echelon/io.hpp"
#include "expect_failure.hpp"
#include "run_program.hpp"

using namespace echelon::test;

namespace {

constexpr double tight = 1e-14;  // componentwise backward error, in double

// Real, unsymmetric, with entries in both triangles.
const char* const general =
    "%%MatrixMarket matrix coordinate real general\n"
    "4 4 9\n1 1 4\n2 2 2\n3 3 8\n4 4 16\n3 1 1\n4 2 3\n1 3 -3\n2 4 0.5\n1 4 8\n";
const char* const complex_general =
    "%%MatrixMarket matrix coordinate complex general\n"
    "3 3 6\n1 1 4 1\n2 2 5 -2\n3 3 6 0\n2 1 1 1\n3 2 2 -1\n1 3 0 3\n";

std::vector<double> solution(const std::string& arguments, const TestFolder& folder) {
  const std::string out = folder.path("x.mtx");
  run_well("solve " + arguments + " --out " + out);
  const auto x = echelon::read_array<double>(out);
  return {x.value.begin(), x.value.end()};
}

}  // namespace

TEST(Solve, SaysWhatWasSolvedAndHowFast) {
  const JsonValue v = run_well("solve laplace2d:20x30:5 --part lower --json --repeat 3").json();
  EXPECT_EQ(v["n"].number, 600);
  EXPECT_EQ(v["nnz"].number, 1750);
  EXPECT_EQ(v["levels"].number, 49);
  EXPECT_EQ(v["repeats"].number, 3);
  EXPECT_GT(v["solve_s"].number, 0);
  EXPECT_LE(v["solve_min_s"].number, v["solve_s"].number);
  EXPECT_LE(v["solve_s"].number, v["solve_max_s"].number);
  EXPECT_GT(v["bytes"].number, 1750 * 12);
  EXPECT_EQ(v["traffic_bytes"].number, v["bytes"].number + 2 * 8 * 600);
  EXPECT_NEAR(v["gb_per_s"].number, v["traffic_bytes"].number / v["solve_s"].number / 1e9,
              1e-9 * v["gb_per_s"].number);
}

TEST(Solve, EveryMethodRunsAsAskedFor) {
  for (const std::string method : {"serial", "level_row", "level_column", "element_row",
                                   "element_column", "superstep", "LEVR", "ELMC"}) {
    const JsonValue v =
        run_well("solve laplace2d:40x50:9 --part lower --json --threads 2 --repeat 2 --method " +
                 method)
            .json();
    if (method[0] != 'L' && method[0] != 'E') {
      EXPECT_EQ(v["method"].string, method);
    }
    EXPECT_LT(v["backward_error"].number, tight) << method;
    EXPECT_EQ(v["threads"].number, method == "serial" ? 1 : 2) << method;
  }
}

TEST(Solve, EveryPartAndOpFitsItsSystem) {
  const TestFolder folder;
  const std::string file = folder.write("general.mtx", general);
  for (const std::string input : {file.c_str(), "random:300:5:7"})
    for (const std::string part : {"lower", "upper"})
      for (const std::string op : {"n", "t", "h"})
        for (const std::string unit : {"", " --unit"}) {
          const std::string line = "solve " + input + " --json --rhs random:3 --repeat 1 --part " +
                                   part + " --op " + op + unit;
          const JsonValue v = run_well(line).json();
          EXPECT_LT(v["backward_error"].number, tight) << line;
          EXPECT_EQ(v["op"].string, op);
          EXPECT_EQ(v["unit"].boolean, !unit.empty());
        }
}

TEST(Solve, TheAnswerIsTheOneByHand) {
  const TestFolder folder;
  const std::string file = folder.write("general.mtx", general);
  using Vector = std::vector<double>;
  // lower: 4 | . 2 | 1 . 8 | . 3 . 16;  upper: 4 . -3 8 | 2 . 0.5 | 8 . | 16
  EXPECT_EQ(solution(file + " --part lower", folder), (Vector{0.25, 0.5, 0.09375, -0.03125}));
  EXPECT_EQ(solution(file + " --part lower --alpha 4", folder), (Vector{1, 2, 0.375, -0.125}));
  EXPECT_EQ(solution(file + " --part lower --unit", folder), (Vector{1, 1, 0, -2}));
  EXPECT_EQ(solution(file + " --part upper --unit", folder), (Vector{-4, 0.5, 1, 1}));
  EXPECT_EQ(solution(file + " --part lower --unit --op t", folder), (Vector{0, -2, 1, 1}));
}

TEST(Solve, SeveralRightSidesInBothLayouts) {
  const TestFolder folder;
  std::vector<std::string> files;
  for (const std::string layout : {"column", "row"})
    for (const std::string nrhs : {"1", "5"}) {
      const std::string out = folder.path(layout + nrhs);
      const JsonValue v =
          run_well("solve laplace3d:8x9x10:27 --part lower --json --rhs random:1 --threads 2 " +
                   std::string("--layout ") + layout + " --nrhs " + nrhs +
                   " --method superstep --out " + out)
              .json();
      EXPECT_LT(v["backward_error"].number, tight);
      EXPECT_EQ(std::to_string(static_cast<int>(v["nrhs"].number)), nrhs);
      files.push_back(read_text(out));
    }
  EXPECT_EQ(files[0], files[2]);  // one column
  EXPECT_EQ(files[1], files[3]);  // five: row methods sum in one order for any layout
  EXPECT_NE(files[1].find("720 5"), std::string::npos);
}

TEST(Solve, AnAnswerIsAValidRightSide) {
  const TestFolder folder;
  const std::string b = folder.path("b.mtx");
  const std::string x = folder.path("x.mtx");
  run_well("solve laplace2d:12x13:9 --part lower --nrhs 3 --rhs random:5 --unit -o " + b);
  const JsonValue v =
      run_well("solve laplace2d:12x13:9 --part lower --json --rhs " + b + " -o " + x).json();
  EXPECT_EQ(v["nrhs"].number, 3);
  EXPECT_LT(v["backward_error"].number, tight);
  EXPECT_EQ(echelon::read_array<double>(x).cols, 3);
}

TEST(Solve, ComplexFilesAreSolvedInComplex) {
  const TestFolder folder;
  const std::string file = folder.write("complex.mtx", complex_general);
  for (const std::string op : {"n", "t", "h"})
    for (const std::string part : {"lower", "upper"}) {
      const JsonValue v = run_well("solve " + file + " --json --rhs random:2 --op " + op +
                                   " --part " + part + " --alpha 1,-0.5")
                              .json();
      EXPECT_LT(v["backward_error"].number, tight) << op << part;
    }
  const std::string out = folder.path("x.mtx");
  run_well("solve " + file + " --part lower --out " + out);
  EXPECT_NE(read_text(out).find("array complex general"), std::string::npos);
  EXPECT_EQ(run_well("solve " + file + " --part lower --json --nrhs 5 --layout row")
                .json()["nrhs"]
                .number,
            5);
}

TEST(Solve, FloatIsAsGoodAsFloatCanBe) {
  const JsonValue v =
      run_well("solve laplace2d:50x50:9 --part lower --json --precision float --rhs random:1")
          .json();
  EXPECT_EQ(v["precision"].string, "float");
  EXPECT_LT(v["backward_error"].number, 1e-6);
  EXPECT_GT(v["backward_error"].number, 1e-12);
}

TEST(Solve, DeterministicAnswersDoNotDependOnThreads) {
  const TestFolder folder;
  std::vector<std::string> answers;
  for (const std::string threads : {"1", "2", "3"}) {
    const std::string out = folder.path("x" + threads);
    run_well("solve laplace2d:200x210:9 --part lower --deterministic --rhs random:1 --threads " +
             threads + " --out " + out);
    answers.push_back(read_text(out));
  }
  EXPECT_EQ(answers[0], answers[1]);
  EXPECT_EQ(answers[0], answers[2]);
}

TEST(Solve, BrokenFilesAreNamedWithTheirLine) {
  const TestFolder folder;
  const std::string broken = folder.write("broken.mtx",
                                          "%%MatrixMarket matrix coordinate real general\n"
                                          "2 2 2\n1 1 4\n3 2 5\n");
  expect_failure({"solve", broken, "--json"}, "broken.mtx:4:");
  expect_failure({"solve", folder.path("absent.mtx")}, "absent.mtx");
  expect_failure({"inspect", folder.write("text.mtx", "hello\n")}, "text.mtx:1:");
}

TEST(Solve, ASingularTriangleIsRefusedWithItsRow) {
  const TestFolder folder;
  const char* const head = "%%MatrixMarket matrix coordinate real general\n";
  const std::string gap = folder.write("gap.mtx", std::string(head) + "2 2 2\n1 1 1\n2 1 1\n");
  const std::string zero =
      folder.write("zero.mtx", std::string(head) + "2 2 3\n1 1 1\n2 2 0\n2 1 1\n");
  for (const std::string& file : {gap, zero}) {
    expect_failure({"solve", file}, "row 2");  // numbered as in the file
    expect_failure({"solve", file}, "; use --unit");
    const Outcome bench = run_program({"bench", file, "--contenders", "echelon:serial"});
    EXPECT_EQ(bench.status, 1);
    EXPECT_NE(bench.err.find("row 2"), std::string::npos) << bench.err;
    EXPECT_EQ(bench.err.find("--unit"), std::string::npos) << bench.err;  // bench has no such flag
    EXPECT_EQ(run_well("solve --unit --json " + file).json()["backward_error"].number, 0);
  }
}

TEST(Solve, RightSidesOfOtherSizesAreRefused) {
  const TestFolder folder;
  const std::string b =
      folder.write("b.mtx", "%%MatrixMarket matrix array real general\n3 1\n1\n2\n3\n");
  expect_failure({"solve", "bidiagonal:4", "--rhs", b}, "b.mtx");
  expect_failure({"solve", "bidiagonal:3", "--rhs", b, "--nrhs", "2"}, "columns");
  expect_failure({"solve", "bidiagonal:3", "--rhs", folder.path("none.mtx")}, "none.mtx");
  EXPECT_EQ(run_well("solve bidiagonal:3 --json --rhs " + b).json()["nrhs"].number, 1);
}

TEST(Solve, AnAnswerThatOverflowsIsRefusedUnlessAllowed) {
  const TestFolder folder;
  const std::string file = folder.write("tiny.mtx",
                                        "%%MatrixMarket matrix coordinate real general\n"
                                        "1 1 1\n1 1 1e-300\n");
  expect_failure({"solve", file, "--alpha", "1e100"}, "x(1) of right-hand side 1 is not finite");
  const JsonValue v = run_well("solve --json --alpha 1e100 --check-finite=false " + file).json();
  EXPECT_EQ(v["backward_error"].kind, JsonValue::Kind::null);
}

TEST(Solve, AnEmptyMatrixIsSolved) {
  const TestFolder folder;
  const std::string file =
      folder.write("empty.mtx", "%%MatrixMarket matrix coordinate real general\n0 0 0\n");
  const JsonValue v = run_well("solve --json " + file).json();
  EXPECT_EQ(v["n"].number, 0);
  EXPECT_EQ(v["backward_error"].number, 0);
  EXPECT_EQ(run_well("inspect --json " + file).json()["levels"].number, 0);
}

// Without --part a triangular matrix is solved as a triangle, any other matrix is factored.
TEST(Solve, TheMatrixDecidesWhatIsSolved) {
  const TestFolder folder;
  const std::string head =
      "%%MatrixMarket matrix coordinate real general\n3 3 4\n1 1 2\n2 2 4\n3 3 8\n";
  const auto part = [&](const std::string& entry, const std::string& flags = "") {
    const std::string file = folder.write("a.mtx", head + entry);
    const JsonValue v = run_well("solve --json --repeat 1 " + file + flags).json();
    EXPECT_LT(v["backward_error"].number, tight) << entry << flags;
    return v["part"].string;
  };
  EXPECT_EQ(part("2 1 1\n"), "lower");
  EXPECT_EQ(part("1 3 1\n"), "upper");
  EXPECT_EQ(part("1 1 1\n"), "lower");  // diagonal
  EXPECT_EQ(part("2 1 1\n", " --part full --factor superlu"), "full");
  EXPECT_EQ(part("2 1 1\n", " --factor ilu0"), "full");
  EXPECT_EQ(part("2 1 1\n", " --part upper"), "upper");
  EXPECT_EQ(run_well("solve laplace2d:9 --json").json()["part"].string, "full");
  EXPECT_EQ(run_well("solve laplace2d:9 --json --refine auto").json()["part"].string, "full");
}

TEST(Solve, SetupsAreTimedAsOftenAsAskedFor) {
  for (const std::string part : {"lower", "full"}) {
    const JsonValue v = run_well("solve laplace2d:9 --json --setups 3 --part " + part).json();
    EXPECT_EQ(v["setups"].number, 3);
    EXPECT_GT(v["analysis_s"].number, 0);
    EXPECT_GT(v["setup_s"].number, 0);
  }
}

TEST(Solve, AFileThatCannotBeWrittenIsFoundBeforeTheWork) {
  expect_failure({"solve", "absent.mtx", "-o", "/nowhere/x.mtx"},
                 "/nowhere/x.mtx: cannot be written");
}

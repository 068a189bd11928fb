// tests/cli/test_solve_full.cpp -- echelon solve --part full: every package, option and scalar
// type, and matrices that cannot be factored.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "echelon/factor.hpp"
#include "echelon/io.hpp"
#include "expect_failure.hpp"
#include "run_program.hpp"

using namespace echelon::test;

namespace {

constexpr double tight = 1e-13;  // componentwise backward error of a complete factorization

const char* const methods[] = {"default",     "stream",     "team",     "merge",
                               "invert_diag", "invert_off", "spmv",     "dynamic",
                               "invert_full", "tree",       "automatic"};

// Not symmetric, one diagonal entry missing: needs a pivot from elsewhere.
const char* const general =
    "%%MatrixMarket matrix coordinate real general\n"
    "4 4 9\n1 1 4\n1 2 1\n2 1 3\n2 3 2\n3 2 5\n3 3 8\n4 4 16\n1 4 8\n4 1 1\n";
const char* const complex_hermitian =
    "%%MatrixMarket matrix coordinate complex hermitian\n"
    "3 3 5\n1 1 4 0\n2 2 5 0\n3 3 6 0\n2 1 1 1\n3 2 2 -1\n";
// Symmetric with a positive diagonal, not positive definite: the second pivot is 1 - 4.
const char* const indefinite =
    "%%MatrixMarket matrix coordinate real symmetric\n"
    "3 3 4\n1 1 1\n2 2 1\n3 3 9\n2 1 2\n";

bool has_package(const std::string& name) {
  const auto packages = echelon::factor_packages();
  return std::find(packages.begin(), packages.end(), name) != packages.end();
}

JsonValue full_solve(const std::string& arguments) {
  return run_well("solve --part full --json --repeat 1 " + arguments).json();
}

}  // namespace

TEST(FullSolve, SaysWhatWasSolvedAndHowFast) {
  if (!has_package("cholmod")) GTEST_SKIP() << "without CHOLMOD";
  const JsonValue v = full_solve("laplace3d:8x8x8:7 --threads 2 --refine auto");
  EXPECT_EQ(v["factor"].string, "cholmod");
  EXPECT_EQ(v["n"].number, 512);
  EXPECT_GT(v["fill_ratio"].number, 1);
  EXPECT_GT(v["read_gb_per_s"].number, 0);
  EXPECT_LE(v["levels"].number, v["levels_found"].number);
  EXPECT_TRUE(v["refinement"].has("steps") && v["refinement"].has("last_error"));
}

TEST(FullSolve, EveryMethodSolvesWithEveryCompleteFactor) {
  for (const std::string package : {"cholmod", "superlu"}) {
    if (!has_package(package)) continue;
    for (const std::string method : methods) {
      const JsonValue v =
          full_solve("elasticity3d:2 --rhs random:1 --nrhs 3 --threads 2 --factor " + package +
                     " --method " + method);
      EXPECT_LT(v["backward_error"].number, tight) << package << " " << method;
      EXPECT_LT(v["normwise_error"].number, 10) << package << " " << method;
      EXPECT_EQ(v["factor"].string, package);
      EXPECT_EQ(v["nrhs"].number, 3);
      if (method != "automatic") {
        EXPECT_EQ(v["method"].string, method);
      }
    }
  }
}

TEST(FullSolve, MethodsByRowsAndColumnsTakeEveryFactorToo) {
  for (const std::string package : {"cholmod", "superlu"}) {
    if (!has_package(package)) continue;
    for (const std::string method : {"serial", "level_row", "element_column", "superstep"}) {
      const JsonValue v =
          full_solve("elasticity3d:2 --threads 2 --factor " + package + " --method " + method);
      EXPECT_LT(v["backward_error"].number, tight) << package << " " << method;
      EXPECT_EQ(v["method"].string, method);
      EXPECT_EQ(v["upper_method"].string, method);
    }
  }
}

TEST(FullSolve, TheChoiceIsTimedUnlessToldNotTo) {
  const std::string timed = "timed at setup";
  const JsonValue v = full_solve("laplace2d:120x120 --factor ilu0");
  EXPECT_NE(v["reason"].string.find(timed), std::string::npos) << v["reason"].string;
  const JsonValue quiet =
      full_solve("laplace2d:120x120 --factor ilu0 --measure=false --supernode.level-work 1000");
  EXPECT_EQ(quiet["reason"].string.find(timed), std::string::npos) << quiet["reason"].string;
}

TEST(FullSolve, EveryOrderSolves) {
  for (const std::string package : {"cholmod", "superlu", "umfpack", "klu", "automatic"}) {
    if (package != "automatic" && !has_package(package)) continue;
    for (const std::string order : {"metis", "amd", "natural", "automatic"}) {
      const JsonValue v = full_solve("laplace2d:12x13:9 --factor " + package + " --order " + order);
      EXPECT_LT(v["backward_error"].number, tight) << package << " " << order;
      EXPECT_FALSE(v["ordering"].string.empty());
    }
  }
}

TEST(FullSolve, ThePackageIsChosenByTheMatrixAndSaid) {
  if (!has_package("cholmod") || !has_package("superlu")) GTEST_SKIP() << "without the packages";
  const TestFolder folder;
  const JsonValue spd = full_solve("laplace2d:9");
  EXPECT_EQ(spd["factor"].string, "cholmod");
  EXPECT_NE(spd["factor_reason"].string.find("Hermitian"), std::string::npos);
  const JsonValue lu = full_solve(folder.write("general.mtx", general));
  EXPECT_EQ(lu["factor_kind"].string, "LU");
  EXPECT_EQ(lu["factor_reason"].string.find("not Hermitian: the entries in row 1, column 2 "), 0U)
      << lu["factor_reason"].string;
  EXPECT_LT(lu["backward_error"].number, tight);
  const JsonValue ldl = full_solve(folder.write("indefinite.mtx", indefinite));
  EXPECT_EQ(ldl["factor_kind"].string, "LDL' simplicial");
  const std::string reason = ldl["factor_reason"].string;
  EXPECT_NE(reason.find("LL': the matrix is not positive definite"), std::string::npos) << reason;
  EXPECT_NE(reason.find("LDL'"), std::string::npos) << reason;
  EXPECT_EQ(full_solve("laplace2d:9 --factor automatic")["factor"].string, "cholmod");
  EXPECT_EQ(full_solve("laplace2d:9 --factor cholmod")["factor_reason"].string, "as asked for");
}

// Blocks [ d 1 ; 1 0.3 ] with a small d, which LDL' takes as a pivot.
TEST(FullSolve, FactorsThatNeedRefinementAreRefined) {
  if (!has_package("cholmod") || !has_package("superlu")) GTEST_SKIP() << "without the packages";
  const TestFolder folder;
  std::string text = "%%MatrixMarket matrix coordinate real symmetric\n40 40 60\n";
  for (int i = 1; i < 40; i += 2) {
    const std::string first = std::to_string(i), second = std::to_string(i + 1);
    text += first + " " + first + " 1.7e-6\n" + second + " " + first + " 1." + first + "\n" +
            second + " " + second + " 0.3\n";
  }
  const std::string file = folder.write("small_pivots.mtx", text);
  const JsonValue v = full_solve(file + " --order natural --rhs random:4");
  EXPECT_EQ(v["factor_kind"].string, "LDL' simplicial") << v["factor_reason"].string;
  EXPECT_EQ(v["refinement"]["mode"].string, "fixed:1") << v["factor_reason"].string;
  EXPECT_LT(v["normwise_error"].number, 10);
  const JsonValue off = full_solve(file + " --order natural --rhs random:4 --refine off");
  EXPECT_EQ(off["refinement"]["mode"].string, "off");
}

TEST(FullSolve, TheAnswerIsTheOneByHand) {
  if (!has_package("superlu")) GTEST_SKIP() << "without SuperLU";
  const TestFolder folder;
  const std::string file = folder.write("small.mtx",
                                        "%%MatrixMarket matrix coordinate real general\n"
                                        "2 2 3\n1 2 2\n2 1 4\n2 2 4\n");
  const std::string out = folder.path("x.mtx");
  run_well("solve --part full " + file + " --factor superlu --out " + out);
  const auto x = echelon::read_array<double>(out);  // 2 x1 = 1, 4 x0 + 4 x1 = 1
  ASSERT_EQ(x.value.size(), 2U);
  EXPECT_DOUBLE_EQ(x.value[0], -0.25);
  EXPECT_DOUBLE_EQ(x.value[1], 0.5);
}

TEST(FullSolve, ComplexAndFloatAreSolvedInTheirOwnNumbers) {
  const TestFolder folder;
  const std::string file = folder.write("hermitian.mtx", complex_hermitian);
  for (const std::string package : {"cholmod", "superlu", "umfpack", "klu", "ilu0", "ic0"}) {
    if (!has_package(package)) continue;
    EXPECT_LT(full_solve(file + " --rhs random:3 --factor " + package)["backward_error"].number,
              tight)
        << package;  // no fill: the incomplete factors are exact
    const JsonValue v = full_solve("laplace2d:9 --precision float --factor " + package);
    EXPECT_EQ(v["precision"].string, "float");
    EXPECT_LT(v["normwise_error"].number, package[0] == 'i' ? 1e7 : 10) << package;
  }
}

TEST(FullSolve, IncompleteFactorsStayInTheNaturalOrder) {
  for (const std::string package : {"ilu0", "ic0"}) {
    const JsonValue v = full_solve("laplace2d:12x13:5 --refine fixed:40 --factor " + package);
    EXPECT_EQ(v["ordering"].string, "natural");
    EXPECT_EQ(v["fill_ratio"].number, 1);
    EXPECT_EQ(v["refinement"]["steps"].number, 40);
    EXPECT_LT(v["refinement"]["last_error"].number, v["refinement"]["first_error"].number);
  }
  if (!has_package("superlu_ilu")) return;
  EXPECT_EQ(full_solve("laplace2d:12 --factor superlu_ilu")["factor"].string, "superlu_ilu");
}

TEST(FullSolve, SinglePrecisionStorageIsRefinedToDouble) {
  if (!has_package("cholmod")) GTEST_SKIP() << "without CHOLMOD";
  const std::string line = "elasticity3d:3 --low-precision --factor cholmod";
  const JsonValue plain = full_solve(line);
  EXPECT_TRUE(plain["low_precision"].boolean);
  EXPECT_GT(plain["backward_error"].number, 1e-12);
  const JsonValue refined = full_solve(line + " --refine auto");
  EXPECT_LT(refined["backward_error"].number, 1e-15);
  EXPECT_GE(refined["refinement"]["steps"].number, 1);
}

TEST(FullSolve, NotPositiveDefiniteIsAFailureWithTheColumn) {
  if (!has_package("cholmod")) GTEST_SKIP() << "without CHOLMOD";
  const TestFolder folder;
  const std::string file = folder.write("indefinite.mtx", indefinite);
  const std::vector<std::string> line{"solve",   file,      "--part",  "full",
                                      "--order", "natural", "--factor"};
  const auto with = [&](const char* package) {
    std::vector<std::string> words = line;
    words.emplace_back(package);
    return words;
  };
  expect_failure(with("cholmod"), "column 2");
  expect_failure(with("cholmod"), "positive definite");
  expect_failure(with("cholmod"), "indefinite.mtx: ");
  expect_failure(with("ic0"), "row 2");
  expect_failure(with("cholmod"), "--factor automatic");
  EXPECT_LT(full_solve(file + " --factor superlu")["backward_error"].number, tight);
}

TEST(FullSolve, ASingularMatrixIsAFailureWithItsColumn) {
  const TestFolder folder;
  const std::string file =
      folder.write("singular.mtx",
                   "%%MatrixMarket matrix coordinate real general\n"
                   "3 3 4\n1 1 1\n2 1 1\n3 3 1\n1 3 1\n");  // column 2 is empty
  if (has_package("superlu"))
    expect_failure({"solve", file, "--part", "full", "--factor", "superlu"}, "column 2");
  expect_failure({"solve", file, "--part", "full", "--factor", "ilu0"}, "singular.mtx: ");
}

TEST(FullSolve, BrokenFilesAreNamedWithTheirLine) {
  const TestFolder folder;
  const std::string broken = folder.write("broken.mtx",
                                          "%%MatrixMarket matrix coordinate real general\n"
                                          "2 2 2\n1 1 4\n3 2 5\n");
  expect_failure({"solve", broken, "--part", "full", "--json"}, "broken.mtx:4:");
  expect_failure({"solve", folder.path("absent.mtx"), "--part", "full"}, "absent.mtx");
}

TEST(FullSolve, AReportForPeople) {
  if (!has_package("superlu")) GTEST_SKIP() << "without SuperLU";
  const Outcome r = run_well("solve elasticity3d:2 --part full --factor superlu --refine auto");
  for (const char* part :
       {"fill ratio", "supernodes", "levels", "explicit zeros", "GB/s", "read bandwidth", "order",
        "factor", "analysis", "setup", "refinement", "componentwise", "normwise"})
    EXPECT_NE(r.out.find(part), std::string::npos) << part << "\n" << r.out;
}

TEST(FullSolve, OneTriangleIsSolvedOnSupernodesToo) {
  for (const std::string method : methods) {
    const JsonValue v = run_well("solve laplace2d:12x13:9 --json --repeat 1 --rhs random:2 " +
                                 std::string("--part lower --threads 2 --method ") + method)
                            .json();
    EXPECT_LT(v["backward_error"].number, tight) << method;
  }
}

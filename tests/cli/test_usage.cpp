// tests/cli/test_usage.cpp -- invalid command lines: exit status 2 and a line of help.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>

#include "echelon/version.hpp"
#include "run_program.hpp"
#include "support/device.hpp"

using namespace echelon::test;

namespace {

// Runs, expects a usage error, and returns its text.
std::string misuse(const std::vector<std::string>& arguments) {
  const Outcome r = run_program(arguments);
  EXPECT_EQ(r.status, 2) << r.err;
  EXPECT_EQ(r.out, "");
  EXPECT_EQ(r.err.rfind("echelon: ", 0), 0U) << r.err;
  return r.err;
}

void expect_has(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' in: " << text;
}

}  // namespace

TEST(Usage, NoArgumentsGiveHelp) {
  const Outcome r = run_program({});
  EXPECT_EQ(r.status, 0);
  EXPECT_EQ(r.err, "");
  for (const char* part : {"inspect", "bench", "Examples:", "echelon solve a.mtx"})
    expect_has(r.out, part);
}

TEST(Usage, HelpAndVersionEndWell) {
  expect_has(run_well("--version").out, "echelon " ECHELON_VERSION ", ");
  expect_has(run_well("--version").out, echelon::has_cuda() ? "with CUDA" : "without CUDA");
  expect_has(run_well("--help").out, "solve");
  for (const char* command :
       {"inspect", "generate", "factor", "solve", "smooth", "bench", "model", "calibrate"})
    expect_has(run_well(std::string(command) + " --help").out, "--json");
}

TEST(Usage, HelpHasTheCommonFlagsInGroupsAndSaysWhereTheOthersAre) {
  const std::string help = run_well("solve --help").out;
  for (const char* part : {"The system:", "The method:", "Output:", "--part", "--method",
                           "--threads", "--factor", "--help-all"})
    expect_has(help, part);
  EXPECT_EQ(help.find("--schedule.hop"), std::string::npos) << help;
}

TEST(Usage, TheVersionListsWhatWasBuiltIn) {
  const std::string text = run_well("--version").out;
  for (const char* part : {"compiler", "vector unit", "threads", "BLAS", "CUDA", "MPI", "NVSHMEM",
                           "CHOLMOD", "SuperLU", "METIS"})
    expect_has(text, part);
}

TEST(Usage, EveryOptionOfTheSolverIsAFlag) {
  const std::string help = run_well("solve --help-all").out;
  for (const char* flag : {"--method", "--expected-solves", "--deterministic", "--check-finite",
                           "--schedule.hop", "--schedule.efficiency-share", "--cpu.threads"})
    expect_has(help, flag);
  const JsonValue v =
      run_well("solve bidiagonal:20 --json --cpu.threads 1 --schedule.hop 300 --expected-solves 5")
          .json();
  EXPECT_EQ(v["threads"].number, 1);
}

TEST(Usage, NearNamesAreSuggested) {
  expect_has(misuse({"solve", "laplace2d:20", "--methd", "serial"}), "--method");
  expect_has(misuse({"solve", "laplace2d:20", "--cpu.thread", "2"}), "--cpu.threads");
  expect_has(misuse({"solve", "laplace2d:20", "--schedule.hops=3"}), "--schedule.hop");
  expect_has(misuse({"solve", "laplace2d:20", "--expected_solves", "5"}), "--expected-solves");
  expect_has(misuse({"solve", "laplace2d:20", "--supernode.merge_zero"}),
             "--supernode.merge-zeros");
  expect_has(misuse({"slove", "laplace2d:20"}), "solve");
  expect_has(misuse({"bench", "bidiagonal:20", "--contenders", "eigne"}), "eigen");
}

TEST(Usage, ValuesOutOfRangeAreRefused) {
  expect_has(misuse({"solve", "laplace2d:20", "--method", "quick"}), "level_row");
  expect_has(misuse({"solve", "laplace2d:20", "--part", "left"}), "lower, upper or full");
  expect_has(misuse({"solve", "laplace2d:20", "--op", "x"}), "n, t or h");
  expect_has(misuse({"solve", "laplace2d:20", "--nrhs", "0"}), "--nrhs");
  expect_has(misuse({"solve", "laplace2d:20", "--repeat", "2.5"}), "--repeat");
  expect_has(misuse({"solve", "laplace2d:20", "--threads", "-1"}), "--threads");
  expect_has(misuse({"solve", "laplace2d:20", "--threads", "many"}), "--cpu.threads");
  expect_has(misuse({"solve", "laplace2d:20", "--expected-solves", "nan"}), "--expected-solves");
  expect_has(misuse({"solve", "laplace2d:20", "--precision", "half"}), "double or float");
  expect_has(misuse({"solve", "laplace2d:20", "--alpha", "1,2"}), "--alpha");
  expect_has(misuse({"solve", "laplace2d:20", "--rhs", "random:x"}), "random:SEED");
  expect_has(misuse({"solve", "laplace2d:20x"}), "recipe");
  expect_has(misuse({"bench", "laplace2d:20", "--threads", "1,,2"}), "--threads");
  expect_has(misuse({"bench", "laplace2d:20", "--contenders", "echelon:fast"}), "method");
}

TEST(Usage, ContradictionsAreRefused) {
  expect_has(misuse({"solve", "laplace2d:20", "--method", "level_column", "--deterministic"}),
             "deterministic");
  expect_has(misuse({"solve", "laplace2d:20", "--backend", "cuda", "--method", "serial"}),
             "serial runs on the CPU alone");
  expect_has(misuse({"bench", "laplace2d:20", "--backend", "cuda", "--in-place"}), "--in-place");
  expect_has(misuse({"bench", "laplace2d:20", "--contenders", "cusparse"}), "--backend cuda");
  expect_has(misuse({"bench", "laplace2d:20", "--part", "full", "--by-level"}), "--backend cuda");
  expect_has(misuse({"bench", "laplace2d:20", "--by-level"}), "--by-level");
  expect_has(misuse({"solve", "laplace2d:20", "--unit"}), "laplace2d:20, a full matrix");
  expect_has(misuse({"solve", "laplace2d:20", "--unit"}), "--part lower");
  expect_has(misuse({"bench", "laplace2d:20", "--in-place"}), "laplace2d:20, a full matrix");
}

// A flag without effect is an error, not ignored.
TEST(Usage, FlagsWithoutUseAreRefused) {
  const TestFolder folder;
  const std::string page = folder.path("page.html");
  expect_has(misuse({"inspect", "laplace2d:5", "--machine", "cori-knl"}), "--report");
  expect_has(misuse({"inspect", "laplace2d:5", "--machine", "cori-knl", "--report", page}),
             "--part full");
  expect_has(misuse({"inspect", "bidiagonal:5", "--supernodes", "--machine", "cori-knl", "--report",
                     page}),
             "--part full");
  expect_has(
      misuse({"inspect", "laplace2d:5", "--part", "full", "--machine", "nosuch", "--report", page}),
      "neither a file nor one of");
  expect_has(misuse({"smooth", "laplace2d:5", "--commit", "x"}), "--compare");
  expect_has(misuse({"model", "bidiagonal:5", "--machine", "cori-knl", "--levels"}), "--json");
  expect_has(misuse({"generate", "--list", "--json"}), "--json does not go with --list");
  expect_has(misuse({"generate", "dense:3", "--list"}), "SPEC does not go with --list");
  for (const char* command : {"solve", "smooth"})
    expect_has(misuse({command, "bidiagonal:50", "--low-precision"}), "--method tree");
  expect_has(misuse({"smooth", "laplace2d:5", "--compare", "--low-precision"}), "--method tree");
  run_well("solve bidiagonal:50 --low-precision --method tree");
}

TEST(Usage, ABackendThatIsNotThereIsSaidInOneLine) {
  expect_has(misuse({"solve", "laplace2d:20", "--backend", "gpu"}), "cpu or cuda");
  if (has_device()) GTEST_SKIP() << "there is a CUDA device";
  for (const char* command : {"solve", "bench"})
    for (const char* part : {"lower", "full"}) {
      const Outcome r = run_program({command, "laplace2d:20", "--backend", "cuda", "--part", part});
      EXPECT_EQ(r.status, 1);
      expect_has(r.err, "CUDA");
      EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1) << r.err;
    }
  expect_has(run_program({"smooth", "laplace2d:20", "--backend", "cuda"}).err, "CUDA");
}

TEST(Usage, EveryOptionOfTheFactorizationIsAFlag) {
  for (const char* command : {"inspect", "solve", "bench"}) {
    const std::string help = run_well(std::string(command) + " --help-all").out;
    for (const char* flag : {"--factor", "--order", "--factor.simplicial", "--factor.scale",
                             "--factor.pivot-threshold", "--factor.drop-tolerance",
                             "--low-precision", "--supernode.merge-zeros"})
      expect_has(help, flag);
  }
}

TEST(Usage, AFullSolveRefusesWhatIsForTriangles) {
  const auto full = [](std::vector<std::string> more) {
    more.insert(more.begin(), {"solve", "laplace2d:5", "--part", "full"});
    return misuse(more);
  };
  expect_has(full({"--op", "t"}), "--op");
  expect_has(full({"--unit"}), "--unit");
  expect_has(full({"--alpha", "2"}), "--alpha");
  expect_has(full({"--factor", "cholmd"}), "cholmod");
  expect_has(full({"--order", "random"}), "metis, amd, natural or automatic");
  expect_has(full({"--refine", "often"}), "fixed:STEPS");
  expect_has(full({"--refine", "fixed:0"}), "--refine fixed");
  expect_has(full({"--factor.scal"}), "--factor.scale");
  expect_has(full({"--factor.fill-factor", "much"}), "--factor.fill-factor");
  expect_has(full({"--supernode.merge-zeros", "2"}), "--supernode.merge-zeros");
  expect_has(full({"--supernode.level-work", "-1"}), "--supernode.level-work");
}

TEST(Usage, ATriangleRefusesWhatIsForFactors) {
  expect_has(misuse({"solve", "laplace2d:5", "--part", "lower", "--factor", "cholmod"}),
             "--factor");
  expect_has(misuse({"inspect", "laplace2d:5", "--part", "lower", "--order", "amd"}), "--order");
  expect_has(misuse({"solve", "laplace2d:5", "--part", "upper", "--refine", "auto"}), "--refine");
  expect_has(misuse({"bench", "laplace2d:5", "--part", "both", "--order", "amd"}), "--order");
  expect_has(misuse({"bench", "laplace2d:5", "--part", "lower", "--contenders", "cholmod"}),
             "cholmod");
  expect_has(misuse({"bench", "laplace2d:5", "--part", "full", "--contenders", "eigen"}), "eigen");
  expect_has(misuse({"bench", "laplace2d:5", "--part", "full", "--factor", "ilu0"}), "ilu0");
  expect_has(misuse({"bench", "laplace2d:5", "--part", "full", "--contenders", "cudss"}),
             "--backend cuda");
  expect_has(misuse({"bench", "laplace2d:5", "--part", "lower", "--whole"}), "--whole");
  expect_has(misuse({"bench", "laplace2d:5", "--part", "full", "--contenders", "echelon:tee"}),
             "echelon:tree");
}

TEST(Usage, ArgumentsMustBeThereOnce) {
  expect_has(misuse({"solve"}), "INPUT");
  expect_has(misuse({"bench"}), "INPUT");
  expect_has(misuse({"solve", "laplace2d:20", "laplace2d:30"}), "laplace2d:30");
}

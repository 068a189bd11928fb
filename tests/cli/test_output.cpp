// tests/cli/test_output.cpp -- the destination of output: JSON alone, a full disk.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "run_program.hpp"

using namespace echelon::test;

TEST(Output, AFullDiskIsAFailure) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "there is no /dev/full";
  for (const char* json : {"--json", "--unit"}) {
    const Outcome r = run_program({"solve", "bidiagonal:10", json}, "/dev/full");
    EXPECT_EQ(r.status, 1);
    EXPECT_EQ(count_lines(r.err), 1) << r.err;
    EXPECT_NE(r.err.find("standard output"), std::string::npos) << r.err;
  }
  EXPECT_EQ(run_program({"--help"}, "/dev/full").status, 1);
}

TEST(Output, OddFileNamesStayJson) {
  const TestFolder folder;
  const std::string file = folder.write("a \"b\"\t\xff.mtx",
                                        "%%MatrixMarket matrix coordinate real general\n"
                                        "1 1 1\n1 1 2\n");
  const Outcome r = run_program({"inspect", "--json", file});
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_NE(r.json()["input"].string.find("a \"b\"\t?.mtx"), std::string::npos);
}

TEST(Output, TablesAreForPeople) {
  EXPECT_NE(run_well("inspect laplace2d:20").out.find("average parallelism"), std::string::npos);
  const Outcome solve = run_well("solve laplace2d:20 --part lower --nrhs 2");
  EXPECT_NE(solve.out.find("backward error"), std::string::npos);
  EXPECT_NE(solve.out.find("GB/s"), std::string::npos);
}

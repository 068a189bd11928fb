// tests/cli/test_calibrate.cpp -- echelon calibrate: writes a machine file that can be read back;
// errors.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <sstream>

#include "echelon/device.hpp"
#include "echelon/machine.hpp"
#include "expect_failure.hpp"

using namespace echelon::test;

TEST(ProgramCalibrates, AMachineFileOnStandardOutput) {
  const Outcome r = run_program({"calibrate", "--quick"});
  EXPECT_EQ(r.status, 0);
  std::istringstream in(r.out);
  const echelon::Machine m = echelon::read_machine(in, "output");
  EXPECT_NE(m.name.find(" core"), std::string::npos) << m.name;
  EXPECT_EQ(m.source.rfind("echelon calibrate, 20", 0), 0U) << m.source;
  EXPECT_GT(m.task_s, 0);
  EXPECT_NE(r.err.find("a task"), std::string::npos) << r.err;
}

TEST(ProgramCalibrates, IntoAFileAndInJson) {
  const TestFolder folder;
  const std::string file = folder.write("here.txt", "what was there before\n");
  const Outcome r = run_well("calibrate --quick --json -o " + file);
  EXPECT_EQ(r.err, "");
  const JsonValue v = r.json();
  const echelon::Machine m = echelon::read_machine(file);
  EXPECT_EQ(v["name"].string, m.name);
  EXPECT_EQ(v["backend"].string, "cpu");
  EXPECT_EQ(v["node_ranks"].number, m.node_ranks);
  EXPECT_EQ(v["task_s"].number, m.task_s);
  EXPECT_EQ(v["read_alone"].items[0].items[0].number, m.read_alone.x[0]);
  EXPECT_EQ(v["read_alone"].items[0].items[1].number, m.read_alone.y[0]);
}

TEST(ProgramCalibrates, NotForAFileThatCannotBeWritten) {
  const TestFolder folder;
  expect_failure({"calibrate", "-o", folder.path("no/such/here.txt")}, "no/such/here.txt: cannot");
}

TEST(ProgramCalibrates, AndNamesTheProgramForRanks) {
  for (const std::string backend : {"mpi", "nvshmem"}) {
    const Outcome r = run_program({"calibrate", "--backend", backend});
    EXPECT_EQ(r.status, 2);
    EXPECT_NE(r.err.find("run mpirun -n 2 echelon-" + backend + " calibrate"), std::string::npos)
        << r.err;
  }
  const Outcome r = run_program({"calibrate", "--backend", "abacus"});
  EXPECT_EQ(r.status, 2);
  EXPECT_NE(r.err.find("cpu|cuda|mpi|nvshmem"), std::string::npos) << r.err;
}

TEST(ProgramCalibrates, NoDeviceWithoutCuda) {
  if (echelon::has_cuda()) GTEST_SKIP() << "of builds without CUDA";
  expect_failure({"calibrate", "--backend", "cuda"}, "built without CUDA");
}

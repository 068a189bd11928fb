// tests/model/test_choose_method.cpp -- automatic: serial where threads cannot help, supersteps
// where they do, with a reason.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "echelon/tools/model.hpp"

namespace echelon {
namespace {

constexpr Workload large{.n = 1000000,
                         .nonzeros = 5000000,
                         .levels = 2000,
                         .threads = 2,
                         .expected_solves = 1000,
                         .superstep_speedup = 1.9};

TEST(ChooseMethod, TakesSuperstepsWhereTheyPay) {
  Machine m = default_machine(MachineKind::cpu);
  m.read_shared = m.read_alone;
  const Choice c = choose_method(large, m);
  EXPECT_EQ(c.method, Method::superstep);
  EXPECT_EQ(c.reason, "supersteps on 2 threads should be 1.9 times as fast as one");
}

TEST(ChooseMethod, ExpectsNoMoreThanTheMachineCanRead) {
  Machine m = default_machine(MachineKind::cpu);
  m.row_s = 0;
  m.read_alone.y = {1e10, 1e10};
  m.read_shared.y = {7e9, 7e9};
  EXPECT_EQ(choose_method(large, m).reason,
            "supersteps on 2 threads should be 1.4 times as fast as one");
  m.read_shared.y = {5e9, 5e9};
  EXPECT_EQ(choose_method(large, m).method, Method::serial);
}

TEST(ChooseMethod, GivesAChainToOneThread) {
  Workload w = large;
  w.levels = w.n;
  EXPECT_EQ(choose_method(w).method, Method::serial);
  EXPECT_EQ(choose_method(w).reason, "the unknowns form one chain");
}

TEST(ChooseMethod, StaysSerialForOneThreadThinLevelsAndSmallMatrices) {
  Workload one = large, thin = large, small = large;
  one.threads = 1;
  thin.levels = 600000;
  small.n = 100;
  small.nonzeros = 500;
  small.levels = 10;
  for (const Workload& w : {one, thin, small}) EXPECT_EQ(choose_method(w).method, Method::serial);
  EXPECT_EQ(choose_method(one).reason, "only one thread may be used");
  EXPECT_EQ(choose_method(thin).reason, "fewer than two unknowns per level");
  EXPECT_EQ(choose_method(small).reason, "too small to wake other threads");
}

TEST(ChooseMethod, CountsTheSolvesThatPayForTheAnalysis) {
  Workload w = large;
  w.expected_solves = 2;
  EXPECT_EQ(choose_method(w).reason, "too few solves expected to pay for a schedule");
}

TEST(ChooseMethod, TrustsTheSimulatedSchedule) {
  Workload w = large;
  w.superstep_speedup = 1.05;
  EXPECT_EQ(choose_method(w).method, Method::serial);
  EXPECT_NE(choose_method(w).reason.find("which does not pay"), std::string::npos);
}

DeviceWorkload grid_on_device() {
  DeviceWorkload w;
  w.rows.n = 2097152;
  w.rows.nonzeros = 6221824;
  w.rows.levels = w.rows.wide_levels = 638;
  w.rows.bands_s = 531e-6;
  return w;
}

TEST(ChooseOnDevice, TakesWhatShouldEndFirst) {
  DeviceWorkload w = grid_on_device();
  EXPECT_EQ(choose_on_device(w).method, Method::element_row);
  w.rows.bands_s = 300e-6;
  EXPECT_EQ(choose_on_device(w).method, Method::superstep);
  Machine quick = default_machine(MachineKind::gpu);
  quick.barrier_s = 1e-7;
  EXPECT_EQ(choose_on_device(w, quick).method, Method::level_row);
  EXPECT_NE(choose_on_device(w, quick).reason.find("one launch per level should take"),
            std::string::npos);
}

TEST(ChooseOnDevice, TakesSupernodesWhereTheyShowAndRowsWhereLevelsAreFew) {
  DeviceWorkload w = grid_on_device();
  w.near_entries = 9;
  EXPECT_EQ(choose_on_device(w).method, Method::tree);
  w.near_entries = 2;
  w.rows.levels = w.rows.wide_levels = 8;
  EXPECT_EQ(choose_on_device(w).method, Method::element_row);
  EXPECT_EQ(choose_on_device(w).reason, "8 levels are too few to combine in bands");
}

TEST(WorthPanels, LooksAtTheirSize) {
  // Wide panels save indices; panels of one column each have their own overhead.
  EXPECT_TRUE(worth_panels({10000, 2000000, 200, 2100000, 20000, 8}));
  EXPECT_FALSE(worth_panels({10000, 30000, 10000, 30000, 20000, 8}));
}

TEST(ChooseThreads, GivesNoSecondThreadToAThousandUnknowns) {
  EXPECT_EQ(choose_threads(Method::tree, {1000, 8000, 150, 12000, 3000, 8}, 12, 16), 1);
  EXPECT_EQ(choose_threads(Method::tree, {100000, 40000000, 5000, 42000000, 500000, 8}, 40, 16),
            16);
  EXPECT_EQ(choose_threads(Method::tree, {100000, 40000000, 5000, 42000000, 500000, 8}, 40, 1), 1);
}

TEST(ChooseThreads, CountsWhatWakingAndWaitingCost) {
  const PanelWorkload w{3000, 300000, 300, 310000, 9000, 8};
  Machine m = default_machine(MachineKind::cpu);
  EXPECT_EQ(choose_threads(Method::tree, w, 20, 2, m), 2);
  EXPECT_EQ(choose_threads(Method::tree, w, 2000, 2, m), 1);  // 2,000 barriers
  m.wake_s *= 100;
  EXPECT_EQ(choose_threads(Method::tree, w, 20, 2, m), 1);
}

TEST(ChooseThreads, GivesSparseInversesNoneForWhichVectorsWouldWander) {
  EXPECT_EQ(choose_threads(Method::spmv, {36000, 144000, 36000, 144000, 110000, 8}, 20, 2), 1);
  EXPECT_EQ(choose_threads(Method::spmv, {13000, 1700000, 9000, 1700000, 90000, 8}, 50, 2), 2);
}

TEST(WorthSparseInverse, WantsThinPanelsAndManySolves) {
  const PanelWorkload thin{10000, 30000, 10000, 30000, 20000, 8};
  EXPECT_TRUE(worth_sparse_inverse(thin, 1000));
  EXPECT_FALSE(worth_sparse_inverse(thin, 5));
  EXPECT_FALSE(worth_sparse_inverse({10000, 2000000, 200, 2100000, 20000, 8}, 1000));
  // Rows are as fast as panels, but the inverse may have twice their entries.
  const PanelWorkload between{10000, 1000000, 5000, 1050000, 100000, 8};
  EXPECT_FALSE(worth_panels(between));
  EXPECT_FALSE(worth_sparse_inverse(between, 1000));
}

}  // namespace
}  // namespace echelon

// tests/model/test_estimate.cpp -- estimates of one solve: parts add up, a larger machine is never
// slower, a larger matrix never faster.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "echelon/error.hpp"
#include "echelon/generate.hpp"
#include "echelon/tools/estimate.hpp"

namespace echelon {
namespace {

constexpr Method row_methods[] = {Method::serial,      Method::superstep,
                                  Method::level_row,   Method::level_column,
                                  Method::element_row, Method::element_column};
constexpr Method panel_methods[] = {Method::plain, Method::stream,      Method::team,
                                    Method::merge, Method::invert_diag, Method::invert_off,
                                    Method::spmv,  Method::dynamic,     Method::tree};

Machine plain_machine(MachineKind kind) {
  Machine m;
  m.name = "made here";
  m.kind = kind;
  m.node_ranks = 8;
  m.read_alone = {{1e6}, {1e10}};
  m.task_s = 1e-7;
  m.row_s = 2e-9;
  m.wake_s = 5e-6;
  m.hop_s = 2e-7;
  m.barrier_s = 1e-6;
  return m;
}

RowFacts some_rows() {
  RowFacts f;
  f.n = 100000;
  f.nonzeros = 400000;
  f.levels = 600;
  f.wide_levels = 200;
  f.threads = 2;
  f.superstep_speedup = 1.8;
  f.bands_s = 2e-4;
  return f;
}

PanelFacts some_panels() {
  PanelFacts f;
  f.n = 30000;
  f.panels = 1000;
  f.entries = 15000000;
  f.rows = 200000;
  f.levels = 12;
  f.path_triangles = 2000000;
  f.threads = 2;
  return f;
}

// All estimates for these facts on the machine.
std::vector<Estimate> all_of(const RowFacts& rows, const PanelFacts& panels, const Machine& m) {
  std::vector<Estimate> all;
  const bool gpu = m.kind == MachineKind::gpu;
  for (const Method method : row_methods)
    if (!gpu || method != Method::serial) all.push_back(estimate_rows(method, rows, m));
  for (const Method method : panel_methods)
    if (!gpu || method == Method::tree) all.push_back(estimate_panels(method, panels, m));
  return all;
}
constexpr MachineKind kinds[] = {MachineKind::cpu, MachineKind::gpu};

// No estimate in `after` exceeds its counterpart in `before`; at least one is smaller.
void expect_never_slower(const std::vector<Estimate>& before, const std::vector<Estimate>& after) {
  ASSERT_EQ(before.size(), after.size());
  bool faster = false;
  for (std::size_t k = 0; k < before.size(); ++k) {
    EXPECT_LE(after[k].total_s, before[k].total_s * (1 + 1e-12)) << "estimate " << k;
    faster = faster || after[k].total_s < before[k].total_s;
  }
  EXPECT_TRUE(faster);
}

TEST(Estimate, IsTheSumOfItsParts) {
  for (const MachineKind kind : kinds)
    for (const Estimate& e : all_of(some_rows(), some_panels(), plain_machine(kind))) {
      EXPECT_DOUBLE_EQ(e.total_s, e.wake_s + e.read_s + e.task_s + e.path_s);
      for (const double part : {e.wake_s, e.read_s, e.task_s, e.path_s}) EXPECT_GE(part, 0);
    }
}

TEST(Estimate, OfASerialSolveIsItsBytesAndRows) {
  const RowFacts f = some_rows();
  const Estimate e = estimate_rows(Method::serial, f, plain_machine(MachineKind::cpu));
  EXPECT_DOUBLE_EQ(f.bytes(), 12.0 * 400000 + 32.0 * 100000);
  EXPECT_DOUBLE_EQ(e.read_s, f.bytes() / 1e10);
  EXPECT_DOUBLE_EQ(e.task_s, 100000 * 2e-9);
  EXPECT_DOUBLE_EQ(e.path_s + e.wake_s, 0);
  EXPECT_STREQ(e.limit, "reading");
}

TEST(Estimate, OfLevelsCountsTheirBarriersAndLaunches) {
  const RowFacts f = some_rows();
  EXPECT_DOUBLE_EQ(estimate_rows(Method::level_row, f, plain_machine(MachineKind::cpu)).path_s,
                   600 * 1e-6);
  // 400 narrow levels share a block, at 4 hops each.
  const Estimate e = estimate_rows(Method::level_row, f, plain_machine(MachineKind::gpu));
  EXPECT_DOUBLE_EQ(e.path_s, 200 * 1e-6 + 400 * 4 * 2e-7);
  EXPECT_STREQ(e.limit, "reading");
}

TEST(Estimate, OfSuperstepsHasTheSimulatedSpeedupAtBest) {
  const Machine m = plain_machine(MachineKind::cpu);
  const double serial = estimate_rows(Method::serial, some_rows(), m).total_s;
  const double both = estimate_rows(Method::superstep, some_rows(), m).total_s;
  EXPECT_NEAR(both - m.wake_s, serial / 1.8, 1e-12);
}

TEST(Estimate, IsNeverSlowerWithMoreBandwidth) {
  for (const MachineKind kind : kinds) {
    Machine fast = plain_machine(kind);
    fast.read_alone.y[0] *= 3;
    expect_never_slower(all_of(some_rows(), some_panels(), plain_machine(kind)),
                        all_of(some_rows(), some_panels(), fast));
  }
}

TEST(Estimate, IsNeverFasterWithMoreLevels) {
  for (const MachineKind kind : kinds) {
    RowFacts rows = some_rows();
    PanelFacts panels = some_panels();
    rows.levels *= 5;
    rows.wide_levels *= 5;
    panels.levels *= 5;
    const Machine m = plain_machine(kind);
    expect_never_slower(all_of(rows, panels, m), all_of(some_rows(), some_panels(), m));
  }
}

TEST(Estimate, IsNeverSlowerWithMoreThreadsWhereWaitingIsFree) {
  Machine m = plain_machine(MachineKind::cpu);
  m.hop_s = m.barrier_s = 0;
  for (const Index threads : {2, 3, 4, 7}) {
    RowFacts few_rows = some_rows(), many_rows = some_rows();
    PanelFacts few_panels = some_panels(), many_panels = some_panels();
    few_rows.threads = few_panels.threads = threads;
    many_rows.threads = many_panels.threads = threads + 1;
    expect_never_slower(all_of(few_rows, few_panels, m), all_of(many_rows, many_panels, m));
  }
}

TEST(Estimate, InvertedTrianglesSaveWaitingOnThreadsAlone) {
  const Machine m = plain_machine(MachineKind::cpu);
  PanelFacts f = some_panels();
  EXPECT_LT(estimate_panels(Method::invert_diag, f, m).total_s,
            estimate_panels(Method::merge, f, m).total_s);
  f.threads = 1;
  EXPECT_DOUBLE_EQ(estimate_panels(Method::invert_diag, f, m).total_s,
                   estimate_panels(Method::merge, f, m).total_s);
}

TEST(Estimate, RefusesWhatItHasNoModelOf) {
  const Machine gpu = plain_machine(MachineKind::gpu), cpu = plain_machine(MachineKind::cpu);
  EXPECT_THROW(estimate_rows(Method::serial, some_rows(), gpu), Error);
  EXPECT_THROW(estimate_rows(Method::tree, some_rows(), cpu), Error);
  EXPECT_THROW(estimate_rows(Method::automatic, some_rows(), cpu), Error);
  EXPECT_THROW(estimate_panels(Method::serial, some_panels(), cpu), Error);
}

TEST(Estimate, OfMethodsByLevelOnAGpuCountsLaunches) {
  const Machine gpu = plain_machine(MachineKind::gpu);
  PanelFacts few = some_panels(), many = some_panels();
  few.levels = 10;
  many.levels = 110;
  const double step = estimate_panels(Method::team, many, gpu).path_s -
                      estimate_panels(Method::team, few, gpu).path_s;
  EXPECT_DOUBLE_EQ(step, 100 * gpu.barrier_s);
}

TEST(Estimate, OfNothingIsNothingOnACpu) {
  const Estimate e = estimate_rows(Method::level_row, RowFacts{}, plain_machine(MachineKind::cpu));
  EXPECT_EQ(e.total_s, 0);
  EXPECT_STREQ(e.limit, "nothing");
}

TEST(RowFacts, CountLevelsThatAreWide) {
  // Levels of a 700 x 700 grid have 1 to 700 rows of one or two entries, one thread each: levels of
  // more than 512 rows are wide.
  const Csr<double> a = generate<double>("laplace2d:700x700:5");
  const TrianglePattern t{a.pattern(), Uplo::lower, Op::none, Diagonal::stored,
                          OutsideEntries::ignore};
  const DependencyGraph g = find_dependency_graph(t, Order::rows);
  const RowFacts f = find_row_facts(g, find_levels(g));
  EXPECT_EQ(f.n, 490000);
  EXPECT_EQ(f.nonzeros, 2 * 700 * 699);
  EXPECT_EQ(f.levels, 1399);
  EXPECT_EQ(f.wide_levels, 1399 - 2 * 512);
}

TEST(PanelFacts, CountADenseTriangleAsOnePanel) {
  const Csr<double> a = generate<double>("dense:60");
  const TrianglePattern t{a.pattern(), Uplo::lower, Op::none, Diagonal::stored,
                          OutsideEntries::ignore};
  const PanelFacts f = find_panel_facts(find_supernodes(find_dependency_graph(t, Order::columns)));
  EXPECT_EQ(f.panels, 1);
  EXPECT_EQ(f.levels, 1);
  EXPECT_EQ(f.rows, 0);
  EXPECT_EQ(f.entries, 60 * 61 / 2);
  EXPECT_EQ(f.path_triangles, f.entries);
  EXPECT_DOUBLE_EQ(f.invert_flops, 60.0 * 60 * 60 / 3);
}

TEST(DefaultMachine, IsOneOfEachKind) {
  EXPECT_EQ(default_machine(MachineKind::cpu).kind, MachineKind::cpu);
  EXPECT_EQ(default_machine(MachineKind::gpu).kind, MachineKind::gpu);
  EXPECT_GT(default_machine(MachineKind::gpu).read_speed(1e8, 1), 1e12);
}

}  // namespace
}  // namespace echelon

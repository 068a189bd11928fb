// tests/exec/test_level_work.cpp -- the bytes that levels read, and the level of each phase.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "echelon/solver.hpp"
#include "exec/block_cases.hpp"
#include "exec/block_program.hpp"

namespace echelon {
namespace {

// A lower triangle, planned and packed for a method, in both directions.
struct Packed {
  Packed(const Csr<double>& a, Method method, const NumericOptions& o = {})
      : analysis(lower(a, {.outside = OutsideEntries::ignore}), {.method = method}) {
    const Plan& plan = analysis.plan();
    pack_plan<double>(plan, fill_from_lists<double>(plan.blocks, plan.pattern, a.value, false),
                      Passes::both, o, values, 1);
  }
  const BlockPlan& blocks() const { return analysis.plan().blocks; }
  std::vector<LevelWork> work(Op op) const { return find_level_work(blocks(), values, op); }
  Analysis analysis;
  BlockValues<double> values;
};

LevelWork sum(const std::vector<LevelWork>& levels) {
  LevelWork all;
  for (const LevelWork& level : levels) {
    all.blocks += level.blocks;
    all.bytes += level.bytes;
  }
  return all;
}

TEST(LevelWorks, AddUpToWhatASolveReads) {
  for (const test::BlockCase& c : test::block_cases())
    for (const Method method : {Method::team, Method::merge, Method::invert_off, Method::tree})
      for (const bool low : {false, true}) {
        if (c.columns.empty()) continue;  // no panels, no levels
        const Packed p(test::case_matrix<double>(c.columns), method, {.low_precision = low});
        const auto down = p.work(Op::none);
        auto up = p.work(Op::transpose);
        EXPECT_EQ(sum(down).bytes, bytes_read(p.blocks(), p.values)) << c.name;
        EXPECT_EQ(sum(down).blocks, p.blocks().supernodes.count()) << c.name;
        std::reverse(up.begin(), up.end());
        ASSERT_EQ(down.size(), up.size());
        for (std::size_t l = 0; l < up.size(); ++l) EXPECT_EQ(down[l].bytes, up[l].bytes);
      }
}

TEST(LevelWorks, OfSparseMatricesAreTheirRows) {
  for (const test::BlockCase& c : test::block_cases()) {
    const Packed p(test::case_matrix<double>(c.columns), Method::spmv);
    const SpmvForm<double>& form = p.values.spmv;
    for (const Op op : {Op::none, Op::transpose}) {
      const LevelMatrices<double>& m = op == Op::none ? form.forwards : form.backwards;
      EXPECT_EQ(sum(p.work(op)).blocks, static_cast<Index>(m.row.size())) << c.name;
      // The end of the last row is counted in no level.
      EXPECT_EQ(sum(p.work(op)).bytes + static_cast<Offset>(sizeof(Offset)), m.bytes()) << c.name;
    }
  }
}

TEST(BlockPrograms, TellTheLevelOfEachPhase) {
  for (const test::BlockCase& c : test::block_cases()) {
    const Packed p(test::case_matrix<double>(c.columns), Method::team);
    const BlockPlan& plan = p.blocks();
    for (const bool pull : {false, true}) {
      const BlockProgram program = make_block_program(plan, pull);
      Index before = 0;
      for (const Phase& phase : program.phases) {
        EXPECT_GE(phase.level, before) << c.name;
        before = phase.level;
        const Index level = pull ? plan.levels() - 1 - phase.level : phase.level;
        for (Index i = phase.begin; i < phase.end; ++i) {
          EXPECT_GE(program.items[i].task, plan.level_start[level]) << c.name;
          EXPECT_LT(program.items[i].task, plan.level_start[level + 1]) << c.name;
        }
      }
    }
  }
}

}  // namespace
}  // namespace echelon

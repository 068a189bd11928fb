// tests/solver/test_analysis.cpp -- what options make of a plan; methods chosen on GPUs.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "echelon/generate.hpp"
#include "echelon/solver.hpp"
#include "support/pictures.hpp"
#include "support/refusal.hpp"

namespace echelon {
namespace {

TEST(AnalysisReport, CountsTheBytesOfThePlan) {
  const Csr<double> a = generate<double>("laplace2d:20x20:5");
  const Triangle<double> t = lower(a, {.outside = OutsideEntries::ignore});
  const auto plan_of = [&](Method method) { return Analysis(t, {.method = method}); };
  for (const Method method : {Method::serial, Method::level_row, Method::superstep, Method::tree}) {
    const Analysis analysis = plan_of(method);
    EXPECT_EQ(analysis.report().plan_bytes, analysis.plan().bytes()) << name(method);
  }
  // Level by level, the starts of the levels come on top of the pattern.
  const Analysis levels = plan_of(Method::level_row);
  EXPECT_EQ(levels.report().plan_bytes,
            plan_of(Method::serial).report().plan_bytes + bytes_of(levels.plan().level_start));
}

TEST(Backend, HasItsOptions) {
  Options o;
  set_option(o, "backend", "cuda");
  set_option(o, "cuda.watchdog_ms", "12.5");
  set_option(o, "cuda.blocks", "264");
  EXPECT_EQ(o.backend, Backend::cuda);
  EXPECT_STREQ(name(o.backend), "cuda");
  const auto a = test::picture<double>("1 .\n 2 1");
  const Analysis analysis(lower(a), o);
  EXPECT_EQ(analysis.plan().cuda.watchdog_ms, 12.5);
  EXPECT_EQ(analysis.plan().cuda.blocks, 264);
}

TEST(Backend, CudaHasTheSamePlansByRowsAndColumns) {
  const auto a = test::picture<double>("1 . .\n 2 1 .\n . 3 1");
  for (const Method method :
       {Method::level_row, Method::level_column, Method::element_row, Method::element_column}) {
    const Analysis cpu(lower(a), {.method = method});
    const Analysis cuda(lower(a), {.method = method,
                                   .backend = Backend::cuda,
                                   .cpu = {.rhs_per_pass = 3},
                                   .cuda = {.watchdog_ms = 7}});
    EXPECT_EQ(cuda.report().method, method);
    EXPECT_EQ(cuda.report().backend, Backend::cuda);
    EXPECT_EQ(cuda.report().levels, 3);
    EXPECT_EQ(cuda.plan().level_start, (Buffer<Index>{0, 1, 2, 3}));
    EXPECT_EQ(cuda.plan().pattern.lists, lists_of(method));
    EXPECT_EQ(cuda.plan().pattern.index, cpu.plan().pattern.index);
    EXPECT_EQ(cuda.plan().rhs_per_pass, 3);
    EXPECT_EQ(cuda.plan().cuda.watchdog_ms, 7);
    EXPECT_EQ(cuda.plan().blocks.n, 0);
    const std::vector<Index> supernodes{0, 3};
    EXPECT_EQ(test::refusal([&] {
                Analysis(lower(a), {.method = method, .backend = Backend::cuda}, supernodes);
              }).text,
              std::string("method ") + name(method) + " does not work on supernodes");
  }
}

TEST(Backend, AutomaticOnCudaSuitsTheTriangle) {
  const auto chosen = [](const char* spec) {
    const Csr<double> a = generate<double>(spec);
    return Analysis(lower(a, {.outside = OutsideEntries::ignore}), {.backend = Backend::cuda})
        .report();
  };
  const AnalysisReport grid = chosen("laplace2d:200x200:5");
  EXPECT_EQ(grid.method, Method::superstep);
  EXPECT_EQ(grid.backend, Backend::cuda);
  EXPECT_GT(grid.supersteps, 1);
  EXPECT_NE(grid.reason.find("in bands a solve should take"), std::string::npos) << grid.reason;
  EXPECT_EQ(chosen("dense:100").method, Method::tree);                // full of supernodes
  EXPECT_EQ(chosen("random:40000:1:1").method, Method::element_row);  // few levels, no bands
}

TEST(Backend, AutomaticOnCudaTakesWhatFits) {
  const Csr<double> a = generate<double>("dense:100");
  for (const Index kib : {48, 99, 163}) {
    const Options o{.backend = Backend::cuda, .cuda = {.shared_memory = kib}};
    EXPECT_EQ(Analysis(lower(a, {.outside = OutsideEntries::ignore}), o).report().method,
              kib == 48 ? Method::invert_off : Method::tree)
        << kib;
  }
}

}  // namespace
}  // namespace echelon

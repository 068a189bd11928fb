// tests/exec/cuda/tiles/test_wide_pass.cpp -- the pass for blocks of right-hand sides, emulated on
// the CPU: all triangles, transposes, layouts and numbers of vectors against the oracle.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

// First: it defines the emulation that device code uses.
#include "exec/emulated_flow.hpp"
// (a separate include block)
#include "echelon/executor.hpp"
#include "exec/cuda/tiles/wide_entry.cuh"
#include "exec/cuda/tiles/wide_pass.cuh"
#include "exec/emulated_plan.hpp"
#include "support/reference_solve.hpp"

namespace echelon {
namespace {

constexpr double accepted = 8;
constexpr int blocks = 3;
constexpr double none = std::numeric_limits<double>::quiet_NaN();

// The arrays of a pass for groups of 8 Q right-hand sides, all of them NaN at first but a
// row of zeros.
template <class S, int Q>
class Wide {
 public:
  // For more blocks than there are, panels are cut finely.
  static constexpr Index planned = Q == 1 ? 40 : blocks;

  Wide(const Ready<double>& ready, const S* value, Index groups)
      : ready_(ready),
        plan_(ready.analysis.plan().blocks),
        value_(value),
        slots_(make_tile_slots(plan_)),
        sources_(make_wide_sources(plan_, slots_)),
        programs_{make_wide_program(plan_, slots_, false, planned, groups),
                  make_wide_program(plan_, slots_, true, planned, groups)},
        width_(8 * Q * groups),
        space_(static_cast<std::size_t>(plan_.space() * width_), none),
        rows_(static_cast<std::size_t>(plan_.n) * 3 * width_, none),
        scratch_(static_cast<std::size_t>(std::max(programs_[0].tiles, programs_[1].tiles)) * 32 *
                     width_,
                 none),
        counters_(static_cast<std::size_t>(std::max(programs_[0].counters, programs_[1].counters) *
                                           groups)),
        shared_(blocks) {
    space_.resize(space_.size() + static_cast<std::size_t>(width_), 0.0);
  }

  // op(M) X = B with b and x of the same layout.
  void solve(Op op, const Vectors<const double>& b, const Vectors<double>& x) {
    run(plan_.pull != (op != Op::none), b, x, false, nullptr);
  }
  void solve_and_back(const Vectors<const double>& b, const Vectors<double>& x,
                      const double* divisor) {
    run(false, b, x, true, divisor);
    run(true, b, x, true, divisor);
  }
  bool goes_back() const { return !plan_.pull; }
  bool is_reset() const {
    return ticket_ == 0 && words_.done == 0 &&
           std::all_of(counters_.begin(), counters_.end(), [](unsigned c) { return c == 0; });
  }

  unsigned status[2] = {};

 private:
  void run(bool pull, const Vectors<const double>& b, const Vectors<double>& x, bool relays,
           const double* divisor) {
    const WideProgram& program = programs_[pull];
    WideParameters<S> p{};
    p.value = value_;
    p.items = program.items.data();
    p.signal = program.signals.data();
    p.source = sources_.from.data();
    p.more = sources_.more.data();
    p.outside = plan_.outside.data();
    p.groups = (x.count + 8 * Q - 1) / (8 * Q);
    p.width = width_;
    p.tickets = static_cast<unsigned>(program.items.size()) * static_cast<unsigned>(p.groups);
    p.sides = {{plan_.n, plan_.reversed, false, 1.0, b.data, b.step(), b.stride(), x.data, x.step(),
                x.stride(), status},
               x.count,
               relays,
               false,
               divisor};
    p.space = space_.data();
    p.rows = rows_.data();
    p.given = pull && relays ? 2 * plan_.n : 0;
    p.scratch = scratch_.data();
    p.counter = counters_.data();
    p.counters = program.counters * p.groups;
    p.ticket = &ticket_;
    p.grid = {&words_, status, 20000000000};  // twenty seconds
    if (p.given == 0) enter({p.sides, p.rows, p.width}, p.groups * Q);
    static EmulatedBlock grid(wide_threads, blocks);
    grid.run([&] {
      if (pull)
        run_wide_pass<S, Q, true>(p, shared_[blockIdx.x]);
      else
        run_wide_pass<S, Q, false>(p, shared_[blockIdx.x]);
    });
  }

  void enter(const WideEntry& entry, Index eights) {
    static EmulatedBlock block(entry_threads);
    double tile[32][9];
    for (Index k = 0; k < (plan_.n + 31) / 32; ++k)
      for (Index eight = 0; eight < eights; ++eight) block.run([&] { entry.run(k, eight, tile); });
  }

  const Ready<double>& ready_;
  const BlockPlan& plan_;
  const S* value_;
  TileSlots slots_;
  WideSources sources_;
  WideProgram programs_[2];
  Index width_;
  std::vector<double> space_, rows_, scratch_;
  std::vector<unsigned> counters_;
  std::vector<WideShared<Q>> shared_;
  unsigned ticket_ = 0;
  GridWords words_;
};

// Column-major vectors from those of any layout.
std::vector<double> columns_of(const Vectors<double>& v) {
  std::vector<double> all;
  for (Index k = 0; k < v.count; ++k)
    for (Index i = 0; i < v.n; ++i) all.push_back(v.data[i * v.step() + k * v.stride()]);
  return all;
}

void expect_small_errors(const Triangle<double>& t, const std::vector<double>& b,
                         const std::vector<double>& x, double bound) {
  const auto n = static_cast<std::ptrdiff_t>(t.n());
  for (auto k = b.begin(); k < b.end(); k += n) {
    const auto found = x.begin() + (k - b.begin());
    EXPECT_LE(test::backward_error(t, std::vector<double>(k, k + n),
                                   std::vector<double>(found, found + n)),
              bound)
        << "vector " << (k - b.begin()) / n;
  }
}

template <int Q>
void expect_solved(const test::BlockCase& c, Index count, Layout layout) {
  SCOPED_TRACE(c.name + ", " + std::to_string(count) + " right-hand sides");
  const auto a = test::case_matrix<double>(c.columns);
  const auto n = static_cast<Index>(c.columns.size());
  Options o;
  o.method = Method::tree;
  o.supernode.subtree_share = 0;
  auto b = test::random_vector<double>(c.columns.size() * static_cast<std::size_t>(count));
  std::vector<double> x(b.size());
  const Vectors<double> right{b.data(), n, count, 0, layout}, found{x.data(), n, count, 0, layout};
  for (const Uplo uplo : {Uplo::lower, Uplo::upper}) {
    const auto part = [&](Op op) {
      return triangle(CsrView<double>(a), uplo, {.op = op, .outside = OutsideEntries::ignore});
    };
    const Ready<double> ready(part(Op::none), o);
    ASSERT_TRUE(has_single_tasks(ready.analysis.plan().blocks));
    ASSERT_TRUE(ready.values.all_inverse);
    Wide<double, Q> wide(ready, ready.values.value.data(), (count + 8 * Q - 1) / (8 * Q));
    for (const Op op : {Op::none, Op::transpose}) {
      wide.solve(op, right, found);
      const auto first = x;
      expect_small_errors(part(op), columns_of(right), columns_of(found), accepted);
      std::fill(x.begin(), x.end(), none);
      wide.solve(op, right, found);
      EXPECT_EQ(x, first) << "other bits the second time";
    }
    if (wide.goes_back()) {
      const auto d = test::random_vector<double>(c.columns.size());
      wide.solve(Op::none, right, found);
      auto middle = columns_of(found);
      for (std::size_t k = 0; k < middle.size(); ++k) middle[k] /= d[k % d.size()];
      wide.solve_and_back(right, found, d.data());
      expect_small_errors(part(Op::transpose), middle, columns_of(found), accepted);
    }
    EXPECT_EQ(wide.status[0] + wide.status[1], 0u);
    EXPECT_TRUE(wide.is_reset());
  }
}

TEST(WidePass, SolvesEveryCase) {
  for (const test::BlockCase& c : test::block_cases())
    if (!c.columns.empty()) expect_solved<1>(c, 5, Layout::column_major);
}

TEST(WidePass, ServesAnyNumberOfVectorsInBothLayouts) {
  for (const test::BlockCase& c : test::block_cases()) {
    if (c.name != "dense 70" && c.name != "dissected") continue;
    expect_solved<1>(c, 17, Layout::row_major);
    expect_solved<2>(c, 16, Layout::row_major);
    expect_solved<4>(c, 33, Layout::column_major);
  }
}

// Many chunks per warp, and items in parts.
TEST(WidePass, TakesWidePanels) {
  expect_solved<4>({"dense 300", test::band(300, 300)}, 3, Layout::column_major);
  expect_solved<1>({"dense 600", test::band(600, 600)}, 3, Layout::column_major);
}

TEST(WidePass, ReadsValuesInSinglePrecision) {
  const auto a = test::case_matrix<double>(test::dissected_grid(13, 14));
  Options o;
  o.method = Method::tree;
  o.supernode.subtree_share = 0;
  o.numeric.low_precision = true;
  const auto t = triangle(CsrView<double>(a), Uplo::lower, {.outside = OutsideEntries::ignore});
  const Ready<double> ready(t, o);
  Wide<float, 1> wide(ready, ready.values.low.data(), 1);
  const auto b = test::random_vector<double>(static_cast<std::size_t>(t.n()) * 8);
  std::vector<double> x(b.size());
  wide.solve(Op::none, {b.data(), t.n(), 8, 0, Layout::column_major},
             {x.data(), t.n(), 8, 0, Layout::column_major});
  expect_small_errors(t, b, x, 1e10);  // of a factor rounded to single precision
}

}  // namespace
}  // namespace echelon

// tests/numeric/test_spmv_form.cpp -- triangles as products with sparse matrices: the levels of the
// partitioned inverse, and the full inverse.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <limits>
#include <set>

#include "echelon/numeric.hpp"
#include "support/random_matrix.hpp"
#include "support/reference_solve.hpp"
#include "support/refusal.hpp"

namespace echelon {
namespace {

using test::refusal;
using test::Refusal;

template <class T>
class SpmvForms : public testing::Test {};
using Scalars = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(SpmvForms, Scalars);

// A lower triangle by columns, planned and packed for a method.
template <class T>
struct Packed {
  Packed(const Csr<T>& a, Method method, Passes passes = Passes::both, NumericOptions o = {}) {
    const auto t = lower(a, {.outside = OutsideEntries::ignore});
    DependencyGraph g = find_dependency_graph(t, Order::columns);
    plan.method = method;
    SupernodeReport report;
    plan.blocks = plan_blocks(find_supernodes(g), recipe_of(method), {}, report);
    Buffer<Index> order(g.n);
    for (Index k = 0; k < g.n; ++k) order[k] = k;
    plan.pattern = pack_pattern(std::move(g), std::move(order));
    pack_plan<T>(plan, fill_from_lists<T>(plan.blocks, plan.pattern, a.value, false), passes, o,
                 values, 2);
  }
  Plan plan;
  BlockValues<T> values;
};

// z += M z, level by level; returns the answers.
template <class T>
std::vector<T> apply(const LevelMatrices<T>& m, const std::vector<T>& b) {
  std::vector<T> z = b;
  z.resize(2 * b.size(), T(0));
  for (Index l = 0; l < m.levels(); ++l) {
    const std::vector<T> old = z;  // no row may read what another row of its level changes
    for (Index r = m.level_start[l]; r < m.level_start[l + 1]; ++r)
      for (Offset p = m.start[r]; p < m.start[r + 1]; ++p)
        z[m.row[r]] += (m.low.empty() ? m.value[p] : T(m.low[p])) * old[m.index[p]];
  }
  return {z.begin() + static_cast<std::ptrdiff_t>(b.size()), z.end()};
}

template <class T>
void expect_well_formed(const LevelMatrices<T>& m, Index n) {
  ASSERT_EQ(m.level_start.back(), static_cast<Index>(m.row.size()));
  ASSERT_EQ(m.start.size(), m.row.size() + 1);
  ASSERT_EQ(m.start.back(), static_cast<Offset>(m.index.size()));
  std::multiset<Index> answers;
  for (Index l = 0; l < m.levels(); ++l) {
    std::set<Index> changed;
    for (Index r = m.level_start[l]; r < m.level_start[l + 1]; ++r) {
      EXPECT_TRUE(changed.insert(m.row[r]).second) << "a place is two rows of one matrix";
      if (m.row[r] >= n) answers.insert(m.row[r]);
    }
    for (Offset p = m.start[m.level_start[l]]; p < m.start[m.level_start[l + 1]]; ++p) {
      EXPECT_FALSE(changed.contains(m.index[p])) << "a matrix reads what it changes";
      EXPECT_TRUE(!m.low.empty() || m.value[p] != T(0));
    }
  }
  EXPECT_EQ(answers.size(), static_cast<std::size_t>(n));  // each is computed once
}

TYPED_TEST(SpmvForms, AreTheSolvesBothWays) {
  using T = TypeParam;
  for (const Index n : {1, 2, 40, 150})
    for (const Index band : {0, 3})
      for (const Method method : {Method::spmv, Method::invert_full})
        for (const double growth : {1e8, 0.0}) {  // inverted, and all kept as triangles
          const auto a = test::random_matrix<T>(
              {.n = n, .per_row = std::min<Index>(n - 1, 5), .bandwidth = band});
          if (method == Method::invert_full && growth == 0) continue;  // it is refused
          const Packed<T> packed(a, method, Passes::both, {.largest_growth = growth});
          const SpmvForm<T>& form = packed.values.spmv;
          expect_well_formed(form.forwards, n);
          expect_well_formed(form.backwards, n);
          const auto b = test::random_vector<T>(static_cast<std::size_t>(n));
          for (const Op op : {Op::none, Op::transpose}) {
            const auto t = lower(a, {.op = op, .outside = OutsideEntries::ignore});
            EXPECT_LE(test::backward_error(
                          t, b, apply(op == Op::none ? form.forwards : form.backwards, b)),
                      8);
          }
        }
}

// By hand: supernode {0} has row 2 of {1, 2}, whose inverse is [1/4 .; -2/5 1/5].  Places 0 to 2
// are right-hand sides, 3 to 5 answers.
TEST(SpmvForm, OfThreeByHand) {
  const auto a = test::picture<double>(R"( 2 . .
                                           . 4 .
                                           3 8 5 )");
  const Packed<double> packed(a, Method::spmv);
  const LevelMatrices<double>& f = packed.values.spmv.forwards;
  EXPECT_EQ(f.level_start, (Buffer<Index>{0, 2, 4}));
  EXPECT_EQ(f.row, (Buffer<Index>{2, 3, 4, 5}));
  EXPECT_EQ(f.start, (Buffer<Offset>{0, 1, 2, 3, 5}));
  EXPECT_EQ(f.index, (Buffer<Index>{0, 0, 1, 1, 2}));
  EXPECT_EQ(f.value, (Buffer<double>{-1.5, 0.5, 0.25, -0.4, 0.2}));
  const LevelMatrices<double>& b = packed.values.spmv.backwards;
  EXPECT_EQ(b.level_start, (Buffer<Index>{0, 2, 3}));
  EXPECT_EQ(b.row, (Buffer<Index>{4, 5, 3}));
  EXPECT_EQ(b.index, (Buffer<Index>{1, 2, 2, 0, 5}));
  EXPECT_EQ(b.value, (Buffer<double>{0.25, -0.4, 0.2, 0.5, -1.5}));
}

TEST(SpmvForm, ExactZerosAreLeftOut) {
  // Neighbours with the same structure, except for stored zeros.
  auto a = test::picture<double>(R"( 2 . . .
                                     1 2 . .
                                     1 1 2 .
                                     1 1 1 2 )");
  a.value = {2, 0, 2, 0, 0, 2, 0, 0, 0, 2};
  const Packed<double> packed(a, Method::spmv);
  EXPECT_EQ(packed.values.spmv.forwards.index.size(), 4u);
  EXPECT_EQ(packed.values.spmv.backwards.index.size(), 4u);
}

TEST(SpmvForm, AKeptTriangleTakesALevelForEachRow) {
  const auto a = test::random_matrix<double>({.n = 6, .per_row = 0});
  auto full = test::picture<double>(R"( 4 . . . .
                                        1 4 . . .
                                        1 1 4 . .
                                        1 1 1 4 .
                                        1 1 1 1 4 )");
  const Packed<double> kept(full, Method::spmv, Passes::both, {.largest_growth = 0});
  EXPECT_EQ(kept.values.uninverted_blocks, 1);
  EXPECT_EQ(kept.values.spmv.forwards.levels(), 5);
  EXPECT_EQ(kept.values.spmv.backwards.levels(), 5);
  EXPECT_EQ(Packed<double>(full, Method::spmv).values.spmv.forwards.levels(), 1);
  EXPECT_EQ(Packed<double>(a, Method::spmv).values.spmv.forwards.levels(), 1);
}

TEST(SpmvForm, OnlyWhatIsAskedForIsMadeAndThePanelsAreGivenUp) {
  const auto a = test::random_matrix<double>({.n = 50});
  for (const Method method : {Method::spmv, Method::invert_full}) {
    const Packed<double> one(a, method, Passes::forwards), other(a, method, Passes::backwards);
    EXPECT_GT(one.values.spmv.forwards.levels(), 0);
    EXPECT_EQ(one.values.spmv.backwards.levels(), 0);
    EXPECT_EQ(other.values.spmv.forwards.levels(), 0);
    EXPECT_TRUE(one.values.value.empty() && other.values.value.empty());
    EXPECT_EQ(bytes_read(one.plan.blocks, one.values), one.values.spmv.forwards.bytes());
  }
}

TEST(SpmvForm, InLowPrecisionKeepsFloats) {
  const auto a = test::random_matrix<double>({.n = 80});
  const Packed<double> low(a, Method::spmv, Passes::forwards, {.low_precision = true});
  const LevelMatrices<double>& m = low.values.spmv.forwards;
  EXPECT_TRUE(m.value.empty());
  EXPECT_EQ(m.low.size(), m.index.size());
  const auto b = test::random_vector<double>(80);
  const auto t = lower(a, {.outside = OutsideEntries::ignore});
  EXPECT_LE(test::backward_error(t, b, apply(m, b)) * std::numeric_limits<double>::epsilon(),
            4 * std::numeric_limits<float>::epsilon());
}

TEST(SpmvFormRefusals, NameWhatIsWrong) {
  auto a = test::picture<double>("1 . .\n . 1 .\n . . 1");
  a.value[1] = std::numeric_limits<double>::denorm_min();  // 1/d overflows
  EXPECT_EQ(refusal([&] { Packed<double>(a, Method::spmv); }),
            Refusal(ErrorCode::bad_argument,
                    "row or column 1 has an inverse that overflows; method spmv cannot hold it"));
  EXPECT_EQ(refusal([&] { Packed<double>(a, Method::invert_full); }),
            Refusal(ErrorCode::not_finite, "row or column 1 of the inverse is not finite"));
  const auto large = test::random_matrix<double>({.n = 20001, .per_row = 0});
  EXPECT_EQ(refusal([&] { Packed<double>(large, Method::invert_full); }),
            Refusal(ErrorCode::bad_argument,
                    "method invert_full is for at most 20000 unknowns; there are 20001"));
}

}  // namespace
}  // namespace echelon

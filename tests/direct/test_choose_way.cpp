// tests/direct/test_choose_way.cpp -- panels or rows for the triangles of a factorization.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "direct_cases.hpp"
#include "echelon/generate.hpp"
#include "support/reference_solve.hpp"
#include "support/refusal.hpp"

namespace echelon {
namespace {

constexpr double rounding = 256;  // normwise, in units of eps; the condition of the matrix included

template <class T>
class Ways : public testing::Test {};
using Scalars = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(Ways, Scalars);

template <class T>
std::vector<T> right_side(Index n) {
  return test::random_vector<T>(static_cast<std::size_t>(n));
}

// The largest difference of two answers, relative to the largest entry.
template <class T>
double difference(const std::vector<T>& a, const std::vector<T>& b) {
  double most = 0, scale = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    most = std::max(most, static_cast<double>(std::abs(a[i] - b[i])));
    scale = std::max(scale, static_cast<double>(std::abs(b[i])));
  }
  return most / scale / static_cast<double>(std::numeric_limits<Real<T>>::epsilon());
}

// Factors in panels too: all parts and operations give what panels give.
TYPED_TEST(Ways, AnyFactorCanBeSolvedRowByRow) {
  using T = TypeParam;
  for (const auto& c : test::direct_cases<T>()) {
    const DirectSolver<T> panels(c.factor(c.a), test::direct_options(Method::team));
    for (const Method method : {Method::serial, Method::superstep, Method::element_row}) {
      const DirectSolver<T> rows(c.factor(c.a), test::direct_options(method));
      EXPECT_EQ(rows.report().method, method) << c.name;
      EXPECT_EQ(rows.report().upper_method, method) << c.name;
      EXPECT_FALSE(rows.report().symmetric_storage);
      for (const Part part : {Part::full, Part::lower, Part::upper, Part::triangles})
        for (const Op op : {Op::none, Op::transpose, Op::conjugate}) {
          const std::vector<T> b = right_side<T>(c.a.rows);
          EXPECT_LE(difference(rows.solve(b, {.part = part, .op = op}),
                               panels.solve(b, {.part = part, .op = op})),
                    rounding)
              << c.name << ' ' << name(part) << ' ' << name(op);
        }
    }
  }
}

TYPED_TEST(Ways, RowsOfPanelsTakeNewValues) {
  using T = TypeParam;
  for (const auto& c : test::direct_cases<T>()) {
    Csr<T> twice = c.a;
    for (T& value : twice.value) value *= T(2);
    DirectSolver<T> rows(c.factor(c.a), test::direct_options(Method::serial));
    const std::vector<T> b = right_side<T>(c.a.rows), x = rows.solve(b);
    rows.update(c.factor(twice));
    std::vector<T> half = rows.solve(b);
    for (T& value : half) value *= T(2);
    EXPECT_LE(difference(half, x), rounding) << c.name;
  }
}

// By hand: L = [1; 0 1; 1 1 1] in one panel.  What is zero by chance may become nonzero, as in
// panels.
TEST(WaysUpdates, AZeroOfASupernodeMayBecomeAnEntry) {
  const auto make = [](double entry) {
    Factors<double> f;
    f.n = 3;
    f.package = "by hand";
    f.kind = "LL'";
    f.symmetric = true;
    const auto value =
        std::make_shared<std::vector<double>>(std::vector<double>{1, entry, 1, 0, 1, 1, 0, 0, 1});
    f.lower.panels.first = {0, 3};
    f.lower.panels.row_start = {0, 3};
    f.lower.panels.row = {0, 1, 2};
    f.lower.panels.value_start = {0};
    f.lower.panels.value = *value;
    f.lower.nonzeros = entry == 0 ? 5 : 6;
    f.owner = value;
    f.lower.supernodes.n = 3;
    f.lower.supernodes.first = {0, 3};
    f.lower.supernodes.row_start = {0, 0};
    return f;
  };
  DirectSolver<double> rows(make(0), test::direct_options(Method::serial));
  EXPECT_EQ(rows.solve(std::vector<double>{1, 1, 4}, {.part = Part::lower}),
            (std::vector<double>{1, 1, 2}));
  rows.update(make(3));
  EXPECT_EQ(rows.solve(std::vector<double>{1, 4, 6}, {.part = Part::lower}),
            (std::vector<double>{1, 1, 4}));
  rows.update(make(0));
  EXPECT_EQ(rows.solve(std::vector<double>{1, 1, 4}, {.part = Part::lower}),
            (std::vector<double>{1, 1, 2}));
}

bool is_timed(const Factors<double>& f, const Options& o) {
  return DirectSolver<double>(f, o).report().reason.find("timed at setup: ") != std::string::npos;
}

TEST(WaysTimed, OnlyWhereItIsWantedAndPays) {
  const auto f = factor_ilu0<double>(generate<double>("laplace2d:120x120:5"), test::natural);
  Options o = test::direct_options(Method::automatic);
  EXPECT_TRUE(is_timed(f, o));
  o.expected_solves = 10;
  EXPECT_FALSE(is_timed(f, o)) << "ten solves do not pay for it";
  o = test::direct_options(Method::automatic);
  o.measure = false;
  EXPECT_FALSE(is_timed(f, o));
  o = test::direct_options(Method::automatic);
  o.deterministic = true;
  EXPECT_FALSE(is_timed(f, o)) << "another run could take another method";
  EXPECT_FALSE(is_timed(f, test::direct_options(Method::tree)));
  EXPECT_FALSE(is_timed(factor_ilu0<double>(test::tridiagonal<double>(9), test::natural),
                        test::direct_options(Method::automatic)))
      << "too small";
}

// What is timed is not kept: the answers of a solver are those of its method alone.
TEST(WaysTimed, TheChosenMethodGivesItsOwnBits) {
  const auto f = factor_ilu0<double>(generate<double>("laplace2d:90x90:9"), test::natural);
  const DirectSolver<double> chosen(f, test::direct_options(Method::automatic));
  const std::vector<double> b = right_side<double>(f.n);
  const auto same_bits = [&](Part part, Method method) {  // L and U may have different methods
    const DirectSolver<double> given(f, test::direct_options(method));
    EXPECT_EQ(chosen.solve(b, {.part = part}), given.solve(b, {.part = part})) << name(method);
  };
  same_bits(Part::lower, chosen.report().method);
  same_bits(Part::upper, chosen.report().upper_method);
}

}  // namespace
}  // namespace echelon

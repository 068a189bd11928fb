// tests/exec/test_panel_kernels.cpp -- the kernels of every vector unit of this machine against
// plain loops.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "base/vector_unit.hpp"
#include "exec/cpu/panels/panel_kernels.hpp"

namespace echelon {
namespace {

using Number = std::complex<double>;
constexpr Index lanes = PanelVector::lanes, plane = PanelVector::rows;
constexpr Index margin = 3;  // gap between vectors

// A strip with its vectors in the kernels' layout, and the same as plain numbers.
template <class S, class R>
struct StripCase {
  StripCase(bool complex_, Index groups_, Index m_, Index k_)
      : complex(complex_), groups(groups_), m(m_), k(k_), parts(complex_ ? 2 : 1) {
    std::mt19937 random(17);
    std::uniform_real_distribution<double> value(-1, 1);
    const auto fill = [&](auto& v, Offset size) {
      v.resize(static_cast<std::size_t>(size));
      for (auto& x : v) x = static_cast<std::decay_t<decltype(x)>>(value(random));
    };
    fill(a, Offset{parts} * m * groups * lanes);
    fill(columns, Offset{parts} * k * (m + margin));
    fill(rows, Offset{parts} * k * plane);
  }

  Number entry(Index i, Index j) const {
    const S* const group = a.data() + (Offset{j} * groups + i / lanes) * parts * lanes + i % lanes;
    return {group[0], complex ? group[lanes] : 0};
  }
  Number of_columns(const std::vector<R>& x, Index j, Index v) const {
    const R* const p = x.data() + parts * (v * (m + margin) + j);
    return {p[0], complex ? p[1] : 0};
  }
  Number of_rows(const std::vector<R>& y, Index i, Index v) const {
    const R* const p = y.data() + parts * plane * v + i;
    return {p[0], complex ? p[plane] : 0};
  }

  bool complex;
  Index groups, m, k, parts;
  std::vector<S> a;
  std::vector<R> columns, rows;
};

// Calls the two kernels on k vectors of the case.
template <class S, class R>
void push(const PanelKernels<S, R>& kernels, const StripCase<S, R>& c, const R* x, R* y, Index k,
          bool add = true) {
  kernels.push[c.complex](c.a.data(), c.groups, c.m, x, c.m + margin, y, k, add);
}
template <class S, class R>
void pull(const PanelKernels<S, R>& kernels, const StripCase<S, R>& c, const R* v, R* y, Index k,
          bool add = true) {
  constexpr Offset ahead = 0;
  kernels.pull[c.complex](c.a.data(), c.groups, c.m, v, y, c.m + margin, k, ahead, add);
}

// |found - wanted| relative to the rounding of `terms` terms of size one.
template <class R>
void expect_near(Number found, Number wanted, Index terms, const char* what) {
  const double unit = static_cast<double>(std::numeric_limits<R>::epsilon());
  EXPECT_LE(std::abs(found - wanted), 4 * (terms + 2) * unit) << what;
}

template <class S, class R>
void check_push(const PanelKernels<S, R>& kernels, const StripCase<S, R>& c) {
  std::vector<R> y = c.rows;
  push(kernels, c, c.columns.data(), y.data(), c.k);
  for (Index v = 0; v < c.k; ++v)
    for (Index i = 0; i < plane; ++i) {
      Number wanted = c.of_rows(c.rows, i, v);  // rows beyond the groups do not change
      if (i < c.groups * lanes)
        for (Index j = 0; j < c.m; ++j) wanted += c.entry(i, j) * c.of_columns(c.columns, j, v);
      expect_near<R>(c.of_rows(y, i, v), wanted, c.m, "push");
    }
}

template <class S, class R>
void check_pull(const PanelKernels<S, R>& kernels, const StripCase<S, R>& c) {
  std::vector<R> y = c.columns;
  pull(kernels, c, c.rows.data(), y.data(), c.k);
  for (Index v = 0; v < c.k; ++v)
    for (Index j = 0; j < c.m + margin; ++j) {
      Number wanted = c.of_columns(c.columns, j, v);
      if (j < c.m)
        for (Index i = 0; i < c.groups * lanes; ++i)
          wanted += c.entry(i, j) * c.of_rows(c.rows, i, v);
      expect_near<R>(c.of_columns(y, j, v), wanted, c.groups * lanes, "pull");
    }
}

// A vector gives the same bits alone and among k vectors.
template <class S, class R>
void check_alone(const PanelKernels<S, R>& kernels, const StripCase<S, R>& c) {
  std::vector<R> pushed = c.rows, pulled = c.columns, one_pushed = c.rows, one_pulled = c.columns;
  const Index ld = c.m + margin;
  push(kernels, c, c.columns.data(), pushed.data(), c.k);
  pull(kernels, c, c.rows.data(), pulled.data(), c.k);
  for (Index v = 0; v < c.k; ++v) {
    const Offset column = Offset{c.parts} * v * ld, row = Offset{c.parts} * v * plane;
    push(kernels, c, c.columns.data() + column, one_pushed.data() + row, 1);
    pull(kernels, c, c.rows.data() + row, one_pulled.data() + column, 1);
  }
  EXPECT_EQ(pushed, one_pushed);
  EXPECT_EQ(pulled, one_pulled);
}

// The old content of y does not matter unless it is added to.
template <class S, class R>
void check_set(const PanelKernels<S, R>& kernels, const StripCase<S, R>& c) {
  const R nan = std::numeric_limits<R>::quiet_NaN();
  std::vector<R> pushed(c.rows.size(), nan), pulled(c.columns.size(), nan);
  std::vector<R> onto_rows(c.rows.size(), 0), onto_columns(c.columns.size(), 0);
  push(kernels, c, c.columns.data(), pushed.data(), c.k, false);
  pull(kernels, c, c.rows.data(), pulled.data(), c.k, false);
  push(kernels, c, c.columns.data(), onto_rows.data(), c.k);
  pull(kernels, c, c.rows.data(), onto_columns.data(), c.k);
  for (Index v = 0; v < c.k; ++v) {
    for (Index i = 0; i < c.groups * lanes; ++i)
      EXPECT_EQ(c.of_rows(pushed, i, v), c.of_rows(onto_rows, i, v));
    for (Index j = 0; j < c.m; ++j)
      EXPECT_EQ(c.of_columns(pulled, j, v), c.of_columns(onto_columns, j, v));
  }
}

template <class S, class R>
void check_all(VectorUnit unit) {
  const PanelKernels<S, R>& kernels = panel_kernels<S, R>(unit);
  for (const bool complex : {false, true})
    for (Index groups = 1; groups <= 4; ++groups)
      for (const Index m : {1, 2, 3, 7, 8, 9, 16, 31, 33, 64, 71, 130})
        for (const Index k : {1, 2, 3, 5, 8, 17}) {
          SCOPED_TRACE(testing::Message()
                       << name(unit) << (complex ? ", complex, " : ", real, ") << groups
                       << " groups, " << m << " columns, " << k << " vectors");
          const StripCase<S, R> c(complex, groups, m, k);
          check_push(kernels, c);
          check_pull(kernels, c);
          check_alone(kernels, c);
          check_set(kernels, c);
        }
}

TEST(PanelKernels, OfEveryUnitMultiplyLikePlainLoops) {
  for (const VectorUnit unit : vector_units()) {
    check_all<double, double>(unit);
    check_all<float, float>(unit);
    check_all<float, double>(unit);
  }
}

#ifdef __x86_64__
template <class S, class R>
void check_same_bits() {
  const PanelKernels<S, R>& narrow = panel_kernels<S, R>(VectorUnit::avx2);
  const PanelKernels<S, R>& wide = panel_kernels<S, R>(VectorUnit::avx512);
  for (const bool complex : {false, true})
    for (Index groups = 1; groups <= 4; ++groups)
      for (const Index m : {1, 3, 7, 8, 33, 130})
        for (const Index k : {1, 5}) {
          const StripCase<S, R> c(complex, groups, m, k);
          std::vector<R> rows[2] = {c.rows, c.rows}, columns[2] = {c.columns, c.columns};
          push(narrow, c, c.columns.data(), rows[0].data(), k);
          push(wide, c, c.columns.data(), rows[1].data(), k);
          pull(narrow, c, c.rows.data(), columns[0].data(), k);
          pull(wide, c, c.rows.data(), columns[1].data(), k);
          EXPECT_EQ(rows[0], rows[1]) << complex << ' ' << groups << ' ' << m << ' ' << k;
          EXPECT_EQ(columns[0], columns[1]) << complex << ' ' << groups << ' ' << m << ' ' << k;
        }
}

TEST(PanelKernels, OfUnitsThatFuseGiveTheSameBits) {
  if (find_vector_unit() != VectorUnit::avx512) GTEST_SKIP() << "this machine has no avx512";
  check_same_bits<double, double>();
  check_same_bits<float, float>();
  check_same_bits<float, double>();
}
#endif

}  // namespace
}  // namespace echelon

// tests/neon/check_kernels.cpp -- the kernels of ARM's vector unit against plain loops, without a
// test framework; cross-compiled and run in an emulator.
// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <cstdio>
#include <limits>
#include <vector>

#include "base/gemm.hpp"
#include "base/read_sum.hpp"
#include "base/vector_unit.hpp"
#include "exec/cpu/panels/panel_kernels.hpp"

namespace echelon {
namespace {

constexpr Index lanes = PanelVector::lanes, plane = PanelVector::rows;
int wrong = 0;

void expect_near(double found, double wanted, double bound, const char* what) {
  if (std::abs(found - wanted) <= bound) return;
  if (++wrong < 20) std::printf("%s: %.17g, not %.17g\n", what, found, wanted);
}

// Numbers between -1 and 1 that do not repeat in a small test.
template <class R>
std::vector<R> numbers(Offset size, unsigned seed) {
  std::vector<R> v(static_cast<std::size_t>(size));
  for (R& x : v) {
    seed = seed * 1664525u + 1013904223u;
    x = static_cast<R>(static_cast<double>(seed >> 8) / (1 << 23) - 1);
  }
  return v;
}

// y = A x and then z = A' y, real (one part) or complex (two): each value against a plain sum.
template <class S, class R>
void check_panels(VectorUnit unit, int parts, Index groups, Index m, Index k) {
  const PanelKernels<S, R>& kernels = panel_kernels<S, R>(unit);
  const auto a = numbers<S>(Offset{parts} * m * groups * lanes, 3);
  const auto x = numbers<R>(Offset{parts} * m * k, 5);
  std::vector<R> y(static_cast<std::size_t>(parts) * plane * k), z(x.size());
  kernels.push[parts - 1](a.data(), groups, m, x.data(), m, y.data(), k, false);
  kernels.pull[parts - 1](a.data(), groups, m, y.data(), z.data(), m, k, 0, false);
  const double unit_roundoff = static_cast<double>(std::numeric_limits<R>::epsilon());
  // Part c of entry (i, j), of x(j) and of y(i).
  const auto at = [&](Index i, Index j, int c) {
    return static_cast<double>(
        a[((Offset{j} * groups + i / lanes) * parts + c) * lanes + i % lanes]);
  };
  const auto product = [&](double re, double im, double other_re, double other_im, int c) {
    return c == 0 ? re * other_re - im * other_im : re * other_im + im * other_re;
  };
  const bool complex = parts == 2;
  for (Index v = 0; v < k; ++v)
    for (int c = 0; c < parts; ++c) {
      const R* const xv = x.data() + Offset{parts} * v * m;
      const R* const yv = y.data() + Offset{parts} * v * plane;
      for (Index i = 0; i < groups * lanes; ++i) {
        double sum = 0;
        for (Index j = 0; j < m; ++j)
          sum += product(at(i, j, 0), complex ? at(i, j, 1) : 0, xv[parts * j],
                         complex ? xv[parts * j + 1] : R(0), c);
        expect_near(yv[c * plane + i], sum, 8 * (m + 2) * unit_roundoff, "push");
      }
      for (Index j = 0; j < m; ++j) {
        double sum = 0;
        for (Index i = 0; i < groups * lanes; ++i)
          sum += product(at(i, j, 0), complex ? at(i, j, 1) : 0, yv[i],
                         complex ? yv[plane + i] : R(0), c);
        expect_near(z[static_cast<std::size_t>(parts * (v * m + j) + c)], sum,
                    8 * groups * lanes * (m + 2) * unit_roundoff, "pull");
      }
    }
}

template <class R>
void check_gemm(VectorUnit unit, Index m, Index n, Index k) {
  const auto a = numbers<R>(Offset{m} * k, 3), b = numbers<R>(Offset{k} * n, 4);
  auto c = numbers<R>(Offset{m} * n, 5);
  const auto before = c;
  GemmSpace<R> space;
  space.unit = unit;
  gemm<R>({m, n, k, -1, a.data(), m, b.data(), k, c.data(), m}, space);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < m; ++i) {
      double sum = before[static_cast<std::size_t>(j) * m + i];
      for (Index p = 0; p < k; ++p)
        sum -= static_cast<double>(a[static_cast<std::size_t>(p) * m + i]) *
               static_cast<double>(b[static_cast<std::size_t>(j) * k + p]);
      expect_near(c[static_cast<std::size_t>(j) * m + i], sum,
                  8 * (k + 2) * static_cast<double>(std::numeric_limits<R>::epsilon()), "gemm");
    }
}

void check(VectorUnit unit) {
  for (const int parts : {1, 2})
    for (Index groups = 1; groups <= 4; ++groups)
      for (const Index m : {1, 2, 7, 8, 33, 71})
        for (const Index k : {1, 2, 5}) {
          check_panels<double, double>(unit, parts, groups, m, k);
          check_panels<float, float>(unit, parts, groups, m, k);
          check_panels<float, double>(unit, parts, groups, m, k);
        }
  for (const Index n : {1, 5, 24, 47}) {
    check_gemm<double>(unit, n, n + 2, 2 * n);
    check_gemm<float>(unit, n, n + 2, 2 * n);
  }
  Buffer<double> ones(640, 1.0);
  expect_near(read_sum(unit)(ones.data(), ones.size()), 640, 0, "sum");
}

}  // namespace
}  // namespace echelon

int main() {
  for (const echelon::VectorUnit unit : echelon::vector_units()) {
    echelon::check(unit);
    std::printf("%s: %d wrong\n", echelon::name(unit), echelon::wrong);
  }
  return echelon::wrong == 0 ? 0 : 1;
}

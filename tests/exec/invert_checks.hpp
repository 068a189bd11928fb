// tests/exec/invert_checks.hpp -- compares panels inverted by a device with those of pack_blocks.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include <limits>

#include "echelon/solver.hpp"
#include "exec/block_cases.hpp"
#include "numeric/read_panel.hpp"

namespace echelon::test {

// A triangle's plan, its panels unchanged, and as the host inverts them.
template <Scalar T>
struct Inverted {
  Inverted(const Triangle<T>& t, Method method, const NumericOptions& options = {})
      : analysis(t, {.method = method}),
        plan(analysis.plan().blocks),
        fill(fill_from_lists(plan, analysis.plan().pattern, std::span<const T>(t.value), false)),
        wanted(recipe_of(method).form),
        o(options) {
    pack_blocks(plan, fill, BlockForm::triangle, {}, raw);
    pack_blocks(plan, fill, wanted, o, host);
  }

  Analysis analysis;
  const BlockPlan& plan;
  FillPanel<T> fill;
  BlockForm wanted;
  NumericOptions o;
  BlockValues<T> raw, host;
};

// The panel by columns, with zeros above the diagonal.
template <class T, class S>
std::vector<T> columns_of(const BlockPlan& plan, Index k, const S* values) {
  const Index s = plan.order[k], w = plan.supernodes.width(s), h = plan.supernodes.height(s);
  std::vector<T> panel(static_cast<std::size_t>(w) * (w + h), T(0));
  read_panel(w, h, values + plan.value_start[k], panel.data());
  return panel;
}

// C = |A| B, with B a non-negative lower triangle of order w, and A with `rows` of ld rows.
template <class T>
std::vector<double> product(Index w, Index ld, const std::vector<T>& a,
                            const std::vector<double>& b, Index rows) {
  std::vector<double> c(static_cast<std::size_t>(w) * ld, 0.0);
  for (Offset j = 0; j < w; ++j)
    for (Offset k = j; k < w; ++k)
      for (Offset i = k; i < rows; ++i) c[j * ld + i] += std::abs(a[k * ld + i]) * b[j * ld + k];
  return c;
}

// The bound on the difference of two inversions, in units of w eps: |X| |D| |X| for X = D^-1, and
// |P| |X| |D| |X| for P X.
template <class T>
std::vector<double> uncertainty(Index w, Index ld, const std::vector<T>& raw,
                                const std::vector<T>& inverse) {
  std::vector<double> x(inverse.size());
  for (std::size_t p = 0; p < x.size(); ++p) x[p] = std::abs(inverse[p]);
  const auto dx = product(w, ld, raw, x, w), xdx = product(w, ld, inverse, dx, w);
  auto bound = product(w, ld, raw, xdx, ld);
  for (Offset j = 0; j < w; ++j)
    for (Offset i = 0; i < w; ++i) bound[j * ld + i] = xdx[j * ld + i];
  return bound;
}

// Every panel has the host's form, and the host's values up to rounding.  S is the stored type.
template <class T, class S>
void expect_as_on_host(const Inverted<T>& c, const Buffer<S>& found, const Buffer<S>& host,
                       const Buffer<BlockForm>& form, const std::string& name) {
  ASSERT_EQ(found.size(), host.size()) << name;
  ASSERT_EQ(form, c.host.form) << name;
  const double eps = std::numeric_limits<Real<T>>::epsilon(),
               stored = std::same_as<T, S> ? 0 : std::numeric_limits<Real<S>>::epsilon();
  for (Index k = 0; k < static_cast<Index>(form.size()); ++k) {
    const Index s = c.plan.order[k], w = c.plan.supernodes.width(s);
    const Index ld = w + c.plan.supernodes.height(s);
    const auto x = columns_of<T>(c.plan, k, host.data()),
               y = columns_of<T>(c.plan, k, found.data()),
               d = columns_of<T>(c.plan, k, c.raw.value.data());
    const bool exact = form[k] == BlockForm::triangle;
    const auto bound = exact ? std::vector<double>(x.size()) : uncertainty(w, ld, d, x);
    for (std::size_t p = 0; p < x.size(); ++p) {
      const bool kept = exact || (form[k] == BlockForm::inverse_diagonal &&
                                  static_cast<Index>(p % static_cast<std::size_t>(ld)) >= w);
      const double allowed =
          kept ? 0 : 4 * w * eps * bound[p] + 2 * stored * static_cast<double>(std::abs(x[p]));
      ASSERT_LE(std::abs(x[p] - y[p]), allowed) << name << " panel " << k << " place " << p;
    }
  }
  // The padding beside the entries stays zero.
  const auto zeros = [&](const Buffer<S>& values) {
    const auto* const real = reinterpret_cast<const Real<S>*>(values.data());
    constexpr std::size_t parts = is_complex<S> ? 2 : 1;
    return std::count(real, real + parts * values.size(), Real<S>(0));
  };
  EXPECT_EQ(zeros(found), zeros(host)) << name;
}

}  // namespace echelon::test

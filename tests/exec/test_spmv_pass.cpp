// tests/exec/test_spmv_pass.cpp -- the GPU's products and norms, emulated on the CPU, against plain
// sums; and the sweeps composed of them.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

// First: it defines the emulation that device code uses.
#include "exec/emulated_block.hpp"
// (a separate include block)
#include "echelon/executor.hpp"
#include "echelon/solver.hpp"
#include "exec/cuda/frame/scaled_squares.cuh"
#include "exec/cuda/frame/spmv_pass.cuh"
#include "support/random_matrix.hpp"
#include "support/reference_sweep.hpp"

namespace echelon {
namespace {

constexpr Index n = 45;

template <class T>
class ProductPasses : public testing::Test {};
using Scalars = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(ProductPasses, Scalars);

// A triangle by rows, and its device view.
template <class T>
struct Half {
  PackedPattern pattern;
  PackedValues<T> values;

  Half(const Csr<T>& a, Uplo uplo, Diagonal diagonal) {
    const TrianglePattern t{a.pattern(), uplo, Op::none, diagonal, OutsideEntries::ignore};
    Buffer<Index> order(n);
    for (Index i = 0; i < n; ++i) order[i] = i;
    pattern = pack_pattern(find_dependency_graph(t, Order::rows), std::move(order));
    pack_values<T>(pattern, a.value, a.nonzeros(), false, values);
  }
};

template <class T>
struct HostLists {
  const RisingOffsets& start;
  const Index* index;
  const DeviceScalar<T>* value;
  const DeviceScalar<T>* diagonal;
  DiagonalForm form;

  explicit HostLists(const Half<T>& half)
      : start(half.pattern.start),
        index(half.pattern.index.data()),
        value(reinterpret_cast<const DeviceScalar<T>*>(half.values.value.data())),
        diagonal(reinterpret_cast<const DeviceScalar<T>*>(half.values.diagonal.data())),
        form(half.values.form) {}
};

template <class T>
struct Matrix {
  explicit Matrix(const Csr<T>& a)
      : lower(a, Uplo::lower, Diagonal::stored), upper(a, Uplo::upper, Diagonal::unit) {}
  auto pass(bool below, bool above, Real<T> diagonal) const {
    return ProductPass<DeviceScalar<T>, Real<T>, HostLists<T>>{
        n, HostLists<T>(lower), HostLists<T>(upper), below, above, diagonal};
  }
  Half<T> lower, upper;
};

// Runs the kernel's code in blocks of 64 threads.
template <int V, class T, class Pass>
void subtract(const Pass& pass, int lanes, const Vectors<const T>& b, const Vectors<const T>& x,
              const Vectors<T>& r) {
  EmulatedBlock block(64);
  for (Index first = 0; first < r.count; first += V)
    for (Index from = 0; from < n; from += 64 / lanes)
      block.run([&] {
        const Index i = std::min(n, from + static_cast<Index>(threadIdx.x) / lanes);
        pass.template subtract<V>(i, lanes, first, r.count, frame_vectors(b), frame_vectors(x),
                                  frame_vectors(r));
      });
}

// b - P x from the stored entries.
template <class T>
std::vector<test::Exact<T>> expected_product(const Csr<T>& a, bool below, bool above,
                                             double diagonal, const Vectors<const T>& b,
                                             const Vectors<const T>& x, Index k) {
  std::vector<test::Exact<T>> r;
  const auto at = [&](const Vectors<const T>& v, Index i) {
    return test::exact(v.data[i * v.step() + k * v.stride()]);
  };
  for (Index i = 0; i < n; ++i) {
    auto s = at(b, i);
    for (Offset p = a.start[i]; p < a.start[i + 1]; ++p) {
      const Index j = a.index[p];
      const auto term = test::exact(a.value[p]) * at(x, j);
      if (j == i)
        s -= static_cast<long double>(diagonal) * term;
      else if (j < i ? below : above)
        s -= term;
    }
    r.push_back(s);
  }
  return r;
}

TYPED_TEST(ProductPasses, SubtractTheirPartsOfTheMatrix) {
  using T = TypeParam;
  const auto a = test::random_matrix<T>({.n = n, .per_row = 7, .sorted = false});
  const Matrix<T> matrix(a);
  for (const Layout layout : {Layout::column_major, Layout::row_major})
    for (const Index count : {1, 3, 6}) {
      const Offset leading = layout == Layout::column_major ? n + 2 : count + 1;
      const auto size = static_cast<std::size_t>(leading * std::max(n, count));
      const auto b = test::random_vector<T>(size, 1), x = test::random_vector<T>(size, 2);
      const Vectors<const T> bs(b.data(), n, count, leading, layout);
      const Vectors<const T> xs(x.data(), n, count, leading, layout);
      for (const auto& [below, above, diagonal] :
           {std::tuple{true, true, 1.0}, {true, false, 0.0}, {false, true, -0.25}})
        for (const int lanes : {1, 2, 8, 32}) {
          std::vector<T> r = b, one = b;
          const Vectors<T> rs(r.data(), n, count, leading, layout);
          const auto pass = matrix.pass(below, above, static_cast<Real<T>>(diagonal));
          subtract<4, T>(pass, lanes, rs, xs, rs);  // r may be b
          subtract<1, T>(pass, lanes, bs, xs, {one.data(), n, count, leading, layout});
          EXPECT_EQ(r, one) << "the bits depend on how many are made together";
          for (Index k = 0; k < count; ++k) {
            std::vector<T> found(n);
            for (Index i = 0; i < n; ++i) found[i] = r[i * rs.step() + k * rs.stride()];
            const auto expected = expected_product(a, below, above, diagonal, bs, xs, k);
            EXPECT_LE(test::sweep_error(found, expected), 10);
          }
        }
    }
}

TYPED_TEST(ProductPasses, DoNotReadADiagonalThatIsNotAskedFor) {
  using T = TypeParam;
  const auto a = test::random_matrix<T>({.n = n, .per_row = 0});
  const Matrix<T> matrix(a);
  const std::vector<T> b(n, T(1)), x(n, T(std::numeric_limits<Real<T>>::quiet_NaN()));
  std::vector<T> r(n);
  subtract<1, T>(matrix.pass(true, true, 0), 1, {b.data(), n}, {x.data(), n}, {r.data(), n});
  EXPECT_EQ(r, b);
}

// As in device_form.cpp: all halves after the first need only D.
TYPED_TEST(ProductPasses, HalvesOfASymmetricSweepFollowEachOther) {
  using T = TypeParam;
  const auto a = test::random_matrix<T>({.n = n, .per_row = 6});
  const Matrix<T> matrix(a);
  const auto b = test::random_vector<T>(n, 1), guess = test::random_vector<T>(n, 2);
  const Vectors<const T> bs(b.data(), n);
  for (const double omega : {1.0, 1.4, 0.6}) {
    const auto w = static_cast<Real<T>>(omega);
    Csr<T> weighed = a;
    for (Index i = 0; i < n; ++i)
      for (Offset p = a.start[i]; p < a.start[i + 1]; ++p)
        if (a.index[p] == i) weighed.value[p] /= w;
    const Solver<T> sides[] = {Solver<T>(lower(weighed, {.outside = OutsideEntries::ignore})),
                               Solver<T>(upper(weighed, {.outside = OutsideEntries::ignore}))};
    std::vector<T> x = guess, r(n);
    const Vectors<T> xs(x.data(), n), rs(r.data(), n);
    for (int half = 0; half < 6; ++half) {
      if (half == 0)
        subtract<1, T>(matrix.pass(false, true, 1 - 1 / w), 2, bs, xs, rs);
      else
        for (Index i = 0; i < n; ++i)
          matrix.pass(false, false, 2 / w - 1)
              .follow(i, 0, frame_vectors(bs), frame_vectors(Vectors<const T>(rs)),
                      frame_vectors(Vectors<const T>(xs)), frame_vectors(rs));
      sides[half % 2].solve(rs, xs);
    }
    const auto expected = test::reference_sweeps(a, b, guess, Sweep::symmetric, omega, 3);
    EXPECT_LE(test::sweep_error(x, expected), 50) << omega;
  }
}

// The norm from one warp's sum.
template <class T>
double norm_by_warp(const std::vector<T>& r) {
  EmulatedBlock block(32);
  ScaledSquares all;
  const Vectors<const T> rs(r.data(), static_cast<Index>(r.size()));
  block.run([&] {
    const auto found = find_squares(frame_vectors(rs), rs.n, 0, threadIdx.x, 32);
    if (threadIdx.x == 0) all = found;
  });
  return std::isinf(all.most) ? all.most : all.most * std::sqrt(all.sum);
}

TYPED_TEST(ProductPasses, SumSquaresOfAnySize) {
  using T = TypeParam;
  const auto r = test::random_vector<T>(1000);
  double sum = 0;
  for (const T& a : r) sum += std::norm(a);
  EXPECT_NEAR(norm_by_warp(r), std::sqrt(sum), 1e-6 * std::sqrt(sum));
  EXPECT_EQ(norm_by_warp(r), norm_by_warp(r));
  EXPECT_EQ(norm_by_warp(std::vector<T>(100)), 0);
  std::vector<T> large(100), small(100);
  const Real<T> most = std::ldexp(Real<T>(1), std::numeric_limits<Real<T>>::max_exponent - 4);
  const Real<T> least = std::numeric_limits<Real<T>>::denorm_min() * 16;
  large[3] = small[70] = T(0);
  large[3] += 3 * most / 4, large[90] += most;
  small[3] += 3 * least, small[70] += 4 * least;
  EXPECT_DOUBLE_EQ(norm_by_warp(large), 1.25 * most);
  EXPECT_DOUBLE_EQ(norm_by_warp(small), 5.0 * least);
  large[50] = T(std::numeric_limits<Real<T>>::quiet_NaN());
  EXPECT_TRUE(std::isinf(norm_by_warp(large)));
}

}  // namespace
}  // namespace echelon

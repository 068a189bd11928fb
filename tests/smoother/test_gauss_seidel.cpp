// tests/smoother/test_gauss_seidel.cpp -- every form, direction and method against the oracle: all
// scalars, patterns, weights, numbers of threads and right-hand sides.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "smoother/smoother_cases.hpp"
#include "support/reference_sweep.hpp"

namespace echelon {
namespace {

constexpr Sweep directions[] = {Sweep::forward, Sweep::backward, Sweep::symmetric};
constexpr Method row_methods[] = {Method::serial, Method::level_row, Method::element_row,
                                  Method::superstep, Method::automatic};
constexpr Method column_methods[] = {Method::level_column, Method::element_column, Method::tree,
                                     Method::automatic};
constexpr double accepted = 100;  // roundings of the largest entry, after a few sweeps

template <class T>
class GaussSeidels : public testing::Test {};
using Scalars = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(GaussSeidels, Scalars);

SmootherOptions options_for(Sweep direction, SweepForm form, Method method, Index threads,
                            double omega = 1) {
  SmootherOptions o;
  o.direction = direction;
  o.form = form;
  o.omega = omega;
  o.solver.method = method;
  o.solver.cpu.threads = threads;
  return o;
}

std::string text_of(const SmootherOptions& o) {
  return std::string(name(o.direction)) + ", " + name(o.form) + ", " + name(o.solver.method) +
         " on " + std::to_string(o.solver.cpu.threads) + ", omega " + std::to_string(o.omega);
}

template <class T, Order order>
void expect_swept(const Compressed<T, order>& a, const SmootherOptions& o, Index sweeps,
                  Guess guess) {
  const auto n = static_cast<std::size_t>(a.rows);
  const auto b = test::random_vector<T>(n, 3);
  std::vector<T> x = test::random_vector<T>(n, 4);
  if (guess == Guess::zero)
    std::fill(x.begin(), x.end(), std::numeric_limits<Real<T>>::quiet_NaN());
  const std::vector<T> start = guess == Guess::zero ? std::vector<T>(n) : x;
  const auto expected = test::reference_sweeps(a, b, start, o.direction, o.omega, sweeps);
  const GaussSeidel<T> smoother(a, o);
  smoother.solve(b, x, {.sweeps = sweeps, .guess = guess});
  EXPECT_LE(test::sweep_error(x, expected), accepted)
      << text_of(o) << ", " << sweeps << " sweeps, n = " << n;
}

TYPED_TEST(GaussSeidels, AgreeWithThePlainLoopForAllThreads) {
  using T = TypeParam;
  const auto a = test::random_matrix<T>({.n = 150, .per_row = 5, .seed = 5});
  const auto mirrored = test::with_mirror(a);
  for (const Sweep direction : directions)
    for (const Method method : row_methods)
      for (const Index threads : {1, 2, 3, 4})
        for (const double omega : {1.0, 1.3}) {
          const auto o = options_for(direction, SweepForm::row, method, threads, omega);
          expect_swept(a, o, 2, Guess::given);
          expect_swept(mirrored, o, 3, Guess::given);
        }
}

TYPED_TEST(GaussSeidels, AgreeInColumnFormToo) {
  using T = TypeParam;
  const auto a = test::random_matrix<T>({.n = 120, .per_row = 5, .seed = 6});
  for (const Sweep direction : directions)
    for (const Method method : column_methods)
      for (const Index threads : {1, 2, 4})
        for (const double omega : {1.0, 0.7}) {
          const auto o = options_for(direction, SweepForm::column, method, threads, omega);
          expect_swept(a, o, 2, Guess::given);
          expect_swept(a, o, 2, Guess::zero);
        }
}

TYPED_TEST(GaussSeidels, StartFromZeroWithoutReadingX) {
  using T = TypeParam;
  const auto a = test::random_matrix<T>({.n = 100, .per_row = 4, .seed = 7});
  const auto mirrored = test::with_mirror(a);
  for (const Sweep direction : directions)
    for (const double omega : {1.0, 1.5})
      for (const Index sweeps : {1, 2, 3}) {
        const auto o = options_for(direction, SweepForm::row, Method::superstep, 2, omega);
        expect_swept(a, o, sweeps, Guess::zero);
        expect_swept(mirrored, o, sweeps, Guess::zero);
      }
}

TYPED_TEST(GaussSeidels, AgreeOnAdversaries) {
  using T = TypeParam;
  for (const auto& [what, a] : test::adversaries<T>())
    for (const Sweep direction : directions)
      for (const Method method : {Method::level_row, Method::element_row, Method::superstep})
        for (const Index threads : {2, 4}) {
          SCOPED_TRACE(what);
          const auto o = options_for(direction, SweepForm::row, method, threads, 1.1);
          for (const Index sweeps : {1, 2}) expect_swept(a, o, sweeps, Guess::given);
          expect_swept(a, o, 1, Guess::zero);
        }
}

TYPED_TEST(GaussSeidels, TakeRowsInAnyOrderColumnsAndEntriesGivenTwice) {
  using T = TypeParam;
  // Random rows contain duplicates, also on the diagonal.
  auto a = test::random_matrix<T>({.n = 90, .per_row = 6, .sorted = false, .seed = 8});
  a.index[0] = a.index[1];
  for (Index i = 0; i < a.rows; ++i) {  // every row keeps a diagonal
    bool found = false;
    for (Offset p = a.start[i]; p < a.start[i + 1]; ++p) found = found || a.index[p] == i;
    if (!found) a.index[a.start[i]] = i;
  }
  for (Offset p = 0; p < a.nonzeros(); ++p) a.value[p] *= Real<T>(0.1);
  for (Index i = 0; i < a.rows; ++i)
    for (Offset p = a.start[i]; p < a.start[i + 1]; ++p)
      if (a.index[p] == i) a.value[p] = test::number<T>(3);
  const auto columns = to_csc(CsrView<T>(a));
  for (const Sweep direction : directions)
    for (const SweepForm form : {SweepForm::row, SweepForm::column})
      for (const double omega : {1.0, 1.2}) {
        const auto o = options_for(direction, form, Method::automatic, 2, omega);
        expect_swept(a, o, 2, Guess::given);
        expect_swept(columns, o, 2, Guess::given);
      }
}

// 1 to 17 right-hand sides: groups of 8 and every remainder; both layouts, padded.
TYPED_TEST(GaussSeidels, SweepManyRightHandSides) {
  using T = TypeParam;
  constexpr Index n = 70;
  const auto a = test::random_matrix<T>({.n = n, .per_row = 4, .seed = 9});
  for (const auto& matrix : {a, test::with_mirror(a)})
    for (const Sweep direction : directions)
      for (const SweepForm form : {SweepForm::row, SweepForm::column}) {
        const auto o = options_for(direction, form, Method::superstep, 2, 1.2);
        const GaussSeidel<T> smoother(matrix, o);
        for (const Layout layout : {Layout::column_major, Layout::row_major})
          for (const Index count : {0, 1, 2, 3, 8, 17}) {
            const Offset leading = layout == Layout::column_major ? n + 3 : count + 3;
            const auto size = static_cast<std::size_t>(leading * std::max(n, count));
            const auto b = test::random_vector<T>(size, 1);
            auto x = test::random_vector<T>(size, 2);
            const Vectors<const T> bs(b.data(), n, count, leading, layout);
            const Vectors<T> xs(x.data(), n, count, leading, layout);
            const auto one = [&](const auto& v, Index c) {
              std::vector<T> vector;
              for (Index i = 0; i < n; ++i) vector.push_back(v.data[i * v.step() + c * v.stride()]);
              return vector;
            };
            std::vector<std::vector<T>> alone;
            for (Index c = 0; c < count; ++c) {
              alone.push_back(one(xs, c));
              smoother.solve(one(bs, c), alone.back(), {.sweeps = 2});
            }
            smoother.solve(bs, xs, {.sweeps = 2});
            for (Index c = 0; c < count; ++c)
              EXPECT_EQ(one(xs, c), alone[c]) << text_of(o) << ", " << count << " of them";
          }
      }
}

TYPED_TEST(GaussSeidels, GiveTheSameBitsForEveryRunMethodAndNumberOfThreads) {
  using T = TypeParam;
  const auto grid = generate<T>("laplace2d:30x31:9");
  const auto random = test::random_matrix<T>({.n = 900, .per_row = 4, .seed = 10});
  for (const auto& a : {grid, random})
    for (const Sweep direction : directions) {
      const auto n = static_cast<std::size_t>(a.rows);
      const auto b = test::random_vector<T>(n);
      const auto sweep = [&](Method method, Index threads) {
        auto x = test::random_vector<T>(n, 12);
        GaussSeidel<T>(a, options_for(direction, SweepForm::row, method, threads, 1.4))
            .solve(b, x, {.sweeps = 3});
        return x;
      };
      const auto expected = sweep(Method::serial, 1);
      for (const Method method : row_methods)
        for (const Index threads : {1, 2, 3, 4})
          EXPECT_EQ(sweep(method, threads), expected) << name(method) << " on " << threads;
    }
}

TYPED_TEST(GaussSeidels, OneCallOfThreeSweepsIsThreeCallsOfOne) {
  using T = TypeParam;
  const auto a = test::random_matrix<T>({.n = 200, .per_row = 5, .seed = 13});
  for (const auto& matrix : {a, test::with_mirror(a)})
    for (const Sweep direction : {Sweep::forward, Sweep::backward}) {
      const GaussSeidel<T> smoother(
          matrix, options_for(direction, SweepForm::row, Method::superstep, 2, 0.9));
      const auto b = test::random_vector<T>(200);
      auto x = test::random_vector<T>(200, 1), y = x;
      smoother.solve(b, x, {.sweeps = 3});
      for (int k = 0; k < 3; ++k) smoother.solve(b, y);
      EXPECT_EQ(x, y) << name(direction);
    }
}

}  // namespace
}  // namespace echelon

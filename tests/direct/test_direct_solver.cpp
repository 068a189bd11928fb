// tests/direct/test_direct_solver.cpp -- whole and triangular solves with every kind of
// factorization and every method.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <atomic>
#include <sstream>
#include <thread>

#include "direct/direct_cases.hpp"
#include "echelon/generate.hpp"

namespace echelon {
namespace {

constexpr double accepted = 30;  // units of eps, normwise
using test::direct_options;
using test::refusal;

template <class T>
class Direct : public testing::Test {};
TYPED_TEST_SUITE(Direct, test::Scalars);

template <class T>
double error_of(const DirectSolver<T>& solver, const Csr<T>& a, Index count, Layout layout) {
  const auto size = static_cast<std::size_t>(a.rows) * count;
  const auto b = test::random_vector<T>(size);
  std::vector<T> x(size);
  const Vectors<const T> bs(b.data(), a.rows, count, 0, layout);
  solver.solve(bs, Vectors<T>(x.data(), a.rows, count, 0, layout));
  return find_backward_errors<T>(a, bs, Vectors<T>(x.data(), a.rows, count, 0, layout)).normwise;
}

TYPED_TEST(Direct, SolvesWithEveryPackageByEveryMethod) {
  using T = TypeParam;
  for (const auto& c : test::direct_cases<T>())
    for (const Method method : test::block_methods) {
      const DirectSolver<T> solver(c.factor(c.a), direct_options(method));
      EXPECT_EQ(solver.report().method, method);
      for (const Index count : {1, 3, 11})
        for (const Layout layout : {Layout::column_major, Layout::row_major})
          EXPECT_LE(error_of(solver, c.a, count, layout), accepted)
              << c.name << ' ' << name(method) << ' ' << count;
    }
}

TYPED_TEST(Direct, SolvesInPlace) {
  using T = TypeParam;
  for (const auto& c : test::direct_cases<T>()) {
    const DirectSolver<T> solver(c.factor(c.a));
    const auto b = test::random_vector<T>(static_cast<std::size_t>(c.a.rows));
    std::vector<T> x(b.size()), y = b;
    solver.solve(std::span<const T>(b), std::span<T>(x));
    solver.solve(std::span<const T>(y), std::span<T>(y));
    EXPECT_EQ(x, y) << c.name;
  }
}

// Without permutations A is its triangles: the same bits, for more vectors than a pass takes too.
TYPED_TEST(Direct, SolvesInNaturalOrderWithoutVectorsInBetween) {
  using T = TypeParam;
  const auto a = generate<T>("laplace2d:12x13:5");
  FactorOptions natural;
  natural.order = Ordering::natural;
  const DirectSolver<T> solver(factor_ilu0(a, natural));
  const Index count = 19;
  const auto b = test::random_vector<T>(static_cast<std::size_t>(a.rows) * count);
  for (const Op op : {Op::none, Op::transpose, Op::conjugate})
    for (const Layout layout : {Layout::column_major, Layout::row_major}) {
      std::vector<T> x(b.size()), y = b;
      SolveOptions<T> o{.alpha = T(-2), .op = op};
      const Vectors<const T> bs(b.data(), a.rows, count, 0, layout);
      solver.solve(bs, Vectors<T>(x.data(), a.rows, count, 0, layout), o);
      o.part = Part::triangles;
      const Vectors<T> ys(y.data(), a.rows, count, 0, layout);
      solver.solve(ys, ys, o);
      EXPECT_EQ(x, y) << name(op) << ' ' << name(layout);
    }
}

// max |b - M x| / (n eps |M||x|), componentwise.
template <class T, class Entry>
double triangle_error(Index n, const Entry& entry, const std::vector<T>& b,
                      const std::vector<T>& x) {
  double worst = 0;
  for (Index i = 0; i < n; ++i) {
    std::complex<double> rest(b[i]);
    double size = std::abs(rest);
    for (Index j = 0; j < n; ++j) {
      rest -= entry(i, j) * std::complex<double>(x[j]);
      size += std::abs(entry(i, j)) * std::abs(std::complex<double>(x[j]));
    }
    worst = std::max(worst, std::abs(rest) / size);
  }
  return worst / (n * static_cast<double>(std::numeric_limits<Real<T>>::epsilon()));
}

// L, U and their transposes, entry by entry.
template <class T>
void expect_triangles_solved(const Factors<T>& f, const DirectSolver<T>& solver) {
  const test::Dense l = test::dense(f.lower, f.n), n = f.symmetric ? l : test::dense(f.upper, f.n);
  const auto upper = [&](Index i, Index j) { return f.symmetric ? std::conj(n(j, i)) : n(j, i); };
  const auto b = test::random_vector<T>(static_cast<std::size_t>(f.n));
  std::vector<T> x(b.size());
  const Vectors<const T> bs(b.data(), f.n);
  const Vectors<T> xs(x.data(), f.n);
  for (const Index threads : {0, 1}) {
    solver.solve(bs, xs, {.part = Part::lower, .threads = threads});
    EXPECT_LE(triangle_error(
                  f.n, [&](Index i, Index j) { return l(i, j); }, b, x),
              8);
    solver.solve(bs, xs, {.part = Part::upper, .threads = threads});
    EXPECT_LE(triangle_error(f.n, upper, b, x), 8);
    solver.solve(bs, xs, {.part = Part::lower, .op = Op::transpose, .threads = threads});
    EXPECT_LE(triangle_error(
                  f.n, [&](Index i, Index j) { return l(j, i); }, b, x),
              8);
    solver.solve(bs, xs, {.part = Part::upper, .op = Op::transpose, .threads = threads});
    EXPECT_LE(triangle_error(
                  f.n, [&](Index i, Index j) { return upper(j, i); }, b, x),
              8);
  }
}

TYPED_TEST(Direct, SolvesTrianglesAndTheirTransposes) {
  using T = TypeParam;
  for (const auto& c : test::direct_cases<T>())
    for (const Method method : test::block_methods) {
      SCOPED_TRACE(c.name + " " + name(method));
      const Factors<T> f = c.factor(c.a);
      expect_triangles_solved(f, DirectSolver<T>(f, direct_options(method)));
    }
}

// A' x = alpha b and A^H x = alpha b, for two vectors by rows.
template <class T>
void expect_transposes_solved(const Csr<T>& a, const DirectSolver<T>& solver) {
  const Index n = a.rows;
  const T alpha = T(-2.5);
  for (const Op op : {Op::transpose, Op::conjugate}) {
    std::vector<T> values(a.value.begin(), a.value.end());
    if constexpr (is_complex<T>)
      if (op == Op::conjugate)
        for (T& v : values) v = std::conj(v);
    const Csr<T> transposed = to_csr(CscView<T>(n, n, a.start, a.index, values));
    auto b = test::random_vector<T>(2 * static_cast<std::size_t>(n));
    std::vector<T> x(b.size());
    const Vectors<const T> bs(b.data(), n, 2, 0, Layout::row_major);
    const Vectors<T> xs(x.data(), n, 2, 0, Layout::row_major);
    auto workspace = solver.make_workspace();
    solver.solve(workspace, bs, xs, {.alpha = alpha, .op = op});
    for (T& v : b) v *= alpha;
    EXPECT_LE(find_backward_errors<T>(transposed, bs, xs).normwise, accepted)
        << (op == Op::conjugate);
  }
}

// Compressed factors can also be solved row by row, by any method.
TYPED_TEST(Direct, SolvesCompressedFactorsRowByRow) {
  using T = TypeParam;
  for (const auto& c : test::direct_cases<T>()) {
    const Factors<T> f = c.factor(c.a);
    if (f.lower.in_panels()) continue;
    for (const Method method :
         {Method::serial, Method::level_row, Method::level_column, Method::element_row,
          Method::element_column, Method::superstep, Method::automatic}) {
      DirectSolver<T> solver(f, direct_options(method));
      EXPECT_LE(error_of(solver, c.a, 3, Layout::row_major), accepted) << c.name << name(method);
      solver.update(f);
      EXPECT_LE(error_of(solver, c.a, 1, Layout::row_major), accepted) << c.name << name(method);
      expect_triangles_solved(f, solver);
      solver.update(f);
      expect_transposes_solved(c.a, solver);
    }
  }
}

// In panels, U is kept as its transpose, or with symmetric factors as L.
TEST(DirectPlans, AreThoseOfLAndU) {
  const Csr<double> a = generate<double>("laplace2d:12");
  const Factors<double> f = factor_ilu0(a, {.order = Ordering::natural});
  const DirectSolver<double> rows(f, direct_options(Method::level_row));
  const DirectSolver<double> panels(f, direct_options(Method::tree));
  const DirectSolver<double> symmetric(factor_ic0(a), direct_options(Method::tree));
  for (const Uplo part : {Uplo::lower, Uplo::upper}) {
    EXPECT_EQ(rows.plan(part).op, Op::none);
    EXPECT_EQ(rows.plan(part).plan.method, Method::level_row);
    EXPECT_EQ(rows.plan(part).plan.pattern.nonzeros() + a.rows, f.upper.nonzeros);
    EXPECT_EQ(panels.plan(part).plan.blocks.n, a.rows);
  }
  EXPECT_EQ(panels.plan(Uplo::lower).op, Op::none);
  EXPECT_EQ(panels.plan(Uplo::upper).op, Op::transpose);
  EXPECT_NE(&panels.plan(Uplo::lower).plan, &panels.plan(Uplo::upper).plan);
  EXPECT_EQ(&symmetric.plan(Uplo::lower).plan, &symmetric.plan(Uplo::upper).plan);
  EXPECT_EQ(symmetric.plan(Uplo::upper).op, Op::conjugate);
}

// Common to all parts and operations: alpha, several layouts, the caller's workspace.
TYPED_TEST(Direct, SolvesWithTheTransposeOfA) {
  using T = TypeParam;
  for (const auto& c : test::direct_cases<T>())
    for (const Method method : {Method::tree, Method::invert_off, Method::spmv}) {
      SCOPED_TRACE(c.name + " " + name(method));
      expect_transposes_solved(c.a, DirectSolver<T>(c.factor(c.a), direct_options(method)));
    }
}

TEST(DirectSolve, AnswersWithoutAVectorOfTheCaller) {
  const auto c = test::direct_cases<double>().front();
  const DirectSolver<double> solver(c.factor(c.a));
  const std::vector<double> b = test::random_vector<double>(static_cast<std::size_t>(c.a.rows));
  std::vector<double> x(b.size());
  solver.solve(b, x);
  EXPECT_EQ(solver.solve(b), x);
  solver.solve(b, x, {.op = Op::transpose});
  EXPECT_EQ(solver.solve(b, {.op = Op::transpose}), x);
}

// An arrow: a diagonal, a last row and a last column.  Its panels have one column each.
template <class T>
Csr<T> arrow(Index n) {
  Csr<T> a{n, n, {0}, {}, {}};
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      if (i != j && i != n - 1 && j != n - 1) continue;
      a.index.push_back(j);
      a.value.push_back(i == j ? T(static_cast<Real<T>>(i == n - 1 ? 4 * n : 4)) : T(1));
    }
    a.start.push_back(static_cast<Offset>(a.index.size()));
  }
  return a;
}

TYPED_TEST(Direct, TakesRowsOfAFactorInThinPanels) {
  using T = TypeParam;
  if (!test::has_package("superlu")) GTEST_SKIP() << "built without SuperLU";
  const Csr<T> a = arrow<T>(1500);
  const Factors<T> f = factor_superlu<T>(a);
  ASSERT_TRUE(f.lower.in_panels());
  for (const bool measure : {false, true}) {
    Options o = direct_options(Method::automatic);
    o.measure = measure;
    const DirectSolver<T> rows(f, o);
    EXPECT_FALSE(is_supernodal(rows.report().method)) << rows.report().reason;
    EXPECT_FALSE(is_supernodal(rows.report().upper_method)) << rows.report().reason;
    EXPECT_LE(error_of(rows, a, 1, Layout::row_major), accepted);
  }
  Options o = direct_options(Method::automatic);
  o.numeric.low_precision = true;
  EXPECT_EQ(DirectSolver<T>(f, o).report().method, Method::tree) << "rows have no low precision";
}

// By hand: A = [0 2; 8 0], rows exchanged, rows and columns scaled to one.
TYPED_TEST(Direct, KnowsOrdersAndScalings) {
  using T = TypeParam;
  const auto one = test::picture<T>("1 .\n . 1");
  Factors<T> f = factors_of<T>(lower(one), upper(one));
  f.row_order = {1, 0};
  f.row_scale = {Real<T>(0.5), Real<T>(0.25)};
  f.col_scale = {Real<T>(0.5), Real<T>(1)};
  const DirectSolver<T> solver(std::move(f));
  const std::vector<T> b{T(6), T(40)};
  std::vector<T> x(2);
  solver.solve(std::span<const T>(b), std::span<T>(x));
  EXPECT_EQ(x, (std::vector<T>{T(5), T(3)}));
}

TYPED_TEST(Direct, SolvesBadlyScaledMatrices) {
  using T = TypeParam;
  if (!test::has_package("superlu")) GTEST_SKIP() << "no SuperLU in this build";
  Csr<T> a = test::random_matrix<T>({.n = 60});
  for (Index i = 0; i < a.rows; ++i)
    for (Offset p = a.start[i]; p < a.start[i + 1]; ++p)
      a.value[p] *= T(std::ldexp(1.0, i % 20 - a.index[p] % 13));
  Factors<T> f = factor_superlu<T>(a);
  EXPECT_FALSE(f.row_scale.empty());
  EXPECT_LE(error_of(DirectSolver<T>(std::move(f)), a, 2, Layout::column_major), accepted);
}

TYPED_TEST(Direct, AnEmptyMatrixHasAnEmptyAnswer) {
  using T = TypeParam;
  for (const Method method : test::block_methods) {
    const DirectSolver<T> solver(factor_ilu0<T>(Csr<T>{}), direct_options(method));
    EXPECT_TRUE(solver.solve(std::span<const T>()).empty());
    const std::vector<T> one(1);
    EXPECT_EQ(refusal([&] { solver.solve(one); }).code, ErrorCode::bad_argument);
  }
}

TEST(DirectReports, TellWhatWasMade) {
  const auto a = generate<double>("laplace2d:30x30");
  if (!test::has_package("cholmod")) GTEST_SKIP() << "no CHOLMOD in this build";
  const DirectSolver<double> solver(factor_cholmod<double>(a), {.method = Method::tree});
  const DirectReport& r = solver.report();
  EXPECT_EQ(r.n, 900);
  EXPECT_EQ(r.package, "cholmod");
  EXPECT_EQ(r.method, Method::tree);
  EXPECT_TRUE(r.symmetric_storage);
  EXPECT_EQ(r.lower.count, r.upper.count);
  EXPECT_EQ(r.uninverted_blocks, 0);
  EXPECT_GE(r.lower_bytes, static_cast<Offset>(sizeof(double)) * r.lower.nonzeros);
  EXPECT_EQ(r.lower_bytes, r.upper_bytes);
  EXPECT_GT(r.workspace_bytes, 0);
  std::ostringstream text;
  text << r;
  EXPECT_NE(text.str().find("cholmod, LL' supernodal, order metis"), std::string::npos);
  const DirectSolver<double> both(factor_superlu<double>(a), {.method = Method::tree});
  EXPECT_FALSE(both.report().symmetric_storage);
  EXPECT_GT(both.report().stored_bytes, both.report().upper.nonzeros * 8);
}

TEST(DirectRefusals, NameWhatIsWrong) {
  const auto a = test::tridiagonal<double>(5);
  const Factors<double> f = factor_ilu0<double>(a);
  const auto made = [&](const Options& o) { return refusal([&] { DirectSolver<double>(f, o); }); };
  for (const Method method : {Method::plain, Method::stream})
    EXPECT_EQ(made({.method = method, .numeric = {.low_precision = true}}).code,
              ErrorCode::bad_argument)
        << name(method);
  EXPECT_EQ(made({.supernode = {.chunk_entries = 0}}).code, ErrorCode::bad_argument);
  EXPECT_EQ(made({.cpu = {.threads = -1}}).code, ErrorCode::bad_argument);
}

TEST(DirectRefusals, VectorsOfTheWrongSize) {
  const auto a = test::tridiagonal<double>(5);
  const DirectSolver<double> solver(factor_ilu0<double>(a), direct_options(Method::tree));
  std::vector<double> v(20, 1.0);
  const Vectors<double> right(v.data(), 5), small(v.data(), 4), two(v.data(), 5, 2);
  const auto refused = [&](const Vectors<double>& b, const Vectors<double>& x) {
    for (const Part part : {Part::full, Part::lower, Part::upper, Part::triangles})
      for (const Op op : {Op::none, Op::transpose, Op::conjugate})
        if (refusal([&] { solver.solve(b, x, {.part = part, .op = op}); }).code !=
            ErrorCode::bad_argument)
          return false;
    return refusal([&] { solver.solve(a, b, x); }).code == ErrorCode::bad_argument;
  };
  EXPECT_TRUE(refused(small, right));
  EXPECT_TRUE(refused(right, small));
  EXPECT_TRUE(refused(two, right));
  EXPECT_TRUE(refused(Vectors<double>(nullptr, 5), right));
  EXPECT_TRUE(refused(right, Vectors<double>(nullptr, 5)));
  EXPECT_TRUE(refused(Vectors<double>(v.data(), 5, 2, 3), Vectors<double>(v.data() + 10, 5, 2)));
  EXPECT_TRUE(refused(two, Vectors<double>(v.data() + 10, 5, 2, 2, Layout::row_major)));
  EXPECT_TRUE(refused(right, Vectors<double>(v.data() + 1, 5)));  // they overlap
}

TEST(DirectRefusals, ARightHandSideThatIsNotFinite) {
  const DirectSolver<double> solver(factor_ilu0<double>(test::tridiagonal<double>(5)));
  std::vector<double> b(5, std::numeric_limits<double>::quiet_NaN()), x(5);
  EXPECT_EQ(refusal([&] { solver.solve(std::span<const double>(b), std::span<double>(x)); }).code,
            ErrorCode::not_finite);
}

TEST(DirectRefusals, TwoCallersAtATime) {
  const auto a = generate<double>("laplace2d:100x100");
  const DirectSolver<double> solver(factor_ilu0<double>(a));
  std::atomic<int> solved{0}, refused{0};
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 4; ++caller)
    callers.emplace_back([&] {
      const std::vector<double> b(10000, 1.0);
      std::vector<double> x(10000);
      for (int repeat = 0; repeat < 20; ++repeat) {
        const auto code =
            refusal([&] { solver.solve(std::span<const double>(b), std::span<double>(x)); }).code;
        EXPECT_TRUE(code == ErrorCode{} || code == ErrorCode::bad_argument);
        ++(code == ErrorCode{} ? solved : refused);
      }
    });
  for (auto& caller : callers) caller.join();
  EXPECT_EQ(solved + refused, 80);
  EXPECT_GT(solved, 0);
}

}  // namespace
}  // namespace echelon

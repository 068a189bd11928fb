// tests/smoother/test_smoother.cpp -- the smoother's phases: by hand, reuse, updates, reports, and
// errors.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <atomic>
#include <limits>
#include <sstream>
#include <thread>

#include "base/pool.hpp"
#include "base/spin.hpp"
#include "smoother/smoother_cases.hpp"
#include "support/reference_sweep.hpp"
#include "support/refusal.hpp"

namespace echelon {
namespace {

using test::refusal;
using test::Refusal;
using Vector = std::vector<double>;

const double nan = std::numeric_limits<double>::quiet_NaN();

SmootherOptions forward_options(double omega = 1) {
  SmootherOptions o;
  o.direction = Sweep::forward;
  o.omega = omega;
  o.solver.cpu.threads = 2;
  return o;
}

const char* small_text = R"( 2 1 .
                             1 4 2
                             . 2 4 )";

TEST(Smoother, SweepsAThreeByThreeByHand) {
  const auto a = test::picture<double>(small_text);
  const Vector b{4, 12, 8};
  Vector x{0, 2, 1};
  GaussSeidel(a, forward_options()).solve(b, x);
  EXPECT_EQ(x, (Vector{1, 2.25, 0.875}));  // (4-2)/2, (12-1-2)/4, (8-4.5)/4
  x = {0, 2, 1};
  SmootherOptions o = forward_options();
  o.direction = Sweep::backward;
  GaussSeidel(a, o).solve(b, x);
  EXPECT_EQ(x, (Vector{0.75, 2.5, 1}));  // (4-2.5)/2, (12-0-2)/4, (8-4)/4
}

TEST(Smoother, HasATriangleForEachDirection) {
  const Csr<double> a = generate<double>("laplace2d:6");
  const auto shapes = [&](Sweep direction) {
    std::vector<Uplo> found;
    const SmootherAnalysis analysis(a.pattern(), {.direction = direction});
    for (const Analysis& t : analysis.triangles()) found.push_back(t.shape());
    return found;
  };
  EXPECT_EQ(shapes(Sweep::forward), std::vector{Uplo::lower});
  EXPECT_EQ(shapes(Sweep::backward), std::vector{Uplo::upper});
  EXPECT_EQ(shapes(Sweep::symmetric), (std::vector{Uplo::lower, Uplo::upper}));
}

TEST(Smoother, WeighsAStep) {
  const auto a = test::picture<double>(small_text);
  Vector x{0, 2, 1};
  GaussSeidel(a, forward_options(0.5)).solve(Vector{4, 12, 8}, x);
  EXPECT_EQ(x, (Vector{0.5, 2.1875, 0.953125}));  // halfway: 1, (12-0.5-2)/4, (8-4.375)/4
}

TEST(Smoother, FindsResidualsAndTheirNorms) {
  const auto a = test::picture<double>(small_text);
  for (const SweepForm form : {SweepForm::row, SweepForm::column}) {
    SmootherOptions o = forward_options();
    o.form = form;
    const GaussSeidel<double> smoother(a, o);
    const Vector b{7, 12, 8}, x{1, 2, 1};
    Vector r(3);
    smoother.residual({b.data(), 3}, {x.data(), 3}, {r.data(), 3});
    EXPECT_EQ(r, (Vector{3, 1, 0}));
    EXPECT_DOUBLE_EQ(smoother.residual_norm(b, x), std::sqrt(10.0));
    const Vector huge{3e200, 4e200, 0}, zero(3);
    EXPECT_DOUBLE_EQ(smoother.residual_norm(huge, zero), 5e200);
    EXPECT_EQ(smoother.residual_norm(zero, zero), 0);
    EXPECT_TRUE(std::isinf(smoother.residual_norm(Vector{nan, 0, 0}, zero)));
  }
}

TEST(Smoother, ResidualsOfManyVectorsAreThoseOfEach) {
  const auto a = test::random_matrix<double>({.n = 100});
  const GaussSeidel<double> smoother(a);
  const auto b = test::random_vector<double>(700, 1), x = test::random_vector<double>(700, 2);
  for (const Layout layout : {Layout::column_major, Layout::row_major}) {
    const Vectors<const double> bs(b.data(), 100, 7, 0, layout), xs(x.data(), 100, 7, 0, layout);
    const auto norms = smoother.residual_norms(bs, xs);
    ASSERT_EQ(norms.size(), 7u);
    for (Index c = 0; c < 7; ++c) {
      Vector one_b(100), one_x(100);
      for (Index i = 0; i < 100; ++i) {
        one_b[i] = b[i * bs.step() + c * bs.stride()];
        one_x[i] = x[i * xs.step() + c * xs.stride()];
      }
      EXPECT_EQ(smoother.residual_norm(one_b, one_x), norms[c]);
    }
  }
}

TEST(Smoother, OneAnalysisServesManyMatricesAndScalars) {
  const auto a = test::random_matrix<double>({.n = 80});
  const auto z = test::random_matrix<std::complex<float>>({.n = 80});  // the same pattern
  const SmootherAnalysis analysis(a.pattern());
  const auto check = [&]<class T>(const Csr<T>& matrix) {
    const auto b = test::random_vector<T>(80);
    std::vector<T> x(80);
    GaussSeidel<T>(analysis, matrix.value).solve(b, x);
    const auto expected =
        test::reference_sweeps(matrix, b, std::vector<T>(80), Sweep::symmetric, 1, 1);
    EXPECT_LE(test::sweep_error(x, expected), 100);
  };
  check(a);
  check(z);
}

TEST(Smoother, AnUpdateChangesTheValuesAndNothingElse) {
  for (const SweepForm form : {SweepForm::row, SweepForm::column})
    for (const Sweep direction : {Sweep::forward, Sweep::backward, Sweep::symmetric}) {
      auto a = test::random_matrix<double>({.n = 200});
      SmootherOptions o = forward_options(1.2);
      o.form = form;
      o.direction = direction;
      GaussSeidel<double> smoother(a, o);
      for (double& v : a.value) v *= v < 0 ? 0.5 : 2;
      smoother.update(a.value);
      const auto b = test::random_vector<double>(200);
      Vector x = test::random_vector<double>(200, 2);
      const auto expected = test::reference_sweeps(a, b, x, direction, 1.2, 2);
      smoother.solve(b, x, {.sweeps = 2});
      EXPECT_LE(test::sweep_error(x, expected), 100) << name(form) << ' ' << name(direction);
    }
}

TEST(Smoother, AFailedUpdateIsNotSweptWith) {
  auto a = test::random_matrix<double>({.n = 10});
  GaussSeidel<double> smoother(a);
  const auto good = a.value;
  const Vector b(10, 1);
  Vector x(10);
  std::fill(a.value.begin(), a.value.end(), nan);
  EXPECT_EQ(refusal([&] { smoother.update(a.value); }).code, ErrorCode::not_finite);
  const Refusal none(ErrorCode::bad_argument,
                     "the last update failed; this smoother has no values");
  EXPECT_EQ(refusal([&] { smoother.solve(b, x); }), none);
  EXPECT_EQ(refusal([&] { (void)smoother.residual_norm(b, x); }), none);
  smoother.update(good);
  smoother.solve(b, x);
}

TEST(Smoother, NoSweepLeavesXAndFromZeroClearsIt) {
  const GaussSeidel<double> smoother(test::picture<double>(small_text));
  Vector x{1, 2, 3};
  smoother.solve(Vector(3, 1), x, {.sweeps = 0});
  EXPECT_EQ(x, (Vector{1, 2, 3}));
  smoother.solve(Vector(3, 1), x, {.sweeps = 0, .guess = Guess::zero});
  EXPECT_EQ(x, Vector(3, 0));
}

TEST(Smoother, RefusesMatricesItCannotSweep) {
  const auto refused = [](const Csr<double>& a, SweepForm form = SweepForm::row) {
    SmootherOptions o;
    o.form = form;
    return refusal([&] { const GaussSeidel<double> smoother(a, o); });
  };
  Csr<double> wide;
  wide.rows = 1;
  wide.cols = 2;
  wide.start = {0, 1};
  wide.index = {0};
  wide.value = {1};
  EXPECT_EQ(refused(wide).code, ErrorCode::bad_argument);
  for (const SweepForm form : {SweepForm::row, SweepForm::column}) {
    auto a = test::picture<double>(R"( 2 1 .
                                       1 . 2
                                       . 2 4 )");
    EXPECT_EQ(refused(a, form), Refusal(ErrorCode::zero_diagonal, "row 1 has no diagonal entry"));
    a = test::picture<double>(small_text);
    a.value[3] = 0;
    EXPECT_EQ(refused(a, form),
              Refusal(ErrorCode::zero_diagonal, "the diagonal entry of row 1 is zero"));
    a.value[3] = 4;
    a.value[4] = nan;
    EXPECT_EQ(refused(a, form),
              Refusal(ErrorCode::not_finite, "the entry in row 1, column 2 is not finite"));
  }
}

TEST(Smoother, RefusesOptionsThatMakeNoSense) {
  const auto a = test::picture<double>(small_text);
  const auto refused = [&](const auto& change) {
    SmootherOptions o;
    change(o);
    return refusal([&] { const GaussSeidel<double> smoother(a, o); }).code;
  };
  for (const double omega : {0.0, -1.0, 2.0, 3.0, nan})
    EXPECT_EQ(refused([&](auto& o) { o.omega = omega; }), ErrorCode::bad_argument) << omega;
  EXPECT_EQ(refused([](auto& o) {
              o.form = SweepForm::row;
              o.solver.method = Method::element_column;
            }),
            ErrorCode::bad_argument);
  EXPECT_EQ(refused([](auto& o) { o.solver.cpu.threads = -1; }), ErrorCode::bad_argument);
  EXPECT_EQ(refused([](auto& o) {
              o.form = SweepForm::column;
              o.solver.backend = Backend::cuda;
            }),
            ErrorCode::bad_argument);
}

TEST(Smoother, RefusesVectorsThatDoNotFit) {
  GaussSeidel<double> smoother(test::picture<double>(small_text));
  Vector x(3), y(4);
  const auto code = [](const auto& body) { return refusal(body).code; };
  EXPECT_EQ(refusal([&] { smoother.solve(y, x); }),
            Refusal(ErrorCode::bad_argument, "b has 4 entries and x 3 for 3 unknowns"));
  EXPECT_EQ(code([&] { (void)smoother.residual_norm(x, y); }), ErrorCode::bad_argument);
  EXPECT_EQ(refusal([&] { smoother.solve(x, x); }),
            Refusal(ErrorCode::bad_argument, "b and x must be apart"));
  EXPECT_EQ(code([&] { smoother.solve(Vector(3), x, {.sweeps = -1}); }), ErrorCode::bad_argument);
  EXPECT_EQ(code([&] { smoother.solve(Vector(3), x, {.threads = -1}); }), ErrorCode::bad_argument);
  EXPECT_EQ(code([&] { smoother.update(Vector(2)); }), ErrorCode::bad_argument);
}

TEST(Smoother, TellsOfAnswersThatAreNotFinite) {
  for (const SweepForm form : {SweepForm::row, SweepForm::column}) {
    SmootherOptions o = forward_options();
    o.form = form;
    Vector x(3);
    const Vector b{1, nan, 1};
    const auto a = test::picture<double>(small_text);
    EXPECT_EQ(refusal([&] { GaussSeidel<double>(a, o).solve(b, x); }),
              Refusal(ErrorCode::not_finite,
                      "x(1) of right-hand side 0 is not finite: b or the guess is not, or a sweep "
                      "overflowed"))
        << name(form);
    o.solver.check_finite = false;
    GaussSeidel<double>(a, o).solve(b, x);
    EXPECT_TRUE(std::isnan(x[1]));
  }
}

TEST(Smoother, ReportsWhatItDoes) {
  const auto a = generate<double>("laplace2d:60x50:5");
  SmootherOptions o;
  o.solver.method = Method::superstep;
  o.solver.cpu.threads = 2;
  const GaussSeidel<double> smoother(a, o);
  const SmootherReport& r = smoother.report();
  EXPECT_EQ(r.n, 3000);
  EXPECT_EQ(r.nnz, a.nonzeros());
  EXPECT_TRUE(r.symmetric_pattern);
  EXPECT_EQ(r.form, SweepForm::row);
  EXPECT_EQ(r.triangles.size(), 2u);
  EXPECT_EQ(r.levels(), 2 * 109);  // 60 + 50 - 1 forwards, as many backwards
  EXPECT_EQ(r.flops(), 4.0 * static_cast<double>(a.nonzeros()));
  EXPECT_GT(r.plan_bytes, 0);
  EXPECT_GT(r.analysis_s, 0);
  // A backward half reads one triangle: one to two times the matrix in total.
  const double once = 12.0 * static_cast<double>(a.nonzeros());
  EXPECT_GT(static_cast<double>(smoother.report().bytes), once);
  EXPECT_LT(static_cast<double>(smoother.report().bytes), 2 * once);
  EXPECT_GE(smoother.report().workspace_bytes, 3000 * 8);
  std::ostringstream text;
  text << smoother;
  EXPECT_NE(text.str().find("symmetric, in place"), std::string::npos) << text.str();
  EXPECT_NE(text.str().find("109 levels, superstep on 2 threads"), std::string::npos);
}

TEST(Smoother, AMethodOfColumnsGetsTheColumnForm) {
  SmootherOptions o;
  o.solver.method = Method::level_column;
  const GaussSeidel<double> smoother(test::picture<double>(small_text), o);
  EXPECT_EQ(smoother.report().form, SweepForm::column);
  EXPECT_EQ(smoother.report().reason, "method level_column has no row form");
}

TEST(Smoother, ServesOneCallerAtATime) {
  const GaussSeidel<double> smoother(generate<double>("laplace2d:200x200:5"));
  std::atomic<int> swept{0}, refused{0};
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 3; ++caller)
    callers.emplace_back([&] {
      const Vector b(40000, 1);
      Vector x(40000);
      for (int repeat = 0; repeat < 10; ++repeat)
        ++(refusal([&] { smoother.solve(b, x); }).code == ErrorCode::bad_argument ? refused
                                                                                  : swept);
    });
  for (auto& caller : callers) caller.join();
  EXPECT_EQ(swept + refused, 30);
  EXPECT_GT(swept, 0);
}

TEST(Smoother, TheCallerAloneEndsSweepsThatWereMeantForMany) {
  static std::atomic<bool> held_back;
  const auto a = generate<double>("laplace2d:180x180:5");
  const auto b = test::random_vector<double>(a.rows);
  for (const Method method : {Method::level_row, Method::element_row, Method::superstep}) {
    SmootherOptions o;
    o.solver.method = method;
    o.solver.cpu.threads = 4;
    const GaussSeidel<double> smoother(a, o);
    Vector expected(a.rows), x(a.rows);
    smoother.solve(b, expected, {.sweeps = 2});
    held_back = true;
    // Not inside a job: a worker that found the job before the hook was set may still enter, and
    // the caller waits for it.
    set_pool_hook([](PoolMoment moment) {
      if (moment == PoolMoment::seen) spin_until([] { return !held_back; });
    });
    smoother.solve(b, x, {.sweeps = 2});
    const double norm = smoother.residual_norm(b, x);
    held_back = false;
    set_pool_hook(nullptr);
    EXPECT_EQ(x, expected) << name(method);
    EXPECT_EQ(norm, smoother.residual_norm(b, expected));
  }
}

TEST(Smoother, AHundredSweepsInARowAllAgree) {
  const auto a = generate<double>("laplace2d:24x25:9");
  const auto b = test::random_vector<double>(600);
  for (const Method method : {Method::level_row, Method::element_row, Method::superstep}) {
    SmootherOptions o;
    o.solver.method = method;
    o.solver.cpu.threads = 4;
    const GaussSeidel<double> smoother(a, o);
    Vector expected(600);
    smoother.solve(b, expected, {.sweeps = 2});
    for (int repeat = 0; repeat < 100; ++repeat) {
      Vector x(600);
      smoother.solve(b, x, {.sweeps = 2, .threads = repeat % 5});
      ASSERT_EQ(x, expected) << name(method) << ", repeat " << repeat;
    }
  }
}

}  // namespace
}  // namespace echelon

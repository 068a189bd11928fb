// tests/smoother/test_smoother_on_device.cpp -- sweeps on a GPU against the plain loop and the
// CPU's smoother, with vectors in host and device memory.
// SPDX-License-Identifier: BSD-3-Clause
#include "smoother/smoother_cases.hpp"
#include "support/device.hpp"
#include "support/reference_sweep.hpp"

namespace echelon {
namespace {

using test::refusal;

constexpr Sweep directions[] = {Sweep::forward, Sweep::backward, Sweep::symmetric};
constexpr double accepted = 100;  // roundings of the largest entry, after a few sweeps

SmootherOptions options_for(Sweep direction, Method method = Method::automatic, double omega = 1) {
  SmootherOptions o;
  o.direction = direction;
  o.omega = omega;
  o.solver.method = method;
  o.solver.backend = Backend::cuda;
  o.solver.cuda = test::cuda_options();
  return o;
}

// The methods that run on a GPU in this build.
std::vector<Method> methods_there() {
  std::vector<Method> methods;
  for (const Method method :
       {Method::automatic, Method::level_row, Method::level_column, Method::element_row,
        Method::element_column, Method::superstep, Method::tree, Method::invert_diag}) {
    const Options o{.method = method, .backend = Backend::cuda, .cuda = test::cuda_options()};
    if (refusal([&] { check_options(o); }).code == ErrorCode{}) methods.push_back(method);
  }
  return methods;
}

std::string text_of(const SmootherOptions& o) {
  return std::string(name(o.direction)) + ", " + name(o.solver.method) + ", omega " +
         std::to_string(o.omega);
}

template <class T>
std::vector<T> random_or_nan(std::size_t n, Guess guess) {
  if (guess == Guess::given) return test::random_vector<T>(n, 4);
  return std::vector<T>(n, T(std::numeric_limits<Real<T>>::quiet_NaN()));
}

// With vectors in host memory, then in device memory: correct, and the same bits.
template <class T, Order order>
void expect_swept(const Compressed<T, order>& a, const SmootherOptions& o, Index sweeps,
                  Guess guess) {
  SCOPED_TRACE(text_of(o));
  const auto n = static_cast<std::size_t>(a.rows);
  const auto b = test::random_vector<T>(n, 3);
  const std::vector<T> start = random_or_nan<T>(n, guess);
  const auto expected = test::reference_sweeps(
      a, b, guess == Guess::zero ? std::vector<T>(n) : start, o.direction, o.omega, sweeps);
  const GaussSeidel<T> smoother(a, o);
  std::vector<T> x = start;
  smoother.solve(b, x, {.sweeps = sweeps, .guess = guess});
  EXPECT_LE(test::sweep_error(x, expected), accepted);
  const DeviceVector<T> there_b{std::span<const T>(b)}, there_x{std::span<const T>(start)};
  time_on_device(1, 0, [&](void* stream) {
    smoother.solve(Vectors<const T>(there_b.data(), a.rows), Vectors<T>(there_x.data(), a.rows),
                   {.sweeps = sweeps, .guess = guess, .stream = stream});
  });
  smoother.check();
  if (is_deterministic(smoother.report().triangles.front().method))
    EXPECT_EQ(there_x.to_host(), x);
  else
    EXPECT_LE(test::sweep_error(there_x.to_host(), expected), accepted);
}

template <class T>
class SmootherOnDevice : public test::OnDevice {};
using Scalars = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(SmootherOnDevice, Scalars);

TYPED_TEST(SmootherOnDevice, AgreesWithThePlainLoop) {
  using T = TypeParam;
  const auto a = test::random_matrix<T>({.n = 700, .per_row = 5, .bandwidth = 60, .seed = 5});
  const auto mirrored = test::with_mirror(a);
  for (const Method method : methods_there())
    for (const Sweep direction : directions)
      for (const double omega : {1.0, 1.3}) {
        const auto o = options_for(direction, method, omega);
        expect_swept(a, o, 2, Guess::given);
        expect_swept(mirrored, o, 3, Guess::given);
        expect_swept(a, o, 1, Guess::zero);
        expect_swept(a, o, 3, Guess::zero);
      }
}

TYPED_TEST(SmootherOnDevice, AgreesOnAdversaries) {
  using T = TypeParam;
  for (const auto& [what, a] : test::adversaries<T>())
    for (const Method method : methods_there())
      for (const Sweep direction : directions) {
        SCOPED_TRACE(what);
        expect_swept(a, options_for(direction, method, 1.1), 2, Guess::given);
        expect_swept(a, options_for(direction, method), 1, Guess::zero);
      }
}

TYPED_TEST(SmootherOnDevice, TakesRowsInAnyOrderColumnsAndEntriesGivenTwice) {
  using T = TypeParam;
  auto a = test::random_matrix<T>({.n = 300, .per_row = 6, .sorted = false, .seed = 8});
  for (Index i = 0; i < a.rows; i += 7) {  // a row's first and second entry are the same
    a.index[a.start[i]] = a.index[a.start[i] + 1] = i;
    for (Offset p = a.start[i]; p < a.start[i + 1]; ++p)
      if (a.index[p] == i) a.value[p] = test::number<T>(5);
  }
  const auto columns = to_csc(CsrView<T>(a));
  for (const Sweep direction : directions)
    for (const double omega : {1.0, 1.2}) {
      expect_swept(a, options_for(direction, Method::automatic, omega), 2, Guess::given);
      expect_swept(columns, options_for(direction, Method::automatic, omega), 2, Guess::given);
    }
}

// 1 to 17 right-hand sides in both layouts, padded: each the same as alone on the CPU, and the gaps
// do not change.
TYPED_TEST(SmootherOnDevice, SweepsManyRightHandSides) {
  using T = TypeParam;
  constexpr Index n = 200;
  const auto a = test::random_matrix<T>({.n = n, .per_row = 5, .seed = 9});
  for (const Sweep direction : directions) {
    const auto o = options_for(direction, Method::automatic, 1.2);
    SmootherOptions on_cpu = o;
    on_cpu.solver.backend = Backend::cpu;
    const GaussSeidel<T> smoother(a, o), other(a, on_cpu);
    for (const Layout layout : {Layout::column_major, Layout::row_major})
      for (const Index count : {0, 1, 2, 5, 8, 17}) {
        const Offset leading = layout == Layout::column_major ? n + 3 : count + 3;
        const auto size = static_cast<std::size_t>(leading * std::max(n, count));
        const auto b = test::random_vector<T>(size, 1), start = test::random_vector<T>(size, 2);
        const Vectors<const T> bs(b.data(), n, count, leading, layout);
        std::vector<T> expected = start, x = start;
        other.solve(bs, Vectors<T>(expected.data(), n, count, leading, layout), {.sweeps = 2});
        smoother.solve(bs, Vectors<T>(x.data(), n, count, leading, layout), {.sweeps = 2});
        const DeviceVector<T> there_b{std::span<const T>(b)}, there_x{std::span<const T>(start)};
        smoother.solve(Vectors<const T>(there_b.data(), n, count, leading, layout),
                       Vectors<T>(there_x.data(), n, count, leading, layout), {.sweeps = 2});
        std::vector<test::Exact<T>> exact;
        for (const T& e : expected) exact.push_back(test::exact(e));
        EXPECT_LE(test::sweep_error(x, exact), accepted) << count;
        EXPECT_LE(test::sweep_error(there_x.to_host(), exact), accepted) << count;
      }
  }
}

TYPED_TEST(SmootherOnDevice, ReplaysAGraph) {
  using T = TypeParam;
  constexpr Index n = 900;
  const auto a = generate<T>("laplace2d:30x30:9");
  const auto b = test::random_vector<T>(n, 1), start = test::random_vector<T>(n, 2);
  for (const Method method : methods_there()) {
    const GaussSeidel<T> smoother(a, options_for(Sweep::symmetric, method));
    std::vector<T> x = start;
    smoother.solve(b, x, {.sweeps = 6});
    const DeviceVector<T> there_b{std::span<const T>(b)}, there_x{std::span<const T>(start)};
    const auto sweep = [&](void* stream) {
      smoother.solve(Vectors<const T>(there_b.data(), n), Vectors<T>(there_x.data(), n),
                     {.sweeps = 2, .stream = stream});
    };
    time_on_device(1, 0, sweep);  // allocates what it needs
    time_graph(2, 0, sweep);      // two more
    smoother.check();
    std::vector<test::Exact<T>> exact;
    for (const T& e : x) exact.push_back(test::exact(e));
    EXPECT_LE(test::sweep_error(there_x.to_host(), exact), accepted) << name(method);
  }
}

// In passes of one vector, with existing memory: a capture cannot allocate.
TYPED_TEST(SmootherOnDevice, CapturesMoreVectorsThanItHasRoomFor) {
  using T = TypeParam;
  constexpr Index n = 900, count = 5;
  const auto a = generate<T>("laplace2d:30x30:9");
  const auto b = test::random_vector<T>(n * count, 1);
  const GaussSeidel<T> smoother(a, options_for(Sweep::symmetric, Method::element_row));
  const DeviceVector<T> there_b{std::span<const T>(b)}, there_x(b.size());
  const auto sweep = [&](void* stream) {
    smoother.solve(Vectors<const T>(there_b.data(), n, count), Vectors<T>(there_x.data(), n, count),
                   {.sweeps = 2, .guess = Guess::zero, .stream = stream});
  };
  time_graph(1, 0, sweep);
  const auto captured = there_x.to_host();
  time_on_device(1, 0, sweep);
  EXPECT_EQ(captured, there_x.to_host());
  smoother.check();
}

TYPED_TEST(SmootherOnDevice, FindsResidualsAndTheirNorms) {
  using T = TypeParam;
  constexpr Index n = 500, count = 11;
  const auto a = test::random_matrix<T>({.n = n, .per_row = 9});
  const GaussSeidel<T> smoother(a, options_for(Sweep::forward)), other(a);
  for (const Layout layout : {Layout::column_major, Layout::row_major}) {
    const auto b = test::random_vector<T>(n * count, 1), x = test::random_vector<T>(n * count, 2);
    const Vectors<const T> bs(b.data(), n, count, 0, layout), xs(x.data(), n, count, 0, layout);
    std::vector<T> expected(b.size()), r = b;
    other.residual(bs, xs, {expected.data(), n, count, 0, layout});
    const Vectors<T> rs(r.data(), n, count, 0, layout);
    smoother.residual(rs, xs, rs);  // r may be b
    const DeviceVector<T> there_b{std::span<const T>(b)}, there_x{std::span<const T>(x)};
    const DeviceVector<T> there_r(b.size());
    const Vectors<const T> on_b(there_b.data(), n, count, 0, layout);
    const Vectors<const T> on_x(there_x.data(), n, count, 0, layout);
    smoother.residual(on_b, on_x, {there_r.data(), n, count, 0, layout});
    EXPECT_EQ(there_r.to_host(), r);
    std::vector<test::Exact<T>> exact;
    for (const T& e : expected) exact.push_back(test::exact(e));
    EXPECT_LE(test::sweep_error(r, exact), 10);
    const auto norms = smoother.residual_norms(bs, xs), wanted = other.residual_norms(bs, xs);
    EXPECT_EQ(norms, smoother.residual_norms(on_b, on_x));
    ASSERT_EQ(norms.size(), wanted.size());
    for (Index k = 0; k < count; ++k)
      EXPECT_NEAR(norms[k], wanted[k], 100 * std::numeric_limits<Real<T>>::epsilon() * wanted[k]);
  }
}

TYPED_TEST(SmootherOnDevice, AnUpdateChangesTheValuesAndNothingElse) {
  using T = TypeParam;
  for (const Method method : methods_there())
    for (const Sweep direction : directions) {
      auto a = test::random_matrix<T>({.n = 300});
      GaussSeidel<T> smoother(a, options_for(direction, method, 1.2));
      for (T& v : a.value) v *= std::abs(v) < 1 ? Real<T>(0.5) : Real<T>(2);
      smoother.update(a.value);
      const auto b = test::random_vector<T>(300);
      auto x = test::random_vector<T>(300, 2);
      const auto expected = test::reference_sweeps(a, b, x, direction, 1.2, 2);
      smoother.solve(b, x, {.sweeps = 2});
      EXPECT_LE(test::sweep_error(x, expected), accepted) << name(method);
    }
}

using SmootherChecks = test::OnDevice;
const double infinite = std::numeric_limits<double>::infinity();

TEST_F(SmootherChecks, TellOfSweepsThatAreNotFinite) {
  constexpr Index n = 100;
  const auto a = test::random_matrix<double>({.n = n});
  std::vector<double> b(n, 1), x(n);
  b[7] = infinite;
  SmootherOptions o = options_for(Sweep::symmetric);
  const GaussSeidel<double> smoother(a, o);
  EXPECT_EQ(refusal([&] { smoother.solve(b, x); }).code, ErrorCode::not_finite);
  const DeviceVector<double> there_b{std::span<const double>(b)}, there_x(n);
  const auto sweep = [&](const GaussSeidel<double>& with) {
    with.solve(Vectors<const double>(there_b.data(), n), Vectors<double>(there_x.data(), n),
               {.guess = Guess::zero});
    there_x.to_host();  // waits
    const ErrorCode first = refusal([&] { with.check(); }).code;
    EXPECT_EQ(refusal([&] { with.check(); }).code, ErrorCode{});
    return first;
  };
  EXPECT_EQ(sweep(smoother), ErrorCode::not_finite);
  o.solver.check_finite = false;
  EXPECT_EQ(sweep(GaussSeidel<double>(a, o)), ErrorCode{});
  EXPECT_TRUE(std::isinf(smoother.residual_norm(b, std::vector<double>(n))));
  const std::vector<double> huge{3e200, 4e200};
  const auto two = test::picture<double>("1 . \n . 1");
  EXPECT_DOUBLE_EQ(GaussSeidel<double>(two, o).residual_norm(huge, std::vector<double>(2)), 5e200);
}

TEST_F(SmootherChecks, NoSweepLeavesXAndFromZeroClearsIt) {
  const GaussSeidel<double> smoother(test::random_matrix<double>({.n = 3}),
                                     options_for(Sweep::forward));
  const std::vector<double> start{1, 2, 3}, b(3, 1);
  const DeviceVector<double> there_b{std::span<const double>(b)}, x{std::span<const double>(start)};
  const Vectors<const double> bs(there_b.data(), 3);
  smoother.solve(bs, Vectors<double>(x.data(), 3), {.sweeps = 0});
  EXPECT_EQ(x.to_host(), start);
  smoother.solve(bs, Vectors<double>(x.data(), 3), {.sweeps = 0, .guess = Guess::zero});
  EXPECT_EQ(x.to_host(), std::vector<double>(3, 0));
}

TEST_F(SmootherChecks, RefuseVectorsOnBothSides) {
  const GaussSeidel<double> smoother(test::random_matrix<double>({.n = 3}),
                                     options_for(Sweep::forward));
  const std::vector<double> b(3, 1);
  const DeviceVector<double> x(3);
  const Vectors<const double> bs(b.data(), 3);
  const Vectors<double> xs(x.data(), 3);
  EXPECT_EQ(refusal([&] { smoother.solve(bs, xs); }).code, ErrorCode::bad_argument);
  EXPECT_EQ(refusal([&] { smoother.residual_norms(bs, xs); }).code, ErrorCode::bad_argument);
}

TEST_F(SmootherChecks, SayWhatIsDone) {
  const auto a = generate<double>("laplace2d:20x30:5");
  const GaussSeidel<double> smoother(a, options_for(Sweep::symmetric));
  const SmootherReport& r = smoother.report();
  EXPECT_EQ(r.nnz, a.nonzeros());
  EXPECT_EQ(r.vectors, 1);
  EXPECT_EQ(r.triangles.front().backend, Backend::cuda);
  EXPECT_NE(r.reason.find("on a device"), std::string::npos) << r.reason;
  EXPECT_GE(smoother.report().workspace_bytes, 600 * 8);
  EXPECT_GT(smoother.report().bytes, 0);
}

// There solve() itself throws, and leaves nothing to report.
TEST(SmootherOnTheCpu, HasNothingToCheck) {
  const GaussSeidel<double> smoother(test::random_matrix<double>({.n = 3}));
  const std::vector<double> b(3, std::numeric_limits<double>::quiet_NaN());
  EXPECT_EQ(refusal([&] { smoother.solve(b); }).code, ErrorCode::not_finite);
  EXPECT_NO_THROW(smoother.check());
}

TEST(SmootherWithoutADevice, IsRefused) {
  const auto a = test::random_matrix<double>({.n = 10});
  SmootherOptions o = options_for(Sweep::forward);
  o.form = SweepForm::column;
  EXPECT_EQ(refusal([&] { SmootherAnalysis(a.pattern(), o); }).code, ErrorCode::bad_argument);
  if (test::has_device()) GTEST_SKIP() << "there is a CUDA device";
  EXPECT_EQ(refusal([&] { GaussSeidel<double>(a, options_for(Sweep::forward)); }).code,
            ErrorCode::backend_missing);
}

}  // namespace
}  // namespace echelon

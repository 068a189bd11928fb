// tests/direct/test_direct_on_device.cpp -- whole solves on a GPU against the CPU, with vectors in
// host and device memory.
// SPDX-License-Identifier: BSD-3-Clause
#include "direct/direct_cases.hpp"
#include "support/device.hpp"

namespace echelon {
namespace {

using test::refusal;

template <class T>
class DirectOnDevice : public test::OnDevice {};
TYPED_TEST_SUITE(DirectOnDevice, test::Scalars);

Options on(Backend backend) {
  Options o = test::direct_options(Method::automatic);
  o.backend = backend;
  o.cuda = test::cuda_options();
  return o;
}

// Vectors with gaps between them that must stay unchanged.
struct Shape {
  Index n, count;
  Layout layout;
  Index gap = 3;

  Offset leading() const { return (layout == Layout::column_major ? n : count) + gap; }
  std::size_t size() const {
    return static_cast<std::size_t>(leading() * (layout == Layout::column_major ? count : n));
  }
  template <class T>
  Vectors<T> of(T* data) const {
    return {data, n, count, leading(), layout};
  }
};

// Largest difference, in eps relative to the largest entry.
template <class T>
double difference(const std::vector<T>& a, const std::vector<T>& b) {
  double most = 0, size = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    most = std::max<double>(most, std::abs(a[k] - b[k]));
    size = std::max<double>(size, std::abs(b[k]));
  }
  return most / (size * std::numeric_limits<Real<T>>::epsilon());
}
constexpr double accepted = 500;  // two methods on the CPU differ by up to 50

template <class T>
std::vector<T> solved(const DirectSolver<T>& solver, const Shape& s, const std::vector<T>& b) {
  std::vector<T> x = test::random_vector<T>(b.size(), 11);
  solver.solve(s.of(b.data()), s.of(x.data()));
  return x;
}
template <class T>
std::vector<T> solved_there(const DirectSolver<T>& solver, const Shape& s,
                            const std::vector<T>& b) {
  const DeviceVector<T> given{std::span<const T>(b)};
  const auto before = test::random_vector<T>(b.size(), 11);
  const DeviceVector<T> found{std::span<const T>(before)};
  time_on_device(1, 1, [&](void* stream) {
    solver.solve(s.of(static_cast<const T*>(given.data())), s.of(found.data()), {.stream = stream});
  });
  solver.check();
  EXPECT_EQ(given.to_host(), b);
  return found.to_host();
}

TYPED_TEST(DirectOnDevice, GivesTheCpusAnswer) {
  using T = TypeParam;
  for (const auto& c : test::direct_cases<T>()) {
    const DirectSolver<T> cpu(c.factor(c.a), on(Backend::cpu));
    const DirectSolver<T> cuda(c.factor(c.a), on(Backend::cuda));
    EXPECT_EQ(cuda.report().backend, Backend::cuda);
    EXPECT_NE(cuda.report().method, Method::serial) << "that is for the CPU";
    for (const Index count : {1, 3, 19})
      for (const Layout layout : {Layout::column_major, Layout::row_major}) {
        SCOPED_TRACE(c.name + " " + std::to_string(count));
        const Shape s{c.a.rows, count, layout};
        const auto b = test::random_vector<T>(s.size());
        const auto x = solved(cpu, s, b), there = solved_there(cuda, s, b);
        EXPECT_LE(difference(there, x), accepted);
        EXPECT_EQ(solved(cuda, s, b), there) << "the host's vectors have another answer";
      }
  }
}

TYPED_TEST(DirectOnDevice, SolvesInPlace) {
  using T = TypeParam;
  for (const auto& c : test::direct_cases<T>()) {
    const DirectSolver<T> cuda(c.factor(c.a), on(Backend::cuda));
    const Shape s{c.a.rows, 18, Layout::row_major};
    const auto b = test::random_vector<T>(s.size());
    const DeviceVector<T> both{std::span<const T>(b)};
    cuda.solve(s.of(static_cast<const T*>(both.data())), s.of(both.data()));
    auto x = b;
    cuda.solve(s.of(static_cast<const T*>(x.data())), s.of(x.data()));
    EXPECT_EQ(both.to_host(), x) << c.name;
  }
}

TYPED_TEST(DirectOnDevice, SolvesEachPartAndItsTransposes) {
  using T = TypeParam;
  for (const auto& c : test::direct_cases<T>()) {
    const DirectSolver<T> cpu(c.factor(c.a), test::direct_options(Method::tree));
    const DirectSolver<T> cuda(c.factor(c.a), on(Backend::cuda));
    const auto b = test::random_vector<T>(static_cast<std::size_t>(c.a.rows));
    const DeviceVector<T> given{std::span<const T>(b)}, found(b.size());
    for (const Part part : {Part::full, Part::lower, Part::upper, Part::triangles})
      for (const Op op : {Op::none, Op::transpose, Op::conjugate}) {
        const SolveOptions<T> how{.alpha = T(-2), .part = part, .op = op};
        const std::vector<T> expected = cpu.solve(b, how), x = cuda.solve(b, how);
        cuda.solve(Vectors<const T>(given.data(), c.a.rows), Vectors<T>(found.data(), c.a.rows),
                   how);
        EXPECT_LE(difference(x, expected), accepted) << c.name;
        EXPECT_EQ(found.to_host(), x) << c.name;
      }
  }
}

TYPED_TEST(DirectOnDevice, CanBeReplayedAsAGraph) {
  using T = TypeParam;
  for (const auto& c : test::direct_cases<T>()) {
    const DirectSolver<T> cuda(c.factor(c.a), on(Backend::cuda));
    const auto b = test::random_vector<T>(static_cast<std::size_t>(c.a.rows));
    const DeviceVector<T> given{std::span<const T>(b)}, found(b.size());
    time_graph(2, 1, [&](void* stream) {
      cuda.solve(Vectors<const T>(given.data(), c.a.rows), Vectors<T>(found.data(), c.a.rows),
                 {.stream = stream});
    });
    EXPECT_EQ(found.to_host(), solved(cuda, {c.a.rows, 1, Layout::column_major, 0}, b)) << c.name;
  }
}

TYPED_TEST(DirectOnDevice, TakesNewValues) {
  using T = TypeParam;
  for (const auto& c : test::direct_cases<T>()) {
    DirectSolver<T> cuda(c.factor(c.a), on(Backend::cuda));
    Csr<T> twice = c.a;
    for (T& v : twice.value) v *= T(2);
    cuda.update(c.factor(twice));
    const Shape s{c.a.rows, 2, Layout::column_major};
    const auto b = test::random_vector<T>(s.size());
    const DirectSolver<T> cpu(c.factor(twice), on(Backend::cpu));
    EXPECT_LE(difference(solved(cuda, s, b), solved(cpu, s, b)), accepted) << c.name;
  }
}

using DirectChecks = test::OnDevice;

TEST_F(DirectChecks, TellOfAnAnswerThatIsNotFinite) {
  const DirectSolver<double> cuda(factor_ilu0<double>(test::tridiagonal<double>(50)),
                                  on(Backend::cuda));
  const std::vector<double> b(50, std::numeric_limits<double>::quiet_NaN()), one(50, 1.0);
  std::vector<double> x(50);
  const auto solve = [&](const std::vector<double>& from) {
    cuda.solve(std::span<const double>(from), std::span<double>(x));
  };
  EXPECT_EQ(refusal([&] { solve(b); }),
            test::Refusal(ErrorCode::not_finite,
                          "x(0) of right-hand side 0 is not finite: b is not, or the solve "
                          "overflowed"));
  EXPECT_EQ(refusal([&] { cuda.check(); }).code, ErrorCode{}) << "told already";
  const DeviceVector<double> given{std::span<const double>(b)};
  cuda.solve(Vectors<const double>(given.data(), 50), Vectors<double>(given.data(), 50));
  given.to_host();  // waits
  EXPECT_EQ(refusal([&] { cuda.check(); }),
            test::Refusal(ErrorCode::not_finite,
                          "the answer is not finite: the right-hand side is not, or the solve "
                          "overflowed"));
  EXPECT_EQ(refusal([&] { cuda.check(); }).code, ErrorCode{});
  EXPECT_EQ(refusal([&] { solve(one); }).code, ErrorCode{});
}

TEST_F(DirectChecks, TakeTheMethodsByRowsAndColumnsToo) {
  const auto a = test::tridiagonal<double>(500);
  const Shape s{500, 3, Layout::row_major};
  const auto b = test::random_vector<double>(s.size());
  for (const Method method :
       {Method::level_row, Method::level_column, Method::element_row, Method::element_column}) {
    Options o = on(Backend::cpu);
    o.method = method;
    const auto expected = solved(DirectSolver<double>(factor_ilu0<double>(a), o), s, b);
    o.backend = Backend::cuda;
    const DirectSolver<double> cuda(factor_ilu0<double>(a), o);
    EXPECT_EQ(cuda.report().method, method);
    EXPECT_GE(cuda.report().lower_launches, 1);
    EXPECT_LE(difference(solved(cuda, s, b), expected), accepted) << name(method);
    EXPECT_LE(difference(solved_there(cuda, s, b), expected), accepted) << name(method);
  }
}

TEST_F(DirectChecks, RefineWithTheHostsVectorsOnly) {
  const auto a = test::tridiagonal<double>(50);
  const DirectSolver<double> cuda(factor_ilu0<double>(a), on(Backend::cuda));
  const auto b = test::random_vector<double>(50);
  std::vector<double> x(50);
  const RefineReport r =
      cuda.solve(a, Vectors<const double>(b.data(), 50), Vectors<double>(x.data(), 50),
                 {.steps = 40});  // an incomplete factor needs several steps
  EXPECT_LE(r.last_error, 1e-15);
  const DeviceVector<double> given{std::span<const double>(b)}, found(50);
  const auto refused = refusal([&] {
    cuda.solve(a, Vectors<const double>(given.data(), 50), Vectors<double>(found.data(), 50));
  });
  EXPECT_EQ(refused.code, ErrorCode::bad_argument);
  EXPECT_NE(refused.text.find("not on the device"), std::string::npos);
}

TEST(DirectWithoutADevice, IsRefused) {
  if (test::has_device()) GTEST_SKIP() << "there is a CUDA device";
  const Factors<double> f = factor_ilu0<double>(test::tridiagonal<double>(5));
  EXPECT_EQ(refusal([&] { DirectSolver<double>(f, {.backend = Backend::cuda}); }).code,
            ErrorCode::backend_missing);
}

}  // namespace
}  // namespace echelon

// tests/solver/test_rows_on_device.cpp -- the methods by rows and columns on a GPU against the
// oracle; skipped without a GPU.
// SPDX-License-Identifier: BSD-3-Clause
#include <functional>
#include <numeric>

#include "echelon/generate.hpp"
#include "echelon/solver.hpp"
#include "support/device.hpp"
#include "support/random_matrix.hpp"
#include "support/reference_solve.hpp"

namespace echelon {
namespace {

constexpr Method methods[] = {Method::level_row, Method::level_column, Method::element_row,
                              Method::element_column, Method::superstep};
constexpr double accepted = 8;

Options on_device(Method method) {
  return {.method = method, .backend = Backend::cuda, .cuda = test::cuda_options()};
}

// Vectors with gaps between them that must not change.
template <class T>
struct Room {
  Room(Index n_, Index count_, Layout layout_)
      : n(n_),
        count(count_),
        layout(layout_),
        leading((layout == Layout::column_major ? n : count) + 2),
        size(static_cast<std::size_t>(leading) *
             static_cast<std::size_t>(layout == Layout::column_major ? count : n)) {}
  template <class P>
  Vectors<P> view(P* data) const {
    return {data, n, count, leading, layout};
  }
  std::vector<T> column(const std::vector<T>& all, Index v) const {
    const auto from = view(all.data());
    std::vector<T> found;
    for (Index i = 0; i < n; ++i) found.push_back(from.data[i * from.step() + v * from.stride()]);
    return found;
  }
  double worst_error(const Triangle<T>& t, const std::vector<T>& b, const std::vector<T>& x,
                     T alpha) const {
    double worst = 0;
    for (Index v = 0; v < count; ++v)
      worst = std::max(worst, test::backward_error(t, column(b, v), column(x, v), alpha));
    return worst;
  }

  Index n, count;
  Layout layout;
  Offset leading;
  std::size_t size;
};

// From b to x in host memory, then in place on the device: correct, for row methods with the same
// bits, and nothing outside the vectors is changed.
template <class T>
void expect_solved(const Solver<T>& solver, const Triangle<T>& t, Index count = 1,
                   Layout layout = Layout::column_major, T alpha = T(1)) {
  const Method method = solver.report().method;
  const Room<T> room(t.n(), count, layout);
  static unsigned turn = 0;
  const auto b = test::random_vector<T>(room.size, ++turn);  // different from the last time
  std::vector<T> x(room.size, T(7));
  solver.solve(room.view(b.data()), room.view(x.data()), {.alpha = alpha});
  EXPECT_LE(room.worst_error(t, b, x, alpha), accepted) << name(method) << ", n " << t.n();

  const DeviceVector<T> both{std::span<const T>(b)};
  solver.solve(room.view(const_cast<const T*>(both.data())), room.view(both.data()),
               {.alpha = alpha});
  const std::vector<T> in_place = both.to_host();
  solver.check();
  EXPECT_LE(room.worst_error(t, b, in_place, alpha), accepted) << name(method) << ", n " << t.n();
  for (Index v = 0; v < count && is_deterministic(method); ++v)
    EXPECT_EQ(room.column(in_place, v), room.column(x, v)) << name(method) << ": other bits";
  if (layout == Layout::column_major) {
    for (Offset i = t.n(); i < room.leading && room.size > 0; ++i) {
      EXPECT_EQ(x[i], T(7)) << name(method);
      EXPECT_EQ(in_place[i], b[i]) << name(method);
    }
  }
}

template <class T>
class RowsOnDevice : public test::OnDevice {};
using Scalars = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(RowsOnDevice, Scalars);

TYPED_TEST(RowsOnDevice, SolveTrianglesEveryWay) {
  using T = TypeParam;
  const auto a = test::random_matrix<T>({.n = 200, .per_row = 7});
  for (const Method method : methods)
    for (const Uplo uplo : {Uplo::lower, Uplo::upper})
      for (const Op op : {Op::none, Op::transpose, Op::conjugate})
        for (const Diagonal diagonal : {Diagonal::stored, Diagonal::unit}) {
          const auto t = triangle(CsrView<T>(a), uplo, {op, diagonal, OutsideEntries::ignore});
          const Solver<T> solver(t, on_device(method));
          EXPECT_EQ(solver.report().backend, Backend::cuda);
          EXPECT_EQ(solver.report().method, method);
          expect_solved(solver, t);
        }
}

TYPED_TEST(RowsOnDevice, SolveForManyRightHandSides) {
  using T = TypeParam;
  const auto a = test::random_matrix<T>({.n = 300, .per_row = 9});
  const auto t = upper(a, {.outside = OutsideEntries::ignore});
  for (const Method method : methods)
    for (const Index rhs_per_pass : {1, 3, 16}) {
      Options o = on_device(method);
      o.cpu.rhs_per_pass = rhs_per_pass;
      o.cuda.bands = 6;
      const Solver<T> solver(t, o);
      for (const Index count : {8, 1, 8, 3, 17, 2, 1, 16, 17})
        for (const Layout layout : {Layout::column_major, Layout::row_major})
          expect_solved(solver, t, count, layout, test::number<T>(-0.5, 2));
    }
}

TYPED_TEST(RowsOnDevice, SolveWithOtherValues) {
  using T = TypeParam;
  const auto a = test::random_matrix<T>({.n = 200});
  auto other = a;
  for (T& value : other.value) value *= T(-3);
  other.value[static_cast<std::size_t>(other.start[5])] += T(0.5);
  for (const Method method : methods) {
    Solver<T> solver(lower(a, {.outside = OutsideEntries::ignore}), on_device(method));
    expect_solved(solver, lower(a, {.outside = OutsideEntries::ignore}));
    solver.update(other.value);
    expect_solved(solver, lower(other, {.outside = OutsideEntries::ignore}));
  }
}

TYPED_TEST(RowsOnDevice, ReplayAGraph) {
  using T = TypeParam;
  constexpr Index count = 3;
  const auto a = test::random_matrix<T>({.n = 500, .per_row = 5, .bandwidth = 30});
  const auto t = lower(a, {.outside = OutsideEntries::ignore});
  const Room<T> room(500, count, Layout::row_major);
  const auto b = test::random_vector<T>(room.size);
  const DeviceVector<T> given{std::span<const T>(b)};
  DeviceVector<T> found(room.size);
  for (const Method method : methods) {
    const Solver<T> solver(t, on_device(method));
    std::vector<T> x(room.size);
    solver.solve(room.view(b.data()), room.view(x.data()));
    for (const int replays : {1, 2, 101}) {
      found.load(b);
      time_graph(replays, 0, [&](void* stream) {
        solver.solve(room.view(const_cast<const T*>(given.data())), room.view(found.data()),
                     {.stream = stream});
      });
      solver.check();
      EXPECT_LE(room.worst_error(t, b, found.to_host(), T(1)), accepted) << name(method);
      for (Index v = 0; v < count && is_deterministic(method); ++v)
        EXPECT_EQ(room.column(found.to_host(), v), room.column(x, v)) << name(method);
    }
  }
}

TYPED_TEST(RowsOnDevice, TellOfAnswersThatAreNotFinite) {
  using T = TypeParam;
  const auto a = test::random_matrix<T>({.n = 100});
  for (const Method method : methods) {
    const Solver<T> solver(lower(a, {.outside = OutsideEntries::ignore}), on_device(method));
    std::vector<T> b(100, T(1)), x(100);
    b[50] = -T(std::numeric_limits<Real<T>>::quiet_NaN());
    EXPECT_EQ(test::refusal([&] { solver.solve(b, std::span<T>(x)); }).code, ErrorCode::not_finite)
        << name(method);
    b[50] = T(1);
    EXPECT_EQ(test::refusal([&] { solver.solve(b, std::span<T>(x)); }).code, ErrorCode{})
        << name(method);
  }
}

using RowsOfDoubles = test::OnDevice;

// Rows with these columns before their diagonal.
Csr<double> from_rows(Index n, const std::function<std::vector<Index>(Index)>& row) {
  Csr<double> a;
  a.rows = a.cols = n;
  for (Index i = 0; i < n; ++i) {
    const std::vector<Index> columns = row(i);
    for (const Index j : columns) {
      a.index.push_back(j);
      a.value.push_back(1.0 - 0.5 * (j % 3));
    }
    a.index.push_back(i);
    a.value.push_back(2.0 + static_cast<double>(columns.size()));
    a.start.push_back(static_cast<Offset>(a.index.size()));
  }
  return a;
}

void expect_all_solve(const Csr<double>& a) {
  for (const Method method : methods)
    for (const Op op : {Op::none, Op::transpose}) {
      const auto t = lower(a, {.op = op, .outside = OutsideEntries::ignore});
      const Solver<double> solver(t, on_device(method));
      expect_solved(solver, t);
      expect_solved(solver, t, 3);
    }
}

TEST_F(RowsOfDoubles, SolveExtremeGraphs) {
  for (const Index n : {0, 1, 2, 32, 33, 5000}) {
    expect_all_solve(from_rows(n, [](Index) { return std::vector<Index>{}; }));  // diagonal
    expect_all_solve(from_rows(n, [](Index i) {                                  // chain
      return i == 0 ? std::vector<Index>{} : std::vector<Index>{i - 1};
    }));
    expect_all_solve(from_rows(n, [](Index i) {  // star: one dense column
      return i == 0 ? std::vector<Index>{} : std::vector<Index>{0};
    }));
    expect_all_solve(from_rows(n, [&](Index i) {  // one dense row
      std::vector<Index> all(static_cast<std::size_t>(i == n - 1 ? i : 0));
      std::iota(all.begin(), all.end(), 0);
      return all;
    }));
  }
  expect_all_solve(generate<double>("dense:300"));
}

TEST_F(RowsOfDoubles, SolveGraphsOfAllSizes) {
  for (const Index n : {0, 1, 7, 31, 128, 1000, 10000, 100000})
    for (const Index bandwidth : {0, 50})
      expect_all_solve(test::random_matrix<double>({.n = n, .per_row = 6, .bandwidth = bandwidth}));
  for (const char* spec : {"laplace2d:300x40:5", "laplace2d:200:9", "laplace3d:20:27"})
    expect_all_solve(generate<double>(spec));
}

TEST_F(RowsOfDoubles, SolveOnAnyNumberOfBlocks) {
  const auto a = generate<double>("laplace2d:60x50:9");
  const auto t = upper(a, {.outside = OutsideEntries::ignore});
  for (const Method method : methods)
    for (const Index blocks : {1, 2, 7, 1000000}) {
      Options o = on_device(method);
      o.cuda.blocks = blocks;
      const Solver<double> solver(t, o);
      expect_solved(solver, t);
      expect_solved(solver, t, 16);
    }
}

// Ten thousand solves: none hangs, all are correct, and by rows have the same bits.
TEST_F(RowsOfDoubles, SolveAgainAndAgain) {
  const auto a = generate<double>("laplace2d:37x31:9");
  const auto t = lower(a, {.outside = OutsideEntries::ignore});
  const auto b = test::random_vector<double>(static_cast<std::size_t>(t.n()));
  const DeviceVector<double> given{std::span<const double>(b)}, found(b.size());
  for (const Method method : methods) {
    const Solver<double> solver(t, on_device(method));
    std::vector<double> first;
    for (int k = 0; k < 10000; ++k) {
      solver.solve(Vectors<const double>(given.data(), t.n()), Vectors(found.data(), t.n()));
      const std::vector<double> x = found.to_host();
      solver.check();
      if (first.empty()) first = x;
      if (is_deterministic(method)) {
        ASSERT_EQ(x, first) << name(method) << ", solve " << k;
      }
      if (k % 100 == 0) {
        ASSERT_LE(test::backward_error(t, b, x), accepted) << name(method) << ", solve " << k;
      }
    }
  }
}

// Deadlines from far too short to long enough, and some that a solve may or may not meet.
TEST_F(RowsOfDoubles, AreRightOrGivenUpWhateverCameBefore) {
  const auto a = generate<double>("laplace2d:100x90:5");
  const auto t = lower(a, {.outside = OutsideEntries::ignore});
  const auto b = test::random_vector<double>(static_cast<std::size_t>(t.n()));
  for (const Method method : methods)
    for (const double watchdog_ms : {1e-6, 5e-2, 0.1, 0.2, 0.5, 2e3}) {
      Options o = on_device(method);
      o.cuda.watchdog_ms = watchdog_ms;
      const Solver<double> solver(t, o);
      for (int k = 0; k < 20; ++k) {
        std::vector<double> x(b.size());
        const auto refused = test::refusal([&] { solver.solve(b, std::span<double>(x)); });
        if (refused.code == ErrorCode::backend_failed && watchdog_ms < 1e3) continue;
        ASSERT_EQ(refused.code, ErrorCode{}) << name(method) << ' ' << refused.text;
        ASSERT_LE(test::backward_error(t, b, x), accepted)
            << name(method) << " with " << watchdog_ms << " ms";
      }
    }
}

TEST_F(RowsOfDoubles, CountTheirLaunches) {
  const auto chain = generate<double>("bidiagonal:1000");
  for (const Method method : methods)
    EXPECT_EQ(Solver<double>(lower(chain), on_device(method)).report().launches, 1) << name(method);
  const auto wide = test::random_matrix<double>({.n = 20000, .per_row = 1});
  const Solver<double> levels(lower(wide, {.outside = OutsideEntries::ignore}),
                              on_device(Method::level_row));
  EXPECT_GT(levels.report().launches, 1);
  EXPECT_LE(levels.report().launches, levels.report().levels);
}

TEST(RowsWithoutADevice, AreRefused) {
  if (test::has_device()) GTEST_SKIP() << "there is a CUDA device";
  const auto a = test::random_matrix<double>({.n = 10});
  for (const Method method : methods)
    EXPECT_EQ(test::refusal([&] {
                Solver<double>(lower(a, {.outside = OutsideEntries::ignore}), on_device(method));
              }).code,
              ErrorCode::backend_missing);
}

}  // namespace
}  // namespace echelon

// tests/exec/test_vector_units.cpp -- solves with the kernels of every vector unit of this machine.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "base/vector_unit.hpp"
#include "echelon/solver.hpp"
#include "exec/block_cases.hpp"
#include "support/reference_solve.hpp"
#include "support/refusal.hpp"

namespace echelon {
namespace {

template <class T>
class VectorUnits : public testing::Test {};
using Scalars = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(VectorUnits, Scalars);

constexpr Index vectors = 17;

Options options_for(VectorUnit unit, Method method, bool low = false) {
  Options o;
  o.method = method;
  o.cpu.threads = 3;
  o.cpu.vector_unit = unit;
  o.supernode.chunk_entries = 64;  // cuts panels of some ten columns into pieces
  o.numeric.low_precision = low;
  return o;
}

// Solutions for 17 right-hand sides, by columns.
template <class T>
std::vector<T> answers(const Triangle<T>& t, const Options& o, Index threads) {
  const Solver<T> solver(t, o);
  EXPECT_EQ(solver.report().vector_unit, find_vector_unit(o.cpu.vector_unit));
  const Index n = t.n();
  const auto b = test::random_vector<T>(static_cast<std::size_t>(n) * vectors, 7);
  std::vector<T> x(b.size());
  solver.solve(Vectors<const T>(b.data(), n, vectors, n), Vectors<T>(x.data(), n, vectors, n),
               {.threads = threads});
  for (Index c = 0; c < vectors; ++c) {  // the same bits alone as among others
    const std::vector<T> one =
        solver.solve({b.data() + Offset{c} * n, b.data() + Offset{c + 1} * n});
    EXPECT_TRUE(std::equal(one.begin(), one.end(), x.begin() + Offset{c} * n)) << "vector " << c;
    if (!o.numeric.low_precision) {
      EXPECT_LE(
          test::backward_error(
              t, std::vector<T>(b.begin() + Offset{c} * n, b.begin() + Offset{c + 1} * n), one),
          8);
    }
  }
  return x;
}

// Both directions, values in both precisions.
template <class T, class Body>
void for_each_way(const Body& body) {
  const auto a = test::case_matrix<T>(test::arrow(150, 40));
  for (const Method method : {Method::tree, Method::invert_off, Method::dynamic, Method::merge})
    for (const Uplo uplo : {Uplo::lower, Uplo::upper})
      for (const bool low : {false, true})
        body(triangle(CsrView<T>(a), uplo, {.outside = OutsideEntries::ignore}), method, low);
}

TYPED_TEST(VectorUnits, SolveWithTheSameBitsForAnyThreadsAndVectors) {
  using T = TypeParam;
  for_each_way<T>([](const Triangle<T>& t, Method method, bool low) {
    for (const VectorUnit unit : vector_units()) {
      SCOPED_TRACE(std::string(name(unit)) + ' ' + name(method) + (low ? " low" : ""));
      const Options o = options_for(unit, method, low);
      const std::vector<T> one = answers(t, o, 1);
      EXPECT_EQ(one, answers(t, o, 2));
      EXPECT_EQ(one, answers(t, o, 3));
    }
  });
}

#ifdef __x86_64__
TYPED_TEST(VectorUnits, ThatFuseGiveTheSameBits) {
  using T = TypeParam;
  if (find_vector_unit() != VectorUnit::avx512) GTEST_SKIP() << "this machine has no avx512";
  for_each_way<T>([](const Triangle<T>& t, Method method, bool low) {
    EXPECT_EQ(answers(t, options_for(VectorUnit::avx2, method, low), 2),
              answers(t, options_for(VectorUnit::avx512, method, low), 2))
        << name(method) << (low ? " low" : "");
  });
}
#endif

TEST(VectorUnit, ThatIsNotThereIsRefused) {
#ifdef __aarch64__
  constexpr VectorUnit foreign = VectorUnit::avx2;
#else
  constexpr VectorUnit foreign = VectorUnit::neon;
#endif
  const auto a = test::case_matrix<double>(test::band(10, 2));
  const test::Refusal refused = test::refusal([&] {
    const Analysis analysis(lower(a, {.outside = OutsideEntries::ignore}),
                            options_for(foreign, Method::tree));
  });
  EXPECT_EQ(refused.code, ErrorCode::bad_argument);
  EXPECT_NE(refused.text.find("it has " + std::string(name(vector_units().front()))),
            std::string::npos)
      << refused;
}

}  // namespace
}  // namespace echelon

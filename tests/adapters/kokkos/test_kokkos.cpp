// tests/adapters/kokkos/test_kokkos.cpp -- matrices and views of the real Kokkos are solved in
// place, in every layout.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

// The adapter brings Kokkos' own headers, which those of Kokkos Kernels need before them.
// clang-format off
#include "echelon/adapters/kokkos.hpp"
#include <KokkosBlas1_scal.hpp>
#include <KokkosSparse_spmv.hpp>
// clang-format on
#include "echelon/solver.hpp"
#include "support/random_matrix.hpp"
#include "support/reference_solve.hpp"
#include "support/refusal.hpp"

namespace echelon {
namespace {

using Host = Kokkos::DefaultHostExecutionSpace;

class KokkosSession : public testing::Environment {
  void SetUp() override { Kokkos::initialize(); }
  void TearDown() override { Kokkos::finalize(); }
};
const auto* const session = testing::AddGlobalTestEnvironment(new KokkosSession);

template <class T>
using Crs = KokkosSparse::CrsMatrix<T, int, Host>;

// Our matrix as one of Kokkos.
template <class T, class Ours>
Crs<T> to_kokkos(const Csr<Ours>& a) {
  typename Crs<T>::row_map_type::non_const_type start("start", a.start.size());
  typename Crs<T>::index_type::non_const_type column("column", a.index.size());
  typename Crs<T>::values_type values("values", a.value.size());
  for (std::size_t i = 0; i < a.start.size(); ++i) start(i) = static_cast<std::size_t>(a.start[i]);
  for (std::size_t p = 0; p < a.index.size(); ++p) {
    column(p) = a.index[p];
    values(p) = T(a.value[p]);
  }
  return {"A", a.rows, a.cols, a.index.size(), values, start, column};
}

template <class T>
class KokkosAdapter : public testing::Test {};
using Scalars = testing::Types<float, double, Kokkos::complex<float>, Kokkos::complex<double>>;
TYPED_TEST_SUITE(KokkosAdapter, Scalars);

// The residual by Kokkos' own product, in roundoffs of the largest entry.
template <class T, class B, class X>
double residual(const Crs<T>& l, const B& b, const X& x) {
  Kokkos::View<T*, Host> r("r", b.extent(0)), right("right", b.extent(0)),
      left("left", b.extent(0));
  for (std::size_t i = 0; i < b.extent(0); ++i) {
    right(i) = r(i) = b(i);
    left(i) = x(i);
  }
  KokkosSparse::spmv("N", T(-1), l, left, T(1), r);
  double worst = 0;
  for (std::size_t i = 0; i < b.extent(0); ++i)
    worst = std::max(worst, static_cast<double>(Kokkos::ArithTraits<T>::abs(r(i))));
  return worst / static_cast<double>(Kokkos::ArithTraits<T>::epsilon());
}

TYPED_TEST(KokkosAdapter, SolvesWithTheMatrixInPlace) {
  using T = TypeParam;
  using Ours = kokkos::Value<T>;
  const auto l = to_kokkos<T>(
      extract_triangle<Ours>(test::random_matrix<Ours>({.n = 90, .per_row = 5}), Uplo::lower));
  const auto a = kokkos::rows(l);
  EXPECT_EQ(static_cast<const void*>(a.view().value.data()), l.values.data());
  EXPECT_EQ(a.view().index.data(), l.graph.entries.data());
  const Solver<Ours> solver(lower(a.view()));
  Kokkos::View<T*, Host> b("b", 90), x("x", 90);
  for (int i = 0; i < 90; ++i) b(i) = T(1 + i % 7);
  const Kokkos::View<const T*, Host> right = b;
  solver.solve(kokkos::vectors(right), kokkos::vectors(x));
  EXPECT_LT(residual(l, b, x), 200);
}

// Several vectors, in blocks of a larger view, each solved as one vector is.
template <class Layout>
void expect_solved() {
  const auto l = to_kokkos<double>(
      extract_triangle<double>(test::random_matrix<double>({.n = 60, .per_row = 5}), Uplo::lower));
  const auto a = kokkos::rows(l);
  const Solver<double> solver(lower(a.view()));
  Kokkos::View<double**, Layout, Host> wide("wide", 70, 6), b("b", 60, 3);
  for (int i = 0; i < 60; ++i)
    for (int k = 0; k < 3; ++k) b(i, k) = 1 + (i * (k + 3)) % 11;
  const auto x = Kokkos::subview(wide, Kokkos::make_pair(4, 64), Kokkos::make_pair(2, 5));
  solver.solve(kokkos::vectors(b), kokkos::vectors(x));
  for (int k = 0; k < 3; ++k) {
    const auto right = Kokkos::subview(b, Kokkos::ALL(), k);
    const auto answer = Kokkos::subview(x, Kokkos::ALL(), k);
    EXPECT_LT(residual(l, right, answer), 200) << k;
    Kokkos::View<double*, Kokkos::LayoutStride, Host> again = answer;
    const double before = again(59);
    again(59) = 0;
    solver.solve(kokkos::vectors(right), kokkos::vectors(again));
    EXPECT_NEAR(again(59), before, 1e-13);
  }
}

TEST(KokkosVectors, OfLayoutLeftAreColumnMajor) { expect_solved<Kokkos::LayoutLeft>(); }

TEST(KokkosVectors, OfLayoutRightAreRowMajor) {
  const Kokkos::View<double**, Kokkos::LayoutRight, Host> b("b", 5, 3);
  EXPECT_EQ(kokkos::vectors(b).layout, Layout::row_major);
  EXPECT_EQ(kokkos::vectors(b).data, b.data());
  expect_solved<Kokkos::LayoutRight>();
}

TEST(KokkosVectors, WithTwoStridesAreRefused) {
  const Kokkos::View<double***, Kokkos::LayoutRight, Host> box("box", 4, 3, 2);
  const auto plane = Kokkos::subview(box, Kokkos::ALL(), Kokkos::ALL(), 1);
  const auto refused = test::refusal([&] { kokkos::vectors(plane); });
  EXPECT_EQ(refused.code, ErrorCode::bad_argument);
  EXPECT_EQ(refused.text, "the view has strides 6 and 2; one of them must be 1");
}

TEST(KokkosMatrix, TakesNewValuesInItsPattern) {
  const Csr<double> ours =
      extract_triangle<double>(test::random_matrix<double>({.n = 60}), Uplo::lower);
  const auto matrix = to_kokkos<double>(ours);
  Kokkos::View<double**, Kokkos::LayoutLeft, Host> b("b", 60, 3), x("x", 60, 3), y("y", 60, 3);
  Kokkos::deep_copy(b, 1.0);
  // [doc
  const auto a = echelon::kokkos::rows(matrix);  // a KokkosSparse::CrsMatrix, not copied
  echelon::Solver<double> solver(echelon::lower(a.view()));
  solver.solve(echelon::kokkos::vectors(b), echelon::kokkos::vectors(x));

  KokkosBlas::scal(matrix.values, 2.0, matrix.values);  // new values, the same pattern
  solver.update(a.view().value);                        // the analysis is kept
  solver.solve(echelon::kokkos::vectors(b), echelon::kokkos::vectors(y));
  // doc]
  for (int k = 0; k < 3; ++k)
    for (int i = 0; i < 60; ++i) EXPECT_NEAR(2 * y(i, k), x(i, k), 1e-13);
}

TEST(KokkosMatrix, MayBeEmpty) {
  const Crs<double> nothing;
  EXPECT_EQ(kokkos::rows(nothing).view().rows, 0);
}

}  // namespace
}  // namespace echelon

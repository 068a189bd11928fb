// tests/factor/test_automatic.cpp -- the factorization that fits the matrix, and the reason for it.
// SPDX-License-Identifier: BSD-3-Clause
#include "dense_factors.hpp"
#include "echelon/generate.hpp"
#include "factor/check_factors.hpp"
#include "factor/solve_cost.hpp"

namespace echelon {
namespace {

using test::factor_error;
using test::refusal;

template <class T>
class AutomaticFactors : public testing::Test {
 protected:
  void SetUp() override {
    if (!test::has_package("cholmod") || !test::has_package("superlu"))
      GTEST_SKIP() << "without CHOLMOD or SuperLU";
  }
};
TYPED_TEST_SUITE(AutomaticFactors, test::Scalars);

// [ H B' ; B -C ] with Hermitian positive definite H and C: every order has nonzero pivots.
template <class T>
Csr<T> quasi_definite(Index n, Index m, double c) {
  const Csr<T> h = test::random_hermitian<T>(n, 3);
  const Csr<T> b = test::random_matrix<T>({.n = n, .per_row = 2, .seed = 5});
  Coo<T> coo{n + m, n + m, {}, {}, {}};
  const auto add = [&](Index i, Index j, T v) {
    coo.row.push_back(i);
    coo.col.push_back(j);
    coo.value.push_back(v);
  };
  for (Index i = 0; i < n; ++i)
    for (Offset p = h.start[i]; p < h.start[i + 1]; ++p) add(i, h.index[p], h.value[p]);
  for (Index i = 0; i < m; ++i) {
    for (Offset p = b.start[i]; p < b.start[i + 1]; ++p) {
      add(n + i, b.index[p], b.value[p]);
      if constexpr (is_complex<T>)
        add(b.index[p], n + i, std::conj(b.value[p]));
      else
        add(b.index[p], n + i, b.value[p]);
    }
    if (c != 0) add(n + i, n + i, T(-c));
  }
  return to_csr(coo);
}

TYPED_TEST(AutomaticFactors, AreCholeskysOfADefiniteMatrix) {
  using T = TypeParam;
  const Csr<T> a = test::random_hermitian<T>(80, 4);
  const Factors<T> f = factor_automatic(a);
  EXPECT_EQ(f.kind, "LL' supernodal");
  EXPECT_EQ(f.reason, "the matrix is Hermitian with a positive diagonal");
  EXPECT_TRUE(f.ordering == "metis" || f.ordering == "amd") << f.ordering;
  EXPECT_LT(factor_error<T>(a, f), 4);
}

TYPED_TEST(AutomaticFactors, AreLdlOfAQuasiDefiniteMatrix) {
  using T = TypeParam;
  for (const double c : {1.0, 1e-2}) {
    const Csr<T> a = quasi_definite<T>(60, 25, c);
    const Factors<T> f = factor_automatic(a);
    EXPECT_EQ(f.kind, "LDL' simplicial") << f.reason;
    EXPECT_TRUE(f.symmetric);
    EXPECT_NE(f.reason.find("LL': the diagonal entry of row 60 is not positive"), std::string::npos)
        << f.reason;
    EXPECT_NE(f.reason.find("backward error"), std::string::npos) << f.reason;
    EXPECT_LT(factor_error<T>(a, f), 4);
  }
}

TYPED_TEST(AutomaticFactors, AreLdlInPairsOfASaddlePoint) {
  using T = TypeParam;
  const Csr<T> a = quasi_definite<T>(60, 25, 0);
  const Factors<T> f = factor_automatic(a);
  EXPECT_EQ(f.kind, "LDL' simplicial") << f.reason;
  // Rounding leaves entries where exact arithmetic has none: with a large relative error in float.
  const double most = sizeof(Real<T>) == sizeof(float) ? 1e3 : 4;
  EXPECT_LT(factor_error<T>(a, f), most) << f.reason;
}

TYPED_TEST(AutomaticFactors, WithAPositiveDiagonalTryCholeskyFirst) {
  using T = TypeParam;
  const Csr<T> a = test::picture<T>("1 2\n 2 1");
  const Factors<T> f = factor_automatic(a);
  EXPECT_EQ(f.kind, "LDL' simplicial");
  EXPECT_NE(f.reason.find("LL': the matrix is not positive definite"), std::string::npos)
      << f.reason;
}

TYPED_TEST(AutomaticFactors, AreLuIfPivotsMustBeExchanged) {
  using T = TypeParam;
  for (const char* const text : {". 1\n 1 .", "1e-30 1\n 1 1e-30"}) {
    const Csr<T> a = test::picture<T>(text);
    const Factors<T> f = factor_automatic(a);
    EXPECT_EQ(f.kind, "LU") << f.reason;
    EXPECT_NE(f.reason.find("LDL'"), std::string::npos) << f.reason;
    EXPECT_LT(factor_error<T>(a, f), 4);
  }
}

TYPED_TEST(AutomaticFactors, AreLuOfAnUnsymmetricMatrix) {
  using T = TypeParam;
  for (const Index n : {1, 2, 40, 150}) {
    const Csr<T> a = test::random_to_pivot<T>(n, std::min<Index>(n - 1, 4));
    const Factors<T> f = factor_automatic(a);
    if (n > 2) {
      EXPECT_EQ(f.kind, "LU");
      EXPECT_EQ(f.reason.find("not Hermitian: "), 0U) << f.reason;
    }
    EXPECT_LT(factor_error<T>(a, f), 4) << n;
    test::expect_well_formed(f);
  }
}

TYPED_TEST(AutomaticFactors, OfBadlyScaledRowsAreAccurate) {
  using T = TypeParam;
  Csr<T> a = test::random_matrix<T>({.n = 50});
  for (Index i = 0; i < a.rows; ++i)
    for (Offset p = a.start[i]; p < a.start[i + 1]; ++p)
      a.value[p] *= T(std::ldexp(1.0, i % 20) * std::ldexp(1.0, -(a.index[p] % 13)));
  EXPECT_LT(factor_error<T>(a, factor_automatic(a)), 4);
}

TYPED_TEST(AutomaticFactors, AreTheSameByName) {
  using T = TypeParam;
  const Csr<T> a = quasi_definite<T>(30, 10, 1);
  const Factors<T> f = factor_by_name("automatic", a, {.order = Ordering::amd});
  EXPECT_EQ(f.kind, "LDL' simplicial");
  EXPECT_EQ(f.ordering, "amd");
}

TYPED_TEST(AutomaticFactors, TakeColumnsAndUnsortedRows) {
  using T = TypeParam;
  const Csr<T> a = test::random_matrix<T>({.n = 60, .per_row = 5, .sorted = false});
  EXPECT_LT(factor_error<T>(a, factor_automatic(to_csc(CsrView<T>(a)))), 4);
  EXPECT_LT(factor_error<T>(a, factor_automatic(a)), 4);
}

TYPED_TEST(AutomaticFactors, OfAnEmptyMatrixAreEmpty) {
  using T = TypeParam;
  EXPECT_EQ(factor_automatic(Csr<T>{}).n, 0);
}

TYPED_TEST(AutomaticFactors, RefuseASingularMatrix) {
  using T = TypeParam;
  for (const char* const text : {"1 1\n 1 1", "0", "1 2\n 2 4", ". .\n . ."}) {
    const auto [code, message] = refusal([&] { factor_automatic(test::picture<T>(text)); });
    EXPECT_EQ(code, ErrorCode::singular) << text << ": " << message;
  }
}

TYPED_TEST(AutomaticFactors, RefuseWhatIsNoSquareMatrixOfNumbers) {
  using T = TypeParam;
  EXPECT_EQ(refusal([] { factor_automatic(test::picture<T>("1 2 3\n 2 1 3")); }).code,
            ErrorCode::bad_argument);
  Csr<T> a = test::picture<T>("4 1\n 1 4");
  a.value[1] = std::numeric_limits<Real<T>>::infinity();
  EXPECT_EQ(refusal([&] { factor_automatic(a); }).code, ErrorCode::not_finite);
}

TEST(AutomaticOfComplex, SymmetricButNotHermitianIsLu) {
  if (!test::has_package("superlu")) GTEST_SKIP() << "without SuperLU";
  using T = std::complex<double>;
  Csr<T> a = test::picture<T>("4 1 .\n 1 4 1\n . 1 4");
  for (T& v : a.value) v *= T(1, 0.5);
  const Factors<T> f = factor_automatic(a);
  EXPECT_EQ(f.kind, "LU");
  EXPECT_LT(factor_error<T>(a, f), 4);
}

// Rows of a chain one place off the diagonal, with a weak link back: its pivots in an order of
// columns are one long chain.
template <class T>
Csr<T> shifted_chain(Index n) {
  Coo<T> coo{n, n, {}, {}, {}};
  const auto add = [&](Index i, Index j, double v) {
    coo.row.push_back(i);
    coo.col.push_back(j);
    coo.value.push_back(T(static_cast<Real<T>>(v)));
  };
  for (Index i = 0; i < n; ++i) {
    const Index own = (i + n / 2) % n;
    add(i, own, 4 + 0.001 * (i % 7));
    if (own > 0) add(i, own - 1, -1);
    if (own + 1 < n) add(i, own + 1, -1.5);
  }
  return to_csr(coo);
}

TYPED_TEST(AutomaticFactors, ForAGpuAreShallow) {
  using T = TypeParam;
  if (!test::has_package("umfpack") || !test::has_ordering(Ordering::metis))
    GTEST_SKIP() << "without UMFPACK or METIS";
  const Csr<T> a = shifted_chain<T>(6000);
  const Factors<T> cpu = factor_automatic<T>(a);
  const Factors<T> gpu =
      factor_automatic<T>(a, {.order = Ordering::automatic, .solve_on = Backend::cuda});
  EXPECT_EQ(cpu.reason.find("long for a GPU"), std::string::npos) << cpu.reason;
  EXPECT_NE(gpu.reason.find("long for a GPU"), std::string::npos) << gpu.reason;
  EXPECT_EQ(gpu.ordering, "metis of matched rows") << gpu.reason;
  EXPECT_LT(20 * find_solve_cost(gpu).chain, find_solve_cost(cpu).chain) << cpu.reason;
  EXPECT_LT(check_factors(MatrixView<T>(a), gpu).refined,
            10 * static_cast<double>(std::numeric_limits<Real<T>>::epsilon()));
}

}  // namespace
}  // namespace echelon

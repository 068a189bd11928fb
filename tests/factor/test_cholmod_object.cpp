// tests/factor/test_cholmod_object.cpp -- reads the caller's own cholmod_factor.
// SPDX-License-Identifier: BSD-3-Clause
#include "dense_factors.hpp"

#ifdef ECHELON_WITH_CHOLMOD
#include <cholmod.h>

#include "echelon/direct.hpp"

namespace echelon {
namespace {

using test::factor_error;
using test::refusal;

// A caller that uses CHOLMOD itself, on the lower triangle of a small Hermitian matrix.
template <class T>
struct Caller {
  cholmod_common common;
  cholmod_factor* factor = nullptr;

  explicit Caller(const Csr<T>& a, int supernodal = CHOLMOD_SUPERNODAL) {
    cholmod_start(&common);
    common.supernodal = supernodal;
    common.final_ll = 1;
    const Csc<T> half = to_csc<T>(extract_triangle<T>(a, Uplo::lower));
    cholmod_sparse* const sparse =
        cholmod_allocate_sparse(half.rows, half.cols, half.nonzeros(), 1, 1, -1,
                                is_complex<T> ? CHOLMOD_COMPLEX : CHOLMOD_REAL, &common);
    std::copy(half.start.begin(), half.start.end(), static_cast<int*>(sparse->p));
    std::copy(half.index.begin(), half.index.end(), static_cast<int*>(sparse->i));
    std::copy(half.value.begin(), half.value.end(), static_cast<T*>(sparse->x));
    factor = cholmod_analyze(sparse, &common);
    cholmod_factorize(sparse, factor, &common);
    cholmod_sparse* gone = sparse;
    cholmod_free_sparse(&gone, &common);
  }
  ~Caller() {
    cholmod_free_factor(&factor, &common);
    cholmod_finish(&common);
  }
  Caller(const Caller&) = delete;
  Caller& operator=(const Caller&) = delete;
};

template <class T>
class LoadCholmod : public testing::Test {};
using DoubleScalars = testing::Types<double, std::complex<double>>;
TYPED_TEST_SUITE(LoadCholmod, DoubleScalars);

TYPED_TEST(LoadCholmod, ASupernodalFactorIsNotCopied) {
  using T = TypeParam;
  const Csr<T> a = test::random_hermitian<T>(60, 4);
  const Caller<T> caller(a);
  const Factors<T> f = load_cholmod<T>(caller.factor);
  EXPECT_EQ(static_cast<const void*>(f.lower.panels.value.data()), caller.factor->x);
  EXPECT_LT(factor_error<T>(a, f), 4);
  test::expect_well_formed(f);
}

TYPED_TEST(LoadCholmod, ASimplicialFactorOfEitherKindIsCopied) {
  using T = TypeParam;
  const Csr<T> a = test::random_hermitian<T>(60, 4);
  Caller<T> caller(a, CHOLMOD_SIMPLICIAL);
  EXPECT_EQ(load_cholmod<T>(caller.factor).kind, "LL' simplicial");
  EXPECT_LT(factor_error<T>(a, load_cholmod<T>(caller.factor)), 4);
  cholmod_change_factor(caller.factor->xtype, 0, 0, 0, 0, caller.factor, &caller.common);
  EXPECT_EQ(load_cholmod<T>(caller.factor).kind, "LDL' simplicial");
  EXPECT_LT(factor_error<T>(a, load_cholmod<T>(caller.factor)), 4);
}

TYPED_TEST(LoadCholmod, IsRoundedToSinglePrecisionWhereThatIsAskedFor) {
  using T = TypeParam;
  using Single = std::conditional_t<is_complex<T>, std::complex<float>, float>;
  const Csr<T> a = test::random_hermitian<T>(60, 4);
  const Caller<T> caller(a);
  const Factors<Single> f = load_cholmod<Single>(caller.factor);
  Csr<Single> rounded{a.rows, a.cols, a.start, a.index, {}};
  for (const T v : a.value) rounded.value.push_back(Single(v));
  EXPECT_LT(factor_error<Single>(rounded, f), 4);
}

// docs/coming_from/cholmod.md shows the marked lines.
TEST(LoadCholmodOfACaller, Solves) {
  const Csr<double> a = test::random_hermitian<double>(60, 4);
  const Caller<double> caller(a);
  const cholmod_factor* const factor = caller.factor;
  const std::vector<double> b(static_cast<std::size_t>(a.rows), 1.0);
  std::vector<double> x(b.size());
  // [doc coming_from
  echelon::DirectSolver<double> solver(echelon::load_cholmod<double>(factor));
  solver.solve(b, x);  // A x = b, with CHOLMOD's permutation
  // doc]
  const auto errors = find_backward_errors<double>(a, Vectors<const double>(b.data(), a.rows),
                                                   Vectors<const double>(x.data(), a.rows));
  EXPECT_LT(errors.componentwise, 1e-13);
}

TEST(LoadCholmodRefusals, SayWhatIsWrong) {
  EXPECT_EQ(refusal([] { load_cholmod<double>(nullptr); }).code, ErrorCode::bad_argument);
  Caller<double> caller(test::random_hermitian<double>(10, 2));
  EXPECT_EQ(refusal([&] { load_cholmod<std::complex<double>>(caller.factor); }).text,
            "load_cholmod: the factor is not complex");
  caller.factor->minor = 3;
  EXPECT_EQ(refusal([&] { load_cholmod<double>(caller.factor); }).text,
            "load_cholmod: the factor is of a failed factorization");
  caller.factor->minor = caller.factor->n;
  cholmod_change_factor(CHOLMOD_PATTERN, 1, 1, 1, 1, caller.factor, &caller.common);
  EXPECT_EQ(refusal([&] { load_cholmod<double>(caller.factor); }).text,
            "load_cholmod: the factor is symbolic only");
}

}  // namespace
}  // namespace echelon
#endif

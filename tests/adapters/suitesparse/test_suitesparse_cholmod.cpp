// tests/adapters/suitesparse/test_suitesparse_cholmod.cpp -- factors that CHOLMOD itself made, of
// every form and index, are solved where they lie, and again after a refactorization.
// SPDX-License-Identifier: BSD-3-Clause
#include "matrix_cases.hpp"

namespace echelon {
namespace {

using test::backward_error;
using test::refusal;

// The same calls of CHOLMOD for int and for long.
struct WithInt {
  using Number = int;
  static constexpr auto start = cholmod_start;
  static constexpr auto finish = cholmod_finish;
  static constexpr auto allocate_sparse = cholmod_allocate_sparse;
  static constexpr auto free_sparse = cholmod_free_sparse;
  static constexpr auto analyze = cholmod_analyze;
  static constexpr auto factorize = cholmod_factorize;
  static constexpr auto free_factor = cholmod_free_factor;
};
struct WithLong {
  using Number = SuiteSparse_long;
  static constexpr auto start = cholmod_l_start;
  static constexpr auto finish = cholmod_l_finish;
  static constexpr auto allocate_sparse = cholmod_l_allocate_sparse;
  static constexpr auto free_sparse = cholmod_l_free_sparse;
  static constexpr auto analyze = cholmod_l_analyze;
  static constexpr auto factorize = cholmod_l_factorize;
  static constexpr auto free_factor = cholmod_l_free_factor;
};

// A program that uses CHOLMOD; the matrix is the lower triangle of a Hermitian one.
template <class T, class Calls>
struct CholmodProgram {
  cholmod_common common;
  cholmod_sparse* matrix;
  cholmod_factor* factor;

  CholmodProgram(const Csc<T>& half, int supernodal, int final_ll) {
    Calls::start(&common);
    common.supernodal = supernodal;
    common.final_ll = final_ll;
    matrix = Calls::allocate_sparse(half.rows, half.cols, half.nonzeros(), 1, 1, -1,
                                    is_complex<T> ? CHOLMOD_COMPLEX : CHOLMOD_REAL, &common);
    using Number = typename Calls::Number;
    std::copy(half.start.begin(), half.start.end(), static_cast<Number*>(matrix->p));
    std::copy(half.index.begin(), half.index.end(), static_cast<Number*>(matrix->i));
    std::copy(half.value.begin(), half.value.end(), static_cast<T*>(matrix->x));
    factor = Calls::analyze(matrix, &common);
    Calls::factorize(matrix, factor, &common);
  }
  ~CholmodProgram() {
    Calls::free_factor(&factor, &common);
    Calls::free_sparse(&matrix, &common);
    Calls::finish(&common);
  }
  CholmodProgram(const CholmodProgram&) = delete;
  CholmodProgram& operator=(const CholmodProgram&) = delete;

  T* values() { return static_cast<T*>(matrix->x); }
};

template <class Types>
class CholmodFactors : public testing::Test {};
using Forms = testing::Types<std::pair<double, WithInt>, std::pair<double, WithLong>,
                             std::pair<std::complex<double>, WithInt>,
                             std::pair<std::complex<double>, WithLong>>;
TYPED_TEST_SUITE(CholmodFactors, Forms);

// Solves, changes the values, factors again, updates and solves again.
template <class T, class Calls>
void expect_solves(int supernodal, int final_ll, const std::string& kind) {
  const Csc<T> half = test::hermitian_lower<T>(120);
  CholmodProgram<T, Calls> program(half, supernodal, final_ll);
  DirectSolver<T> solver(suitesparse::factors<T>(program.factor));
  EXPECT_EQ(solver.report().kind, kind);
  const std::vector<T> b = test::random_vector<T>(120);
  const auto a = suitesparse::columns<T>(*program.matrix);
  EXPECT_LT(backward_error<T>(a.view(), true, b, solver.solve(b)), 50);
  for (Offset p = 0; p < half.nonzeros(); ++p) program.values()[p] *= p % 2 == 0 ? 1.0 : 0.5;
  Calls::factorize(program.matrix, program.factor, &program.common);
  solver.update(suitesparse::factors<T>(program.factor));
  EXPECT_LT(backward_error<T>(a.view(), true, b, solver.solve(b)), 50);
}

TYPED_TEST(CholmodFactors, SupernodalOnesAreSolvedAndUpdated) {
  expect_solves<typename TypeParam::first_type, typename TypeParam::second_type>(
      CHOLMOD_SUPERNODAL, 1, "LL' supernodal");
}

TYPED_TEST(CholmodFactors, SimplicialOnesOfBothKindsAreSolvedAndUpdated) {
  using T = typename TypeParam::first_type;
  using Calls = typename TypeParam::second_type;
  expect_solves<T, Calls>(CHOLMOD_SIMPLICIAL, 1, "LL' simplicial");
  expect_solves<T, Calls>(CHOLMOD_SIMPLICIAL, 0, "LDL' simplicial");
}

TYPED_TEST(CholmodFactors, PanelsAndMatricesStayWhereTheyAre) {
  using T = typename TypeParam::first_type;
  const Csc<T> half = test::hermitian_lower<T>(50);
  const CholmodProgram<T, typename TypeParam::second_type> program(half, CHOLMOD_SUPERNODAL, 1);
  const Factors<T> f = suitesparse::factors<T>(program.factor);
  EXPECT_EQ(static_cast<const void*>(f.lower.panels.value.data()), program.factor->x);
  const auto a = suitesparse::columns<T>(*program.matrix);
  EXPECT_EQ(static_cast<const void*>(a.view().value.data()), program.matrix->x);
  EXPECT_TRUE(std::equal(half.index.begin(), half.index.end(), a.view().index.begin()));
}

TEST(CholmodDense, IsRightHandSidesAndSolutions) {
  const Csc<double> half = test::hermitian_lower<double>(40);
  CholmodProgram<double, WithInt> program(half, CHOLMOD_SUPERNODAL, 1);
  cholmod_common& common = program.common;
  cholmod_sparse* const matrix = program.matrix;
  cholmod_factor* const l = program.factor;
  cholmod_dense* b = cholmod_ones(40, 3, CHOLMOD_REAL, &common);
  cholmod_dense* x = cholmod_allocate_dense(40, 3, 45, CHOLMOD_REAL, &common);
  // [doc
  namespace ss = echelon::suitesparse;
  echelon::DirectSolver<double> solver(ss::factors<double>(l));    // l: a cholmod_factor*
  solver.solve(ss::vectors<double>(*b), ss::vectors<double>(*x));  // b, x: cholmod_dense*

  cholmod_factorize(matrix, l, &common);  // new values, the same pattern
  solver.update(ss::factors<double>(l));  // the analysis is kept
  solver.solve(ss::vectors<double>(*b), ss::vectors<double>(*x));
  // doc]
  cholmod_dense* reference = cholmod_solve(CHOLMOD_A, l, b, &common);
  for (Index k = 0; k < 3; ++k)
    for (Index i = 0; i < 40; ++i)
      EXPECT_NEAR(static_cast<double*>(x->x)[i + 45 * k],
                  static_cast<double*>(reference->x)[i + 40 * k], 1e-15);
  EXPECT_EQ(refusal([&] { suitesparse::vectors<float>(*b); }).text,
            "CHOLMOD's matrix is not of single precision");
  for (cholmod_dense** gone : {&b, &x, &reference}) cholmod_free_dense(gone, &common);
}

TEST(CholmodRefusals, SayWhatIsWrong) {
  CholmodProgram<double, WithInt> program(test::hermitian_lower<double>(10), CHOLMOD_SUPERNODAL, 1);
  EXPECT_EQ(refusal([&] { suitesparse::columns<std::complex<double>>(*program.matrix); }).text,
            "CHOLMOD's matrix is not of xtype COMPLEX");
  program.matrix->packed = 0;
  EXPECT_EQ(refusal([&] { suitesparse::columns<double>(*program.matrix); }).text,
            "CHOLMOD's matrix is not packed; call cholmod_copy_sparse");
  program.factor->itype = CHOLMOD_INTLONG;
  EXPECT_EQ(refusal([&] { suitesparse::factors<double>(program.factor); }).text,
            "load_cholmod: the factor's indices are neither int nor long");
  program.factor->itype = CHOLMOD_INT;
}

}  // namespace
}  // namespace echelon

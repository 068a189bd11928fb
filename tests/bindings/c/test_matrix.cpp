// tests/bindings/c/test_matrix.cpp -- tests of matrices in the caller's arrays, as C gives them.
// SPDX-License-Identifier: BSD-3-Clause
#include <limits>

#include "io/temp_files.hpp"
#include "own.hpp"

using namespace echelon::test;

namespace {

template <class T>
class CMatrix : public testing::Test {};
using Scalars = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(CMatrix, Scalars);

template <class T, class Start, class Number>
void expect_solves(int base, const char* how) {
  const auto a = lower_arrays<T, Start, Number>(base);
  const OwnSolver s = triangle(a.matrix(how));  // the matrix is destroyed before the solve
  const std::vector<T> b = {2, 5, 10};
  std::vector<T> x(3);
  EXPECT_EQ(ECHELON_OK, echelon_solve(s.get(), b.data(), x.data()));
  EXPECT_EQ((std::vector<T>{1, 2, 2}), x);
}

TYPED_TEST(CMatrix, IsSolvedForAllIndexTypesAndBases) {
  using T = TypeParam;
  expect_solves<T, std::int32_t, std::int32_t>(0, nullptr);
  expect_solves<T, std::int64_t, std::int64_t>(0, "base=0");
  expect_solves<T, std::int64_t, std::int32_t>(0, "");
  expect_solves<T, std::int32_t, std::int32_t>(1, "base=1");
  expect_solves<T, std::int64_t, std::int64_t>(1, " base = 1 , uplo = lower");
  expect_solves<T, std::int64_t, std::int32_t>(1, "base=1");
}

TYPED_TEST(CMatrix, ByColumnsIsTheTransposeByRows) {
  using T = TypeParam;
  const auto a = lower_arrays<T>();
  const OwnSolver columns = triangle(a.matrix("order=columns,uplo=upper"));
  const OwnSolver transpose = triangle(a.matrix("op=t"));
  const std::vector<T> b = {1, 2, 3};
  std::vector<T> x(3), y(3);
  EXPECT_EQ(ECHELON_OK, echelon_solve(columns.get(), b.data(), x.data()));
  EXPECT_EQ(ECHELON_OK, echelon_solve(transpose.get(), b.data(), y.data()));
  EXPECT_EQ(T(1), x[2]);
  EXPECT_EQ(T(0), x[1]);
  EXPECT_EQ(x, y);
}

TEST(CMatrixHow, ReadsAUnitDiagonalAndIgnoresTheOtherTriangle) {
  const ArraysOf<double> a{{0, 2, 4}, {0, 1, 0, 1}, {5, 7, 3, 9}};
  const OwnSolver s = triangle(a.matrix("diagonal=unit,outside=ignore"));
  const double b[] = {1, 5};
  double x[2];
  EXPECT_EQ(ECHELON_OK, echelon_solve(s.get(), b, x));
  EXPECT_EQ(1, x[0]);
  EXPECT_EQ(2, x[1]);
  echelon_solver* none = nullptr;
  expect_refused(ECHELON_NOT_TRIANGULAR, echelon_create_triangle(&none, a.matrix().get(), nullptr),
                 "row 0");
  EXPECT_EQ(nullptr, none);
}

TEST(CMatrixHow, ConjugatesForOpH) {
  using Complex = std::complex<double>;
  const ArraysOf<Complex> a{{0, 1}, {0}, {Complex(0, 2)}};
  const OwnSolver s = triangle(a.matrix("op=h"));
  const Complex b = 4;
  Complex x;
  EXPECT_EQ(ECHELON_OK, echelon_solve(s.get(), &b, &x));
  EXPECT_EQ(Complex(0, 2), x);
}

TEST(CMatrixHow, AnEmptyMatrixIsSolved) {
  const std::int32_t start[] = {0};
  echelon_matrix* m = nullptr;
  ASSERT_EQ(ECHELON_OK, echelon_create_matrix(&m, ECHELON_DOUBLE, ECHELON_INT32, 0, start, nullptr,
                                              nullptr, nullptr));
  const OwnMatrix own(m);
  EXPECT_EQ(0, echelon_matrix_n(m));
  EXPECT_EQ(0, echelon_matrix_nnz(m));
  const OwnSolver s = triangle(own), g = gauss_seidel(own), d = direct(own, "ilu0");
  for (const OwnSolver* solver : {&s, &g, &d})
    EXPECT_EQ(ECHELON_OK, echelon_solve(solver->get(), nullptr, nullptr));
}

// A refusal of echelon_create_matrix with the arrays of L, of which one argument differs.
struct Wrong {
  int type = ECHELON_DOUBLE;
  int index_type = ECHELON_INT32;
  std::int64_t n = 3;
  const void* how = nullptr;

  void expect(const char* words, const ArraysOf<double>& a = lower_arrays()) const {
    expect_arrays(words, a.start.data(), a.index.data(), a.values.data());
  }
  void expect_arrays(const char* words, const void* start, const void* index,
                     const void* values) const {
    OwnMatrix former = lower_arrays().matrix();
    echelon_matrix* m = former.get();  // overwritten
    expect_refused(ECHELON_BAD_ARGUMENT,
                   echelon_create_matrix(&m, static_cast<echelon_type>(type),
                                         static_cast<echelon_index_type>(index_type), n, start,
                                         index, values, static_cast<const char*>(how)),
                   words);
    EXPECT_EQ(nullptr, m);
    EXPECT_EQ(-1, echelon_last_error_row(nullptr));
  }
};

TEST(CMatrixRefusals, NameTheArgument) {
  const auto a = lower_arrays();
  Wrong{}.expect_arrays("start is NULL", nullptr, a.index.data(), a.values.data());
  Wrong{}.expect_arrays("index is NULL", a.start.data(), nullptr, a.values.data());
  Wrong{}.expect_arrays("values is NULL", a.start.data(), a.index.data(), nullptr);
  Wrong{.n = -1}.expect("n is negative: -1");
  Wrong{.n = std::int64_t{1} << 31}.expect("fewer than 2^31 rows");
  Wrong{.type = 7}.expect("there is no type 7");
  Wrong{.index_type = -1}.expect("there is no index type -1");
  Wrong{.how = "bass=1"}.expect("bass");
  Wrong{.how = "base=2"}.expect("base is 0 or 1, not 2");
  Wrong{.how = "base"}.expect("write name=value");
  Wrong{.how = "uplo=left"}.expect("left");
  expect_refused(ECHELON_BAD_ARGUMENT,
                 echelon_create_matrix(nullptr, ECHELON_DOUBLE, ECHELON_INT32, 3, a.start.data(),
                                       a.index.data(), a.values.data(), nullptr),
                 "the place for the new matrix is NULL");
}

TEST(CMatrixRefusals, SayWhichBaseTheArraysHave) {
  Wrong{}.expect("do the indices count from 1? Then say base=1", lower_arrays(1));
  Wrong{.how = "base=1"}.expect("do the indices count from 0? Then say base=0");
  auto a = lower_arrays();
  a.start[0] = -1;
  Wrong{}.expect("start[0] is -1, but base is 0", a);
  a = lower_arrays();
  a.start[3] = -5;
  Wrong{}.expect("start ends at -5", a);
  ArraysOf<double, std::int64_t, std::int64_t> wide{{0, 1}, {std::int64_t{1} << 40}, {1}};
  Wrong{.index_type = ECHELON_INT64, .n = 1}.expect_arrays(
      "does not fit 32 bits", wide.start.data(), wide.index.data(), wide.values.data());
}

// What the arrays hold between their ends is checked by every solver that reads it.
TEST(CMatrixRefusals, EverySolverChecksThePattern) {
  auto falls = lower_arrays(), outside = lower_arrays(1), negative = lower_arrays();
  falls.start[1] = 4;
  outside.index[3] = 4;  // from 1 on: one too many
  negative.index[2] = -1;
  const OwnSolver fine = direct(lower_arrays().matrix(), "ilu0", "factor.order=natural");
  const OwnMatrix wrong[] = {falls.matrix(), outside.matrix("base=1"), negative.matrix(),
                             outside.matrix("base=1,order=columns,uplo=upper")};
  const OwnMatrix upper = lower_arrays().matrix("op=t");
  const double b[] = {1, 1, 1}, ones[] = {1, 1, 1, 1, 1};
  double x[3];
  for (const OwnMatrix& m : wrong) {
    const bool columns = m.get() == wrong[3].get();
    const char* const word = columns ? "column 2 has index 3" : "row ";
    echelon_solver* s = nullptr;
    const auto refuse = [&](echelon_status status) {
      expect_refused(ECHELON_BAD_ARGUMENT, status, word);
    };
    refuse(echelon_create_triangle(&s, m.get(), nullptr));
    refuse(echelon_create_gauss_seidel(&s, m.get(), nullptr));
    refuse(echelon_create_direct(&s, m.get(), "ilu0", nullptr));
    refuse(echelon_create_batch(&s, m.get(), 1, ones, 0, nullptr));
    if (!columns) refuse(echelon_create_factors(&s, m.get(), upper.get(), nullptr));
    refuse(echelon_solve_refined(fine.get(), m.get(), b, x, nullptr, nullptr));
    EXPECT_EQ(nullptr, s);
  }
}

TEST(CMatrixFile, IsReadAndOwned) {
  const TempFolder folder;
  const std::string path = folder.write("a.mtx",
                                        "%%MatrixMarket matrix coordinate real general\n"
                                        "2 2 3\n1 1 2\n2 1 1\n2 2 4\n");
  echelon_matrix* m = nullptr;
  ASSERT_EQ(ECHELON_OK, echelon_read_matrix(&m, ECHELON_DOUBLE, path.c_str(), "uplo=lower"));
  OwnMatrix own(m);
  EXPECT_EQ(2, echelon_matrix_n(m));
  EXPECT_EQ(3, echelon_matrix_nnz(m));
  const OwnSolver s = triangle(own);
  const double b[] = {2, 5};
  double x[2];
  EXPECT_EQ(ECHELON_OK, echelon_solve(s.get(), b, x));
  EXPECT_EQ(1, x[1]);
  const double other[] = {1, 1, 1};
  EXPECT_EQ(ECHELON_OK, echelon_set_values(m, other));
  EXPECT_EQ(ECHELON_OK, echelon_update(s.get(), m));
  EXPECT_EQ(ECHELON_OK, echelon_solve(s.get(), b, x));
  EXPECT_EQ(3, x[1]);
}

TEST(CMatrixFile, IsRefusedWithItsName) {
  const TempFolder folder;
  const std::string wide =
      folder.write("wide.mtx", "%%MatrixMarket matrix coordinate real general\n2 3 1\n1 1 2\n");
  echelon_matrix* m = nullptr;
  expect_refused(ECHELON_BAD_ARGUMENT,
                 echelon_read_matrix(&m, ECHELON_DOUBLE, wide.c_str(), nullptr),
                 "2 rows and 3 columns");
  expect_refused(ECHELON_BAD_ARGUMENT,
                 echelon_read_matrix(&m, ECHELON_DOUBLE, wide.c_str(), "base=1"),
                 "a matrix from a file has");
  expect_refused(ECHELON_BAD_FILE, echelon_read_matrix(&m, ECHELON_FLOAT, "not/there", nullptr),
                 "not/there");
  expect_refused(ECHELON_BAD_ARGUMENT, echelon_read_matrix(&m, ECHELON_FLOAT, nullptr, nullptr),
                 "path of the file is NULL");
  EXPECT_EQ(nullptr, m);
}

TEST(CMatrixHandle, NullIsNoMatrix) {
  EXPECT_EQ(-1, echelon_matrix_n(nullptr));
  EXPECT_EQ(-1, echelon_matrix_nnz(nullptr));
  echelon_destroy_matrix(nullptr);
  expect_refused(ECHELON_BAD_ARGUMENT, echelon_set_values(nullptr, nullptr), "is NULL");
  const OwnMatrix m = lower_arrays().matrix();
  expect_refused(ECHELON_BAD_ARGUMENT, echelon_set_values(m.get(), nullptr), "values is NULL");
}

}  // namespace

// tests/factor/test_hermitian.cpp -- which matrices are Hermitian, and with a positive diagonal.
// SPDX-License-Identifier: BSD-3-Clause
#include "dense_factors.hpp"

namespace echelon {
namespace {

template <class T>
class Hermitian : public testing::Test {};
TYPED_TEST_SUITE(Hermitian, test::Scalars);

template <class T>
std::string why_not(const char* text) {
  return test_hermitian(MatrixView<T>(test::picture<T>(text))).why;
}

TYPED_TEST(Hermitian, IsAMatrixThatEqualsItsConjugateTranspose) {
  using T = TypeParam;
  Csr<T> a = test::random_hermitian<T>(50, 4);
  HermitianTest t = test_hermitian(MatrixView<T>(a));
  EXPECT_TRUE(t.hermitian && t.positive_diagonal && t.why.empty()) << t.why;
  for (T& v : a.value) v = -v;
  t = test_hermitian(MatrixView<T>(to_csc(CsrView<T>(a))));
  EXPECT_TRUE(t.hermitian);
  EXPECT_FALSE(t.positive_diagonal);
  EXPECT_EQ(t.why, "the diagonal entry of row 0 is not positive");
}

TYPED_TEST(Hermitian, FailuresNameTheFirstPlace) {
  using T = TypeParam;
  EXPECT_EQ(why_not<T>("4 1\n 1 ."), "the diagonal entry of row 1 is not positive");
  EXPECT_EQ(why_not<T>("4 1\n . 4"), "row 0 and column 0 have different entries");
  EXPECT_EQ(why_not<T>("4 1 . 1\n . 4 1 .\n 1 1 4 .\n 1 . . 4"),
            "the entry in row 0, column 1 has no counterpart");
  EXPECT_EQ(why_not<T>("4 1\n 2 4"),
            "the entries in row 0, column 1 and row 1, column 0 do not match");
  EXPECT_EQ(why_not<T>("1 2 3"), "the matrix is not square");
  EXPECT_EQ(why_not<T>(""), "");
}

TYPED_TEST(Hermitian, IsUpToRounding) {
  using T = TypeParam;
  Csr<T> a = test::picture<T>("4 1\n 1 .\n");
  const Real<T> eps = std::numeric_limits<Real<T>>::epsilon();
  a.value[1] += T(8 * eps);
  EXPECT_TRUE(test_hermitian(MatrixView<T>(a)).hermitian);
  a.value[1] += T(100 * eps);
  EXPECT_FALSE(test_hermitian(MatrixView<T>(a)).hermitian);
}

TEST(HermitianOfComplex, IsNotWhatIsOnlySymmetric) {
  using T = std::complex<double>;
  Csr<T> a = test::picture<T>("4 1\n 1 4");
  a.value[1] = a.value[2] = {1, 1};
  EXPECT_FALSE(test_hermitian(MatrixView<T>(a)).hermitian);
  a.value[2] = {1, -1};
  EXPECT_TRUE(test_hermitian(MatrixView<T>(a)).positive_diagonal);
  a.value[0] = {4, 1};
  EXPECT_EQ(test_hermitian(MatrixView<T>(a)).why, "the diagonal entry of row 0 is not real");
}

}  // namespace
}  // namespace echelon

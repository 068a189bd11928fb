// tests/adapters/suitesparse/test_suitesparse_umfpack.cpp -- factors that UMFPACK itself made are
// solved, for each of its four types, with its orders and scalings.
// SPDX-License-Identifier: BSD-3-Clause
#include "echelon/adapters/factored.hpp"
#include "matrix_cases.hpp"

namespace echelon {
namespace {

using test::refusal;

// The calls of UMFPACK for each of the four types.
template <class T, class Number>
struct Calls;
template <>
struct Calls<double, int> {
  static constexpr auto defaults = umfpack_di_defaults;
  static constexpr auto symbolic = umfpack_di_symbolic;
  static constexpr auto numeric = umfpack_di_numeric;
  static constexpr auto solve = umfpack_di_solve;
  static constexpr auto free_symbolic = umfpack_di_free_symbolic;
  static constexpr auto free_numeric = umfpack_di_free_numeric;
};
template <>
struct Calls<double, SuiteSparse_long> {
  static constexpr auto defaults = umfpack_dl_defaults;
  static constexpr auto symbolic = umfpack_dl_symbolic;
  static constexpr auto numeric = umfpack_dl_numeric;
  static constexpr auto solve = umfpack_dl_solve;
  static constexpr auto free_symbolic = umfpack_dl_free_symbolic;
  static constexpr auto free_numeric = umfpack_dl_free_numeric;
};
template <>
struct Calls<std::complex<double>, int> {
  static constexpr auto defaults = umfpack_zi_defaults;
  static constexpr auto symbolic = umfpack_zi_symbolic;
  static constexpr auto numeric = umfpack_zi_numeric;
  static constexpr auto solve = umfpack_zi_solve;
  static constexpr auto free_symbolic = umfpack_zi_free_symbolic;
  static constexpr auto free_numeric = umfpack_zi_free_numeric;
};
template <>
struct Calls<std::complex<double>, SuiteSparse_long> {
  static constexpr auto defaults = umfpack_zl_defaults;
  static constexpr auto symbolic = umfpack_zl_symbolic;
  static constexpr auto numeric = umfpack_zl_numeric;
  static constexpr auto solve = umfpack_zl_solve;
  static constexpr auto free_symbolic = umfpack_zl_free_symbolic;
  static constexpr auto free_numeric = umfpack_zl_free_numeric;
};

// A program that uses UMFPACK.  Arrays of complex numbers are packed: no imaginary part apart.
template <class T, class Number>
struct UmfpackProgram {
  std::vector<Number> start, row;
  void* symbolic = nullptr;
  void* numeric = nullptr;
  double control[UMFPACK_CONTROL];

  explicit UmfpackProgram(const Csc<T>& a, int scale = UMFPACK_SCALE_SUM)
      : start(a.start.begin(), a.start.end()), row(a.index.begin(), a.index.end()) {
    Calls<T, Number>::defaults(control);
    control[UMFPACK_SCALE] = scale;
    control[UMFPACK_IRSTEP] = 0;  // its own solve without refinement, as ours
    const auto n = static_cast<Number>(a.rows);
    const auto* const value = reinterpret_cast<const double*>(a.value.data());
    if constexpr (is_complex<T>)
      Calls<T, Number>::symbolic(n, n, start.data(), row.data(), value, nullptr, &symbolic, control,
                                 nullptr);
    else
      Calls<T, Number>::symbolic(n, n, start.data(), row.data(), value, &symbolic, control,
                                 nullptr);
    factorize(a.value);
  }
  ~UmfpackProgram() {
    Calls<T, Number>::free_symbolic(&symbolic);
    Calls<T, Number>::free_numeric(&numeric);
  }
  UmfpackProgram(const UmfpackProgram&) = delete;
  UmfpackProgram& operator=(const UmfpackProgram&) = delete;

  void factorize(const Buffer<T>& values) {
    Calls<T, Number>::free_numeric(&numeric);
    const auto* const value = reinterpret_cast<const double*>(values.data());
    if constexpr (is_complex<T>)
      Calls<T, Number>::numeric(start.data(), row.data(), value, nullptr, symbolic, &numeric,
                                control, nullptr);
    else
      Calls<T, Number>::numeric(start.data(), row.data(), value, symbolic, &numeric, control,
                                nullptr);
  }

  // UMFPACK's own answer.
  std::vector<T> solve(const Csc<T>& a, const std::vector<T>& b) const {
    std::vector<T> x(b.size());
    const auto* const value = reinterpret_cast<const double*>(a.value.data());
    const auto* const right = reinterpret_cast<const double*>(b.data());
    auto* const answer = reinterpret_cast<double*>(x.data());
    if constexpr (is_complex<T>)
      Calls<T, Number>::solve(UMFPACK_A, start.data(), row.data(), value, nullptr, answer, nullptr,
                              right, nullptr, numeric, control, nullptr);
    else
      Calls<T, Number>::solve(UMFPACK_A, start.data(), row.data(), value, answer, right, numeric,
                              control, nullptr);
    return x;
  }
};

template <class Types>
class UmfpackFactors : public testing::Test {};
using UmfpackTypes = testing::Types<std::pair<double, int>, std::pair<double, SuiteSparse_long>,
                                    std::pair<std::complex<double>, int>,
                                    std::pair<std::complex<double>, SuiteSparse_long>>;
TYPED_TEST_SUITE(UmfpackFactors, UmfpackTypes);

// Rows of very different size: without its scaling the answer would be wrong.
template <class T>
Csc<T> badly_scaled(Index n) {
  Csc<T> a = test::random_columns<T>(n);
  for (Offset p = 0; p < a.nonzeros(); ++p) a.value[p] *= std::pow(2.0, a.index[p] % 20);
  return a;
}

TYPED_TEST(UmfpackFactors, AreSolvedWithTheirOrdersAndScalings) {
  using T = typename TypeParam::first_type;
  using Number = typename TypeParam::second_type;
  const Csc<T> a = badly_scaled<T>(150);
  const std::vector<T> b = test::random_vector<T>(150);
  for (const int scale : {UMFPACK_SCALE_NONE, UMFPACK_SCALE_SUM, UMFPACK_SCALE_MAX}) {
    const UmfpackProgram<T, Number> program(a, scale);
    const DirectSolver<T> solver(suitesparse::umfpack_factors<T, Number>(program.numeric));
    EXPECT_EQ(solver.report().package, "umfpack");
    // Unscaled, the factors are poor, and inverted diagonal blocks lose a digit more.
    const double theirs = test::backward_error<T>(a, false, b, program.solve(a, b));
    EXPECT_LT(test::backward_error<T>(a, false, b, solver.solve(b)), 20 * theirs + 50) << scale;
  }
}

// Powers of two change no pivot; other factors may, by rounding, and then the structure.
TYPED_TEST(UmfpackFactors, AreTakenAgainAfterANewFactorization) {
  using T = typename TypeParam::first_type;
  using Number = typename TypeParam::second_type;
  Csc<T> a = test::random_columns<T>(100);
  UmfpackProgram<T, Number> program(a);
  adapters::Factored<T> factored;
  const std::vector<T> b = test::random_vector<T>(100);
  for (const double factor : {1.0, 2.0, 3.0}) {
    for (T& v : a.value) v *= factor;
    program.factorize(a.value);
    factored.take(suitesparse::umfpack_factors<T, Number>(program.numeric), {});
    EXPECT_EQ(factored.analyses() == 1 || factor == 3, true);
    const double theirs = test::backward_error<T>(a, false, b, program.solve(a, b));
    const std::vector<T> x = factored.solver().solve(b);
    EXPECT_LT(test::backward_error<T>(a, false, b, x), 4 * theirs + 50) << factor;
  }
}

TEST(UmfpackNumeric, MayBeFreedOnceItsFactorsAreTaken) {
  const Csc<double> a = test::random_columns<double>(30);
  UmfpackProgram<double, int> program(a);
  void*& numeric = program.numeric;
  const std::vector<double> b = test::random_vector<double>(30);
  std::vector<double> x(30);
  // [doc
  echelon::adapters::Factored<double> lu;
  lu.take(echelon::suitesparse::umfpack_factors<double, int>(numeric), {});
  umfpack_di_free_numeric(&numeric);
  lu.solver().solve(b, x);
  // doc]
  EXPECT_LT(test::backward_error<double>(a, false, b, x), 500);
}

TEST(UmfpackRefusals, SayWhatIsWrong) {
  Csc<double> a = test::random_columns<double>(20);
  for (Offset p = a.start[7]; p < a.start[8]; ++p) a.value[p] = 0;
  const UmfpackProgram<double, int> program(a);
  const auto singular =
      refusal([&] { suitesparse::umfpack_factors<double, int>(program.numeric); });
  EXPECT_EQ(singular.code, ErrorCode::singular);
  EXPECT_EQ(singular.text, "umfpack_factors: the matrix is singular: 1 pivots are zero");
  const UmfpackProgram<double, int> other(test::random_columns<double>(20));
  EXPECT_EQ(
      refusal([&] { suitesparse::umfpack_factors<std::complex<double>, int>(other.numeric); }).code,
      ErrorCode::bad_argument);
  EXPECT_EQ(refusal([] { suitesparse::umfpack_factors<double, int>(nullptr); }).code,
            ErrorCode::bad_argument);
}

}  // namespace
}  // namespace echelon

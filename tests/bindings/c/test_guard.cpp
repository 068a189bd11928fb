// tests/bindings/c/test_guard.cpp -- tests of what C knows of failures: status, text, row.
// SPDX-License-Identifier: BSD-3-Clause
#include <cstring>
#include <string>
#include <thread>

#include "echelon/error.hpp"
#include "own.hpp"

using namespace echelon::test;

namespace {

TEST(CStatus, HasTheNumbersAndNamesOfErrorCode) {
  int known = 0;
  for (int code = 1; code < 100; ++code) {
    const std::string c = echelon_status_name(static_cast<echelon_status>(code));
    EXPECT_EQ(c, name(static_cast<echelon::ErrorCode>(code)));
    known += c == "unknown" ? 0 : 1;
  }
  EXPECT_EQ(ECHELON_SINGULAR, known);  // the last one
  EXPECT_STREQ("ok", echelon_status_name(ECHELON_OK));
  EXPECT_STREQ("unknown", echelon_status_name(static_cast<echelon_status>(-3)));
}

TEST(CLastError, IsEmptyBeforeTheFirst) {
  std::thread([] {
    EXPECT_STREQ("", echelon_last_error(nullptr));
    EXPECT_EQ(-1, echelon_last_error_row(nullptr));
    EXPECT_EQ(ECHELON_OK, echelon_last_error_status(nullptr));
  }).join();
  const OwnSolver s = triangle(lower_arrays().matrix());
  EXPECT_STREQ("", echelon_last_error(s.get()));
}

// Two solvers do not see each other's errors; a thread sees its last.
TEST(CLastError, IsKeptPerSolverAndPerThread) {
  const OwnSolver one = triangle(lower_arrays().matrix()), two = triangle(lower_arrays().matrix());
  double x[3] = {};
  EXPECT_NE(ECHELON_OK, echelon_solve(one.get(), nullptr, x));
  EXPECT_STREQ("", echelon_last_error(two.get()));
  std::thread([&] {
    EXPECT_STREQ("", echelon_last_error(nullptr));
    EXPECT_NE(nullptr, std::strstr(echelon_last_error(one.get()), "b is a null pointer"));
    EXPECT_NE(ECHELON_OK, echelon_solve(two.get(), x, nullptr));
  }).join();
  EXPECT_NE(nullptr, std::strstr(echelon_last_error(nullptr), "b is a null pointer"));
  EXPECT_NE(nullptr, std::strstr(echelon_last_error(two.get()), "x is a null pointer"));
  EXPECT_NE(nullptr, std::strstr(echelon_last_error(one.get()), "b is a null pointer"));
}

TEST(CLastError, CountsRowsAsTheMatrixDoes) {
  for (const int base : {0, 1}) {
    auto a = lower_arrays(base);
    a.values[2] = 0;  // the diagonal of the second row
    const OwnMatrix m = a.matrix(base == 1 ? "base=1" : nullptr);
    echelon_solver* s = nullptr;
    expect_refused(ECHELON_ZERO_DIAGONAL, echelon_create_triangle(&s, m.get(), nullptr), "row 1");
    EXPECT_EQ(1 + base, echelon_last_error_row(nullptr));
    EXPECT_EQ(base == 1, std::strstr(echelon_last_error(nullptr),
                                     "in arrays that count from 1 it is 2") != nullptr);
  }
}

// The matrix of an update may count otherwise than that of the setup.
TEST(CLastError, CountsAsTheMatrixOfTheUpdateDoes) {
  const OwnSolver s = triangle(lower_arrays().matrix());
  auto a = lower_arrays(1);
  a.values[4] = 0;
  expect_refused(ECHELON_ZERO_DIAGONAL, echelon_update(s.get(), a.matrix("base=1").get()), "row 2",
                 s.get());
  EXPECT_EQ(3, echelon_last_error_row(s.get()));
}

TEST(CLastError, NamesTheRowOfAnAnswerThatIsNotFinite) {
  auto a = lower_arrays();
  a.values[4] = 1e-200;
  const OwnSolver s = triangle(a.matrix());
  const double b[] = {2, 5, 1e200};
  double x[3];
  expect_refused(ECHELON_NOT_FINITE, echelon_solve(s.get(), b, x), "2", s.get());
}

TEST(CBackend, ThatIsMissingIsRefused) {
  if (std::strstr(echelon_built_with(), "cuda") != nullptr) GTEST_SKIP() << "this build has CUDA";
  echelon_solver* s = nullptr;
  const OwnMatrix m = lower_arrays().matrix();
  expect_refused(ECHELON_BACKEND_MISSING, echelon_create_triangle(&s, m.get(), "backend=cuda"),
                 "built without CUDA");
}

TEST(CHandles, OfNullDoNothingOrAreRefused) {
  echelon_destroy(nullptr);
  const char* text = nullptr;
  double number = 0;
  int64_t none = 0;
  for (const echelon_status status :
       {echelon_update(nullptr, nullptr), echelon_update_factors(nullptr, nullptr, nullptr),
        echelon_solve(nullptr, nullptr, nullptr), echelon_check(nullptr), echelon_check_in(nullptr),
        echelon_solve_in(nullptr, nullptr, nullptr), echelon_set_stream(nullptr, nullptr),
        echelon_set_vectors(nullptr, 1, 0, 0, ECHELON_ROW_MAJOR), echelon_report(nullptr, &text),
        echelon_report_number(nullptr, "n", &number), echelon_report_text(nullptr, "n", &text),
        echelon_solve_many(nullptr, none, nullptr, 0, nullptr, 0, ECHELON_ROW_MAJOR)})
    EXPECT_EQ(ECHELON_BAD_ARGUMENT, status);
  EXPECT_EQ(0, std::string(echelon_last_error(nullptr)).find("the solver or workspace is NULL"));
}

// A program that looks at the status of its last call only.
TEST(CHandles, OfNullNameTheFailureBefore) {
  echelon_solver* s = nullptr;
  EXPECT_NE(ECHELON_OK, echelon_create_triangle(&s, lower_arrays().matrix().get(), "cpu.thread=2"));
  for (int k = 0; k < 2; ++k) {  // the text does not grow
    expect_refused(ECHELON_BAD_ARGUMENT, echelon_solve(s, nullptr, nullptr),
                   "the solver or workspace is NULL; the failure before it was: ");
    const std::string text = echelon_last_error(nullptr);
    EXPECT_NE(text.npos, text.find("cpu.threads"));
    EXPECT_EQ(text.find("before it was"), text.rfind("before it was"));
  }
}

}  // namespace

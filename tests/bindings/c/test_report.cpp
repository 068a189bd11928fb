// tests/bindings/c/test_report.cpp -- tests of the fields of reports by their C++ names.
// SPDX-License-Identifier: BSD-3-Clause
#include <cstring>

#include "echelon/version.hpp"
#include "own.hpp"

using namespace echelon::test;

namespace {

double number_of(const OwnSolver& s, const char* name) {
  double value = -1;
  EXPECT_EQ(ECHELON_OK, echelon_report_number(s.get(), name, &value))
      << echelon_last_error(s.get());
  return value;
}
std::string text_of(const OwnSolver& s, const char* name) {
  const char* text = "";
  EXPECT_EQ(ECHELON_OK, echelon_report_text(s.get(), name, &text)) << echelon_last_error(s.get());
  return text;
}

TEST(CReport, OfEachSolverHasItsFields) {
  const OwnMatrix m = chain_arrays(10).matrix("outside=ignore");
  const OwnSolver t = triangle(m, "method=serial"), g = gauss_seidel(m);
  const OwnSolver d = direct(m, "ilu0", "factor.order=natural");
  EXPECT_EQ(19, number_of(t, "nnz"));
  EXPECT_EQ("10", text_of(t, "levels"));
  EXPECT_EQ("serial", text_of(t, "method"));
  EXPECT_EQ("ilu0", text_of(d, "package"));
  EXPECT_EQ(38, number_of(d, "nnz"));  // of L and U
  EXPECT_EQ(0, number_of(d, "refine_steps"));
  EXPECT_EQ("", text_of(d, "factor_reason"));
  EXPECT_GE(number_of(d, "lower.levels"), 1);
  EXPECT_EQ("false", text_of(d, "low_precision"));
  EXPECT_EQ(0, number_of(d, "low_precision"));
  EXPECT_EQ(28, number_of(g, "nnz"));
  EXPECT_EQ("symmetric", text_of(g, "direction"));
  for (const OwnSolver* s : {&t, &g, &d}) {
    EXPECT_EQ(10, number_of(*s, "n"));
    EXPECT_GE(number_of(*s, "setup_s"), 0);
    const char* text = "";
    EXPECT_EQ(ECHELON_OK, echelon_report(s->get(), &text));
    EXPECT_NE(nullptr, std::strstr(text, "levels"));
  }
}

TEST(CReport, RefusesFieldsItDoesNotHave) {
  const OwnSolver s = triangle(lower_arrays().matrix());
  double value = 0;
  const char* text = nullptr;
  expect_refused(ECHELON_BAD_ARGUMENT, echelon_report_number(s.get(), "level", &value), "levels",
                 s.get());
  expect_refused(ECHELON_BAD_ARGUMENT, echelon_report_number(s.get(), "backend", &value),
                 "the word 'cpu', not a number", s.get());
  expect_refused(ECHELON_BAD_ARGUMENT, echelon_report_number(s.get(), nullptr, &value), "is NULL");
  expect_refused(ECHELON_BAD_ARGUMENT, echelon_report_number(s.get(), "n", nullptr), "is NULL");
  expect_refused(ECHELON_BAD_ARGUMENT, echelon_report_text(s.get(), "n", nullptr), "is NULL");
  expect_refused(ECHELON_BAD_ARGUMENT, echelon_report(s.get(), nullptr), "is NULL");
  EXPECT_EQ(nullptr, text);
}

TEST(CLibrary, SaysItsVersionAndParts) {
  EXPECT_STREQ(ECHELON_VERSION, echelon_version());
  EXPECT_EQ(ECHELON_VERSION_MAJOR * 10000 + ECHELON_VERSION_MINOR * 100 + ECHELON_VERSION_PATCH,
            echelon_version_number());
  EXPECT_EQ(0, std::strncmp(echelon_built_with(), "cpu", 3));
}

}  // namespace

// tests/bindings/c/test_batch.cpp -- tests of batches behind C handles.
// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <limits>

#include "own.hpp"

using namespace echelon::test;

namespace {

using Values = std::vector<double>;
using Numbers = std::vector<std::int64_t>;

// The pattern of lower_arrays() with the values of two systems, 7 numbers apart:
//  2 . .      1 . .      L x = (2, 5, 10) and (1, 3, 4) have x = (1, 2, 2) both
//  1 2 .      1 1 .
//  . 2 3      . 1 1
template <class T = double>
std::vector<T> two_systems() {
  return {2, 1, 2, 2, 3, -9, -9, 1, 1, 1, 1, 1};
}
const Values b_of_two = {2, 5, 10, 1, 3, 4}, x_of_two = {1, 2, 2, 1, 2, 2};

template <class T = double>
OwnSolver batch(const OwnMatrix& m, const std::vector<T>& values, const char* options = nullptr) {
  echelon_solver* s = nullptr;
  EXPECT_EQ(ECHELON_OK, echelon_create_batch(&s, m.get(), 2, values.data(), 7, options))
      << echelon_last_error(nullptr);
  return OwnSolver(s);
}
Numbers failed(const OwnSolver& s) {
  Numbers systems(2, -1);
  std::int64_t count = -1;
  EXPECT_EQ(ECHELON_OK, echelon_failed(s.get(), 2, systems.data(), &count));
  EXPECT_TRUE(count >= 0 && count <= 2);
  systems.resize(static_cast<std::size_t>(count));
  return systems;
}

template <class T>
void expect_solved(const char* options) {
  const std::vector<T> b(b_of_two.begin(), b_of_two.end());
  std::vector<T> x(6);
  for (const int base : {0, 1}) {
    const OwnMatrix m = lower_arrays<T>(base).matrix(base == 1 ? "base=1" : nullptr);
    const OwnSolver s = batch(m, two_systems<T>(), options);
    EXPECT_EQ(ECHELON_OK, echelon_solve(s.get(), b.data(), x.data()));
    for (std::size_t k = 0; k < 6; ++k) EXPECT_LT(std::abs(x[k] - T(x_of_two[k])), 1e-6) << k;
    EXPECT_EQ(Numbers(), failed(s));
  }
}

TEST(CBatch, EverySystemIsSolved) {
  for (const char* options : {"", "batch.form=interleaved,cpu.threads=2", "batch.form=separate"}) {
    expect_solved<float>(options);
    expect_solved<double>(options);
    expect_solved<std::complex<float>>(options);
    expect_solved<std::complex<double>>(options);
  }
}

TEST(CBatch, SeveralVectorsOfASystemFollowEachOther) {
  const OwnSolver s = batch(lower_arrays().matrix(), two_systems());
  const Values b = {2, 5, 10, 4, 10, 20, 1, 3, 4, -1, -3, -4};
  const Values expected = {1, 2, 2, 2, 4, 4, 1, 2, 2, -1, -2, -2};
  Values x(12), by_rows(12), rows(12);
  EXPECT_EQ(ECHELON_OK,
            echelon_solve_many(s.get(), 4, b.data(), 0, x.data(), 0, ECHELON_COLUMN_MAJOR));
  EXPECT_EQ(expected, x);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < 4; ++k) by_rows[i * 4 + k] = b[k * 3 + i];
  EXPECT_EQ(ECHELON_OK,
            echelon_solve_many(s.get(), 4, by_rows.data(), 0, rows.data(), 0, ECHELON_ROW_MAJOR));
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < 4; ++k) EXPECT_EQ(expected[k * 3 + i], rows[i * 4 + k]);
  for (const std::int64_t wrong : {1, 3, 5})
    expect_refused(
        ECHELON_BAD_ARGUMENT,
        echelon_solve_many(s.get(), wrong, b.data(), 0, x.data(), 0, ECHELON_COLUMN_MAJOR),
        "for 2 systems; each needs the same number", s.get());
}

// Without nrhs a workspace has one vector of each system, as echelon_solve has.
TEST(CBatch, AWorkspaceSolvesWithTransposes) {
  const OwnSolver s = batch(lower_arrays().matrix(), two_systems());
  const OwnWorkspace w = workspace(s, "op=t,threads=1");
  const Values b = {4, 8, 6, 3, 4, 2};
  Values x(6);
  EXPECT_EQ(ECHELON_OK, echelon_solve_in(w.get(), b.data(), x.data()));
  EXPECT_EQ((Values{1, 2, 2, 1, 2, 2}), x);
  const double two = 2;
  EXPECT_EQ(ECHELON_OK, echelon_set_alpha(w.get(), &two));
  EXPECT_EQ(ECHELON_OK, echelon_set(w.get(), "op=n"));
  EXPECT_EQ(ECHELON_OK, echelon_solve_in(w.get(), b_of_two.data(), x.data()));
  EXPECT_EQ((Values{2, 4, 4, 2, 4, 4}), x);
}

TEST(CBatch, ASingularSystemIsListedAndStopsNoOther) {
  Values values = two_systems();
  values[2] = 0;
  const OwnSolver s = batch(lower_arrays().matrix(), values);
  EXPECT_EQ(Numbers{0}, failed(s));
  Values x(6), b = b_of_two;
  EXPECT_EQ(ECHELON_OK, echelon_solve(s.get(), b.data(), x.data()));
  EXPECT_TRUE(std::isnan(x[0]));
  EXPECT_EQ((Values{1, 2, 2}), Values(x.begin() + 3, x.end()));
  expect_refused(ECHELON_ZERO_DIAGONAL, echelon_check(s.get()), "system 0 has a zero", s.get());

  // A workspace has the failures of its own solves besides.
  const OwnWorkspace w = workspace(s);
  b[4] = std::numeric_limits<double>::infinity();
  EXPECT_EQ(ECHELON_OK, echelon_solve_in(w.get(), b.data(), x.data()));
  EXPECT_EQ(Numbers{0}, failed(s));
  Numbers systems(3, -1);
  std::int64_t count = -1;
  EXPECT_EQ(ECHELON_OK, echelon_failed_in(w.get(), 1, systems.data(), &count));
  EXPECT_EQ(2, count);
  EXPECT_EQ((Numbers{0, -1, -1}), systems);
  EXPECT_EQ(ECHELON_OK, echelon_failed_in(w.get(), 3, systems.data(), &count));
  EXPECT_EQ((Numbers{0, 1, -1}), systems);
  EXPECT_EQ(ECHELON_OK, echelon_failed_in(w.get(), 0, nullptr, &count));
  EXPECT_EQ(2, count);
  EXPECT_EQ(ECHELON_ZERO_DIAGONAL, echelon_check_in(w.get()));

  EXPECT_EQ(ECHELON_OK, echelon_update_batch(s.get(), two_systems().data(), 7));
  EXPECT_EQ(ECHELON_OK, echelon_solve_in(w.get(), b_of_two.data(), x.data()));
  EXPECT_EQ(x_of_two, x);
  EXPECT_EQ(ECHELON_OK, echelon_check_in(w.get()));
  EXPECT_EQ(ECHELON_OK, echelon_failed_in(w.get(), 0, nullptr, &count));
  EXPECT_EQ(0, count);
}

TEST(CBatch, UpdatesHaveNoGapsUnlessTheySaySo) {
  const OwnSolver s = batch(lower_arrays().matrix(), two_systems());
  const Values dense = {4, 2, 4, 4, 6, 1, 1, 1, 1, 1};
  EXPECT_EQ(ECHELON_OK, echelon_update_batch(s.get(), dense.data(), 0));
  Values x(6);
  EXPECT_EQ(ECHELON_OK, echelon_solve(s.get(), b_of_two.data(), x.data()));
  EXPECT_EQ((Values{0.5, 1, 1, 1, 2, 2}), x);
}

// What is solved after a refused update would be the values of an unknown moment.
TEST(CBatch, ARefusedUpdateIsRepeated) {
  const OwnMatrix m = lower_arrays().matrix();
  const OwnSolver s = batch(m, two_systems());
  const Values values = two_systems();
  Values x(6);
  const auto refuse = [&](echelon_status status, const char* words) {
    expect_refused(ECHELON_BAD_ARGUMENT, status, words, s.get());
    expect_refused(ECHELON_BAD_ARGUMENT, echelon_solve(s.get(), b_of_two.data(), x.data()),
                   "the last update", s.get());
    EXPECT_EQ(ECHELON_OK, echelon_update_batch(s.get(), values.data(), 7));
    EXPECT_EQ(ECHELON_OK, echelon_solve(s.get(), b_of_two.data(), x.data()));
    EXPECT_EQ(x_of_two, x);
  };
  refuse(echelon_update_batch(s.get(), nullptr, 0), "values of the systems are NULL");
  refuse(echelon_update_batch(s.get(), values.data(), -7), "is negative");
  refuse(echelon_update_batch(s.get(), values.data(), 4), "4 values apart, but each has 5");
  refuse(echelon_update(s.get(), m.get()), "use echelon_update_batch");
  refuse(echelon_update_factors(s.get(), m.get(), m.get()), "a batch has no factors");
}

TEST(CBatch, RefusesWrongArguments) {
  const OwnMatrix m = lower_arrays().matrix();
  const Values values = two_systems();
  echelon_solver* s = nullptr;
  const auto refuse = [&](std::int64_t count, const double* v, std::int64_t stride,
                          const char* options, const char* words) {
    expect_refused(ECHELON_BAD_ARGUMENT,
                   echelon_create_batch(&s, m.get(), count, v, stride, options), words);
    EXPECT_EQ(nullptr, s);
  };
  refuse(-1, values.data(), 7, nullptr, "count is -1");
  refuse(std::int64_t{1} << 31, values.data(), 7, nullptr, "count is 2147483648");
  refuse(2, nullptr, 7, nullptr, "values of the systems are NULL");
  refuse(2, values.data(), -7, nullptr, "is negative");
  refuse(2, values.data(), 4, nullptr, "4 values apart, but each has 5");
  refuse(2, values.data(), 7, "batch.form=mixed", "mixed");
  refuse(2, values.data(), 7, "batch.width=-2", "width cannot be negative");
  refuse(2, values.data(), 7, "form=separate", "form");
  expect_refused(ECHELON_BAD_ARGUMENT,
                 echelon_create_batch(&s, nullptr, 2, values.data(), 7, nullptr), "is NULL");
  expect_refused(ECHELON_BAD_ARGUMENT,
                 echelon_create_batch(nullptr, m.get(), 2, values.data(), 7, nullptr),
                 "place for the new solver is NULL");
  const OwnSolver made = batch(m, values);
  std::int64_t count = 0;
  expect_refused(ECHELON_BAD_ARGUMENT, echelon_failed(made.get(), 0, nullptr, nullptr),
                 "number of failed systems is NULL");
  expect_refused(ECHELON_BAD_ARGUMENT, echelon_failed(made.get(), -1, nullptr, &count),
                 "fewer than no");
  expect_refused(ECHELON_BAD_ARGUMENT, echelon_failed(made.get(), 1, nullptr, &count),
                 "failed systems is NULL");
  expect_refused(ECHELON_BAD_ARGUMENT, echelon_failed_in(nullptr, 0, nullptr, &count), "is NULL");
  echelon_workspace* w = nullptr;
  expect_refused(ECHELON_BAD_ARGUMENT, echelon_create_workspace(&w, made.get(), "sweeps=2"),
                 "a batch has no sweeps");
}

TEST(CBatch, OtherSolversAreOfOneSystem) {
  const OwnSolver s = triangle(lower_arrays().matrix());
  std::int64_t count = 0;
  expect_refused(ECHELON_BAD_ARGUMENT, echelon_failed(s.get(), 0, nullptr, &count),
                 "a triangular solver is of one system: use echelon_check", s.get());
  expect_refused(ECHELON_BAD_ARGUMENT, echelon_update_batch(s.get(), two_systems().data(), 0),
                 "use echelon_update", s.get());
}

TEST(CBatch, AnEmptyBatchNeedsNoValues) {
  const OwnMatrix m = lower_arrays().matrix();
  echelon_solver* made = nullptr;
  ASSERT_EQ(ECHELON_OK, echelon_create_batch(&made, m.get(), 0, nullptr, 0, nullptr));
  const OwnSolver s(made);
  EXPECT_EQ(ECHELON_OK, echelon_solve(s.get(), nullptr, nullptr));
  EXPECT_EQ(Numbers(), failed(s));
}

TEST(CBatch, ItsReportHasItsFields) {
  const OwnSolver s = batch(lower_arrays().matrix(), two_systems(), "batch.form=interleaved");
  double number = -1;
  for (const auto& [name, value] : {std::pair{"n", 3}, {"nnz", 5}, {"count", 2}, {"refused", 0}}) {
    EXPECT_EQ(ECHELON_OK, echelon_report_number(s.get(), name, &number));
    EXPECT_EQ(value, number) << name;
  }
  const char* text = nullptr;
  EXPECT_EQ(ECHELON_OK, echelon_report_text(s.get(), "form", &text));
  EXPECT_STREQ("interleaved", text);
  EXPECT_EQ(ECHELON_OK, echelon_report(s.get(), &text));
  EXPECT_NE(std::string::npos, std::string(text).find("side by side"));
}

}  // namespace

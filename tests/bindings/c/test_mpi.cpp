// tests/bindings/c/test_mpi.cpp -- tests of solvers on MPI ranks behind C handles.
// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <optional>

#include "echelon_mpi.h"
#include "own.hpp"

using namespace echelon::test;

namespace {

using Values = std::vector<double>;

int rank_here() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}
int ranks_here() {
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  return ranks;
}

struct RankMatrix {  // on rank 0; null elsewhere
  std::optional<OwnMatrix> own;
  explicit RankMatrix(const ArraysOf<double>& a, const char* how = nullptr) {
    if (rank_here() == 0) own = a.matrix(how);
  }
  const echelon_matrix* get() const { return own ? own->get() : nullptr; }
};

OwnSolver on_ranks(const RankMatrix& a, const char* options = "") {
  const std::string all = "factor.order=natural," + std::string(options);  // exact without fill
  echelon_solver* s = nullptr;
  EXPECT_EQ(ECHELON_OK,
            echelon_create_mpi(&s, MPI_COMM_WORLD, ECHELON_DOUBLE, a.get(), "ic0", all.c_str()))
      << echelon_last_error(nullptr);
  return OwnSolver(s);
}

// The rows of this rank of b, of which x is all ones.
Values right_side(int n, int64_t begin, int64_t end) {
  Values b;
  for (int64_t i = begin; i < end; ++i) b.push_back(i == 0 || i == n - 1 ? 3 : 2);
  return b;
}

TEST(CRanks, SolveWithAMatrixOfRankZero) {
  for (const char* options : {"", "engine=two_sided", "ranks.vectors=ranges"}) {
    const RankMatrix a(chain_arrays(60));
    const OwnSolver s = on_ranks(a, options);
    int64_t begin = -1, end = -1;
    EXPECT_EQ(ECHELON_OK, echelon_mpi_rows(s.get(), &begin, &end));
    if (*options != 'r') {
      EXPECT_EQ(rank_here() == 0 ? 60 : 0, end - begin);
    }
    const Values b = right_side(60, begin, end);
    Values x(b.size());
    EXPECT_EQ(ECHELON_OK, echelon_solve(s.get(), b.data(), x.data())) << options;
    for (const double v : x) EXPECT_NEAR(1, v, 1e-14) << options;
  }
}

TEST(CRanks, UpdateAndReportTogether) {
  auto a = chain_arrays(30);
  const RankMatrix first(a);
  const OwnSolver s = on_ranks(first, "engine=two_sided");
  for (double& v : a.values) v *= 2;
  const RankMatrix second(a);
  EXPECT_EQ(ECHELON_OK, echelon_update(s.get(), second.get()));
  const Values b = rank_here() == 0 ? right_side(30, 0, 30) : Values();
  Values x(b.size());
  EXPECT_EQ(ECHELON_OK, echelon_solve(s.get(), b.data(), x.data()));
  for (const double v : x) EXPECT_NEAR(0.5, v, 1e-14);
  double ranks = 0, nonzeros = 0;
  const char* text = nullptr;
  EXPECT_EQ(ECHELON_OK, echelon_report_number(s.get(), "ranks", &ranks));
  EXPECT_EQ(ranks_here(), ranks);
  EXPECT_EQ(ECHELON_OK, echelon_report_number(s.get(), "nnz", &nonzeros));
  EXPECT_EQ(2 * (30 + 29), nonzeros);  // a tridiagonal matrix
  EXPECT_EQ(ECHELON_OK, echelon_report(s.get(), &text));
}

TEST(CRanks, SolveWithFactorsAndAWorkspace) {
  const RankMatrix l(lower_arrays()), u(lower_arrays(), "op=t");
  echelon_solver* made = nullptr;
  ASSERT_EQ(ECHELON_OK, echelon_create_mpi_factors(&made, MPI_COMM_WORLD, ECHELON_DOUBLE, l.get(),
                                                   u.get(), "engine=two_sided"));
  const OwnSolver s(made);
  const OwnWorkspace w = workspace(s, "part=lower,nrhs=2");
  Values x = rank_here() == 0 ? Values{2, 5, 10, 4, 10, 20} : Values();
  const Values expected = rank_here() == 0 ? Values{1, 2, 2, 2, 4, 4} : Values();
  EXPECT_EQ(ECHELON_OK, echelon_solve_in(w.get(), x.data(), x.data()));
  EXPECT_EQ(expected, x);
  EXPECT_EQ(ECHELON_OK, echelon_update_factors(s.get(), l.get(), u.get()));
  expect_refused(ECHELON_BAD_ARGUMENT, echelon_update(s.get(), l.get()),
                 "use echelon_update_factors", s.get());
}

// All ranks get the same status, text and row.
TEST(CRankFailures, AreTheSameOnAllRanks) {
  auto wrong = chain_arrays(5);
  for (auto& k : wrong.start) ++k;
  for (auto& k : wrong.index) ++k;
  wrong.values[3] = -4;
  const RankMatrix m(wrong, "base=1");
  echelon_solver* s = nullptr;
  const auto create = [&](const echelon_matrix* a, const char* package, const char* options,
                          echelon_status code, const char* words) {
    expect_refused(
        code, echelon_create_mpi(&s, MPI_COMM_WORLD, ECHELON_DOUBLE, a, package, options), words);
    EXPECT_EQ(nullptr, s);
  };
  create(m.get(), "ic0", "engine=two_sided", ECHELON_NOT_POSITIVE_DEFINITE, "row");
  int64_t row = echelon_last_error_row(nullptr), most = 0;
  MPI_Allreduce(&row, &most, 1, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
  EXPECT_EQ(most, row);
  EXPECT_GE(row, 1);
  create(nullptr, "ic0", nullptr, ECHELON_BAD_ARGUMENT, "the matrix of rank 0 is NULL");
  create(m.get(), nullptr, nullptr, ECHELON_BAD_ARGUMENT, "the package to factor with is NULL");
  create(m.get(), "ic0", "engin=two_sided", ECHELON_BAD_ARGUMENT, "engine");
  const RankMatrix fine(chain_arrays(5));
  create(fine.get(), "ic0", rank_here() == ranks_here() - 1 ? "engine=none" : nullptr,
         ECHELON_BAD_ARGUMENT, "none");
}

// One rank's wrong arguments must not leave the others waiting.
TEST(CRankFailures, OfOneRankEndAllCalls) {
  const RankMatrix m(chain_arrays(5));
  const bool last = rank_here() == ranks_here() - 1;
  echelon_solver* s = nullptr;
  expect_refused(ECHELON_BAD_ARGUMENT,
                 echelon_create_mpi(last ? nullptr : &s, MPI_COMM_WORLD, ECHELON_DOUBLE, m.get(),
                                    "ic0", nullptr),
                 "the place for the new solver is NULL");
  expect_refused(
      ECHELON_BAD_ARGUMENT,
      echelon_create_mpi(&s, MPI_COMM_WORLD, static_cast<echelon_type>(last ? 9 : ECHELON_DOUBLE),
                         m.get(), "ic0", nullptr),
      "there is no type 9");
  if (ranks_here() > 1) {
    expect_refused(ECHELON_BAD_ARGUMENT,
                   echelon_create_mpi(&s, MPI_COMM_WORLD, last ? ECHELON_FLOAT : ECHELON_DOUBLE,
                                      m.get(), "ic0", nullptr),
                   "the ranks give different types of values");
    const OwnMatrix mine = chain_arrays(5).matrix();
    expect_refused(
        ECHELON_BAD_ARGUMENT,
        echelon_create_mpi(&s, MPI_COMM_WORLD, ECHELON_DOUBLE, mine.get(), "ic0", nullptr),
        "only rank 0 gives a matrix");
  }
  expect_refused(ECHELON_BAD_ARGUMENT,
                 echelon_create_mpi(&s, MPI_COMM_NULL, ECHELON_DOUBLE, m.get(), "ic0", nullptr),
                 "MPI_COMM_NULL");
}

TEST(CRankFailures, NameWhatASolverDoesNotHave) {
  const RankMatrix m(chain_arrays(5));
  const OwnSolver s = on_ranks(m), t = triangle(lower_arrays().matrix());
  int64_t begin = 0, end = 0;
  expect_refused(ECHELON_BAD_ARGUMENT, echelon_mpi_rows(t.get(), &begin, &end), "has all rows");
  expect_refused(ECHELON_BAD_ARGUMENT, echelon_mpi_rows(s.get(), nullptr, &end), "is NULL");
  expect_refused(ECHELON_BAD_ARGUMENT, echelon_mpi_rows(nullptr, &begin, &end), "is NULL");
  echelon_workspace* w = nullptr;
  expect_refused(ECHELON_BAD_ARGUMENT, echelon_create_workspace(&w, s.get(), "threads=2"),
                 "a rank has one thread");
  expect_refused(ECHELON_BAD_ARGUMENT, echelon_create_workspace(&w, s.get(), "sweeps=2"),
                 "has no sweeps");
}

}  // namespace

// tests/direct/test_direct_solver_packages.cpp -- solves with the factors of every package.
// SPDX-License-Identifier: BSD-3-Clause
#include <sstream>

#include "direct_cases.hpp"
#include "echelon/residual.hpp"

namespace echelon {
namespace {

template <class T>
class PackageSolves : public testing::Test {};
TYPED_TEST_SUITE(PackageSolves, test::Scalars);

// Hermitian, with diagonal entries of both signs.
template <class T>
Csr<T> indefinite(Index n) {
  Csr<T> a = test::random_hermitian<T>(n, 3);
  for (Index i = 0; i < n; i += 3)
    for (Offset p = a.start[i]; p < a.start[i + 1]; ++p)
      if (a.index[p] == i) a.value[p] = -a.value[p];
  return a;
}

template <class T>
void expect_solved(const Csr<T>& a, const std::string& package, Method method) {
  const std::vector<T> b = test::random_vector<T>(static_cast<std::size_t>(a.rows));
  const DirectSolver<T> solver(factor_by_name<T>(package, a), test::direct_options(method));
  const std::vector<T> x = solver.solve(b);
  const BackwardErrors errors = find_backward_errors<T>(a, Vectors<const T>{b.data(), a.rows, 1},
                                                        Vectors<const T>{x.data(), a.rows, 1});
  EXPECT_LT(errors.normwise, 100) << package << ' ' << name(method);
}

TYPED_TEST(PackageSolves, AreAccurateByEveryWay) {
  using T = TypeParam;
  const Csr<T> general = test::random_to_pivot<T>(120, 4), symmetric = indefinite<T>(100);
  for (const Method method :
       {Method::automatic, Method::tree, Method::team, Method::serial, Method::superstep}) {
    for (const char* const package : {"umfpack", "klu", "superlu"})
      if (test::has_package(package)) expect_solved(general, package, method);
    if (!test::has_package("superlu")) continue;
    expect_solved(general, "automatic", method);
    expect_solved(symmetric, "automatic", method);
  }
}

TEST(PackageReports, TellWhyAFactorizationWasChosen) {
  if (!test::has_package("cholmod")) GTEST_SKIP() << "no CHOLMOD here";
  const DirectSolver<double> solver(factor_automatic(indefinite<double>(30)));
  EXPECT_NE(solver.report().factor_reason.find("LDL'"), std::string::npos);
  std::ostringstream text;
  text << solver;
  EXPECT_NE(text.str().find(solver.report().factor_reason), std::string::npos) << text.str();
}

}  // namespace
}  // namespace echelon

// tests/factor/test_packages.cpp -- factorizations and orderings by name.
// SPDX-License-Identifier: BSD-3-Clause
#include "dense_factors.hpp"
#include "echelon/generate.hpp"

namespace echelon {
namespace {

using test::refusal;

TEST(Orderings, HaveNamesThatAreReadBack) {
  for (const Ordering order : {Ordering::metis, Ordering::amd, Ordering::natural})
    EXPECT_EQ(parse_ordering(name(order)), order);
  const auto [code, text] = refusal([] { parse_ordering("colamd"); });
  EXPECT_EQ(code, ErrorCode::bad_argument);
  EXPECT_EQ(text, "there is no ordering 'colamd'; there are metis, amd, natural");
}

TEST(Packages, OfThisBuildAllFactor) {
  const auto a = generate<double>("laplace2d:8");
  for (const std::string& package : factor_packages()) {
    const Factors<double> f = factor_by_name<double>(package, a, {.order = Ordering::natural});
    EXPECT_EQ(f.package, package);
    EXPECT_EQ(f.n, 64);
    test::expect_well_formed(f);
  }
}

TEST(Packages, RefuseNumbersThatAreNotFinite) {
  auto a = test::picture<double>("4 1 .\n 1 4 1\n . 1 4");
  a.value[5] = std::numeric_limits<double>::quiet_NaN();
  for (const std::string& package : factor_packages()) {
    const auto [code, text] =
        refusal([&] { factor_by_name<double>(package, a, {.order = Ordering::natural}); });
    EXPECT_EQ(code, ErrorCode::not_finite);
    EXPECT_EQ(text, "the entry in row 2, column 1 is not finite");
  }
}

TEST(Packages, ThatAreMissingSayWhereToGetThem) {
  const auto a = test::picture<double>("4");
  for (const char* const package : {"cholmod", "superlu", "superlu_ilu"}) {
    if (test::has_package(package)) continue;
    const auto [code, text] = refusal([&] { factor_by_name<double>(package, a); });
    EXPECT_EQ(code, ErrorCode::backend_missing);
    EXPECT_NE(text.find("Debian: lib"), std::string::npos) << text;
  }
}

TEST(Packages, OfAnUnknownNameAreRefused) {
  const auto [code, text] =
      refusal([] { factor_by_name<double>("mumps", test::picture<double>("4")); });
  EXPECT_EQ(code, ErrorCode::bad_argument);
  EXPECT_NE(text.find("'mumps'"), std::string::npos);
  EXPECT_NE(text.find("superlu_ilu"), std::string::npos);
}

}  // namespace
}  // namespace echelon

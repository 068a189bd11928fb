// tests/factor/test_choose_lu.cpp -- which package factors which pattern.
// SPDX-License-Identifier: BSD-3-Clause
#include "dense_factors.hpp"
#include "echelon/generate.hpp"
#include "factor/choose_lu.hpp"

namespace echelon {
namespace {

LuChoice choice_of(const Csr<double>& a) { return choose_lu(MatrixView<double>(a)); }

TEST(LuChoices, DependOnWorkSymmetryAndTheDiagonal) {
  for (const char* const package : {"klu", "superlu", "umfpack"})
    if (!test::has_package(package)) GTEST_SKIP() << "no " << package << " here";
  const LuChoice chain = choice_of(generate<double>("laplace2d:300x1"));
  EXPECT_EQ(chain.packages, (std::vector<std::string>{"klu", "umfpack", "superlu"}));
  EXPECT_EQ(chain.reason.find("klu: symmetric pattern, "), 0U) << chain.reason;
  EXPECT_EQ(choice_of(generate<double>("laplace3d:12")).packages,
            (std::vector<std::string>{"umfpack", "superlu", "klu"}));
  const LuChoice unsymmetric = choice_of(test::picture<double>("4 1 .\n . 4 1\n 1 . 4"));
  EXPECT_EQ(unsymmetric.reason.find("umfpack: unsymmetric pattern, "), 0U) << unsymmetric.reason;
  const LuChoice zeros = choice_of(test::picture<double>("1 2 .\n 2 0 3\n . 3 ."));
  EXPECT_EQ(zeros.reason.find("umfpack: zeros on the diagonal, "), 0U) << zeros.reason;
}

TEST(LuChoices, ListOnlyWhatIsInstalled) {
  for (const std::string& package : choice_of(generate<double>("laplace2d:9")).packages)
    EXPECT_TRUE(test::has_package(package)) << package;
}

TEST(LuChoices, TryKluTooIfItPromisesFarLess) {
  LuChoice choice;
  choice.forecast = {true, 100, 2000, 1};
  EXPECT_TRUE(choice.promises_less(201));
  EXPECT_FALSE(choice.promises_less(200));
  choice.forecast.flops = 3e5;
  EXPECT_FALSE(choice.promises_less(201));
  choice.forecast = {};
  EXPECT_FALSE(choice.promises_less(1000));
}

TEST(LuForecasts, CountBlocksAndEntries) {
  if (!test::has_package("klu")) GTEST_SKIP() << "no KLU here";
  const auto a = test::picture<double>(R"( x x . x
                                           x x . .
                                           . . x x
                                           . . x x )");
  const LuForecast forecast = forecast_lu(a.pattern());
  EXPECT_TRUE(forecast.known);
  EXPECT_EQ(forecast.blocks, 2);
  EXPECT_EQ(forecast.entries, 12);  // L and U of both blocks, with both diagonals
  EXPECT_GT(forecast.flops, 0);
  EXPECT_FALSE(forecast_lu(Csr<double>{}.pattern()).known);
  EXPECT_FALSE(forecast_lu(test::picture<double>("x x\n . .").pattern()).known);
}

}  // namespace
}  // namespace echelon

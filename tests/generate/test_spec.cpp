// tests/generate/test_spec.cpp -- recipes: valid ones, and the error texts of invalid ones.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "echelon/generate.hpp"
#include "generate/spec.hpp"

namespace echelon {
namespace {

using Nodes = std::array<Index, 3>;

TEST(Spec, SizesAreReadInTheOrderOfTheDirections) {
  EXPECT_EQ(read_spec("laplace3d:4x5x6:27").nodes, (Nodes{4, 5, 6}));
  EXPECT_EQ(read_spec("laplace2d:4x5").nodes, (Nodes{4, 5, 1}));
  EXPECT_EQ(read_spec("elasticity2d:4x5").nodes, (Nodes{4, 5, 1}));
  EXPECT_EQ(read_spec("dense:7").nodes, (Nodes{7, 1, 1}));
}

TEST(Spec, OneSizeStandsForAllDirections) {
  EXPECT_EQ(read_spec("laplace3d:4").nodes, (Nodes{4, 4, 4}));
  EXPECT_EQ(read_spec("laplace2d:4:9").nodes, (Nodes{4, 4, 1}));
}

TEST(Spec, ElementsOf3dElasticityHaveOneNodeMore) {
  EXPECT_EQ(read_spec("elasticity3d:20").nodes, (Nodes{21, 21, 21}));
  EXPECT_EQ(read_spec("elasticity3d:1x2x3").nodes, (Nodes{2, 3, 4}));
}

TEST(Spec, WhatIsLeftOutHasADefault) {
  EXPECT_EQ(read_spec("laplace2d:4x5").points, 5);
  EXPECT_EQ(read_spec("laplace3d:4x5x6").points, 7);
  EXPECT_EQ(read_spec("random:10").per_row, 8);
  EXPECT_EQ(read_spec("random:10").seed, 1U);
  EXPECT_EQ(read_spec("random:10:3").per_row, 3);
  EXPECT_EQ(read_spec("random:10:3:18446744073709551615").seed, ~std::uint64_t{0});
}

// The whole error text, or "" if there is none.
std::string refusal(const std::string& spec) {
  try {
    read_spec(spec);
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::bad_argument);
    return e.what();
  }
  return "";
}

struct Refused {
  const char* spec;
  const char* reason;
};

class Refusals : public testing::TestWithParam<Refused> {};

TEST_P(Refusals, NameWhatIsWrongAndListTheRecipes) {
  const std::string text = refusal(GetParam().spec);
  EXPECT_NE(text.find("recipe '" + std::string(GetParam().spec) + "': "), text.npos) << text;
  EXPECT_NE(text.find(GetParam().reason), text.npos) << text;
  for (const char* name : {"elasticity3d:E", "elasticity2d:", "laplace2d:", "laplace3d:",
                           "bidiagonal:N", "dense:N", "random:N"})
    EXPECT_NE(text.find(name), text.npos) << text;
}

INSTANTIATE_TEST_SUITE_P(
    Spec, Refusals,
    testing::Values(
        Refused{"", "there is no recipe ''"}, Refused{"laplac2d:4x4", "no recipe 'laplac2d'"},
        Refused{"Dense:4", "no recipe 'Dense'"}, Refused{"dense", "the size is missing"},
        Refused{"dense:", "size '' is not a whole number from 1 to 2147483647"},
        Refused{"dense:0", "size '0' is not"}, Refused{"dense:-3", "size '-3' is not"},
        Refused{"dense:4.5", "size '4.5' is not"}, Refused{"dense: 4", "size ' 4' is not"},
        Refused{"dense:2147483648", "size '2147483648' is not"},
        Refused{"dense:99999999999999999999", "size '99999999999999999999' is not"},
        Refused{"dense:4x4", "'4x4' has 2 sizes, not 1;"},
        Refused{"dense:4:4", "'4' is one field too many"},
        Refused{"laplace3d:4x4", "'4x4' has 2 sizes, not 1 or 3"},
        Refused{"laplace2d:4x4x4", "'4x4x4' has 3 sizes, not 1 or 2"},
        Refused{"laplace2d:4x", "size '' is not"},
        Refused{"laplace2d:4x4:7", "5 or 9 points, not '7'"},
        Refused{"laplace3d:4:9", "7 or 27 points, not '9'"},
        Refused{"laplace2d:4x4:", "5 or 9 points, not ''"},
        Refused{"laplace2d:4x4:5:1", "'1' is one field too many"},
        Refused{"elasticity3d:4x4", "'4x4' has 2 sizes, not 1 or 3"},
        Refused{"elasticity2d:1x5", "at least 2 nodes a direction"},
        Refused{"random:9:-1", "number of entries per row '-1' is not"},
        Refused{"random:9:2:seed", "seed 'seed' is not"},
        Refused{"random:9:2:-1", "seed '-1' is not"},
        Refused{"laplace2d:65536x32768", "more than 2147483647 rows"},
        Refused{"elasticity3d:1000", "more than 2147483647 rows"},
        Refused{"elasticity3d:2147483647x1x1", "too many nodes"},
        Refused{"elasticity3d:500", "more than 8589934592 entries"},
        Refused{"dense:100000", "more than 8589934592 entries"},
        Refused{"random:1000000:100000", "more than 8589934592 entries"}));

TEST(Spec, TheLargestSizesThatFitAreRead) {
  EXPECT_EQ(refusal("bidiagonal:2147483647"), "");
  EXPECT_EQ(refusal("laplace2d:32768x32768:5"), "");
  EXPECT_EQ(refusal("dense:92681"), "");
  EXPECT_EQ(refusal("random:5:2147483647"), "");
}

TEST(Spec, LooksLikeARecipeOrAFile) {
  for (const char* text : {"dense:4", "dense", "laplace2d:4x4:5", "random:x",
                           "elasticity3d:", "laplac2d:4x4:9", "poisson:20"})
    EXPECT_TRUE(is_spec(text)) << text;
  for (const char* text : {"", ":", ":4", "lower.mtx", "dense.mtx", "data/dense:4", "a:b.mtx",
                           "some:", "C:/l.mtx", "20x20"})
    EXPECT_FALSE(is_spec(text)) << text;
}

TEST(Spec, HelpHasOneLineARecipe) {
  const std::string help = spec_help();
  EXPECT_EQ(std::count(help.begin(), help.end(), '\n'), 7);
  EXPECT_NE(help.find("laplace3d:NXxNYxNZ[:7|27]"), help.npos);
  EXPECT_EQ(help.back(), '\n');
}

}  // namespace
}  // namespace echelon

// tests/base/test_names.cpp -- tables of names: every value has one, which is read back.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "echelon/factor_file.hpp"
#include "echelon/io.hpp"
#include "echelon/ranks.hpp"
#include "echelon/smoother.hpp"
#include "echelon/tools/forecast.hpp"
#include "support/enum_names.hpp"

namespace echelon {
namespace {

template <class Enum>
class Names : public testing::Test {};

using Enums = testing::Types<Uplo, Op, Backend, VectorUnit, Sweep, Layout, ErrorCode, Method,
                             Direction, Field, Symmetry, Mapping, TreeShape, ScalarKind, Doing,
                             Placement, Ordering, Limit, MachineKind, SweepForm>;
TYPED_TEST_SUITE(Names, Enums);

TYPED_TEST(Names, AreThereForEveryValueAndReadBack) { test::expect_names<TypeParam>(); }

TEST(NamesOfAnEnum, AreJoined) {
  EXPECT_EQ(join_names({}), "");
  EXPECT_EQ(join_names({"a"}), "a");
  EXPECT_EQ(join_names({"a", "b"}), "a or b");
  EXPECT_EQ(join_names({"a", "b", "c"}), "a, b or c");
}

TEST(NamesOfAnEnum, OfALongListAreSuggested) {
  const auto [code, text] = test::refusal([] { parse<Method>("method", "suprstep"); });
  EXPECT_EQ(code, ErrorCode::bad_argument);
  EXPECT_TRUE(text.ends_with("not 'suprstep'; did you mean superstep?")) << text;
}

TEST(NamesOfAnEnum, AreThoseOfThePapersToo) {
  EXPECT_EQ(parse<Method>("method", "LEVR"), Method::level_row);
  EXPECT_EQ(parse<Method>("method", "ELMC"), Method::element_column);
  EXPECT_EQ(parse<Method>("method", "default"), Method::plain);
  EXPECT_THROW(parse<Method>("method", ""), Error);
}

}  // namespace
}  // namespace echelon

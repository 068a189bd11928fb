// tests/draw/test_timeline.cpp -- lanes of ranks: spans at their places, and shares of short ones.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "echelon/error.hpp"
#include "read_picture.hpp"
#include "support/refusal.hpp"

namespace echelon::test {
namespace {

const Color product = color_of(0), sum = color_of(2), send = color_of(1);
double width(const Canvas::Shape& s) { return s.point[1].x - s.point[0].x; }
double height(const Canvas::Shape& s) { return s.point[1].y - s.point[0].y; }

TEST(Timelines, HaveALaneForEachRank) {
  const Timeline t{{0, Doing::product, 3, 0, 1e-3},
                   {0, Doing::wait, -1, 1e-3, 3e-3},
                   {0, Doing::sum, 4, 3e-3, 4e-3},
                   {2, Doing::product, 5, 2e-3, 4e-3}};
  const Canvas c = draw_timeline(t, "a pass");
  const auto products = rectangles(c, product), sums = rectangles(c, sum);
  ASSERT_EQ(products.size(), 3U);  // one in the legend
  ASSERT_EQ(sums.size(), 2U);
  EXPECT_NEAR(width(products[2]), 2 * width(products[1]), 1.5);
  EXPECT_NEAR(sums[1].point[0].x, products[1].point[0].x + 3 * width(products[1]), 1.5);
  EXPECT_EQ(sums[1].point[1].y, products[1].point[1].y);
  EXPECT_GT(products[2].point[0].y,
            products[1].point[1].y + height(products[1]));  // a lane between
  for (const char* text :
       {"a pass", "rank 0", "rank 1", "rank 2", "milliseconds", "product", "receive"})
    EXPECT_TRUE(says(c, text)) << text;
  EXPECT_FALSE(says(c, "wait"));
}

TEST(Timelines, ShowSharesOfSpansShorterThanAPixel) {
  Timeline t;
  for (int k = 0; k < 100000; ++k)  // half the time sends, a quarter products, a quarter nothing
    t.push_back({0, Doing::send, k, k * 4e-6, k * 4e-6 + 2e-6}),
        t.push_back({0, Doing::product, k, k * 4e-6 + 2e-6, k * 4e-6 + 3e-6});
  const Canvas c = draw_timeline(t);
  EXPECT_LT(c.shapes().size(), 3000U);
  double sends = 0, products = 0;
  for (const auto& s : rectangles(c, send)) sends += width(s) * height(s);
  for (const auto& s : rectangles(c, product)) products += width(s) * height(s);
  EXPECT_NEAR(sends / products, 2, 0.3);  // in whole pixels
}

TEST(Timelines, OfManyRanksStayWithinBounds) {
  Timeline t;
  for (Index r = 0; r < 500; ++r)
    for (int k = 0; k < 200; ++k)
      t.push_back({r, static_cast<Doing>((r + k) % 5), k, k * 1e-5, (k + 1) * 1e-5});
  const Canvas c = draw_timeline(t);
  EXPECT_LT(c.shapes().size(), 250000U);
  EXPECT_NO_THROW(read_elements(c.svg()));
}

TEST(Timelines, RefuseSpansThatRunBackwards) {
  EXPECT_EQ(refusal([] {
              draw_timeline({{0, Doing::sum, 0, 2, 1}});
            }).code,
            ErrorCode::bad_argument);
  EXPECT_EQ(refusal([] {
              draw_timeline({{-1, Doing::sum, 0, 0, 1}});
            }).code,
            ErrorCode::bad_argument);
  EXPECT_NO_THROW(draw_timeline({}));
}

}  // namespace
}  // namespace echelon::test

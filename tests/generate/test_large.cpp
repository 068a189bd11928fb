// tests/generate/test_large.cpp -- the papers' large problems have the papers' counts.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <string>

#include "echelon/generate.hpp"
#include "generate/counts.hpp"

namespace echelon {
namespace {

struct Published {
  const char* spec;
  Index n;
  Offset nonzeros;  // of both triangles
  Index levels;     // of the lower triangle
};

class Large : public testing::TestWithParam<Published> {};

TEST_P(Large, HasThePublishedCounts) {
  const auto& wanted = GetParam();
  const auto a = generate<float>(wanted.spec);
  EXPECT_EQ(a.rows, wanted.n);
  EXPECT_EQ(a.nonzeros(), wanted.nonzeros);
  EXPECT_EQ(test::lower_entries(a), (wanted.nonzeros + wanted.n) / 2);
  EXPECT_EQ(test::lower_levels(a), wanted.levels);
  EXPECT_TRUE(test::rows_rise(a));
}

INSTANTIATE_TEST_SUITE_P(
    Papers, Large,
    testing::Values(Published{"elasticity3d:69x69x69", 1029000, 80990208, 2904 / 2},
                    Published{"elasticity2d:708x708", 1002528, 14012744, 5660 / 2},
                    Published{"laplace3d:148x148x58:7", 1270432, 8814880, 704 / 2},
                    Published{"laplace2d:2048x2048:5", 4194304, 2 * 12578816 - 4194304, 4095},
                    Published{"laplace2d:2048x2048:9", 4194304, 6142 * 6142, 6142},
                    Published{"laplace3d:128x128x128:27", 2097152, 382 * 382 * 382, 890},
                    Published{"laplace3d:32x32x2048:27", 2097152, 94 * 94 * 6142, 8282}));

}  // namespace
}  // namespace echelon

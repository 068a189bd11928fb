// tests/base/test_shared_library.cpp -- loads other libraries at run time, installed or not.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "echelon/shared_library.hpp"
#include "support/refusal.hpp"

namespace echelon {
namespace {

using test::refusal;

TEST(SharedLibraries, GiveTheirFunctions) {
  const SharedLibrary library("this test needs C", {"libnowhere.so", "libc.so.6"});
  EXPECT_EQ(library.find<int(int)>("abs")(-3), 3);
}

TEST(SharedLibraries, SayWhatIsMissing) {
  const auto none = refusal([] {
    SharedLibrary("the moon is needed", {"libmoon.so.2", "libmoon.so"});
  });
  EXPECT_EQ(none.code, ErrorCode::backend_missing);
  EXPECT_EQ(none.text, "the moon is needed, and no libmoon.so was found");
  const SharedLibrary library("this test needs C", {"libc.so.6"});
  const auto function = refusal([&] { library.find<void()>("echelon_of_the_moon"); });
  EXPECT_EQ(function.code, ErrorCode::backend_missing);
  EXPECT_EQ(function.text, "libc.so.6 has no echelon_of_the_moon");
}

}  // namespace
}  // namespace echelon

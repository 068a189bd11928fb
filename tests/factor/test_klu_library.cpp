// tests/factor/test_klu_library.cpp -- KLU is loaded at run time, or said to be missing.
// SPDX-License-Identifier: BSD-3-Clause
#ifdef ECHELON_WITH_KLU
#include <gtest/gtest.h>

#include "factor/klu_library.hpp"
#include "support/refusal.hpp"

namespace echelon {
namespace {

using test::refusal;

TEST(KluLibraries, AreLoadedOnce) {
  EXPECT_EQ(&klu_library(), &klu_library());
  EXPECT_NE(klu_library().defaults, nullptr);
}

TEST(KluLibraries, SayWhatToInstallWhenMissing) {
  const auto none = refusal([] { load_klu_library({"libklu.so.999"}); });
  EXPECT_EQ(none.code, ErrorCode::backend_missing);
  EXPECT_EQ(none.text,
            "factorization 'klu' needs KLU (Debian: libsuitesparse-dev), and no "
            "libklu.so.999 was found");
}

TEST(KluLibraries, RefuseAnotherLibrary) {
  const auto other = refusal([] { load_klu_library({"libc.so.6"}); });
  EXPECT_EQ(other.code, ErrorCode::backend_missing);
  EXPECT_EQ(other.text, "libc.so.6 has no klu_defaults");
}

}  // namespace
}  // namespace echelon
#endif

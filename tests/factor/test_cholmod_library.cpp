// tests/factor/test_cholmod_library.cpp -- CHOLMOD is loaded at run time, or said to be missing.
// SPDX-License-Identifier: BSD-3-Clause
#ifdef ECHELON_WITH_CHOLMOD
#include <gtest/gtest.h>

#include "factor/cholmod_library.hpp"
#include "support/refusal.hpp"

namespace echelon {
namespace {

using test::refusal;

TEST(CholmodLibraries, GiveWorkingFunctions) {
  const CholmodLibrary& cholmod = cholmod_library();
  cholmod_common common;
  EXPECT_EQ(cholmod.start(&common), 1);
  EXPECT_EQ(common.status, CHOLMOD_OK);
  EXPECT_EQ(cholmod.finish(&common), 1);
  EXPECT_EQ(&cholmod_library(), &cholmod) << "it is loaded once";
}

TEST(CholmodLibraries, SayWhatToInstallWhenMissing) {
  const auto none = refusal([] { load_cholmod_library({"libcholmod.so.999"}); });
  EXPECT_EQ(none.code, ErrorCode::backend_missing);
  EXPECT_EQ(none.text,
            "factorization 'cholmod' needs CHOLMOD (Debian: libsuitesparse-dev), and no "
            "libcholmod.so.999 was found");
}

TEST(CholmodLibraries, RefuseAnotherLibrary) {
  const auto other = refusal([] { load_cholmod_library({"libc.so.6"}); });
  EXPECT_EQ(other.code, ErrorCode::backend_missing);
  EXPECT_EQ(other.text, "libc.so.6 has no cholmod_version");
}

}  // namespace
}  // namespace echelon
#endif

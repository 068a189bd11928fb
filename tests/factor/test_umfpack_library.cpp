// tests/factor/test_umfpack_library.cpp -- UMFPACK is loaded at run time, or said to be missing.
// SPDX-License-Identifier: BSD-3-Clause
#ifdef ECHELON_WITH_UMFPACK
#include <gtest/gtest.h>

#include "factor/umfpack_library.hpp"
#include "support/refusal.hpp"

namespace echelon {
namespace {

using test::refusal;

TEST(UmfpackLibraries, AreLoadedOnce) {
  EXPECT_EQ(&umfpack_library(), &umfpack_library());
  EXPECT_NE(umfpack_library().defaults, nullptr);
}

TEST(UmfpackLibraries, SayWhatToInstallWhenMissing) {
  const auto none = refusal([] { load_umfpack_library({"libumfpack.so.999"}); });
  EXPECT_EQ(none.code, ErrorCode::backend_missing);
  EXPECT_EQ(none.text,
            "factorization 'umfpack' needs UMFPACK (Debian: libsuitesparse-dev), and no "
            "libumfpack.so.999 was found");
}

TEST(UmfpackLibraries, RefuseAnotherLibrary) {
  const auto other = refusal([] { load_umfpack_library({"libc.so.6"}); });
  EXPECT_EQ(other.code, ErrorCode::backend_missing);
  EXPECT_EQ(other.text, "libc.so.6 has no umfpack_di_defaults");
}

}  // namespace
}  // namespace echelon
#endif

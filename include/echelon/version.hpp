// echelon/version.hpp -- the version of the library.  CMake reads it from here.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#define ECHELON_VERSION_MAJOR 0
#define ECHELON_VERSION_MINOR 2
#define ECHELON_VERSION_PATCH 0

// The same as text, "major.minor.patch".
#define ECHELON_VERSION_TEXT(major, minor, patch) #major "." #minor "." #patch
#define ECHELON_VERSION_EXPAND(major, minor, patch) ECHELON_VERSION_TEXT(major, minor, patch)
#define ECHELON_VERSION \
  ECHELON_VERSION_EXPAND(ECHELON_VERSION_MAJOR, ECHELON_VERSION_MINOR, ECHELON_VERSION_PATCH)

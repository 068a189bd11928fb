// tests/cli/expect_failure.hpp -- checks a command that must fail.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include "run_program.hpp"

namespace echelon::test {

// Exit status 1, one line on standard error that contains `part`, nothing on standard output.
inline void expect_failure(const std::vector<std::string>& arguments, const std::string& part) {
  const Outcome r = run_program(arguments);
  EXPECT_EQ(r.status, 1) << r.err;
  EXPECT_EQ(r.out, "");
  EXPECT_EQ(count_lines(r.err), 1) << r.err;
  EXPECT_EQ(r.err.rfind("echelon: ", 0), 0U) << r.err;
  EXPECT_NE(r.err.find(part), std::string::npos) << "'" << part << "' in: " << r.err;
}

}  // namespace echelon::test

// tests/solver/test_report.cpp -- the text of a printed solver.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <sstream>

#include "echelon/generate.hpp"
#include "echelon/solver.hpp"

namespace echelon {
namespace {

TEST(Report, ShowsThePlan) {
  const auto a = generate<double>("laplace2d:30x40:5");
  Options o;
  o.method = Method::superstep;
  o.cpu.threads = 2;
  std::ostringstream text;
  text << Solver<double>(lower(a, {.outside = OutsideEntries::ignore}), o);
  for (const char* part : {"unknowns              1200\n", "levels                69\n",
                           "superstep: it was asked for", "supersteps", "threads               2\n",
                           "average parallelism   17.39 unknowns per level", "kB read by a solve"})
    EXPECT_NE(text.str().find(part), std::string::npos) << part << "\nin\n" << text.str();
}

TEST(Report, CountsTheBytesASolveReads) {
  const auto a = generate<double>("bidiagonal:1000");
  const Solver<double> solver(lower(a));
  // 999 entries of 12 bytes; order, start and diagonal, 16 bytes per unknown; the end and the base
  // of the starts.
  EXPECT_EQ(solver.report().bytes, 999 * 12 + 1000 * 16 + 4 + 8);
}

}  // namespace
}  // namespace echelon

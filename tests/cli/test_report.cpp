// tests/cli/test_report.cpp -- echelon inspect --report and --pictures: the files written, and
// errors of writing.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <set>

#include "expect_failure.hpp"

using namespace echelon::test;

namespace {

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++found;
  return found;
}

std::set<std::string> names_in(const std::string& folder) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    names.insert(entry.path().filename().string());
  return names;
}

void expect_alone(const std::string& page) {
  EXPECT_EQ(page.rfind("<!DOCTYPE html>", 0), 0U);
  for (const char* part : {"http:", "https:", "src=", "href=", "<script"})
    EXPECT_EQ(count(page, part), 0U) << part;
}

}  // namespace

TEST(Report, ShowsWhatInspectPrintsAndDrawsIt) {
  const TestFolder folder;
  const Outcome plain = run_well("inspect laplace2d:20x30:5 --threads 1");
  const Outcome r = run_well("inspect laplace2d:20x30:5 --threads 1 --report " +
                             folder.path("page.html") + " --pictures " + folder.path(""));
  EXPECT_EQ(count_lines(r.out), count_lines(plain.out));
  const std::string page = read_text(folder.path("page.html"));
  expect_alone(page);
  EXPECT_NE(page.find("<h1>echelon inspect laplace2d:20x30:5</h1>"), std::string::npos);
  EXPECT_NE(page.find("<tr><td>nonzeros</td><td>1,750</td><td>1,750</td></tr>"), std::string::npos);
  EXPECT_NE(page.find("<tr><td>rows</td><td>600</td></tr>"), std::string::npos);
  EXPECT_EQ(count(page, "<svg"), 2U);  // blocks and levels of one pattern
  EXPECT_EQ(names_in(folder.path("")),
            (std::set<std::string>{"lower_blocks.png", "lower_blocks.svg", "lower_levels.png",
                                   "lower_levels.svg", "page.html"}));
  EXPECT_EQ(read_text(folder.path("lower_blocks.png")).rfind("\x89PNG", 0), 0U);
}

TEST(Report, DrawsBothTrianglesWhereTheyDiffer) {
  const TestFolder folder;
  run_well("inspect random:50:3 --report " + folder.path("page.html"));
  EXPECT_EQ(count(read_text(folder.path("page.html")), "<svg"), 4U);
}

TEST(Report, HasTheCriticalPathOfSupernodes) {
  const TestFolder folder;
  run_well("inspect dense:16 --part lower --supernodes --json --report " +
           folder.path("page.html"));
  const std::string page = read_text(folder.path("page.html"));
  expect_alone(page);
  // One supernode: one block, one level, on any number of ranks.
  EXPECT_EQ(count(page, ": 1 levels of blocks"), 2U);
  EXPECT_EQ(count(page, "1 blocks are on it, 1 of them diagonal, with 0 messages"), 2U);
}

TEST(Report, OfFactorsHasPicturesOfLAndU) {
  const TestFolder folder;
  const Outcome r = run_program({"inspect", "elasticity3d:3", "--factor", "superlu", "--pictures",
                                 folder.path(""), "--report", folder.path("page.html")});
  if (r.err.find("superlu") != std::string::npos && r.status == 1) GTEST_SKIP() << r.err;
  ASSERT_EQ(r.status, 0) << r.err;
  EXPECT_EQ(names_in(folder.path("")).size(),
            21U);  // 2 triangles with 4 each, 2 of both, twice; the page
  const std::string page = read_text(folder.path("page.html"));
  EXPECT_EQ(count(page, "<svg"), 10U);
  EXPECT_NE(page.find("on 16 ranks, 4x4"), std::string::npos);
  EXPECT_NE(page.find("amalgamated"), std::string::npos);
}

TEST(Report, OfFactorsHasForecasts) {
  const TestFolder folder;
  const std::string page = folder.path("r.html");
  run_well("inspect elasticity3d:5 --part full --report " + page);
  EXPECT_NE(read_text(page).find("Forecasts for Cori Haswell"), std::string::npos);
  run_well("inspect elasticity3d:5 --part full --machine cori-knl --report " + page);
  EXPECT_NE(read_text(page).find("Forecasts for Cori KNL"), std::string::npos);
  EXPECT_NE(read_text(page).find("fastest: "), std::string::npos);
  const Outcome r = run_program(
      {"inspect", "elasticity3d:5", "--part", "full", "--machine", "h200", "--report", page});
  EXPECT_EQ(r.status, 2) << r.err;
}

TEST(Report, IsRefusedWhereItCannotBeWritten) {
  const TestFolder folder;
  expect_failure({"inspect", "dense:5", "--report", folder.path("no/page.html")}, "no/page.html");
  expect_failure({"inspect", "dense:5", "--pictures", folder.path("no")}, "no such folder");
  expect_failure({"inspect", "bidiagonal:5", "--supernodes", "--report", "/dev/full"}, "/dev/full");
  expect_failure({"inspect", "bidiagonal:5", "--supernodes", "--pictures", folder.path("no")},
                 "no such folder");
}

// In a real browser, if there is one.
TEST(Report, IsShownByABrowser) {
  if (std::system("command -v chromium >/dev/null 2>&1") != 0)
    GTEST_SKIP() << "no chromium on this machine: the page was not looked at";
  const TestFolder folder;
  run_well("inspect laplace2d:9x9:5 --report " + folder.path("page.html"));
  const std::string shown = folder.path("shown.html");
  const std::string command =
      "HOME=" + folder.path("") +
      " timeout 60 chromium --headless --no-sandbox --disable-gpu --dump-dom file://" +
      folder.path("page.html") + " >" + shown + " 2>/dev/null";
  ASSERT_EQ(std::system(command.c_str()), 0);
  const std::string page = read_text(shown);  // as parsed by the browser
  EXPECT_EQ(count(page, "<figure>"), 2U);
  EXPECT_EQ(count(page, "</svg>"), 2U);
  EXPECT_EQ(count(page, "</figcaption>"), 2U);
}

// tests/io/test_read.cpp -- the read functions: threads, progress, memory, and reading by name.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <random>
#include <stdexcept>

#include "io/temp_files.hpp"

namespace echelon::test {
namespace {

// Several chunks of text: entries in random order, some duplicate, some blank lines.
std::string large_file(const std::string& symmetry, bool blank_lines) {
  std::mt19937 random(3);
  const Index n = 5000;
  const int entries = 80000;
  std::string text = "%%MatrixMarket matrix coordinate real " + symmetry + "\n" +
                     std::to_string(n) + " " + std::to_string(n) + " " + std::to_string(entries) +
                     "\n";
  for (int k = 0; k < entries; ++k) {
    auto i = static_cast<Index>(random() % n);
    auto j = static_cast<Index>(random() % (k % 3 == 0 ? 20 : n));
    if (symmetry != "general" && i < j) std::swap(i, j);
    text += std::to_string(i + 1) + " " + std::to_string(j + 1) + " 0." + std::to_string(random()) +
            "\n";
    if (blank_lines && k % 1000 == 0) text += k % 2000 == 0 ? "\n" : "% comment\n";
  }
  return text;
}

TEST(Read, TheNumberOfThreadsDoesNotChangeABit) {
  const TempFolder folder;
  for (const std::string symmetry : {"general", "symmetric"}) {
    for (const bool blank_lines : {false, true}) {
      const auto path = folder.write("a.mtx", large_file(symmetry, blank_lines));
      const auto one = read_matrix<double>(path, {.threads = 1});
      check_pattern(one.pattern());
      for (const Index threads : {2, 3, 7})
        expect_same(read_matrix<double>(path, {.threads = threads}), one);
    }
  }
}

TEST(Read, TheFirstWrongLineIsNamedWhateverTheNumberOfThreads) {
  const TempFolder folder;
  std::string text = large_file("general", false);
  for (const std::size_t at : {1500000u, 1100000u, 600000u}) text[text.find('.', at)] = 'x';
  const auto line = 1 + std::count(text.begin(), text.begin() + text.find('x', 1000), '\n');
  const auto path = folder.write("a.mtx", text);
  for (const Index threads : {1, 2, 5})
    EXPECT_TRUE(refusal(ErrorCode::bad_file, folder.path(), [&] {
                  read_matrix<double>(path, {.threads = threads});
                }).starts_with("a.mtx:" + std::to_string(line) + ": expected a number, found '0x"));
}

TEST(Read, ProgressRisesToOneInAFewHundredSteps) {
  const TempFolder folder;
  for (const auto& path : {folder.write("a", large_file("general", false)),
                           folder.write("b", gzip(large_file("general", false)))}) {
    std::vector<double> steps;
    read_matrix<double>(path, {.threads = 2, .progress = [&](double f) { steps.push_back(f); }});
    EXPECT_GE(steps.size(), 3u);
    EXPECT_LE(steps.size(), 300u);
    EXPECT_TRUE(std::is_sorted(steps.begin(), steps.end()));
    EXPECT_GE(steps.front(), 0);
    EXPECT_EQ(steps.back(), 1);
  }
}

TEST(Read, ProgressMayThrowToStop) {
  const TempFolder folder;
  const auto path = folder.write("a", large_file("general", false));
  const auto stop = [](double f) {
    if (f > 0.3) throw std::runtime_error("stopped by the caller");
  };
  EXPECT_THROW(read_matrix<double>(path, {.progress = stop}), std::runtime_error);
}

TEST(Read, TheNamedDoorTakesItsFormatOnly) {
  const TempFolder folder;
  const auto market =
      folder.write("a", "%%MatrixMarket matrix coordinate pattern general\n1 1 1\n1 1\n");
  EXPECT_EQ(read_matrix_market<float>(market).nonzeros(), 1);
  const auto other = folder.write("b", "A Harwell-Boeing title\n1 1 1 1 0\nRUA 1 1 1 0\n");
  EXPECT_EQ(refusal(ErrorCode::bad_file, folder.path(), [&] { read_matrix_market<float>(other); }),
            "b:1: not Matrix Market: no %%MatrixMarket at the start");
}

}  // namespace
}  // namespace echelon::test

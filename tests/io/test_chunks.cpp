// tests/io/test_chunks.cpp -- text is cut at line ends, and the first error is reported.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "io/chunks.hpp"

namespace echelon {
namespace {

TEST(Chunks, EveryCutIsALineEndAndNothingIsLost) {
  const std::string text = "a\nbb\n\nccc\n% comment\n  \ndddddddddddddd\ne";
  const std::string padded = text + "\n\n\n\n";
  for (std::size_t bytes = 1; bytes <= text.size() + 1; ++bytes) {
    auto chunks = split_at_lines({padded.data(), text.size()}, bytes);
    const char* at = padded.data();
    for (const Chunk& c : chunks) {
      EXPECT_EQ(c.begin, at);
      EXPECT_TRUE(c.end[-1] == '\n' || c.end == padded.data() + text.size());
      at = c.end;
    }
    EXPECT_EQ(at, padded.data() + text.size());
    EXPECT_EQ(number_lines(chunks), 8);
    EXPECT_EQ(number_entries(chunks), 5);
    Offset lines = 0;
    for (const Chunk& c : chunks) {
      EXPECT_EQ(c.first, lines);
      for (const char* p = c.begin; p < c.end; ++p)
        lines += (p == c.begin || p[-1] == '\n') && *p != '\n' && *p != '%' && *p != ' ' ? 1 : 0;
    }
  }
  EXPECT_TRUE(split_at_lines("").empty());
}

TEST(Chunks, TheErrorOfTheEarliestChunkIsKept) {
  for (int round = 0; round < 50; ++round) {
    Progress silent;
    try {
      parallel_chunks(100, silent, [](Offset k) {
        if (k % 10 == 7) throw std::runtime_error(std::to_string(k));
      });
      FAIL();
    } catch (const std::runtime_error& e) {
      EXPECT_STREQ(e.what(), "7");
    }
  }
}

TEST(Chunks, TheCallersExceptionComesThrough) {
  Progress progress([](double) { throw std::logic_error("enough"); });
  EXPECT_THROW(parallel_chunks(100, progress, [](Offset) {}), std::logic_error);
}

}  // namespace
}  // namespace echelon

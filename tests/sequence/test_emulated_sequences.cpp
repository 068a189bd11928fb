// tests/sequence/test_emulated_sequences.cpp -- random sequences of calls on device code, emulated
// on the CPU.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "sequence/run_sequence.hpp"

namespace echelon::test {
namespace {

TEST(EmulatedSequences, OfBands) {
  expect_right({"bands", [](Draw& draw) { return draw_emulated(draw, Kind::bands); },
                make_band_subject, 500});
}

TEST(EmulatedSequences, OfTiles) {
  expect_right({"tiles", [](Draw& draw) { return draw_emulated(draw, Kind::tiles); },
                make_tile_subject, 300});
}

TEST(EmulatedSequences, OfLists) {
  expect_right({"lists", [](Draw& draw) { return draw_emulated(draw, Kind::lists); },
                make_list_subject, 400});
}

TEST(EmulatedSequences, OfShares) {
  expect_right({"shares", [](Draw& draw) { return draw_emulated(draw, Kind::shares); },
                make_share_subject, 100});
}

// Found by sequences: the copy of the flow was emptied only for the vectors of one pass.
TEST(EmulatedSequences, BandsForgetTheVectorsOfTheLastPass) {
  expect_right(make_band_subject,
               {.kind = Kind::bands, .n = 29, .threads = 32, .bands = 6, .levels = 1},
               {{.count = 2}, {}, {.count = 2, .seed = 3}});
}

// Rings larger than 64 KiB.
TEST(EmulatedSequences, BandsFindAnswersAnywhereInLargeRings) {
  expect_right(make_band_subject,
               {.kind = Kind::bands,
                .precision = Precision::complex128,
                .n = 12000,
                .threads = 128,
                .bands = 2},
               {{}, {.action = Action::update, .seed = 1}, {.count = 2}});
}

}  // namespace
}  // namespace echelon::test

// tests/model/test_critical_path.cpp -- critical paths by hand, like Figure 4 of Ding et al. 2020.
// SPDX-License-Identifier: BSD-3-Clause
//
// Levels of the eight by eight example.  0: diagonals 0 and 1.  1: (2,0) (5,0) (2,1) (6,1).
// 2: diagonals 2 and 5.  3: (3,2) (7,2) (6,5).  4: diagonal 3.  5: (4,3) (6,3).  6: diagonals 4
// and 6.  7: (7,4) (7,6).  8: diagonal 7.
#include <gtest/gtest.h>

#include "dist/patterns.hpp"
#include "model/block_pictures.hpp"

namespace echelon {
namespace {

using Picture = std::vector<std::string>;

const Picture example = {
    "o",         //
    ".o",        //
    "ooo",       //
    "..oo",      //
    "...oo",     //
    "o....o",    //
    ".o.o.oo",   //
    "..o.o.oo",  //
};

CriticalPath path_of(const Supernodes& s, ProcessGrid grid, Way way = Way::forwards) {
  const BlockMap map = map_blocks(s, grid, Mapping::cyclic);
  RankProblem p{&s, &map};
  p.way = way;
  return find_critical_path(p);
}

TEST(CriticalPaths, StartAsOneBlockALevel) {
  const Supernodes s = test::from_picture(example);
  const CriticalPath path = path_of(s, {1, 1});
  EXPECT_EQ(test::mark(s, path.initial), (Picture{
                                             "*",         //
                                             ".o",        //
                                             "*o*",       //
                                             "..**",      //
                                             "...**",     //
                                             "o....o",    //
                                             ".o.o.oo",   //
                                             "..o.*.o*",  //
                                         }));
  EXPECT_EQ(path.levels(), 9);
  EXPECT_EQ(path.block.size(), 19U);  // one rank computes all of them
  EXPECT_EQ(path.messages, 0);
}

TEST(CriticalPaths, GrowWhereARankHasMoreBlocksOfALevel) {
  const Supernodes s = test::from_picture(example);
  const CriticalPath path = path_of(s, {2, 1});
  EXPECT_EQ(test::mark(s, path.block), (Picture{
                                           "*",         //
                                           ".o",        //
                                           "***",       //
                                           "..**",      //
                                           "...**",     //
                                           "o....o",    //
                                           ".*.*.o*",   //
                                           "..*.*.**",  //
                                       }));
  EXPECT_EQ(path.block.size(), 15U);
}

TEST(CriticalPaths, TakeAnotherRanksBlocksInPlaceOfTheirOwn) {
  const Supernodes s = test::from_picture(example);
  const CriticalPath path = path_of(s, {2, 2});
  EXPECT_EQ(test::mark(s, path.block), (Picture{
                                           "*",         //
                                           ".o",        //
                                           "o**",       // (2,0) alone, against (2,1) and (6,1)
                                           "..**",      //
                                           "...**",     //
                                           "o....o",    //
                                           ".*.*.o*",   //
                                           "..*.*.**",  //
                                       }));
  EXPECT_EQ(path.block.size(), 14U);
  EXPECT_EQ(path.diagonals, 6);
  EXPECT_EQ(path.messages, 10);
  EXPECT_EQ(path.rank[1], 1);
}

// Section 7.2: all blocks of a chain are on the path on every grid; a square grid needs as many
// messages as both other grids together.
TEST(CriticalPaths, OfAChainAreTheWholeChain) {
  const Supernodes s = test::from_picture({"o", "oo", ".oo", "..oo", "...oo", "....oo"});
  for (const ProcessGrid grid : {ProcessGrid{1, 4}, {4, 1}, {2, 2}}) {
    const CriticalPath path = path_of(s, grid);
    EXPECT_EQ(path.block.size(), 11U);
    EXPECT_EQ(path.initial, path.block);
    EXPECT_EQ(path.messages, grid.rows == 2 ? 10 : 5);
  }
}

TEST(CriticalPaths, BackwardsAreThoseOfTheTriangleSeenFromItsEnd) {
  for (unsigned seed = 1; seed < 6; ++seed) {
    const Supernodes s = test::random_supernodes(30, 1, 3, seed);
    Picture picture(30);
    for (Index i = 0; i < 30; ++i) picture[i].assign(static_cast<std::size_t>(i) + 1, '.');
    for (const BlockList::Block& b : find_blocks(s).block) picture[29 - b.col][29 - b.row] = 'o';
    const Supernodes turned = test::from_picture(picture);
    const CriticalPath back = path_of(s, {1, 1}, Way::backwards), there = path_of(turned, {1, 1});
    EXPECT_EQ(back.levels(), there.levels());
    EXPECT_EQ(back.level_start, there.level_start);
  }
}

TEST(CriticalPaths, OfNothingAreEmpty) {
  const Supernodes s;
  EXPECT_EQ(path_of(s, {2, 2}).levels(), 0);
}

}  // namespace
}  // namespace echelon

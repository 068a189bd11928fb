// tests/model/block_pictures.hpp -- block patterns and paths as pictures, and a machine with
// numbers that are easy to add by hand.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "echelon/forecast.hpp"

namespace echelon::test {

// A lower triangle from its picture, one line per row: any character but '.' is a block.  All
// supernodes are `width` wide and blocks are full.
inline Supernodes from_picture(const std::vector<std::string>& picture, Index width = 1) {
  const auto count = static_cast<Index>(picture.size());
  Supernodes s;
  s.n = count * width;
  for (Index k = 0; k < count; ++k) {
    s.first.push_back((k + 1) * width);
    for (Index i = k + 1; i < count; ++i)
      if (picture[i][k] != '.')
        for (Index r = 0; r < width; ++r) s.row.push_back(i * width + r);
    s.row_start.push_back(static_cast<Offset>(s.row.size()));
  }
  return s;
}

// The pattern with some blocks marked by '*', others by 'o'.
inline std::vector<std::string> mark(const Supernodes& s, const std::vector<BlockAt>& blocks) {
  std::vector<std::string> picture;
  for (Index i = 0; i < s.count(); ++i) picture.emplace_back(static_cast<std::size_t>(i) + 1, '.');
  for (const BlockList::Block& b : find_blocks(s).block) picture[b.row][b.col] = 'o';
  for (Index i = 0; i < s.count(); ++i) picture[i][i] = 'o';
  for (const BlockAt& b : blocks) picture[b.row][b.col] = '*';
  return picture;
}

// Reading an entry of 8 bytes takes one second; a message takes ten.
inline Machine slow_machine() {
  Machine m;
  m.name = "slow";
  m.read_alone = {{1}, {8}};
  m.messages["payload"].network.seconds = {{8, 1024}, {10, 10}};
  return m;
}

}  // namespace echelon::test

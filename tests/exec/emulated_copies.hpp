// tests/exec/emulated_copies.hpp -- asynchronous copies of emulated device code: at once, or only
// when a thread waits for them.
// SPDX-License-Identifier: BSD-3-Clause
//
// Include it before any device code.  At once, a copy that starts too early overwrites what is
// still read; when waited for, one that is not waited for is missing.
#pragma once

#include <cstring>
#include <map>
#include <vector>

#include "exec/emulated_block.hpp"

namespace echelon {

struct EmulatedCopies {
  struct Copy {
    void* to;
    const void* from;
    int bytes;
  };
  struct OfThread {
    std::vector<Copy> open;
    std::vector<std::vector<Copy>> groups;
  };
  bool at_once = false;
  std::map<unsigned, OfThread> threads;

  OfThread& mine() {
    const EmulatedBlock& b = *EmulatedBlock::current_block;
    return threads[b.block() * 1024 + b.thread()];
  }
};
inline EmulatedCopies emulated_copies;

template <int bytes>
void start_copy(void* to, const void* from) {
  if (emulated_copies.at_once)
    std::memcpy(to, from, bytes);
  else
    emulated_copies.mine().open.push_back({to, from, bytes});
}
inline void commit_copies() {
  auto& mine = emulated_copies.mine();
  mine.groups.push_back(std::move(mine.open));
  mine.open.clear();
}
template <int but>
void wait_for_copies() {
  auto& groups = emulated_copies.mine().groups;
  while (groups.size() > but) {
    for (const auto& copy : groups.front()) std::memcpy(copy.to, copy.from, copy.bytes);
    groups.erase(groups.begin());
  }
}

inline struct { unsigned x = 32; } blockDim;
inline void atomicOr(unsigned* at, unsigned bits) { *at |= bits; }  // no other thread runs

}  // namespace echelon

// supernode/for_tiles.cpp -- the supernode options for the persistent solve on GPUs.
// SPDX-License-Identifier: BSD-3-Clause
#include "echelon/supernode.hpp"

namespace echelon {

SupernodeOptions for_tiles(SupernodeOptions s) {
  const auto unless_set = [&](auto SupernodeOptions::*option, auto value) {
    if (s.*option == SupernodeOptions().*option) s.*option = value;
  };
  unless_set(&SupernodeOptions::merge_zeros, 0.9);
  unless_set(&SupernodeOptions::panel_work, 10000.0);
  unless_set(&SupernodeOptions::merge_siblings, true);
  unless_set(&SupernodeOptions::max_panel_columns, Index{4096});
  unless_set(&SupernodeOptions::subtree_share, 0.0);
  return s;
}

}  // namespace echelon

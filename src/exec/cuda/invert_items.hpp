// exec/cuda/invert_items.hpp -- what there is to do when the panels of a plan are inverted on a
// GPU, cut into what a thread block does at a time.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>

#include "exec/cuda/device_plan.hpp"

namespace echelon {

constexpr Index invert_groups = 4;  // tiles of 32 by 32 a thread block works on side by side

// Tiles in a row or column of D; the last one may be cut by row w.
constexpr Index tiles_of(Index w) { return (w + PanelShape::strip - 1) / PanelShape::strip; }

// How a thread block's tiles of P D^-1 lie: as many in a row as a panel has, up to four.
constexpr Index tiles_in_a_row(Index w) {
  const Index tiles = tiles_of(w);
  return tiles > 2 ? invert_groups : std::max(tiles, 1);
}
constexpr Index strips_together(Index w) { return invert_groups / tiles_in_a_row(w); }

struct InvertItem {
  Index panel;  // by order of execution
  Index begin;  // its first strip or column of tiles
};

struct InvertItems {
  Buffer<Index> tile_start;    // size panels+1
  Buffer<InvertItem> tiles;    // strips that D touches, one a time; panels in turn
  Buffer<InvertItem> columns;  // columns of tiles with tiles below the diagonal, four a time
  Buffer<InvertItem> strips;   // all strips, strips_together at a time
};

// Those that take long come first.  O(strips of all panels), and a sort.
inline InvertItems make_invert_items(const Buffer<DevicePanel>& panels) {
  InvertItems items;
  items.tile_start.push_back(0);
  for (Index k = 0; k < static_cast<Index>(panels.size()); ++k) {
    const Index w = panels[k].w, tiles = tiles_of(w), strips = strip_count(w, panels[k].h);
    for (Index i = 0; i < tiles; ++i) items.tiles.push_back({k, i});
    for (Index j = 0; j + 1 < tiles; j += invert_groups) items.columns.push_back({k, j});
    for (Index i = 0; i < strips; i += strips_together(w)) items.strips.push_back({k, i});
    items.tile_start.push_back(static_cast<Index>(items.tiles.size()));
  }
  const auto sort = [](Buffer<InvertItem>& list, const auto& cost) {
    std::stable_sort(list.begin(), list.end(),
                     [&](const InvertItem& a, const InvertItem& b) { return cost(a) > cost(b); });
  };
  sort(items.columns, [&](const InvertItem& i) { return tiles_of(panels[i.panel].w) - i.begin; });
  sort(items.strips, [&](const InvertItem& i) {  // those of D have nothing to do, mostly
    const Index w = panels[i.panel].w;
    return (i.begin + strips_together(w)) * PanelShape::strip > w ? w : 0;
  });
  return items;
}

}  // namespace echelon

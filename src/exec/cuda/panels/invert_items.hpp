// exec/cuda/panels/invert_items.hpp -- work items for the inversion of panels on a GPU, one thread
// block per item.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>

#include "exec/cuda/panels/device_plan.hpp"

namespace echelon {

constexpr Index invert_groups = 4;  // tiles of 32 by 32 that a thread block computes at once

// Tiles per row or column of D; row w may cut through the last one.
constexpr Index tiles_of(Index w) { return (w + PanelShape::strip - 1) / PanelShape::strip; }

// Tiles of P D^-1 that a thread block computes side by side: one, two or four, by the panel's
// width.
constexpr Index tiles_in_a_row(Index w) {
  const Index tiles = tiles_of(w);
  return tiles > 2 ? invert_groups : std::max(tiles, 1);
}
constexpr Index strips_at_once(Index w) { return invert_groups / tiles_in_a_row(w); }

struct InvertItem {
  Index panel;  // number in order of execution
  Index begin;  // first strip, or first column of tiles
};

struct InvertItems {
  Buffer<Index> tile_start;    // size panels+1
  Buffer<InvertItem> tiles;    // one item per strip that D touches, panel by panel
  Buffer<InvertItem> columns;  // one item per four columns of tiles that reach below the diagonal
  Buffer<InvertItem> strips;   // one item per strips_at_once strips, over all strips
};

// Items of columns and strips are sorted, most expensive first.  O(strips of all panels), plus a
// sort.
inline InvertItems make_invert_items(const Buffer<DevicePanel>& panels) {
  InvertItems items;
  items.tile_start.push_back(0);
  for (Index k = 0; k < static_cast<Index>(panels.size()); ++k) {
    const Index w = panels[k].w, tiles = tiles_of(w), strips = strip_count(w, panels[k].h);
    for (Index i = 0; i < tiles; ++i) items.tiles.push_back({k, i});
    for (Index j = 0; j + 1 < tiles; j += invert_groups) items.columns.push_back({k, j});
    for (Index i = 0; i < strips; i += strips_at_once(w)) items.strips.push_back({k, i});
    items.tile_start.push_back(static_cast<Index>(items.tiles.size()));
  }
  const auto sort = [](Buffer<InvertItem>& list, const auto& cost) {
    std::stable_sort(list.begin(), list.end(),
                     [&](const InvertItem& a, const InvertItem& b) { return cost(a) > cost(b); });
  };
  sort(items.columns, [&](const InvertItem& i) { return tiles_of(panels[i.panel].w) - i.begin; });
  sort(items.strips, [&](const InvertItem& i) {  // strips of D need mostly no work
    const Index w = panels[i.panel].w;
    return (i.begin + strips_at_once(w)) * PanelShape::strip > w ? w : 0;
  });
  return items;
}

}  // namespace echelon

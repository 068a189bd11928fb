// draw/level_profile.cpp -- draws the size and the number of supernodes of each level.
// SPDX-License-Identifier: BSD-3-Clause
//
// Reference.  Yamazaki, Rajamanickam and Ellingwood, ICPP 2020, Figure 5.
#include "echelon/draw.hpp"

namespace echelon {
namespace {

constexpr Index most_bars = 240;

// One entry per level, or per group of neighbouring levels if there are too many to show.
struct Profile {
  std::vector<double> level, diagonals, others, bytes, mean, most;
  Index at_once = 1;

  Profile(const Supernodes& s, std::size_t value_bytes) {
    const LevelSets levels = find_level_sets(s);
    const BlockList blocks = find_blocks(s);
    at_once = (levels.count() + most_bars - 1) / most_bars;
    for (Index l = 0; l < levels.count(); l += at_once)
      take(s, levels, blocks, l, std::min(l + at_once, levels.count()));
    for (double& b : bytes) b *= static_cast<double>(value_bytes);
  }

 private:
  void take(const Supernodes& s, const LevelSets& levels, const BlockList& blocks, Index begin,
            Index end) {
    double below = 0, members = 0, widths = 0, entries = 0;
    Index widest = 0;
    for (Index l = begin; l < end; ++l)
      for (const Index k : levels.rows(l)) {
        ++members;
        below += static_cast<double>(blocks.column(k).size());
        widths += s.width(k);
        entries += static_cast<double>(s.entries(k));
        widest = std::max(widest, s.width(k));
      }
    level.push_back(0.5 * (begin + end - 1));
    diagonals.push_back(members);
    others.push_back(below);
    bytes.push_back(entries);
    mean.push_back(widths / members);
    most.push_back(widest);
  }
};

}  // namespace

Canvas draw_levels(const Supernodes& s, std::size_t value_bytes) {
  const Profile p(s, value_bytes);
  const std::string x =
      p.at_once <= 1 ? "level" : "level (" + std::to_string(p.at_once) + " to a bar)";
  Chart blocks{"", {x}, {"blocks"}, {}, {}, 720, 240};
  blocks.bars = {{"diagonal", p.level, p.diagonals}, {"below it", p.level, p.others}};
  Chart bytes{"", {x}, {"bytes of values"}, {}, {}, 720, 200};
  bytes.bars = {{"", p.level, p.bytes}};
  Chart widths{"", {x}, {"columns of a supernode"}, {}, {}, 720, 240};
  const bool markers = p.level.size() < 80;
  widths.lines = {{"max_panel_columns", p.level, p.most, Stroke::solid, markers},
                  {"mean", p.level, p.mean, Stroke::solid, markers}};
  Canvas all(720, 680);
  all.place(draw_chart(blocks), 0, 0);
  all.place(draw_chart(bytes), 0, 240);
  all.place(draw_chart(widths), 0, 440);
  return all;
}

}  // namespace echelon

// draw/spy.cpp -- draws the blocks of a triangle, coloured by level or rank, and the critical path.
// SPDX-License-Identifier: BSD-3-Clause
//
// Reference.  Ding, Williams, Liu and Li, SIAM PP 2020, Figures 7, 9 and 11.
#include <algorithm>
#include <cmath>
#include <set>

#include "draw/ramp.hpp"
#include "echelon/error.hpp"
#include "echelon/tools/draw.hpp"

namespace echelon {
namespace {

constexpr Color path_color{0x00, 0x72, 0xb2}, dependent_color{0xe6, 0x9f, 0x00};
constexpr Color nothing{0xf6, 0xf6, 0xf6};
constexpr double margin = 14, line_height = 20;
constexpr Offset most_noted = 1500;  // notes; for more there is one note per tile

// Halfway to white, so that the path is visible on top.
Color rank_color(Index rank) { return mixed(color_of(rank), paper, 0.5); }

// "3" or "3 to 7", counted from 0.
std::string range_text(Index begin, Index end) {
  const std::string first = std::to_string(begin);
  return end - begin < 2 ? first : first + " to " + std::to_string(end - 1);
}

class SpyPainter {
 public:
  SpyPainter(const Supernodes& s, const SpyOptions& o)
      : s_(s),
        o_(o),
        list_(find_blocks(s)),
        blocks_(s.count() + static_cast<Offset>(list_.block.size())),
        scale_(s.n > 0 ? static_cast<double>(o.size) / s.n : 1),
        canvas_(o.size + static_cast<int>(2 * margin),
                o.size + static_cast<int>(2 * margin + legend_lines() * line_height)) {
    if (o.owners != nullptr && static_cast<Index>(o.owners->row.size()) != s.count())
      throw Error(ErrorCode::bad_argument, "the owners are those of other supernodes");
    find_levels();
  }

  Canvas draw() {
    canvas_.rectangle(margin, margin, o_.size, o_.size, nothing);
    if (blocks_ <= most_blocks_drawn)
      draw_blocks();
    else
      draw_cells();
    if (!noted()) note_tiles();
    if (o_.path != nullptr) draw_path(*o_.path);
    write_legend();
    return std::move(canvas_);
  }

 private:
  bool colored() const { return o_.owners != nullptr && blocks_ <= most_blocks_drawn; }
  bool ramped() const { return !colored() && s_.count() > 0; }
  int legend_lines() const { return 1 + (ramped() ? 1 : 0) + (o_.path == nullptr ? 0 : 1); }
  // Calls body(I, K) for each block, by columns, level by level: neighbours in an SVG that have one
  // colour share their element.
  template <class Body>
  void for_each_block(const Body& body) const {
    for (const Index k : by_level_) {
      body(k, k);
      for (const BlockList::Block& b : list_.column(k)) body(b.row, k);
    }
  }
  double at(Index position) const { return margin + position * scale_; }

  void find_levels() {
    const LevelSets sets = find_level_sets(s_);
    levels_ = sets.count();
    by_level_.assign(sets.order.begin(), sets.order.end());
    level_.resize(static_cast<std::size_t>(s_.count()));
    for (Index l = 0; l < levels_; ++l)
      for (const Index k : sets.rows(l)) level_[static_cast<std::size_t>(k)] = l;
  }
  Index level(Index supernode) const { return level_[static_cast<std::size_t>(supernode)]; }

  // Halfway to white under a path, as ranks are.
  Color level_color(double level) const {
    constexpr double last = 0.92;  // yellow is hard to see on paper
    const Color c = ramp_color(levels_ > 1 ? last * level / (levels_ - 1) : 0);
    return o_.path == nullptr ? c : mixed(c, paper, 0.5);
  }

  bool noted() const {
    return blocks_ <= most_blocks_drawn && (colored() ? blocks_ : s_.count()) <= most_noted;
  }
  // Of a block where colours are those of ranks; else the blocks of a column have the same note,
  // and share an element in the SVG.
  std::string note_of(Index i, Index k) const {
    if (!noted()) return "";
    const std::string head =
        "supernode " + std::to_string(k) + ", level " + std::to_string(level(k)) + ": ";
    const std::string columns = "columns " + range_text(s_.first[k], s_.first[k + 1]);
    if (colored())
      return head + "rows " + range_text(s_.first[i], s_.first[i + 1]) + ", " + columns +
             ", rank " + std::to_string(o_.owners->owner(i, k));
    return head + columns + ", " + std::to_string(s_.width(k)) + " rows on the diagonal and " +
           std::to_string(s_.row_start[k + 1] - s_.row_start[k]) + " below, in " +
           std::to_string(list_.column(k).size()) + " blocks";
  }
  void draw_blocks() {
    for_each_block([&](Index i, Index k) {
      const double x = at(s_.first[k]), y = at(s_.first[i]);
      const double width = at(s_.first[k + 1]) - x, height = at(s_.first[i + 1]) - y;
      // A thin line between neighbouring blocks if they are large enough.
      const double gap = std::min(width, height) > 6 ? 1 : 0;
      const Index rank = colored() ? o_.owners->owner(i, k) : 0;
      canvas_.rectangle(x, y, width - gap, height - gap,
                        colored() ? rank_color(rank) : level_color(level(k)), note_of(i, k));
      const std::string number = std::to_string(rank);
      if (colored() && height > letter_height + 4 && width > text_width(number) + 4)
        canvas_.text({x + 3, y + 12}, number);
    });
  }

  // The covered share of each cell, paler where it is less, and the mean level of what covers it;
  // neighbours of one colour form one rectangle.
  void draw_cells() {
    constexpr int side = 2;  // pixels
    const Index cells = o_.size / side;
    const Cover cover = find_cover(cells);
    for (Index i = 0; i < cells; ++i)
      for (Index from = 0, to = 0; from < cells; from = std::max(to, from + 1)) {
        const auto color = [&](Index j) {
          const std::size_t at = static_cast<std::size_t>(i) * cells + j;
          return cell_color(cover.share[at], cover.level[at]);
        };
        const Color here = color(from);
        for (to = from + 1; to < cells && color(to) == here;) ++to;
        if (here != nothing)
          canvas_.rectangle(margin + from * side, margin + i * side, (to - from) * side, side,
                            here);
      }
  }

  // In a few steps of both.
  Color cell_color(float share, float level_sum) const {
    if (!(share > 0)) return nothing;
    constexpr double shades = 4, steps = 16;
    const double part = std::clamp(std::ceil(share * shades) / shades, 0.0, 1.0);
    const double each = std::max(1.0, (levels_ - 1) / steps);
    const double level = std::round(level_sum / share / each) * each;
    return mixed(nothing, level_color(level), 0.4 + 0.6 * part);
  }

  struct Cover {
    std::vector<float> share, level;  // per cell; levels times shares
  };
  Cover find_cover(Index cells) const {
    const std::size_t all = static_cast<std::size_t>(cells) * cells;
    Cover cover{std::vector<float>(all, 0.0F), std::vector<float>(all, 0.0F)};
    for_each_cell(cells, [&](Index i, Index k, Index y, Index x) {
      const double each = static_cast<double>(cells) / s_.n;  // cells per position
      const auto overlap = [&](Index s, Index cell) {
        return std::min<double>(s_.first[s + 1] * each, cell + 1) -
               std::max<double>(s_.first[s] * each, cell);
      };
      const auto part = static_cast<float>(overlap(k, x) * overlap(i, y));
      const std::size_t at = static_cast<std::size_t>(y) * cells + x;
      cover.share[at] += part;
      cover.level[at] += part * static_cast<float>(level(k));
    });
    return cover;
  }

  // Calls body(I, K, y, x) for each cell (y, x) that block (I, K) touches.
  template <class Body>
  void for_each_cell(Index cells, const Body& body) const {
    const double each = static_cast<double>(cells) / s_.n;
    const auto last = [&](Index position) {
      return std::min<Index>(cells, static_cast<Index>(std::ceil(position * each)));
    };
    for_each_block([&](Index i, Index k) {
      const auto top = static_cast<Index>(s_.first[i] * each);
      const auto left = static_cast<Index>(s_.first[k] * each);
      for (Index y = top; y < last(s_.first[i + 1]); ++y)
        for (Index x = left; x < last(s_.first[k + 1]); ++x) body(i, k, y, x);
    });
  }

  // What lies in each of 24 x 24 tiles, shown where the mouse rests.
  void note_tiles() {
    constexpr Index tiles = 24;
    struct Tile {
      Offset blocks = 0;
      Index least = 0, most = 0;  // levels
    };
    std::vector<Tile> all(static_cast<std::size_t>(tiles) * tiles);
    for_each_cell(tiles, [&](Index, Index k, Index y, Index x) {
      Tile& t = all[static_cast<std::size_t>(y) * tiles + x];
      t.least = t.blocks == 0 ? level(k) : std::min(t.least, level(k));
      t.most = std::max(t.most, level(k));
      ++t.blocks;
    });
    const auto edge = [&](Index tile) {
      return static_cast<Index>(static_cast<Offset>(s_.n) * tile / tiles);
    };
    const double side = static_cast<double>(o_.size) / tiles;
    for (Index y = 0; y < tiles; ++y)
      for (Index x = 0; x < tiles; ++x) {
        const Tile& t = all[static_cast<std::size_t>(y) * tiles + x];
        if (t.blocks == 0) continue;
        const Point corner{margin + x * side, margin + y * side};
        canvas_.hover(corner, {corner.x + side, corner.y + side},
                      "rows " + range_text(edge(y), edge(y + 1)) + ", columns " +
                          range_text(edge(x), edge(x + 1)) + ": " + std::to_string(t.blocks) +
                          " blocks, level " + range_text(t.least, t.most + 1));
      }
  }

  Point center(const BlockAt& b) const {
    return {(at(s_.first[b.col]) + at(s_.first[b.col + 1])) / 2,
            (at(s_.first[b.row]) + at(s_.first[b.row + 1])) / 2};
  }

  // The line passes through each level's initial block, or the block of the level nearest to it.
  void draw_path(const CriticalPath& p) {
    std::vector<Point> line;
    for (Index l = 0; l < p.levels(); ++l) {
      const auto begin = p.block.begin() + static_cast<std::ptrdiff_t>(p.level_start[l]);
      const auto end = p.block.begin() + static_cast<std::ptrdiff_t>(p.level_start[l + 1]);
      if (begin == end) continue;
      const Point from = center(p.initial[l]);
      const auto away = [&](const BlockAt& b) {
        return std::hypot(center(b).x - from.x, center(b).y - from.y);
      };
      line.push_back(center(*std::min_element(
          begin, end, [&](const BlockAt& a, const BlockAt& b) { return away(a) < away(b); })));
    }
    const double thick = blocks_ <= most_blocks_drawn ? 2 : 1.4;
    const std::vector<Point> dots = dependent_dots(p);
    if (colored())
      for (const Point& at : dots) canvas_.dot(at, thick + 1.6, paper);
    for (const Point& at : dots) canvas_.dot(at, thick + 0.6, dependent_color);
    canvas_.polyline(line, path_color, thick);
  }

  // Counts the dependent blocks; of dots at the same pixel only one is drawn.
  std::vector<Point> dependent_dots(const CriticalPath& p) {
    std::vector<Point> dots;
    std::set<std::pair<int, int>> seen;
    for (Index l = 0; l < p.levels(); ++l)
      for (std::size_t k = p.level_start[l]; k < p.level_start[l + 1]; ++k) {
        if (p.block[k] == p.initial[l]) continue;
        ++dependent_;
        const Point at = center(p.block[k]);
        if (seen.emplace(static_cast<int>(at.x), static_cast<int>(at.y)).second) dots.push_back(at);
      }
    return dots;
  }

  // The colours of the first to the last level, from dark to light.
  void draw_ramp(double y) {
    const std::string first = "level of supernodes: 0";
    canvas_.text({margin, y}, first);
    constexpr int steps = 32;
    constexpr double each = 4;
    const int shown = levels_ > 1 ? steps : 4;
    const double x = margin + text_width(first) + 6;
    for (int k = 0; k < shown; ++k)
      canvas_.rectangle(x + k * each, y - 9, each, 10,
                        level_color((levels_ - 1.0) * k / (shown - 1)));
    if (levels_ > 1) canvas_.text({x + shown * each + 6, y}, std::to_string(levels_ - 1));
  }

  void write_legend() {
    const double y = margin + o_.size + 18;
    std::string text =
        std::to_string(s_.count()) + " supernodes, " + std::to_string(blocks_) + " blocks";
    if (blocks_ > most_blocks_drawn) text += ", paler where they lie apart";
    if (colored()) text += ", coloured by rank";
    canvas_.text({margin, y}, text);
    if (ramped()) draw_ramp(margin + o_.size + legend_lines() * line_height - 2);
    if (o_.path == nullptr) return;
    canvas_.line({margin, y + 14}, {margin + 20, y + 14}, path_color, 2);
    text = "critical path, " + std::to_string(o_.path->levels()) + " levels";
    canvas_.text({margin + 26, y + 18}, text);
    const double x = margin + 26 + text_width(text) + 24;
    canvas_.dot({x, y + 14}, 3, dependent_color);
    canvas_.text({x + 8, y + 18}, std::to_string(dependent_) + " dependent blocks");
  }

  const Supernodes& s_;
  const SpyOptions& o_;
  BlockList list_;
  Offset blocks_;  // including the diagonal
  double scale_;   // pixels per position
  Index levels_ = 0;
  std::vector<Index> level_;  // per supernode
  std::vector<Index> by_level_;
  Canvas canvas_;
  Offset dependent_ = 0;
};

}  // namespace

Canvas draw_spy(const Supernodes& s, const SpyOptions& o) { return SpyPainter(s, o).draw(); }

}  // namespace echelon

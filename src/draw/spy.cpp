// draw/spy.cpp -- draws the blocks of a triangle, coloured by rank, and the critical path.
// SPDX-License-Identifier: BSD-3-Clause
//
// Reference.  Ding, Williams, Liu and Li, SIAM PP 2020, Figures 7, 9 and 11.
#include <algorithm>
#include <cmath>
#include <set>

#include "echelon/draw.hpp"
#include "echelon/error.hpp"

namespace echelon {
namespace {

constexpr Color path_color{0x00, 0x72, 0xb2}, dependent_color{0xe6, 0x9f, 0x00};
constexpr double margin = 14, line_height = 20;

// Halfway to white, so that the path is visible on top.
Color rank_color(Index rank) {
  const Color c = color_of(rank);
  const auto lighter = [](int part) { return static_cast<std::uint8_t>((part + 255) / 2); };
  return {lighter(c.red), lighter(c.green), lighter(c.blue)};
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
                o.size + static_cast<int>(2 * margin + (o.path == nullptr ? 1 : 2) * line_height)) {
    if (o.owners != nullptr && static_cast<Index>(o.owners->row.size()) != s.count())
      throw Error(ErrorCode::bad_argument, "the owners are those of other supernodes");
  }

  Canvas draw() {
    canvas_.rectangle(margin, margin, o_.size, o_.size, {0xf6, 0xf6, 0xf6});
    if (blocks_ <= most_blocks_drawn)
      draw_blocks();
    else
      draw_cells();
    if (o_.path != nullptr) draw_path(*o_.path);
    write_legend();
    return std::move(canvas_);
  }

 private:
  bool colored() const { return o_.owners != nullptr && blocks_ <= most_blocks_drawn; }
  // Calls body(I, K) for each block, by columns.
  template <class Body>
  void for_each_block(const Body& body) const {
    for (Index k = 0; k < s_.count(); ++k) {
      body(k, k);
      for (const BlockList::Block& b : list_.column(k)) body(b.row, k);
    }
  }
  double at(Index position) const { return margin + position * scale_; }

  void draw_blocks() {
    for_each_block([&](Index i, Index k) {
      const double x = at(s_.first[k]), y = at(s_.first[i]);
      const double width = at(s_.first[k + 1]) - x, height = at(s_.first[i + 1]) - y;
      // A thin line between neighbouring blocks if they are large enough.
      const double gap = std::min(width, height) > 6 ? 1 : 0;
      const Index rank = colored() ? o_.owners->owner(i, k) : 0;
      canvas_.rectangle(x, y, width - gap, height - gap,
                        colored() ? rank_color(rank) : Color{0xbb, 0xbb, 0xbb});
      const std::string number = std::to_string(rank);
      if (colored() && height > letter_height + 4 &&
          width > letter_width * static_cast<double>(number.size()) + 4)
        canvas_.text({x + 3, y + 12}, number);
    });
  }

  // The covered share of each cell, in a few shades; neighbours of one shade form one rectangle.
  void draw_cells() {
    constexpr int side = 2;  // pixels
    const Index cells = o_.size / side;
    const std::vector<float> share = cover(cells);
    constexpr int shades = 4;
    for (int shade = 1; shade <= shades; ++shade) {
      const auto light = static_cast<std::uint8_t>(0xe0 - 0x1c * shade);
      for (Index i = 0; i < cells; ++i)
        for (Index from = 0, to = 0; from < cells; from = std::max(to, from + 1)) {
          const auto is_shade = [&](Index j) {
            const float part = share[static_cast<std::size_t>(i) * cells + j];
            return part > 0 &&
                   std::clamp(static_cast<int>(std::ceil(part * shades)), 1, shades) == shade;
          };
          for (to = from; to < cells && is_shade(to);) ++to;
          if (to > from)
            canvas_.rectangle(margin + from * side, margin + i * side, (to - from) * side, side,
                              {light, light, light});
        }
    }
  }

  std::vector<float> cover(Index cells) const {
    std::vector<float> share(static_cast<std::size_t>(cells) * cells, 0.0F);
    const double each = static_cast<double>(cells) / s_.n;  // cells per position
    const auto last = [&](double end) {
      return std::min<Index>(cells, static_cast<Index>(std::ceil(end)));
    };
    for_each_block([&](Index i, Index k) {
      const double x0 = s_.first[k] * each, x1 = s_.first[k + 1] * each;
      const double y0 = s_.first[i] * each, y1 = s_.first[i + 1] * each;
      for (auto y = static_cast<Index>(y0); y < last(y1); ++y)
        for (auto x = static_cast<Index>(x0); x < last(x1); ++x) {
          const double wide = std::min<double>(x1, x + 1) - std::max<double>(x0, x);
          const double high = std::min<double>(y1, y + 1) - std::max<double>(y0, y);
          share[static_cast<std::size_t>(y) * cells + x] += static_cast<float>(wide * high);
        }
    });
    return share;
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

  void write_legend() {
    const double y = margin + o_.size + 18;
    std::string text =
        std::to_string(s_.count()) + " supernodes, " + std::to_string(blocks_) + " blocks";
    if (blocks_ > most_blocks_drawn) text += ", darker where they lie closer";
    if (colored()) text += ", coloured by rank";
    canvas_.text({margin, y}, text);
    if (o_.path == nullptr) return;
    canvas_.line({margin, y + 14}, {margin + 20, y + 14}, path_color, 2);
    text = "critical path, " + std::to_string(o_.path->levels()) + " levels";
    canvas_.text({margin + 26, y + 18}, text);
    const double x = margin + 26 + letter_width * static_cast<double>(text.size()) + 24;
    canvas_.dot({x, y + 14}, 3, dependent_color);
    canvas_.text({x + 8, y + 18}, std::to_string(dependent_) + " dependent blocks");
  }

  const Supernodes& s_;
  const SpyOptions& o_;
  BlockList list_;
  Offset blocks_;  // including the diagonal
  double scale_;   // pixels per position
  Canvas canvas_;
  Offset dependent_ = 0;
};

}  // namespace

Canvas draw_spy(const Supernodes& s, const SpyOptions& o) { return SpyPainter(s, o).draw(); }

}  // namespace echelon

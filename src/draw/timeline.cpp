// draw/timeline.cpp -- draws the activities of ranks over time, one lane per rank.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  A lane is a row of bins, each at least one pixel wide.  A bin holds the time of each
// kind of work in it, and is filled with their shares, stacked, in whole pixels; neighbouring bins
// with the same shares are drawn as one.  So the number of shapes is bounded, and short spans, too
// short for a pixel of their own, still count.
#include <algorithm>
#include <array>
#include <cmath>

#include "draw/axis.hpp"
#include "echelon/error.hpp"

namespace echelon {
namespace {

constexpr std::array<Doing, 4> work{Doing::product, Doing::sum, Doing::send, Doing::receive};
constexpr int left = 70, margin = 12, top = 46, bottom = 46, plot_width = 900;
constexpr Index most_bins = 60000;

Color work_color(Doing doing) {
  constexpr std::array<Index, 4> colors{0, 2, 1, 3};  // blue, green, orange, purple
  return color_of(colors[static_cast<std::size_t>(doing)]);
}

using Shares = std::array<double, work.size()>;

class TimelinePainter {
 public:
  explicit TimelinePainter(const Timeline& t) : timeline_(t) {
    for (const Span& s : t) {
      if (s.rank < 0 || !(s.begin_s >= 0) || !(s.end_s >= s.begin_s) || !std::isfinite(s.end_s))
        throw Error(ErrorCode::bad_argument,
                    "a span of rank " + std::to_string(s.rank) + " does not end after it begins");
      ranks_ = std::max(ranks_, s.rank + 1);
      end_s_ = std::max(end_s_, s.end_s);
    }
    constexpr Index most_ranks = 4096;
    if (ranks_ > most_ranks)
      throw Error(ErrorCode::bad_argument,
                  "there are lanes for 4096 ranks at most, not " + std::to_string(ranks_));
    lane_ = std::clamp(600 / ranks_, 3, 22);
    bins_ = std::clamp<Index>(most_bins / ranks_, 60, plot_width);
    fill_bins();
  }

  Canvas draw(const std::string& title) const {
    Canvas c(left + plot_width + 2 * margin, top + lane_ * ranks_ + bottom);
    c.text({margin, 20}, title);
    double x = margin;
    for (const Doing d : work) {
      c.rectangle(x, 28, 14, 11, work_color(d));
      c.text({x + 20, 38}, name(d));
      x += 100;
    }
    draw_axes(c);
    for (Index r = 0; r < ranks_; ++r) draw_lane(c, r);
    return c;
  }

 private:
  // If lanes are too thin for a name each, names every k-th rank.
  void draw_axes(Canvas& c) const {
    const Index every = (20 + lane_ - 1) / lane_;
    const double low = top + lane_ * ranks_;
    for (Index r = 0; r < ranks_; r += every)
      c.text({left - 7.0, top + lane_ * r + std::min(lane_ / 2.0 + 4, 12.0)},
             "rank " + std::to_string(r), Align::right);
    const TimeUnit unit = unit_of(end_s_);
    const AxisMap axis(Scale::linear, 0, std::max(end_s_ / unit.seconds, 1e-9), left,
                       left + plot_width);
    for (const Tick& t : axis.ticks(10)) {
      c.line({axis.at(t.value), top}, {axis.at(t.value), low + 4}, pale);
      c.text({axis.at(t.value), low + 17}, t.text, Align::middle);
    }
    c.line({left, low}, {left + plot_width, low}, ink);
    c.text({left + plot_width / 2.0, low + 36}, unit.name, Align::middle);
  }

  void fill_bins() {
    bin_.assign(static_cast<std::size_t>(ranks_) * bins_, Shares{});
    const double each = end_s_ > 0 ? end_s_ / bins_ : 1;
    for (const Span& s : timeline_) {
      if (s.doing == Doing::wait) continue;
      const auto last = std::min(bins_ - 1, static_cast<Index>(s.end_s / each));
      for (auto b = static_cast<Index>(s.begin_s / each); b <= last; ++b) {
        const double part = std::min(s.end_s, (b + 1) * each) - std::max(s.begin_s, b * each);
        bin_[static_cast<std::size_t>(s.rank) * bins_ + b][static_cast<std::size_t>(s.doing)] +=
            std::max(part, 0.0) / each;
      }
    }
  }

  // The top of each share, from the bottom of the lane, in whole pixels.
  std::array<int, work.size()> heights(Index rank, Index b) const {
    const Shares& shares = bin_[static_cast<std::size_t>(rank) * bins_ + b];
    double all = 0;
    for (const double s : shares) all += s;
    std::array<int, work.size()> ends{};
    double sum = 0;
    for (std::size_t k = 0; k < shares.size(); ++k) {
      sum += shares[k] / std::max(all, 1.0);  // simultaneous activities of one rank share the lane
      ends[k] = static_cast<int>(std::lround(sum * lane_height()));
    }
    return ends;
  }
  int lane_height() const { return lane_ > 6 ? lane_ - 3 : lane_ > 3 ? lane_ - 1 : lane_; }

  void draw_lane(Canvas& c, Index rank) const {
    const double low = top + lane_ * rank + lane_height(), each = 1.0 * plot_width / bins_;
    for (std::size_t k = 0; k < work.size(); ++k)
      for (Index from = 0, to = 0; from < bins_; from = to) {
        const auto piece = [&](Index b) {
          const auto ends = heights(rank, b);
          return std::pair(k == 0 ? 0 : ends[k - 1], ends[k]);
        };
        const auto [begin, end] = piece(from);
        for (to = from + 1; to < bins_ && piece(to) == std::pair(begin, end);) ++to;
        if (end > begin)
          c.rectangle(left + from * each, low - end, (to - from) * each, end - begin,
                      work_color(work[k]));
      }
  }

  const Timeline& timeline_;
  Index ranks_ = 1;
  double end_s_ = 0;
  int lane_ = 0;  // pixels
  Index bins_ = 0;
  std::vector<Shares> bin_;  // by lane
};

}  // namespace

Canvas draw_timeline(const Timeline& timeline, const std::string& title) {
  return TimelinePainter(timeline).draw(title);
}

}  // namespace echelon

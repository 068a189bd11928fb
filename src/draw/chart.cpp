// draw/chart.cpp -- draws series of numbers as lines with markers or stacked bars, with axes.
// SPDX-License-Identifier: BSD-3-Clause
//
// All labels are horizontal: the y label is above its axis, the legend in rows under the title.
#include <algorithm>
#include <cmath>
#include <limits>

#include "draw/axis.hpp"
#include "echelon/error.hpp"

namespace echelon {
namespace {

constexpr double line_height = 18, margin = 12, left = 70, bottom = 46, swatch = 22;
constexpr Color grid{0xe8, 0xe8, 0xe8};

struct Range {
  double least = std::numeric_limits<double>::infinity();
  double most = -std::numeric_limits<double>::infinity();

  void take(double value) {
    least = std::min(least, value);
    most = std::max(most, value);
  }
  bool empty() const { return least > most; }
};

// One marker shape per series, so that they differ also without colours.
void mark(Canvas& c, Point p, Index k) {
  const Color color = color_of(k);
  constexpr double r = 3.5;
  switch (k % 5) {
    case 0:
      return c.dot(p, r, color);
    case 1:
      return c.rectangle(p.x - r, p.y - r, 2 * r, 2 * r, color);
    case 2:
      c.dot(p, r + 0.5, color);
      return c.dot(p, r - 1.5, paper);
    case 3:
      c.line({p.x - r, p.y - r}, {p.x + r, p.y + r}, color, 1.8);
      return c.line({p.x - r, p.y + r}, {p.x + r, p.y - r}, color, 1.8);
    default:
      c.line({p.x - r, p.y}, {p.x + r, p.y}, color, 1.8);
      return c.line({p.x, p.y - r}, {p.x, p.y + r}, color, 1.8);
  }
}

// Six pixels drawn, four omitted; the pattern continues around corners.
void dash(Canvas& c, const std::vector<Point>& points, Color color) {
  constexpr double on = 6, all = 10;
  double done = 0;  // of the pattern, in pixels
  for (std::size_t k = 1; k < points.size(); ++k) {
    const Point a = points[k - 1], b = points[k];
    const double length = std::hypot(b.x - a.x, b.y - a.y);
    const auto at = [&](double way) {
      return Point{a.x + (b.x - a.x) * way / length, a.y + (b.y - a.y) * way / length};
    };
    for (double way = 0; way < length;) {
      const double rest = (done < on ? on : all) - done;
      const double step = std::min(rest, length - way);
      if (done < on) c.line(at(way), at(way + step), color, 1.6);
      way += step;
      done = step < rest ? done + step : (done < on ? on : 0);
    }
  }
}

void draw_stroke(Canvas& c, const std::vector<Point>& points, Color color, Stroke stroke) {
  if (stroke == Stroke::solid) c.polyline(points, color, 1.6);
  if (stroke == Stroke::dashed) dash(c, points, color);
}

class ChartPainter {
 public:
  explicit ChartPainter(const Chart& chart)
      : chart_(chart), canvas_(chart.width, chart.height), top_(lay_legend()) {
    check();
    Range x, y;
    find_ranges(x, y);
    if (x.empty() || y.empty()) x = y = {1, 2};
    if (chart.y.scale == Scale::linear) {  // from zero, with a margin above
      y.least = std::min(y.least, 0.0);
      y.most += 0.04 * (y.most - y.least);
    }
    x_ = AxisMap(chart.x.scale, x.least, x.most, left + 8, chart.width - margin - 14);
    y_ = AxisMap(chart.y.scale, y.least, y.most, chart.height - bottom, top_);
  }

  Canvas draw() {
    draw_axes();
    draw_bars();
    const auto bars = static_cast<Index>(chart_.bars.size());
    for (std::size_t k = 0; k < chart_.lines.size(); ++k)
      draw_line(chart_.lines[k], bars + static_cast<Index>(k));
    return std::move(canvas_);
  }

 private:
  void check() const {
    const auto refuse = [&](const std::string& what) {
      throw Error(ErrorCode::bad_argument, "chart '" + chart_.title + "': " + what);
    };
    for (const auto* list : {&chart_.bars, &chart_.lines})
      for (const Series& s : *list)
        if (s.x.size() != s.y.size())
          refuse("series '" + s.label + "' has " + std::to_string(s.x.size()) + " x and " +
                 std::to_string(s.y.size()) + " y");
    for (const Series& s : chart_.bars)
      if (s.x != chart_.bars[0].x) refuse("bars upon each other need the same x");
    if (!chart_.bars.empty() &&
        (chart_.x.scale != Scale::linear || chart_.y.scale != Scale::linear))
      refuse("bars need linear axes");
    if (chart_.width < 200 || chart_.height < top_ + bottom + 20) refuse("there is no room for it");
  }

  // Draws the title, the y label and the legend; returns the top of the plot.
  double lay_legend() {
    double y = margin + 4;
    if (!chart_.title.empty()) canvas_.text({margin, y + 6}, chart_.title), y += line_height + 2;
    double x = margin;
    Index k = 0;
    const auto entry = [&](const Series& s, bool bar) {
      const Index color = k++;
      if (s.label.empty()) return;
      const double width = swatch + 8 + text_width(s.label) + 18;
      if (x > margin && x + width > chart_.width - margin) x = margin, y += line_height;
      if (bar)
        canvas_.rectangle(x + 4, y - 4, swatch - 8, 11, color_of(color));
      else
        draw_stroke(canvas_, {{x, y + 2}, {x + swatch, y + 2}}, color_of(color), s.stroke);
      if (!bar && s.markers) mark(canvas_, {x + swatch / 2, y + 2}, color);
      canvas_.text({x + swatch + 6, y + 6}, s.label);
      x += width;
    };
    for (const Series& s : chart_.bars) entry(s, true);
    for (const Series& s : chart_.lines) entry(s, false);
    if (x > margin) y += line_height;
    if (!chart_.y.label.empty()) canvas_.text({margin, y + 6}, chart_.y.label), y += line_height;
    return y + 2;
  }

  bool shown(const Series& s, std::size_t i) const {
    return is_on(chart_.x.scale, s.x[i]) && is_on(chart_.y.scale, s.y[i]);
  }

  void find_ranges(Range& x, Range& y) {
    for (const Series& s : chart_.lines)
      for (std::size_t i = 0; i < s.x.size(); ++i)
        if (shown(s, i)) x.take(s.x[i]), y.take(s.y[i]);
    if (chart_.bars.empty()) return;
    const std::vector<double>& at = chart_.bars[0].x;
    bar_ = at.size() > 1 ? std::numeric_limits<double>::infinity() : 1;
    for (std::size_t i = 0; i < at.size(); ++i) {
      double sum = 0;
      for (const Series& s : chart_.bars) sum += shown(s, i) ? s.y[i] : 0;
      if (i > 0) bar_ = std::min(bar_, std::abs(at[i] - at[i - 1]));
      y.take(sum);
    }
    for (const double value : at) x.take(value - bar_ / 2), x.take(value + bar_ / 2);
  }

  void draw_axes() {
    const double right = chart_.width - margin, low = chart_.height - bottom;
    for (const Tick& t : y_.ticks(6)) {
      canvas_.line({left, y_.at(t.value)}, {right, y_.at(t.value)}, grid);
      canvas_.text({left - 7, y_.at(t.value) + 4}, t.text, Align::right);
    }
    for (const Tick& t : x_.ticks(static_cast<int>((right - left) / 70))) {
      canvas_.line({x_.at(t.value), low}, {x_.at(t.value), low + 4}, ink);
      canvas_.text({x_.at(t.value), low + 17}, t.text, Align::middle);
    }
    canvas_.polyline({{left, top_}, {left, low}, {right, low}}, ink);
    canvas_.text({(left + right) / 2, low + 36}, chart_.x.label, Align::middle);
  }

  // "payload, model: 16 ranks, 1.24 milliseconds".
  std::string note_of(const Series& s, std::size_t i) const {
    const std::string series = s.label.empty() ? "" : s.label + ": ";
    return series + chart_.x.label + " " + number_text(s.x[i]) + ", " + chart_.y.label + " " +
           number_text(s.y[i]);
  }

  void draw_bars() {
    std::vector<double> below(chart_.bars.empty() ? 0 : chart_.bars[0].x.size(), 0.0);
    for (std::size_t k = 0; k < chart_.bars.size(); ++k) {
      const Series& s = chart_.bars[k];
      for (std::size_t i = 0; i < s.x.size(); ++i) {
        if (!shown(s, i) || s.y[i] <= 0) continue;
        const double x0 = x_.at(s.x[i] - 0.42 * bar_), x1 = x_.at(s.x[i] + 0.42 * bar_);
        const double y0 = y_.at(below[i]), y1 = y_.at(below[i] + s.y[i]);
        canvas_.rectangle(x0, y1, x1 - x0, y0 - y1, color_of(static_cast<Index>(k)), note_of(s, i));
        below[i] += s.y[i];
      }
    }
  }

  void draw_line(const Series& s, Index k) {
    std::vector<Point> points;
    for (std::size_t i = 0; i < s.x.size(); ++i)
      if (shown(s, i)) points.push_back({x_.at(s.x[i]), y_.at(s.y[i])});
    draw_stroke(canvas_, points, color_of(k), s.stroke);
    if (s.markers)
      for (const Point& p : points) mark(canvas_, p, k);
    for (std::size_t i = 0; s.markers && i < s.x.size(); ++i)  // unseen, larger than its marker
      if (shown(s, i)) canvas_.hover({x_.at(s.x[i]), y_.at(s.y[i])}, 8, note_of(s, i));
  }

  const Chart& chart_;
  Canvas canvas_;
  double top_;
  double bar_ = 1;  // width of one bar, in units of x
  AxisMap x_{Scale::linear, 0, 1, 0, 1}, y_{Scale::linear, 0, 1, 0, 1};
};

}  // namespace

Canvas draw_chart(const Chart& chart) { return ChartPainter(chart).draw(); }

// In the unit of the shortest time.
Canvas draw_scaling(const std::string& title, const std::vector<Series>& seconds) {
  double least = std::numeric_limits<double>::infinity();
  for (const Series& s : seconds)
    for (const double y : s.y)
      if (y > 0) least = std::min(least, y);
  const TimeUnit unit = unit_of(std::isfinite(least) ? least : 1);
  std::vector<Series> shown = seconds;
  for (Series& s : shown)
    for (double& y : s.y) y /= unit.seconds;
  return draw_chart({title, {"ranks", Scale::log2}, {unit.name, Scale::log10}, {}, shown});
}

}  // namespace echelon

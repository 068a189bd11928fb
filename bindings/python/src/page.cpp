// bindings/python/src/page.cpp -- the report of a solver as an HTML page: pictures of its triangles
// and their estimated times.
// SPDX-License-Identifier: BSD-3-Clause
#include "page.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "bind.hpp"
#include "echelon/tools/estimate.hpp"

namespace echelon::python {
namespace {

constexpr int chart_width = 720, chart_height = 260;

// From dark to light: the colours of matplotlib's viridis.
Color level_color(double share) {
  static constexpr std::array<Color, 5> stops{{{0x44, 0x01, 0x54},
                                               {0x3b, 0x52, 0x8b},
                                               {0x21, 0x91, 0x8c},
                                               {0x5e, 0xc9, 0x62},
                                               {0xfd, 0xe7, 0x25}}};
  const double at = std::clamp(share, 0.0, 1.0) * (stops.size() - 1);
  const auto k = std::min(static_cast<std::size_t>(at), stops.size() - 2);
  const auto mixed = [&](std::uint8_t a, std::uint8_t b) {
    return static_cast<std::uint8_t>(std::lround(a + (at - static_cast<double>(k)) * (b - a)));
  };
  const Color &a = stops[k], &b = stops[k + 1];
  return {mixed(a.red, b.red), mixed(a.green, b.green), mixed(a.blue, b.blue)};
}

std::string text_of(const char* format, double number) {
  std::array<char, 48> text{};
  std::snprintf(text.data(), text.size(), format, number);
  return text.data();
}
std::string grouped(double number) {
  const std::string digits = text_of("%.0f", number);
  std::string text;
  for (std::size_t k = 0; k < digits.size(); ++k) {
    if (k > 0 && (digits.size() - k) % 3 == 0) text += ',';
    text += digits[k];
  }
  return text;
}
std::string time_text(double seconds) {
  if (seconds < 1e-3) return text_of("%.3g us", seconds * 1e6);
  return seconds < 1 ? text_of("%.3g ms", seconds * 1e3) : text_of("%.3g s", seconds);
}

// Marks are drawn where there are few points.
Series series(const char* label, const Buffer<double>& values) {
  Series s{label, {}, {}, Stroke::solid, values.size() < 80};
  for (std::size_t l = 0; l < values.size(); ++l) {
    s.x.push_back(static_cast<double>(l));
    s.y.push_back(values[l]);
  }
  return s;
}

Chart level_chart(const char* label, Scale scale) {
  Chart chart;
  chart.x.label = "level, in order of execution";
  chart.y.label = label;
  chart.y.scale = scale;
  chart.width = chart_width;
  chart.height = chart_height;
  return chart;
}

Canvas draw_work(const LevelFacts& f, bool in_panels) {
  Chart rows = level_chart("per level", Scale::linear);
  rows.lines.push_back(series("rows", f.rows));
  if (in_panels) rows.lines.push_back(series("tasks", f.nodes));
  Chart work = level_chart("nonzeros per level", Scale::log10);
  work.lines.push_back(series("all", f.entries));
  work.lines.push_back(series("critical path", f.path));
  Canvas both(chart_width, 2 * chart_height);
  both.place(draw_chart(rows), 0, 0);
  both.place(draw_chart(work), 0, chart_height);
  return both;
}

// Squares of a row with the same level are one rectangle.
Canvas draw_cells(const Cells& cells, Index levels) {
  constexpr int side = 560, margin = 20;
  Canvas c(side + 2 * margin, side + 2 * margin);
  c.rectangle(margin, margin, side, side, pale);
  c.rectangle(margin + 1, margin + 1, side - 2, side - 2, paper);
  const double width = static_cast<double>(side) / std::max(cells.size, Index{1});
  const auto at = [&](Index i, Index j) {
    return static_cast<std::size_t>(Offset{i} * cells.size + j);
  };
  const auto same = [&](Index i, Index j, Index k) {
    return cells.count[at(i, k)] > 0 && cells.level[at(i, k)] == cells.level[at(i, j)];
  };
  for (Index i = 0; i < cells.size; ++i)
    for (Index j = 0, end = 0; j < cells.size; j = std::max(end, j + 1)) {
      if (!(cells.count[at(i, j)] > 0)) continue;
      for (end = j + 1; end < cells.size && same(i, j, end);) ++end;
      c.rectangle(margin + j * width, margin + i * width, (end - j) * width, width,
                  level_color(cells.level[at(i, j)] / std::max(levels - 1, Index{1})));
    }
  return c;
}

// One lane per thread; darker where it works for more of the time of a pixel.
Canvas draw_threads(const Spans& s, Index threads) {
  constexpr int width = 600, left = 90, top = 12, ticks = 5;
  const int lane = std::clamp(600 / threads, 4, 24), bottom = top + lane * threads;
  Canvas c(left + width + 40, bottom + 44);
  const double end = std::max(s.end_of_all, 1.0), pixel = end / width;
  std::vector<double> busy(static_cast<std::size_t>(threads) * width, 0);
  for (std::size_t k = 0; k < s.begin.size(); ++k)
    for (int p = static_cast<int>(s.begin[k] / pixel); p < width && p * pixel < s.end[k]; ++p)
      busy[static_cast<std::size_t>(s.thread[k]) * width + static_cast<std::size_t>(p)] +=
          (std::min(s.end[k], (p + 1) * pixel) - std::max(s.begin[k], p * pixel)) / pixel;
  for (Index t = 0; t < threads; ++t) {
    const double y = top + lane * t;
    if (lane >= 14) c.text({left - 8, y + lane - 7}, "thread " + std::to_string(t), Align::right);
    const auto shade = [&](int p) {
      const auto k = static_cast<std::size_t>(t) * width + static_cast<std::size_t>(p);
      return std::lround(8 * std::min(busy[k], 1.0));
    };
    for (int p = 0, next = 0; p < width; p = next) {
      for (next = p + 1; next < width && shade(next) == shade(p);) ++next;
      const auto mix = [&](int full) {
        return static_cast<std::uint8_t>(255 - (255 - full) * shade(p) / 8);
      };
      if (shade(p) > 0)
        c.rectangle(left + p, y + 1, next - p, lane - 2, {mix(0x00), mix(0x72), mix(0xb2)});
    }
  }
  c.line({left, 1.0 * bottom}, {left + width, 1.0 * bottom}, ink);
  for (int k = 0; k <= ticks; ++k)
    c.text({left + 1.0 * width * k / ticks, bottom + 18.0}, time_text(end * k / ticks * 1e-9),
           Align::middle);
  c.text({left + width / 2.0, bottom + 36.0}, "predicted time, at 1 ns per entry", Align::middle);
  return c;
}

std::vector<std::string> row_of(Method method, const Estimate& e) {
  return {name(method),        time_text(e.total_s), time_text(e.read_s),
          time_text(e.path_s), time_text(e.task_s),  time_text(e.wake_s)};
}

// Estimated times of one solve: of the methods by rows and columns, or of the method in panels.
void add_estimates(HtmlPage& page, const Planned& t, const WorkGraph& g) {
  const Machine& machine = default_machine(MachineKind::cpu);
  std::vector<std::vector<std::string>> rows{
      {"method", "a solve", "reading", "waits", "rows and tasks", "start"}};
  if (t.in_panels()) {
    PanelFacts facts = find_panel_facts(t.plan.blocks.supernodes);
    facts.levels = g.levels;
    facts.threads = t.plan.threads;
    facts.value_bytes = t.value_bytes;
    rows.push_back(row_of(t.plan.method, estimate_panels(t.plan.method, facts, machine)));
  } else {
    RowFacts facts{.n = t.n(),
                   .nonzeros = t.plan.pattern.nonzeros(),
                   .levels = g.levels,
                   .threads = t.plan.threads,
                   .value_bytes = t.value_bytes};
    for (const Method m : {Method::serial, Method::level_row, Method::level_column,
                           Method::element_row, Method::element_column})
      rows.push_back(row_of(m, estimate_rows(m, facts, machine)));
    facts.superstep_speedup = t.plan.steps.speedup();
    if (t.plan.method == Method::superstep)
      rows.push_back(row_of(Method::superstep, estimate_rows(Method::superstep, facts, machine)));
  }
  page.add_text("Estimated for " + std::to_string(t.plan.threads) + " threads of machine " +
                machine.name + ":");
  page.add_table(rows);
}

}  // namespace

void add_pictures(HtmlPage& page, const Planned& t, const std::string& title) {
  const WorkGraph g = find_work(t);
  const LevelFacts f = find_level_facts(g);
  page.add_heading(title);
  double path = 0, all = 0;
  for (Index l = 0; l < g.levels; ++l) path += f.path[l], all += f.entries[l];
  page.add_figure(draw_work(f, t.in_panels()),
                  grouped(g.levels) +
                      " levels; the critical path, the chain of dependencies with "
                      "the most nonzeros, has " +
                      grouped(static_cast<double>(g.path.size())) +
                      (t.in_panels() ? " tasks" : " rows") + " and " + grouped(path) + " of " +
                      grouped(all) + " nonzeros" +
                      (t.in_panels() ? ", explicit zeros of panels included." : "."));
  page.add_figure(draw_cells(find_cells(t, g, 160), g.levels),
                  "The pattern, " + grouped(t.n()) +
                      " rows; from dark to light: from the first "
                      "level to the last.");
  const bool on_cpu = t.backend == Backend::cpu;
  if (!t.in_panels() && on_cpu && g.levels > 0) {
    const Spans spans = simulate_threads(t);
    page.add_figure(draw_threads(spans, std::max(t.plan.threads, Index{1})),
                    "Which thread works when, predicted from the plan; blank: waiting.");
  }
  if (on_cpu && g.levels > 0) add_estimates(page, t, g);
}

void bind_page(nb::module_& m) {
  nb::class_<HtmlPage>(m, "HtmlPage")
      .def(nb::init<std::string>())
      .def("add_heading", &HtmlPage::add_heading)
      .def("add_text", &HtmlPage::add_text)
      .def("add_table", &HtmlPage::add_table)
      .def("text", &HtmlPage::text);
}

}  // namespace echelon::python

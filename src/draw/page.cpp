// draw/page.cpp -- writes headings, tables and pictures to one HTML file.
// SPDX-License-Identifier: BSD-3-Clause
#include "base/output.hpp"
#include "draw/svg.hpp"

namespace echelon {
namespace {

// Pictures are drawn on white; dark mode inverts their lightness and keeps their hues.
constexpr const char* style = R"(
:root { color-scheme: light dark; --ink: #222; --paper: #fff; --rule: #ccc; --soft: #666; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #ddd; --paper: #111; --rule: #444; --soft: #999; }
  figure svg { filter: invert(0.93) hue-rotate(180deg); }
}
body { margin: 2rem auto; max-width: 60rem; padding: 0 1rem; background: var(--paper);
       color: var(--ink); font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2.5rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 0.15rem 0.9rem 0.15rem 0; border-bottom: 1px solid var(--rule); text-align: right; }
th:first-child, td:first-child { text-align: left; }
.wide { overflow-x: auto; } .wide td, .wide th { overflow-wrap: normal; }
figure { margin: 1.5rem 0; overflow-x: auto; } figure svg { max-width: 100%; height: auto; }
@media (max-width: 40rem) {
  figure svg { max-width: none; width: 36rem; }
  figcaption { position: sticky; left: 0; max-width: calc(100vw - 2rem); }
  th, td { padding-right: 0.5rem; font-size: 0.85rem; }
}
figcaption { color: var(--soft); font-size: 0.9rem; max-width: 46rem; }
)";

std::string element(const char* tag, const std::string& content) {
  std::string out = "<";
  return out.append(tag).append(">").append(content).append("</").append(tag).append(">");
}

}  // namespace

HtmlPage::HtmlPage(std::string title) : title_(std::move(title)) {}

void HtmlPage::add_heading(const std::string& text) {
  body_ += element("h2", escaped(text)) + "\n";
}
void HtmlPage::add_text(const std::string& text) { body_ += element("p", escaped(text)) + "\n"; }

void HtmlPage::add_table(const std::vector<std::vector<std::string>>& rows) {
  std::string all = "\n";
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::string cells;
    for (const std::string& cell : rows[r]) cells += element(r == 0 ? "th" : "td", escaped(cell));
    all += element("tr", cells) + "\n";
  }
  body_ += "<div class=\"wide\">" + element("table", all) + "</div>\n";
}

void HtmlPage::add_figure(const Canvas& canvas, const std::string& caption) {
  const std::string below = element("figcaption", escaped(caption));
  body_ += element("figure", write_svg(canvas, SvgPlace::page) + below) + "\n";
}

std::string HtmlPage::text() const {
  const std::string title = escaped(title_);
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n" +
         element("title", title) + "\n" + element("style", style) + "\n</head>\n<body>\n<main>\n" +
         element("h1", title) + "\n" + body_ + "</main>\n</body>\n</html>\n";
}

void HtmlPage::write(const std::string& path) const {
  Output out(path);
  out.write(text());
  out.close();
}

}  // namespace echelon

// cli/inspect_report.hpp -- echelon inspect --report and --pictures: the results as pictures.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <utility>
#include <vector>

#include "echelon/draw.hpp"
#include "table.hpp"

namespace echelon::cli {

struct ReportRequest {
  std::string page;     // a file; empty: none
  std::string folder;   // for pictures; empty: none
  std::string machine;  // for the forecasts; empty: cori-haswell

  bool wanted() const { return !page.empty() || !folder.empty(); }
};
void add_report_flags(CLI::App& app, ReportRequest& request);

// A triangle as N: a lower one by columns, or the transpose of an upper one.
struct DrawnTriangle {
  std::string key;    // prefix of its picture files
  std::string title;  // "L of cholmod"
  Way way = Way::forwards;
  Supernodes supernodes;
};

// Collects a page and pictures, then writes them.
class InspectReport {
 public:
  // Throws bad_file if the folder does not exist, UsageError for a machine without forecasts,
  // before any long work.
  InspectReport(ReportRequest request, const std::string& input);

  bool wanted() const { return request_.wanted(); }
  // Only factors have forecasts: throws UsageError if a machine is named.
  void refuse_machine() const;
  void add(const std::string& heading, const Table& facts);
  void add_text(const std::string& text) { page_.add_text(text); }
  // The positions of the blocks, and their number per level.
  void add_blocks(const DrawnTriangle& t);
  // The critical path, for one rank and for 16.
  void add_paths(const DrawnTriangle& t);
  // The predicted scaling on the machine's ranks, and a timeline of 16 ranks.  Both arguments are
  // the same object if U is the transpose of L.
  void add_forecasts(const Supernodes& lower, const Supernodes& upper);
  // Throws bad_file.
  void write() const;

 private:
  void add_figure(const std::string& name, Canvas canvas, const std::string& caption);

  ReportRequest request_;
  HtmlPage page_;
  std::string page_title_;
  std::vector<std::pair<std::string, Canvas>> pictures_;
};

}  // namespace echelon::cli

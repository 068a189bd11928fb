// cli/inspect_report.hpp -- echelon inspect --report and --pictures: what was found, drawn.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <utility>
#include <vector>

#include "echelon/tools/draw.hpp"
#include "table.hpp"

namespace echelon::cli {

struct ReportRequest {
  std::string page;     // a file; empty: none
  std::string folder;   // of pictures; empty: none
  std::string machine;  // of the forecasts; empty: cori-haswell

  bool wanted() const { return !page.empty() || !folder.empty(); }
};
void add_report_flags(CLI::App& app, ReportRequest& request);

// A triangle as N: a lower one by columns, or the transpose of an upper one.
struct DrawnTriangle {
  std::string key;    // begins the names of its pictures
  std::string title;  // "L of cholmod"
  Sweep sweep = Sweep::forward;
  Supernodes supernodes;
};

// A page and pictures, gathered and then written.
class InspectReport {
 public:
  // Throws bad_file where the folder is none, UsageError for a machine that nothing is forecast
  // for: before there is much to do.
  InspectReport(ReportRequest request, const std::string& input);

  bool wanted() const { return request_.wanted(); }
  // Of what is not factored there are no forecasts: throws UsageError where a machine is named.
  void refuse_machine() const;
  void add(const std::string& heading, const Table& facts);
  void add_text(const std::string& text) { page_.add_text(text); }
  // Where the blocks lie, and how many each level has.
  void add_blocks(const DrawnTriangle& t);
  // The critical path, for one rank and for 16.
  void add_paths(const DrawnTriangle& t);
  // How a solve should scale on the machine's ranks, and what 16 of them do when.  Both are one
  // object where U is the transpose of L.
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

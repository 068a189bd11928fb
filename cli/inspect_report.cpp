// cli/inspect_report.cpp -- echelon inspect --report and --pictures: what was found, drawn.
// SPDX-License-Identifier: BSD-3-Clause
#include "inspect_report.hpp"

#include <filesystem>

#include "echelon/error.hpp"

namespace echelon::cli {
namespace {

constexpr Index most_named = 64;  // supernodes: of more, the colours of ranks are but noise

std::string ranks_text(const ProcessGrid& grid) {
  if (grid.size() == 1) return "one rank";
  return std::to_string(grid.size()) + " ranks, " + std::to_string(grid.rows) + "x" +
         std::to_string(grid.cols) + ", blocks given out in turn";
}

std::string path_caption(const DrawnTriangle& t, const ProcessGrid& grid, const CriticalPath& p) {
  return "The critical path of " + t.title + " on " + ranks_text(grid) + ": " +
         grouped(p.levels()) +
         " levels of blocks; refined by what one rank must do one after the " + "other, " +
         grouped(static_cast<Offset>(p.block.size())) + " blocks are on it, " +
         grouped(p.diagonals) + " of them diagonal, with " + grouped(p.messages) + " messages.";
}

}  // namespace

void add_report_flags(CLI::App& app, ReportRequest& request) {
  app.add_option("--report", request.page, "also write all of it, with pictures, as one HTML page")
      ->type_name("FILE");
  app.add_option("--pictures", request.folder, "also write the pictures into this folder")
      ->type_name("DIR");
}

InspectReport::InspectReport(ReportRequest request, const std::string& input)
    : request_(std::move(request)), page_("echelon inspect " + input) {
  if (!request_.folder.empty() && !std::filesystem::is_directory(request_.folder))
    throw Error(ErrorCode::bad_file, request_.folder + ": there is no such folder");
}

void InspectReport::add(const std::string& heading, const Table& facts) {
  page_.add_heading(heading);
  page_.add_table(facts.rows());
}

void InspectReport::add_figure(const std::string& name, Canvas canvas, const std::string& caption) {
  page_.add_figure(canvas, caption);
  pictures_.emplace_back(name, std::move(canvas));
}

void InspectReport::add_blocks(const DrawnTriangle& t) {
  const std::string turned = t.way == Way::backwards ? ", as its transpose" : "";
  add_figure(
      t.key + "_blocks", draw_spy(t.supernodes),
      "Blocks of " + t.title + turned + ": the rows of a supernode in the columns of another.");
  add_figure(t.key + "_levels", draw_levels(t.supernodes),
             "Levels of the supernodes of " + t.title +
                 ": those of one level can be solved side by side. Values of 8 bytes.");
}

void InspectReport::add_paths(const DrawnTriangle& t) {
  for (const Index ranks : {1, 16}) {
    const BlockMap map = map_blocks(t.supernodes, square_grid(ranks), Mapping::cyclic);
    const CriticalPath path =
        find_critical_path({.supernodes = &t.supernodes, .map = &map, .way = t.way});
    const bool colored = ranks > 1 && t.supernodes.count() <= most_named;
    add_figure(t.key + "_path_" + std::to_string(ranks),
               draw_spy(t.supernodes, {.path = &path, .owners = colored ? &map : nullptr}),
               path_caption(t, map.grid, path));
  }
}

void InspectReport::write() const {
  if (!request_.page.empty()) page_.write(request_.page);
  if (request_.folder.empty()) return;
  const std::filesystem::path folder = request_.folder;
  for (const auto& [name, canvas] : pictures_)
    for (const char* end : {".svg", ".png"})
      write_picture(canvas, (folder / (name + end)).string());
}

}  // namespace echelon::cli

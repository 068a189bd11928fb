// cli/model_pictures.cpp -- draws forecasts: times over ranks, and timelines.
// SPDX-License-Identifier: BSD-3-Clause
#include "model_pictures.hpp"

#include <filesystem>
#include <map>

#include "echelon/error.hpp"
#include "usage.hpp"

namespace echelon::cli {
namespace {

// The least y for each x.
Series least_of(const std::string& label, Stroke stroke,
                const std::vector<std::pair<Index, double>>& points) {
  std::map<Index, double> least;
  for (const auto& [x, y] : points) {
    const auto [place, fresh] = least.try_emplace(x, y);
    if (!fresh) place->second = std::min(place->second, y);
  }
  Series series{label, {}, {}, stroke};
  for (const auto& [x, y] : least) {
    series.x.push_back(x);
    series.y.push_back(y);
  }
  return series;
}

}  // namespace

std::vector<std::pair<Index, double>> parse_measured(const std::string& text) {
  std::vector<std::pair<Index, double>> points;
  if (text.empty()) return points;
  for (const std::string& word : split_list("--measured", text)) {
    const std::size_t colon = word.find(':');
    if (colon == std::string::npos)
      throw UsageError("--measured is RANKS:SECONDS,..., not '" + word + "'");
    const double seconds = parse_number("--measured", word.substr(colon + 1));
    if (!(seconds > 0))
      throw UsageError("--measured: '" + word + "' is not a positive number of seconds");
    points.emplace_back(parse_count("--measured", word.substr(0, colon), 1, 1 << 20), seconds);
  }
  return points;
}

Canvas draw_trials(const std::string& title, const std::vector<Trial>& trials,
                   const std::vector<std::pair<Index, double>>& measured) {
  std::map<std::string, std::vector<std::pair<Index, double>>> model, simulated;
  std::vector<std::pair<Index, double>> bound, alone;
  for (const Trial& t : trials) {
    double least = 0;
    for (const Forecast& f : t.model) least += f.compute_least_s;
    const Index ranks = t.grid.size();
    bound.emplace_back(ranks, least);
    if (ranks == 1) {
      alone.emplace_back(ranks, t.seconds());
      continue;  // the same for all engines
    }
    model[t.engine].emplace_back(ranks, t.model_s());
    if (!t.simulation.empty()) simulated[t.engine].emplace_back(ranks, t.simulated_s());
  }
  std::vector<Series> series;
  const auto add = [&](const std::string& label, Stroke stroke, auto points) {
    points.insert(points.begin(), alone.begin(), alone.end());
    series.push_back(least_of(label, stroke, points));
  };
  for (const auto& [engine, points] : simulated) add(engine + ", simulated", Stroke::solid, points);
  for (const auto& [engine, points] : model) add(engine + ", model", Stroke::dashed, points);
  series.push_back(least_of("lower bound: reading only", Stroke::dashed, bound));
  if (!measured.empty()) series.push_back(least_of("measured", Stroke::none, measured));
  return draw_scaling(title, series);
}

void check_folder(const std::string& folder) {
  if (!std::filesystem::is_directory(folder))
    throw Error(ErrorCode::bad_file, folder + ": there is no such folder");
}

void write_to_folder(const Canvas& canvas, const std::string& folder, const std::string& name) {
  for (const char* end : {".svg", ".png"})
    write_picture(canvas, (std::filesystem::path(folder) / (name + end)).string());
}

Timeline timeline_of(const Trial& trial) {
  Timeline all;
  double begin = 0;
  for (const Simulation& s : trial.simulation) {
    for (Span span : s.timeline) {
      span.begin_s += begin;
      span.end_s += begin;
      all.push_back(span);
    }
    begin += s.span_s;
  }
  return all;
}

}  // namespace echelon::cli

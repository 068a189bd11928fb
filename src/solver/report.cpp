// solver/report.cpp -- the reports of Analysis and Solver as text.
// SPDX-License-Identifier: BSD-3-Clause
#include <iomanip>
#include <ostream>
#include <sstream>

#include "echelon/solver.hpp"
#include "echelon/tools/units.hpp"

namespace echelon {
namespace {

// The stream's own format is left as it was.
template <class Fields>
void print_lines(std::ostream& out, const Fields& fields) {
  std::ostringstream text;
  for (const auto& [key, value] : fields)
    text << "  " << std::left << std::setw(22) << key << value << '\n';
  out << text.str();
}

using Lines = std::vector<std::pair<std::string, std::string>>;

Lines lines_of(const AnalysisReport& r) {
  std::ostringstream parallelism, speedup;
  parallelism << std::setprecision(4) << r.average_parallelism;
  speedup << std::setprecision(3) << r.predicted_speedup;
  Lines lines{{"unknowns", std::to_string(r.n)},
              {"nonzeros", std::to_string(r.nnz)},
              {"levels", std::to_string(r.levels)},
              {"average parallelism", parallelism.str() + " unknowns per level"},
              {"method", std::string(name(r.method)) + ": " + r.reason},
              {"threads", std::to_string(r.threads)}};
  if (r.backend == Backend::cpu) lines.push_back({"vector unit", name(r.vector_unit)});
  if (r.backend != Backend::cpu) {
    lines.push_back({"backend", name(r.backend)});
    lines.push_back({"levels of tasks", std::to_string(r.supernodes.task_levels)});
  }
  if (r.method == Method::superstep)
    lines.push_back(
        {"supersteps", std::to_string(r.supersteps) + ", predicted speed-up " + speedup.str()});
  lines.push_back({"plan", size_text(static_cast<double>(r.plan_bytes))});
  lines.push_back({"analysis", time_text(r.analysis_s)});
  return lines;
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const AnalysisReport& report) {
  print_lines(out, lines_of(report));
  return out;
}

std::ostream& operator<<(std::ostream& out, const SolverReport& r) {
  Lines lines = lines_of(r);
  lines.push_back({"setup", time_text(r.setup_s)});
  lines.push_back({"matrix", size_text(static_cast<double>(r.bytes)) + " read by a solve"});
  lines.push_back({"workspace", size_text(static_cast<double>(r.workspace_bytes))});
  if (r.backend != Backend::cpu) {
    lines.push_back({"on the device", size_text(static_cast<double>(r.device_bytes))});
    lines.push_back({"launches", std::to_string(r.launches) + " per solve"});
  }
  print_lines(out, lines);
  return out;
}

}  // namespace echelon

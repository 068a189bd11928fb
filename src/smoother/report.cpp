// smoother/report.cpp -- names, and the reports of a smoother as text.
// SPDX-License-Identifier: BSD-3-Clause
#include <array>
#include <iomanip>
#include <ostream>
#include <sstream>

#include "echelon/smoother.hpp"
#include "echelon/tools/units.hpp"

namespace echelon {
namespace {

std::ostream& line(std::ostream& text, const char* key) {
  return text << "  " << std::left << std::setw(22) << key;
}

void print_plan(std::ostream& text, const SmootherReport& r) {
  line(text, "unknowns") << r.n << '\n';
  line(text, "nonzeros") << r.nnz << '\n';
  line(text, "sweeps") << name(r.direction) << ", "
                       << (r.vectors == 1 ? "in place" : "with a second vector") << '\n';
  line(text, "form") << name(r.form) << ": " << r.reason << '\n';
  for (std::size_t k = 0; k < r.triangles.size(); ++k) {
    const AnalysisReport& t = r.triangles[k];
    const bool backward = r.direction == Sweep::backward || k == 1;
    line(text, backward ? "backward" : "forward")
        << t.levels << " levels, " << name(t.method) << " on "
        << (t.backend == Backend::cpu ? std::to_string(t.threads) + " threads" : name(t.backend))
        << ": " << t.reason << '\n';
  }
  line(text, "plan") << size_text(static_cast<double>(r.plan_bytes)) << "\n";
  line(text, "analysis") << time_text(r.analysis_s) << '\n';
}

}  // namespace

Index SmootherReport::levels() const {
  Index sum = 0;
  for (const AnalysisReport& t : triangles) sum += t.levels;
  return sum;
}

std::ostream& operator<<(std::ostream& out, const SmootherReport& report) {
  std::ostringstream text;
  print_plan(text, report);
  return out << text.str();
}

std::ostream& operator<<(std::ostream& out, const GaussSeidelReport& r) {
  std::ostringstream text;
  print_plan(text, r);
  line(text, "setup") << time_text(r.setup_s) << '\n';
  line(text, "matrix") << size_text(static_cast<double>(r.bytes)) << " read by a sweep\n";
  line(text, "workspace") << size_text(static_cast<double>(r.workspace_bytes)) << "\n";
  return out << text.str();
}

}  // namespace echelon

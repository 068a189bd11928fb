// direct/report.cpp -- the report of a DirectSolver as text.
// SPDX-License-Identifier: BSD-3-Clause
#include <iomanip>
#include <ostream>
#include <sstream>

#include "echelon/direct.hpp"
#include "echelon/tools/units.hpp"

namespace echelon {
namespace {

void print_triangle(std::ostream& out, const char* what, const SupernodeReport& s) {
  out << "  " << std::left << std::setw(22) << what << s.nonzeros << " nonzeros, " << s.count
      << " supernodes (" << s.found << " found), widest " << s.max_panel_columns
      << (s.cut > 0 ? ", " + std::to_string(s.cut) + " cut to be inverted" : "") << '\n'
      << "  " << std::setw(22) << ""
      << "levels " << s.levels << " (" << s.levels_found << " before merging), " << s.tasks
      << " tasks in " << s.task_levels << " levels\n"
      << "  " << std::setw(22) << "" << s.explicit_zeros << " explicit zeros, " << s.stored
      << " values stored\n";
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const DirectReport& r) {
  std::ostringstream text;
  const auto line = [&](const char* key) -> std::ostream& {
    return text << "  " << std::left << std::setw(22) << key;
  };
  line("unknowns") << r.n << '\n';
  line("nonzeros") << r.nnz << " in L and U\n";
  line("factorization") << r.package << ", " << r.kind << ", order " << r.ordering << '\n';
  if (!r.factor_reason.empty()) line("chosen") << r.factor_reason << '\n';
  line("method") << name(r.method);
  if (r.upper_method != r.method) text << ", of U " << name(r.upper_method);
  text << ": " << r.reason << '\n';
  if (r.backend != Backend::cpu) line("backend") << name(r.backend) << '\n';
  line("threads") << r.threads << '\n';
  if (r.backend == Backend::cpu) line("vector unit") << name(r.vector_unit) << '\n';
  print_triangle(text, r.symmetric_storage ? "L (kept once)" : "L", r.lower);
  if (!r.symmetric_storage) print_triangle(text, "U", r.upper);
  line("uninverted blocks") << r.uninverted_blocks << ", largest growth " << std::setprecision(3)
                            << r.largest_growth << '\n';
  const auto size = [](Offset bytes) { return size_text(static_cast<double>(bytes)); };
  line("stored") << size(r.stored_bytes) << (r.low_precision ? ", in low precision" : "")
                 << ", workspace " << size(r.workspace_bytes) << "\n";
  line("read by a solve") << "L " << size(r.lower_bytes) << ", U " << size(r.upper_bytes) << "\n";
  if (r.backend != Backend::cpu) {
    line("on the device") << size(r.device_bytes) << "\n";
    line("launches") << "L " << r.lower_launches << ", U " << r.upper_launches << '\n';
  }
  line("analysis") << time_text(r.analysis_s) << '\n';
  line("setup") << time_text(r.setup_s) << '\n';
  return out << text.str();
}

}  // namespace echelon

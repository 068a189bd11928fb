// direct/report.cpp -- the report of a DirectSolver as text.
// SPDX-License-Identifier: BSD-3-Clause
#include <iomanip>
#include <ostream>
#include <sstream>

#include "echelon/direct.hpp"

namespace echelon {
namespace {

void print_triangle(std::ostream& out, const char* what, const SupernodeReport& s) {
  out << "  " << std::left << std::setw(22) << what << s.nonzeros << " nonzeros, " << s.count
      << " supernodes (" << s.found << " found), widest " << s.max_panel_columns << '\n'
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
  line("method") << name(r.method) << ": " << r.reason << '\n';
  if (r.backend != Backend::cpu) line("backend") << name(r.backend) << '\n';
  line("threads") << r.threads << '\n';
  if (r.backend == Backend::cpu) line("vector unit") << name(r.vector_unit) << '\n';
  print_triangle(text, r.symmetric_storage ? "L (kept once)" : "L", r.lower);
  if (!r.symmetric_storage) print_triangle(text, "U", r.upper);
  line("uninverted blocks") << r.uninverted_blocks << ", largest growth " << std::setprecision(3)
                            << r.largest_growth << '\n';
  text << std::fixed << std::setprecision(1);
  line("stored") << static_cast<double>(r.stored_bytes) / 1e6 << " MB"
                 << (r.low_precision ? ", in low precision" : "") << ", workspace "
                 << static_cast<double>(r.workspace_bytes) / 1e6 << " MB\n";
  line("read by a solve") << "L " << static_cast<double>(r.lower_bytes) / 1e6 << " MB, U "
                          << static_cast<double>(r.upper_bytes) / 1e6 << " MB\n";
  if (r.backend != Backend::cpu) {
    line("on the device") << static_cast<double>(r.device_bytes) / 1e6 << " MB\n";
    line("launches") << "L " << r.lower_launches << ", U " << r.upper_launches << '\n';
  }
  line("analysis") << r.analysis_s * 1e3 << " ms\n";
  line("setup") << r.setup_s * 1e3 << " ms\n";
  return out << text.str();
}

}  // namespace echelon

// exec/mpi/mpi_report.cpp -- names of the engines, and the report as text.
// SPDX-License-Identifier: BSD-3-Clause
#include <ostream>

#include "distributed/report_text.hpp"
#include "echelon/mpi.hpp"

namespace echelon {

std::ostream& operator<<(std::ostream& out, const Shown& shown) {
  return out << shown.s.least / shown.unit << " / " << shown.s.mean / shown.unit << " / "
             << shown.s.most / shown.unit;
}

void print_setup(std::ostream& out, const RankReport& r, const std::string& how) {
  out << r.package << ", " << r.kind << ", order " << r.ordering << ", n = " << r.n << "\n"
      << r.ranks << " ranks, " << r.grid.rows << "x" << r.grid.cols << ", " << name(r.mapping)
      << ", " << how << ", " << name(r.tree) << " trees\n"
      << r.supernodes << " blocks of columns in " << r.levels << " levels, " << r.entries
      << " entries\n"
      << "values, MB a rank (least / mean / most): " << Shown{r.stored_bytes, 1e6} << "\n"
      << "analysis: " << r.analysis_s << " s, setup: " << r.setup_s << " s\n";
}

void print_messages(std::ostream& out, const RankReport& r) {
  const auto each = static_cast<double>(r.solves);
  out << "messages a solve: " << Shown{r.messages, each}
      << "; bytes in them: " << Shown{r.message_bytes, each} << "\n";
}

std::ostream& operator<<(std::ostream& out, const MpiReport& r) {
  print_setup(out, r, std::string("engine ") + name(r.engine));
  if (r.solves == 0) return out;
  const auto each = static_cast<double>(r.solves);
  out << "a solve, ms: " << Shown{r.solve_s, 1e-3 * each}
      << "; computing: " << Shown{r.compute_s, 1e-3 * each}
      << "; communicating: " << Shown{r.communicate_s, 1e-3 * each} << "\n";
  print_messages(out, r);
  return out;
}

}  // namespace echelon

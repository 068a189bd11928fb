// exec/mpi/mpi_report.cpp -- names of the engines, and the report as text.
// SPDX-License-Identifier: BSD-3-Clause
#include <ostream>
#include <sstream>

#include "distributed/report_text.hpp"
#include "echelon/mpi.hpp"
#include "echelon/tools/units.hpp"

namespace echelon {

namespace {

template <class Text>
std::string spread_text(const Spread& s, double each, const Text& text) {
  return text(s.least / each) + " / " + text(s.mean / each) + " / " + text(s.most / each);
}

}  // namespace

std::string times_text(const Spread& s, double each) { return spread_text(s, each, time_text); }
std::string sizes_text(const Spread& s, double each) { return spread_text(s, each, size_text); }
std::string numbers_text(const Spread& s, double each) {
  return spread_text(s, each, [](double value) {
    std::ostringstream text;
    text << value;
    return text.str();
  });
}

void print_setup(std::ostream& out, const RankReport& r, const std::string& how) {
  out << r.package << ", " << r.kind << ", order " << r.ordering << ", n = " << r.n << "\n"
      << r.ranks << " ranks, " << r.grid.rows << "x" << r.grid.cols << ", " << name(r.mapping)
      << ", " << how << ", " << name(r.tree) << " trees\n"
      << r.supernodes << " blocks of columns in " << r.levels << " levels, " << r.entries
      << " entries";
  if (r.nnz > 0) out << ", " << r.nnz << " nonzeros in L and U";
  out << "\nvalues per rank (least / mean / most): " << sizes_text(r.stored_bytes, 1) << "\n"
      << "analysis: " << time_text(r.analysis_s) << ", setup: " << time_text(r.setup_s) << "\n";
}

void print_messages(std::ostream& out, const RankReport& r) {
  const auto each = static_cast<double>(r.solves);
  out << "messages per solve: " << numbers_text(r.messages, each) << "; in them "
      << sizes_text(r.message_bytes, each) << "\n";
}

std::ostream& operator<<(std::ostream& out, const MpiReport& r) {
  print_setup(out, r, std::string("engine ") + name(r.engine));
  if (r.solves == 0) return out;
  const auto each = static_cast<double>(r.solves);
  out << "per solve: " << times_text(r.solve_s, each)
      << "; computing: " << times_text(r.compute_s, each)
      << "; communicating: " << times_text(r.communicate_s, each) << "\n";
  print_messages(out, r);
  return out;
}

}  // namespace echelon

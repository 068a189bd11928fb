// exec/nvshmem/nvshmem_report.cpp -- names of the designs, and the report as text.
// SPDX-License-Identifier: BSD-3-Clause
#include <ostream>

#include "distributed/report_text.hpp"
#include "echelon/nvshmem.hpp"
#include "echelon/tools/units.hpp"

namespace echelon {

std::ostream& operator<<(std::ostream& out, const NvshmemReport& r) {
  print_setup(out, r, std::string("design ") + name(r.design));
  const auto each = static_cast<double>(r.solves);
  if (r.solves > 0) {
    out << "per solve, in kernels: " << times_text(r.solve_s, each) << "\n";
    print_messages(out, r);
  }
  out << "NVSHMEM " << r.library << "\n";
  for (std::size_t k = 0; k < r.pes.size(); ++k) {
    const PeReport& p = r.pes[k];
    out << "PE " << k << ": " << p.device << ", " << p.multiprocessors << " multiprocessors, "
        << p.blocks << " blocks, " << size_text(static_cast<double>(p.stored_bytes))
        << " of values, " << size_text(static_cast<double>(p.symmetric_bytes)) << " symmetric";
    if (r.solves > 0)
      out << "; per solve: " << time_text(p.solve_s / each) << ", "
          << static_cast<double>(p.messages) / each << " messages, "
          << size_text(static_cast<double>(p.message_bytes) / each) << " in them";
    out << "\n";
  }
  return out;
}

}  // namespace echelon

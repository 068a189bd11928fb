// exec/nvshmem/nvshmem_report.cpp -- names of the designs, and the report as text.
// SPDX-License-Identifier: BSD-3-Clause
#include <ostream>

#include "distributed/report_text.hpp"
#include "echelon/nvshmem.hpp"

namespace echelon {

const char* name(Design design) noexcept {
  switch (design) {
    case Design::persistent:
      return "persistent";
    case Design::coupled:
      return "coupled";
    default:
      return "automatic";
  }
}

std::ostream& operator<<(std::ostream& out, const NvshmemReport& r) {
  print_setup(out, r, std::string("design ") + name(r.design));
  const auto each = static_cast<double>(r.solves);
  if (r.solves > 0) {
    out << "a solve, ms in kernels: " << Shown{r.solve_s, 1e-3 * each} << "\n";
    print_messages(out, r);
  }
  out << "NVSHMEM " << r.library << "\n";
  for (std::size_t k = 0; k < r.pes.size(); ++k) {
    const PeReport& p = r.pes[k];
    out << "PE " << k << ": " << p.device << ", " << p.multiprocessors << " multiprocessors, "
        << p.blocks << " blocks, " << static_cast<double>(p.stored_bytes) / 1e6 << " MB of values, "
        << static_cast<double>(p.symmetric_bytes) / 1e6 << " MB symmetric";
    if (r.solves > 0)
      out << "; a solve: " << p.solve_s * 1e3 / each << " ms, "
          << static_cast<double>(p.messages) / each << " messages, "
          << static_cast<double>(p.message_bytes) / each << " bytes in them";
    out << "\n";
  }
  return out;
}

}  // namespace echelon

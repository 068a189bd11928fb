// batch/report.cpp -- the report of a batch as text.
// SPDX-License-Identifier: BSD-3-Clause
#include <iomanip>
#include <ostream>
#include <sstream>

#include "echelon/batch.hpp"
#include "echelon/tools/units.hpp"

namespace echelon {

std::ostream& operator<<(std::ostream& out, const BatchReport& r) {
  std::ostringstream text;
  const auto line = [&](const char* key) -> std::ostream& {
    return text << "  " << std::left << std::setw(22) << key;
  };
  const auto size = [](Offset bytes) { return size_text(static_cast<double>(bytes)); };
  line("systems") << r.count << '\n';
  line("unknowns") << r.n << " each\n";
  line("nonzeros") << r.nnz << " each\n";
  line("form") << name(r.form) << ": " << r.reason << '\n';
  line("side by side") << r.width << '\n';
  if (r.backend == Backend::cpu) {
    line("threads") << r.threads << '\n';
    line("vector unit") << name(r.vector_unit) << '\n';
  } else {
    line("backend") << name(r.backend) << '\n';
  }
  line("plan") << size(r.plan_bytes) << '\n';
  line("analysis") << time_text(r.analysis_s) << '\n';
  line("setup") << time_text(r.setup_s) << '\n';
  if (r.refused > 0) line("refused") << r.refused << " systems: see failed()\n";
  line("matrices") << size(r.bytes) << " read by a solve\n";
  line("workspace") << size(r.workspace_bytes) << '\n';
  if (r.backend != Backend::cpu) line("on the device") << size(r.device_bytes) << '\n';
  return out << text.str();
}

}  // namespace echelon

// cli/open_machine.cpp -- opens the machine of a flag: a built-in name or a file.
// SPDX-License-Identifier: BSD-3-Clause
#include "open_machine.hpp"

#include <algorithm>
#include <filesystem>

#include "usage.hpp"

namespace echelon::cli {

Machine open_machine(const std::string& name) {
  const std::vector<std::string> known = known_machines();
  std::string list;
  for (const std::string& one : known) list += (list.empty() ? "" : ", ") + one;
  if (name.empty())
    throw UsageError("--machine is missing: " + list +
                     ", or a file that echelon calibrate has written");
  if (std::find(known.begin(), known.end(), name) != known.end()) return known_machine(name);
  if (!std::filesystem::exists(name))
    throw UsageError("--machine '" + name + "' is neither a file nor one of " + list +
                     suggestion(name, known));
  return read_machine(name);
}

}  // namespace echelon::cli

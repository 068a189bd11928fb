// base/options.cpp -- options set by name, and those that follow from others.
// SPDX-License-Identifier: BSD-3-Clause
#include "echelon/options.hpp"

#include <string>
#include <vector>

#include "base/refuse.hpp"
#include "echelon/tools/near_names.hpp"
#include "echelon/tools/set_by_name.hpp"

namespace echelon {
SupernodeOptions for_tiles(SupernodeOptions s) {
  const auto unless_set = [&](auto SupernodeOptions::*option, auto value) {
    if (s.*option == SupernodeOptions().*option) s.*option = value;
  };
  unless_set(&SupernodeOptions::merge_zeros, 0.9);
  unless_set(&SupernodeOptions::panel_work, 10000.0);
  unless_set(&SupernodeOptions::level_work, 100000.0);
  unless_set(&SupernodeOptions::merge_siblings, true);
  unless_set(&SupernodeOptions::max_panel_columns, Index{4096});
  unless_set(&SupernodeOptions::subtree_share, 0.0);
  return s;
}

SupernodeOptions supernode_options(const Options& o, Method method) {
  return o.backend == Backend::cuda && method == Method::tree ? for_tiles(o.supernode)
                                                              : o.supernode;
}

void refuse_option(std::string_view path, const std::vector<std::string>& all) {
  std::vector<std::string> names = near_names(path, all);
  if (names.empty()) names = all;
  std::string near;
  for (const std::string& known : names) near += (near.empty() ? "" : ", ") + known;
  refuse("there is no option '" + std::string(path) + "'; near it are: " + near);
}

void set_option(Options& options, std::string_view path, std::string_view text) {
  set_by_name(options, path, text);
}

}  // namespace echelon

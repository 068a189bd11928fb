// cli/profile.hpp -- where the time of a solve on a device went, step by step.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "echelon/direct.hpp"
#include "json.hpp"

namespace echelon::cli {

struct ProfileStep {
  const char* name;
  double seconds;
};
using Profile = std::vector<ProfileStep>;

Profile steps_of(const SolveProfile& p);
Profile steps_of(const DirectProfile& p);

// The medians of `repeat` profiles, after one to warm up.
Profile find_profile(Index repeat, const std::function<Profile()>& profile);

Json to_json(const Profile& profile);             // null if there are no steps
std::string description(const Profile& profile);  // one line for people, in microseconds

}  // namespace echelon::cli

// cli/profile.hpp -- times of the steps of a solve on a device.
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

// The medians of `repeat` profiles, after one warm-up.
Profile find_profile(Index repeat, const std::function<Profile()>& profile);

Json to_json(const Profile& profile);             // null if there are no steps
std::string description(const Profile& profile);  // one line of text, in microseconds

}  // namespace echelon::cli

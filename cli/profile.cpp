// cli/profile.cpp -- times of the steps of a solve on a device.
// SPDX-License-Identifier: BSD-3-Clause
#include "profile.hpp"

#include "table.hpp"
#include "timing.hpp"

namespace echelon::cli {

Profile steps_of(const SolveProfile& p) {
  return {{"copy_in", p.copy_in_s}, {"kernel", p.solve_s}, {"copy_out", p.copy_out_s}};
}

Profile steps_of(const DirectProfile& p) {
  return {{"copy_in", p.copy_in_s},  {"permute_in", p.permute_in_s},
          {"lower", p.lower_s},      {"diagonal", p.diagonal_s},
          {"upper", p.upper_s},      {"permute_out", p.permute_out_s},
          {"copy_out", p.copy_out_s}};
}

Profile find_profile(Index repeat, const std::function<Profile()>& profile) {
  Profile medians = profile();
  std::vector<std::vector<double>> seconds(medians.size());
  for (Index k = 0; k < repeat; ++k) {
    const Profile one = profile();
    for (std::size_t s = 0; s < one.size(); ++s) seconds[s].push_back(one[s].seconds);
  }
  for (std::size_t s = 0; s < medians.size(); ++s)
    medians[s].seconds = find_spread(std::move(seconds[s])).median;
  return medians;
}

Json to_json(const Profile& profile) {
  if (profile.empty()) return {};
  Json json = Json::object();
  for (const ProfileStep& step : profile) json.set(std::string(step.name) + "_s", step.seconds);
  return json;
}

std::string description(const Profile& profile) {
  std::string text;
  for (const ProfileStep& step : profile) {
    std::string words = step.name;
    for (char& c : words)
      if (c == '_') c = ' ';
    text += (text.empty() ? "" : ", ") + words + ' ' + time_text(step.seconds);
  }
  return text;
}

}  // namespace echelon::cli

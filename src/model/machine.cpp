// model/machine.cpp -- evaluates a machine's numbers: bandwidth curves and message times.
// SPDX-License-Identifier: BSD-3-Clause
#include "echelon/tools/machine.hpp"

#include <algorithm>
#include <cmath>

#include "echelon/error.hpp"

namespace echelon {

double Curve::at(double place) const {
  if (x.empty()) return 0;
  if (!(place > x.front())) return y.front();
  if (place >= x.back()) return y.back();
  const auto after = std::upper_bound(x.begin(), x.end(), place);
  const auto k = static_cast<std::size_t>(after - x.begin());
  const double share = std::log(place / x[k - 1]) / std::log(x[k] / x[k - 1]);
  return y[k - 1] + share * (y[k] - y[k - 1]);
}

double MessageCost::transfer_s(double bytes) const {
  if (seconds.empty()) return 0;
  const double rounded = std::exp2(std::ceil(std::log2(std::max(bytes, 1.0))));
  const auto& [x, y] = seconds;
  const std::size_t last = x.size() - 1;
  double time = seconds.at(rounded);
  if (rounded > x[last]) {
    const double slope =
        last > 0 ? (y[last] - y[last - 1]) / (x[last] - x[last - 1]) : y[last] / x[last];
    time += std::max(slope, 0.0) * (rounded - x[last]);
  }
  return std::max(time - latency_s(), 0.0);
}

double Machine::read_speed(double bytes, Index ranks) const {
  const double alone = read_alone.at(bytes);
  if (read_shared.empty() || ranks <= 1 || node_ranks <= 1) return alone;
  const double shared = read_shared.at(bytes);
  if (ranks >= node_ranks) return shared;
  // The total bandwidth grows with the number of ranks up to the limit of the node.
  return std::min(alone, shared * node_ranks / ranks);
}

const MessageCost& Machine::message(const std::string& engine, bool same_node) const {
  const auto found = messages.find(engine);
  if (found == messages.end()) {
    std::string known;
    for (const auto& [other, cost] : messages) known += (known.empty() ? "" : ", ") + other;
    throw Error(ErrorCode::bad_argument, "machine '" + name + "' has no messages of engine '" +
                                             engine + "'; it has " +
                                             (known.empty() ? "none" : known));
  }
  const Messages& m = found->second;
  return (same_node && !m.node.seconds.empty()) || m.network.seconds.empty() ? m.node : m.network;
}

}  // namespace echelon

// cli/device_facts.cpp -- the device on which a measurement was made.
// SPDX-License-Identifier: BSD-3-Clause
#include "device_facts.hpp"

#include "table.hpp"

namespace echelon::cli {

std::optional<DeviceFacts> find_device_facts(Backend backend) {
  if (backend == Backend::cpu) return std::nullopt;
  const DeviceReport device = find_device();
  return DeviceFacts{device, measure_copy_bandwidth()};
}

Json to_json(const std::optional<DeviceFacts>& facts) {
  if (!facts) return {};
  const DeviceReport& d = facts->device;
  return Json::object()
      .set("name", d.name)
      .set("compute_capability", d.compute_capability)
      .set("driver", d.driver)
      .set("runtime", d.runtime)
      .set("memory_bytes", d.memory_bytes)
      .set("l2_bytes", d.l2_bytes)
      .set("multiprocessors", d.multiprocessors)
      .set("copy_gb_per_s", facts->copy_bandwidth / 1e9);
}

std::string description(const DeviceFacts& facts) {
  const DeviceReport& d = facts.device;
  return d.name + ", compute capability " + d.compute_capability + ", " +
         grouped(d.multiprocessors) + " multiprocessors, CUDA driver " + d.driver + ", copies " +
         digits(facts.copy_bandwidth / 1e9) + " GB/s";
}

}  // namespace echelon::cli

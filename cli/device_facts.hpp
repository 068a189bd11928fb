// cli/device_facts.hpp -- the device on which a measurement was made.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

#include "echelon/device.hpp"
#include "json.hpp"

namespace echelon::cli {

struct DeviceFacts {
  DeviceReport device;
  double copy_bandwidth = 0;  // bytes per second, read plus written
};

// The device of backend cuda; none for the CPU.  Throws backend_missing.
std::optional<DeviceFacts> find_device_facts(Backend backend);

Json to_json(const std::optional<DeviceFacts>& facts);  // null if there is none
std::string description(const DeviceFacts& facts);      // one line of text

}  // namespace echelon::cli

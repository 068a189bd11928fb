// cli/device_facts.hpp -- the device a measurement was made on.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

#include "echelon/device.hpp"
#include "json.hpp"

namespace echelon::cli {

struct DeviceFacts {
  DeviceReport device;
  double copy_bandwidth = 0;  // bytes a second, read and written
};

// Of the device that backend cuda runs on; none for the CPU.  Throws backend_missing.
std::optional<DeviceFacts> find_device_facts(Backend backend);

Json to_json(const std::optional<DeviceFacts>& facts);  // null where there are none
std::string description(const DeviceFacts& facts);      // one line for people

}  // namespace echelon::cli

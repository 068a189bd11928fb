// exec/cuda/runtime/device.cpp -- the current device, its properties, and memory on it.
// SPDX-License-Identifier: BSD-3-Clause
#include "echelon/device.hpp"

#include "echelon/executor.hpp"
#include "exec/cuda/runtime/device_array.cuh"
#include "exec/cuda/runtime/enter_device.hpp"
#include "exec/cuda/runtime/require_device.hpp"

namespace echelon {
namespace {

// 12080 is 12.8.
std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

// Throws bad_argument unless the device exists.
void require_number(Index device) {
  const Index count = count_devices();
  if (device < 0 || device >= count)
    throw Error(ErrorCode::bad_argument, "there is no device " + std::to_string(device) +
                                             "; those from 0 to " + std::to_string(count - 1) +
                                             " can be used");
}

struct DeviceCalls {
  int current() const {
    int device = 0;
    check_cuda(cudaGetDevice(&device), "cudaGetDevice");
    return device;
  }
  void use(int device) const {
    const cudaError_t status = cudaSetDevice(device);
    if (status == cudaErrorInvalidDevice) require_number(device);
    check_cuda(status, "cudaSetDevice");
  }
  void go_back(int device) const noexcept { cudaSetDevice(device); }
};

}  // namespace

bool has_cuda() noexcept { return true; }

Index count_devices() noexcept { return cuda_devices(); }

Index choose_device(Index wanted) {
  if (count_devices() == 0) return wanted;
  if (wanted == nowhere) return DeviceCalls().current();
  require_number(wanted);
  return wanted;
}

DeviceScope::DeviceScope(Index device) : before_(enter_device(DeviceCalls(), device)) {}
DeviceScope::~DeviceScope() { leave_device(DeviceCalls(), before_); }

DeviceReport find_device() {
  require_device();
  int device = 0, driver = 0, runtime = 0;
  cudaDeviceProp properties{};
  std::size_t free = 0, total = 0;
  check_cuda(cudaGetDevice(&device), "cudaGetDevice");
  check_cuda(cudaGetDeviceProperties(&properties, device), "cudaGetDeviceProperties");
  check_cuda(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
  check_cuda(cudaDriverGetVersion(&driver), "cudaDriverGetVersion");
  check_cuda(cudaRuntimeGetVersion(&runtime), "cudaRuntimeGetVersion");
  DeviceReport report;
  report.name = properties.name;
  report.compute_capability =
      std::to_string(properties.major) + "." + std::to_string(properties.minor);
  report.driver = version_text(driver);
  report.runtime = version_text(runtime);
  report.memory_bytes = static_cast<Offset>(total);
  report.free_bytes = static_cast<Offset>(free);
  report.l2_bytes = properties.l2CacheSize;
  report.multiprocessors = properties.multiProcessorCount;
  return report;
}

Offset shared_memory_of_device(Index device) noexcept {
  int bytes = 0;
  if ((device >= 0 || cudaGetDevice(&device) == cudaSuccess) &&
      cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device) ==
          cudaSuccess)
    return bytes;
  cudaGetLastError();
  return 0;
}

bool is_on_device(const void* p) {
  cudaPointerAttributes attributes{};
  if (cudaPointerGetAttributes(&attributes, p) == cudaSuccess)
    return attributes.type == cudaMemoryTypeDevice || attributes.type == cudaMemoryTypeManaged;
  cudaGetLastError();
  return false;
}

bool is_on_this_device(const void* p) {
  cudaPointerAttributes attributes{};
  if (cudaPointerGetAttributes(&attributes, p) != cudaSuccess) {
    cudaGetLastError();
    return false;
  }
  const int here = DeviceCalls().current();
  if (attributes.type == cudaMemoryTypeDevice && attributes.device != here)
    throw Error(ErrorCode::bad_argument, "a vector lies on device " +
                                             std::to_string(attributes.device) +
                                             ", the solver on device " + std::to_string(here));
  return attributes.type == cudaMemoryTypeDevice || attributes.type == cudaMemoryTypeManaged;
}

// CUDA frees memory whichever device is current.
struct DeviceMemory::State {
  Index device;
  DeviceArray<std::byte> array;
};

DeviceMemory::DeviceMemory(std::size_t bytes) {
  if (bytes == 0) return;
  require_device();
  state_ = std::make_unique<State>(State{choose_device(), DeviceArray<std::byte>(bytes)});
}
DeviceMemory::DeviceMemory(DeviceMemory&&) noexcept = default;
DeviceMemory& DeviceMemory::operator=(DeviceMemory&&) noexcept = default;
DeviceMemory::~DeviceMemory() = default;

void* DeviceMemory::data() const { return state_ ? state_->array.data() : nullptr; }
std::size_t DeviceMemory::bytes() const { return state_ ? state_->array.bytes() : 0; }

void DeviceMemory::load(const void* host, std::size_t bytes) {
  require_bytes(bytes);
  if (!state_) return;
  const DeviceScope there(state_->device);
  state_->array.load({static_cast<const std::byte*>(host), bytes});
}

void DeviceMemory::store(void* host, std::size_t bytes) const {
  require_bytes(bytes);
  if (!state_) return;
  const DeviceScope there(state_->device);
  check_cuda(cudaMemcpy(host, data(), bytes, cudaMemcpyDeviceToHost), "cudaMemcpy");
}

void DeviceMemory::require_bytes(std::size_t given) const {
  if (given != bytes())
    throw Error(ErrorCode::bad_argument, std::to_string(given) + " bytes to copy for " +
                                             std::to_string(bytes()) + " on the device");
}

}  // namespace echelon

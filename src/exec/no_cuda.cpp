// exec/no_cuda.cpp -- stubs of the CUDA backend for builds without it: they throw backend_missing.
// SPDX-License-Identifier: BSD-3-Clause
#include "base/instantiate.hpp"
#include "echelon/device.hpp"
#include "exec/batch_executors.hpp"
#include "exec/executors.hpp"

namespace echelon {
namespace {

[[noreturn]] void refuse() {
  throw Error(ErrorCode::backend_missing,
              "this library was built without CUDA: configure with -DECHELON_WITH_CUDA=ON");
}

}  // namespace

template <Scalar T>
std::unique_ptr<Executor<T>> make_cuda_executor(Method) {
  refuse();
}
template <Scalar T>
std::unique_ptr<PermuteScale<T>> make_cuda_permute_scale(const Factors<T>&, Index) {
  refuse();
}
template <Scalar T>
std::unique_ptr<DeviceSpmv<T>> make_cuda_device_spmv() {
  refuse();
}

template <Scalar T>
std::unique_ptr<BatchExecutor<T>> make_cuda_batch(std::shared_ptr<const BatchPlan>, Index, Index,
                                                  const Options&) {
  refuse();
}

bool has_cuda() noexcept { return false; }
DeviceReport find_device() { refuse(); }
Offset shared_memory_of_device(Index) noexcept { return 0; }
bool is_on_device(const void*) { return false; }
bool is_on_this_device(const void*) { return false; }
bool is_capturing(void*) { return false; }
Index count_devices() noexcept { return 0; }
Index choose_device(Index wanted) { return wanted; }
DeviceScope::DeviceScope(Index) {}
DeviceScope::~DeviceScope() { static_cast<void>(before_); }  // clang warns of unused fields
double measure_copy_bandwidth() { refuse(); }
DeviceSpeeds measure_device() { refuse(); }
std::vector<double> time_on_device(int, int, const std::function<void(void*)>&) { refuse(); }
std::vector<double> time_graph(int, int, const std::function<void(void*)>&) { refuse(); }

struct StreamOrder::State {};
StreamOrder::StreamOrder() { refuse(); }
StreamOrder::~StreamOrder() = default;
StreamTurn::StreamTurn(const StreamOrder*, void*) : order_(nullptr), stream_(nullptr) {}
StreamTurn::~StreamTurn() { static_cast<void>(order_), static_cast<void>(stream_); }

struct DeviceMarks::State {};
DeviceMarks::DeviceMarks(std::size_t) { refuse(); }
DeviceMarks::~DeviceMarks() = default;
void DeviceMarks::mark(int, void*) { refuse(); }
std::vector<double> DeviceMarks::take(int) { refuse(); }

// Only empty allocations succeed.
struct DeviceMemory::State {};
DeviceMemory::DeviceMemory(std::size_t bytes) {
  if (bytes > 0) refuse();
}
DeviceMemory::DeviceMemory(DeviceMemory&&) noexcept = default;
DeviceMemory& DeviceMemory::operator=(DeviceMemory&&) noexcept = default;
DeviceMemory::~DeviceMemory() = default;
void* DeviceMemory::data() const { return nullptr; }
std::size_t DeviceMemory::bytes() const { return 0; }
void DeviceMemory::load(const void*, std::size_t) { refuse(); }
void DeviceMemory::store(void*, std::size_t) const { refuse(); }

#define ECHELON_INSTANTIATE(T)                                                                 \
  template std::unique_ptr<Executor<T>> make_cuda_executor(Method);                            \
  template std::unique_ptr<PermuteScale<T>> make_cuda_permute_scale(const Factors<T>&, Index); \
  template std::unique_ptr<DeviceSpmv<T>> make_cuda_device_spmv();                             \
  template std::unique_ptr<BatchExecutor<T>> make_cuda_batch(std::shared_ptr<const BatchPlan>, \
                                                             Index, Index, const Options&);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon

// exec/nvshmem/sm_partition.cpp -- a part of a GPU, as a green context of the CUDA driver.
// SPDX-License-Identifier: BSD-3-Clause
#include "exec/nvshmem/sm_partition.hpp"

#include <cuda.h>

#include <cstdlib>
#include <string_view>
#include <type_traits>
#include <vector>

#include "exec/cuda/runtime/resident_blocks.cuh"

namespace echelon {
namespace {

// A function of the driver, loaded by name; null: the driver is too old.
template <class Function>
Function* find_in_driver(const char* name) {
  void* found = nullptr;
  cudaDriverEntryPointQueryResult result{};
  const cudaError_t error =
      cudaGetDriverEntryPointByVersion(name, &found, CUDART_VERSION, cudaEnableDefault, &result);
  if (error != cudaSuccess) cudaGetLastError();  // clears the error
  return error == cudaSuccess && result == cudaDriverEntryPointSuccess
             ? reinterpret_cast<Function*>(found)
             : nullptr;
}
#define ECHELON_DRIVER(name) find_in_driver<std::remove_pointer_t<decltype(&name)>>(#name)

bool told_by_mps() {
  const char* const percentage = std::getenv("CUDA_MPS_ACTIVE_THREAD_PERCENTAGE");
  return percentage != nullptr && std::string_view(percentage) != "100";
}

// Equal, disjoint parts of the device, the same in every process; empty if not possible. Thread
// block clusters are not used here, so any multiprocessors can form a part.
std::vector<CUdevResource> divide(CUdevice device, unsigned parts) {
  const auto resource = ECHELON_DRIVER(cuDeviceGetDevResource);
  const auto split = ECHELON_DRIVER(cuDevSmResourceSplitByCount);
  CUdevResource all{};
  if (!resource || !split || resource(device, &all, CU_DEV_RESOURCE_TYPE_SM) != CUDA_SUCCESS)
    return {};
  for (unsigned most = all.sm.smCount / parts; most > 0; --most) {  // the driver rounds counts up
    std::vector<CUdevResource> found(parts);
    unsigned count = parts;
    if (split(found.data(), &count, &all, nullptr, CU_DEV_SM_RESOURCE_SPLIT_IGNORE_SM_COSCHEDULING,
              most) == CUDA_SUCCESS &&
        count == parts)
      return found;
  }
  return {};
}

}  // namespace

SmPartition::SmPartition(Index place, Index parts) {
  if (parts < 2 || told_by_mps()) return;
  const auto describe = ECHELON_DRIVER(cuDevResourceGenerateDesc);
  const auto create = ECHELON_DRIVER(cuGreenCtxCreate);
  CUdevice device = 0;
  check_cuda(cudaGetDevice(&device), "cudaGetDevice");
  std::vector<CUdevResource> found = divide(device, static_cast<unsigned>(parts));
  if (!describe || !create || found.empty()) return;
  CUdevResource& mine = found[static_cast<std::size_t>(place)];
  CUdevResourceDesc description{};
  CUgreenCtx context{};
  if (describe(&description, &mine, 1) != CUDA_SUCCESS ||
      create(&context, description, device, CU_GREEN_CTX_DEFAULT_STREAM) != CUDA_SUCCESS)
    return;
  context_ = context;
  multiprocessors_ = static_cast<Index>(mine.sm.smCount);
}

Index SmPartition::multiprocessors() const {
  return context_ ? multiprocessors_ : device_attribute(cudaDevAttrMultiProcessorCount);
}

cudaStream_t SmPartition::make_stream(StreamPriority priority) const {
  int least = 0, greatest = 0;
  check_cuda(cudaDeviceGetStreamPriorityRange(&least, &greatest), "stream priorities");
  const int level = priority == StreamPriority::urgent ? greatest : least;
  cudaStream_t stream = nullptr;
  if (!context_) {
    check_cuda(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, level),
               "cudaStreamCreate");
    return stream;
  }
  const auto create = ECHELON_DRIVER(cuGreenCtxStreamCreate);
  if (!create || create(&stream, context_, CU_STREAM_NON_BLOCKING, level) != CUDA_SUCCESS)
    throw Error(ErrorCode::backend_failed, "a stream on part of the GPU: cuGreenCtxStreamCreate");
  return stream;
}

#undef ECHELON_DRIVER

}  // namespace echelon

// exec/nvshmem/pe.cpp -- starts NVSHMEM once per process and ends it with MPI; allocates memory of
// its symmetric heap.
// SPDX-License-Identifier: BSD-3-Clause
//
// NVSHMEM prints a message and calls exit() when it cannot continue.  So everything that can be
// checked is checked before: GPU, version, ranks.  All PEs agree on each step before the next
// begins.
#include "exec/nvshmem/pe.hpp"

#include <dlfcn.h>
#include <nvshmem_host.h>

#include <cstdlib>
#include <cstring>
#include <vector>

#include "echelon/device.hpp"
#include "exec/cuda/runtime/check.cuh"

namespace echelon {
namespace {

// The state that the first solver of the process creates.
struct Started {
  bool running = false;
  bool abandoned = false;  // the PEs can no longer synchronize
  MPI_Group ranks = MPI_GROUP_NULL;
  Index gpu = -1;       // CUDA's number
  Index on_device = 1;  // PEs on this GPU
  SmPartition device;
};
Started& started() {
  static Started state;
  return state;
}

struct Version {
  int major = 0, minor = 0, patch = 0;
  friend auto operator<=>(const Version&, const Version&) = default;
  std::string text() const {
    return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch);
  }
};
constexpr Version oldest{3, 4, 0};
constexpr Version compiled_for{NVSHMEM_VENDOR_MAJOR_VERSION, NVSHMEM_VENDOR_MINOR_VERSION,
                               NVSHMEM_VENDOR_PATCH_VERSION};
static_assert(compiled_for >= oldest, "NVSHMEM 3.4 or newer is needed");

Version found_version() {
  Version v;
  nvshmemx_vendor_get_version_info(&v.major, &v.minor, &v.patch);
  return v;
}

void require_version() {
  const Version found = found_version();
  if (found < oldest)
    throw Error(ErrorCode::backend_missing,
                "NVSHMEM " + found.text() + " is older than " + oldest.text());
  if (found.major != compiled_for.major || found < compiled_for)
    throw Error(ErrorCode::backend_missing, "echelon was built for NVSHMEM " + compiled_for.text() +
                                                "; what was found is " + found.text());
}

// Rank r of a node takes GPU r modulo the number of GPUs.
Index choose_gpu(const Communicator& comm) { return comm.place_here() % cuda_devices(); }

// MPI calls this at the start of MPI_Finalize.
int end_with_mpi(MPI_Comm, int key, void*, void*) {
  Started& state = started();
  if (state.running && !state.abandoned) nvshmem_finalize();
  state.running = false;
  MPI_Comm_free_keyval(&key);
  return MPI_SUCCESS;
}

// The likely cause if NVSHMEM cannot use MPI: its plugin is linked with one particular MPI.
std::string plugin_trouble() {
  Dl_info library{};
  std::string plugin = "nvshmem_bootstrap_mpi.so.3";
  if (dladdr(reinterpret_cast<void*>(&nvshmemx_init_status), &library) != 0 && library.dli_fname) {
    const std::string path = library.dli_fname;
    plugin = path.substr(0, path.rfind('/') + 1) + plugin;
  }
  if (dlopen(plugin.c_str(), RTLD_NOW | RTLD_LOCAL) != nullptr) return "";
  const char* const reason = dlerror();
  return std::string("; its plugin for MPI cannot be loaded: ") + (reason ? reason : plugin);
}

// Like nvshmemx_init_attr, which ends the process if it fails.
void initialize(Communicator& comm) {
  MPI_Comm with = comm.get();
  nvshmemx_init_attr_t attributes = NVSHMEMX_INIT_ATTR_INITIALIZER;
  attributes.mpi_comm = &with;
  int level = 0;
  const int status = nvshmemi_init_thread(
      NVSHMEM_THREAD_SERIALIZED, &level, NVSHMEMX_INIT_WITH_MPI_COMM, &attributes,
      {NVSHMEM_VENDOR_MAJOR_VERSION, NVSHMEM_VENDOR_MINOR_VERSION, NVSHMEM_VENDOR_PATCH_VERSION});
  const std::string who = " on rank " + std::to_string(comm.rank());
  if (status != 0)
    throw Error(ErrorCode::backend_failed, "NVSHMEM could not be initialized" + who + " (status " +
                                               std::to_string(status) + ")" + plugin_trouble());
  if (nvshmem_my_pe() != comm.rank() || nvshmem_n_pes() != comm.size())
    throw Error(ErrorCode::backend_failed,
                "NVSHMEM numbers its PEs in another way than MPI its ranks" + who);
}

// PEs on one GPU divide its multiprocessors, in the order of their ranks.
void divide_device(Communicator& comm, Started& state) {
  int device = 0;
  cudaDeviceProp properties{};
  comm.all_succeed([&] {
    check_cuda(cudaGetDevice(&device), "cudaGetDevice");
    check_cuda(cudaGetDeviceProperties(&properties, device), "cudaGetDeviceProperties");
  });
  const std::vector<cudaUUID_t> all = comm.gather(properties.uuid, "which GPUs PEs have");
  Index place = 0;
  state.on_device = 0;
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (std::memcmp(&all[k], &properties.uuid, sizeof(cudaUUID_t)) != 0) continue;
    if (static_cast<Index>(k) < comm.rank()) ++place;
    ++state.on_device;
  }
  comm.all_succeed([&] { state.device = SmPartition(place, state.on_device); });
}

void start(Communicator& comm) {
  Started& state = started();
  comm.all_succeed(require_version);
  comm.all_succeed([] { check_cuda(cudaFree(nullptr), "a context on the GPU"); });
  comm.meet("all PEs to start NVSHMEM");
  comm.all_succeed([&] { initialize(comm); });
  divide_device(comm, state);
  MPI_Comm_group(comm.get(), &state.ranks);
  int key = MPI_KEYVAL_INVALID;
  check_mpi(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, end_with_mpi, &key, nullptr),
            "MPI_Comm_create_keyval");
  check_mpi(MPI_Comm_set_attr(MPI_COMM_SELF, key, &state), "MPI_Comm_set_attr");
  state.running = true;
}

void require_same_ranks(Communicator& comm) {
  MPI_Group group = MPI_GROUP_NULL;
  int same = MPI_UNEQUAL;
  MPI_Comm_group(comm.get(), &group);
  MPI_Group_compare(group, started().ranks, &same);
  MPI_Group_free(&group);
  comm.all_succeed([&] {
    if (same != MPI_IDENT)
      throw Error(ErrorCode::bad_argument,
                  "all NVSHMEM solvers of a process must have the same ranks, in the same order");
  });
}

std::string megabytes(std::size_t bytes) {
  return std::to_string((bytes + 999999) / 1000000) + " MB";
}

[[noreturn]] void refuse_memory(std::size_t bytes) {
  const char* const heap = std::getenv("NVSHMEM_SYMMETRIC_SIZE");
  throw Error(ErrorCode::out_of_memory, "the symmetric heap of NVSHMEM has no " + megabytes(bytes) +
                                            " left on each PE (NVSHMEM_SYMMETRIC_SIZE is " +
                                            (heap ? heap : "not set: 1 GiB") + ")");
}

}  // namespace

Pe::Pe(Communicator& comm) : comm_(comm) {
  comm.all_succeed([&] {
    if (cuda_devices() == 0)
      throw Error(
          ErrorCode::backend_missing,
          "there is no CUDA device, or no driver for it, on rank " + std::to_string(comm.rank()));
    if (started().abandoned)
      throw Error(ErrorCode::backend_failed,
                  "an earlier solver left PEs apart; NVSHMEM cannot be used again");
  });
  const bool runs = comm.all_or_none(started().running, "NVSHMEM runs already on");
  if (!runs) started().gpu = choose_gpu(comm);
  const DeviceScope there(gpu());
  if (runs)
    require_same_ranks(comm);
  else
    start(comm);
}

Index Pe::gpu() const { return started().gpu; }

Pe::~Pe() {
  if (comm_.broken()) started().abandoned = true;
}

std::string Pe::device_name() const {
  int device = 0;
  cudaDeviceProp properties{};
  check_cuda(cudaGetDevice(&device), "cudaGetDevice");
  check_cuda(cudaGetDeviceProperties(&properties, device), "cudaGetDeviceProperties");
  return properties.name;
}

const SmPartition& Pe::device() const { return started().device; }

Index Pe::on_this_device() const { return started().on_device; }

std::string Pe::library_version() { return found_version().text(); }

SymmetricMemory Pe::allocate(std::size_t bytes) {
  comm_.all_succeed([] {});  // receives earlier failures of other PEs
  auto most = static_cast<std::int64_t>(bytes);
  comm_.reduce(std::span(&most, 1), MPI_MAX, "all PEs to want memory");
  SymmetricMemory memory;
  if (most == 0) return memory;
  memory.comm_ = &comm_;
  memory.bytes_ = static_cast<std::size_t>(most);
  comm_.all_succeed([&] {  // nvshmem_malloc would end the process
    std::size_t free = 0, total = 0;
    check_cuda(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
    if (memory.bytes_ > free) refuse_memory(memory.bytes_);
  });
  comm_.meet("all PEs to allocate memory");
  auto* const data = static_cast<char*>(nvshmem_malloc(memory.bytes_));
  comm_.all_succeed([&] {  // no PE writes before all have cleared
    if (data == nullptr) refuse_memory(memory.bytes_);
    check_cuda(cudaMemset(data, 0, memory.bytes_), "cudaMemset");
    check_cuda(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  });
  memory.data_ = data;
  return memory;
}

bool Pe::all_in_reach() {
  const SymmetricMemory probe = allocate(16);
  bool far = false;
  for (Index pe = 0; pe < size(); ++pe) far = far || probe.of(pe) == nullptr;
  return !comm_.any(far);
}

SymmetricMemory& SymmetricMemory::operator=(SymmetricMemory&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  std::swap(comm_, other.comm_);
  return *this;
}

SymmetricMemory::~SymmetricMemory() {
  if (data_ == nullptr || !started().running || !comm_->can_part()) return;
  nvshmem_free(data_);
}

char* SymmetricMemory::of(Index pe) const { return static_cast<char*>(nvshmem_ptr(data_, pe)); }

}  // namespace echelon

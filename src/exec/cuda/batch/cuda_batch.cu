// exec/cuda/batch/cuda_batch.cu -- batches on a device: one launch for all systems, one warp per
// group of them and right-hand side.
// SPDX-License-Identifier: BSD-3-Clause
//
// Protocol.  Solves of one batch share nothing that they write, so they may run at the same time in
// several streams, each with its workspace.
#include <algorithm>
#include <bit>

#include "base/instantiate.hpp"
#include "base/refuse.hpp"
#include "exec/batch_executors.hpp"
#include "exec/cuda/batch/batch_steps.hpp"
#include "exec/cuda/batch/load_batch.hpp"
#include "exec/cuda/batch/solve_batch.cuh"
#include "exec/cuda/runtime/copy_vectors.cuh"
#include "exec/cuda/runtime/device_array.cuh"
#include "exec/cuda/runtime/require_device.hpp"

namespace echelon {
namespace {

template <class T, class J, int W, int least, bool in_shared, bool turned>
__global__ void __launch_bounds__(256)
    solve_batch(const __grid_constant__ BatchView<T> m, const __grid_constant__ BatchCall<T> call) {
  extern __shared__ __align__(16) char batch_memory[];
  BatchBlock<T, J, W, least, in_shared, turned>(m, call, batch_memory).run();
}

// The kernels of a width, and what a thread block of them needs.
template <class D>
struct BatchKernel {
  void (*solve[2])(BatchView<D>, BatchCall<D>) = {};  // with M, with its transpose
  bool in_shared = true;                              // the vectors lie in shared memory
  Index most_entries = 0;                             // of several rows at a time
  Index unit = 0;                                     // entries that are copied together
  int padding = 0;                                    // of the list of pieces
  int (*room)(int warps) = nullptr;                   // bytes of shared memory besides the vectors
};

template <class D, class J, int W, bool in_shared, int least = 16384>
BatchKernel<D> kernel_of() {
  return {
      {solve_batch<D, J, W, least, in_shared, false>, solve_batch<D, J, W, least, in_shared, true>},
      in_shared,
      RingSize<D, J, W, least>::most_entries,
      RingSize<D, J, W, least>::unit,
      RingSize<D, J, W, least>::ahead + 2,
      BatchRoom<D, J, W, least>::vectors};
}

template <class D>
BatchKernel<D> find_batch_kernel(Index width, bool in_shared, bool small) {
  using Short = std::uint16_t;
  if (!in_shared) return kernel_of<D, Index, 1, false>();
  switch (width) {
    case 1:
      return kernel_of<D, Short, 1, true>();
    case 2:
      return kernel_of<D, Short, 2, true>();
    case 4:
      return kernel_of<D, Short, 4, true>();
    case 8:
      if (small) return kernel_of<D, Short, 8, true, 8192>();
      return kernel_of<D, Short, 8, true>();
    case 16:
      return kernel_of<D, Short, 16, true>();
    case 32:
      return kernel_of<D, Short, 32, true>();
    default:
      refuse("a GPU solves 1, 2, 4, 8, 16 or 32 systems side by side, not " +
             std::to_string(width));
  }
}

// Bytes of the vectors of a group below which one warp and a ring of half the size are faster.
// bench/batch on an H200: laplace2d:8x8:5 takes 200 us instead of 244, 24x24 more than 458.
constexpr Offset small_vectors = 16384;

template <class T>
struct CudaBatchSpace final : Workspace {
  Offset bytes() const override { return bytes_of(b, x, bad); }
  DeviceArray<T> b, x;             // device copies of vectors in host memory
  DeviceArray<unsigned char> bad;  // by vector
  Index vectors = 0;               // of the last solve
};

template <class T>
class CudaBatch final : public BatchExecutor<T> {
 public:
  using D = DeviceScalar<T>;

  CudaBatch(std::shared_ptr<const BatchPlan> plan, Index count, Index width, const Options& o)
      : plan_(std::move(plan)), count_(count) {
    const Offset most = shared_memory_for(o.cuda);
    width_ = width != 0 ? width : choose_batch_width(plan_->n, Offset{sizeof(T)}, most);
    const Offset vectors = Offset{plan_->n} * width_ * Offset{sizeof(T)};
    const bool small = vectors <= small_vectors;
    warps_ = small ? 1 : 4;
    kernel_ = find_batch_kernel<D>(width_, true, small);
    shared_ = kernel_.room(warps_) + vectors;
    if (shared_ > most) {
      if (width > 1)
        refuse(std::to_string(width) + " systems side by side do not fit into shared memory");
      width_ = 1;
      warps_ = 8;
      kernel_ = find_batch_kernel<D>(1, false, false);
      shared_ = kernel_.room(warps_);
    }
    for (const auto kernel : kernel_.solve) allow_shared_memory(kernel);
    groups_ = (count + width_ - 1) / width_;
    upload_plan();
  }

  void load(const StridedValues<T>& values) override {
    make_room();
    check_cuda(cudaMemset(refused_there_.data(), 0, refused_there_.bytes()), "cudaMemset");
    check_cuda(cudaMemset(divides_.data(), 0, divides_.bytes()), "cudaMemset");
    if (count_ > 0 && is_on_this_device(values.data))
      load_groups<D>(store(), width_, 0, count_, reinterpret_cast<const D*>(values.data),
                     values.stride, nullptr);
    else
      load_from_host(values);
    std::vector<unsigned> refused(static_cast<std::size_t>(count_));
    check_cuda(cudaMemcpy(refused.data(), refused_there_.data(), refused_there_.bytes(),
                          cudaMemcpyDeviceToHost),
               "loading a batch");
    refused_.resize(refused.size());
    for (std::size_t k = 0; k < refused.size(); ++k)
      refused_[k] = static_cast<SystemState>(refused[k]);
  }
  const std::vector<SystemState>& refused() const override { return refused_; }

  std::unique_ptr<Workspace> make_workspace() const override {
    auto space = std::make_unique<CudaBatchSpace<T>>();
    space->bad = DeviceArray<unsigned char>(static_cast<std::size_t>(count_));
    return space;
  }

  void solve(const BatchJob<T>& job, Workspace& workspace) const override {
    auto& space = static_cast<CudaBatchSpace<T>&>(workspace);
    space.vectors = 0;
    if (plan_->n == 0 || job.x.count == 0) return;
    const bool device = is_on_this_device(job.x.data);
    if (device != is_on_this_device(job.b.data))
      refuse("b and x must both be in device memory or both in host memory");
    require_size(space.bad, job.x.count);
    space.vectors = job.x.count;
    if (device) return put(job, space);
    const auto size = static_cast<std::size_t>(job.x.n) * static_cast<std::size_t>(job.x.count);
    require_size(space.b, size);
    require_size(space.x, size);
    const auto stream = static_cast<cudaStream_t>(job.stream);
    BatchJob<T> there = job;
    const Vectors<T> b = vectors_like(job.b, space.b.data());
    there.b = b;
    there.x = vectors_like<T>(job.x, space.x.data());
    copy_vectors(job.b, b, cudaMemcpyHostToDevice, stream);
    put(there, space);
    copy_vectors<T>(there.x, job.x, cudaMemcpyDeviceToHost, stream);
    check_cuda(cudaStreamSynchronize(stream), "a solve of a batch");
  }

  void add_states(const Workspace& workspace, std::span<SystemState> states) const override {
    const auto& space = static_cast<const CudaBatchSpace<T>&>(workspace);
    if (space.vectors == 0) return;
    std::vector<unsigned char> bad(static_cast<std::size_t>(space.vectors));
    check_cuda(cudaMemcpy(bad.data(), space.bad.data(), bad.size(), cudaMemcpyDeviceToHost),
               "the states of a batch");
    const std::size_t nrhs = bad.size() / states.size();
    for (std::size_t v = 0; v < bad.size(); ++v)
      if (bad[v] != 0 && states[v / nrhs] == SystemState::solved)
        states[v / nrhs] = SystemState::bad_answer;
  }

  Index width() const override { return width_; }
  Offset bytes() const override { return bytes_of(value_); }
  Offset device_bytes() const override {
    return bytes_of(value_, row_, start_, step_[0], step_[1], piece_[0], piece_[1], index_, source_,
                    more_, divides_, refused_there_);
  }

 private:
  using Source = typename BatchStore<D>::Source;
  static constexpr Offset most_staged = Offset{64} << 20;  // bytes of values on their way

  // Numbers of a group, in whole units.
  Offset group_size() const {
    const Offset unit = kernel_.unit;
    return (plan_->entries() + unit - 1) / unit * unit * width_;
  }

  template <class Kernel>
  void allow_shared_memory(Kernel kernel) const {
    const auto* const function = reinterpret_cast<const void*>(kernel);
    check_cuda(cudaFuncSetAttribute(function, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    static_cast<int>(shared_)),
               "shared memory for a batch");
    check_cuda(cudaFuncSetAttribute(function, cudaFuncAttributePreferredSharedMemoryCarveout,
                                    cudaSharedmemCarveoutMaxShared),
               "shared memory for a batch");
  }

  template <class A>
  static void require_size(DeviceArray<A>& array, std::size_t size) {
    if (array.size() < size) array = DeviceArray<A>(size);
  }

  void upload_plan() {
    row_.assign(plan_->row);
    start_.assign(plan_->start);
    const BatchSlots slots{32 / width_ * warps_, 32 / width_, kernel_.most_entries};
    upload_steps(find_batch_steps(*plan_, slots), 0);
    upload_steps(find_turned_steps(*plan_, slots), 1);
    upload_index();
    Buffer<Source> source, more;
    for (const BatchPlan::Source& s : plan_->source) source.push_back({s.place, s.next});
    for (const BatchPlan::Source& s : plan_->more) more.push_back({s.place, s.next});
    if (!plan_->unit)
      for (Index k = 0; k < plan_->n; ++k)
        source[plan_->end(k)].place = ~source[plan_->end(k)].place;
    source_.assign(source);
    more_.assign(more);
  }
  // A kernel reads three steps beyond the end.
  void upload_steps(Buffer<BatchStep> steps, int turned) {
    steps_[turned] = static_cast<Index>(steps.size());
    piece_[turned].assign(
        find_batch_pieces(*plan_, steps, turned != 0, kernel_.most_entries, kernel_.padding));
    steps.insert(steps.end(), 3, {0, 0, 0});
    step_[turned].assign(steps);
  }
  void upload_index() {
    const std::size_t each = static_cast<std::size_t>(kernel_.unit),
                      units = (plan_->index.size() + each - 1) / each;
    Buffer<unsigned char> bytes(units * each *
                                (kernel_.in_shared ? sizeof(std::uint16_t) : sizeof(Index)));
    if (kernel_.in_shared)
      std::copy(plan_->index.begin(), plan_->index.end(),
                reinterpret_cast<std::uint16_t*>(bytes.data()));
    else
      std::copy(plan_->index.begin(), plan_->index.end(), reinterpret_cast<Index*>(bytes.data()));
    index_.assign(bytes);
  }

  void make_room() {
    require_size(value_, static_cast<std::size_t>(groups_ * group_size()));
    require_size(divides_, static_cast<std::size_t>(groups_));
    require_size(refused_there_, static_cast<std::size_t>(count_));
  }

  BatchStore<D> store() const {
    return {plan_->n,       plan_->entries(),  count_,
            plan_->unit,    plan_->conjugated, start_.data(),
            source_.data(), more_.data(),      reinterpret_cast<D*>(value_.data()),
            group_size(),   divides_.data(),   refused_there_.data()};
  }

  // Some groups at a time, through a piece of device memory.
  void load_from_host(const StridedValues<T>& values) {
    const Offset system = std::max<Offset>(values.stride, 1) * Offset{sizeof(T)};
    const auto fitting = static_cast<Index>(std::min<Offset>(most_staged / system, count_));
    const Index at_once = std::max(fitting / width_, 1) * width_;
    DeviceArray<T> staged;
    for (Index first = 0; first < count_; first += at_once) {
      const Index systems = std::min(at_once, count_ - first);
      const auto size =
          static_cast<std::size_t>((systems - 1) * values.stride + plan_->stored_count);
      require_size(staged, size);
      if (size > 0)
        check_cuda(cudaMemcpy(staged.data(), values.data + first * values.stride, size * sizeof(T),
                              cudaMemcpyHostToDevice),
                   "loading a batch");
      load_groups<D>(store(), width_, first, systems, reinterpret_cast<const D*>(staged.data()),
                     values.stride, nullptr);
    }
    check_cuda(cudaStreamSynchronize(nullptr), "loading a batch");
  }

  // All pointers of the job are device pointers.
  void put(const BatchJob<T>& job, const CudaBatchSpace<T>& space) const {
    const int turned = job.op != Op::none ? 1 : 0;
    const BatchView<D> view{plan_->n,
                            plan_->entries(),
                            count_,
                            plan_->unit,
                            row_.data(),
                            start_.data(),
                            step_[turned].data(),
                            steps_[turned],
                            piece_[turned].data(),
                            index_.data(),
                            reinterpret_cast<const D*>(value_.data()),
                            group_size(),
                            divides_.data(),
                            refused_there_.data()};
    const bool conjugates = job.op == Op::conjugate;
    const Index nrhs = job.x.count / count_;
    const BatchCall<D> call{std::bit_cast<D>(job.alpha),
                            conjugates || job.alpha != T(1),
                            conjugates,
                            nrhs,
                            reinterpret_cast<const D*>(job.b.data),
                            job.b.step(),
                            job.b.stride(),
                            reinterpret_cast<D*>(job.x.data),
                            job.x.step(),
                            job.x.stride(),
                            space.bad.data()};
    const auto blocks = static_cast<unsigned>(groups_) * static_cast<unsigned>(nrhs);
    kernel_.solve
        [turned]<<<blocks, static_cast<unsigned>(32 * warps_), static_cast<std::size_t>(shared_),
                   static_cast<cudaStream_t>(job.stream)>>>(view, call);
    check_cuda(cudaGetLastError(), "a launch of a batch");
  }

  std::shared_ptr<const BatchPlan> plan_;
  Index count_, width_ = 0, warps_ = 0, groups_ = 0;
  Offset shared_ = 0;  // bytes per thread block
  BatchKernel<D> kernel_;
  DeviceArray<Index> row_, start_;
  DeviceArray<BatchStep> step_[2];  // with M, with its transpose
  Index steps_[2] = {};
  DeviceArray<Index> piece_[2];
  DeviceArray<unsigned char> index_;
  DeviceArray<Source> source_, more_;
  DeviceArray<T> value_;
  DeviceArray<unsigned char> divides_;
  DeviceArray<unsigned> refused_there_;
  std::vector<SystemState> refused_;
};

}  // namespace

template <Scalar T>
std::unique_ptr<BatchExecutor<T>> make_cuda_batch(std::shared_ptr<const BatchPlan> plan,
                                                  Index count, Index width,
                                                  const Options& options) {
  require_device();
  return std::make_unique<CudaBatch<T>>(std::move(plan), count, width, options);
}

#define ECHELON_INSTANTIATE(T)                                                                 \
  template std::unique_ptr<BatchExecutor<T>> make_cuda_batch(std::shared_ptr<const BatchPlan>, \
                                                             Index, Index, const Options&);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon

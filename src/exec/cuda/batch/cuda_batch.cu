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

// The kernel of a width, and what a thread block of it needs.
template <class D>
struct BatchKernel {
  void (*solve[2])(BatchView<D>, BatchCall<D>) = {};  // with M, with its transpose
  Offset shared = 0;                                  // bytes, without the vectors
  Index most_together = 0;
  bool in_shared = true;
};

template <class D, class J, int W, bool in_shared>
BatchKernel<D> kernel_of() {
  using Size = RingSize<D, W>;
  return {{solve_batch<D, J, W, in_shared, false>, solve_batch<D, J, W, in_shared, true>},
          Size::bytes,
          Size::most_together,
          in_shared};
}

template <class D>
BatchKernel<D> find_batch_kernel(Index width, bool in_shared) {
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
    width_ = width != 0 ? width : choose_batch_width(plan_->n, count, Offset{sizeof(T)}, most);
    kernel_ = find_batch_kernel<D>(width_, true);
    if (kernel_.shared + vectors_bytes() > most) {
      if (width > 1)
        refuse(std::to_string(width) + " systems side by side do not fit into shared memory");
      width_ = 1;
      kernel_ = find_batch_kernel<D>(1, false);
    }
    if (kernel_.in_shared) kernel_.shared += vectors_bytes();
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
    return bytes_of(value_, row_, start_, step_, index_, source_, more_, divides_, refused_there_);
  }

 private:
  using Source = typename BatchStore<D>::Source;
  static constexpr Offset most_staged = Offset{64} << 20;  // bytes of values on their way

  Offset vectors_bytes() const { return Offset{plan_->n} * width_ * Offset{sizeof(T)}; }
  // Numbers of a group, in whole pieces of 16 bytes.
  Offset group_size() const {
    constexpr Offset numbers = sizeof(T) < 16 ? 16 / sizeof(T) : 1;
    return (Offset{plan_->entries()} * width_ + numbers - 1) / numbers * numbers;
  }

  template <class Kernel>
  void allow_shared_memory(Kernel kernel) const {
    const auto* const function = reinterpret_cast<const void*>(kernel);
    check_cuda(cudaFuncSetAttribute(function, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    static_cast<int>(kernel_.shared)),
               "shared memory for a batch");
    check_cuda(cudaFuncSetAttribute(function, cudaFuncAttributePreferredSharedMemoryCarveout,
                                    cudaSharedmemCarveoutMaxShared),
               "shared memory for a batch");
  }

  template <class A>
  static void require_size(DeviceArray<A>& array, std::size_t size) {
    if (array.size() < size) array = DeviceArray<A>(size);
  }

  // A kernel reads one row and a few steps beyond the end.
  void upload_plan() {
    Buffer<Index> row = plan_->row, start = plan_->start;
    row.push_back(0);
    start.push_back(plan_->entries());
    const Buffer<Index> step = find_batch_steps(*plan_, 32 / width_, kernel_.most_together);
    steps_ = static_cast<Index>(step.size()) - 4;
    row_.assign(row);
    start_.assign(start);
    step_.assign(step);
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
  void upload_index() {
    Buffer<unsigned char> bytes(plan_->index.size() *
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
    const BatchView<D> view{plan_->n,
                            plan_->entries(),
                            count_,
                            plan_->unit,
                            row_.data(),
                            start_.data(),
                            step_.data(),
                            steps_,
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
    kernel_.solve[job.op != Op::none]<<<blocks, 32, static_cast<std::size_t>(kernel_.shared),
                                        static_cast<cudaStream_t>(job.stream)>>>(view, call);
    check_cuda(cudaGetLastError(), "a launch of a batch");
  }

  std::shared_ptr<const BatchPlan> plan_;
  Index count_, width_ = 0, groups_ = 0, steps_ = 0;
  BatchKernel<D> kernel_;
  DeviceArray<Index> row_, start_, step_;
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

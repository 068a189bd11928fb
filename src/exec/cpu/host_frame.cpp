// exec/cpu/host_frame.cpp -- orders, scalings and D of a factorization, entry by entry.
// SPDX-License-Identifier: BSD-3-Clause
#include "base/instantiate.hpp"
#include "exec/conjugate_vectors.hpp"
#include "exec/executors.hpp"

namespace echelon {
namespace {

template <Scalar T>
struct FrameWorkspace final : Workspace {
  explicit FrameWorkspace(std::size_t size) : y(size) {}
  Offset bytes() const override { return static_cast<Offset>(y.size() * sizeof(T)); }
  Buffer<T> y;
};

template <Scalar T>
class HostFrame final : public Frame<T> {
 public:
  HostFrame(const Factors<T>& factors, Index together)
      : factors_(&factors), size_(static_cast<std::size_t>(factors.n) * together) {}

  void load(const Factors<T>& factors) override { factors_ = &factors; }

  std::unique_ptr<Workspace> make_workspace() const override {
    return std::make_unique<FrameWorkspace<T>>(size_);
  }

  Vectors<T> enter(Workspace& workspace, const Vectors<const T>& b, void*,
                   DeviceMarks*) const override {
    const Factors<T>& f = *factors_;
    const Vectors<T> y(static_cast<FrameWorkspace<T>&>(workspace).y.data(), f.n, b.count);
    for (Index k = 0; k < b.count; ++k)
      for (Index i = 0; i < f.n; ++i) {
        const Index from = f.row_order.empty() ? i : f.row_order[i];
        T v = b.data[from * b.step() + k * b.stride()];
        if (!f.row_scale.empty()) v *= f.row_scale[from];
        y.data[i + k * y.stride()] = v;
      }
    return y;
  }

  void divide(const Vectors<T>& y, void*) const override {
    const Factors<T>& f = *factors_;
    if (f.diagonal.empty()) return;
    for (Index k = 0; k < y.count; ++k)
      for (Index i = 0; i < f.n; ++i) y.data[i * y.step() + k * y.stride()] /= f.diagonal[i];
  }

  bool leave(Workspace&, const Vectors<T>& y, const Vectors<T>& x, void*,
             DeviceMarks*) const override {
    const Factors<T>& f = *factors_;
    for (Index k = 0; k < x.count; ++k)
      for (Index j = 0; j < f.n; ++j) {
        const Index to = f.col_order.empty() ? j : f.col_order[j];
        T v = y.data[j + k * y.stride()];
        if (!f.col_scale.empty()) v *= f.col_scale[to];
        x.data[to * x.step() + k * x.stride()] = v;
      }
    return true;
  }

  void conjugate(const Vectors<const T>& from, const Vectors<T>& to, void*) const override {
    conjugate_vectors(from, to);
  }

 private:
  const Factors<T>* factors_;
  std::size_t size_;  // of y
};

}  // namespace

template <Scalar T>
std::unique_ptr<Frame<T>> make_host_frame(const Factors<T>& factors, Index together) {
  return std::make_unique<HostFrame<T>>(factors, together);
}

#define ECHELON_INSTANTIATE(T) \
  template std::unique_ptr<Frame<T>> make_host_frame(const Factors<T>&, Index);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon

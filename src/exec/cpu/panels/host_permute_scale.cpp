// exec/cpu/panels/host_permute_scale.cpp -- applies the permutations, scalings and D of a
// factorization on the host.
// SPDX-License-Identifier: BSD-3-Clause
#include "base/instantiate.hpp"
#include "exec/conjugate_vectors.hpp"
#include "exec/executors.hpp"

namespace echelon {
namespace {

template <Scalar T>
struct PermuteScaleWorkspace final : Workspace {
  explicit PermuteScaleWorkspace(std::size_t size) : y(size) {}
  Offset bytes() const override { return static_cast<Offset>(y.size() * sizeof(T)); }
  Buffer<T> y;
};

template <Scalar T>
class HostPermuteScale final : public PermuteScale<T> {
 public:
  HostPermuteScale(const Factors<T>& factors, Index rhs_per_pass)
      : factors_(&factors), size_(static_cast<std::size_t>(factors.n) * rhs_per_pass) {}

  void load(const Factors<T>& factors) override { factors_ = &factors; }

  std::unique_ptr<Workspace> make_workspace() const override {
    return std::make_unique<PermuteScaleWorkspace<T>>(size_);
  }

  Vectors<T> enter(Workspace& workspace, const Vectors<const T>& b, Op op, void*,
                   DeviceMarks*) const override {
    const Factors<T>& f = *factors_;
    const std::vector<Index>& order = op == Op::none ? f.row_order : f.col_order;
    const std::vector<Real<T>>& scale = op == Op::none ? f.row_scale : f.col_scale;
    const Vectors<T> y(static_cast<PermuteScaleWorkspace<T>&>(workspace).y.data(), f.n, b.count);
    for (Index k = 0; k < b.count; ++k)
      for (Index i = 0; i < f.n; ++i) {
        const Index from = order.empty() ? i : order[i];
        T v = b.data[from * b.step() + k * b.stride()];
        if (!scale.empty()) v *= scale[from];
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

  bool leave(Workspace&, const Vectors<T>& y, const Vectors<T>& x, Op op, void*,
             DeviceMarks*) const override {
    const Factors<T>& f = *factors_;
    const std::vector<Index>& order = op == Op::none ? f.col_order : f.row_order;
    const std::vector<Real<T>>& scale = op == Op::none ? f.col_scale : f.row_scale;
    for (Index k = 0; k < x.count; ++k)
      for (Index j = 0; j < f.n; ++j) {
        const Index to = order.empty() ? j : order[j];
        T v = y.data[j + k * y.stride()];
        if (!scale.empty()) v *= scale[to];
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
std::unique_ptr<PermuteScale<T>> make_host_permute_scale(const Factors<T>& factors,
                                                         Index rhs_per_pass) {
  return std::make_unique<HostPermuteScale<T>>(factors, rhs_per_pass);
}

#define ECHELON_INSTANTIATE(T) \
  template std::unique_ptr<PermuteScale<T>> make_host_permute_scale(const Factors<T>&, Index);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon

// adapters/cusparse/engine/plan.cpp -- analysis, values and solves by echelon::Solver.
// SPDX-License-Identifier: BSD-3-Clause
#include "plan.hpp"

#include <complex>
#include <cstdio>

#include "cuda_check.hpp"
#include "echelon/executor.hpp"
#include "echelon/solver.hpp"

namespace echelon::dropin {
namespace {

// Longer than any solve takes, also on a device that other processes use.
constexpr double watchdog_ms = 60000;

Options options_for(Index right_sides) {
  Options o;
  o.backend = Backend::cuda;
  o.check_finite = false;  // as in cuSPARSE, what is not finite passes through
  o.cuda.device = choose_device();
  o.cuda.right_sides = right_sides;
  o.cuda.watchdog_ms = watchdog_ms;
  return o;
}

// The pattern is needed by setup only; the positions of the diagonal also by updates.
struct Shape {
  HostPattern lists;
  TrianglePattern pattern;
};

template <Scalar T>
Buffer<T> download_values(const void* device, std::size_t count, cudaStream_t stream) {
  Buffer<T> host(count);
  download(device, host.data(), count * sizeof(T), stream);
  return host;
}

template <Scalar T>
Triangle<T> with(const TrianglePattern& pattern, const Buffer<T>& value) {
  Triangle<T> t;
  static_cast<TrianglePattern&>(t) = pattern;
  t.value = value;
  return t;
}

template <class T>
const T& host_number(const Factor& f) {
  return *static_cast<const T*>(f.number);
}

template <Scalar T>
class PlanOf : public Plan {
 public:
  PlanOf(const Analysis& analysis, std::shared_ptr<const Shape> shape, Buffer<T> value,
         cudaDataType type)
      : shape_(std::move(shape)),
        value_(std::move(value)),
        type_(type),
        solver_(analysis, with(shape_->pattern, value_)) {}

  void update(const void* device_values, cudaStream_t stream) override {
    download(device_values, value_.data(), value_bytes(), stream);
    solver_.update(value_);
  }

  void update_diagonal(const void* device_diagonal, cudaStream_t stream) override {
    const Buffer<Offset>& where = shape_->lists.diagonal;
    if (where.empty()) return;  // a unit diagonal is not read
    const Buffer<T> diagonal = download_values<T>(device_diagonal, where.size(), stream);
    for (std::size_t i = 0; i < where.size(); ++i) value_[where[i]] = diagonal[i];
    solver_.update(value_);
  }

  void solve(const Sides& s, const Factor& factor, cudaStream_t stream) override {
    if (s.x.count == 0) return;
    if (!is_capturing(stream)) solver_.check();
    const bool alike = s.b.layout == s.x.layout;
    if (alike && !factor.on_device)
      return solver_.solve(s.b.as<const T>(), s.x.as<T>(),
                           {.alpha = host_number<T>(factor), .stream = stream});
    if (s.b.data == s.x.data && !alike)
      scale_aside(s, factor, stream);
    else
      scale(s.b, s.x, factor, type_, stream);
    solver_.solve(s.x.as<const T>(), s.x.as<T>(), {.stream = stream});
  }

  const void* values() const override { return value_.data(); }
  std::size_t value_bytes() const override { return value_.size() * sizeof(T); }
  Offset device_bytes() const override { return solver_.report().device_bytes; }

  std::string describe() const override {
    const SolverReport& r = solver_.report();
    char text[200];
    std::snprintf(text, sizeof text,
                  "%d unknowns, %lld entries, %d levels: method %s, %.0f ms for the analysis and "
                  "%.0f ms for the values, %.1f MB on the device",
                  r.n, static_cast<long long>(r.nnz), r.levels, name(r.method), 1e3 * r.analysis_s,
                  1e3 * r.setup_s, 1e-6 * static_cast<double>(r.device_bytes));
    return text;
  }

 private:
  // B and X are the same memory in two layouts: through a copy.
  void scale_aside(const Sides& s, const Factor& factor, cudaStream_t stream) const {
    const auto count = static_cast<std::size_t>(s.x.n) * static_cast<std::size_t>(s.x.count);
    const StreamMemory aside(count * sizeof(T), stream);
    Dense copy = s.x;
    copy.data = aside.data();
    copy.leading = copy.layout == Layout::column_major ? copy.n : copy.count;
    scale(s.b, copy, factor, type_, stream);
    const T one(1);
    scale(copy, s.x, {&one, false}, type_, stream);
  }

  std::shared_ptr<const Shape> shape_;
  Buffer<T> value_;
  cudaDataType type_;
  Solver<T> solver_;
};

template <Scalar T>
std::unique_ptr<Plan> make_plan_of(const DeviceMatrix& a, Index right_sides, cudaStream_t stream) {
  auto shape = std::make_shared<Shape>();
  shape->lists = download_pattern(a, stream);
  shape->pattern = {{a.order, a.n, a.n, shape->lists.start, shape->lists.index},
                    a.uplo,
                    a.op,
                    a.diagonal,
                    OutsideEntries::ignore};
  Buffer<T> value = download_values<T>(a.value, static_cast<std::size_t>(a.nnz), stream);
  const Analysis analysis(shape->pattern, options_for(right_sides));
  return std::make_unique<PlanOf<T>>(analysis, std::move(shape), std::move(value), a.type);
}

}  // namespace

std::unique_ptr<Plan> make_plan(const DeviceMatrix& a, Index right_sides, cudaStream_t stream) {
  switch (a.type) {
    case CUDA_R_32F:
      return make_plan_of<float>(a, right_sides, stream);
    case CUDA_R_64F:
      return make_plan_of<double>(a, right_sides, stream);
    case CUDA_C_32F:
      return make_plan_of<std::complex<float>>(a, right_sides, stream);
    default:
      return make_plan_of<std::complex<double>>(a, right_sides, stream);
  }
}

}  // namespace echelon::dropin

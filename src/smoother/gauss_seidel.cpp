// smoother/gauss_seidel.cpp -- values and sweeps: the second and third phase.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <variant>

#include "base/claim.hpp"
#include "base/finite.hpp"
#include "base/instantiate.hpp"
#include "base/out_of_memory.hpp"
#include "base/timer.hpp"
#include "smoother/column_form.hpp"
#include "smoother/device_form.hpp"
#include "smoother/row_form.hpp"

namespace echelon {
namespace {

constexpr Index most_together = 8;  // right-hand sides that share one reading of the matrix

[[noreturn]] void refuse(const std::string& text) { throw Error(ErrorCode::bad_argument, text); }

// What became not finite on the way may have been nobody's business: a guess that is not read.
template <class T>
void refuse_unless_finite(const Vectors<T>& x) {
  for (Index c = 0; c < x.count; ++c)
    for (Index i = 0; i < x.n; ++i)
      if (!is_finite(x.data[i * x.step() + c * x.stride()]))
        throw Error(ErrorCode::not_finite, "x(" + std::to_string(i) + ") of right-hand side " +
                                               std::to_string(c) +
                                               " is not finite: b or the guess is not, or a sweep "
                                               "overflowed");
}

// Calls f(first, some) for vectors that are swept together.
template <class F>
void for_each_group(Index count, const F& f) {
  for (Index first = 0; first < count; first += most_together)
    f(first, std::min(most_together, count - first));
}

template <Scalar T>
using Form = std::variant<RowForm<T>, ColumnForm<T>, DeviceForm<T>>;

template <Scalar T>
Form<T> make_form(const SmootherAnalysis& a) {
  if (a.state().on_device()) return Form<T>(DeviceForm<T>(a));
  if (a.report().form == SweepForm::row) return Form<T>(RowForm<T>(a));
  return Form<T>(ColumnForm<T>(a));
}

}  // namespace

template <Scalar T>
struct GaussSeidel<T>::State {
  explicit State(const SmootherAnalysis& a) : analysis(a), form(make_form<T>(a)) {}

  SmootherAnalysis analysis;
  Form<T> form;
  bool ready = false;  // the values passed all checks
  SmootherSetupReport report;
  Buffer<T> room;  // vectors besides b and x
  std::atomic_flag busy = ATOMIC_FLAG_INIT;

  // Calls f with the form there is.
  template <class F>
  auto with_form(const F& f) const {
    return std::visit(f, form);
  }
  SplitMatrix<T> matrix() const {
    return with_form([](const auto& f) { return f.matrix(); });
  }
  const SmootherReport& plan() const { return analysis.report(); }
  const DeviceForm<T>* device() const { return std::get_if<DeviceForm<T>>(&form); }

  void require_room(Index vectors) {
    const auto size = static_cast<std::size_t>(plan().n) * static_cast<std::size_t>(vectors);
    if (room.size() < size) report_bad_alloc("workspace", [&] { room.resize(size); });
    count_workspace();
  }
  void count_workspace() {
    report.workspace_bytes = with_form([](const auto& f) { return f.workspace_bytes(); }) +
                             static_cast<Offset>(room.size() * sizeof(T));
  }

  void require_values() const {
    if (!ready) refuse("the last update failed; this smoother has no values");
  }

  void smooth(const Vectors<const T>& b, const Vectors<T>& x, const SmoothOptions& o) {
    const Claim claim(busy, "smoother");
    require_values();
    if (o.sweeps < 0) refuse("sweeps cannot be negative");
    if (o.threads < 0) refuse("threads cannot be negative");
    if (o.sweeps == 0) {
      if (o.guess == Guess::zero) fill_zero(x, o.stream);
      return;
    }
    const Index extra = with_form([](const auto& f) { return f.extra_vectors(); });
    require_room(extra * std::min(x.count, most_together));
    bool finite = true;
    for_each_group(x.count, [&](Index first, Index some) {
      finite = with_form([&](const auto& f) {
                 return f.smooth(b.slice(first, some), x.slice(first, some), room.data(), o);
               }) &&
               finite;
    });
    if (device()) count_workspace();
    if (!finite && analysis.options().solver.check_finite) refuse_unless_finite(x);
  }

  std::vector<double> norms_there(const Vectors<const T>& b, const Vectors<const T>& x,
                                  void* stream) {
    // Sizes as smooth would check them; nothing is written to x.
    check_vectors(plan().n, b,
                  Vectors<T>(const_cast<T*>(x.data), x.n, x.count, x.leading, x.layout));
    const Claim claim(busy, "smoother");
    require_values();
    return report_bad_alloc("residual", [&] {
      std::vector<double> norms;
      for_each_group(x.count, [&](Index first, Index some) {
        const std::vector<double> those =
            device()->residual_norms(b.slice(first, some), x.slice(first, some), stream);
        norms.insert(norms.end(), those.begin(), those.end());
      });
      count_workspace();
      return norms;
    });
  }

  void fill_zero(const Vectors<T>& x, void* stream) const {
    if (device() && is_on_device(x.data)) return device()->clear(x, stream);
    for (Index c = 0; c < x.count; ++c)
      for (Index i = 0; i < x.n; ++i) x.data[i * x.step() + c * x.stride()] = T(0);
  }
};

template <Scalar T>
GaussSeidel<T>::GaussSeidel(const SmootherAnalysis& analysis, std::span<const T> values) {
  state_ = report_bad_alloc("values", [&] { return std::make_unique<State>(analysis); });
  update(values);
  state_->report.matrix_bytes = state_->with_form([](const auto& f) { return f.matrix_bytes(); });
  state_->require_room(state_->with_form([](const auto& f) { return f.extra_vectors(); }));
}

template <Scalar T>
GaussSeidel<T>::GaussSeidel(GaussSeidel&&) noexcept = default;
template <Scalar T>
GaussSeidel<T>& GaussSeidel<T>::operator=(GaussSeidel&&) noexcept = default;
template <Scalar T>
GaussSeidel<T>::~GaussSeidel() = default;

template <Scalar T>
void GaussSeidel<T>::update(std::span<const T> values) {
  const Timer timer;
  state_->ready = false;
  report_bad_alloc("values", [&] { std::visit([&](auto& f) { f.pack(values); }, state_->form); });
  state_->ready = true;
  state_->report.seconds = timer.seconds();
}

template <Scalar T>
void GaussSeidel<T>::smooth(const Vectors<const T>& b, const Vectors<T>& x,
                            const SmoothOptions& o) const {
  check_vectors(report().n, b, x);
  if (b.data == x.data && x.n > 0 && x.count > 0) refuse("b and x must be apart");
  state_->smooth(b, x, o);
}

template <Scalar T>
void GaussSeidel<T>::smooth(std::span<const T> b, std::span<T> x, const SmoothOptions& o) const {
  const auto n = static_cast<std::size_t>(report().n);
  if (b.size() != n || x.size() != n)
    refuse("b has " + std::to_string(b.size()) + " entries and x " + std::to_string(x.size()) +
           " for " + std::to_string(n) + " unknowns");
  smooth(Vectors<const T>(b.data(), report().n), Vectors<T>(x.data(), report().n), o);
}

template <Scalar T>
void GaussSeidel<T>::residual(const Vectors<const T>& b, const Vectors<const T>& x,
                              const Vectors<T>& r, void* stream) const {
  check_vectors(report().n, b, r);
  check_vectors(report().n, x, r);
  if (x.data == r.data && x.n > 0 && x.count > 0) refuse("x and r must be apart");
  state_->require_values();
  if (const DeviceForm<T>* device = state_->device()) {
    const Claim claim(state_->busy, "smoother");
    for_each_group(r.count, [&](Index first, Index some) {
      device->residual(b.slice(first, some), x.slice(first, some), r.slice(first, some), stream);
    });
    return;
  }
  find_residual<T>(state_->matrix(), b, x, r, analysis().state().threads());
}

template <Scalar T>
std::vector<double> GaussSeidel<T>::residual_norms(const Vectors<const T>& b,
                                                   const Vectors<const T>& x, void* stream) const {
  if (state_->device()) return state_->norms_there(b, x, stream);
  return report_bad_alloc("residual", [&] {
    Buffer<T> r(static_cast<std::size_t>(report().n) * static_cast<std::size_t>(x.count));
    const Vectors<T> rs(r.data(), report().n, x.count, 0, x.layout);
    residual(b, x, rs);
    return find_norms<T>(rs);
  });
}

template <Scalar T>
double GaussSeidel<T>::residual_norm(std::span<const T> b, std::span<const T> x) const {
  const auto n = static_cast<std::size_t>(report().n);
  if (b.size() != n || x.size() != n)
    refuse("b has " + std::to_string(b.size()) + " entries and x " + std::to_string(x.size()) +
           " for " + std::to_string(n) + " unknowns");
  return residual_norms(Vectors<const T>(b.data(), report().n),
                        Vectors<const T>(x.data(), report().n))
      .front();
}

template <Scalar T>
void GaussSeidel<T>::check() const {
  if (const DeviceForm<T>* device = state_->device()) device->check();
}

template <Scalar T>
const SmootherAnalysis& GaussSeidel<T>::analysis() const {
  return state_->analysis;
}

template <Scalar T>
const SmootherSetupReport& GaussSeidel<T>::setup_report() const {
  return state_->report;
}

#define ECHELON_INSTANTIATE(T) template class GaussSeidel<T>;
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon

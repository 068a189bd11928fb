// smoother/gauss_seidel.cpp -- values and sweeps: the second and third phase.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <variant>

#include "base/claim.hpp"
#include "base/instantiate.hpp"
#include "base/number.hpp"
#include "base/out_of_memory.hpp"
#include "base/refuse.hpp"
#include "base/timer.hpp"
#include "base/unique_id.hpp"
#include "echelon/residual.hpp"
#include "smoother/column_form.hpp"
#include "smoother/device_form.hpp"
#include "smoother/row_form.hpp"

namespace echelon {
namespace {

constexpr Index max_rhs_per_pass = 8;  // right-hand sides that share one reading of the matrix

// A sweep may read values that are not finite but do not reach x: an initial guess that is not
// used.
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
  for (Index first = 0; first < count; first += max_rhs_per_pass)
    f(first, std::min(max_rhs_per_pass, count - first));
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
  explicit State(const SmootherAnalysis& a) : analysis(a), form(make_form<T>(a)) {
    static_cast<SmootherReport&>(report) = a.report();
  }

  const std::uint64_t id = unique_id();  // unique: a later smoother at this address has another
  SmootherAnalysis analysis;
  Form<T> form;
  bool ready = false;  // the values passed all checks
  GaussSeidelReport report;
  std::unique_ptr<SmootherSpace<T>> own;

  // Calls f with the form in use.
  template <class F>
  auto with_form(const F& f) const {
    return std::visit(f, form);
  }
  SplitMatrix<T> matrix() const {
    return with_form([](const auto& f) { return f.matrix(); });
  }
  const SmootherReport& plan() const { return analysis.report(); }
  const DeviceForm<T>* device() const { return std::get_if<DeviceForm<T>>(&form); }

  Index device_number() const { return analysis.options().solver.device(); }

  std::unique_ptr<SmootherSpace<T>> make_space() const {
    return report_bad_alloc("workspace", [&] {
      auto space = std::make_unique<SmootherSpace<T>>();
      with_form([&](const auto& f) { f.prepare(*space); });
      require_room(*space, 1);
      return space;
    });
  }
  SmootherSpace<T>& space_of(const Workspace& w) const {
    if (!w.space_) refuse("this workspace was moved from");
    if (w.owner_ != id) refuse("this workspace was made by another smoother");
    return *w.space_;
  }
  // Allocates for this many right-hand sides per pass.
  void require_room(SmootherSpace<T>& space, Index vectors) const {
    const Index extra = with_form([](const auto& f) { return f.extra_vectors(); });
    const auto size =
        static_cast<std::size_t>(plan().n) * static_cast<std::size_t>(extra * vectors);
    if (space.room.size() < size) report_bad_alloc("workspace", [&] { space.room.resize(size); });
  }
  // Calls body(space) on the smoother's device; no other call uses this space at the same time.
  template <class Body>
  auto enter(SmootherSpace<T>& space, const Body& body) const {
    const DeviceScope there(device_number());
    const Claim claim(space.busy, "workspace");
    require_values();
    return body(space);
  }

  void require_values() const {
    if (!ready) refuse("the last update failed; this smoother has no values");
  }

  void smooth(SmootherSpace<T>& space, const Vectors<const T>& b, const Vectors<T>& x,
              const SweepOptions& o) const {
    check_vectors(plan().n, b, x);
    if (b.data == x.data && x.n > 0 && x.count > 0) refuse("b and x must be apart");
    if (o.sweeps < 0) refuse("sweeps cannot be negative");
    if (o.threads < 0) refuse("threads cannot be negative");
    if (o.sweeps == 0) {
      if (o.guess == Guess::zero) fill_zero(x, o.stream);
      return;
    }
    require_room(space, std::min(x.count, max_rhs_per_pass));
    bool finite = true;
    for_each_group(x.count, [&](Index first, Index some) {
      finite = with_form([&](const auto& f) {
                 return f.smooth(space, b.slice(first, some), x.slice(first, some), o);
               }) &&
               finite;
    });
    if (!finite && analysis.options().solver.check_finite) refuse_unless_finite(x);
  }

  std::vector<double> norms_there(SmootherSpace<T>& space, const Vectors<const T>& b,
                                  const Vectors<const T>& x, void* stream) const {
    // Checks sizes as smooth does; writes nothing to x.
    check_vectors(plan().n, b,
                  Vectors<T>(const_cast<T*>(x.data), x.n, x.count, x.leading, x.layout));
    return report_bad_alloc("residual", [&] {
      std::vector<double> norms;
      for_each_group(x.count, [&](Index first, Index some) {
        const std::vector<double> those =
            device()->residual_norms(space, b.slice(first, some), x.slice(first, some), stream);
        norms.insert(norms.end(), those.begin(), those.end());
      });
      return norms;
    });
  }

  void check(SmootherSpace<T>& space) const {
    const DeviceScope there(device_number());
    if (device()) device()->check(space);
  }

  void fill_zero(const Vectors<T>& x, void* stream) const {
    if (device() && is_on_device(x.data)) return device()->clear(x, stream);
    for (Index c = 0; c < x.count; ++c)
      for (Index i = 0; i < x.n; ++i) x.data[i * x.step() + c * x.stride()] = T(0);
  }
};

template <Scalar T>
GaussSeidel<T>::Workspace::Workspace(std::unique_ptr<SmootherSpace<T>> space, std::uint64_t owner)
    : space_(std::move(space)), owner_(owner) {}
template <Scalar T>
GaussSeidel<T>::Workspace::Workspace(Workspace&&) noexcept = default;
template <Scalar T>
typename GaussSeidel<T>::Workspace& GaussSeidel<T>::Workspace::operator=(Workspace&&) noexcept =
    default;
template <Scalar T>
GaussSeidel<T>::Workspace::~Workspace() = default;
template <Scalar T>
Offset GaussSeidel<T>::Workspace::bytes() const {
  return space_ ? space_->bytes() : 0;
}

template <Scalar T>
GaussSeidel<T>::GaussSeidel(const SmootherAnalysis& analysis, std::span<const T> values) {
  const DeviceScope there(analysis.options().solver.device());
  state_ = report_bad_alloc("values", [&] { return std::make_unique<State>(analysis); });
  update(values);
  state_->report.bytes = state_->with_form([](const auto& f) { return f.matrix_bytes(); });
  state_->own = state_->make_space();
  state_->report.workspace_bytes = state_->own->bytes();
}

template <Scalar T>
GaussSeidel<T>::GaussSeidel(GaussSeidel&&) noexcept = default;
template <Scalar T>
GaussSeidel<T>& GaussSeidel<T>::operator=(GaussSeidel&&) noexcept = default;
template <Scalar T>
GaussSeidel<T>::~GaussSeidel() = default;

template <Scalar T>
typename GaussSeidel<T>::State& GaussSeidel<T>::state() const {
  if (!state_) refuse("this smoother was moved from and has no matrix");
  return *state_;
}

template <Scalar T>
void GaussSeidel<T>::update(std::span<const T> values) {
  const Timer timer;
  State& s = state();
  const DeviceScope there(s.device_number());
  s.ready = false;
  report_bad_alloc("values", [&] { std::visit([&](auto& f) { f.pack(values); }, s.form); });
  s.ready = true;
  s.report.setup_s = timer.seconds();
}

template <Scalar T>
typename GaussSeidel<T>::Workspace GaussSeidel<T>::make_workspace() const {
  const State& s = state();
  const DeviceScope there(s.device_number());
  return Workspace(s.make_space(), s.id);
}

template <Scalar T>
void GaussSeidel<T>::solve(Workspace& workspace, const Vectors<const T>& b, const Vectors<T>& x,
                           const SweepOptions& o) const {
  const State& s = state();
  s.enter(s.space_of(workspace), [&](auto& space) { s.smooth(space, b, x, o); });
}

template <Scalar T>
void GaussSeidel<T>::solve(const Vectors<const T>& b, const Vectors<T>& x,
                           const SweepOptions& o) const {
  State& s = state();
  s.enter(*s.own, [&](auto& space) {
    s.smooth(space, b, x, o);
    s.report.workspace_bytes = space.bytes();
  });
}

template <Scalar T>
void GaussSeidel<T>::solve(std::span<const T> b, std::span<T> x, const SweepOptions& o) const {
  const auto n = static_cast<std::size_t>(report().n);
  if (b.size() != n || x.size() != n)
    refuse("b has " + std::to_string(b.size()) + " entries and x " + std::to_string(x.size()) +
           " for " + std::to_string(n) + " unknowns");
  solve(Vectors<const T>(b.data(), report().n), Vectors<T>(x.data(), report().n), o);
}

template <Scalar T>
void GaussSeidel<T>::residual(const Vectors<const T>& b, const Vectors<const T>& x,
                              const Vectors<T>& r, void* stream) const {
  State& s = state();
  check_vectors(report().n, b, r);
  check_vectors(report().n, x, r);
  if (x.data == r.data && x.n > 0 && x.count > 0) refuse("x and r must be apart");
  s.require_values();
  const DeviceForm<T>* const device = s.device();
  if (device == nullptr) return find_residual<T>(s.matrix(), b, x, r, analysis().state().threads());
  s.enter(*s.own, [&](auto& space) {
    for_each_group(r.count, [&](Index first, Index some) {
      device->residual(space, b.slice(first, some), x.slice(first, some), r.slice(first, some),
                       stream);
    });
    s.report.workspace_bytes = space.bytes();
  });
}

template <Scalar T>
std::vector<double> GaussSeidel<T>::residual_norms(const Vectors<const T>& b,
                                                   const Vectors<const T>& x, void* stream) const {
  State& s = state();
  if (s.device())
    return s.enter(*s.own, [&](auto& space) {
      std::vector<double> norms = s.norms_there(space, b, x, stream);
      s.report.workspace_bytes = space.bytes();
      return norms;
    });
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
  const State& s = state();
  s.check(*s.own);
}
template <Scalar T>
void GaussSeidel<T>::check(Workspace& workspace) const {
  const State& s = state();
  s.check(s.space_of(workspace));
}

template <Scalar T>
std::vector<T> GaussSeidel<T>::solve(std::span<const T> b, const SweepOptions& o) const {
  std::vector<T> x(b.size());
  SweepOptions from_zero = o;
  from_zero.guess = Guess::zero;
  solve(b, std::span<T>(x), from_zero);
  return x;
}

template <Scalar T>
const SmootherAnalysis& GaussSeidel<T>::analysis() const {
  return state().analysis;
}

template <Scalar T>
const GaussSeidelReport& GaussSeidel<T>::report() const {
  return state().report;
}

#define ECHELON_INSTANTIATE(T) template class GaussSeidel<T>;
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon

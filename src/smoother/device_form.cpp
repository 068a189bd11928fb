// smoother/device_form.cpp -- r = b - U x + (1/omega - 1) D x, then (D/omega + L) x = r.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  The product reads all of the old x before the solve writes the new one, so x is swept in
// place for every pattern and every method, and A is read once.
//
// After the first half of a symmetric sweep, r = (D/omega + L) x, so that the L x which the second
// half needs is r - D x / omega, and its right-hand side
//   b - L x + (1/omega - 1) D x = b - r + (2/omega - 1) D x
// needs D alone; and so on from half to half.  The residual of each solve enters the next
// right-hand side, so this is done only where residuals are as small as rounding errors: not after
// solves with inverted blocks.
//
// References.  Niethammer (1964) and Conrad and Wallach (1979) for the saved products.
#include "smoother/device_form.hpp"

#include <algorithm>
#include <bit>
#include <exception>
#include <utility>

#include "base/instantiate.hpp"
#include "smoother/vector_sums.hpp"

namespace echelon {
namespace {

template <class A, class B>
bool lie_on_device(const Vectors<A>& a, const Vectors<B>& b) {
  const bool there = is_on_this_device(a.data);
  if (there != is_on_this_device(b.data))
    throw Error(ErrorCode::bad_argument,
                "some of the vectors lie on the device, others with the host");
  return there;
}

}  // namespace

template <Scalar T>
DeviceForm<T>::DeviceForm(const SmootherAnalysis& analysis)
    : analysis_(analysis), products_(make_device_spmv<T>()), triangles_(analysis) {
  follows_ = plan().sides.size() == 2 && !is_supernodal(plan().sides.front().report().method);
}

template <Scalar T>
void DeviceForm<T>::prepare(SmootherSpace<T>& space) const {
  triangles_.prepare(space);
  space.order = std::make_unique<StreamOrder>();
  require_room(space, 1);
}

template <Scalar T>
void DeviceForm<T>::pack(std::span<const T> values) {
  const Index threads = plan().options.solver.cpu.threads;
  pack_values(plan().near(), values, plan().stored_count, false, near_, threads);
  pack_values(plan().across, values, plan().stored_count, false, across_, threads);
  products_->load(matrix());
  triangles_.pack(values);
}

template <Scalar T>
void DeviceForm<T>::sweep(SmootherSpace<T>& space, const Vectors<const T>& b, const Vectors<T>& x,
                          const SweepOptions& o) const {
  const Vectors<T> r = room_like(space, x, 0);
  const auto omega = static_cast<Real<T>>(plan().options.omega);
  Vectors<const T> used = b;
  bool first = true;
  for (Index s = 0; s < o.sweeps; ++s)
    for (std::size_t k = 0; k < triangles_.sides().size(); ++k) {
      if (first && o.guess == Guess::zero) {
        used = b;
      } else if (!first && follows_) {
        products_->follow(2 / omega - 1, b, used, x, r, o.stream);
        used = r;
      } else {
        const bool lower = uplo_of_side(plan().options.direction, k) == Uplo::lower;
        products_->subtract({!lower, lower, 1 - 1 / omega}, b, x, r, o.stream);
        used = r;
      }
      triangles_.sides()[k].solve(space.solves[k], used, x, {.stream = o.stream});
      first = false;
    }
}

template <Scalar T>
bool DeviceForm<T>::smooth(SmootherSpace<T>& space, const Vectors<const T>& b, const Vectors<T>& x,
                           const SweepOptions& o) const {
  if (x.n == 0 || x.count == 0) return true;
  const bool there = lie_on_device(b, x);
  const Index at_once = there && is_capturing(o.stream) ? vectors_in(space, x.count) : x.count;
  require_room(space, (there ? 1 : 3) * at_once);
  const StreamTurn turn(space.order.get(), o.stream);
  if (there) {
    for (Index k = 0; k < x.count; k += at_once) {
      const Index some = std::min(at_once, x.count - k);
      sweep(space, b.slice(k, some), x.slice(k, some), o);
    }
    return true;
  }
  const Vectors<T> given = bring(space, b, 1, o.stream);
  const Vectors<T> swept =
      o.guess == Guess::zero ? room_like(space, x, 2) : bring(space, x, 2, o.stream);
  sweep(space, given, swept, o);
  products_->copy(swept, x, o.stream);
  products_->wait(o.stream);
  try {
    check(space);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::not_finite) throw;
    return false;
  }
  return true;
}

template <Scalar T>
void DeviceForm<T>::residual(SmootherSpace<T>& space, const Vectors<const T>& b,
                             const Vectors<const T>& x, const Vectors<T>& r, void* stream) const {
  if (r.n == 0 || r.count == 0) return;
  lie_on_device(b, x);
  if (lie_on_device(x, r)) return products_->subtract({}, b, x, r, stream);
  require_room(space, 3 * r.count);
  const StreamTurn turn(space.order.get(), stream);
  const Vectors<T> found = room_like(space, r, 0);
  products_->subtract({}, bring(space, b, 1, stream), bring(space, x, 2, stream), found, stream);
  products_->copy(found, r, stream);
  products_->wait(stream);
}

template <Scalar T>
std::vector<double> DeviceForm<T>::residual_norms(SmootherSpace<T>& space,
                                                  const Vectors<const T>& b,
                                                  const Vectors<const T>& x, void* stream) const {
  if (x.n == 0 || x.count == 0) return std::vector<double>(static_cast<std::size_t>(x.count), 0.0);
  const bool there = lie_on_device(b, x);
  require_room(space, (there ? 1 : 3) * x.count);
  const StreamTurn turn(space.order.get(), stream);
  const Vectors<T> r = room_like(space, x, 0);
  const Vectors<const T> from_b = there ? b : bring(space, b, 1, stream);
  const Vectors<const T> from_x = there ? x : bring(space, x, 2, stream);
  products_->subtract({}, from_b, from_x, r, stream);
  return products_->norms(r, stream);
}

template <Scalar T>
void DeviceForm<T>::clear(const Vectors<T>& x, void* stream) const {
  products_->clear(x, stream);
}

// All are checked, so that no later check reports an earlier sweep.
template <Scalar T>
void DeviceForm<T>::check(SmootherSpace<T>& space) const {
  std::exception_ptr first;
  for (std::size_t k = 0; k < space.solves.size(); ++k) try {
      triangles_.sides()[k].check(space.solves[k]);
    } catch (const Error&) {
      if (!first) first = std::current_exception();
    }
  if (first) std::rethrow_exception(first);
}

// A graph may use memory as long as the workspace lives, so no buffer is freed before.  Sizes are
// powers of two: all buffers together are less than twice the last one.
template <Scalar T>
void DeviceForm<T>::require_room(SmootherSpace<T>& space, Index vectors) const {
  const auto n = static_cast<std::size_t>(plan().report.n);
  if (space.there.size() >= n * static_cast<std::size_t>(vectors)) return;
  DeviceVector<T> larger(n * std::bit_ceil(static_cast<std::size_t>(vectors)));
  space.before.push_back(std::exchange(space.there, std::move(larger)));
}

template <Scalar T>
Index DeviceForm<T>::vectors_in(const SmootherSpace<T>& space, Index most) const {
  const std::size_t all = space.there.size() / static_cast<std::size_t>(plan().report.n);
  return static_cast<Index>(std::min(all, static_cast<std::size_t>(most)));
}

template <Scalar T>
Vectors<T> DeviceForm<T>::room_like(const SmootherSpace<T>& space, const Vectors<const T>& x,
                                    Index e) const {
  return {space.there.data() + Offset{e} * x.n * x.count, x.n, x.count, 0, x.layout};
}

template <Scalar T>
Vectors<T> DeviceForm<T>::bring(const SmootherSpace<T>& space, const Vectors<const T>& host,
                                Index e, void* stream) const {
  const Vectors<T> copy = room_like(space, host, e);
  products_->copy(host, copy, stream);
  return copy;
}

template <Scalar T>
Offset DeviceForm<T>::matrix_bytes() const {
  const auto diagonal = static_cast<Offset>(near_.diagonal.size() * sizeof(T));
  const Offset lower = bytes_of_rows(plan().near(), near_) - diagonal;
  const Offset upper = bytes_of_rows(plan().across, across_);
  Offset bytes = triangles_.matrix_bytes();
  for (std::size_t k = 0; k < triangles_.sides().size(); ++k) {
    const bool from_upper = uplo_of_side(plan().options.direction, k) == Uplo::lower;
    const bool follows = k > 0 && follows_;
    if (!follows) bytes += from_upper ? upper : lower;
    if (follows || plan().options.omega != 1) bytes += diagonal;
  }
  return bytes;
}

#define ECHELON_INSTANTIATE(T) template class DeviceForm<T>;
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon

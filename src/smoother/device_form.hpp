// smoother/device_form.hpp -- sweeps on a device: a product by rows, a solve with one triangle.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "echelon/device.hpp"
#include "echelon/executor.hpp"
#include "smoother/triangle_solvers.hpp"

namespace echelon {

// The matrix by rows on the device, and a Solver there for D/omega + L, D/omega + U or both.
// Vectors lie all on the host or all on the device; bad_argument if they do not.  Work vectors
// belong to the space: calls with one space run one after the other, in any streams.
template <Scalar T>
class DeviceForm {
 public:
  explicit DeviceForm(const SmootherAnalysis& analysis);

  // As in RowForm, but memory is allocated when it is needed.  Host vectors are complete on return.
  // With device vectors the work is put into the stream, and check() reports errors.
  void pack(std::span<const T> values);
  void prepare(SmootherSpace<T>& space) const;
  bool smooth(SmootherSpace<T>& space, const Vectors<const T>& b, const Vectors<T>& x,
              const SweepOptions& o) const;
  Index extra_vectors() const { return 0; }
  SplitMatrix<T> matrix() const { return {plan().near(), near_, plan().across, across_}; }
  Offset matrix_bytes() const;

  // For at most as many vectors as one call of smooth takes.
  void residual(SmootherSpace<T>& space, const Vectors<const T>& b, const Vectors<const T>& x,
                const Vectors<T>& r, void* stream) const;
  std::vector<double> residual_norms(SmootherSpace<T>& space, const Vectors<const T>& b,
                                     const Vectors<const T>& x, void* stream) const;
  void clear(const Vectors<T>& x, void* stream) const;
  void check(SmootherSpace<T>& space) const;

 private:
  const SmootherAnalysis::State& plan() const { return analysis_.state(); }
  void sweep(SmootherSpace<T>& space, const Vectors<const T>& b, const Vectors<T>& x,
             const SweepOptions& o) const;
  void require_room(SmootherSpace<T>& space, Index vectors) const;
  // The number of vectors, up to `most`, that the work memory can hold.
  Index vectors_in(const SmootherSpace<T>& space, Index most) const;
  // The e-th work vector, in x's shape, and the device copy of a host vector.
  Vectors<T> room_like(const SmootherSpace<T>& space, const Vectors<const T>& x, Index e) const;
  Vectors<T> bring(const SmootherSpace<T>& space, const Vectors<const T>& host, Index e,
                   void* stream) const;

  SmootherAnalysis analysis_;
  std::unique_ptr<DeviceSpmv<T>> products_;
  TriangleSolvers<T> triangles_;
  bool follows_ = false;  // after the first half of a symmetric sweep, only D is read
  PackedValues<T> near_, across_;
};

}  // namespace echelon

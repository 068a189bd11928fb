// solver/prepared_triangle.hpp -- a triangle with plan, values and executor, ready for solves.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  A form is a plan with its executor and values.  Panels serve M and its transposes in one
// form.  All other methods have one form per operation.  The form of M is filled by load().  The
// form of a transpose is made by the first solve that needs it: its pattern and its values are
// those of M's form, listed the other way.  The sparse matrices of methods spmv and invert_full
// cannot be turned around, so a copy of the given values is kept for them.
//
// The first load() cuts panels whose inverse is not trusted into parts whose inverses are
// (numeric/trusted_parts.cpp): it replaces the plan.  Later values have the same parts; a panel
// whose inverse they make worse stays a triangle.
//
// Protocol.  load() runs alone.  Any number of threads may solve, each with its own TriangleSpace.
// A mutex admits one thread to make a missing form; the pointer to the finished form is then
// published with release and read with acquire.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <span>

#include "echelon/executor.hpp"
#include "echelon/factor.hpp"
#include "echelon/solver.hpp"

namespace echelon {

// The memory of one caller's solves: a workspace per form.
struct TriangleSpace {
  std::unique_ptr<Workspace> own;                      // of M's form
  std::array<std::unique_ptr<Workspace>, 2> turned{};  // of the transposes, made when first needed

  Offset bytes() const;
};

// One call of solve: op(M) x = alpha b.
template <Scalar T>
struct TriangleCall {
  Op op = Op::none;
  T alpha = T(1);
  Index threads = 0;  // at most this many; 0: as planned
  void* stream = nullptr;
  DeviceMarks* steps = nullptr;   // of a profile, on a device
  DeviceMarks* levels = nullptr;  // of a profile by levels, on a device
  bool and_back = false;          // where goes_back(): x = op(M) \ (D \ (M \ b))
  const T* divisor = nullptr;     // D; null: it is one
};

template <Scalar T>
class PreparedTriangle {
 public:
  // Throws backend_missing.
  explicit PreparedTriangle(const Analysis& analysis);
  // For the panels of a factor.
  PreparedTriangle(const std::shared_ptr<const Plan>& plan, const Options& o);

  // The values of the analyzed triangle, in the order of the stored entries.  All forms that exist
  // get them.  Throws zero_diagonal, not_finite, bad_argument, out_of_memory; no solve may follow
  // until a load succeeds.
  void load(std::span<const T> stored, bool conjugated);
  // The panels of a factor, for solves with M and its transposes.  Throws the same.
  void load(const FactorTriangle<T>& factor);

  TriangleSpace make_space() const;

  // False if an entry of x is not finite.  The first solve with a transpose makes its form and
  // workspace, if it needs its own, and throws as load() does.
  bool solve(TriangleSpace& space, const Vectors<const T>& b, const Vectors<T>& x,
             const TriangleCall<T>& call) const;
  bool goes_back() const { return is_panels() && own_.executor->goes_back(); }
  // False if an answer of this workspace since the last check was not finite.  All forms are
  // checked, so that no later check reports an earlier solve.
  bool check(TriangleSpace& space) const;

  const Plan& plan() const { return *own_.plan; }
  // Brings a report of the plan up to date, if the first load() has cut panels.
  void report_parts(SupernodeReport& report) const;
  const BlockValues<T>& blocks() const { return own_.blocks; }
  bool is_panels() const { return is_supernodal(plan().method); }
  Offset bytes() const;         // read by one solve with M
  Offset stored_bytes() const;  // of M's values
  Offset device_bytes() const;
  Index launches(Op op) const;  // kernels per solve; 0 for a form that does not exist yet
  // The work per level of a solve with op(M); empty unless the method launches kernels level by
  // level.
  std::vector<LevelWork> level_work(Op op) const;

 private:
  struct Form {
    std::shared_ptr<const Plan> plan;
    std::unique_ptr<Executor<T>> executor;
    PackedValues<T> values;  // of a method by rows or columns, or
    BlockValues<T> blocks;   // of a supernodal method
  };

  bool one_form() const;             // M's form serves the transposes too
  std::size_t slot_of(Op op) const;  // which of the forms of transposes op needs
  const Form* form_of(Op op) const;  // null: there is none yet
  const Form& require_form(Op op, void* stream) const;
  std::unique_ptr<Form> make_form(Op op) const;
  std::shared_ptr<const Plan> plan_transpose() const;
  void fill(Form& form, Sweep sweep, std::span<const T> stored) const;
  void set_up(Form& form, const FillPanel<T>& fill_panel, Sweep sweep) const;
  template <class FillOf>
  void set_up_own(const FillOf& fill_of, Sweep sweep);
  bool cuts_panels() const;
  void turn_values(Form& form, bool conjugated) const;
  void load_turned(Form& form, std::size_t slot) const;
  Sweep own_pass(bool turned) const;

  Options options_;
  Form own_;
  Uplo shape_ = Uplo::lower;
  Offset stored_count_ = 0;
  bool conjugated_ = false;
  bool both_ways_ = false;  // the values serve both passes over panels
  Buffer<T> stored_;        // as given; only for sparse matrices made for one pass
  bool loaded_ = false;     // once: the plan stays as it is
  SupernodeReport parts_;   // of the plan with cut panels; `cut` is 0 if there are none

  mutable std::mutex making_;
  mutable std::array<std::unique_ptr<Form>, 2> turned_;  // written under the mutex, or by load()
  mutable std::array<std::atomic<Form*>, 2> published_{};
};

}  // namespace echelon

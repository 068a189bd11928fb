// exec/serial/serial_executor.cpp -- solves with one thread, in sweep order.
// SPDX-License-Identifier: BSD-3-Clause
//
// Uses the row kernel, without waits or shared data.  Tests compare it and all other methods with
// tests/support/reference_solve.hpp, which shares no code with them.
#include "base/instantiate.hpp"
#include "exec/executors.hpp"
#include "exec/row_kernel.hpp"

namespace echelon {
namespace {

template <class T>
class SerialExecutor final : public Executor<T> {
 public:
  std::unique_ptr<Workspace> make_workspace(const Plan&) const override {
    return std::make_unique<Workspace>();
  }

  bool solve(const SolveJob<T>& job, Workspace&) const noexcept override {
    return for_each_row_pass(job, [&](const RowPass<T>& pass, int columns) {
      const auto rows = find_row_kernel(job, columns);
      return rows(pass, 0, job.plan.pattern.n);
    });
  }
};

}  // namespace

template <Scalar T>
std::unique_ptr<Executor<T>> make_serial_executor() {
  return std::make_unique<SerialExecutor<T>>();
}

#define ECHELON_INSTANTIATE(T) template std::unique_ptr<Executor<T>> make_serial_executor();
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon

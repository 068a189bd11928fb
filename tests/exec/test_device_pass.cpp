// tests/exec/test_device_pass.cpp -- the GPU's steps of a supernodal solve, emulated on the CPU:
// all panel forms, triangles, transposes and scalars against the oracle.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

// First: it defines the emulation that device code uses.
#include "exec/emulated_block.hpp"
// (a separate include block)
#include "exec/emulated_plan.hpp"
#include "support/reference_solve.hpp"

namespace echelon {
namespace {

constexpr double accepted = 8;

// Solves op(M) x = b, item by item.
template <class T, class S>
std::vector<T> solve(const Ready<T>& ready, const S* value, Op op, const std::vector<T>& b) {
  using D = DeviceScalar<T>;
  const BlockPlan& plan = ready.analysis.plan().blocks;
  const D nan = std::bit_cast<D>(T(std::numeric_limits<Real<T>>::quiet_NaN()));
  std::vector<D> space(static_cast<std::size_t>(plan.space()), nan), answer(b.size(), nan),
      partial(static_cast<std::size_t>(plan.partial_start.back()), nan);
  const std::vector<D> right = cast<D>(b);
  const bool conjugate = op == Op::conjugate, pull = plan.pull != (op != Op::none);
  const DevicePass<D, S> pass{ready.device,
                              ready.values.form.data(),
                              value,
                              std::bit_cast<D>(T(1)),
                              conjugate,
                              right.data(),
                              1,
                              space.data(),
                              answer.data(),
                              partial.data()};
  const BlockProgram program = make_block_program(plan, pull);
  static EmulatedBlock block(block_threads);
  typename DevicePass<D, S>::Shared shared;
  for (const Phase& phase : program.phases) {
    if (phase.kind == PhaseKind::diagonal && ready.values.all_inverse) continue;
    for (Index i = phase.begin; i < phase.end; ++i)
      block.run([&] { pass.run_item(phase.kind, pull, program.items[i], shared); });
  }
  std::vector<D> x(b.size());
  for (Index k = 0; k < plan.n; ++k) x[plan.unknown(k)] = conjugate_if(conjugate, answer[k]);
  return cast<T>(x);
}

template <class T>
void expect_solved(const test::BlockCase& c, Method method, double growth) {
  const auto a = test::case_matrix<T>(c.columns);
  const auto b = test::random_vector<T>(c.columns.size());
  Options o;
  o.method = method;
  o.cpu.threads = 2;
  o.supernode.chunk_entries = 256;  // cuts panels of some twenty columns into pieces
  o.numeric.largest_growth = growth;
  for (const Uplo uplo : {Uplo::lower, Uplo::upper}) {
    const Ready<T> ready(triangle(CsrView<T>(a), uplo, {.outside = OutsideEntries::ignore}), o);
    const auto* const value = reinterpret_cast<const Real<T>*>(ready.values.value.data());
    for (const Op op : {Op::none, Op::transpose, Op::conjugate}) {
      if (op == Op::conjugate && !is_complex<T>) continue;
      const auto t = triangle(CsrView<T>(a), uplo, {.op = op, .outside = OutsideEntries::ignore});
      EXPECT_LE(test::backward_error(t, b, solve(ready, value, op, b)), accepted)
          << c.name << ' ' << name(method) << (growth == 0 ? " kept as triangles" : "");
    }
  }
}

template <class T>
class DevicePasses : public testing::Test {};
using Scalars = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(DevicePasses, Scalars);

TYPED_TEST(DevicePasses, SolveOnTheCpuAsTheyWouldOnAGpu) {
  for (const test::BlockCase& c : test::block_cases()) {
    if (!std::same_as<TypeParam, double> && c.name != "dense 70" && c.name != "wide arrow")
      continue;
    for (const Method method :
         {Method::team, Method::invert_diag, Method::invert_off, Method::tree})
      for (const double growth : {1e4, 0.0})
        if (growth > 0 || method == Method::tree) expect_solved<TypeParam>(c, method, growth);
  }
}

}  // namespace
}  // namespace echelon

// bench/general/cusparse.cpp -- the contender cuSPARSE: SpSV or SpSM with a triangle, on a device.
// SPDX-License-Identifier: BSD-3-Clause
#include "support/cusparse.hpp"

#include "contender.hpp"
#include "resident.hpp"

namespace echelon::bench {

template <Scalar T>
Entrant<T> make_cusparse(const Task<T>& task) {
  const auto triangle = std::make_shared<const CusparseTriangle<T>>(
      RowTriangle<T>{task.triangle, task.part}, task.nrhs);
  const CusparseFacts& known = triangle->facts();
  Facts facts{"cusparse", known.routine};
  facts.backend = Backend::cuda;
  facts.analysis_s = known.analysis_s;
  facts.setup_s = known.upload_s;
  facts.matrix_bytes = known.matrix_bytes;
  const SolveCall<T> call = [triangle](const Vectors<const T>& from, const Vectors<T>& to,
                                       void* stream) { triangle->solve(from, to, stream); };
  return make_resident(task, std::move(facts), call);
}

#define ECHELON_INSTANTIATE(T) template Entrant<T> make_cusparse(const Task<T>&);
ECHELON_INSTANTIATE(float)
ECHELON_INSTANTIATE(double)
ECHELON_INSTANTIATE(std::complex<float>)
ECHELON_INSTANTIATE(std::complex<double>)
#undef ECHELON_INSTANTIATE

}  // namespace echelon::bench

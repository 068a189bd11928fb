// tests/adapters/cusparse/life_cases.cpp -- descriptors over their lifetime: streams, graphs,
// threads, and programs that analyze for every solve.
// SPDX-License-Identifier: BSD-3-Clause
#include <thread>

#include "program.hpp"

namespace program {
namespace {

class Stream {
 public:
  Stream() { check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() { cudaStreamDestroy(stream_); }
  operator cudaStream_t() const { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
};

// Two descriptors of the same pattern with different values, alive together, each in its stream.
void two_streams() {
  const Stream first, second;
  const Handle one(first), two(second);
  const Matrix<double> a = make_matrix<double>(120, 100, 1);
  Matrix<double> c = a;
  for (double& value : c.value) value *= 7;
  const auto b = make_vector<double>(static_cast<std::size_t>(a.n), 3);
  const Device<double> on_b(b), x(b.size()), y(b.size());
  VectorSolve<double> of_a(one, a, {}, on_b, x), of_c(two, c, {}, on_b, y);
  for (int repeat = 0; repeat < 20; ++repeat) {
    of_a.solve(1);
    of_c.solve(1);
  }
  check_answer(a, {}, 1.0, b, x.store());
  check_answer(c, {}, 1.0, b, y.store());
}

// One descriptor used in two streams, by setting the stream of the handle.
void change_of_stream() {
  const Stream first, second;
  const Handle handle(first);
  const Matrix<double> a = make_matrix<double>(120, 100, 1);
  const auto b = make_vector<double>(static_cast<std::size_t>(a.n), 3);
  const Device<double> on_b(b), x(b.size());
  VectorSolve<double> solve(handle, a, {}, on_b, x);
  for (int repeat = 0; repeat < 5; ++repeat) {
    check(cusparseSetStream(handle, repeat % 2 == 0 ? first : second));
    solve.solve(1);
    check(cudaStreamSynchronize(repeat % 2 == 0 ? first : second));
    check_answer(a, {}, 1.0, b, x.store());
  }
}

// The first solve of a descriptor is captured, then replayed for other right-hand sides.
void graph() {
  const Stream stream;
  const Handle handle(stream);
  const Matrix<double> a = make_matrix<double>(80, 70, 1);
  auto b = make_vector<double>(static_cast<std::size_t>(a.n), 3);
  Device<double> on_b(b);
  const Device<double> x(b.size());
  VectorSolve<double> solve(handle, a, {}, on_b, x);
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t program = nullptr;
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  solve.solve(1);
  check(cudaStreamEndCapture(stream, &graph));
  check(cudaGraphInstantiate(&program, graph, 0));
  for (const unsigned seed : {4u, 5u, 6u}) {
    b = make_vector<double>(b.size(), seed);
    on_b.load(b);
    check(cudaGraphLaunch(program, stream));
    check_answer(a, {}, 1.0, b, x.store());
  }
  check(cudaGraphExecDestroy(program));
  check(cudaGraphDestroy(graph));
}

// What PyTorch and CuPy do: a descriptor per solve.  Same pattern and values; other values; then
// one entry in another column, with as many entries as before.
void descriptor_per_solve() {
  const Handle handle;
  Matrix<double> a = keep_lower(make_matrix<double>(60, 50, 1));
  const auto b = make_vector<double>(static_cast<std::size_t>(a.n), 3);
  const Device<double> on_b(b), x(b.size());
  const auto solve = [&] {
    VectorSolve<double> one(handle, a, {}, on_b, x);
    one.solve(1);
    check_answer(a, {}, 1.0, b, x.store());
  };
  for (int repeat = 0; repeat < 3; ++repeat) solve();
  a.value[a.value.size() / 2] += 0.25;
  for (int repeat = 0; repeat < 3; ++repeat) solve();
  const auto row = static_cast<std::size_t>(a.start[1000]);
  a.index[row] += a.index[row] > 0 ? -1 : 1;  // the first entry of row 1000, left of the others
  solve();
}

// More patterns than are kept, each with a new descriptor.
void many_patterns() {
  const Handle handle;
  for (int width = 5; width < 45; ++width) {
    const Matrix<float> a = make_matrix<float>(width, width, 1, static_cast<unsigned>(width));
    const auto b = make_vector<float>(static_cast<std::size_t>(a.n), 3);
    const Device<float> on_b(b), x(b.size());
    VectorSolve<float> solve(handle, a, {}, on_b, x);
    solve.solve(1);
    check_answer(a, {}, 1.0f, b, x.store());
  }
}

void threads() {
  std::vector<std::string> errors(4);
  std::vector<std::thread> team;
  for (std::size_t t = 0; t < errors.size(); ++t)
    team.emplace_back([&, t] {
      try {
        const Stream stream;
        const Handle handle(stream);
        for (int repeat = 0; repeat < 5; ++repeat) {
          Matrix<double> a = make_matrix<double>(50, 40, 1);
          for (double& value : a.value) value *= 1 + static_cast<double>(t) + repeat;
          const auto b = make_vector<double>(static_cast<std::size_t>(a.n), 3);
          const Device<double> on_b(b), x(b.size());
          VectorSolve<double> solve(handle, a, {}, on_b, x);
          for (int again = 0; again < 10; ++again) solve.solve(1);
          check(cudaStreamSynchronize(stream));
          check_answer(a, {}, 1.0, b, x.store());
        }
      } catch (const std::exception& e) {
        errors[t] = e.what();
      }
    });
  for (auto& thread : team) thread.join();
  for (const auto& error : errors)
    if (!error.empty()) throw std::runtime_error(error);
}

// The rest of cuSPARSE is untouched: a product with the same descriptors undoes the solve.
void product_undoes_solve() {
  const Handle handle;
  const Matrix<double> a = keep_lower(make_matrix<double>(60, 50, 2));
  const auto n = static_cast<std::size_t>(a.n);
  const auto b = make_vector<double>(n, 3);
  const Device<double> on_b(b), x(n), y(n);
  VectorSolve<double> solve(handle, a, {}, on_b, x);
  solve.solve(1);
  Shape whole;
  whole.triangle = false;
  Sparse<double> matrix(a, whole);
  cusparseDnVecDescr_t vec_x = nullptr, vec_y = nullptr;
  check(cusparseCreateDnVec(&vec_x, a.n, x.data(), CUDA_R_64F));
  check(cusparseCreateDnVec(&vec_y, a.n, y.data(), CUDA_R_64F));
  const double one = 1, zero = 0;
  std::size_t bytes = 0;
  check(cusparseSpMV_bufferSize(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix, vec_x,
                                &zero, vec_y, CUDA_R_64F, CUSPARSE_SPMV_ALG_DEFAULT, &bytes));
  Device<char> buffer(bytes);
  check(cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix, vec_x, &zero, vec_y,
                     CUDA_R_64F, CUSPARSE_SPMV_ALG_DEFAULT, buffer.data()));
  const auto back = y.store();
  cusparseDestroyDnVec(vec_x);
  cusparseDestroyDnVec(vec_y);
  for (std::size_t i = 0; i < n; ++i)
    if (!(std::abs(back[i] - b[i]) < 1e-12))
      throw std::runtime_error("entry " + std::to_string(i) + " differs");
}

}  // namespace

void life_cases() {
  run("two descriptors in two streams", two_streams);
  run("one descriptor in changing streams", change_of_stream);
  run("a solve captured in a graph", graph);
  run("a descriptor per solve", descriptor_per_solve);
  run("forty patterns", many_patterns);
  run("four threads", threads);
  run("a product undoes the solve", product_undoes_solve);
}

}  // namespace program

// tests/adapters/cusparse/matrix_cases.cpp -- SpSM for several right-hand sides in all layouts.
// SPDX-License-Identifier: BSD-3-Clause
#include "program.hpp"

namespace program {
namespace {

// A dense matrix in memory: rows x cols, by columns or by rows, with a gap after each.
struct Layout {
  cusparseOrder_t order = CUSPARSE_ORDER_COL;
  bool transpose = false;  // of B: stored as count x n

  std::size_t leading(std::size_t n, std::size_t count) const {
    const std::size_t rows = transpose ? count : n, cols = transpose ? n : count;
    return (order == CUSPARSE_ORDER_COL ? rows : cols) + 3;
  }
  std::size_t size(std::size_t n, std::size_t count) const {
    const std::size_t rows = transpose ? count : n, cols = transpose ? n : count;
    return leading(n, count) * (order == CUSPARSE_ORDER_COL ? cols : rows);
  }
  Steps steps(std::size_t n, std::size_t count) const {
    const bool entries_adjacent = (order == CUSPARSE_ORDER_COL) != transpose;
    const std::size_t ld = leading(n, count);
    return entries_adjacent ? Steps{1, ld} : Steps{ld, 1};
  }
};

template <class T>
class MatrixSolve {
 public:
  MatrixSolve(cusparseHandle_t handle, const Matrix<T>& a, const Shape& shape, std::size_t count,
              const Layout& of_b, T* b, const Layout& of_x, T* x)
      : handle_(handle),
        shape_(shape),
        op_b_(of_b.transpose ? CUSPARSE_OPERATION_TRANSPOSE : CUSPARSE_OPERATION_NON_TRANSPOSE),
        a_(a, shape) {
    const T alpha(1);
    const cudaDataType type = TypeOf<T>::value;
    const auto n = static_cast<std::size_t>(a.n);
    describe(b_, n, count, of_b, b);
    describe(x_, n, count, of_x, x);
    std::size_t bytes = 0;
    check(cusparseSpSM_createDescr(&operation_));
    check_taken<T>(cusparseSpSM_bufferSize(handle, shape.op, op_b_, &alpha, a_, b_, x_, type,
                                           CUSPARSE_SPSM_ALG_DEFAULT, operation_, &bytes),
                   shape.op);
    check(cudaMalloc(&buffer_, bytes));
    check(cusparseSpSM_analysis(handle, shape.op, op_b_, &alpha, a_, b_, x_, type,
                                CUSPARSE_SPSM_ALG_DEFAULT, operation_, buffer_));
  }
  MatrixSolve(const MatrixSolve&) = delete;
  MatrixSolve& operator=(const MatrixSolve&) = delete;
  ~MatrixSolve() {
    cusparseSpSM_destroyDescr(operation_);
    cusparseDestroyDnMat(b_);
    cusparseDestroyDnMat(x_);
    cudaFree(buffer_);
  }
  void solve(const T& alpha) {
    check(cusparseSpSM_solve(handle_, shape_.op, op_b_, &alpha, a_, b_, x_, TypeOf<T>::value,
                             CUSPARSE_SPSM_ALG_DEFAULT, operation_));
  }
  void update(Device<T>& values, cusparseSpSMUpdate_t part) {
    check(cusparseSpSM_updateMatrix(handle_, operation_, values.data(), part));
  }

 private:
  static void describe(cusparseDnMatDescr_t& d, std::size_t n, std::size_t count, const Layout& l,
                       T* data) {
    const auto rows = static_cast<std::int64_t>(l.transpose ? count : n);
    const auto cols = static_cast<std::int64_t>(l.transpose ? n : count);
    check(cusparseCreateDnMat(&d, rows, cols, static_cast<std::int64_t>(l.leading(n, count)), data,
                              TypeOf<T>::value, l.order));
  }

  cusparseHandle_t handle_;
  Shape shape_;
  cusparseOperation_t op_b_;
  Sparse<T> a_;
  cusparseDnMatDescr_t b_ = nullptr, x_ = nullptr;
  cusparseSpSMDescr_t operation_ = nullptr;
  void* buffer_ = nullptr;
};

template <class T>
void solve_once(const Shape& shape, std::size_t count, const Layout& of_b, const Layout& of_x) {
  const Handle handle;
  const Matrix<T> a = make_matrix<T>(17, 23, 3);
  const auto n = static_cast<std::size_t>(a.n);
  const auto b = make_vector<T>(of_b.size(n, count), 9);
  const auto old = make_vector<T>(of_x.size(n, count), 10);
  const Device<T> on_b(b), on_x(old);
  MatrixSolve<T> solve(handle, a, shape, count, of_b, on_b.data(), of_x, on_x.data());
  solve.solve(T(2));
  const auto x = on_x.store();
  const Steps steps = of_x.steps(n, count);
  check_answer(a, shape, T(2), b, x, static_cast<int>(count), of_b.steps(n, count), steps);
  std::vector<bool> ours(x.size(), false);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t v = 0; v < count; ++v) ours[i * steps.entry + v * steps.vector] = true;
  for (std::size_t k = 0; k < x.size(); ++k)
    if (!ours[k] && x[k] != old[k]) throw std::runtime_error("the gap between vectors was written");
}

void layouts() {
  for (const auto b_order : {CUSPARSE_ORDER_COL, CUSPARSE_ORDER_ROW})
    for (const auto x_order : {CUSPARSE_ORDER_COL, CUSPARSE_ORDER_ROW})
      for (const bool transpose : {false, true})
        for (const std::size_t count : {std::size_t{1}, std::size_t{5}, std::size_t{40}}) {
          const std::string name = std::string("SpSM, B by ") +
                                   (b_order == CUSPARSE_ORDER_COL ? "columns" : "rows") +
                                   (transpose ? ", transposed" : "") + ", C by " +
                                   (x_order == CUSPARSE_ORDER_COL ? "columns" : "rows") + ", " +
                                   std::to_string(count) + " right-hand sides";
          run(name, [&] { solve_once<double>({}, count, {b_order, transpose}, {x_order, false}); });
        }
}

template <class T>
void types(const char* type) {
  for (const auto fill : {CUSPARSE_FILL_MODE_LOWER, CUSPARSE_FILL_MODE_UPPER})
    for (const auto op : {CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_TRANSPOSE,
                          CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE}) {
      Shape s;
      s.fill = fill;
      s.op = op;
      run(std::string("SpSM ") + type + (fill == CUSPARSE_FILL_MODE_LOWER ? " lower" : " upper") +
              (op == CUSPARSE_OPERATION_NON_TRANSPOSE ? ""
               : op == CUSPARSE_OPERATION_TRANSPOSE   ? ", transpose"
                                                      : ", conjugate transpose"),
          [&] { solve_once<T>(s, 4, {}, {}); });
    }
}

void in_place() {
  const Handle handle;
  const Matrix<float> a = make_matrix<float>(30, 30, 1);
  const auto n = static_cast<std::size_t>(a.n);
  const Layout layout;
  const auto b = make_vector<float>(layout.size(n, 6), 9);
  const Device<float> both(b);
  MatrixSolve<float> solve(handle, a, {}, 6, layout, both.data(), layout, both.data());
  solve.solve(1);
  check_answer(a, {}, 1.0f, b, both.store(), 6, layout.steps(n, 6), layout.steps(n, 6));
}

void updates() {
  const Handle handle;
  Matrix<double> a = make_matrix<double>(30, 30, 1);
  const auto n = static_cast<std::size_t>(a.n);
  const Layout layout;
  const auto b = make_vector<double>(layout.size(n, 3), 9);
  const Device<double> on_b(b), on_x(b.size());
  MatrixSolve<double> solve(handle, a, {}, 3, layout, on_b.data(), layout, on_x.data());
  for (double& value : a.value) value *= -3;
  Device<double> values(a.value);
  solve.update(values, CUSPARSE_SPSM_UPDATE_GENERAL);
  solve.solve(1);
  check_answer(a, {}, 1.0, b, on_x.store(), 3, layout.steps(n, 3), layout.steps(n, 3));
  std::vector<double> diagonal(n, 4.0);
  for (const std::size_t at : diagonal_of(a)) a.value[at] = 4;
  Device<double> on_diagonal(diagonal);
  solve.update(on_diagonal, CUSPARSE_SPSM_UPDATE_DIAGONAL);
  solve.solve(1);
  check_answer(a, {}, 1.0, b, on_x.store(), 3, layout.steps(n, 3), layout.steps(n, 3));
}

}  // namespace

void matrix_cases() {
  layouts();
  types<float>("float");
  types<double>("double");
  types<std::complex<float>>("complex float");
  types<std::complex<double>>("complex double");
  run("SpSM in place", in_place);
  run("SpSM_updateMatrix, all values and the diagonal", updates);
}

}  // namespace program

// bench/general/scipy.cpp -- the contender SciPy: spsolve_triangular in a separate Python process,
// which measures the time.
// SPDX-License-Identifier: BSD-3-Clause
#include <cstdlib>
#include <fstream>
#include <memory>
#include <type_traits>

#include "child.hpp"
#include "contender.hpp"

namespace echelon::bench {

extern const char* const scipy_script;  // scipy_contender.py

namespace {

template <Scalar T>
const char* numpy_name() {
  const bool is_single = std::is_same_v<Real<T>, float>;
  if (is_complex<T>) return is_single ? "complex64" : "complex128";
  return is_single ? "float32" : "float64";
}

template <class Number>
void write_raw(const std::filesystem::path& path, const Buffer<Number>& values) {
  std::ofstream out(path, std::ios::binary);
  out.write(reinterpret_cast<const char*>(values.data()),
            static_cast<std::streamsize>(values.size() * sizeof(Number)));
  out.close();
  if (!out)
    throw Error(ErrorCode::backend_failed, "scipy: " + path.string() + " cannot be written");
}

template <class Number>
void read_raw(const std::filesystem::path& path, std::span<Number> values) {
  std::ifstream in(path, std::ios::binary);
  in.read(reinterpret_cast<char*>(values.data()),
          static_cast<std::streamsize>(values.size() * sizeof(Number)));
  if (!in) throw Error(ErrorCode::backend_failed, "scipy: its answer is too short");
}

// A Python process with the system in its memory.
class Python {
 public:
  template <Scalar T>
  Python(const Task<T>& task, const Settings& s) {
    write_raw(folder_.path() / "start.bin", task.start);
    write_raw(folder_.path() / "index.bin", task.triangle.index);
    write_raw(folder_.path() / "value.bin", task.triangle.value);
    write_raw(folder_.path() / "b.bin", task.b);
    const std::vector<std::string> command{s.python,
                                           "-c",
                                           scipy_script,
                                           folder_.path().string(),
                                           std::to_string(task.triangle.rows),
                                           task.part == Uplo::lower ? "lower" : "upper",
                                           numpy_name<T>(),
                                           std::to_string(task.nrhs)};
    child_ = std::make_unique<Child>(command, folder_.path() / "errors.txt");
    hear();
  }

  // Only the first solution is transferred and checked; later ones are equal.
  template <Scalar T>
  double solve(std::span<T> x) {
    child_->say(is_checked_ ? "solve" : "check");
    const double seconds = std::strtod(hear().c_str(), nullptr);
    if (!is_checked_) read_raw(folder_.path() / "x.bin", x);
    is_checked_ = true;
    return seconds;
  }

 private:
  TempFolder folder_;
  std::unique_ptr<Child> child_;
  bool is_checked_ = false;

  std::string hear() {
    try {
      return child_->hear();
    } catch (const Error& error) {
      throw Error(error.code(), std::string("scipy: ") + error.what());
    }
  }
};

}  // namespace

std::string why_no_scipy(const Settings& s) {
  try {
    const TempFolder folder;
    Child child({s.python, "-c", scipy_script, "--probe"}, folder.path() / "errors.txt");
    child.hear();
  } catch (const Error& error) {
    return s.python + " says: " + error.what();
  }
  return "";
}

template <Scalar T>
Entrant<T> make_scipy(const Task<T>& task, const Settings& s) {
  if (task.start.empty())
    throw Error(ErrorCode::backend_failed, "scipy: 32-bit row starts do not reach so many entries");
  const auto python = std::make_shared<Python>(task, s);
  Facts facts{"scipy", "spsolve_triangular"};
  facts.matrix_bytes = row_bytes(task);
  return {std::move(facts), [python](std::span<T> x) { return python->solve(x); }};
}

#define ECHELON_INSTANTIATE(T) template Entrant<T> make_scipy(const Task<T>&, const Settings&);
ECHELON_INSTANTIATE(float)
ECHELON_INSTANTIATE(double)
ECHELON_INSTANTIATE(std::complex<float>)
ECHELON_INSTANTIATE(std::complex<double>)
#undef ECHELON_INSTANTIATE

}  // namespace echelon::bench

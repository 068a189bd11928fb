// bindings/python/src/module.cpp -- the extension echelon._core: errors, options, recipes.
// SPDX-License-Identifier: BSD-3-Clause
#include <pthread.h>

#include <atomic>

#include "bind.hpp"
#include "echelon/device.hpp"
#include "echelon/generate.hpp"
#include "echelon/version.hpp"
#include "errors.hpp"
#include "numpy.hpp"
#include "shared.hpp"

namespace echelon::python {
namespace {

std::atomic<int> forks{0};
nb::tuple generate_csr(const std::string& spec) {
  Csr<double> a;
  {
    const nb::gil_scoped_release released;
    a = generate<double>(spec);
  }
  return nb::make_tuple(a.rows, a.cols, to_numpy(std::move(a.start)), to_numpy(std::move(a.index)),
                        to_numpy(std::move(a.value)));
}

}  // namespace

int fork_count() noexcept { return forks.load(std::memory_order_relaxed); }

Options to_options(const Settings& settings) {
  Options o;
  for (const auto& [path, text] : settings) set_option(o, path, text);
  return o;
}

NB_MODULE(_core, m) {
  pthread_atfork(nullptr, nullptr, [] { forks.fetch_add(1, std::memory_order_relaxed); });
  bind_errors(m);
  m.attr("version") = ECHELON_VERSION;
  m.def("has_cuda", &has_cuda);
  m.def("count_devices", &count_devices);
  m.def("generate", &generate_csr);
  bind_solver(m);
  bind_direct(m);
  bind_smoother(m);
  bind_batch(m);
  bind_cache(m);
  bind_page(m);
}

}  // namespace echelon::python

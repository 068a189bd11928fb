// bindings/python/src/numpy.hpp -- results of the library as arrays of NumPy, without a copy.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <utility>

#include "arrays.hpp"
#include "echelon/buffer.hpp"

namespace echelon::python {

template <class T>
nb::object to_numpy(Buffer<T>&& from) {
  auto* kept = new Buffer<T>(std::move(from));
  const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<Buffer<T>*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<1>>(kept->data(), {kept->size()}, owner));
}

}  // namespace echelon::python

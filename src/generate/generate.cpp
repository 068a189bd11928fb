// generate/generate.cpp -- makes the matrix of a recipe.
// SPDX-License-Identifier: BSD-3-Clause
#include "echelon/generate.hpp"

#include <new>

#include "base/instantiate.hpp"
#include "generate/elasticity.hpp"
#include "generate/random.hpp"
#include "generate/spec.hpp"
#include "generate/stencil.hpp"

namespace echelon {
namespace {

template <Scalar T>
Csr<T> generate_recipe(const Spec& s) {
  switch (s.recipe) {
    case Recipe::elasticity3d:
      return generate_stencil<T>(elasticity3d_stencil(s.nodes));
    case Recipe::elasticity2d:
      return generate_stencil<T>(elasticity2d_stencil(s.nodes));
    case Recipe::laplace2d:
    case Recipe::laplace3d:
      return generate_stencil<T>(laplace_stencil(s.nodes, s.points));
    case Recipe::bidiagonal:
      return generate_stencil<T>(chain_stencil(s.nodes[0]));
    case Recipe::dense:
      return generate_dense<T>(s.nodes[0]);
    case Recipe::random:
      return generate_random<T>(s.nodes[0], s.per_row, s.seed);
  }
  return {};
}

}  // namespace

template <Scalar T>
Csr<T> generate(std::string_view spec) {
  const Spec s = read_spec(spec);
  try {
    return generate_recipe<T>(s);
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::out_of_memory, "no memory for the matrix '" + std::string(spec) + "'");
  }
}

#define ECHELON_INSTANTIATE(T) template Csr<T> generate(std::string_view);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon

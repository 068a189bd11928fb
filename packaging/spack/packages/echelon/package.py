# packaging/spack/packages/echelon/package.py -- the recipe for Spack; `spack dev-build echelon` builds a clone.
# SPDX-License-Identifier: BSD-3-Clause
from spack.package import *


class Echelon(CMakePackage, CudaPackage):
    """Sparse triangular solves, many times with the same matrix: on CPU threads, GPUs and MPI ranks."""

    license("BSD-3-Clause")

    version("0.2.0")

    variant("shared", default=True, description="build shared libraries")
    variant("mpi", default=False, description="solvers for MPI ranks")
    variant("tools", default=True, description="the program echelon")
    variant("cholmod", default=True, description="factors of SuiteSparse; loaded at run time")
    variant("superlu", default=True, description="SuperLU's factors")
    variant("metis", default=True, description="orderings of METIS")

    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("zlib-api")
    depends_on("openblas")
    depends_on("suite-sparse", when="+cholmod", type=("build", "link", "run"))
    depends_on("superlu@5:", when="+superlu")
    depends_on("metis@5:", when="+metis")
    depends_on("mpi@3:", when="+mpi")
    depends_on("cli11", when="+tools", type="build")
    depends_on("cuda@12:", when="+cuda")

    def cmake_args(self):
        args = [
            self.define("ECHELON_BUILD_TESTS", False),
            self.define("ECHELON_BUILD_EXAMPLES", False),
            self.define_from_variant("BUILD_SHARED_LIBS", "shared"),
            self.define_from_variant("ECHELON_BUILD_CLI", "tools"),
            self.define_from_variant("ECHELON_WITH_CHOLMOD", "cholmod"),
            self.define_from_variant("ECHELON_WITH_AMD", "cholmod"),
            self.define_from_variant("ECHELON_WITH_UMFPACK", "cholmod"),
            self.define_from_variant("ECHELON_WITH_KLU", "cholmod"),
            self.define_from_variant("ECHELON_WITH_SUPERLU", "superlu"),
            self.define_from_variant("ECHELON_WITH_METIS", "metis"),
            self.define_from_variant("ECHELON_WITH_MPI", "mpi"),
            self.define_from_variant("ECHELON_WITH_CUDA", "cuda"),
        ]
        if self.spec.satisfies("+cuda"):
            args.append(self.define("CMAKE_CUDA_ARCHITECTURES", self.spec.variants["cuda_arch"].value))
        return args

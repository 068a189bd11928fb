# cmake/Mpi.cmake -- the distributed solver, a library of its own (echelon_mpi): built where MPI is
# found, left out with ECHELON_WITH_MPI=OFF; and SuperLU_DIST beside it.  The rest never needs them.
set(MPI_CXX_SKIP_MPICXX ON)  # the C++ bindings that MPI-3 took out
set(found OFF)
if(NOT DEFINED ECHELON_WITH_MPI AND NOT ECHELON_SANITIZE)  # MPI libraries leak and race by themselves
  find_package(MPI 3 QUIET COMPONENTS CXX)
  set(found ${MPI_CXX_FOUND})
endif()
option(ECHELON_WITH_MPI "build the distributed solver" ${found})
if(ECHELON_WITH_MPI)
  find_package(MPI 3 REQUIRED COMPONENTS CXX)
  message(STATUS "mpi: with MPI ${MPI_CXX_VERSION}")
  find_package(SuperLU_DIST QUIET)
  if(SuperLU_DIST_FOUND)
    message(STATUS "mpi: with SuperLU_DIST (libsuperlu-dist-dev)")
  endif()
else()
  message(STATUS "mpi: without")
endif()

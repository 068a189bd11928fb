# cmake/Mpi.cmake -- MPI, and SuperLU_DIST beside it: used where they are found.
set(MPI_CXX_SKIP_MPICXX ON)  # the C++ bindings that MPI-3 took out
find_package(MPI QUIET COMPONENTS CXX)
if(MPI_CXX_FOUND)
  message(STATUS "mpi: with MPI ${MPI_CXX_VERSION}")
  find_package(SuperLU_DIST QUIET)
  if(SuperLU_DIST_FOUND)
    message(STATUS "mpi: with SuperLU_DIST (libsuperlu-dist-dev)")
  endif()
else()
  message(STATUS "mpi: without MPI (libopenmpi-dev)")
endif()

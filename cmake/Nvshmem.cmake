# cmake/Nvshmem.cmake -- the multi-GPU solver, a library of its own (echelon_nvshmem): built where
# CUDA, MPI and NVSHMEM (3.4 or newer; NVSHMEM_ROOT) are found, left out with
# ECHELON_WITH_NVSHMEM=OFF.  The rest never needs it.
set(found OFF)
if(NOT DEFINED ECHELON_WITH_NVSHMEM AND ECHELON_WITH_CUDA AND ECHELON_WITH_MPI)
  find_package(NVSHMEM 3.4 QUIET)
  set(found ${NVSHMEM_FOUND})
endif()
option(ECHELON_WITH_NVSHMEM "build the multi-GPU solver" ${found})
if(ECHELON_WITH_NVSHMEM)
  if(NOT ECHELON_WITH_CUDA OR NOT ECHELON_WITH_MPI)
    message(FATAL_ERROR "ECHELON_WITH_NVSHMEM needs ECHELON_WITH_CUDA and ECHELON_WITH_MPI")
  endif()
  find_package(NVSHMEM 3.4 REQUIRED)
  message(STATUS "nvshmem: with NVSHMEM ${NVSHMEM_VERSION}")
else()
  message(STATUS "nvshmem: without")
endif()

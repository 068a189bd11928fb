# cmake/Nvshmem.cmake -- the multi-GPU solver, a library of its own (echelon_nvshmem): built where
# CUDA, MPI and NVSHMEM (3.4 or newer; NVSHMEM_ROOT) are found, left out with
# ECHELON_WITH_NVSHMEM=OFF.  The rest never needs it.
echelon_choice(WITH_NVSHMEM "build the multi-GPU solver" AUTO)
set(possible OFF)
if(NOT ECHELON_WITH_CUDA OR NOT ECHELON_WITH_MPI)
  set(reason "it needs CUDA and MPI")
else()
  set(reason "NVSHMEM 3.4 or newer is not found; NVSHMEM_ROOT says where it is")
  if(ECHELON_WITH_NVSHMEM)
    find_package(NVSHMEM 3.4 QUIET)
    set(possible ${NVSHMEM_FOUND})
  endif()
endif()
echelon_decide(WITH_NVSHMEM nvshmem possible "${reason}")
if(ECHELON_WITH_NVSHMEM)
  message(STATUS "nvshmem: with NVSHMEM ${NVSHMEM_VERSION}")
endif()

# cmake/Cuda.cmake -- the GPU backend: built where nvcc (12 or newer) works, left out with
# ECHELON_WITH_CUDA=OFF.  The rest never needs it.
include(CheckLanguage)
set(found OFF)
if(NOT DEFINED ECHELON_WITH_CUDA AND NOT ECHELON_SANITIZE)  # nvcc takes no sanitizers of the host
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    set(found ON)
  endif()
endif()
option(ECHELON_WITH_CUDA "build the GPU backend" ${found})
if(ECHELON_WITH_CUDA)
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES 80-real 90)  # machine code for both, and PTX for what comes after
  endif()
  enable_language(CUDA)
  foreach(kind STANDARD EXTENSION)  # which CMake 3.25 does not know yet
    if(NOT CMAKE_CUDA20_${kind}_COMPILE_OPTION)
      set(CMAKE_CUDA20_${kind}_COMPILE_OPTION -std=c++20)
    endif()
  endforeach()
  find_package(CUDAToolkit 12 REQUIRED)
  message(STATUS "cuda: with nvcc ${CMAKE_CUDA_COMPILER_VERSION}")
else()
  message(STATUS "cuda: without")
endif()

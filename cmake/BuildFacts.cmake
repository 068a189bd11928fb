# cmake/BuildFacts.cmake -- the versions of what was built in, for --version: ECHELON_BUILD_FACTS is a
# list of definitions, ECHELON_<NAME>_VERSION="1.2.3", empty for what was left out.
set(ECHELON_BUILD_FACTS "")

# echelon_build_fact(NAME TEXT)
macro(echelon_build_fact name text)
  list(APPEND ECHELON_BUILD_FACTS "ECHELON_${name}=\"${text}\"")
endmacro()

# echelon_header_version(RESULT FILE MACRO...): the numbers of macros in a header, with dots; empty
# without the header.
function(echelon_header_version result file)
  set(numbers "")
  if(EXISTS "${file}")
    foreach(macro ${ARGN})
      file(STRINGS "${file}" line REGEX "^[ \t]*#[ \t]*define[ \t]+${macro}[ \t]+[0-9]+")
      string(REGEX REPLACE ".*${macro}[ \t]+([0-9]+).*" "\\1" number "${line}")
      list(APPEND numbers "${number}")
    endforeach()
  endif()
  list(JOIN numbers "." version)
  set(${result} "${version}" PARENT_SCOPE)
endfunction()

# echelon_package_version(NAME HEADER MACRO...): of a package of the factor room; "unknown" if its
# header does not say.
function(echelon_package_version name header)
  string(TOUPPER ${name} upper)
  set(version "")
  if(name IN_LIST ECHELON_FACTOR_PACKAGES)
    echelon_header_version(version "${${name}_INCLUDE_DIR}/${header}" ${ARGN})
    if(NOT version)
      set(version unknown)
    endif()
  endif()
  list(APPEND ECHELON_BUILD_FACTS "ECHELON_${upper}_VERSION=\"${version}\"")
  set(ECHELON_BUILD_FACTS "${ECHELON_BUILD_FACTS}" PARENT_SCOPE)
endfunction()

echelon_package_version(SuperLU slu_util.h
                        SUPERLU_MAJOR_VERSION SUPERLU_MINOR_VERSION SUPERLU_PATCH_VERSION)
echelon_package_version(METIS metis.h METIS_VER_MAJOR METIS_VER_MINOR METIS_VER_SUBMINOR)
echelon_package_version(AMD amd.h AMD_MAIN_VERSION AMD_SUB_VERSION AMD_SUBSUB_VERSION)

set(cholmod "")
if(CHOLMOD IN_LIST ECHELON_FACTOR_PACKAGES)
  foreach(header cholmod.h cholmod_core.h)
    if(NOT cholmod)
      echelon_header_version(cholmod "${CHOLMOD_INCLUDE_DIR}/${header}" CHOLMOD_MAIN_VERSION)
    endif()
  endforeach()
endif()
echelon_build_fact(CHOLMOD_MAIN_VERSION "${cholmod}")
echelon_build_fact(CHOLMOD_PATH "${CHOLMOD_LIBRARY}")

set(cuda "")
if(ECHELON_WITH_CUDA)
  set(cuda "${CMAKE_CUDA_COMPILER_VERSION}")
endif()
echelon_build_fact(CUDA_VERSION "${cuda}")
set(mpi "")
if(ECHELON_WITH_MPI)
  set(mpi "standard ${MPI_CXX_VERSION}, program echelon-mpi")
endif()
echelon_build_fact(MPI_VERSION "${mpi}")
set(nvshmem "")
if(ECHELON_WITH_NVSHMEM)
  set(nvshmem "${NVSHMEM_VERSION}, program echelon-nvshmem")
  echelon_header_version(number "${NVSHMEM_INCLUDE_DIR}/non_abi/nvshmem_version.h"
                         NVSHMEM_VENDOR_MAJOR_VERSION NVSHMEM_VENDOR_MINOR_VERSION
                         NVSHMEM_VENDOR_PATCH_VERSION)
  if(number)
    set(nvshmem "${number}, program echelon-nvshmem")
  endif()
endif()
echelon_build_fact(NVSHMEM_VERSION "${nvshmem}")

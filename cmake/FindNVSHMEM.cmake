# cmake/FindNVSHMEM.cmake -- NVSHMEM as NVIDIA installs it, or as its wheel for Python lies unpacked
# (<root>/include, <root>/lib with libnvshmem_host.so.3 and libnvshmem_device.a).  NVSHMEM_ROOT, a
# variable of CMake or of the environment, says where.
find_path(NVSHMEM_INCLUDE_DIR NAMES nvshmem_host.h PATH_SUFFIXES nvshmem_13 nvshmem_12 nvshmem)
find_library(NVSHMEM_HOST_LIBRARY NAMES nvshmem_host libnvshmem_host.so.3
             PATH_SUFFIXES nvshmem/13 nvshmem/12 nvshmem)
find_library(NVSHMEM_DEVICE_LIBRARY NAMES nvshmem_device libnvshmem_device.a
             PATH_SUFFIXES nvshmem/13 nvshmem/12 nvshmem)
set(version_header ${NVSHMEM_INCLUDE_DIR}/non_abi/nvshmem_version.h)
if(NVSHMEM_INCLUDE_DIR AND EXISTS ${version_header})
  file(STRINGS ${version_header} lines REGEX "VENDOR_(MAJOR|MINOR|PATCH)_VERSION [0-9]+")
  string(REGEX REPLACE "[^0-9;]" "" NVSHMEM_VERSION "${lines}")
  string(REPLACE ";" "." NVSHMEM_VERSION "${NVSHMEM_VERSION}")
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(NVSHMEM
  REQUIRED_VARS NVSHMEM_HOST_LIBRARY NVSHMEM_DEVICE_LIBRARY NVSHMEM_INCLUDE_DIR
  VERSION_VAR NVSHMEM_VERSION)
mark_as_advanced(NVSHMEM_INCLUDE_DIR NVSHMEM_HOST_LIBRARY NVSHMEM_DEVICE_LIBRARY)
if(NVSHMEM_FOUND AND NOT TARGET NVSHMEM::host)
  add_library(NVSHMEM::host SHARED IMPORTED)
  set_target_properties(NVSHMEM::host PROPERTIES
    IMPORTED_LOCATION ${NVSHMEM_HOST_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${NVSHMEM_INCLUDE_DIR})
  add_library(NVSHMEM::device STATIC IMPORTED)
  set_target_properties(NVSHMEM::device PROPERTIES
    IMPORTED_LOCATION ${NVSHMEM_DEVICE_LIBRARY}
    IMPORTED_LINK_INTERFACE_LANGUAGES CUDA
    INTERFACE_INCLUDE_DIRECTORIES ${NVSHMEM_INCLUDE_DIR})
endif()

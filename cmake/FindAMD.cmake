# cmake/FindAMD.cmake -- SuiteSparse's AMD, a fill-reducing order: gives the target AMD::AMD.
find_path(AMD_INCLUDE_DIR amd.h PATH_SUFFIXES suitesparse)
find_library(AMD_LIBRARY amd)
mark_as_advanced(AMD_INCLUDE_DIR AMD_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(AMD REQUIRED_VARS AMD_LIBRARY AMD_INCLUDE_DIR)
if(AMD_FOUND AND NOT TARGET AMD::AMD)
  add_library(AMD::AMD UNKNOWN IMPORTED GLOBAL)
  set_target_properties(AMD::AMD PROPERTIES
    IMPORTED_LOCATION ${AMD_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${AMD_INCLUDE_DIR})
endif()

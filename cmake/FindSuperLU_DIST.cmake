# cmake/FindSuperLU_DIST.cmake -- SuperLU_DIST: gives the target SuperLU_DIST::SuperLU_DIST, which
# wants MPI beside it.
find_path(SuperLU_DIST_INCLUDE_DIR superlu_ddefs.h PATH_SUFFIXES superlu-dist superlu_dist)
find_library(SuperLU_DIST_LIBRARY superlu_dist)
mark_as_advanced(SuperLU_DIST_INCLUDE_DIR SuperLU_DIST_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(SuperLU_DIST
  REQUIRED_VARS SuperLU_DIST_LIBRARY SuperLU_DIST_INCLUDE_DIR)
if(SuperLU_DIST_FOUND AND NOT TARGET SuperLU_DIST::SuperLU_DIST)
  add_library(SuperLU_DIST::SuperLU_DIST UNKNOWN IMPORTED GLOBAL)
  set_target_properties(SuperLU_DIST::SuperLU_DIST PROPERTIES
    IMPORTED_LOCATION ${SuperLU_DIST_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${SuperLU_DIST_INCLUDE_DIR})
endif()

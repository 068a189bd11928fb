# cmake/FindUMFPACK.cmake -- SuiteSparse's UMFPACK: its header and its library, which is loaded at run
# time (src/factor/umfpack_library.hpp) and linked by tests only.
find_path(UMFPACK_INCLUDE_DIR umfpack.h PATH_SUFFIXES suitesparse)
find_library(UMFPACK_LIBRARY umfpack)
mark_as_advanced(UMFPACK_INCLUDE_DIR UMFPACK_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(UMFPACK REQUIRED_VARS UMFPACK_LIBRARY UMFPACK_INCLUDE_DIR)

# cmake/FindKLU.cmake -- SuiteSparse's KLU: its header and its library, which is loaded at run time
# (src/factor/klu_library.hpp) and never linked.
find_path(KLU_INCLUDE_DIR klu.h PATH_SUFFIXES suitesparse)
find_library(KLU_LIBRARY klu)
mark_as_advanced(KLU_INCLUDE_DIR KLU_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(KLU REQUIRED_VARS KLU_LIBRARY KLU_INCLUDE_DIR)

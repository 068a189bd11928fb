# cmake/FactorPackages.cmake -- the packages behind the factor room: each is used where it is
# found, and can be left out with ECHELON_WITH_<NAME>=OFF.  Without one, its functions throw
# backend_missing.  ECHELON_FACTOR_PACKAGES lists those in use.
list(APPEND CMAKE_MODULE_PATH ${CMAKE_CURRENT_LIST_DIR})
set(ECHELON_FACTOR_PACKAGES "")

# echelon_factor_package(name what): the option ECHELON_WITH_<NAME>, ON if the package is found.
macro(echelon_factor_package name what)
  string(TOUPPER ${name} upper_name)
  find_package(${name} QUIET)
  option(ECHELON_WITH_${upper_name} "use ${what}" ${${name}_FOUND})
  if(NOT ECHELON_WITH_${upper_name})
    message(STATUS "factor: without ${what}")
  elseif(${name}_FOUND)
    message(STATUS "factor: with ${what}")
    list(APPEND ECHELON_FACTOR_PACKAGES ${name})
  else()
    message(FATAL_ERROR "ECHELON_WITH_${upper_name} is ON, but ${what} is not found")
  endif()
endmacro()

echelon_factor_package(CHOLMOD "CHOLMOD and AMD of SuiteSparse (libsuitesparse-dev)")
echelon_factor_package(SuperLU "SuperLU (libsuperlu-dev)")
echelon_factor_package(METIS "METIS (libmetis-dev)")

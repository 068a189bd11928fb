# cmake/Eigen.cmake -- Eigen, for the tests, the example and the benchmark of its adapter; the adapter is
# headers alone and needs no Eigen to be installed.
set(default AUTO)
if(NOT PROJECT_IS_TOP_LEVEL)
  set(default OFF)
endif()
echelon_choice(WITH_EIGEN "run the Eigen adapter" ${default})
if(ECHELON_WITH_EIGEN)
  find_package(Eigen3 3.4 QUIET NO_MODULE)
endif()
echelon_decide(WITH_EIGEN "tests of the Eigen adapter" Eigen3_FOUND "Eigen is not found (libeigen3-dev)")

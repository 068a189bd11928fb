# cmake/Install.cmake -- what is installed: the libraries that were built, each with its headers, the
# programs, a package for find_package(echelon COMPONENTS ...), and files for pkg-config.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/echelon)
get_target_property(ECHELON_LIBRARY_TYPE echelon TYPE)

# Components, and the headers that need the library of one.
set(mpi_headers messages.hpp mpi.hpp ranks.hpp rank_pass.hpp superlu_dist.hpp)
set(nvshmem_headers nvshmem.hpp)
set(ECHELON_COMPONENTS "")
foreach(component cuda mpi nvshmem)
  string(TOUPPER ${component} name)
  if(ECHELON_WITH_${name})
    list(APPEND ECHELON_COMPONENTS ${component})
  endif()
endforeach()

# echelon_install_library(TARGET): with a file of its own that says how to link it.
function(echelon_install_library target)
  install(TARGETS ${target} EXPORT ${target}Targets
          INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(EXPORT ${target}Targets NAMESPACE echelon:: DESTINATION ${package_folder})
endfunction()

set(others ${mpi_headers} ${nvshmem_headers})
list(TRANSFORM others REPLACE "(.+)" "PATTERN;\\1;EXCLUDE")
echelon_install_library(echelon)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/echelon DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        ${others})
foreach(component mpi nvshmem)
  if(component IN_LIST ECHELON_COMPONENTS)
    set_target_properties(echelon_${component} PROPERTIES EXPORT_NAME ${component})
    echelon_install_library(echelon_${component})
    list(TRANSFORM ${component}_headers PREPEND "PATTERN;")
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/echelon
            DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING ${${component}_headers})
  endif()
endforeach()

# A static library leaves the packages it calls to the program that links it, which has to find them.
set(ECHELON_FIND_FILES ${ECHELON_FACTOR_PACKAGES})
if(SuperLU_DIST_FOUND)
  list(APPEND ECHELON_FIND_FILES SuperLU_DIST)
endif()
if(ECHELON_WITH_NVSHMEM)
  list(APPEND ECHELON_FIND_FILES NVSHMEM)
endif()
foreach(package ${ECHELON_FIND_FILES})
  install(FILES ${PROJECT_SOURCE_DIR}/cmake/Find${package}.cmake DESTINATION ${package_folder})
endforeach()
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/echelonConfig.cmake.in
                              ${PROJECT_BINARY_DIR}/echelonConfig.cmake
                              INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/echelonConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/echelonConfig.cmake
              ${PROJECT_BINARY_DIR}/echelonConfigVersion.cmake
        DESTINATION ${package_folder})
include(${PROJECT_SOURCE_DIR}/cmake/PkgConfig.cmake)

file(RELATIVE_PATH library_folder /${CMAKE_INSTALL_BINDIR} /${CMAKE_INSTALL_LIBDIR})
foreach(program echelon_cli echelon_mpi_cli echelon_nvshmem_cli)
  if(TARGET ${program})
    set_target_properties(${program} PROPERTIES INSTALL_RPATH "$ORIGIN/${library_folder}"
                                                INSTALL_RPATH_USE_LINK_PATH ON)
    install(TARGETS ${program})
  endif()
endforeach()

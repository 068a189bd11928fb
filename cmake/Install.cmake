# cmake/Install.cmake -- what is installed: the libraries that were built, each with its headers, the
# programs, a package for find_package(echelon COMPONENTS ...), and files for pkg-config.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/echelon)
get_target_property(ECHELON_LIBRARY_TYPE echelon TYPE)
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME dev)  # the components of packages: cmake/Packages.cmake

# Components, and the headers that need the library of one.
set(mpi_headers messages.hpp mpi.hpp ranks.hpp rank_pass.hpp superlu_dist.hpp)
set(nvshmem_headers nvshmem.hpp)
set(ECHELON_COMPONENTS "")
foreach(component cuda fortran mpi nvshmem)
  string(TOUPPER ${component} name)
  if(ECHELON_WITH_${name})
    list(APPEND ECHELON_COMPONENTS ${component})
  endif()
endforeach()

# echelon_install_library(TARGET RUNTIME DEVELOPMENT): with a file of its own that says how to link it;
# the components of packages that have the library, and what is needed to link it.
function(echelon_install_library target runtime development)
  install(TARGETS ${target} EXPORT ${target}Targets
          LIBRARY COMPONENT ${runtime} NAMELINK_COMPONENT ${development}
          ARCHIVE COMPONENT ${development}
          INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(EXPORT ${target}Targets NAMESPACE echelon:: DESTINATION ${package_folder}
          COMPONENT ${development})
endfunction()

set(others ${mpi_headers} ${nvshmem_headers})
list(TRANSFORM others REPLACE "(.+)" "PATTERN;\\1;EXCLUDE")
echelon_install_library(echelon library dev)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/echelon DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        ${others})
install(FILES ${PROJECT_SOURCE_DIR}/include/echelon.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
foreach(adapter ${ECHELON_ADAPTERS})  # headers alone
  install(TARGETS echelon_${adapter} EXPORT echelonTargets)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/adapters/${adapter}/include/echelon
          DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
endforeach()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/adapters/shared/include/echelon
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
if(ECHELON_WITH_MPI)
  install(FILES ${PROJECT_SOURCE_DIR}/include/echelon_mpi.h
          DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
endif()
foreach(component mpi nvshmem)
  if(component IN_LIST ECHELON_COMPONENTS)
    set_target_properties(echelon_${component} PROPERTIES EXPORT_NAME ${component})
    echelon_install_library(echelon_${component} ${component} ${component})
    list(TRANSFORM ${component}_headers PREPEND "PATTERN;")
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/echelon
            DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT ${component}
            FILES_MATCHING ${${component}_headers})
  endif()
endforeach()

# Modules can be read by the compiler that wrote them; each library has a folder of its own.
foreach(name fortran fortran_mpi)
  if(TARGET echelon_${name})
    set(component dev)
    if(name STREQUAL fortran_mpi)
      set(component mpi)
    endif()
    echelon_install_library(echelon_${name} ${component} ${component})
    install(DIRECTORY ${PROJECT_BINARY_DIR}/fortran/${name} COMPONENT ${component}
            DESTINATION ${CMAKE_INSTALL_LIBDIR}/fortran FILES_MATCHING PATTERN *.mod)
  endif()
endforeach()
if(TARGET echelon_petsc)  # loaded by PETSc, or linked by pkg-config's echelon-petsc
  install(TARGETS echelon_petsc LIBRARY COMPONENT petsc NAMELINK_COMPONENT petsc)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/adapters/petsc/include/echelon
          DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT petsc)
endif()

# A static library leaves the packages it calls to the program that links it, which has to find them.
# CHOLMOD, UMFPACK and KLU are loaded at run time and not linked.
set(ECHELON_LINKED_PACKAGES ${ECHELON_FACTOR_PACKAGES})
list(REMOVE_ITEM ECHELON_LINKED_PACKAGES CHOLMOD UMFPACK KLU)
set(ECHELON_FIND_FILES ${ECHELON_LINKED_PACKAGES})
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

if(TARGET echelon_cusparse)
  install(TARGETS echelon_cusparse echelon_cusparse_shim echelon_cusparse_engine
          LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT cusparse)
  install(PROGRAMS ${PROJECT_SOURCE_DIR}/adapters/cusparse/echelon-cusparse-shim
          DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT cusparse)
endif()

file(RELATIVE_PATH library_folder /${CMAKE_INSTALL_BINDIR} /${CMAKE_INSTALL_LIBDIR})
set(echelon_cli_component tools)
set(echelon_mpi_cli_component mpi)
set(echelon_nvshmem_cli_component nvshmem)
foreach(program echelon_cli echelon_mpi_cli echelon_nvshmem_cli)
  if(TARGET ${program})
    set_target_properties(${program} PROPERTIES INSTALL_RPATH "$ORIGIN/${library_folder}"
                                                INSTALL_RPATH_USE_LINK_PATH ON)
    install(TARGETS ${program} RUNTIME COMPONENT ${${program}_component})
  endif()
endforeach()
include(${PROJECT_SOURCE_DIR}/cmake/Paperwork.cmake)
if(PROJECT_IS_TOP_LEVEL AND ECHELON_LIBRARY_TYPE STREQUAL "SHARED_LIBRARY")
  include(${PROJECT_SOURCE_DIR}/cmake/Packages.cmake)
endif()

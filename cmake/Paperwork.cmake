# cmake/Paperwork.cmake -- completions of shells and manual pages, which the programs print themselves.

# echelon_paperwork(TARGET PROGRAM COMPONENT COMMAND...): of a program and its commands.  A program
# that cannot run where it is built has none.
function(echelon_paperwork target program component)
  set(folder ${PROJECT_BINARY_DIR}/paperwork/${program})
  set(pages ${folder}/${program}.1)
  set(write COMMAND $<TARGET_FILE:${target}> man > ${folder}/${program}.1)
  foreach(command ${ARGN})
    list(APPEND pages ${folder}/${program}-${command}.1)
    list(APPEND write COMMAND $<TARGET_FILE:${target}> man ${command}
                      > ${folder}/${program}-${command}.1)
  endforeach()
  foreach(shell bash zsh fish)
    list(APPEND write COMMAND $<TARGET_FILE:${target}> completion ${shell} > ${folder}/${shell})
  endforeach()
  add_custom_command(OUTPUT ${pages} ${folder}/bash ${folder}/zsh ${folder}/fish
                     COMMAND ${CMAKE_COMMAND} -E make_directory ${folder} ${write}
                     DEPENDS ${target} COMMENT "Writing completions and manual pages of ${program}"
                     VERBATIM)
  add_custom_target(${target}_paperwork ALL DEPENDS ${pages} ${folder}/bash ${folder}/zsh
                                                    ${folder}/fish)
  install(FILES ${pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT ${component})
  set(share ${CMAKE_INSTALL_DATAROOTDIR})
  install(FILES ${folder}/bash DESTINATION ${share}/bash-completion/completions
          RENAME ${program} COMPONENT ${component})
  install(FILES ${folder}/zsh DESTINATION ${share}/zsh/site-functions RENAME _${program}
          COMPONENT ${component})
  install(FILES ${folder}/fish DESTINATION ${share}/fish/vendor_completions.d
          RENAME ${program}.fish COMPONENT ${component})
endfunction()

# echelon-nvshmem needs a driver to start, so it has no paperwork.
if(NOT CMAKE_CROSSCOMPILING)
  if(TARGET echelon_cli)
    echelon_paperwork(echelon_cli echelon tools
                      inspect generate factor solve smooth bench model calibrate)
  endif()
  if(TARGET echelon_mpi_cli)
    echelon_paperwork(echelon_mpi_cli echelon-mpi mpi solve calibrate)
  endif()
endif()

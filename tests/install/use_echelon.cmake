# tests/install/use_echelon.cmake -- takes Echelon into the project in consumer/, by
# find_package from a fresh install or by add_subdirectory; fails if a step does.
set(work ${build}/tests/install/${way})
file(REMOVE_RECURSE ${work})

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(NOT result EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}\n${text}")
  endif()
endfunction()

set(configure ${CMAKE_COMMAND} -G ${generator} -S ${CMAKE_CURRENT_LIST_DIR}/consumer
    -B ${work}/build -D CMAKE_CXX_COMPILER=${compiler} -D CMAKE_BUILD_TYPE=${config})
if(way STREQUAL add_subdirectory)
  run(${configure} -D echelon_source=${source})
else()
  run(${CMAKE_COMMAND} --install ${build} --config ${config} --prefix ${work}/prefix)
  run(${configure} -D CMAKE_PREFIX_PATH=${work}/prefix)
  run(${CMAKE_COMMAND} --build ${work}/build --config ${config})
  run(${CMAKE_CTEST_COMMAND} --test-dir ${work}/build -C ${config})
endif()
file(REMOVE_RECURSE ${work})

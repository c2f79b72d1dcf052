# Installs Heddle, builds the program beside this file against the installed copy, and runs it. Libraries that GCC
# made carry a form for link-time optimisation, too, which takes minutes: the program is linked without.
#   cmake -DBUILD=... -DWORK=... -P test.cmake
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${ARGN}: ${result}\n${output}")
  endif()
endfunction()

file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/installed)
run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/program -B ${WORK}/build -DCMAKE_PREFIX_PATH=${WORK}/installed
  -DCMAKE_CXX_FLAGS=${FLAGS} -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER=${COMPILER}
  -DCMAKE_EXE_LINKER_FLAGS=-fno-lto)
run(${CMAKE_COMMAND} --build ${WORK}/build)
run(${CMAKE_COMMAND} -E env HEDDLE_CONFIGS=${WORK}/installed/share/heddle/configs ${WORK}/build/two_gpus)
file(REMOVE_RECURSE ${WORK})

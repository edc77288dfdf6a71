# cmake -DSOURCE=... -DOUTPUT=... -P revision.cmake: writes the revision of the code that is measured into a header,
# which changes only when that does. What is not committed counts by its content.
set(MEASURED hsvm datasets baselines experiments)
execute_process(COMMAND git log -1 --format=%h -- ${MEASURED} WORKING_DIRECTORY ${SOURCE}
                OUTPUT_VARIABLE REVISION OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
execute_process(COMMAND git status --porcelain -- ${MEASURED} WORKING_DIRECTORY ${SOURCE} OUTPUT_VARIABLE CHANGES ERROR_QUIET)
if(NOT REVISION)
  set(REVISION unknown)
elseif(CHANGES)
  execute_process(COMMAND git ls-files -co --exclude-standard -- ${MEASURED}
                  COMMAND xargs -r sha1sum WORKING_DIRECTORY ${SOURCE} OUTPUT_VARIABLE CONTENT ERROR_QUIET)
  string(SHA1 DIGEST "${CONTENT}")
  string(SUBSTRING ${DIGEST} 0 7 DIGEST)
  string(APPEND REVISION "+${DIGEST}")
endif()
set(TEXT "#define HSVM_REVISION \"${REVISION}\"\n")
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} OLD)
endif()
if(NOT "${OLD}" STREQUAL "${TEXT}")
  file(WRITE ${OUTPUT} "${TEXT}")
endif()

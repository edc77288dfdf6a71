# Writes the pages of the manual and the completions of all shells, as the program tells them.
#   cmake -DPROGRAM=... -DFOLDER=... -P manual.cmake
file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER}/man1)
function(write_help file)
  execute_process(COMMAND ${PROGRAM} help ${ARGN} OUTPUT_FILE ${file} COMMAND_ERROR_IS_FATAL ANY)
endfunction()
write_help(${FOLDER}/man1/hsvm.1 --man)
foreach(verb fit path cv predict inspect generate convert split demo)
  write_help(${FOLDER}/man1/hsvm-${verb}.1 ${verb} --man)
endforeach()
foreach(shell bash zsh fish)
  write_help(${FOLDER}/hsvm.${shell} --completion ${shell})
endforeach()

# Installs a build into an empty folder, and finds there what users need and nothing else.
#   cmake -DBUILD=... -DPREFIX=... -P install.cmake
file(REMOVE_RECURSE ${PREFIX})
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${PREFIX} COMMAND_ERROR_IS_FATAL ANY)

foreach(file bin/hsvm include/hsvm/api.hpp include/hsvm/model/linear_model.hpp share/man/man1/hsvm.1 share/man/man1/hsvm-fit.1
             share/bash-completion/completions/hsvm share/zsh/site-functions/_hsvm share/fish/vendor_completions.d/hsvm.fish)
  if(NOT EXISTS ${PREFIX}/${file})
    message(FATAL_ERROR "not installed: ${file}")
  endif()
endforeach()
file(GLOB_RECURSE private RELATIVE ${PREFIX} ${PREFIX}/include/hsvm/newton/* ${PREFIX}/include/hsvm/linalg/*
                                              ${PREFIX}/include/*json_parts.hpp)
if(private)
  message(FATAL_ERROR "of no use to users, but installed: ${private}")
endif()

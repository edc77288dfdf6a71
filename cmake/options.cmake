# Compiler options every target of the project shares.
add_library(hsvm_options INTERFACE)

# Results must not depend on whether the compiler fuses a multiply and an add: the same bits on every x86-64 machine.
target_compile_options(hsvm_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
                                              -Wno-psabi # vectors are returned by inlined functions only
                                              -ffp-contract=off)

if(HSVM_SANITIZE)
  # Null pointers, pointers that wrap around and objects that are too small are the address sanitizer's to find: checking
  # them here, too, takes a third of the compile time, and a program as long again to start. Memory of others becomes numbers
  # in few places, whose alignment is asserted once (data/dense_matrix.cpp, data/csc_matrix.cpp) instead of at every access.
  # Types behind casts (vptr) are not checked.
  target_compile_options(hsvm_options INTERFACE -fsanitize=${HSVM_SANITIZE}
                                                -fno-sanitize=alignment,null,object-size,pointer-overflow,vptr
                                                -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(hsvm_options INTERFACE -fsanitize=${HSVM_SANITIZE} $<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-no-pie>)
  # Function clones are chosen by resolvers that run before a sanitizer's runtime is up.
  target_compile_definitions(hsvm_options INTERFACE HSVM_NO_CLONES)
endif()

# For what is compiled often and runs briefly: tests, and the command line around the library. With sanitizers, optimising
# such code takes three times as long as everything else about it, and sentences about undefined behaviour a quarter more:
# here it ends in an illegal instruction, which ASAN_OPTIONS=handle_sigill=1 shows with the functions that led to it.
function(hsvm_compile_quickly target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1> $<$<CONFIG:Debug>:-g0>)
  if(HSVM_SANITIZE)
    target_compile_options(${target} PRIVATE -O0 -fsanitize-undefined-trap-on-error)
  endif()
endfunction()

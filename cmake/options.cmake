# Compiler options every target of the project shares.
add_library(hsvm_options INTERFACE)

# Results must not depend on whether the compiler fuses a multiply and an add: the same bits on every x86-64 machine.
target_compile_options(hsvm_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
                                              -Wno-psabi # vectors are returned by inlined functions only
                                              -ffp-contract=off)

if(HSVM_SANITIZE)
  # Null pointers, pointers that wrap around and objects that are too small are the address sanitizer's to find: checking
  # them here, too, takes a third of the compile time, and a program as long again to start. Types behind casts (vptr) are
  # not checked.
  target_compile_options(hsvm_options INTERFACE -fsanitize=${HSVM_SANITIZE} -fno-sanitize=null,object-size,pointer-overflow,vptr
                                                -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(hsvm_options INTERFACE -fsanitize=${HSVM_SANITIZE} $<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-no-pie>)
  # Function clones are chosen by resolvers that run before a sanitizer's runtime is up.
  target_compile_definitions(hsvm_options INTERFACE HSVM_NO_CLONES)
endif()

# For what is compiled often and runs briefly: tests, and the command line around the library. With sanitizers, optimising
# such code takes three times as long as everything else about it, and alignment, which matters where memory of others is
# used in place, a third more.
function(hsvm_compile_quickly target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1> $<$<CONFIG:Debug>:-g0>)
  if(HSVM_SANITIZE)
    target_compile_options(${target} PRIVATE -O0 -fno-sanitize=alignment)
  endif()
endfunction()

// What a program does when a mapped file (core/mapped_file.hpp) becomes shorter while it is read: it ends, saying which file.
//
// For a program of its own, never called by the library: signals and the end of a process are nobody else's business. A package
// for another language leaves the source out.
#pragma once

namespace hsvm {

// From now on a file that becomes shorter ends the program: one line on standard error, "PROGRAM: FILE: became shorter while it was
// read", and exit_code.
void end_on_lost_bytes(const char* program, int exit_code);

}  // namespace hsvm

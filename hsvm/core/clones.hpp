// HSVM_CLONES before a hot kernel compiles it for several generations of x86-64 and picks the best when the
// program starts. The arithmetic is written out lane by lane and never fused, so all of them return the same
// bits.
#pragma once

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(HSVM_NO_CLONES)
#define HSVM_CLONES __attribute__((target_clones("avx2", "default")))
#else
#define HSVM_CLONES
#endif

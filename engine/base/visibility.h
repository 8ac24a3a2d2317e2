/* What the shared library offers to others.
 *
 * The engine is compiled with hidden visibility: what a header declares stays within the library.
 * Public headers (engine/library/public-headers lists them) declare between these two instead of
 * G_BEGIN_DECLS and G_END_DECLS: visible from outside, and for C++ too. They hold to what C11 and
 * C++17 have in common. Where the languages differ there are WEIR_LITERAL and WEIR_RESTRICT.
 *
 * Knows no other header, for those that are plain C.
 */
#pragma once

#ifdef __cplusplus
#define WEIR_BEGIN_DECLS                                                                           \
  extern "C" {                                                                                     \
  _Pragma ("GCC visibility push(default)")
#define WEIR_END_DECLS                                                                             \
  _Pragma ("GCC visibility pop")                                                                   \
  }
#else
#define WEIR_BEGIN_DECLS _Pragma ("GCC visibility push(default)")
#define WEIR_END_DECLS _Pragma ("GCC visibility pop")
#endif

/* A struct as a value: WEIR_LITERAL (WeirNode, 0). */
#ifdef __cplusplus
#define WEIR_LITERAL(Type, ...) (Type { __VA_ARGS__ })
#define WEIR_RESTRICT __restrict__
#else
#define WEIR_LITERAL(Type, ...) ((Type) { __VA_ARGS__ })
#define WEIR_RESTRICT restrict
#endif

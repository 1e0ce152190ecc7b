/// @file assert.h
/// Checks of the caller's side of the contract. Live in Debug and RelWithDebInfo builds; bad data is never an
/// assert.
#ifndef ABUT_BASE_ASSERT_H
#define ABUT_BASE_ASSERT_H

#if defined(ABUT_ENABLE_ASSERTS)
#include <stdio.h>
#include <stdlib.h>
#define ABUT_ASSERT(condition)                                                                               \
    ((condition)                                                                                             \
         ? (void)0                                                                                           \
         : (fprintf(stderr, "%s:%d: abut: rule broken by the caller: %s\n", __FILE__, __LINE__, #condition), \
            abort()))
#else
#define ABUT_ASSERT(condition) ((void)0)
#endif

#endif

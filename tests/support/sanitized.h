/// @file sanitized.h
/// Whether sanitizers watch. They look for faults in what runs, which fewer cases show as well; the plain
/// builds count on all of them.
#ifndef ABUT_TEST_SANITIZED_H
#define ABUT_TEST_SANITIZED_H

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TEST_IS_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define TEST_IS_SANITIZED 1
#endif
#endif
#ifndef TEST_IS_SANITIZED
#define TEST_IS_SANITIZED 0
#endif

#endif

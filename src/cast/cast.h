/// @file cast.h
/// Settings of rays and segments.
#ifndef ABUT_CAST_CAST_H
#define ABUT_CAST_CAST_H

#include <abut/cast.h>

/// @return ABUT_INVALID_ARGUMENT with a message for invalid settings.
AbutResult abut_cast_check(const AbutCastSettings* settings);

#endif

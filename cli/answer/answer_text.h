/// @file answer_text.h
/// Numbers of answers: for people, and as cells of a table.
#ifndef ABUT_CLI_ANSWER_TEXT_H
#define ABUT_CLI_ANSWER_TEXT_H

#include <abut/math.h>

/// A number without the sign and the dust of a zero that was computed; `size` is what it is compared with.
double text_tidy(float value, float size);

/// "(x y z)", tidy.
void text_point(AbutVec3 point, float size);

/// ",value"; an empty cell when it is not finite.
void csv_float(float value);

/// Three cells.
void csv_vec3(AbutVec3 value);

/// So many empty cells.
void csv_empty(int count);

#endif

/// @file first_contact.h
/// What a touch is like: where, which way, how near, and whether it is certain.
#ifndef ABUT_TOI_SOLIDS_FIRST_CONTACT_H
#define ABUT_TOI_SOLIDS_FIRST_CONTACT_H

#include "toi/solids/solids.h"

/// Fills in position, normal and gap of a touch near `point` (in the frame of the moving shape) at output->time. `b_moves`: the
/// moving shape is B.
void abut_toi_describe(AbutToiSearch* toi, bool b_moves, AbutVec3 point, AbutToiOutput* output);

/// Follows the nearest points of the two from a box on until they are proved to be near each other, and takes note of when.
void abut_toi_probe(AbutToiSearch* toi, const AbutToiBox* box);

/// Looks for a point of both solids at output->time or soon after it, near output->position.
void abut_toi_prove_contact(const AbutToiInput* input, AbutToiSearch* toi, AbutToiOutput* output);

#endif

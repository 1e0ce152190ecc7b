/// @file first_contact.h
/// Position, normal and gap of a first contact, and its proof.
#ifndef ABUT_TOI_SOLIDS_FIRST_CONTACT_H
#define ABUT_TOI_SOLIDS_FIRST_CONTACT_H

#include "toi/solids/solids.h"

/// Fills in position, normal and gap of a contact near `point` (in the frame of the moving shape) at
/// output->time. `b_moves`: the moving shape is B.
void abut_toi_describe(AbutToiSearch* toi, bool b_moves, AbutVec3 point, AbutToiOutput* output);

/// Follows the closest points of the two solids from a box on until their distance is proved to be small, and
/// records the contact.
void abut_toi_probe(AbutToiSearch* toi, const AbutToiBox* box);

/// Searches for a common point of both solids at output->time or soon after it, near output->position.
void abut_toi_prove_contact(const AbutToiInput* input, AbutToiSearch* toi, AbutToiOutput* output);

#endif

/// @file contact.h
/// Where two solids touch.
#ifndef ABUT_CONTACT_H
#define ABUT_CONTACT_H

#include <abut/base.h>
#include <abut/vec.h>

#ifdef __cplusplus
extern "C" {
#endif

/// One touch of two bodies A and B, in the frame of A.
typedef struct AbutContact
{
    AbutVec3 position;
    AbutVec3 normal; ///< unit, outward of B
    float
        separation; ///< the smaller of the two distances: negative inside. Between solids apart: their gap there.
    float depth; ///< where asked for: how much of the line along the normal both solids share here; else 0
    AbutVec3 anchor_a; ///< nearest point of A's surface, in A's own frame
    AbutVec3 anchor_b; ///< nearest point of B's surface, in B's own frame
    uint64_t id;       ///< the cell of space, fixed to A, that it stands in: at most one contact each
} AbutContact;

#ifdef __cplusplus
}
#endif

#endif

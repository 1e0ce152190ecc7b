/// @file contact.h
/// Where two solids touch.
#ifndef ABUT_CONTACT_H
#define ABUT_CONTACT_H

#include <abut/base.h>
#include <abut/vec.h>

#ifdef __cplusplus
extern "C" {
#endif

/// One touch, in the frame of the first shape.
typedef struct AbutContact
{
    AbutVec3 position;
    AbutVec3 normal; ///< unit, outward of the second shape
    float
        separation; ///< the smaller of the two distances: negative inside. Between solids apart: their gap there.
    uint64_t id; ///< the cell of space, fixed to the first shape, that it stands in: at most one contact each
} AbutContact;

#ifdef __cplusplus
}
#endif

#endif

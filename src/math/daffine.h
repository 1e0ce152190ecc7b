/// @file daffine.h
/// Affine maps of vectors of doubles: x → linear · x + offset. Sums go from the left, the offset last.
#ifndef ABUT_MATH_DAFFINE_H
#define ABUT_MATH_DAFFINE_H

#include "math/dmat3.h"

typedef struct AbutDAffine
{
    double m[3][4]; // m[row]: the row of the linear map, then the offset
} AbutDAffine;

static inline AbutDAffine abut_daffine(const AbutDMat3* linear, AbutDVec3 offset)
{
    return (AbutDAffine){ { { linear->m[0][0], linear->m[0][1], linear->m[0][2], offset.x },
                            { linear->m[1][0], linear->m[1][1], linear->m[1][2], offset.y },
                            { linear->m[2][0], linear->m[2][1], linear->m[2][2], offset.z } } };
}

/// Component i is ((mᵢ₀·x + mᵢ₁·y) + mᵢ₂·z) + mᵢ₃.
static inline AbutDVec3 abut_daffine_apply(const AbutDAffine* map, AbutDVec3 v)
{
    return abut_dvec3(map->m[0][0] * v.x + map->m[0][1] * v.y + map->m[0][2] * v.z + map->m[0][3],
                      map->m[1][0] * v.x + map->m[1][1] * v.y + map->m[1][2] * v.z + map->m[1][3],
                      map->m[2][0] * v.x + map->m[2][1] * v.y + map->m[2][2] * v.z + map->m[2][3]);
}

/// Columns 0 to 2 are those of the linear map, column 3 is the offset.
static inline AbutDVec3 abut_daffine_column(const AbutDAffine* map, int column)
{
    return abut_dvec3(map->m[0][column], map->m[1][column], map->m[2][column]);
}

static inline void abut_daffine_set_column(AbutDAffine* map, int column, AbutDVec3 v)
{
    map->m[0][column] = v.x;
    map->m[1][column] = v.y;
    map->m[2][column] = v.z;
}

#endif

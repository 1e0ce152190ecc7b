/// @file generated_solids.h
/// One solid per generator with its shape in closed form, written from the documentation and not from the
/// generator.
#ifndef ABUT_TEST_GENERATED_SOLIDS_H
#define ABUT_TEST_GENERATED_SOLIDS_H

#include "support/support.h"

typedef struct GeneratedSolid
{
    const char* name;

    /// The solid at a tessellation; edges shrink as 1/n.
    AbutResult (*create)(uint32_t n, const AbutHost* host, AbutMesh** out);
    uint32_t least, odd,
        large;     ///< tessellations: the smallest legal one, a crooked one, one of about 100,000 triangles
    int64_t euler; ///< 2 for a ball, 0 for a ring

    /// How far a vertex is off the ideal surface, NULL when a test of its own looks at that.
    double (*off_surface)(const double p[3]);

    /// Of the ideal solid, NULL when a test of its own looks at that.
    double (*volume)(void);
} GeneratedSolid;

/// Ended by one without a name.
const GeneratedSolid* generated_solids(void);

#endif

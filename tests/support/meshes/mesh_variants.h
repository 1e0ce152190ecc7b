/// @file mesh_variants.h
/// Closed solids from the generators with random sizes, tessellations and placements, and the same solids
/// with the defects that real meshes have.
#ifndef ABUT_TEST_MESH_VARIANTS_H
#define ABUT_TEST_MESH_VARIANTS_H

#include "support/meshes/meshes.h"

typedef enum TestDefect
{
    TEST_DEFECT_NONE,
    TEST_DEFECT_NOISE,       ///< vertices moved at random; still closed
    TEST_DEFECT_SEAM,        ///< cut in two by a plane; vertices of one side of the cut moved at random
    TEST_DEFECT_SHIFT,       ///< cut in two by a plane; one half moved away as a whole
    TEST_DEFECT_T_JUNCTIONS, ///< edges split on one side only, off the edge
    TEST_DEFECT_STRIPS,      ///< cut in several strips; each moved by itself
    TEST_DEFECT_RING,        ///< a band of faces twice over, moved a little
    TEST_DEFECT_CHIPS,       ///< faces that fit in a ball of the width are missing
    TEST_DEFECT_SPLIT,       ///< every triangle has its own vertices, all moved at random
    TEST_DEFECT_HOLE,        ///< all faces near a point are missing: a hole wider than a cell
    TEST_DEFECT_COUNT
} TestDefect;

typedef struct TestVariant
{
    const char* solid;
    TestDefect defect;
    double size;   ///< of the solid
    double width;  ///< asked for: how wide gaps are
    double moved;  ///< how far vertices are from where they were, at most
    AbutVec3 hole; ///< the middle of the hole
    double hole_radius;
    AbutMesh* ideal; ///< closed
    AbutMesh* mesh;
} TestVariant;

const char* test_defect_name(TestDefect defect);

/// Variant number `number`: its solid, tessellation, scale (1e-3 to 1e3), rotation and position are random
/// but fixed. Gaps are up to `widest` of the size wide, and often far narrower; a hole is several times as
/// wide. Destroy it after use.
TestVariant test_variant_create(uint32_t number, double widest);
void test_variant_destroy(TestVariant* variant);

#endif

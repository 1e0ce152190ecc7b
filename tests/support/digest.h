/// @file digest.h
/// A fixed list of shapes and points whose answers must have the same bits on every machine. Without cmocka,
/// so that plain programs can use it where there is none.
#ifndef ABUT_TEST_DIGEST_H
#define ABUT_TEST_DIGEST_H

#include <abut/abut.h>

enum
{
    DIGEST_POINTS = 20011, ///< not a multiple of any lane count
    DIGEST_MOST_SHAPES = 64
};

typedef struct DigestShape
{
    const char* name;
    AbutShape* shape;
    AbutPose pose; ///< where it stands in the frame of the points
    bool posed;    ///< false: no pose is given
} DigestShape;

/// Fills `shapes` (room for DIGEST_MOST_SHAPES) and returns how many there are: every kind, trees of them,
/// terrain, functions. Ends the program with a message when one cannot be made.
size_t digest_create_shapes(DigestShape* shapes);
void digest_destroy_shapes(DigestShape* shapes, size_t count);

/// Most points around the shapes, on a grid that hits axes, edges and corners, or anywhere; some with any
/// bits at all: tiny, huge, infinite and no numbers. Points to static memory.
AbutPoints digest_points(void);

/// Of the bits of floats; all NaNs count as one, since processors disagree on the sign and payload of those
/// that they make.
uint64_t digest_hash(const float* values, size_t count, uint64_t seed);

/// Ends the program with a message about `name` when `result` is none of success.
void digest_check(AbutResult result, const char* name);

/// A small gear with a bore.
AbutMesh* digest_create_gear(void);

enum
{
    DIGEST_FIELD_PAIRS = 2 * ABUT_FIELD_FORMAT_COUNT ///< all formats, dense and sparse
};

/// Field pair `number` of DIGEST_FIELD_PAIRS: the mesh and the shape, dense fields with 40 cells, sparse ones
/// with `sparse_cells`, enough for coarse bricks. Writes format and kind to `name`. Returns the format.
AbutFieldFormat digest_bake_pair(int number, uint32_t sparse_cells, const AbutMesh* mesh,
                                 const AbutShape* shape, AbutShape* out[2], char name[40]);

/// Of distances and gradients of a shape at all points; on the workers of `host`, or on the calling thread
/// for NULL.
uint64_t digest_of_shape(const DigestShape* shape, const AbutHost* host);

#endif

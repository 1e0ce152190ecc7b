/// @file jobs.h
/// Signs of the nodes of a grid.
#ifndef ABUT_BAKE_SIGN_JOBS_H
#define ABUT_BAKE_SIGN_JOBS_H

#include "bake/sign/sign.h"

/// Nodes to be signed: a whole grid, or a brick of one.
typedef struct AbutSignJob
{
    AbutNodeGrid grid;
    const uint32_t* nearest; // as abut_distance_grid() gives it for this grid
    float* squared;          // in: as abut_distance_grid() gives it; out: with the sign bit set inside
    uint8_t* origins;        // out, where it is not NULL: AbutSignOrigin of each node, 0 for a certain sign
} AbutSignJob;

/// The origin of a sign, close to a gap of the surface or by the winding method.
typedef enum AbutSignOrigin
{
    ABUT_SIGN_BY_WINDING = 1, // the node's own winding number
    ABUT_SIGN_UNCERTAIN = 2,  // which is in (¼, ¾), off the surface
} AbutSignOrigin;

/// A job without origins.
AbutSignJob abut_sign_job(const AbutNodeGrid* grid, const uint32_t* nearest, float* squared);

typedef struct AbutSignCounts
{
    uint64_t evaluated;       // nodes that were evaluated themselves
    uint64_t winding_nodes;   // nodes with a sign from a winding number, their own or along the chain
    uint64_t uncertain_nodes; // nodes off the surface with a winding number in (¼, ¾)
} AbutSignCounts;

/// Signs of a grid on all workers of the host. Adds to the counts. The signs do not depend on the worker
/// count or on the grid around a node. Allocates no memory.
void abut_sign_grid(const AbutSignClassifier* classifier, const AbutSignJob* job, const AbutHost* host,
                    AbutSignCounts* counts);

/// The same on the calling thread alone: for bricks, many of which are done at once.
void abut_sign_nodes(const AbutSignClassifier* classifier, const AbutSignJob* job, AbutSignCounts* counts);

#endif

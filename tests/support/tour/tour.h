/// @file tour.h
/// A tour of the public functions that compute, in stops: each calls some of them on shapes that the tour has
/// made, and returns a hash of all that they answered. For tests that call everything in another environment:
/// of floating point, of threads, of stacks.
#ifndef ABUT_TEST_TOUR_H
#define ABUT_TEST_TOUR_H

#include "support/support.h"

typedef struct Tour
{
    const AbutHost* host;
    AbutShape *ball, *box, *ring, *plane, *callback, *terrain, *solid;
    AbutShape *field, *sparse; ///< of the ring: order 0, and sparse of order 1
    AbutMesh* mesh;            ///< a closed ring
    AbutPointSet* points;      ///< of the box
    uint64_t made;             ///< hash of all of them
} Tour;

/// Called around every call of a function that computes; nothing unless a test says otherwise.
extern void (*tour_before_call)(void);
extern void (*tour_after_call)(void);

/// Calls the functions that create things. Everything must succeed.
void tour_begin(Tour* tour, const AbutHost* host);
void tour_end(Tour* tour);

typedef struct TourStop
{
    const char* name;
    uint64_t (*run)(const Tour* tour);
} TourStop;

/// Stops in files of their own.
uint64_t tour_visit_generators(const Tour* tour);
uint64_t tour_visit_hulls(const Tour* tour);
uint64_t tour_visit_pieces(const Tour* tour);
uint64_t tour_visit_meshes(const Tour* tour);
uint64_t tour_visit_images(const Tour* tour);
uint64_t tour_visit_points(const Tour* tour);
uint64_t tour_visit_point_hull(const Tour* tour);
uint64_t tour_visit_bakes(const Tour* tour);
uint64_t tour_visit_collisions(const Tour* tour);
uint64_t tour_visit_distances(const Tour* tour);
uint64_t tour_visit_sweeps(const Tour* tour);
uint64_t tour_visit_segments(const Tour* tour);
uint64_t tour_visit_pairs(const Tour* tour);
uint64_t tour_visit_broad(const Tour* tour);
uint64_t tour_visit_impulses(const Tour* tour);
uint64_t tour_visit_springs(const Tour* tour);
uint64_t tour_visit_delayed_springs(const Tour* tour);
uint64_t tour_visit_plates(const Tour* tour);
uint64_t tour_visit_mesh_trees(const Tour* tour);

/// Ends with a NULL name.
extern const TourStop tour_stops[];

#endif

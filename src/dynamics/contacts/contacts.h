/// @file contacts.h
/// Bodies that are near each other: how far they are looked ahead for, and what lasts of what was found.
#ifndef ABUT_DYNAMICS_CONTACTS_CONTACTS_H
#define ABUT_DYNAMICS_CONTACTS_CONTACTS_H

#include "dynamics/state/world.h"

/// Radius of the largest ball in a solid, about: infinite for shapes without end.
double abut_shape_inscribed_radius(const AbutShape* shape);

/// Of a pair at rest: contacts are looked for across gaps of this.
double abut_pair_speculative_distance(const AbutWorld* world, const AbutBody* a, const AbutBody* b);

/// The speed that a body of this radius gets when it falls by a fifth of it: speeds of rest and of parting are parts of it, so that they do not depend on the
/// unit of length. Without gravity, a tenth of the radius per second.
double abut_world_speed_unit(const AbutWorld* world, double radius);

/// Of the smaller one that is dynamic.
double abut_pair_speed_unit(const AbutWorld* world, const AbutBody* a, const AbutBody* b);

/// How far two bodies may come nearer to each other in the step, as they move now.
double abut_pair_travel(const AbutWorld* world, const AbutBody* a, const AbutBody* b);

/// Both, of two bodies by index.
double abut_pair_margin(const AbutWorld* world, uint32_t a, uint32_t b);

/// The manifold of the last step, or NULL.
AbutManifold* abut_world_last_manifold(AbutWorld* world, uint32_t a, uint32_t b);

/// True when what it says is all that two bodies can meet with in the step; then it knows how far they may move in it.
bool abut_manifold_can_recycle(const AbutWorld* world, AbutManifold* m);

/// Takes down where bodies stand, for abut_manifold_can_recycle().
void abut_manifold_record_pose(const AbutWorld* world, AbutManifold* m, double margin);

/// Room for the contacts of a pair while they are chosen; each worker has its own.
typedef struct AbutPairScratch
{
    AbutContact* contacts;
    AbutReselectConstraint* reselect_constraints;
    AbutManifoldPoint* points;
} AbutPairScratch;

/// Makes the manifold of a pair that was looked at. Its contacts are the first ones of the room; where they will be is for the caller to say. `before` is that of
/// the last step, or NULL.
void abut_pair_make_manifold(const AbutWorld* world, const AbutPairResult* pair, const AbutContact* contacts,
                             const AbutManifold* before, AbutPairScratch* scratch, AbutManifold* m);

/// Contacts of a manifold of the last step where their bodies have taken them.
void abut_contacts_recycle(const AbutWorld* world, const AbutManifold* m, AbutManifoldPoint* out);

/// What a manifold was told in earlier rounds counts in those of the same step alone; what is known of guards does in all.
void abut_manifold_copy_history(const AbutWorld* world, const AbutManifold* before, AbutManifold* m);

/// How a body would move in the step without contacts.
typedef struct AbutBodyMotion
{
    double displacement[3], rotation_vector[3]; // of the centre of mass, and about it
} AbutBodyMotion;

AbutBodyMotion abut_body_free_motion(const AbutWorld* world, const AbutBody* body);

/// Exchanges points that were kept, the first ones, for ones of the others, which would close in the step without them.
void abut_contacts_reselect(const AbutWorld* world, const AbutBody* a, const AbutBody* b,
                            AbutPairScratch* scratch, int count, int kept);

/// True when some of the contacts push against each other and are nearer than `distance`.
bool abut_contacts_are_tight(const AbutManifoldPoint* points, uint32_t count, double distance);

/// True when solids are in each other by more than this somewhere: what leads out of there may be another way soon.
bool abut_contacts_are_deep(const AbutManifoldPoint* points, uint32_t count, double depth);

/// Impulses that contacts begin with, without those with which they only push against each other.
void abut_contacts_damp_internal_impulses(AbutManifoldPoint* points, uint32_t count);

/// Springs yield to all that these contacts carry.
void abut_contacts_reset_load(AbutManifoldPoint* points, uint32_t count);

/// Holds bodies back, along the way that they went, that would get through what was found or to where nobody has looked.
void abut_ccd_clamp_motions(AbutWorld* world);

#endif

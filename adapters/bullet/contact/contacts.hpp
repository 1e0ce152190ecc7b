// Contacts of two solids in the world, by abut's narrow phase.
#ifndef ABUT_BULLET_CONTACTS_HPP
#define ABUT_BULLET_CONTACTS_HPP

#include "contact/manifold.hpp"
#include "contact/motion.hpp"
#include "contact/refine.hpp"

namespace abut::bullet
{
inline namespace ABUT_BULLET_REAL
{

/// Contacts of a pair at most; the deepest ones of more.
constexpr uint32_t MOST_CONTACTS = 512;

/// Large: one per thread (thread_local), not on the stack. Contacts at the time of a search: the present,
/// or the first touch of the step.
struct Contacts
{
    PosedSolid a, b; // at that time
    bool coming;     // later than the present
    bool exact;      // closed forms: nothing to refine
    AbutCollideState state;
    float gap;     // separated: proved lower bound of the distance, margins included; else 0
    float spacing; // of contacts
    uint32_t count;
    Point points[MOST_CONTACTS]; // near the surfaces
};

/// Spacing of contacts up to a distance of `margin`: a 16th of the smaller solid, and not much less than the
/// margin. Infinite for two infinite solids.
float spacing_of(const Solid& a, const Solid& b, float margin);

/// Contacts with a distance up to `margin`, beyond the margins of the solids, at the present poses.
void find_contacts(const MovingSolid& a, const MovingSolid& b, float margin, float spacing, Contacts* out);

/// The same for the step to come: where it has a first touch, the contacts at that time; else those at the
/// present poses.
void find_coming_contacts(const MovingSolid& a, const MovingSolid& b, float margin, Contacts* out);

/// A contact refined to the deepest point, with its distance at the present poses.
Point present_point(const MovingSolid& a, const MovingSolid& b, const Contacts& contacts, uint32_t index);

/// Reduces contacts to those of a manifold, refined: without those that stay further away than `threshold`
/// during the step. Old points (with ids of `ids`) stay where they are as good as the chosen ones. Returns
/// their count.
int select_points(const MovingSolid& a, const MovingSolid& b, const PointIds& ids, btScalar threshold,
                  const Contacts& contacts, Point out[MANIFOLD_CACHE_SIZE]);

/// Old points of the manifold that went through a thin wall, since motions and solver are approximate, stay
/// on their side, in the place of the contacts of the other one: these would push the body through. Returns
/// the count of points.
int keep_uncrossed(const btPersistentManifold& manifold, const ObjectPair& objects, const PointIds& ids,
                   const Contacts& contacts, Point points[MANIFOLD_CACHE_SIZE], int count);

} // namespace ABUT_BULLET_REAL
} // namespace abut::bullet

#endif

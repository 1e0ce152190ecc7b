// Contacts of two solids in the world, by abut's narrow phase: at the present poses, or at the first touch of
// the step.
#include "contact/contacts.hpp"

#include "message.hpp"

#include <atomic>
#include <cmath>

namespace abut::bullet
{
inline namespace ABUT_BULLET_REAL
{

namespace
{

/// Contacts along the diagonal of the smaller solid.
constexpr float SPACINGS = 16.0f;

/// Least spacing, as a fraction of the margin.
constexpr float OF_MARGIN = 0.5f;

btVector3 world_point(const AbutPose& pose, AbutVec3 point)
{
    return to_bullet(abut_pose_transform_point(&pose, point));
}

/// Convex pairs have a method whose separations are those of the surfaces along the normal, at their closest
/// or deepest points.
bool is_exact(const AbutShape* a, const AbutShape* b)
{
    AbutCollideMethod method = abut_collide_method_of(a, b);
    return method != ABUT_COLLIDE_ADAPTIVE && method != ABUT_COLLIDE_BVH && abut_shape_info(a).convex &&
           abut_shape_info(b).convex;
}

/// A ball in a groove needs a contact on either side: the closed form of a ball has one.
AbutCollideMethod method_of(const AbutShape* a, const AbutShape* b, bool exact)
{
    AbutCollideMethod method = abut_collide_method_of(a, b);
    return method == ABUT_COLLIDE_PRIMITIVES && !exact ? ABUT_COLLIDE_ADAPTIVE : method;
}

/// False where B has no gradient.
bool make_point(const Contacts& contacts, const AbutContact& contact, Point* out)
{
    out->normal = to_bullet(abut_quat_rotate(contacts.a.pose.rotation, contact.normal));
    if (!(out->normal.length2() > 0))
    {
        return false;
    }
    out->normal.normalize();
    btScalar margin_a = real(contacts.a.solid->margin()), margin_b = real(contacts.b.solid->margin());
    out->id = contact.id;
    out->refined = out->of_b = false;
    out->distance = real(contact.separation) * real(contacts.a.pose.scale) - margin_a - margin_b;
    out->on_b = world_point(contacts.b.pose, contact.anchor_b);
    out->on_a = world_point(contacts.a.pose, contact.anchor_a);
    if (contacts.exact)
    {
        out->on_b += out->normal * margin_b;
        out->on_a = out->on_b + out->normal * out->distance;
    }
    return true;
}

void say_invalid()
{
    static std::atomic<bool> said{ false };
    if (!said.exchange(true))
    {
        say("a pair has no contacts: %s", abut_last_error());
    }
}

/// Fills the rest of `out`, which has the solids and their poses.
void search(float margin, float spacing, Contacts* out)
{
    static thread_local AbutContact contacts[MOST_CONTACTS];
    const Solid &a = *out->a.solid, &b = *out->b.solid;
    float scale = out->a.pose.scale, margins = a.margin() + b.margin();
    AbutSpeculativeInput input = abut_speculative_input(a.shape(), b.shape());
    input.pose_a = out->a.pose;
    input.pose_b = out->b.pose;
    input.settings.margin = (margin + margins) / scale;
    input.settings.spacing = std::isfinite(spacing) ? spacing / scale : 0.0f;
    out->exact = is_exact(a.shape(), b.shape());
    input.settings.method = method_of(a.shape(), b.shape(), out->exact);
    AbutCollideOutput output = abut_speculative_contacts(&input, contacts, MOST_CONTACTS);
    out->state = output.state;
    out->gap = output.state == ABUT_COLLIDE_SEPARATED && !out->coming ? output.gap * scale - margins : 0.0f;
    out->spacing = output.spacing * scale;
    out->count = 0;
    if (output.state == ABUT_COLLIDE_INVALID)
    {
        say_invalid();
        return;
    }
    for (uint32_t i = 0; i < output.contact_count; ++i)
    {
        out->count += make_point(*out, contacts[i], &out->points[out->count]) ? 1u : 0u;
    }
}

/// A point of the world, fixed to a solid, from the time of a search to the present.
btVector3 at_present(const AbutPose& then, const AbutPose& now, const btVector3& point)
{
    AbutPosition p = { static_cast<double>(point.x()), static_cast<double>(point.y()),
                       static_cast<double>(point.z()) };
    return world_point(now, abut_pose_inverse_transform_point(&then, p));
}

} // namespace

float spacing_of(const Solid& a, const Solid& b, float margin)
{
    return std::fmax(std::fmin(a.size(), b.size()) / SPACINGS, OF_MARGIN * margin);
}

void find_contacts(const MovingSolid& a, const MovingSolid& b, float margin, float spacing, Contacts* out)
{
    out->a = { a.solid, a.pose };
    out->b = { b.solid, b.pose };
    out->coming = false;
    search(margin, spacing, out);
}

void find_coming_contacts(const MovingSolid& a, const MovingSolid& b, float margin, Contacts* out)
{
    AbutToiInput input = abut_toi_input(a.solid->grown(), b.solid->grown());
    input.pose_a = a.pose;
    input.pose_b = b.pose;
    input.motion_a = a.motion();
    input.motion_b = b.motion();
    AbutToiOutput output = abut_time_of_impact(&input);
    bool hits = output.state == ABUT_TOI_HIT || output.state == ABUT_TOI_BUDGET;
    if (!hits || !(output.time > 0.0f))
    {
        find_contacts(a, b, margin, spacing_of(*a.solid, *b.solid, 0.0f), out);
        return;
    }
    out->a = { a.solid, abut_motion_pose(&a.pose, &input.motion_a, output.time) };
    out->b = { b.solid, abut_motion_pose(&b.pose, &input.motion_b, output.time) };
    out->coming = true;
    search(margin + 2.0f * output.gap * a.pose.scale, spacing_of(*a.solid, *b.solid, 0.0f), out);
}

Point present_point(const MovingSolid& a, const MovingSolid& b, const Contacts& contacts, uint32_t index)
{
    Point point = contacts.points[index];
    if (!contacts.exact)
    {
        refine_point(contacts.a, contacts.b, real(2.0f * contacts.spacing), &point);
    }
    if (contacts.coming)
    {
        btVector3 on_a = at_present(contacts.a.pose, a.pose, point.on_a);
        point.on_b = at_present(contacts.b.pose, b.pose, point.on_b);
        point.distance = btMax((on_a - point.on_b).dot(point.normal), btScalar(0)); // they do not touch yet
        point.on_a = point.on_b + point.normal * point.distance;
    }
    return point;
}

} // namespace ABUT_BULLET_REAL
} // namespace abut::bullet

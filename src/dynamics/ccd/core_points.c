// Core points are the nodes of a lattice of spacing s that are deep in a wall. The middle of a wall of
// thickness 2h is h deep, and no point is further than √3/2 s from a node. So with s = 0.7 h every point in
// the middle of a wall has a node within 0.61 h, at least 0.39 h deep: exactly these nodes are kept. As long
// as no core point is inside another solid of the same thickness or more, the middles of both walls are at
// least 0.39 h apart.
#include "dynamics/ccd/core_points.h"

#include "base/memory.h"
#include "dynamics/state/world.h"
#include "points/points.h"

#include <math.h>

/// Inscribed radius of thin solids, as a fraction of the radius.
#define THIN 0.15

/// In units of h: spacing of the lattice, largest distance of the middle of a wall from a core point, least
/// depth of core points.
#define SPACING 0.7
#define COVERS (0.5 * 1.7320508075688772 * SPACING)
#define DEPTH (1.0 - COVERS)

/// Slope of distances: interpolated ones are slightly steeper than 1.
#define STEEPEST 1.1f

/// In units of h: distance at which a recorded core point is dropped.
#define FORGET_DISTANCE 1.5

/// Capacity of a shape.
#define MAX_CORE_POINTS (1u << 18)

// -----------------------------------------------------------------------------------------------------------
// Lattice
// -----------------------------------------------------------------------------------------------------------

enum
{
    LEVELS = 12 // a lattice has at most 2¹² nodes along a side
};

typedef struct Lattice
{
    const AbutShape* shape;
    AbutVec3 origin;
    float spacing, depth;
    uint32_t nodes[3];
    const AbutHost* host;
    float* positions;
    size_t capacity, count; // of numbers
    AbutResult result;
} Lattice;

/// Centre of a cube of 2^level nodes along its sides, and half of its diagonal.
static AbutVec3 middle_of(const Lattice* self, const uint32_t low[3], int level, float* radius)
{
    float half = 0.5f * (float)((1u << level) - 1u) * self->spacing;
    *radius = 1.7320508f * half;
    return abut_vec3(self->origin.x + self->spacing * (float)low[0] + half,
                     self->origin.y + self->spacing * (float)low[1] + half,
                     self->origin.z + self->spacing * (float)low[2] + half);
}

static void add_core_point(Lattice* self, AbutVec3 at)
{
    if (self->count >= 3u * MAX_CORE_POINTS)
    {
        self->result = ABUT_LIMIT_EXCEEDED;
        return;
    }
    if (!abut_memory_grow(self->host, (void**)&self->positions, &self->capacity, self->count + 3,
                          sizeof(float)))
    {
        self->result = ABUT_OUT_OF_MEMORY;
        return;
    }
    self->positions[self->count++] = at.x;
    self->positions[self->count++] = at.y;
    self->positions[self->count++] = at.z;
}

/// All nodes of a cube of the lattice that are deep enough.
static void visit_cube(Lattice* self, const uint32_t low[3], int level)
{
    float radius, distance;
    AbutVec3 middle = middle_of(self, low, level, &radius);
    for (int axis = 0; axis < 3; ++axis)
    {
        if (low[axis] >= self->nodes[axis])
        {
            return;
        }
    }
    abut_shape_sample(self->shape, NULL, (AbutPoints){ &middle.x, &middle.y, &middle.z }, 1,
                      (AbutSamples){ .distance = &distance });
    if (self->result != ABUT_OK || !(distance <= STEEPEST * radius - self->depth))
    {
        return;
    }
    if (level == 0)
    {
        add_core_point(self, middle);
        return;
    }
    for (uint32_t corner = 0; corner < 8; ++corner)
    {
        uint32_t half = 1u << (level - 1);
        const uint32_t child[3] = { low[0] + (corner & 1u) * half, low[1] + (corner >> 1 & 1u) * half,
                                    low[2] + (corner >> 2) * half };
        visit_cube(self, child, level - 1);
    }
}

/// False when the lattice would be too fine.
static bool init_lattice(Lattice* self, const AbutShape* shape, double inscribed_radius, const AbutHost* host)
{
    AbutBox box = abut_shape_info(shape).bounds;
    AbutVec3 extents = abut_box_extents(box);
    const float size[3] = { extents.x, extents.y, extents.z };
    *self = (Lattice){ .shape = shape, .host = host, .result = ABUT_OK };
    self->spacing = (float)(SPACING * inscribed_radius);
    self->depth = (float)(DEPTH * inscribed_radius);
    for (int axis = 0; axis < 3; ++axis)
    {
        double nodes = ceil((double)size[axis] / (double)self->spacing) + 1.0;
        if (!(nodes <= (double)(1u << LEVELS)))
        {
            return false;
        }
        self->nodes[axis] = (uint32_t)nodes;
    }
    // Symmetric about the centre of the box, and so with a node in the middle of a plate.
    self->origin = abut_vec3(0.5f * (box.min.x + box.max.x - self->spacing * (float)(self->nodes[0] - 1)),
                             0.5f * (box.min.y + box.max.y - self->spacing * (float)(self->nodes[1] - 1)),
                             0.5f * (box.min.z + box.max.z - self->spacing * (float)(self->nodes[2] - 1)));
    return true;
}

static AbutResult make_core_points(const AbutShape* shape, double inscribed_radius, const AbutHost* host,
                                   AbutPointSet** out)
{
    Lattice lattice;
    if (!init_lattice(&lattice, shape, inscribed_radius, host))
    {
        return ABUT_OK;
    }
    const uint32_t low[3] = { 0, 0, 0 };
    visit_cube(&lattice, low, LEVELS);
    AbutResult result = lattice.result;
    if (result == ABUT_OK && lattice.count > 0)
    {
        result = abut_points_create(lattice.positions, NULL, (uint32_t)(lattice.count / 3), host, out);
    }
    abut_memory_free(host, lattice.positions, lattice.capacity, sizeof(float));
    return result == ABUT_LIMIT_EXCEEDED ? ABUT_OK : result;
}

/// Another body of the same shape with core points.
static const AbutBody* find_shared(const AbutWorld* world, const AbutShape* shape)
{
    for (uint32_t i = world->body_count; i-- > 0;)
    {
        const AbutBody* body = &world->bodies[i];
        if (abut_body_is_alive(body) && body->shape == shape && body->core_points != NULL)
        {
            return body;
        }
    }
    return NULL;
}

static double least_depth(const AbutShape* shape, const AbutPointSet* core_points)
{
    float least = INFINITY;
    for (uint32_t i = 0; i < core_points->count; ++i)
    {
        AbutVec3 at = abut_vec3(core_points->at[0][i], core_points->at[1][i], core_points->at[2][i]);
        least = fminf(least, -abut_shape_distance(shape, at, NULL));
    }
    return (double)least;
}

AbutResult abut_core_points_attach(AbutWorld* world, AbutBody* body)
{
    if (!(body->inscribed_radius > 0.0) || body->kind != ABUT_BODY_DYNAMIC ||
        !world->response->has_core_points)
    {
        return ABUT_OK;
    }
    body->is_thin = body->inscribed_radius < THIN * (double)body->radius;
    const AbutBody* same = find_shared(world, body->shape);
    if (same != NULL)
    {
        body->core_points = abut_points_retain(same->core_points);
        body->core_depth = same->core_depth / (double)same->scale * (double)body->scale;
        return ABUT_OK;
    }
    AbutResult result = make_core_points(body->shape, body->inscribed_radius / (double)body->scale,
                                         &world->host, &body->core_points);
    if (body->core_points != NULL)
    {
        body->core_depth = (double)body->scale * least_depth(body->shape, body->core_points);
    }
    return result;
}

void abut_core_points_release(AbutBody* body)
{
    abut_points_destroy(body->core_points);
    body->core_points = NULL;
}

void abut_core_points_reset(AbutWorld* world, uint32_t index)
{
    AbutContactStore* store = &world->stores[world->current];
    for (size_t i = 0; i < store->manifold_count; ++i)
    {
        AbutManifold* m = &store->manifolds[i];
        if (m->a == index || m->b == index)
        {
            m->clearance = 0.0;
            m->core_point_count = 0;
        }
    }
}

// -----------------------------------------------------------------------------------------------------------
// Blocking body
// -----------------------------------------------------------------------------------------------------------

int abut_core_points_blocking_body(const AbutBody* a, const AbutBody* b)
{
    if (a->kind == ABUT_BODY_KINEMATIC || b->kind == ABUT_BODY_KINEMATIC)
    {
        return -1; // a kinematic body cannot be clamped, and must not clamp
    }
    bool a_blocks =
        a->core_points != NULL && a->is_thin && COVERS * a->inscribed_radius < b->inscribed_radius;
    bool b_blocks =
        b->core_points != NULL && b->is_thin && COVERS * b->inscribed_radius < a->inscribed_radius;
    if (a_blocks && b_blocks)
    {
        return b->inscribed_radius < a->inscribed_radius ? 1 : 0;
    }
    return a_blocks ? 0 : b_blocks ? 1 : -1;
}

int abut_core_points_tested_body(const AbutBody* a, const AbutBody* b)
{
    int core_body = abut_core_points_blocking_body(a, b);
    bool is_kinematic = a->kind == ABUT_BODY_KINEMATIC || b->kind == ABUT_BODY_KINEMATIC;
    if (core_body >= 0 || is_kinematic)
    {
        return core_body;
    }
    return a->core_points != NULL && b->inscribed_radius <= COVERS * a->inscribed_radius   ? 0
           : b->core_points != NULL && a->inscribed_radius <= COVERS * b->inscribed_radius ? 1
                                                                                           : -1;
}

// -----------------------------------------------------------------------------------------------------------
// Contacts
// -----------------------------------------------------------------------------------------------------------

void abut_core_points_record(AbutManifold* m, AbutVec3 core_point, double distance)
{
    for (uint32_t i = 0; i < m->core_point_count; ++i)
    {
        if ((double)abut_vec3_length(abut_vec3_sub(m->core_points[i], core_point)) < distance)
        {
            m->core_points[i] = core_point;
            return;
        }
    }
    if (m->core_point_count == ABUT_CORE_CONTACTS) // drop the oldest
    {
        for (uint32_t i = 1; i < m->core_point_count; ++i)
        {
            m->core_points[i - 1] = m->core_points[i];
        }
        m->core_point_count -= 1;
    }
    m->core_points[m->core_point_count++] = core_point;
}

/// Contact of a core point: between both surfaces, along the normal of the other solid. False when it is far.
static bool make_contact(const AbutBody* core_body, const AbutBody* other, const AbutPose* pose,
                         const AbutPose* other_pose, AbutVec3 core_point, AbutPosition* position,
                         AbutVec3* normal, double* separation)
{
    AbutPosition at = abut_pose_transform_point(pose, core_point);
    AbutVec3 gradient;
    double gap = (double)abut_shape_distance_at(other->shape, other_pose, at, &gradient);
    double depth =
        -(double)abut_shape_distance(core_body->shape, core_point, NULL) * (double)core_body->scale;
    float length = abut_vec3_length(gradient);
    if (!(gap < FORGET_DISTANCE * fmin(core_body->inscribed_radius, other->inscribed_radius)) ||
        !(length > 0.0f))
    {
        return false;
    }
    *normal = abut_vec3_scale(gradient, 1.0f / length);
    *separation = gap - depth;
    double back = 0.5 * (gap + depth);
    *position = (AbutPosition){ at.x - back * (double)normal->x, at.y - back * (double)normal->y,
                                at.z - back * (double)normal->z };
    return true;
}

int abut_core_points_contacts(const AbutBody* a, const AbutBody* b, const AbutPose* pose_a,
                              const AbutPose* pose_b, AbutManifold* m,
                              AbutContact contacts[ABUT_CORE_CONTACTS])
{
    bool of_a = abut_core_points_tested_body(a, b) == 0;
    uint32_t kept = 0;
    AbutPose inverse = abut_pose_inverse(pose_a);
    for (uint32_t i = 0; i < m->core_point_count; ++i)
    {
        AbutPosition position;
        AbutVec3 normal;
        double separation;
        if (make_contact(of_a ? a : b, of_a ? b : a, of_a ? pose_a : pose_b, of_a ? pose_b : pose_a,
                         m->core_points[i], &position, &normal, &separation))
        {
            normal = abut_quat_rotate(inverse.rotation, normal);
            contacts[kept] = (AbutContact){ .position = abut_pose_inverse_transform_point(pose_a, position),
                                            .normal = of_a ? normal : abut_vec3_scale(normal, -1.0f),
                                            .separation = (float)(separation / (double)pose_a->scale),
                                            .id = UINT64_MAX - i };
            m->core_points[kept++] = m->core_points[i];
        }
    }
    m->core_point_count = kept;
    return (int)kept;
}

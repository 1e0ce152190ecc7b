// Validation of snapshots. The hash detects changed bytes, the identity other worlds; all other values are
// checked against what steps leave, so that even forged bytes cannot break a step.
#include "dynamics/snapshot_check.h"

#include "dynamics/state/world.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

// -----------------------------------------------------------------------------------------------------------
// Identity
// -----------------------------------------------------------------------------------------------------------

enum
{
    GRID = 3,
    SAMPLES = GRID * GRID * GRID
};

/// Centre and half extent of an interval; of [−1, 1] for an infinite one.
static void span_of(float low, float high, float* middle, float* half)
{
    bool finite = isfinite(low) && isfinite(high) && low <= high;
    *middle = finite ? 0.5f * low + 0.5f * high : 0.0f;
    *half = finite ? 0.5f * high - 0.5f * low : 1.0f;
}

/// Hash of distances at points in and around the bounds.
static uint64_t hash_distances(const AbutShape* shape, AbutBox box, uint64_t hash)
{
    const float low[3] = { box.min.x, box.min.y, box.min.z }, high[3] = { box.max.x, box.max.y, box.max.z };
    const float at[GRID] = { -0.8125f, 0.0625f, 1.1875f }; // in half extents
    float points[3][SAMPLES], distances[SAMPLES];
    for (int axis = 0, stride = 1; axis < 3; ++axis, stride *= GRID)
    {
        float middle, half;
        span_of(low[axis], high[axis], &middle, &half);
        for (int i = 0; i < SAMPLES; ++i)
        {
            points[axis][i] = middle + half * at[i / stride % GRID];
        }
    }
    abut_shape_sample(shape, NULL, (AbutPoints){ points[0], points[1], points[2] }, SAMPLES,
                      (AbutSamples){ .distance = distances });
    for (int i = 0; i < SAMPLES; ++i)
    {
        distances[i] = isnan(distances[i]) ? NAN : distances[i]; // one NaN has many bits
    }
    return abut_hash(distances, sizeof(distances), hash);
}

uint64_t abut_body_identity(const AbutBody* body)
{
    AbutShapeInfo info = abut_shape_info(body->shape);
    AbutBox box = info.bounds;
    const uint32_t words[] = {
        (uint32_t)body->kind,     body->locked,
        (uint32_t)info.kind,      (uint32_t)info.distance_kind,
        body->never_sleeps,       body->points != NULL ? abut_points_info(body->points).count : 0,
        body->core_points != NULL
    };
    const float numbers[] = { box.min.x, box.min.y,      box.min.z,  box.max.x,   box.max.y,
                              box.max.z, info.lipschitz, info.error, body->scale, body->radius };
    uint64_t hash = abut_hash(words, sizeof(words), 0);
    hash = abut_hash(numbers, sizeof(numbers), hash);
    hash = abut_hash(&body->inverse_mass, sizeof(body->inverse_mass), hash);
    hash = abut_hash(&body->center, sizeof(body->center), hash);
    hash = abut_hash(&body->inertia, sizeof(body->inertia), hash);
    return hash_distances(body->shape, box, hash);
}

uint64_t abut_snapshot_identity(const AbutWorld* world)
{
    const AbutWorldDef* def = &world->def;
    const AbutSpeculativeSettings* speculative = &def->speculative;
    const float numbers[] = {
        def->gravity.x,
        def->gravity.y,
        def->gravity.z,
        def->sleep_speed,
        def->margin,
        def->contact_frequency,
        def->contact_damping_ratio,
        def->max_depenetration_speed,
        speculative->tolerance,
        speculative->margin,
        speculative->spacing,
        speculative->reuse,
    };
    const uint32_t words[] = { (uint32_t)def->response, def->substep_count, def->contacts_per_pair,
                               (uint32_t)speculative->method, speculative->budget };
    uint64_t hash = abut_hash(numbers, sizeof(numbers), 1);
    hash = abut_hash(words, sizeof(words), hash);
    hash = world->response->hash_settings != NULL ? world->response->hash_settings(def, hash) : hash;
    for (uint32_t i = 0; i < world->body_count; ++i)
    {
        const AbutBody* body = &world->bodies[i];
        const uint64_t own[2] = { body->generation, abut_body_is_alive(body) ? body->identity : 0 };
        hash = abut_hash(own, sizeof(own), hash);
    }
    return hash;
}

// -----------------------------------------------------------------------------------------------------------
// Values
// -----------------------------------------------------------------------------------------------------------

static bool is_within(AbutDVec3 v, double limit)
{
    return fabs(v.x) <= limit && fabs(v.y) <= limit && fabs(v.z) <= limit;
}

/// Valid bytes of bools.
static bool all_bools(const unsigned char* at, const size_t* offsets, size_t count)
{
    for (size_t i = 0; i < count; ++i)
    {
        if (at[offsets[i]] > 1)
        {
            return false;
        }
    }
    return true;
}

/// Bound of forces for the next step.
#define FORCE_LIMIT 1e300

/// Error of the length of a rotation.
#define ROTATION_SLACK 1e-3

static bool check_motion(const AbutBody* body, const unsigned char* at)
{
    AbutSnapshotMotion m;
    memcpy(&m, at, sizeof(m));
    if (!abut_body_is_alive(body))
    {
        return m.generation == body->generation;
    }
    double length = sqrt(abut_dquat_squared_length(m.rotation));
    return m.generation == body->generation && m.asleep <= 1 &&
           is_within(m.position, 2.0 * ABUT_POSITION_LIMIT) && fabs(length - 1.0) <= ROTATION_SLACK &&
           is_within(m.velocity, ABUT_SPEED_LIMIT) &&
           is_within(m.angular_velocity, 2.0 * ABUT_ANGULAR_SPEED_LIMIT) && is_within(m.force, FORCE_LIMIT) &&
           is_within(m.torque, FORCE_LIMIT) && m.sleep_time >= 0.0;
}

static bool check_point(const unsigned char* at)
{
    static const size_t bools[] = { offsetof(AbutManifoldPoint, on_b), offsetof(AbutManifoldPoint, is_plane),
                                    offsetof(AbutManifoldPoint, is_known),
                                    offsetof(AbutManifoldPoint, is_convex),
                                    offsetof(AbutManifoldPoint, faces) };
    if (!all_bools(at, bools, sizeof(bools) / sizeof(bools[0])))
    {
        return false;
    }
    AbutManifoldPoint p;
    memcpy(&p, at, sizeof(p));
    return is_within(p.normal, 1e3) && is_within(p.tangent[0], 1e3) && is_within(p.tangent[1], 1e3) &&
           is_within(p.r_a, FORCE_LIMIT) && is_within(p.r_b, FORCE_LIMIT) &&
           is_within(p.local_anchor_a, FORCE_LIMIT) && is_within(p.local_anchor_b, FORCE_LIMIT) &&
           is_within(p.field_normal, 1e3) && is_within(p.faced_normal, 1e3) && is_within(p.own_normal, 1e3) &&
           !isnan(p.height) && !isnan(p.erosion) && !isnan(p.curvature_radius) && isfinite(p.radius_a) &&
           isfinite(p.radius_b) && !isnan(p.gap) && isfinite(p.separation) && isfinite(p.normal_impulse) &&
           isfinite(p.tangent_impulse[0]) && isfinite(p.tangent_impulse[1]) && isfinite(p.total_impulse) &&
           isfinite(p.load);
}

static bool check_manifold(const AbutWorld* world, const unsigned char* at, uint64_t next,
                           uint64_t point_count)
{
    static const size_t bools[] = {
        offsetof(AbutManifold, recycled),   offsetof(AbutManifold, is_new),
        offsetof(AbutManifold, is_rolling), offsetof(AbutManifold, clearance_measured),
        offsetof(AbutManifold, is_convex),  offsetof(AbutManifold, was_separated),
        offsetof(AbutManifold, blocked),    offsetof(AbutManifold, is_tight),
        offsetof(AbutManifold, is_jammed),  offsetof(AbutManifold, solved),
        offsetof(AbutManifold, touching),   offsetof(AbutManifold, touched),
        offsetof(AbutManifold, bears_load),
    };
    if (!all_bools(at, bools, sizeof(bools) / sizeof(bools[0])))
    {
        return false;
    }
    AbutManifold m;
    memcpy(&m, at, sizeof(m));
    AbutDQuat q = m.relative_rotation;
    return m.a < m.b && m.b < world->body_count && m.first == next && m.count <= point_count - next &&
           m.count <= world->response->manifold_points && m.core_point_count <= ABUT_CORE_CONTACTS &&
           m.friction >= 0.0 && isfinite(m.friction) && m.restitution >= 0.0 && m.restitution <= 1.0 &&
           isfinite(m.impulse) && m.slide >= 0.0 && isfinite(m.sink) && !isnan(m.margin) &&
           !isnan(m.clearance) && !isnan(m.toi) && !isnan(m.allowed_motion) &&
           is_within(m.relative_position, FORCE_LIMIT) && is_within(abut_dvec3(q.x, q.y, q.z), 1e3) &&
           fabs(q.w) <= 1e3;
}

/// Whether manifolds are sorted, with valid bodies and consecutive points.
static bool check_contacts(const AbutWorld* world, const AbutSnapshotHeader* header, const unsigned char* at)
{
    uint64_t next = 0, last = 0;
    for (uint64_t i = 0; i < header->manifold_count; ++i, at += sizeof(AbutManifold))
    {
        if (!check_manifold(world, at, next, header->point_count))
        {
            return false;
        }
        AbutManifold m;
        memcpy(&m, at, sizeof(m));
        uint64_t key = (uint64_t)m.a << 32 | m.b;
        if (key <= last)
        {
            return false;
        }
        last = key;
        next += m.count;
    }
    for (uint64_t i = 0; i < header->point_count; ++i, at += sizeof(AbutManifoldPoint))
    {
        if (!check_point(at))
        {
            return false;
        }
    }
    return next == header->point_count;
}

// -----------------------------------------------------------------------------------------------------------
// Snapshot
// -----------------------------------------------------------------------------------------------------------

static AbutResult check_header(const AbutWorld* world, const unsigned char* data, size_t size,
                               AbutSnapshotHeader* header)
{
    const uint64_t most = UINT32_MAX;
    if (size < sizeof(*header))
    {
        return abut_fail(ABUT_INVALID_DATA, "world: %zu bytes are no snapshot", size);
    }
    memcpy(header, data, sizeof(*header));
    const size_t begin = offsetof(AbutSnapshotHeader, identity);
    if (header->tag != ABUT_SNAPSHOT_TAG || header->body_count > most || header->manifold_count > most ||
        header->point_count > most || header->response_size > size || size < abut_snapshot_size(header) ||
        abut_hash(data + begin, abut_snapshot_size(header) - begin, 0) != header->hash)
    {
        return abut_fail(ABUT_INVALID_DATA,
                         "world: the bytes are no snapshot, or not all of one, or have changed");
    }
    if (header->body_count != world->body_count || header->identity != abut_snapshot_identity(world))
    {
        return abut_fail(ABUT_INVALID_DATA,
                         "world: the snapshot is one of another world, or of other bodies than "
                         "it has now");
    }
    return ABUT_OK;
}

AbutResult abut_snapshot_check(const AbutWorld* world, const void* data, size_t size,
                               AbutSnapshotHeader* header)
{
    AbutResult result = check_header(world, data, size, header);
    if (result != ABUT_OK)
    {
        return result;
    }
    bool good = isfinite(header->time);
    const unsigned char* at = (const unsigned char*)data + sizeof(*header);
    for (uint32_t i = 0; good && i < world->body_count; ++i, at += sizeof(AbutSnapshotMotion))
    {
        good = check_motion(&world->bodies[i], at);
    }
    good = good && check_contacts(world, header, at);
    return good ? ABUT_OK
                : abut_fail(ABUT_INVALID_DATA, "world: the snapshot has numbers that no step leaves behind");
}

// Contacts that a choice has left out and that would close all the same. A choice that spreads wide does not know how bodies move: a nut is led by flanks a
// tenth of a millimetre away, on both sides, and the widest contacts are at the ends of its thread. So the pair is moved on by itself, with the contacts
// that were chosen, and as long as one that was left out closes, it takes the place of the one that is furthest from doing anything.
#include "dynamics/near.h"

#include "vec/double3.h"

#include <math.h>

enum
{
    SWEEPS = 8, // over the chosen contacts, for each exchange
    EXCHANGES = 24
};

/// The part of an overlap that is to go away in the step, and how far contacts may close that were left out, as a part of the margin at rest.
#define PUSH_PART 0.2
#define CLOSES_PART 0.02

/// How the two bodies move in the step: by these ways and turns.
typedef struct Motion
{
    double way_a[3], turn_a[3], way_b[3], turn_b[3];
} Motion;

static void free_motion(const AbutWorld* world, const AbutBody* body, double way[3], double turn[3])
{
    const AbutVec3 pull = world->def.gravity;
    const double g[3] = { pull.x, pull.y, pull.z };
    double t = world->seconds, n = world->substeps, late = t * t * (n + 1.0) / (2.0 * n);
    bool falls = abut_body_moves(body);
    for (int i = 0; i < 3; ++i)
    {
        double gain = falls && body->give[i] > 0.0 ? g[i] + body->give[i] * body->force[i] : 0.0;
        double twist = falls ? abut_dot(body->world_inverse[i], body->torque) : 0.0;
        way[i] = body->velocity[i] * t + gain * late;
        turn[i] = body->spin[i] * t + twist * late;
    }
}

static void make_row(const AbutBody* a, const AbutBody* b, const AbutPose* frame, const AbutContact* contact,
                     AbutContactChoice* row)
{
    AbutPosition at = abut_pose_to_outer(frame, contact->position);
    AbutVec3 normal = abut_quat_rotate(frame->rotation, contact->normal);
    const double place[3] = { at.x, at.y, at.z }, n[3] = { normal.x, normal.y, normal.z };
    double arm_a[3], arm_b[3], gap = (double)contact->separation * (double)frame->scale;
    for (int i = 0; i < 3; ++i)
    {
        row->normal[i] = n[i];
        arm_a[i] = place[i] - a->position[i];
        arm_b[i] = place[i] - b->position[i];
    }
    abut_cross(arm_a, n, row->lever_a);
    abut_cross(arm_b, n, row->lever_b);
    row->room = gap < 0.0 ? PUSH_PART * gap : gap;
    row->impulse = 0.0;
    row->is_new = false;
}

/// How far a contact is from closing after the motion.
static double slack(const AbutContactChoice* row, const Motion* m)
{
    double sum = row->room;
    for (int i = 0; i < 3; ++i)
    {
        sum += row->normal[i] * (m->way_a[i] - m->way_b[i]) + row->lever_a[i] * m->turn_a[i] -
               row->lever_b[i] * m->turn_b[i];
    }
    return sum;
}

static double mass_along(const AbutBody* a, const AbutBody* b, const AbutContactChoice* row)
{
    double sum = 0.0;
    for (int i = 0; i < 3; ++i)
    {
        sum += (a->give[i] + b->give[i]) * row->normal[i] * row->normal[i] +
               row->lever_a[i] * abut_dot(a->world_inverse[i], row->lever_a) +
               row->lever_b[i] * abut_dot(b->world_inverse[i], row->lever_b);
    }
    return sum > 0.0 ? 1.0 / sum : 0.0;
}

static void push(const AbutBody* a, const AbutBody* b, const AbutContactChoice* row, double size, Motion* m)
{
    for (int i = 0; i < 3; ++i)
    {
        m->way_a[i] += size * a->give[i] * row->normal[i];
        m->way_b[i] -= size * b->give[i] * row->normal[i];
        m->turn_a[i] += size * abut_dot(a->world_inverse[i], row->lever_a);
        m->turn_b[i] -= size * abut_dot(b->world_inverse[i], row->lever_b);
    }
}

static void settle(const AbutBody* a, const AbutBody* b, AbutContactChoice* rows, int kept, double enough,
                   Motion* m)
{
    double worst = INFINITY;
    for (int sweep = 0; sweep < SWEEPS && worst > enough; ++sweep)
    {
        worst = 0.0;
        for (int i = 0; i < kept; ++i)
        {
            double gap = slack(&rows[i], m);
            double total = fmax(rows[i].impulse - rows[i].mass * gap, 0.0);
            double change = total - rows[i].impulse;
            rows[i].impulse = total;
            push(a, b, &rows[i], change, m);
            worst = change != 0.0 ? fmax(worst, fabs(gap)) : worst;
        }
    }
}

/// The contact that closes most of those that were left out, or -1.
static int find_closing(const AbutContactChoice* rows, int kept, int count, double allowed, const Motion* m)
{
    int found = -1;
    double least = -allowed;
    for (int i = kept; i < count; ++i)
    {
        double gap = slack(&rows[i], m);
        if (gap < least)
        {
            least = gap;
            found = i;
        }
    }
    return found;
}

/// The chosen contact that has nothing to do and is furthest from it, or -1.
static int find_idle(const AbutContactChoice* rows, int kept, const Motion* m)
{
    int found = -1;
    double most = 0.0;
    for (int i = 0; i < kept; ++i)
    {
        double gap = rows[i].impulse == 0.0 && !rows[i].is_new ? slack(&rows[i], m) : -1.0;
        if (gap > most)
        {
            most = gap;
            found = i;
        }
    }
    return found;
}

void abut_contacts_mend(AbutWorld* world, const AbutBody* a, const AbutBody* b, const AbutPose* frame,
                        int count, int kept)
{
    AbutContactChoice* rows = world->choices;
    double allowed = CLOSES_PART * abut_pair_rest_margin(world, a, b);
    Motion motion;
    free_motion(world, a, motion.way_a, motion.turn_a);
    free_motion(world, b, motion.way_b, motion.turn_b);
    for (int i = 0; i < count; ++i)
    {
        make_row(a, b, frame, &world->contacts[i], &rows[i]);
    }
    for (int i = 0; i < kept; ++i)
    {
        rows[i].mass = mass_along(a, b, &rows[i]);
    }
    for (int turn = 0; turn < EXCHANGES; ++turn)
    {
        settle(a, b, rows, kept, 0.5 * allowed, &motion);
        int closing = find_closing(rows, kept, count, allowed, &motion);
        int idle = closing >= 0 ? find_idle(rows, kept, &motion) : -1;
        if (idle < 0)
        {
            break;
        }
        AbutContact contact = world->contacts[idle];
        AbutContactChoice row = rows[idle];
        world->contacts[idle] = world->contacts[closing];
        rows[idle] = rows[closing];
        world->contacts[closing] = contact;
        rows[closing] = row;
        rows[idle].is_new = true;
        rows[idle].mass = mass_along(a, b, &rows[idle]);
    }
}

/// Cosine of the angle between normals that push against each other.
#define AGAINST (-0.5)

bool abut_contacts_are_tight(const AbutContactPoint* points, uint32_t count, double reach)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        for (uint32_t k = 0; k < i && points[i].separation < reach; ++k)
        {
            if (points[k].separation < reach && abut_dot(points[i].normal, points[k].normal) < AGAINST)
            {
                return true;
            }
        }
    }
    return false;
}

// Contacts that a choice has left out and that would close all the same. A choice that spreads wide does not know how bodies move: a nut is led by flanks a
// tenth of a millimetre away, on both sides, and the widest contacts are at the ends of its thread. So the pair is moved on by itself, with the contacts
// that were chosen, and as long as one that was left out closes, it takes the place of the one that is furthest from doing anything.
#include "dynamics/contacts/contacts.h"

#include "math/dvec3.h"

#include <math.h>
#include <string.h>

enum
{
    SWEEPS = 8, // over the chosen contacts, for each exchange
    EXCHANGES = 24
};

/// The part of an overlap that is to go away in the step, and how far contacts may close that were left out, as a part of the margin at rest.
#define PUSH_PART 0.2
#define CLOSES_PART 0.02

/// How the two bodies move in the step.
typedef struct Motion
{
    AbutBodyWay a, b;
} Motion;

AbutBodyWay abut_body_free_way(const AbutWorld* world, const AbutBody* body)
{
    AbutBodyWay out;
    const AbutVec3 pull = world->def.gravity;
    const double g[3] = { pull.x, pull.y, pull.z };
    double t = world->seconds, n = world->substeps, late = t * t * (n + 1.0) / (2.0 * n);
    bool falls = abut_body_moves(body);
    for (int i = 0; i < 3; ++i)
    {
        double gain = falls && body->give[i] > 0.0 ? g[i] + body->give[i] * body->force[i] : 0.0;
        double twist = falls ? abut_dot(body->world_inverse[i], body->torque) : 0.0;
        out.move[i] = body->velocity[i] * t + gain * late;
        out.turn[i] = body->spin[i] * t + twist * late;
    }
    return out;
}

static void make_row(const AbutContactPoint* point, AbutContactChoice* row)
{
    memcpy(row->normal, point->normal, sizeof(row->normal));
    abut_cross(point->arm_a, point->normal, row->lever_a);
    abut_cross(point->arm_b, point->normal, row->lever_b);
    row->room = point->gap < 0.0 ? PUSH_PART * point->gap : point->gap;
    row->impulse = 0.0;
    row->is_new = false;
}

/// How far a contact is from closing after the motion.
static double slack(const AbutContactChoice* row, const Motion* m)
{
    double sum = row->room;
    for (int i = 0; i < 3; ++i)
    {
        sum += row->normal[i] * (m->a.move[i] - m->b.move[i]) + row->lever_a[i] * m->a.turn[i] -
               row->lever_b[i] * m->b.turn[i];
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
        m->a.move[i] += size * a->give[i] * row->normal[i];
        m->b.move[i] -= size * b->give[i] * row->normal[i];
        m->a.turn[i] += size * abut_dot(a->world_inverse[i], row->lever_a);
        m->b.turn[i] -= size * abut_dot(b->world_inverse[i], row->lever_b);
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

void abut_contacts_mend(const AbutWorld* world, const AbutBody* a, const AbutBody* b, AbutPairRoom* room,
                        int count, int kept)
{
    AbutContactChoice* rows = room->choices;
    AbutContactPoint* points = room->points;
    double allowed = CLOSES_PART * abut_pair_rest_margin(world, a, b);
    Motion motion = { abut_body_free_way(world, a), abut_body_free_way(world, b) };
    for (int i = 0; i < count; ++i)
    {
        make_row(&points[i], &rows[i]);
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
        AbutContactPoint point = points[idle];
        AbutContactChoice row = rows[idle];
        points[idle] = points[closing];
        rows[idle] = rows[closing];
        points[closing] = point;
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

/// The force of all impulses, and their torque about the middle of the contacts as a part of how far those are from it, at the sum of their sizes.
static double net_part(const AbutContactPoint* points, uint32_t count)
{
    double middle[3] = { 0.0, 0.0, 0.0 }, force[3] = { 0.0, 0.0, 0.0 }, torque[3] = { 0.0, 0.0, 0.0 };
    double sizes = 0.0, spread = 0.0;
    for (uint32_t i = 0; i < count; ++i)
    {
        for (int k = 0; k < 3; ++k)
        {
            middle[k] += points[i].arm_a[k] / (double)count;
        }
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        double arm[3], turn[3];
        abut_subtract(points[i].arm_a, middle, arm);
        abut_cross(arm, points[i].normal, turn);
        sizes += points[i].normal_impulse;
        spread = fmax(spread, abut_length(arm));
        for (int k = 0; k < 3; ++k)
        {
            force[k] += points[i].normal_impulse * points[i].normal[k];
            torque[k] += points[i].normal_impulse * turn[k];
        }
    }
    double net = abut_length(force) + (spread > 0.0 ? abut_length(torque) / spread : 0.0);
    return sizes > 0.0 ? fmin(net / sizes, 1.0) : 1.0;
}

// Contacts that push against each other may push ever harder. When one of them is gone in the next step, the other one would push alone.
void abut_contacts_ease(AbutContactPoint* points, uint32_t count)
{
    double part = net_part(points, count);
    for (uint32_t i = 0; i < count; ++i)
    {
        points[i].normal_impulse *= part;
        points[i].tangent_impulse[0] *= part;
        points[i].tangent_impulse[1] *= part;
    }
}

void abut_contacts_forget_load(AbutContactPoint* points, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        points[i].load = 0.0;
    }
}

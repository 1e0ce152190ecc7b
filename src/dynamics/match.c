// Which contact of this step takes over the impulse of which one of the last.
#include "dynamics/world.h"

#include "vec/double3.h"

#include <math.h>

/// Cosine of the angle by which a normal may differ and its contact still carry the same load.
#define SAME_WAY 0.9

static void take_over(const AbutContactPoint* old, AbutContactPoint* point)
{
    double slide[3];
    for (int k = 0; k < 3; ++k)
    {
        slide[k] =
            old->tangent_impulse[0] * old->tangent[0][k] + old->tangent_impulse[1] * old->tangent[1][k];
    }
    point->normal_impulse += old->normal_impulse;
    point->tangent_impulse[0] += abut_dot(slide, point->tangent[0]);
    point->tangent_impulse[1] += abut_dot(slide, point->tangent[1]);
}

static double squared_way(const double a[3], const double b[3])
{
    const double way[3] = { a[0] - b[0], a[1] - b[1], a[2] - b[2] };
    return abut_dot(way, way);
}

/// Nearest as seen from either body: contacts stay with one of two that slide. Of equals the one with the same id.
static AbutContactPoint* find_heir(AbutContactPoint* points, uint32_t count, const AbutContactPoint* old)
{
    AbutContactPoint* heir = NULL;
    double least = INFINITY;
    for (uint32_t i = 0; i < count; ++i)
    {
        double way =
            fmin(squared_way(points[i].local_a, old->local_a), squared_way(points[i].local_b, old->local_b));
        bool nearer = way < least || (way == least && points[i].id == old->id);
        if (nearer && abut_dot(points[i].normal, old->normal) > SAME_WAY)
        {
            least = way;
            heir = &points[i];
        }
    }
    return heir;
}

// Ids would not do: where cells meet, a contact that carries a body has now the id of one and now that of another, and the id that it
// had goes to a neighbour that carries nothing.
void abut_contacts_take_over(const AbutContactPoint* old, uint32_t old_count, AbutContactPoint* points,
                             uint32_t count)
{
    for (uint32_t i = 0; i < old_count; ++i)
    {
        AbutContactPoint* heir = old[i].normal_impulse > 0.0 ? find_heir(points, count, &old[i]) : NULL;
        if (heir != NULL)
        {
            take_over(&old[i], heir);
        }
    }
}

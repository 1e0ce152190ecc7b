#include "hull/simplex.h"

static void keep_better(AbutSimplexChoice* best, AbutSimplexChoice choice)
{
    if (abut_dvec3_squared_length(choice.point) < abut_dvec3_squared_length(best->point))
    {
        *best = choice;
    }
}

AbutSimplexChoice abut_simplex_closest_of_all(const AbutDVec3* p, uint32_t count)
{
    AbutSimplexChoice best = abut_simplex_vertex(p, 0);
    for (uint32_t i = 0; i < count; ++i)
    {
        keep_better(&best, abut_simplex_vertex(p, i));
        for (uint32_t j = i + 1; j < count; ++j)
        {
            keep_better(&best, abut_simplex_segment(p, i, j));
            for (uint32_t k = j + 1; k < count; ++k)
            {
                keep_better(&best, abut_simplex_triangle(p, i, j, k));
            }
        }
    }
    return best;
}

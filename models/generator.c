#include "generator.h"

AbutResult abut_generate_check(const char* generator, const AbutArgument* arguments, size_t count)
{
    for (size_t i = 0; i < count; ++i)
    {
        const AbutArgument* argument = &arguments[i];
        bool fits = argument->value >= argument->low &&
                    (argument->open ? argument->value < argument->high : argument->value <= argument->high);
        if (!fits)
        {
            return abut_fail(ABUT_INVALID_ARGUMENT, "%s: %s is %.9g, must be in [%.9g, %.9g%c", generator,
                             argument->name, argument->value, argument->low, argument->high,
                             argument->open ? ')' : ']');
        }
    }
    return ABUT_OK;
}

AbutDirection abut_generate_direction(uint64_t index, uint64_t count)
{
    uint64_t quarter = index * 4 / count;
    uint64_t remainder = index * 4 - quarter * count;
    // Both halves of a quarter are computed from the nearer axis, so that they mirror each other.
    bool closer_to_next = remainder * 2 > count;
    double angle = 0.5 * ABUT_PI * (double)(closer_to_next ? count - remainder : remainder) / (double)count;
    double along = closer_to_next ? sin(angle) : cos(angle);
    double across = closer_to_next ? cos(angle) : sin(angle);
    switch (quarter % 4)
    {
    case 0:
        return (AbutDirection){ along, across };
    case 1:
        return (AbutDirection){ -across, along };
    case 2:
        return (AbutDirection){ -along, -across };
    default:
        return (AbutDirection){ across, -along };
    }
}

double (*abut_generate_circle(AbutModelArena* arena, uint32_t count))[2]
{
    double(*circle)[2] = abut_model_arena_allocate(arena, count, sizeof(*circle));
    for (uint32_t j = 0; circle != NULL && j < count; ++j)
    {
        AbutDirection direction = abut_generate_direction(j, count);
        circle[j][0] = direction.cos;
        circle[j][1] = direction.sin;
    }
    return circle;
}

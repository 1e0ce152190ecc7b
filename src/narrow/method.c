// The table of narrow-phase methods.
#include "narrow/method.h"

static const AbutNarrowMethod* const methods[] = {
    [ABUT_COLLIDE_ADAPTIVE] = &abut_narrow_adaptive,
    [ABUT_COLLIDE_PARTICLES] = &abut_narrow_particles,
};
_Static_assert(sizeof(methods) / sizeof(methods[0]) == ABUT_COLLIDE_METHOD_COUNT, "a method has no row");

const AbutNarrowMethod* abut_narrow_method(AbutCollideMethod method)
{
    return (unsigned)method < ABUT_COLLIDE_METHOD_COUNT ? methods[method] : NULL;
}

const char* abut_collide_method_name(AbutCollideMethod method)
{
    const AbutNarrowMethod* row = abut_narrow_method(method);
    return row != NULL ? row->name : "unknown method";
}

// ODE: primitives by dCollide().
#include "primitive_peers.h"

#include <ode/ode.h>

namespace
{

constexpr int MOST_CONTACTS = 16;

dGeomID make_geometry(const BenchPrimitive& primitive)
{
    const double* size = primitive.size;
    return primitive.kind == BENCH_SPHERE    ? dCreateSphere(nullptr, size[0])
           : primitive.kind == BENCH_CAPSULE ? dCreateCapsule(nullptr, size[0], size[1])
                                             : dCreateBox(nullptr, size[0], size[1], size[2]);
}

/// Capsules of ODE are along z: a quarter rotation about x first.
void set_rotation(dGeomID geometry, bool capsule, dReal x, dReal y, dReal z, dReal w)
{
    const dQuaternion body = { w, x, y, z }, upright = { M_SQRT1_2, -M_SQRT1_2, 0, 0 };
    dQuaternion both;
    dQMultiply0(both, body, upright);
    dGeomSetQuaternion(geometry, capsule ? both : body);
}

struct Pair
{
    BenchPrimitive primitives[2];
    dGeomID geometries[2];

    Pair(const BenchPrimitive& a, const BenchPrimitive& b) : primitives{ a, b }
    {
        dInitODE2(0);
        geometries[0] = make_geometry(a);
        geometries[1] = make_geometry(b);
        set_rotation(geometries[0], a.kind == BENCH_CAPSULE, 0, 0, 0, 1);
    }

    ~Pair()
    {
        dGeomDestroy(geometries[0]);
        dGeomDestroy(geometries[1]);
        dCloseODE();
    }
};

void* create(const BenchPrimitive* a, const BenchPrimitive* b)
{
    return new Pair(*a, *b);
}

void destroy(void* peer)
{
    delete static_cast<Pair*>(peer);
}

int collide(void* peer, const AbutPose* pose)
{
    Pair& pair = *static_cast<Pair*>(peer);
    dContactGeom contacts[MOST_CONTACTS];
    set_rotation(pair.geometries[1], pair.primitives[1].kind == BENCH_CAPSULE, pose->rotation.x,
                 pose->rotation.y, pose->rotation.z, pose->rotation.w);
    dGeomSetPosition(pair.geometries[1], pose->position.x, pose->position.y, pose->position.z);
    return dCollide(pair.geometries[0], pair.geometries[1], MOST_CONTACTS, contacts, sizeof(contacts[0]));
}

} // namespace

extern "C" const BenchPrimitivePeer bench_primitive_ode = { "ODE", create, destroy, collide };

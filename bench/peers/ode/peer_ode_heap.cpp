// ODE: boxes, capsules and convex hulls that fall on a plane.
#include "heap_cases.h"

#include <cmath>
#include <cstdarg>
#include <ode/ode.h>
#include <vector>

namespace
{

constexpr int MOST_CONTACTS = 8; // per pair

void ignore_message(int, const char*, va_list)
{
}

struct Heap
{
    dWorldID world;
    dSpaceID space;
    dJointGroupID joints;
    std::vector<dReal> planes, points; // of the hull, as dCreateConvex() reads them
    std::vector<unsigned> polygons;
    std::vector<dBodyID> bodies;
    dContact contacts[MOST_CONTACTS];
};

void touch(void* pointer, dGeomID a, dGeomID b)
{
    Heap* heap = static_cast<Heap*>(pointer);
    int count = dCollide(a, b, MOST_CONTACTS, &heap->contacts[0].geom, sizeof(dContact));
    for (int i = 0; i < count; ++i)
    {
        dContact& contact = heap->contacts[i];
        contact.surface.mode = dContactApprox1;
        contact.surface.mu = HEAP_FRICTION;
        dJointAttach(dJointCreateContact(heap->world, heap->joints, &contact), dGeomGetBody(a),
                     dGeomGetBody(b));
    }
}

void make_hull(const HeapForms* forms, Heap* heap)
{
    for (const AbutVec3& p : forms->points)
    {
        heap->points.insert(heap->points.end(), { p.x, p.y, p.z });
    }
    for (const auto& face : forms->faces)
    {
        AbutVec3 a = forms->points[face[0]];
        AbutVec3 normal = abut_vec3_cross(abut_vec3_sub(forms->points[face[1]], a),
                                          abut_vec3_sub(forms->points[face[2]], a));
        normal = abut_vec3_scale(normal, 1.0f / abut_vec3_length(normal));
        heap->planes.insert(heap->planes.end(), { normal.x, normal.y, normal.z, abut_vec3_dot(normal, a) });
        heap->polygons.insert(heap->polygons.end(), { 3, face[0], face[1], face[2] });
    }
}

dGeomID make_geometry(const HeapForms* forms, Heap* heap, HeapKind kind)
{
    switch (kind)
    {
    case HEAP_BOX:
        return dCreateBox(heap->space, forms->box.x, forms->box.y, forms->box.z);
    case HEAP_CAPSULE:
        return dCreateCapsule(heap->space, forms->radius, forms->length);
    default:
        return dCreateConvex(heap->space, heap->planes.data(), HEAP_HULL_FACES, heap->points.data(),
                             HEAP_HULL_POINTS, heap->polygons.data());
    }
}

void add(const HeapForms* forms, Heap* heap, HeapKind kind, const AbutPose& pose)
{
    dBodyID body = dBodyCreate(heap->world);
    dGeomID geometry = make_geometry(forms, heap, kind);
    const AbutMassData& mass = forms->mass[kind];
    dMass weight;
    dMassSetParameters(&weight, HEAP_DENSITY * mass.volume, 0.0, 0.0, 0.0, HEAP_DENSITY * mass.inertia[0][0],
                       HEAP_DENSITY * mass.inertia[1][1], HEAP_DENSITY * mass.inertia[2][2],
                       HEAP_DENSITY * mass.inertia[0][1], HEAP_DENSITY * mass.inertia[0][2],
                       HEAP_DENSITY * mass.inertia[1][2]);
    dBodySetMass(body, &weight);
    dGeomSetBody(geometry, body);
    if (kind == HEAP_CAPSULE) // along z there, along y here
    {
        const dQuaternion upright = { std::sqrt(0.5), -std::sqrt(0.5), 0.0, 0.0 };
        dGeomSetOffsetQuaternion(geometry, upright);
    }
    dBodySetPosition(body, pose.position.x, pose.position.y, pose.position.z);
    const dQuaternion rotation = { pose.rotation.w, pose.rotation.x, pose.rotation.y, pose.rotation.z };
    dBodySetQuaternion(body, rotation);
    heap->bodies.push_back(body);
}

void* create(const HeapForms* forms, const AbutPose* poses, uint32_t count)
{
    Heap* heap = new Heap;
    dInitODE2(0);
    dSetMessageHandler(ignore_message);
    heap->world = dWorldCreate();
    heap->space = dHashSpaceCreate(nullptr);
    heap->joints = dJointGroupCreate(0);
    dWorldSetGravity(heap->world, 0.0, -9.81, 0.0);
    dWorldSetAutoDisableFlag(heap->world, 1);
    dCreatePlane(heap->space, 0.0, 1.0, 0.0, 0.0);
    make_hull(forms, heap);
    for (uint32_t i = 0; i < count; ++i)
    {
        add(forms, heap, heap_kind_of(i), poses[i]);
    }
    return heap;
}

void destroy(void* pointer)
{
    Heap* heap = static_cast<Heap*>(pointer);
    dJointGroupDestroy(heap->joints);
    dSpaceDestroy(heap->space);
    dWorldDestroy(heap->world);
    dCloseODE();
    delete heap;
}

void step(void* pointer, double seconds)
{
    Heap* heap = static_cast<Heap*>(pointer);
    dSpaceCollide(heap->space, heap, touch);
    dWorldQuickStep(heap->world, seconds);
    dJointGroupEmpty(heap->joints);
}

void poses(void* pointer, AbutPose* out)
{
    Heap* heap = static_cast<Heap*>(pointer);
    for (size_t i = 0; i < heap->bodies.size(); ++i)
    {
        const dReal* at = dBodyGetPosition(heap->bodies[i]);
        const dReal* rotation = dBodyGetQuaternion(heap->bodies[i]);
        out[i] = abut_pose_at(at[0], at[1], at[2]);
        AbutQuat q = { static_cast<float>(rotation[1]), static_cast<float>(rotation[2]),
                       static_cast<float>(rotation[3]), static_cast<float>(rotation[0]) };
        out[i].rotation = abut_quat_normalize(q);
    }
}

} // namespace

extern "C" const HeapPeer heap_ode = { "ODE", create, destroy, step, poses };

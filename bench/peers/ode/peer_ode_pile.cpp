// ODE: many triangle meshes that fall on a plane.
#include "pile_peers.h"

#include <cstdarg>
#include <ode/ode.h>
#include <vector>

namespace
{

constexpr int MOST_CONTACTS = 64; // per pair

void ignore_message(int, const char*, va_list)
{
}

struct Pile
{
    dWorldID world;
    dSpaceID space;
    dJointGroupID joints;
    dTriMeshDataID data;
    std::vector<dReal> vertices;
    std::vector<dTriIndex> indices;
    std::vector<dBodyID> bodies;
    std::vector<dContact> contacts = std::vector<dContact>(MOST_CONTACTS);
    double friction;
};

void touch(void* pointer, dGeomID a, dGeomID b)
{
    Pile* pile = static_cast<Pile*>(pointer);
    int count = dCollide(a, b, MOST_CONTACTS, &pile->contacts[0].geom, sizeof(dContact));
    for (int i = 0; i < count; ++i)
    {
        dContact& contact = pile->contacts[static_cast<size_t>(i)];
        contact.surface.mode = dContactApprox1;
        contact.surface.mu = pile->friction;
        dJointAttach(dJointCreateContact(pile->world, pile->joints, &contact), dGeomGetBody(a),
                     dGeomGetBody(b));
    }
}

void load(const AbutMesh* mesh, Pile* pile)
{
    const AbutVec3* v = abut_mesh_vertices(mesh);
    const uint32_t* corners = abut_mesh_indices(mesh);
    for (size_t i = 0; i < abut_mesh_vertex_count(mesh); ++i)
    {
        pile->vertices.insert(pile->vertices.end(), { v[i].x, v[i].y, v[i].z, 0.0 });
    }
    pile->indices.assign(corners, corners + 3 * static_cast<size_t>(abut_mesh_triangle_count(mesh)));
    pile->data = dGeomTriMeshDataCreate();
    dGeomTriMeshDataBuildSimple(pile->data, pile->vertices.data(),
                                static_cast<int>(pile->vertices.size() / 4), pile->indices.data(),
                                static_cast<int>(pile->indices.size()));
}

void add(Pile* pile, const AbutMassData& mass, const AbutPose& pose)
{
    dBodyID body = dBodyCreate(pile->world);
    dGeomID geometry = dCreateTriMesh(pile->space, pile->data, nullptr, nullptr, nullptr);
    const double(*inertia)[3] = mass.inertia;
    const double density = 1000.0;
    dMass weight;
    dMassSetParameters(&weight, density * mass.volume, 0.0, 0.0, 0.0, density * inertia[0][0],
                       density * inertia[1][1], density * inertia[2][2], density * inertia[0][1],
                       density * inertia[0][2], density * inertia[1][2]);
    dBodySetMass(body, &weight);
    dGeomSetBody(geometry, body);
    dBodySetPosition(body, pose.position.x, pose.position.y, pose.position.z);
    const dQuaternion rotation = { pose.rotation.w, pose.rotation.x, pose.rotation.y, pose.rotation.z };
    dBodySetQuaternion(body, rotation);
    pile->bodies.push_back(body);
}

void* create(const AbutMesh* mesh, const AbutPose* poses, uint32_t count, double friction)
{
    Pile* pile = new Pile;
    dInitODE2(0);
    dSetMessageHandler(ignore_message);
    pile->world = dWorldCreate();
    pile->space = dHashSpaceCreate(nullptr);
    pile->joints = dJointGroupCreate(0);
    pile->friction = friction;
    dWorldSetGravity(pile->world, 0.0, -9.81, 0.0);
    dWorldSetAutoDisableFlag(pile->world, 1);
    dCreatePlane(pile->space, 0.0, 1.0, 0.0, 0.0);
    load(mesh, pile);
    AbutMassData mass = abut_mesh_mass(mesh);
    for (uint32_t i = 0; i < count; ++i)
    {
        add(pile, mass, poses[i]);
    }
    return pile;
}

void destroy(void* pointer)
{
    Pile* pile = static_cast<Pile*>(pointer);
    dJointGroupDestroy(pile->joints);
    dSpaceDestroy(pile->space);
    dWorldDestroy(pile->world);
    dGeomTriMeshDataDestroy(pile->data);
    dCloseODE();
    delete pile;
}

void step(void* pointer, double seconds)
{
    Pile* pile = static_cast<Pile*>(pointer);
    dSpaceCollide(pile->space, pile, touch);
    dWorldQuickStep(pile->world, seconds);
    dJointGroupEmpty(pile->joints);
}

void poses(void* pointer, AbutPose* out)
{
    Pile* pile = static_cast<Pile*>(pointer);
    for (size_t i = 0; i < pile->bodies.size(); ++i)
    {
        const dReal* at = dBodyGetPosition(pile->bodies[i]);
        const dReal* rotation = dBodyGetQuaternion(pile->bodies[i]);
        out[i] = abut_pose_at(at[0], at[1], at[2]);
        AbutQuat q = { static_cast<float>(rotation[1]), static_cast<float>(rotation[2]),
                       static_cast<float>(rotation[3]), static_cast<float>(rotation[0]) };
        out[i].rotation = abut_quat_normalize(q);
    }
}

} // namespace

extern "C" const BenchPilePeer bench_pile_ode = { "ODE", create, destroy, step, poses };

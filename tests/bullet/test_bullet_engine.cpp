// What a program of Bullet relies on: callbacks, filters, materials, messages, and everything that is not
// abut's as it was.
#include "bullet_test.hpp"

#include <LinearMath/btSerializer.h>
#include <cmath>
#include <cstring>

namespace
{

// -----------------------------------------------------------------------------------------------------------
// Callbacks
// -----------------------------------------------------------------------------------------------------------

struct Calls
{
    int added, processed, destroyed, started, ended;
};
Calls calls;
int payload;

bool on_added(btManifoldPoint& point, const btCollisionObjectWrapper* a, int, int,
              const btCollisionObjectWrapper* b, int, int)
{
    ++calls.added;
    assert_true(a->getCollisionObject() != b->getCollisionObject());
    point.m_combinedFriction = real(0.123);
    if (point.m_userPersistentData == nullptr)
    {
        point.m_userPersistentData = &payload;
    }
    return true;
}

bool on_processed(btManifoldPoint& point, void*, void*)
{
    ++calls.processed;
    test_assert_near(point.m_combinedFriction, 0.123, 1e-6);
    return true;
}

bool on_destroyed(void* data)
{
    ++calls.destroyed;
    assert_ptr_equal(data, &payload);
    return true;
}

void on_started(btPersistentManifold* const&)
{
    ++calls.started;
}

void on_ended(btPersistentManifold* const&)
{
    ++calls.ended;
}

void set_callbacks(bool on)
{
    gContactAddedCallback = on ? on_added : nullptr;
    gContactProcessedCallback = on ? on_processed : nullptr;
    gContactDestroyedCallback = on ? on_destroyed : nullptr;
    gContactStartedCallback = on ? on_started : nullptr;
    gContactEndedCallback = on ? on_ended : nullptr;
}

/// A box comes to rest and is taken away: one start, one end, a refresh of every point in every step, and the
/// user's data of each point destroyed once.
void test_callbacks_are_called_as_by_bullet(void**)
{
    ShapePointer box = make_box(abut_vec3(1, 1, 1)), field = make_field(box.get(), 24);
    abut::bullet::Shape shape(field.get());
    btStaticPlaneShape ground(btVector3(0, 1, 0), 0);
    BulletWorld w;
    w.add(&ground, 0, frame_at(0, 0, 0));
    btRigidBody* body = w.add(&shape, 1, frame_at(0, 0.502, 0));
    body->setActivationState(DISABLE_DEACTIVATION);
    body->setCollisionFlags(body->getCollisionFlags() | btCollisionObject::CF_CUSTOM_MATERIAL_CALLBACK);
    calls = {};
    set_callbacks(true);
    w.step(30);
    assert_int_equal(calls.started, 1);
    assert_int_equal(calls.ended, 0);
    assert_true(calls.processed >= 29 * 4);
    assert_true(calls.added >= 4);
    body->setWorldTransform(frame_at(0, 1.52, 0)); // boxes still touch the plane's
    body->setInterpolationWorldTransform(frame_at(0, 1.52, 0));
    body->setLinearVelocity(btVector3(0, 0, 0));
    w.step(1);
    assert_int_equal(calls.ended, 1);
    assert_true(calls.destroyed >= 4);
    set_callbacks(false);
}

/// Points of other ids that take over a manifold are no end of the contact.
void test_sliding_contacts_do_not_end(void**)
{
    ShapePointer torus = make_torus(0.4f, 0.2f), field = make_field(torus.get(), 40);
    abut::bullet::Shape ring(field.get());
    btBoxShape ground(btVector3(50, 1, 50));
    BulletWorld w;
    w.add(&ground, 0, frame_at(0, -1, 0))->setFriction(real(0.1));
    btRigidBody* body = w.add(&ring, 1, frame_at(0, 0.2, 0));
    body->setLinearVelocity(btVector3(3, 0, 0));
    body->setFriction(real(0.1));
    calls = {};
    gContactStartedCallback = on_started;
    gContactEndedCallback = on_ended;
    w.step(60);
    set_callbacks(false);
    assert_true(body->getWorldTransform().getOrigin().x() > 1);
    assert_int_equal(calls.started, 1);
    assert_int_equal(calls.ended, 0);
}

// -----------------------------------------------------------------------------------------------------------
// Filters and materials
// -----------------------------------------------------------------------------------------------------------

void test_filters_and_sensors_are_respected(void**)
{
    ShapePointer sphere = make_sphere(0.5f);
    abut::bullet::Shape ball(sphere.get());
    btBoxShape floor(btVector3(5, 1, 5));
    BulletWorld w;
    w.add(&floor, 0, frame_at(0, -1, 0));
    btRigidBody* ghost = w.add(&ball, 1, frame_at(0, 0.5, 0));
    w.world.removeRigidBody(ghost);
    w.world.addRigidBody(ghost, 64, 64); // nobody is in this group
    btRigidBody* sensor = w.add(&ball, 1, frame_at(3, 0.5, 0));
    sensor->setCollisionFlags(sensor->getCollisionFlags() | btCollisionObject::CF_NO_CONTACT_RESPONSE);
    btRigidBody* solid = w.add(&ball, 1, frame_at(-3, 0.5, 0));
    w.step(60);
    assert_true(ghost->getWorldTransform().getOrigin().y() < -2);
    assert_true(sensor->getWorldTransform().getOrigin().y() < -2);
    test_assert_near(solid->getWorldTransform().getOrigin().y(), 0.5, 0.01);
}

/// A block slides v²/(2 μ g), and a bouncy ball comes back to e² of its height.
void test_friction_and_restitution_are_those_of_the_bodies(void**)
{
    ShapePointer box = make_box(abut_vec3(1, 0.2f, 1)), sphere = make_sphere(0.5f);
    abut::bullet::Shape block(box.get()), ball(sphere.get());
    btStaticPlaneShape ground(btVector3(0, 1, 0), 0);
    BulletWorld w;
    w.add(&ground, 0, frame_at(0, 0, 0))->setFriction(1);
    w.bodies[0]->setRestitution(1);
    btRigidBody* sliding = w.add(&block, 1, frame_at(0, 0.1, 0));
    sliding->setFriction(real(0.4));
    sliding->setLinearVelocity(btVector3(3, 0, 0));
    w.step(120);
    test_assert_near(sliding->getWorldTransform().getOrigin().x(), 9 / (2 * 0.4 * 9.81), 0.05);
    btRigidBody* bouncing = w.add(&ball, 1, frame_at(5, 2.5, 0));
    bouncing->setRestitution(real(0.7));
    double top = 0;
    bool falls = true;
    for (int i = 0; i < 480; ++i)
    {
        w.step(1, 1.0 / 240);
        falls = falls && bouncing->getLinearVelocity().y() <= 0;
        top = falls ? 0 : std::fmax(top, static_cast<double>(bouncing->getWorldTransform().getOrigin().y()));
    }
    test_assert_near(top, 0.5 + 2 * 0.49, 0.1);
}

// -----------------------------------------------------------------------------------------------------------
// Messages
// -----------------------------------------------------------------------------------------------------------

void test_scales_and_files_that_do_not_work_are_refused(void**)
{
    Messages messages;
    ShapePointer sphere = make_sphere(0.5f);
    abut::bullet::Shape ball(sphere.get());
    ball.setLocalScaling(btVector3(1, 2, 1));
    assert_non_null(std::strstr(messages.text.c_str(), "one positive factor"));
    test_assert_near(ball.getLocalScaling().y(), 1, 0);
    ball.setMargin(-1);
    assert_non_null(std::strstr(messages.text.c_str(), "margin"));
    messages.text.clear();
    BulletWorld w;
    w.add(&ball, 1, frame_at(0, 0, 0));
    btDefaultSerializer serializer;
    w.world.serialize(&serializer);
    assert_non_null(std::strstr(messages.text.c_str(), "not serialised"));
    messages.text.clear();
    AbutShape* plane = nullptr;
    test_assert_result(abut_shape_create_plane(abut_vec3(0, 1, 0), 0, nullptr, &plane), ABUT_OK);
    ShapePointer owner = owned(plane);
    abut::bullet::Shape infinite(plane);
    btVector3 inertia;
    infinite.calculateLocalInertia(1, inertia);
    assert_non_null(std::strstr(messages.text.c_str(), "no inertia"));
}

/// Said once in the life of a process: this test comes first.
void test_a_forgotten_registration_is_said(void**)
{
    Messages messages;
    ShapePointer sphere = make_sphere(0.5f);
    abut::bullet::Shape ball(sphere.get());
    btBoxShape floor(btVector3(5, 1, 5));
    BulletWorld w(false);
    w.add(&floor, 0, frame_at(0, -1, 0));
    w.add(&ball, 1, frame_at(0, 0.49, 0));
    w.step(1);
    assert_non_null(std::strstr(messages.text.c_str(), "register_algorithms"));
}

// -----------------------------------------------------------------------------------------------------------
// Bullet's own shapes
// -----------------------------------------------------------------------------------------------------------

/// Boxes, balls, hulls, compounds and a chain of hinges fall on boxes, a plane and triangles.
uint64_t run_bullet_alone(bool registers)
{
    btBoxShape box(btVector3(real(0.3), real(0.2), real(0.25)));
    btSphereShape ball(real(0.3));
    btCapsuleShape limb(real(0.1), real(0.4));
    btConvexHullShape hull;
    for (int i = 0; i < 12; ++i)
    {
        hull.addPoint(btVector3(real(0.3 * (i % 2)), real(0.1 * (i % 3)), real(0.07 * i - 0.3)));
    }
    btCompoundShape compound;
    compound.addChildShape(frame_at(0.3, 0, 0), &box);
    compound.addChildShape(frame_at(-0.3, 0, 0), &ball);
    btTriangleMesh triangles;
    triangles.addTriangle(btVector3(-9, 0, -9), btVector3(0, 0, 9), btVector3(9, 0, -9));
    btBvhTriangleMeshShape mesh(&triangles, true);
    btStaticPlaneShape ground(btVector3(0, 1, 0), real(-0.1));
    btCollisionShape* const shapes[5] = { &box, &ball, &hull, &compound, &limb };
    BulletWorld w(registers);
    w.add(&mesh, 0, frame_at(0, 0, 0));
    w.add(&ground, 0, frame_at(0, 0, 0));
    TestRandom random = { 7 };
    for (int i = 0; i < 30; ++i)
    {
        btTransform at = random_frame(&random, 0.5);
        at.getOrigin() += btVector3(0, real(1 + 0.5 * i), 0);
        w.add(shapes[i % 5], 1, at);
    }
    std::vector<std::unique_ptr<btTypedConstraint>> joints;
    for (int i = 0; i < 6; ++i) // limbs of a ragdoll
    {
        w.add(&limb, 1, frame_at(2, 1 + 0.7 * i, 0));
        if (i > 0)
        {
            joints.push_back(std::make_unique<btConeTwistConstraint>(*w.bodies[w.bodies.size() - 2],
                                                                     *w.bodies.back(), frame_at(0, 0.35, 0),
                                                                     frame_at(0, -0.35, 0)));
            w.world.addConstraint(joints.back().get(), true);
        }
    }
    w.step(TEST_IS_SANITIZED ? 120 : 600);
    uint64_t hash = w.hash();
    for (auto& joint : joints)
    {
        w.world.removeConstraint(joint.get());
    }
    return hash;
}

void test_pairs_of_bullet_are_unchanged(void**)
{
    assert_true(run_bullet_alone(false) == run_bullet_alone(true));
}

} // namespace

int main()
{
    const CMUnitTest tests[] = {
        cmocka_unit_test(test_a_forgotten_registration_is_said),
        cmocka_unit_test(test_callbacks_are_called_as_by_bullet),
        cmocka_unit_test(test_sliding_contacts_do_not_end),
        cmocka_unit_test(test_filters_and_sensors_are_respected),
        cmocka_unit_test(test_friction_and_restitution_are_those_of_the_bodies),
        cmocka_unit_test(test_scales_and_files_that_do_not_work_are_refused),
        cmocka_unit_test(test_pairs_of_bullet_are_unchanged),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}

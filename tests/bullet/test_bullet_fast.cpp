// Fast bodies against thin walls, and worlds on several threads that share their shapes.
#include "bullet_test.hpp"

#include <cmath>
#include <thread>

namespace
{

/// A ring is thrown at a plate of 0.01 by `lengths` of its own per step, turning: it ends on its side.
bool is_stopped(abut::bullet::Shape* ring, btCollisionShape* plate, double lengths, TestRandom* random)
{
    BulletWorld w;
    abut::bullet::Continuous continuous;
    w.world.addAction(&continuous);
    w.world.setGravity(btVector3(0, 0, 0));
    w.add(plate, 0, frame_at(0, 0, 0));
    btTransform at = random_frame(random, 0.2);
    at.getOrigin().setY(real(test_random_range(random, 1.0, 4.0)));
    btRigidBody* body = w.add(ring, 1, at);
    body->setActivationState(DISABLE_DEACTIVATION);
    AbutVec3 sideways = test_random_vector(random, 0.0, 0.2), angular = test_random_vector(random, 0.0, 20.0);
    body->setLinearVelocity(btVector3(real(sideways.x), -1, real(sideways.z)) * real(lengths * 60));
    body->setAngularVelocity(btVector3(real(angular.x), real(angular.y), real(angular.z)));
    bool passed = false;
    for (int i = 0; i < 30 && !passed; ++i)
    {
        w.step(1);
        passed = body->getWorldTransform().getOrigin().y() < 0;
    }
    w.world.removeAction(&continuous);
    return !passed;
}

/// A field of a body, a head and two ears, about 1 long.
ShapePointer make_bunny()
{
    const struct
    {
        float radius;
        double x, y, z;
    } balls[] = {
        { 0.28f, 0, 0, 0 }, { 0.18f, 0.25, 0.2, 0 }, { 0.07f, 0.3, 0.42, 0.08 }, { 0.07f, 0.3, 0.42, -0.08 }
    };
    ShapePointer solid = make_sphere(balls[0].radius);
    for (int i = 1; i < 4; ++i)
    {
        ShapePointer ball = make_sphere(balls[i].radius);
        AbutPose pose = abut_pose_at(balls[i].x, balls[i].y, balls[i].z);
        AbutShape *placed = nullptr, *both = nullptr;
        test_assert_result(abut_shape_create_transformed(ball.get(), &pose, nullptr, &placed), ABUT_OK);
        test_assert_result(abut_shape_create_smooth_union(solid.get(), placed, 0.1f, nullptr, &both),
                           ABUT_OK);
        abut_shape_destroy(placed);
        solid = owned(both);
    }
    return make_field(solid.get(), 48);
}

void test_no_bunny_passes_a_thin_plate(void**)
{
    ShapePointer bunny = make_bunny(), flat = make_box(abut_vec3(60, 0.01f, 60));
    abut::bullet::Shape body(bunny.get()), plate(flat.get());
    TestRandom random = { 19 };
    for (double lengths : { 0.5, 1.0, 2.0, 5.0, 10.0 })
    {
        int passed = 0, rounds = test_heavy_count(16);
        for (int i = 0; i < rounds; ++i)
        {
            passed += is_stopped(&body, &plate, lengths, &random) ? 0 : 1;
        }
        if (passed > 0)
        {
            fail_msg("%d of %d pass at %g lengths per step", passed, rounds, lengths);
        }
    }
}

void test_no_body_passes_a_thin_plate(void**)
{
    ShapePointer torus = make_torus(0.35f, 0.15f), field = make_field(torus.get(), 40);
    ShapePointer flat = make_box(abut_vec3(60, 0.01f, 60));
    abut::bullet::Shape ring(field.get()), plate(flat.get());
    btBoxShape box(btVector3(30, real(0.005), 30));
    TestRandom random = { 8 };
    const double speeds[] = { 0.1, 0.3, 0.5, 1, 2, 5, 10 };
    for (double lengths : speeds)
    {
        int passed = 0, rounds = test_heavy_count(32);
        for (int i = 0; i < rounds; ++i)
        {
            btCollisionShape* wall = i % 2 == 0 ? static_cast<btCollisionShape*>(&plate) : &box;
            passed += is_stopped(&ring, wall, lengths, &random) ? 0 : 1;
        }
        if (passed > 0)
        {
            fail_msg("%d of %d pass at %g lengths per step", passed, rounds, lengths);
        }
    }
}

uint64_t run_heap(abut::bullet::Shape* ring, btCollisionShape* other, btCollisionShape* ground)
{
    BulletWorld w;
    w.add(ground, 0, frame_at(0, 0, 0));
    TestRandom random = { 9 };
    for (int i = 0; i < 8; ++i)
    {
        btTransform at = random_frame(&random, 0.1);
        at.getOrigin() += btVector3(0, real(0.6 + 0.7 * i), 0);
        w.add(i % 2 == 0 ? static_cast<btCollisionShape*>(ring) : other, 1, at);
    }
    w.step(TEST_IS_SANITIZED ? 30 : 120);
    return w.hash();
}

/// Shapes, their solids and the cache of solids are shared: the same poses as on one thread.
void test_worlds_on_threads_share_shapes(void**)
{
    ShapePointer torus = make_torus(0.35f, 0.15f), field = make_field(torus.get(), 40);
    abut::bullet::Shape ring(field.get());
    btConvexHullShape hull;
    for (int i = 0; i < 8; ++i)
    {
        hull.addPoint(
            btVector3(real(i & 1 ? 0.3 : -0.3), real(i & 2 ? 0.2 : -0.2), real(i & 4 ? 0.4 : -0.4)));
    }
    hull.setMargin(real(0.01));
    btTriangleMesh triangles;
    triangles.addTriangle(btVector3(-19, 0, -19), btVector3(0, 0, 19), btVector3(19, 0, -19));
    btBvhTriangleMeshShape ground(&triangles, true);
    uint64_t hashes[4];
    std::vector<std::thread> threads;
    for (uint64_t& hash : hashes)
    {
        threads.emplace_back([&hash, &ring, &hull, &ground] { hash = run_heap(&ring, &hull, &ground); });
    }
    for (std::thread& thread : threads)
    {
        thread.join();
    }
    uint64_t alone = run_heap(&ring, &hull, &ground);
    for (uint64_t hash : hashes)
    {
        assert_true(hash == alone);
    }
}

} // namespace

int main()
{
    const CMUnitTest tests[] = {
        cmocka_unit_test(test_no_body_passes_a_thin_plate),
        cmocka_unit_test(test_no_bunny_passes_a_thin_plate),
        cmocka_unit_test(test_worlds_on_threads_share_shapes),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}

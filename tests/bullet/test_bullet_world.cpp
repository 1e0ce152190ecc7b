// Bodies with abut's shapes in a world of Bullet: rest, warm start, broken formulas, the same poses every
// time.
#include "bullet_test.hpp"

#include <algorithm>
#include <cmath>

namespace
{

double penetration(const BulletWorld& w)
{
    double deepest = 0;
    auto* dispatcher = const_cast<btCollisionDispatcher*>(&w.dispatcher);
    for (int i = 0; i < dispatcher->getNumManifolds(); ++i)
    {
        const btPersistentManifold* manifold = dispatcher->getManifoldByIndexInternal(i);
        for (int k = 0; k < manifold->getNumContacts(); ++k)
        {
            deepest = std::fmax(deepest, -static_cast<double>(manifold->getContactPoint(k).getDistance()));
        }
    }
    return deepest;
}

double impulse(const BulletWorld& w)
{
    double sum = 0;
    auto* dispatcher = const_cast<btCollisionDispatcher*>(&w.dispatcher);
    for (int i = 0; i < dispatcher->getNumManifolds(); ++i)
    {
        const btPersistentManifold* manifold = dispatcher->getManifoldByIndexInternal(i);
        for (int k = 0; k < manifold->getNumContacts(); ++k)
        {
            sum += static_cast<double>(manifold->getContactPoint(k).getAppliedImpulse());
        }
    }
    return sum;
}

/// A box of abut on a plane of Bullet: four points in the first step with contact, which stay, and after some
/// steps bear the weight.
void test_a_box_rests_on_four_points_that_stay(void**)
{
    ShapePointer box = make_box(abut_vec3(1, 0.5f, 1)), field = make_field(box.get(), 32);
    for (int fields = 0; fields < 2; ++fields)
    {
        abut::bullet::Shape shape(fields ? field.get() : box.get());
        btStaticPlaneShape ground(btVector3(0, 1, 0), 0);
        BulletWorld w;
        w.add(&ground, 0, frame_at(0, 0, 0));
        btRigidBody* body = w.add(&shape, 2, frame_at(0, 0.251, 0));
        body->setActivationState(DISABLE_DEACTIVATION);
        w.step(1);
        assert_int_equal(w.dispatcher.getNumManifolds(), 1);
        assert_int_equal(w.dispatcher.getManifoldByIndexInternal(0)->getNumContacts(), 4);
        w.step(120);
        const btPersistentManifold* manifold = w.dispatcher.getManifoldByIndexInternal(0);
        assert_int_equal(manifold->getNumContacts(), 4);
        for (int i = 0; i < 4; ++i)
        {
            assert_true(manifold->getContactPoint(i).getLifeTime() > 100);
            btVector3 at = manifold->getContactPoint(i).getPositionWorldOnB();
            assert_true(std::fabs(static_cast<double>(at.x())) > 0.35); // at the corners
            assert_true(std::fabs(static_cast<double>(at.z())) > 0.35);
        }
        test_assert_near(impulse(w), 2 * 9.81 / 60, 0.01);
        test_assert_near(body->getWorldTransform().getOrigin().y(), 0.25, 5e-3);
        test_assert_near(body->getLinearVelocity().length(), 0, 1e-2);
    }
}

/// Rings on rings on a ground of abut, after 7 seconds: at rest, hardly in each other, and the same in a
/// second world. In a third one motions are clamped, and the heap is as shallow.
void test_a_heap_of_rings_comes_to_rest_the_same_every_time(void**)
{
    ShapePointer torus = make_torus(0.35f, 0.15f), field = make_field(torus.get(), 40);
    ShapePointer floor = make_box(abut_vec3(20, 1, 20));
    uint64_t hashes[3];
    for (uint64_t& hash : hashes)
    {
        abut::bullet::Shape ring(field.get()), ground(floor.get());
        abut::bullet::Continuous continuous;
        BulletWorld w;
        if (&hash == &hashes[2])
        {
            w.world.addAction(&continuous);
        }
        w.add(&ground, 0, frame_at(0, -0.5, 0));
        TestRandom random = { 4 };
        for (int i = 0; i < 12; ++i)
        {
            btTransform at = random_frame(&random, 0.1);
            at.getOrigin() += btVector3(0, real(0.6 + 0.7 * i), 0);
            w.add(&ring, 1, at);
        }
        w.step(TEST_IS_SANITIZED ? 60 : 420);
        hash = w.hash();
        if (!TEST_IS_SANITIZED)
        {
            assert_true(penetration(w) < 0.01);
        }
        for (const auto& body : w.bodies)
        {
            assert_true(body->getWorldTransform().getOrigin().y() > real(-0.6));
            assert_true(TEST_IS_SANITIZED || body->getLinearVelocity().length() < real(0.5));
        }
    }
    assert_true(hashes[0] == hashes[1]);
}

/// The Menger sponge of size 1 with three levels of holes, as a formula: its slope is that of boxes, but it
/// is no distance inside of the holes of the next level.
void sponge(void*, AbutPoints points, size_t count, AbutSamples out)
{
    for (size_t i = 0; i < count; ++i)
    {
        double p[3] = { points.x[i], points.y[i], points.z[i] };
        double dx = std::fabs(p[0]) - 0.5, dy = std::fabs(p[1]) - 0.5, dz = std::fabs(p[2]) - 0.5;
        double ox = std::fmax(dx, 0), oy = std::fmax(dy, 0), oz = std::fmax(dz, 0);
        double d = std::sqrt(ox * ox + oy * oy + oz * oz) + std::fmin(std::fmax(dx, std::fmax(dy, dz)), 0.0);
        for (double scale = 1.0; scale < 10.0; scale *= 3.0)
        {
            double r[3];
            for (int k = 0; k < 3; ++k)
            {
                double a = (p[k] + 0.5) * scale;
                r[k] = std::fabs((a - std::floor(a)) - 0.5); // in the cell of this level
            }
            double ab = std::fmax(r[0], r[1]), bc = std::fmax(r[1], r[2]), ca = std::fmax(r[2], r[0]);
            double cross = (1.0 / 6.0 - std::fmin(ab, std::fmin(bc, ca))) / scale;
            d = std::fmax(d, cross);
        }
        out.distance[i] = static_cast<float>(d);
    }
}

void test_a_broken_formula_and_a_ring_come_to_rest_on_each_other(void**)
{
    AbutCallbackDef def = abut_callback_def();
    def.function = sponge;
    def.bounds = abut_box(abut_vec3(-0.5f, -0.5f, -0.5f), abut_vec3(0.5f, 0.5f, 0.5f));
    def.gradient_step = 1e-3f;
    AbutShape* callback = nullptr;
    test_assert_result(abut_shape_create_callback(&def, &callback), ABUT_OK);
    ShapePointer formula = owned(callback), torus = make_torus(0.35f, 0.12f);
    abut::bullet::Shape menger(formula.get()), ring(torus.get());
    btStaticPlaneShape ground(btVector3(0, 1, 0), 0);
    BulletWorld w;
    w.add(&ground, 0, frame_at(0, 0, 0));
    btRigidBody* below = w.add(&menger, 1, frame_at(0, 0.51, 0));
    btRigidBody* above = w.add(&ring, 0.5, frame_at(0.02, 1.2, 0.01));
    w.step(TEST_IS_SANITIZED ? 30 : 300);
    assert_true(penetration(w) < 0.01);
    test_assert_near(below->getWorldTransform().getOrigin().y(), 0.5, 0.01);
    if (!TEST_IS_SANITIZED)
    {
        test_assert_near(above->getWorldTransform().getOrigin().y(), 1.12, 0.01);
    }
}

/// Rings of a chain hang in each other for ten seconds, the first one fixed, as fields and as formulas: a
/// ring that went through another one would fall.
void test_a_chain_of_rings_holds(void**)
{
    ShapePointer torus = make_torus(0.4f, 0.1f), field = make_field(torus.get(), 48);
    AbutShape* const shapes[2] = { torus.get(), field.get() };
    const double pitch = 0.6; // of rings that hang: twice the inner radius
    for (AbutShape* shape : shapes)
    {
        abut::bullet::Shape ring(shape);
        BulletWorld w;
        for (int i = 0; i < 6; ++i) // upright, in turn across each other
        {
            btQuaternion upright(btVector3(1, 0, 0), SIMD_HALF_PI);
            btQuaternion across(btVector3(0, 1, 0), i % 2 == 0 ? 0 : SIMD_HALF_PI);
            btTransform at(across * upright, btVector3(0, real(-0.98 * pitch * i), 0));
            w.add(&ring, i == 0 ? 0 : 1, at)->setLinearVelocity(btVector3(real(i > 3 ? 0.5 : 0), 0, 0));
        }
        w.step(TEST_IS_SANITIZED ? 60 : 600);
        for (size_t i = 1; i < w.bodies.size(); ++i)
        {
            btVector3 link = w.bodies[i]->getWorldTransform().getOrigin() -
                             w.bodies[i - 1]->getWorldTransform().getOrigin();
            assert_true(link.length() < real(pitch + 0.02));
            assert_true(link.y() < real(-0.3));
        }
        assert_true(penetration(w) < 0.01);
    }
}

/// A ball in a groove of two walls touches both of them.
void test_a_ball_in_a_groove_has_two_contacts(void**)
{
    ShapePointer wall = make_box(abut_vec3(1, 2, 2)), sphere = make_sphere(0.3f);
    AbutPose left = abut_pose_at(-0.79, 0, 0), right = abut_pose_at(0.79, 0, 0); // 0.58 between them
    AbutShape *a = nullptr, *b = nullptr, *both = nullptr;
    test_assert_result(abut_shape_create_transformed(wall.get(), &left, nullptr, &a), ABUT_OK);
    test_assert_result(abut_shape_create_transformed(wall.get(), &right, nullptr, &b), ABUT_OK);
    ShapePointer first = owned(a), second = owned(b);
    AbutShape* const children[2] = { a, b };
    test_assert_result(abut_shape_create_union(children, 2, nullptr, &both), ABUT_OK);
    ShapePointer groove = owned(both), field = make_field(both, 64);
    abut::bullet::Shape solid(field.get()), ball(sphere.get());
    btSphereShape bullet_ball(real(0.3));
    btCollisionShape* const balls[2] = { &ball, &bullet_ball };
    for (btCollisionShape* shape : balls)
    {
        BulletWorld w;
        w.world.setGravity(btVector3(0, 0, 0));
        w.add(&solid, 0, frame_at(0, 0, 0));
        w.add(shape, 1, frame_at(0, 0, 0));
        w.world.performDiscreteCollisionDetection();
        assert_int_equal(w.dispatcher.getNumManifolds(), 1);
        const btPersistentManifold* manifold = w.dispatcher.getManifoldByIndexInternal(0);
        double sides = 0;
        for (int i = 0; i < manifold->getNumContacts(); ++i)
        {
            double x = static_cast<double>(manifold->getContactPoint(i).m_normalWorldOnB.x());
            test_assert_near(std::fabs(x), 1.0, 0.02);
            test_assert_near(manifold->getContactPoint(i).getDistance(), -0.01, 3e-3);
            sides += x > 0 ? 1 : 100;
        }
        assert_true(sides >= 101);
    }
}

/// A dumbbell of two children of abut's and Bullet's shapes rests on terrain of triangles.
void test_compounds_rest_by_their_children(void**)
{
    ShapePointer sphere = make_sphere(0.3f), field = make_field(sphere.get(), 32);
    abut::bullet::Shape ball(field.get());
    btBoxShape bar(btVector3(real(0.5), real(0.1), real(0.1)));
    btCompoundShape dumbbell;
    dumbbell.addChildShape(frame_at(-0.6, 0, 0), &ball);
    dumbbell.addChildShape(frame_at(0.6, 0, 0), &ball);
    dumbbell.addChildShape(frame_at(0, 0, 0), &bar);
    ShapePointer floor = make_box(abut_vec3(10, 1, 10));
    abut::bullet::Shape ground(floor.get());
    BulletWorld w;
    w.add(&ground, 0, frame_at(0, -0.5, 0));
    btRigidBody* body = w.add(&dumbbell, 1, frame_at(0, 0.5, 0));
    w.step(TEST_IS_SANITIZED ? 30 : 240);
    if (!TEST_IS_SANITIZED)
    {
        test_assert_near(body->getWorldTransform().getOrigin().y(), 0.3, 0.01);
    }
    assert_true(body->getWorldTransform().getOrigin().y() > real(0.28));
}

/// Moments of a field are those of the solid.
void test_inertia_is_that_of_the_field(void**)
{
    ShapePointer box = make_box(abut_vec3(1, 2, 3)), field = make_field(box.get(), 64);
    abut::bullet::Shape exact(box.get()), baked(field.get());
    btVector3 inertia;
    exact.calculateLocalInertia(12, inertia);
    test_assert_near(inertia.x(), 13, 1e-3);
    test_assert_near(inertia.y(), 10, 1e-3);
    test_assert_near(inertia.z(), 5, 1e-3);
    baked.calculateLocalInertia(12, inertia);
    test_assert_near(inertia.x(), 13, 0.1);
    test_assert_near(inertia.z(), 5, 0.1);
    baked.setLocalScaling(btVector3(2, 2, 2));
    baked.calculateLocalInertia(12, inertia);
    test_assert_near(inertia.x(), 52, 0.4);
}

/// The principal frame of a box that is turned and moved in its field is the box's own.
void test_principal_frame_of_a_placed_box(void**)
{
    AbutPose pose = abut_pose_at(0.3, -0.2, 0.1);
    pose.rotation = abut_quat_from_axis_angle(abut_vec3(1, 2, 3), 0.7f);
    ShapePointer box = make_box(abut_vec3(1, 2, 3));
    AbutShape* placed = nullptr;
    test_assert_result(abut_shape_create_transformed(box.get(), &pose, nullptr, &placed), ABUT_OK);
    ShapePointer owner = owned(placed);
    abut::bullet::Shape shape(placed);
    btTransform frame;
    btVector3 moments;
    assert_true(shape.principal_frame(12, &frame, &moments));
    test_assert_near(frame.getOrigin().x(), 0.3, 1e-2);
    double sorted[3] = { moments.x(), moments.y(), moments.z() };
    std::sort(sorted, sorted + 3);
    test_assert_near(sorted[0], 5, 0.3);
    test_assert_near(sorted[1], 10, 0.3);
    test_assert_near(sorted[2], 13, 0.3);
    AbutVec3 z = abut_quat_rotate(pose.rotation, abut_vec3(0, 0, 1)); // the axis of the least moment
    double best = 0;
    for (int i = 0; i < 3; ++i)
    {
        btVector3 axis = frame.getBasis().getColumn(i);
        double dot = std::fabs(static_cast<double>(axis.x()) * z.x + static_cast<double>(axis.y()) * z.y +
                               static_cast<double>(axis.z()) * z.z);
        best = std::fabs(moments[i] - sorted[0]) < 1e-6 ? dot : best;
    }
    assert_true(best > 0.999);
}

} // namespace

int main()
{
    const CMUnitTest tests[] = {
        cmocka_unit_test(test_a_box_rests_on_four_points_that_stay),
        cmocka_unit_test(test_a_heap_of_rings_comes_to_rest_the_same_every_time),
        cmocka_unit_test(test_a_broken_formula_and_a_ring_come_to_rest_on_each_other),
        cmocka_unit_test(test_a_chain_of_rings_holds),
        cmocka_unit_test(test_a_ball_in_a_groove_has_two_contacts),
        cmocka_unit_test(test_compounds_rest_by_their_children),
        cmocka_unit_test(test_inertia_is_that_of_the_field),
        cmocka_unit_test(test_principal_frame_of_a_placed_box),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}

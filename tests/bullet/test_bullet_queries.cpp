// Rays, convex sweeps, contact tests and debug drawing through Bullet's own world, against closed forms.
#include "bullet_test.hpp"

#include <cmath>

namespace
{

/// First hit of a ray with a ball of radius 1, or a negative number.
double ball_hit(const btVector3& from, const btVector3& to)
{
    double d[3], f[3], a = 0, b = 0, c = -1;
    for (int i = 0; i < 3; ++i)
    {
        f[i] = static_cast<double>(from[i]);
        d[i] = static_cast<double>(to[i]) - f[i];
        a += d[i] * d[i];
        b += f[i] * d[i];
        c += f[i] * f[i];
    }
    double disc = b * b - a * c;
    double t = disc >= 0 && c > 0 ? (-b - std::sqrt(disc)) / a : -1;
    return t >= 0 && t <= 1 ? t : -1;
}

/// Rays against a ball of abut with a pose and a scale: fraction, normal, object.
void test_rays_hit_where_the_closed_form_says(void**)
{
    ShapePointer sphere = make_sphere(0.5f), field = make_field(sphere.get(), 64);
    TestRandom random = { 5 };
    for (int fields = 0; fields < 2; ++fields)
    {
        abut::bullet::Shape shape(fields ? field.get() : sphere.get());
        shape.setLocalScaling(btVector3(2, 2, 2)); // a ball of radius 1
        BulletWorld w;
        btTransform frame = random_frame(&random, 5.0);
        btRigidBody* body = w.add(&shape, 0, frame);
        int hits = 0;
        for (int i = 0; i < TEST_ROUNDS(1000); ++i)
        {
            AbutPosition p = test_random_position(&random, 3.0), q = test_random_position(&random, 3.0);
            btVector3 from(real(p.x), real(p.y), real(p.z)), to(real(q.x), real(q.y), real(q.z));
            double expected = ball_hit(from, to);
            btVector3 start = frame * from, end = frame * to;
            btCollisionWorld::ClosestRayResultCallback result(start, end);
            w.world.rayTest(start, end, result);
            double closest = static_cast<double>(
                (from - (to - from) * (from.dot(to - from) / (to - from).length2())).length());
            if (std::fabs(closest - 1) < 0.01 || std::fabs(static_cast<double>(from.length()) - 1) < 0.01)
            {
                continue; // grazing
            }
            assert_int_equal(result.hasHit(), expected >= 0);
            if (expected >= 0)
            {
                ++hits;
                double length = static_cast<double>((to - from).length());
                test_assert_near(static_cast<double>(result.m_closestHitFraction) * length, expected * length,
                                 fields ? 0.02 : 1e-3);
                assert_ptr_equal(result.m_collisionObject, body);
                btVector3 normal = frame.getBasis() * (from + (to - from) * real(expected));
                assert_true(normal.normalized().dot(result.m_hitNormalWorld) > real(0.99));
            }
        }
        assert_true(hits > TEST_ROUNDS(1000) / 10);
    }
}

/// All hits of several bodies along a ray.
void test_rays_find_all_bodies(void**)
{
    ShapePointer torus = make_torus(0.5f, 0.2f), field = make_field(torus.get(), 48);
    abut::bullet::Shape ring(field.get());
    BulletWorld w;
    for (int i = 0; i < 5; ++i)
    {
        w.add(&ring, 0, frame_at(2 * i, 0, 0));
    }
    btVector3 from(-2, real(0.05), 0), to(12, real(0.05), 0);
    btCollisionWorld::AllHitsRayResultCallback all(from, to);
    w.world.rayTest(from, to, all);
    assert_int_equal(all.m_collisionObjects.size(), 5);
    btVector3 above(0, 2, 0), below(0, -2, 0); // through the hole
    btCollisionWorld::ClosestRayResultCallback none(above, below);
    w.world.rayTest(above, below, none);
    assert_false(none.hasHit());
}

/// A ball of Bullet is swept at a ball of abut: their centres are 1.5 apart at the touch.
void test_sweeps_stop_where_the_closed_form_says(void**)
{
    ShapePointer sphere = make_sphere(1.0f), field = make_field(sphere.get(), 64);
    btSphereShape swept(real(0.5));
    TestRandom random = { 6 };
    for (int fields = 0; fields < 2; ++fields)
    {
        abut::bullet::Shape shape(fields ? field.get() : sphere.get());
        BulletWorld w;
        btTransform frame = random_frame(&random, 5.0);
        w.add(&shape, 0, frame);
        int hits = 0;
        for (int i = 0; i < TEST_ROUNDS(200); ++i)
        {
            AbutVec3 direction = test_random_direction(&random);
            btVector3 from = btVector3(real(direction.x), real(direction.y), real(direction.z)) * 4;
            AbutPosition q = test_random_position(&random, 2.0);
            btVector3 to = btVector3(real(q.x), real(q.y), real(q.z)) - from * real(0.5);
            double t = ball_hit(from / real(1.5), to / real(1.5));
            btVector3 start = frame * from, end = frame * to;
            btCollisionWorld::ClosestConvexResultCallback result(start, end);
            w.world.convexSweepTest(&swept, btTransform(btQuaternion::getIdentity(), start),
                                    btTransform(btQuaternion::getIdentity(), end), result);
            double closest = static_cast<double>(
                (from - (to - from) * (from.dot(to - from) / (to - from).length2())).length());
            if (std::fabs(closest - 1.5) < 0.05)
            {
                continue; // grazing
            }
            assert_int_equal(result.hasHit(), t >= 0);
            if (t >= 0)
            {
                ++hits;
                double length = static_cast<double>((to - from).length());
                test_assert_near(static_cast<double>(result.m_closestHitFraction) * length, t * length, 0.03);
                btVector3 normal = frame.getBasis() * (from + (to - from) * real(t)).normalized();
                assert_true(normal.dot(result.m_hitNormalWorld) > real(0.97));
                btVector3 point = frame * ((from + (to - from) * real(t)).normalized());
                assert_true((point - result.m_hitPointWorld).length() < real(0.1));
            }
        }
        assert_true(hits > TEST_ROUNDS(200) / 4);
    }
}

/// contactTest() finds the neighbours of an object, and only those that touch.
void test_contact_test_finds_what_touches(void**)
{
    ShapePointer torus = make_torus(0.5f, 0.2f), field = make_field(torus.get(), 48);
    abut::bullet::Shape ring(field.get());
    btBoxShape box(btVector3(real(0.5), real(0.5), real(0.5)));
    btCompoundShape compound;
    compound.addChildShape(frame_at(0, 0, 0), &box);
    BulletWorld w;
    btRigidBody* middle = w.add(&ring, 0, frame_at(0, 0, 0));
    w.add(&box, 1, frame_at(1.1, 0, 0));       // touches
    w.add(&compound, 1, frame_at(-1.1, 0, 0)); // touches
    w.add(&box, 1, frame_at(0, 0.9, 0));       // 0.2 away
    w.add(&ring, 1, frame_at(0, 0, 1.3));      // touches
    w.world.updateAabbs();
    TestPoints result;
    w.world.contactTest(middle, result);
    bool found[5] = {};
    for (const auto& p : result.points)
    {
        for (size_t i = 0; i < w.bodies.size(); ++i)
        {
            btVector3 local = w.bodies[i]->getWorldTransform().invXform(p.on_b);
            found[i] = found[i] || (i > 0 && local.length() < real(0.95));
        }
        assert_true(p.distance <= 0);
    }
    assert_true(found[1] && found[2] && found[4]);
    TestPoints none;
    w.world.contactPairTest(middle, w.bodies[3].get(), none);
    assert_null(none.deepest());
    none.m_closestDistanceThreshold = real(0.3);
    w.world.contactPairTest(middle, w.bodies[3].get(), none);
    assert_non_null(none.deepest());
    test_assert_near(none.deepest()->distance, 0.2, 0.01);
}

struct Lines : public btIDebugDraw
{
    int count = 0;
    double farthest = 0;

    void drawLine(const btVector3& a, const btVector3& b, const btVector3&) override
    {
        ++count;
        farthest =
            std::fmax(farthest, std::fmax(static_cast<double>(a.length()), static_cast<double>(b.length())));
    }
    void drawContactPoint(const btVector3&, const btVector3&, btScalar, int, const btVector3&) override
    {
    }
    void reportErrorWarning(const char*) override
    {
    }
    void draw3dText(const btVector3&, const char*) override
    {
    }
    void setDebugMode(int) override
    {
    }
    int getDebugMode() const override
    {
        return DBG_DrawWireframe;
    }
};

void test_debug_drawing_has_the_surface(void**)
{
    ShapePointer sphere = make_sphere(1.0f);
    abut::bullet::Shape ball(sphere.get());
    Lines lines;
    BulletWorld w;
    w.world.setDebugDrawer(&lines);
    w.world.debugDrawObject(frame_at(0, 0, 0), &ball, btVector3(1, 1, 1));
    assert_true(lines.count > 1000);
    test_assert_near(lines.farthest, 1.0, 0.01);
    w.world.setDebugDrawer(nullptr);
}

} // namespace

int main()
{
    const CMUnitTest tests[] = {
        cmocka_unit_test(test_rays_hit_where_the_closed_form_says),
        cmocka_unit_test(test_rays_find_all_bodies),
        cmocka_unit_test(test_sweeps_stop_where_the_closed_form_says),
        cmocka_unit_test(test_contact_test_finds_what_touches),
        cmocka_unit_test(test_debug_drawing_has_the_surface),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}

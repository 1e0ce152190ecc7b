// Thin bowls that fall into each other: with continuous collision no wall goes through another one.
#include "bullet_test.hpp"

#include <abut/models.h>
#include <cmath>

namespace
{

constexpr double SIZE = 0.1, WALL = 0.02 * SIZE;

constexpr int COUNT = 4, STEPS = TEST_IS_SANITIZED ? 12 : 30;

/// The field of a bowl with its centre of mass at the origin, and points in the middle of its wall.
struct Bowl
{
    ShapePointer field{ nullptr, abut_shape_destroy };
    std::vector<btVector3> middle;

    Bowl()
    {
        AbutMesh* mesh = nullptr;
        test_assert_result(abut_mesh_create_bowl(static_cast<float>(0.5 * SIZE), static_cast<float>(WALL), 24,
                                                 nullptr, &mesh),
                           ABUT_OK);
        AbutMassData mass = abut_mesh_mass(mesh);
        AbutBakeDef def = abut_bake_def();
        def.resolution = 96;
        def.format = ABUT_FIELD_FIRST_ORDER;
        def.sparse = true;
        AbutShape *baked = nullptr, *placed = nullptr;
        test_assert_result(abut_bake_mesh(&def, mesh, &baked), ABUT_OK);
        AbutPose pose = abut_pose_at(-mass.center[0], -mass.center[1], -mass.center[2]);
        test_assert_result(abut_shape_create_transformed(baked, &pose, nullptr, &placed), ABUT_OK);
        abut_shape_destroy(baked);
        abut_mesh_destroy(mesh);
        field = owned(placed);
        const double radius = 0.5 * SIZE - 0.5 * WALL, step = 0.25 * WALL / radius;
        for (double polar = 0; polar < 1.5; polar += step)
        {
            double ring = std::fmax(std::sin(polar), 0.01);
            for (double angle = 0; angle < 6.28; angle += step / ring)
            {
                middle.push_back(
                    btVector3(real(radius * std::sin(polar) * std::cos(angle) - mass.center[0]),
                              real(-radius * std::cos(polar) - mass.center[1]),
                              real(radius * std::sin(polar) * std::sin(angle) - mass.center[2])));
            }
        }
    }

    /// Largest depth of the middle of one wall in another bowl, in halves of the thickness: 1 where they
    /// cross.
    double depth(const btTransform& self, const btTransform& other) const
    {
        btTransform relative = other.inverseTimes(self);
        double deepest = -INFINITY;
        for (const btVector3& point : middle)
        {
            btVector3 at = relative * point;
            AbutVec3 local =
                abut_vec3(static_cast<float>(at.x()), static_cast<float>(at.y()), static_cast<float>(at.z()));
            double distance = static_cast<double>(abut_shape_distance(field.get(), local, nullptr));
            deepest = std::fmax(deepest, -distance / (0.5 * WALL));
        }
        return deepest;
    }
};

/// The largest depth of the middles of walls after a column of bowls has fallen.
double run_column(const Bowl& bowl, uint64_t seed, bool continues, uint64_t* hash)
{
    abut::bullet::Shape shape(bowl.field.get());
    abut::bullet::Continuous continuous;
    btStaticPlaneShape ground(btVector3(0, 1, 0), 0);
    ground.setMargin(real(0.0005));
    BulletWorld w;
    w.add(&ground, 0, frame_at(0, 0, 0));
    TestRandom random = { seed };
    for (int i = 0; i < COUNT; ++i)
    {
        btTransform at = random_frame(&random, 0.02);
        at.getOrigin().setY(real(0.07 + 0.12 * i));
        w.add(&shape, 0.01, at)->setLinearVelocity(btVector3(0, real(-1.5 - 0.5 * i), 0));
    }
    if (continues)
    {
        w.world.addAction(&continuous);
    }
    w.step(STEPS);
    *hash = w.hash();
    w.world.removeAction(&continuous);
    double deepest = 0;
    for (size_t i = 1; i < w.bodies.size(); ++i)
    {
        for (size_t k = 1; k < w.bodies.size(); ++k)
        {
            if (i != k)
            {
                deepest = std::fmax(
                    deepest, bowl.depth(w.bodies[i]->getWorldTransform(), w.bodies[k]->getWorldTransform()));
            }
        }
    }
    return deepest;
}

void test_no_bowl_goes_through_another(void**)
{
    Bowl bowl;
    for (int seed = 0; seed < test_heavy_count(4); ++seed)
    {
        uint64_t hash, again = 0;
        double depth = run_column(bowl, static_cast<uint64_t>(50 + seed), true, &hash);
        if (seed == 0)
        {
            run_column(bowl, 50, true, &again);
            assert_true(hash == again);
        }
        if (depth > 0.85)
        {
            fail_msg("seed %d: the middle of a wall is %g deep in another one", seed, depth);
        }
    }
}

} // namespace

int main()
{
    const CMUnitTest tests[] = {
        cmocka_unit_test(test_no_bowl_goes_through_another),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}

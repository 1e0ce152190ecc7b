// Contacts of abut's shapes with each kind of Bullet's shapes against closed forms, in both orders.
#include "bullet_test.hpp"

#include <BulletCollision/CollisionShapes/btHeightfieldTerrainShape.h>
#include <cmath>

namespace
{

// -----------------------------------------------------------------------------------------------------------
// Distances in double: outside and inside
// -----------------------------------------------------------------------------------------------------------

double box_distance(double x, double y, double z, double a, double b, double c)
{
    double dx = std::fabs(x) - a, dy = std::fabs(y) - b, dz = std::fabs(z) - c;
    double ox = std::fmax(dx, 0), oy = std::fmax(dy, 0), oz = std::fmax(dz, 0);
    return std::sqrt(ox * ox + oy * oy + oz * oz) + std::fmin(std::fmax(dx, std::fmax(dy, dz)), 0.0);
}

double cylinder_distance(double radial, double y, double radius, double half)
{
    return box_distance(radial, y, 0, radius, half, 1e9); // a rectangle
}

double capsule_distance(double radial, double y, double radius, double half)
{
    double over = std::fmax(std::fabs(y) - half, 0.0);
    return std::sqrt(radial * radial + over * over) - radius;
}

/// From its base at −half to its tip at +half: the polygon of its profile.
double cone_distance(double radial, double y, double radius, double half)
{
    double ex = -radius, ey = 2 * half, length2 = ex * ex + ey * ey;
    double t = ((radial - radius) * ex + (y + half) * ey) / length2;
    t = std::fmin(std::fmax(t, 0.0), 1.0);
    double sx = radial - radius - t * ex, sy = y + half - t * ey;
    double bx = radial - std::fmin(radial, radius), by = y + half;
    double least = std::sqrt(std::fmin(sx * sx + sy * sy, bx * bx + by * by));
    bool inside = y > -half && (radial - radius) * ey - (y + half) * ex < 0;
    return inside ? -least : least;
}

/// A shape of Bullet and its distance in its own frame.
struct Kind
{
    const char* name;
    btCollisionShape* shape;
    double (*distance)(const btVector3& p);
    bool moves;
};

double radial_y(const btVector3& p)
{
    return std::hypot(static_cast<double>(p.x()), static_cast<double>(p.z()));
}

/// All kinds, with dimensions about 1.
struct Kinds
{
    btSphereShape sphere{ real(0.5) };
    btBoxShape box{ btVector3(real(0.6), real(0.4), real(0.5)) };
    btCapsuleShape capsule{ real(0.3), real(0.8) };
    btCapsuleShapeX capsule_x{ real(0.3), real(0.8) };
    btCylinderShape cylinder{ btVector3(real(0.4), real(0.5), real(0.4)) };
    btCylinderShapeZ cylinder_z{ btVector3(real(0.4), real(0.4), real(0.5)) };
    btConeShape cone{ real(0.5), real(1.0) };
    btConvexHullShape hull;
    btStaticPlaneShape plane{ btVector3(0, 1, 0), real(0.1) };
    btTriangleMesh triangles;
    std::unique_ptr<btBvhTriangleMeshShape> mesh;
    std::vector<float> heights;
    std::unique_ptr<btHeightfieldTerrainShape> terrain;
    btCompoundShape compound;
    btBoxShape child{ btVector3(real(0.2), real(0.2), real(0.2)) };
    std::vector<Kind> list;

    Kinds();
};

constexpr double HULL_MARGIN = 0.03;

void add_quad(btTriangleMesh* mesh, const btVector3& a, const btVector3& b, const btVector3& c,
              const btVector3& d)
{
    mesh->addTriangle(a, b, c);
    mesh->addTriangle(a, c, d);
}

/// The box of half extents 0.6, 0.4, 0.5 as twelve triangles.
void add_box(btTriangleMesh* mesh)
{
    btVector3 v[8];
    for (int i = 0; i < 8; ++i)
    {
        v[i].setValue(real(i & 1 ? 0.6 : -0.6), real(i & 2 ? 0.4 : -0.4), real(i & 4 ? 0.5 : -0.5));
    }
    add_quad(mesh, v[0], v[2], v[3], v[1]);
    add_quad(mesh, v[4], v[5], v[7], v[6]);
    add_quad(mesh, v[0], v[1], v[5], v[4]);
    add_quad(mesh, v[2], v[6], v[7], v[3]);
    add_quad(mesh, v[0], v[4], v[6], v[2]);
    add_quad(mesh, v[1], v[3], v[7], v[5]);
}

double hull_distance(const btVector3& p)
{
    return box_distance(p.x(), p.y(), p.z(), 0.6, 0.4, 0.5) - HULL_MARGIN;
}

Kinds::Kinds()
{
    for (int i = 0; i < 8; ++i)
    {
        hull.addPoint(
            btVector3(real(i & 1 ? 0.6 : -0.6), real(i & 2 ? 0.4 : -0.4), real(i & 4 ? 0.5 : -0.5)));
    }
    hull.setMargin(real(HULL_MARGIN));
    cone.setMargin(0);
    add_box(&triangles);
    mesh = std::make_unique<btBvhTriangleMeshShape>(&triangles, true);
    mesh->setMargin(real(HULL_MARGIN));
    for (int z = 0; z < 17; ++z) // a slope of 0.5 along x
    {
        for (int x = 0; x < 17; ++x)
        {
            heights.push_back(0.5f * static_cast<float>(x - 8));
        }
    }
    terrain =
        std::make_unique<btHeightfieldTerrainShape>(17, 17, heights.data(), real(-4), real(4), 1, false);
    terrain->setMargin(0);
    compound.addChildShape(frame_at(0.5, 0, 0), &child);
    compound.addChildShape(frame_at(-0.5, 0.1, 0), &child);
    list = {
        { "sphere", &sphere, [](const btVector3& p) { return static_cast<double>(p.length()) - 0.5; }, true },
        { "box", &box, [](const btVector3& p) { return hull_distance(p) + HULL_MARGIN; }, true },
        { "capsule", &capsule,
          [](const btVector3& p) { return capsule_distance(radial_y(p), p.y(), 0.3, 0.4); }, true },
        { "capsule x", &capsule_x,
          [](const btVector3& p) {
              return capsule_distance(std::hypot(double(p.y()), double(p.z())), p.x(), 0.3, 0.4);
          },
          true },
        { "cylinder", &cylinder,
          [](const btVector3& p) { return cylinder_distance(radial_y(p), p.y(), 0.4, 0.5); }, true },
        { "cylinder z", &cylinder_z,
          [](const btVector3& p) {
              return cylinder_distance(std::hypot(double(p.x()), double(p.y())), p.z(), 0.4, 0.5);
          },
          true },
        { "cone", &cone, [](const btVector3& p) { return cone_distance(radial_y(p), p.y(), 0.5, 0.5); },
          true },
        { "hull", &hull, hull_distance, true },
        { "plane", &plane, [](const btVector3& p) { return static_cast<double>(p.y()) - 0.1; }, false },
        { "mesh", mesh.get(), hull_distance, false },
        { "terrain", terrain.get(),
          [](const btVector3& p) { return (double(p.y()) - 0.5 * double(p.x())) / std::sqrt(1.25); }, false },
        { "compound", &compound,
          [](const btVector3& p) {
              double first = box_distance(double(p.x()) - 0.5, p.y(), p.z(), 0.2, 0.2, 0.2);
              return std::fmin(first,
                               box_distance(double(p.x()) + 0.5, double(p.y()) - 0.1, p.z(), 0.2, 0.2, 0.2));
          },
          true },
    };
}

constexpr double RADIUS = 0.25;

/// A pose of the ball with a distance from about −0.1 to 0.3 of the surface of the kind.
btTransform pose_near(TestRandom* random, const Kind& kind, const btTransform& frame, double* distance)
{
    for (;;)
    {
        AbutPosition p = test_random_position(random, 1.2);
        btVector3 local(real(p.x), real(p.y), real(p.z));
        *distance = kind.distance(local) - RADIUS;
        if (*distance > -0.12 && *distance < 0.3)
        {
            btTransform at = random_frame(random, 1.0);
            at.setOrigin(frame * local);
            return at;
        }
    }
}

/// The deepest contact has the distance of the closed form, on points of both surfaces, and a normal from the
/// second object to the first.
void check_pair(const Kind& kind, bool ball_first, const btTransform& frame, const btTransform& at,
                btCollisionShape* ball_shape, double expected, double tolerance)
{
    BulletWorld w;
    btCollisionObject ball, other;
    ball.setCollisionShape(ball_shape);
    ball.setWorldTransform(at);
    other.setCollisionShape(kind.shape);
    other.setWorldTransform(frame);
    TestPoints result;
    result.m_closestDistanceThreshold = real(0.2);
    w.world.contactPairTest(ball_first ? &ball : &other, ball_first ? &other : &ball, result);
    const auto* deepest = result.deepest();
    if (expected > 0.2 + tolerance)
    {
        if (deepest != nullptr)
        {
            fail_msg("%s: distance %g instead of %g", kind.name, deepest->distance, expected);
        }
        return;
    }
    if (expected > 0.2 - tolerance)
    {
        return;
    }
    if (deepest == nullptr)
    {
        fail_msg("%s: no contact at a distance of %g", kind.name, expected);
    }
    else
    {
        double sign = deepest->first == &ball ? 1.0 : -1.0; // normals are on the second object
        if (std::fabs(deepest->distance - expected) > tolerance)
        {
            fail_msg("%s: distance %g instead of %g", kind.name, deepest->distance, expected);
        }
        btVector3 on_ball = deepest->first == &ball ? deepest->on_a : deepest->on_b;
        double radius = static_cast<double>((on_ball - at.getOrigin()).length());
        if (std::fabs(radius - RADIUS) > 2 * tolerance)
        {
            fail_msg("%s: a contact at a distance of %g from the middle of the ball (distance %g, %g)",
                     kind.name, radius, deepest->distance, expected);
        }
        test_assert_near(deepest->normal.length(), 1.0, 1e-4);
        btVector3 gradient;
        for (int i = 0; i < 3; ++i) // of the distance, by differences
        {
            btVector3 step(0, 0, 0), local = frame.invXform(at.getOrigin());
            step[i] = real(1e-2);
            gradient[i] = real((kind.distance(local + step) - kind.distance(local - step)) / 2e-2);
        }
        btVector3 outward = frame.getBasis() * gradient;
        if (outward.length() > real(0.999)) // away from edges and the medial axis
        {
            double cosine = static_cast<double>(outward.normalized().dot(deepest->normal)) * sign;
            if (cosine < 0.97)
            {
                fail_msg("%s: a normal with a cosine of %g at a distance of %g", kind.name, cosine, expected);
            }
        }
    }
}

void check_kinds(btCollisionShape* ball, int rounds, double tolerance)
{
    Kinds kinds;
    TestRandom random = { 1 };
    for (const Kind& kind : kinds.list)
    {
        for (int i = 0; i < rounds; ++i)
        {
            btTransform frame = random_frame(&random, 3.0);
            double expected;
            btTransform at = pose_near(&random, kind, frame, &expected);
            check_pair(kind, i % 2 == 0, frame, at, ball, expected, tolerance);
        }
    }
}

void test_contacts_of_every_kind_are_closed_forms(void**)
{
    ShapePointer sphere = make_sphere(static_cast<float>(RADIUS));
    abut::bullet::Shape ball(sphere.get());
    check_kinds(&ball, test_heavy_count(60), 3e-3);
}

void test_contacts_of_fields_with_every_kind_are_closed_forms(void**)
{
    ShapePointer sphere = make_sphere(static_cast<float>(RADIUS)), field = make_field(sphere.get(), 48);
    abut::bullet::Shape ball(field.get());
    check_kinds(&ball, test_heavy_count(20), 6e-3);
}

void test_scale_and_margin_are_those_of_the_solid(void**)
{
    ShapePointer sphere = make_sphere(static_cast<float>(0.5 * (RADIUS - 0.05)));
    abut::bullet::Shape ball(sphere.get());
    ball.setLocalScaling(btVector3(2, 2, 2));
    ball.setMargin(real(0.05));
    check_kinds(&ball, test_heavy_count(20), 3e-3);
    btVector3 low, high;
    ball.getAabb(frame_at(1, 2, 3), low, high);
    test_assert_near(low.x(), 1 - RADIUS, 1e-5);
    test_assert_near(high.z(), 3 + RADIUS, 1e-5);
}

/// A ball over a torus, whose distance is a closed form; both are abut's.
void test_contacts_of_two_abut_shapes_are_closed_forms(void**)
{
    ShapePointer torus = make_torus(0.6f, 0.2f), sphere = make_sphere(static_cast<float>(RADIUS));
    ShapePointer torus_field = make_field(torus.get(), 64), sphere_field = make_field(sphere.get(), 48);
    TestRandom random = { 2 };
    for (int fields = 0; fields < 2; ++fields)
    {
        abut::bullet::Shape ball(fields ? sphere_field.get() : sphere.get());
        abut::bullet::Shape ring(fields ? torus_field.get() : torus.get());
        Kind kind = { "torus", &ring,
                      [](const btVector3& p) {
                          return std::hypot(radial_y(p) - 0.6, static_cast<double>(p.y())) - 0.2;
                      },
                      true };
        for (int i = 0; i < test_heavy_count(100); ++i)
        {
            btTransform frame = random_frame(&random, 3.0);
            double expected;
            btTransform at = pose_near(&random, kind, frame, &expected);
            check_pair(kind, i % 2 == 0, frame, at, &ball, expected, fields ? 8e-3 : 3e-3);
        }
    }
}

/// A change of scaling or of dimensions is seen by the next test, and so is another shape at the address.
void test_changed_shapes_are_converted_again(void**)
{
    ShapePointer sphere = make_sphere(static_cast<float>(RADIUS));
    abut::bullet::Shape ball(sphere.get());
    btBoxShape box(btVector3(1, 1, 1));
    Kind kind = { "box", &box, [](const btVector3& p) { return box_distance(p.x(), p.y(), p.z(), 1, 1, 1); },
                  true };
    check_pair(kind, true, frame_at(0, 0, 0), frame_at(0, 1.2, 0), &ball, -0.05, 1e-3);
    box.setLocalScaling(btVector3(2, 2, 2));
    kind.distance = [](const btVector3& p) { return box_distance(p.x(), p.y(), p.z(), 2, 2, 2); };
    check_pair(kind, true, frame_at(0, 0, 0), frame_at(0, 2.2, 0), &ball, -0.05, 1e-3);
    for (int i = 1; i < 20; ++i) // often at one address
    {
        auto hull = std::make_unique<btConvexHullShape>();
        double half = 0.1 * i;
        for (int k = 0; k < 8; ++k)
        {
            hull->addPoint(btVector3(real(k & 1 ? 1 : -1), real(k & 2 ? half : -half), real(k & 4 ? 1 : -1)));
        }
        hull->setMargin(0);
        BulletWorld w;
        btCollisionObject a, b;
        a.setCollisionShape(&ball);
        b.setCollisionShape(hull.get());
        a.setWorldTransform(frame_at(0, half + 0.2, 0));
        TestPoints result;
        w.world.contactPairTest(&a, &b, result);
        assert_non_null(result.deepest());
        test_assert_near(result.deepest()->distance, -0.05, 1e-3);
    }
}

double deepest_of(const btPersistentManifold& manifold)
{
    double least = 1e9;
    for (int i = 0; i < manifold.getNumContacts(); ++i)
    {
        least = std::fmin(least, static_cast<double>(manifold.getContactPoint(i).getDistance()));
    }
    return least;
}

/// Vertices that are moved in place are seen after forget(), by existing pairs, too.
void test_forget_converts_again(void**)
{
    ShapePointer sphere = make_sphere(static_cast<float>(RADIUS));
    abut::bullet::Shape ball(sphere.get());
    btTriangleMesh triangles;
    triangles.addTriangle(btVector3(-9, 0, -9), btVector3(0, 0, 9), btVector3(9, 0, -9));
    btBvhTriangleMeshShape mesh(&triangles, true);
    mesh.setMargin(0);
    BulletWorld w;
    w.world.setGravity(btVector3(0, 0, 0));
    w.add(&mesh, 0, frame_at(0, 0, 0));
    w.add(&ball, 1, frame_at(0, 0.24, 0));
    w.world.performDiscreteCollisionDetection();
    assert_int_equal(w.dispatcher.getNumManifolds(), 1);
    test_assert_near(deepest_of(*w.dispatcher.getManifoldByIndexInternal(0)), -0.01, 1e-3);
    unsigned char* vertices;
    unsigned char* indices;
    int vertex_count, stride, index_stride, faces;
    PHY_ScalarType type, index_type;
    triangles.getLockedVertexIndexBase(&vertices, vertex_count, type, stride, &indices, index_stride, faces,
                                       index_type, 0);
    for (int i = 0; i < vertex_count; ++i)
    {
        reinterpret_cast<btScalar*>(vertices + i * stride)[1] = real(0.02);
    }
    triangles.unLockVertexBase(0);
    abut::bullet::forget(&mesh);
    w.world.performDiscreteCollisionDetection();
    test_assert_near(deepest_of(*w.dispatcher.getManifoldByIndexInternal(0)), -0.03, 1e-3);
}

} // namespace

int main()
{
    const CMUnitTest tests[] = {
        cmocka_unit_test(test_contacts_of_every_kind_are_closed_forms),
        cmocka_unit_test(test_contacts_of_fields_with_every_kind_are_closed_forms),
        cmocka_unit_test(test_scale_and_margin_are_those_of_the_solid),
        cmocka_unit_test(test_contacts_of_two_abut_shapes_are_closed_forms),
        cmocka_unit_test(test_changed_shapes_are_converted_again),
        cmocka_unit_test(test_forget_converts_again),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}

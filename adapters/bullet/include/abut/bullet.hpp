/// @file bullet.hpp abut's shapes inside of Bullet: any AbutShape as a collision shape, and a collision
/// algorithm for all pairs with it. docs/bullet.md has more. C++17; needs Bullet's headers. Bullet in
/// double is another library (abut::bullet_double), compiled with BT_USE_DOUBLE_PRECISION as Bullet itself.
///
///     abut::bullet::register_algorithms(&dispatcher);              // once per dispatcher
///     auto shape = std::make_unique<abut::bullet::Shape>(bunny);   // an AbutShape, of which it is an owner
///     shape->calculateLocalInertia(mass, inertia);                 // of the field
#ifndef ABUT_BULLET_HPP
#define ABUT_BULLET_HPP

#include <BulletCollision/CollisionDispatch/btCollisionDispatcher.h>
#include <BulletCollision/CollisionShapes/btConcaveShape.h>
#include <BulletDynamics/Dynamics/btActionInterface.h>
#include <abut/abut.h>
#include <memory>

class btRigidBody;

#if defined(__GNUC__)
#define ABUT_BULLET_API __attribute__((visibility("default")))
#else
#define ABUT_BULLET_API
#endif

// The two sizes of Bullet's numbers have different names for the linker: a mixture does not link.
#ifdef BT_USE_DOUBLE_PRECISION
#define ABUT_BULLET_REAL real64
#else
#define ABUT_BULLET_REAL real32
#endif

namespace abut::bullet
{
inline namespace ABUT_BULLET_REAL
{

class Solid;      // a shape as abut sees it
struct Triangles; // a surface for debug drawing

/// Any AbutShape as a shape of Bullet, for dynamic, kinematic and static bodies and as a child of compounds.
/// May be shared between bodies, worlds and threads. Rays, convex sweeps, contact tests and debug drawing are
/// those of other shapes; serialisation is refused with a message.
class ABUT_BULLET_API Shape : public btConcaveShape
{
  public:
    BT_DECLARE_ALIGNED_ALLOCATOR();

    /// Becomes one more owner of `shape`, which must not be NULL.
    explicit Shape(AbutShape* shape);
    ~Shape() override;
    Shape(const Shape&) = delete;
    Shape& operator=(const Shape&) = delete;

    const AbutShape* abut_shape() const;

    /// The shape with its scale and margin.
    const std::shared_ptr<const Solid>& solid() const;

    /// Volume, centre and inertia for density 1 at scale 1. False, with a message in abut_last_error(), for
    /// shapes without end and without a volume.
    bool mass(AbutMassData* out) const;

    /// Frame of the centre of mass and the principal axes, and the moments for `mass`: Bullet's bodies have
    /// their centre of mass at the origin and a diagonal inertia. False as mass().
    bool principal_frame(btScalar mass, btTransform* frame, btVector3* moments) const;

    /// Moments about the centre of mass along the axes of the shape, from the field; zero, with a message,
    /// where there is no volume.
    void calculateLocalInertia(btScalar mass, btVector3& inertia) const override;

    void getAabb(const btTransform& t, btVector3& aabb_min, btVector3& aabb_max) const override;

    /// One positive factor for all axes; others are refused with a message and change nothing.
    void setLocalScaling(const btVector3& scaling) override;
    const btVector3& getLocalScaling() const override;

    /// The solid is grown by the margin; default 0.
    void setMargin(btScalar margin) override;

    /// First hit of a ray or a convex sweep, for callbacks of these; triangles of the surface (48 cells along
    /// the longest side, made at the first call) for all others.
    void processAllTriangles(btTriangleCallback* callback, const btVector3& aabb_min,
                             const btVector3& aabb_max) const override;

    const char* getName() const override;
    int calculateSerializeBufferSize() const override;
    const char* serialize(void* data, btSerializer* serializer) const override;
    void serializeSingleShape(btSerializer* serializer) const override;

  private:
    struct Data;
    void update_solid();
    std::unique_ptr<Data> data_;
};

/// Registers the algorithm for all pairs with a Shape, in the matrix of contacts and in that of closest
/// points. Call it after the registrations of others (GImpact). Pairs of other shapes are as they were.
ABUT_BULLET_API void register_algorithms(btCollisionDispatcher* dispatcher);

/// Continuous collision for bodies that move by more than a small part of their size in a step, as bullets
/// and fast spins do: contacts before the touch stop most of them, but the first one may turn a body
/// through a thin wall within the same step. After each step this clamps the motions of pairs with a Shape
/// to their time of impact, by the velocities after the solver; the rest of the step is lost to that body.
/// Bullet's own continuous collision moves convex bodies alone.
///
///     abut::bullet::Continuous continuous;
///     world.addAction(&continuous); // remove it before it goes
class ABUT_BULLET_API Continuous : public btActionInterface
{
  public:
    Continuous();
    ~Continuous() override;
    Continuous(const Continuous&) = delete;
    Continuous& operator=(const Continuous&) = delete;

    void updateAction(btCollisionWorld* world, btScalar seconds) override;
    void debugDraw(btIDebugDraw*) override
    {
    }

    /// Motions clamped by the last step.
    int clamped_count() const
    {
        return clamped_count_;
    }

  private:
    struct Data;
    std::unique_ptr<Data> data_;
    int clamped_count_ = 0;
};

/// A shape of Bullet whose vertices were changed in place is converted again at its next new pair; this does
/// it for existing pairs, too. Any thread, but not during a step.
ABUT_BULLET_API void forget(const btCollisionShape* shape);

/// Receives messages: a Shape in a world without register_algorithms(), serialisation, shapes that cannot
/// collide. One line without a newline; any thread.
using MessageFn = void (*)(void* user, const char* message);

/// NULL is the default, which writes to stderr.
ABUT_BULLET_API void set_message_function(MessageFn function, void* user);

} // namespace ABUT_BULLET_REAL
} // namespace abut::bullet

#endif

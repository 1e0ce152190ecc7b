// `abut simulate --response bullet`: the bodies of a scene in a world of Bullet, with abut's shapes.
#include "simulate_engine.h"

#include <abut/bullet.hpp>
#include <btBulletDynamicsCommon.h>
#include <cmath>
#include <memory>
#include <vector>

namespace
{

/// Of the smallest body: a shape whose centre of mass is off its origin by less is not centered.
constexpr double CENTERED = 1e-5;

btScalar real(double value)
{
    return static_cast<btScalar>(value);
}

btVector3 to_bullet(AbutVec3 v)
{
    return btVector3(real(v.x), real(v.y), real(v.z));
}

AbutVec3 to_abut(const btVector3& v)
{
    return abut_vec3(static_cast<float>(v.x()), static_cast<float>(v.y()), static_cast<float>(v.z()));
}

AbutPosition to_position(const btVector3& v)
{
    return { static_cast<double>(v.x()), static_cast<double>(v.y()), static_cast<double>(v.z()) };
}

AbutQuat to_abut(const btQuaternion& q)
{
    AbutQuat out = { static_cast<float>(q.x()), static_cast<float>(q.y()), static_cast<float>(q.z()),
                     static_cast<float>(q.w()) };
    return abut_quat_normalize(out);
}

btTransform frame_of(const AbutPose& pose)
{
    btQuaternion rotation(real(pose.rotation.x), real(pose.rotation.y), real(pose.rotation.z),
                          real(pose.rotation.w));
    return btTransform(rotation.normalized(),
                       btVector3(real(pose.position.x), real(pose.position.y), real(pose.position.z)));
}

/// A shape of the scene for bodies of one kind and scale.
struct EngineShape
{
    uint32_t shape;
    bool is_dynamic;
    float scale;
    btTransform principal; // frame of the body in that of the scaled shape
    std::unique_ptr<abut::bullet::Shape> bullet;
};

/// Kinematic bodies are at the end of the step when it begins.
struct KinematicMotion : public btMotionState
{
    btTransform frame;

    void getWorldTransform(btTransform& out) const override
    {
        out = frame;
    }

    void setWorldTransform(const btTransform&) override
    {
    }
};

struct EngineBody
{
    const EngineShape* shape;
    std::unique_ptr<KinematicMotion> motion;
    std::unique_ptr<btRigidBody> body;
    std::unique_ptr<btTypedConstraint> joint; // of a body that turns about a fixed point
};

/// The scene in a world of Bullet. Groups and masks of abut have 32 bits; both sides have to agree in either
/// engine.
struct Engine
{
    const Scene* scene;
    SceneWorld* world;
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{ &configuration };
    btDbvtBroadphase broad;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld bullet{ &dispatcher, &broad, &solver, &configuration };
    std::vector<std::unique_ptr<EngineShape>> shapes;
    std::vector<EngineBody> bodies;
    std::vector<AbutWorldContact> contacts;
    abut::bullet::Continuous continuous;
    uint64_t steps = 0;

    Engine(const Scene* a_scene, SceneWorld* a_world) : scene(a_scene), world(a_world)
    {
        abut::bullet::register_algorithms(&dispatcher);
        bullet.setGravity(to_bullet(scene->gravity));
        bullet.addAction(&continuous);
        bullet.getSolverInfo().m_splitImpulsePenetrationThreshold = 0; // no energy from depths
    }

    ~Engine()
    {
        for (EngineBody& b : bodies)
        {
            if (b.joint != nullptr)
            {
                bullet.removeConstraint(b.joint.get());
            }
            bullet.removeRigidBody(b.body.get());
        }
        bullet.removeAction(&continuous);
    }
};

bool is_centered(const btTransform& frame, double size)
{
    return static_cast<double>(frame.getOrigin().length()) < CENTERED * size &&
           std::fabs(static_cast<double>(frame.getRotation().w())) > 1.0 - CENTERED;
}

/// The shape with its centre of mass at the origin and its principal axes along those of the frame.
bool make_centered(AbutShape* shape, EngineShape* out)
{
    AbutBox box = abut_shape_info(shape).bounds;
    btVector3 moments;
    out->bullet = std::make_unique<abut::bullet::Shape>(shape);
    if (!out->is_dynamic || !out->bullet->principal_frame(1, &out->principal, &moments))
    {
        return !out->is_dynamic;
    }
    if (is_centered(out->principal, static_cast<double>(abut_vec3_length(abut_box_extents(box)))))
    {
        out->principal.setIdentity();
        return true;
    }
    btTransform inverse = out->principal.inverse();
    AbutPose pose = abut_pose_identity();
    pose.position = to_position(inverse.getOrigin());
    pose.rotation = to_abut(inverse.getRotation());
    AbutShape* centered = nullptr;
    if (abut_shape_create_transformed(shape, &pose, nullptr, &centered) != ABUT_OK)
    {
        return false;
    }
    out->bullet = std::make_unique<abut::bullet::Shape>(centered);
    abut_shape_destroy(centered);
    return true;
}

const EngineShape* shape_of(Engine* engine, const SceneBody& body)
{
    bool is_dynamic = body.kind == ABUT_BODY_DYNAMIC;
    for (const auto& made : engine->shapes)
    {
        if (made->shape == body.shape && made->is_dynamic == is_dynamic && !(made->scale < body.pose.scale) &&
            !(made->scale > body.pose.scale))
        {
            return made.get();
        }
    }
    auto made = std::make_unique<EngineShape>();
    made->shape = body.shape;
    made->is_dynamic = is_dynamic;
    made->scale = body.pose.scale;
    made->principal.setIdentity();
    if (!make_centered(engine->world->shapes[body.shape], made.get()))
    {
        return nullptr;
    }
    btScalar scale = real(body.pose.scale);
    made->bullet->setLocalScaling(btVector3(scale, scale, scale));
    made->principal.getOrigin() *= scale;
    engine->shapes.push_back(std::move(made));
    return engine->shapes.back().get();
}

btVector3 free_axes(uint32_t locked, int first)
{
    btVector3 factor(1, 1, 1);
    for (int axis = 0; axis < 3; ++axis)
    {
        factor[axis] = (locked >> (first + axis) & 1u) != 0 ? btScalar(0) : btScalar(1);
    }
    return factor;
}

/// Locked axes are factors of Bullet, but for a body without any linear one: its solver takes it for static.
void lock_axes(uint32_t locked, EngineBody* out)
{
    out->body->setAngularFactor(free_axes(locked, 3));
    if ((locked & ABUT_LOCK_LINEAR) == ABUT_LOCK_LINEAR)
    {
        out->joint = std::make_unique<btPoint2PointConstraint>(*out->body, btVector3(0, 0, 0));
        return;
    }
    out->body->setLinearFactor(free_axes(locked, 0));
}

/// Bullet's thresholds of sleep are speeds of a metre; these are those of abut (docs/dynamics.md).
void set_sleep(const Engine& engine, const SceneBody& body, const EngineShape& shape, btRigidBody* out)
{
    btVector3 center;
    btScalar radius;
    shape.bullet->getBoundingSphere(center, radius);
    btScalar speed = real(engine.scene->sleep_speed) *
                     btSqrt(real(0.4) * to_bullet(engine.scene->gravity).length() * radius);
    out->setSleepingThresholds(speed, radius > 0 ? speed / radius : speed);
    if (body.never_sleeps || !(speed > 0))
    {
        out->setActivationState(DISABLE_DEACTIVATION);
    }
}

bool add_body(Engine* engine, uint32_t index)
{
    const SceneBody& def = engine->scene->bodies[index];
    AbutBodyState state = abut_body_state(engine->world->world, engine->world->bodies[index]);
    const EngineShape* shape = shape_of(engine, def);
    if (shape == nullptr)
    {
        return false;
    }
    bool is_dynamic = def.kind == ABUT_BODY_DYNAMIC;
    btScalar mass = is_dynamic ? real(state.mass) : 0;
    btVector3 inertia(0, 0, 0);
    if (is_dynamic)
    {
        shape->bullet->calculateLocalInertia(mass, inertia);
    }
    EngineBody made = { shape, nullptr, nullptr, nullptr };
    btTransform start = frame_of(state.pose) * shape->principal;
    if (def.kind == ABUT_BODY_KINEMATIC)
    {
        made.motion = std::make_unique<KinematicMotion>();
        made.motion->frame = start;
    }
    btRigidBody::btRigidBodyConstructionInfo info(mass, made.motion.get(), shape->bullet.get(), inertia);
    info.m_startWorldTransform = start;
    info.m_friction = btSqrt(real(def.material.friction)); // Bullet multiplies those of a pair
    info.m_restitution = real(def.material.restitution);
    made.body = std::make_unique<btRigidBody>(info);
    if (is_dynamic)
    {
        lock_axes(def.locked, &made);
    }
    made.body->setLinearVelocity(to_bullet(def.linear_velocity));
    made.body->setAngularVelocity(to_bullet(def.angular_velocity));
    if (made.motion != nullptr)
    {
        made.body->setCollisionFlags(made.body->getCollisionFlags() | btCollisionObject::CF_KINEMATIC_OBJECT);
        made.body->setActivationState(DISABLE_DEACTIVATION);
    }
    else if (is_dynamic)
    {
        set_sleep(*engine, def, *shape, made.body.get());
    }
    made.body->setUserIndex(static_cast<int>(index));
    engine->bullet.addRigidBody(made.body.get(), static_cast<int>(def.group), static_cast<int>(def.mask));
    if (made.joint != nullptr)
    {
        engine->bullet.addConstraint(made.joint.get());
    }
    engine->bodies.push_back(std::move(made));
    return true;
}

void move_kinematic(const Engine& engine, btScalar seconds)
{
    for (const EngineBody& b : engine.bodies)
    {
        if (b.motion != nullptr)
        {
            const SceneBody& def = engine.scene->bodies[b.body->getUserIndex()];
            btTransform next;
            btTransformUtil::integrateTransform(b.motion->frame, to_bullet(def.linear_velocity),
                                                to_bullet(def.angular_velocity), seconds, next);
            b.motion->frame = next;
        }
    }
}

/// Poses and velocities into the world of abut.
AbutResult write_bodies(const Engine& engine)
{
    AbutResult result = ABUT_OK;
    for (size_t i = 0; i < engine.bodies.size() && result == ABUT_OK; ++i)
    {
        const EngineBody& b = engine.bodies[i];
        AbutBodyId id = engine.world->bodies[i];
        if (engine.scene->bodies[i].kind == ABUT_BODY_STATIC)
        {
            continue;
        }
        btTransform frame = b.body->getWorldTransform() * b.shape->principal.inverse();
        AbutPose pose = abut_body_state(engine.world->world, id).pose;
        pose.position = to_position(frame.getOrigin());
        pose.rotation = to_abut(frame.getRotation());
        result = abut_body_set_pose(engine.world->world, id, &pose);
        result = result == ABUT_OK
                     ? abut_body_set_velocity(engine.world->world, id, to_abut(b.body->getLinearVelocity()),
                                              to_abut(b.body->getAngularVelocity()))
                     : result;
    }
    return result;
}

void collect_contacts(Engine* engine, AbutStepReport* report)
{
    engine->contacts.clear();
    for (int m = 0; m < engine->dispatcher.getNumManifolds(); ++m)
    {
        const btPersistentManifold* manifold = engine->dispatcher.getManifoldByIndexInternal(m);
        report->touching_pair_count += manifold->getNumContacts() > 0 ? 1u : 0u;
        for (int i = 0; i < manifold->getNumContacts(); ++i)
        {
            const btManifoldPoint& p = manifold->getContactPoint(i);
            AbutWorldContact contact = {};
            contact.a = engine->world->bodies[manifold->getBody0()->getUserIndex()];
            contact.b = engine->world->bodies[manifold->getBody1()->getUserIndex()];
            contact.position = to_position((p.m_positionWorldOnA + p.m_positionWorldOnB) * real(0.5));
            contact.normal = to_abut(p.m_normalWorldOnB);
            contact.separation = static_cast<float>(p.getDistance());
            contact.normal_impulse = static_cast<float>(p.getAppliedImpulse());
            engine->contacts.push_back(contact);
            report->max_penetration = std::fmax(report->max_penetration, -contact.separation);
        }
    }
    report->contact_count = static_cast<uint32_t>(engine->contacts.size());
}

void add_energies(const Engine& engine, AbutStepReport* report)
{
    for (const EngineBody& b : engine.bodies)
    {
        if (b.body->isStaticOrKinematicObject())
        {
            continue;
        }
        double mass = 1.0 / static_cast<double>(b.body->getInvMass());
        btVector3 v = b.body->getLinearVelocity(), w = b.body->getAngularVelocity();
        btVector3 local = b.body->getWorldTransform().getBasis().transpose() * w;
        report->kinetic_energy += 0.5 * mass * static_cast<double>(v.length2()) +
                                  0.5 * static_cast<double>((local * local).dot(b.body->getLocalInertia()));
        report->potential_energy -=
            mass * static_cast<double>(
                       to_bullet(engine.scene->gravity).dot(b.body->getWorldTransform().getOrigin()));
        report->awake_count += b.body->isActive() ? 1u : 0u;
    }
}

AbutResult step(void* state, AbutStepReport* report)
{
    Engine* engine = static_cast<Engine*>(state);
    double seconds = engine->scene->step / engine->scene->substeps;
    *report = AbutStepReport();
    report->step = ++engine->steps;
    report->time = static_cast<double>(engine->steps) * engine->scene->step;
    for (uint32_t i = 0; i < engine->scene->substeps; ++i)
    {
        move_kinematic(*engine, real(seconds));
        engine->bullet.stepSimulation(real(seconds), 0, real(seconds));
    }
    report->pair_count =
        static_cast<uint32_t>(engine->broad.getOverlappingPairCache()->getNumOverlappingPairs());
    collect_contacts(engine, report);
    add_energies(*engine, report);
    return write_bodies(*engine);
}

const AbutWorldContact* contacts(void* state, size_t* count)
{
    const Engine* engine = static_cast<Engine*>(state);
    *count = engine->contacts.size();
    return engine->contacts.data();
}

bool is_asleep(const void* state, uint32_t body)
{
    return !static_cast<const Engine*>(state)->bodies[body].body->isActive();
}

void destroy(void* state)
{
    delete static_cast<Engine*>(state);
}

} // namespace

extern "C" AbutResult simulate_engine_bullet(const Scene* scene, SceneWorld* world, SimulateEngine* out)
{
    auto engine = std::make_unique<Engine>(scene, world);
    for (uint32_t i = 0; i < scene->body_count; ++i)
    {
        if (!add_body(engine.get(), i))
        {
            return ABUT_INVALID_ARGUMENT;
        }
    }
    *out = { engine.release(), step, contacts, is_asleep, destroy };
    return ABUT_OK;
}

// The collision algorithm of pairs with a Shape.
#ifndef ABUT_BULLET_ALGORITHM_HPP
#define ABUT_BULLET_ALGORITHM_HPP

#include <BulletCollision/BroadphaseCollision/btCollisionAlgorithm.h>
#include <BulletCollision/CollisionDispatch/btCollisionCreateFunc.h>
#include <abut/bullet.hpp>

namespace abut::bullet
{
inline namespace ABUT_BULLET_REAL
{

struct PairState;

/// One pair of objects, or of children of compounds. Small: Bullet's pool has elements of a fixed size.
class Algorithm : public btCollisionAlgorithm
{
  public:
    explicit Algorithm(const btCollisionAlgorithmConstructionInfo& info);
    ~Algorithm() override;

    void processCollision(const btCollisionObjectWrapper* body_a, const btCollisionObjectWrapper* body_b,
                          const btDispatcherInfo& info, btManifoldResult* result) override;

    /// Fast bodies have contacts before they touch (docs/bullet.md); Bullet itself does not call this.
    btScalar calculateTimeOfImpact(btCollisionObject* body_a, btCollisionObject* body_b,
                                   const btDispatcherInfo& info, btManifoldResult* result) override;

    void getAllContactManifolds(btManifoldArray& manifolds) override;

  private:
    PairState* state_;
    btPersistentManifold* manifold_;
    bool owns_manifold_;
};

struct AlgorithmFactory : public btCollisionAlgorithmCreateFunc
{
    btCollisionAlgorithm* CreateCollisionAlgorithm(btCollisionAlgorithmConstructionInfo& info,
                                                   const btCollisionObjectWrapper* body_a,
                                                   const btCollisionObjectWrapper* body_b) override;
};

} // namespace ABUT_BULLET_REAL
} // namespace abut::bullet

#endif

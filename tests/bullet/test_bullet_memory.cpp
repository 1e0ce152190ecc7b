// Steps of a warm world allocate nothing on the side of abut: every allocation of the process is counted but
// those of Bullet itself.
#include "bullet_test.hpp"

#include <atomic>
#include <cerrno>
#include <cstdlib>

#if defined(__GLIBC__) && !TEST_IS_SANITIZED

extern "C" {
void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* memory, size_t size);
void* __libc_memalign(size_t alignment, size_t size);
}

namespace
{
std::atomic<int> allocations{ 0 };
} // namespace

extern "C" {

void* malloc(size_t size)
{
    allocations.fetch_add(1);
    return __libc_malloc(size);
}

void* calloc(size_t count, size_t size)
{
    allocations.fetch_add(1);
    return __libc_calloc(count, size);
}

void* realloc(void* memory, size_t size)
{
    allocations.fetch_add(1);
    return __libc_realloc(memory, size);
}

void* aligned_alloc(size_t alignment, size_t size)
{
    allocations.fetch_add(1);
    return __libc_memalign(alignment, size);
}

int posix_memalign(void** memory, size_t alignment, size_t size)
{
    allocations.fetch_add(1);
    *memory = __libc_memalign(alignment, size);
    return *memory != nullptr ? 0 : ENOMEM;
}
}

namespace
{

void* allocate_for_bullet(size_t size)
{
    return __libc_malloc(size);
}

/// Rings of fields and a box of Bullet on a box of abut: they touch, roll and come to rest.
void test_a_warm_step_allocates_nothing(void**)
{
    btAlignedAllocSetCustom(allocate_for_bullet, std::free);
    ShapePointer torus = make_torus(0.35f, 0.15f), field = make_field(torus.get(), 40);
    ShapePointer floor = make_box(abut_vec3(20, 1, 20));
    {
        abut::bullet::Shape ring(field.get()), ground(floor.get());
        btBoxShape box(btVector3(real(0.2), real(0.2), real(0.2)));
        abut::bullet::Continuous continuous;
        BulletWorld w;
        w.world.addAction(&continuous);
        w.add(&ground, 0, frame_at(0, -0.5, 0));
        TestRandom random = { 3 };
        for (int i = 0; i < 6; ++i)
        {
            btTransform at = random_frame(&random, 0.1);
            at.getOrigin() += btVector3(0, real(0.5 + 0.5 * i), 0);
            btCollisionShape* shape = i % 3 == 2 ? static_cast<btCollisionShape*>(&box) : &ring;
            w.add(shape, 1, at)->setActivationState(DISABLE_DEACTIVATION);
        }
        int before = allocations.load();
        w.step(150);
        assert_true(allocations.load() > before); // the count works: pairs are new
        before = allocations.load();
        w.step(60);
        assert_int_equal(allocations.load(), before);
        w.world.removeAction(&continuous);
    }
}

} // namespace

#else

namespace
{

void test_a_warm_step_allocates_nothing(void**)
{
    skip(); // no count of allocations here
}

} // namespace

#endif

int main()
{
    const CMUnitTest tests[] = {
        cmocka_unit_test(test_a_warm_step_allocates_nothing),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}

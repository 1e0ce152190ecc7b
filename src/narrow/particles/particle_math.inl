// Starts and steps of particles (narrow/particles/kernels.h): C and GLSL (simd/vec_math.inl).
#ifndef ABUT_NARROW_PARTICLES_PARTICLE_MATH_INL
#define ABUT_NARROW_PARTICLES_PARTICLE_MATH_INL

WIDE_STRUCT(WideParticle)
{
    WideVec at;
    WideMask arrived;
};

/// The next position of a particle, or that at which it has arrived.
KERNEL_INLINE WideParticle particle_step(WideVec at, WideSample a, WideSample b, Wide epsilon,
                                         Wide relaxation)
{
    WideParticle particle;
    particle.arrived = wide_and(wide_less(a.distance, epsilon), wide_less(b.distance, epsilon));
    WideSample larger = choose_sample(wide_less(a.distance, b.distance), b, a);
    Wide step_length = wide_mul(relaxation, larger.distance);
    particle.at = select3(particle.arrived, at, sub3(at, scale3(larger.gradient, step_length)));
    return particle;
}

#endif

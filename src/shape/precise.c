// Primitives in double, for shapes that are large or far away.
#include "shape/precise.h"

#include "simd/wide_precise.h"

#define KERNEL_INLINE static inline

#include "simd/vec_lanes.inl"

#include "shape/primitive_lanes.inl"

static WideVec into_frame(const AbutTransform* frame, AbutPoints points, size_t i)
{
    AbutDVec3 p = abut_transform_inverse_point(frame, abut_dvec3(points.x[i], points.y[i], points.z[i]));
    return (WideVec){ p.x, p.y, p.z };
}

static inline void sample(WidePrimitiveFn* formula, const double* parameters, const AbutTransform* frame,
                          AbutPoints points, size_t count, AbutSamples out)
{
    for (size_t i = 0; i < count; ++i)
    {
        WideSample s = formula(parameters, into_frame(frame, points, i));
        out.distance[i] = (float)(s.distance * frame->scale);
        if (out.gradient_x != NULL)
        {
            bool number = s.distance == s.distance;
            WideVec g = number ? s.gradient : (WideVec){ s.distance, s.distance, s.distance };
            AbutVec3 gradient = abut_dvec3_to_vec3(abut_transform_rotate(frame, abut_dvec3(g.x, g.y, g.z)));
            out.gradient_x[i] = gradient.x;
            out.gradient_y[i] = gradient.y;
            out.gradient_z[i] = gradient.z;
        }
    }
}

#define PRECISE_KERNEL(name)                                                                                 \
    void abut_precise_##name(const double parameters[ABUT_KERNEL_PARAMETERS], const AbutTransform* frame,    \
                             AbutPoints points, size_t count, AbutSamples out)                               \
    {                                                                                                        \
        sample(name##_formula, parameters, frame, points, count, out);                                       \
    }

PRECISE_KERNEL(sphere)
PRECISE_KERNEL(rounded_box)
PRECISE_KERNEL(capsule)
PRECISE_KERNEL(cylinder)
PRECISE_KERNEL(cone)
PRECISE_KERNEL(torus)
PRECISE_KERNEL(plane)

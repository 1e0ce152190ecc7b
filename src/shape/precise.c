// Primitives in double, for shapes that are large or far away.
#include "shape/precise.h"

#include "simd/wide_precise.h"

#define KERNEL_INLINE static inline

#include "simd/vec_lanes.inl"

#include "shape/primitive_lanes.inl"

static WideVec into_frame(const AbutTransform* frame, AbutPoints points, size_t i)
{
    const double(*r)[3] = frame->rotation.m;
    double x = (double)points.x[i] - frame->translation.x, y = (double)points.y[i] - frame->translation.y,
           z = (double)points.z[i] - frame->translation.z;
    return (WideVec){ (r[0][0] * x + r[1][0] * y + r[2][0] * z) / frame->scale,
                      (r[0][1] * x + r[1][1] * y + r[2][1] * z) / frame->scale,
                      (r[0][2] * x + r[1][2] * y + r[2][2] * z) / frame->scale };
}

static float rotated(const double row[3], WideVec v)
{
    return (float)(row[0] * v.x + row[1] * v.y + row[2] * v.z);
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
            out.gradient_x[i] = rotated(frame->rotation.m[0], g);
            out.gradient_y[i] = rotated(frame->rotation.m[1], g);
            out.gradient_z[i] = rotated(frame->rotation.m[2], g);
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

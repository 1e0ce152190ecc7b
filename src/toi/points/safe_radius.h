/// @file safe_radius.h
/// The radius around a sample of a shape in which abut_shape_sample() is proved to keep its sign.
///
/// A shape's samples change by its slope at most. Samples of a field are also within its error of a distance,
/// which has slope 1: that is better for large distances. Where a sparse field changes from bricks to its
/// coarse level samples jump, by the errors of both; where its sign is in doubt they are steep. There the
/// bounds of the bricks around apply.
#ifndef ABUT_TOI_POINTS_SAFE_RADIUS_H
#define ABUT_TOI_POINTS_SAFE_RADIUS_H

#include <abut/shape.h>

typedef struct AbutSafeRadius
{
    const AbutShape* shape;
    double slope;                    // of samples, where they do not jump
    double far_slope;                // of the distance that they approximate
    double far_error;                // twice the error: of this sample and of the other one
    double per_slope, per_far_slope; // inverses; 0 where nothing is proved
    double size;                     // of the shape's coordinates
    bool is_local;                   // a field with weak bounds as a whole
} AbutSafeRadius;

AbutSafeRadius abut_safe_radius_make(const AbutShape* shape);

/// Rounding of a sample in float at a point with the sum of coordinates `position`.
double abut_safe_radius_rounding(const AbutSafeRadius* safe_radius, double position, double sample);

/// Radius around a point with the sample `sample` in which all samples are over 0; 0 where nothing is proved.
double abut_safe_radius_outside(const AbutSafeRadius* safe_radius, const float at[3], float sample);

/// Radius in which all samples have the same sign.
double abut_safe_radius_same_sign(const AbutSafeRadius* safe_radius, const float at[3], float sample);

/// The same for many points.
void abut_safe_radius_same_sign_all(const AbutSafeRadius* safe_radius, AbutPoints points,
                                    const float* samples, size_t count, double* out);

#endif

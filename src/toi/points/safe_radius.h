/// @file safe_radius.h
/// How far around a sample of a shape no sample is solid: what is proved of what abut_shape_sample() answers.
///
/// A shape's samples change by its slope at most. Samples of a field are also within its error of a distance, which changes by 1:
/// that reaches further when the distance is large. Where a sparse field changes from bricks to its coarse level samples jump, by the
/// errors of both; where its sign is in doubt they are steep. There the bounds of the bricks around say what holds.
#ifndef ABUT_TOI_POINTS_SAFE_RADIUS_H
#define ABUT_TOI_POINTS_SAFE_RADIUS_H

#include <abut/shape.h>

typedef struct AbutSafeRadius
{
    const AbutShape* shape;
    double slope;                    // of samples, where they do not jump
    double far_slope;                // of what they are near
    double far_error;                // twice: of the sample, and of the one that is asked for
    double per_slope, per_far_slope; // 1 over them; 0 where nothing is proved
    double size;                     // of the shape's coordinates
    bool is_local;                   // a field of which too little is proved as a whole
} AbutSafeRadius;

AbutSafeRadius abut_safe_radius_make(const AbutShape* shape);

/// Rounding of a sample in float at a point that is `position` from the origin.
double abut_safe_radius_rounding(const AbutSafeRadius* safe_radius, double position, double sample);

/// No sample within this distance of the point, where the sample is `sample`, is 0 or less. 0 where nothing is proved.
double abut_safe_radius_outside(const AbutSafeRadius* safe_radius, const float at[3], float sample);

/// No sample within this distance has another sign.
double abut_safe_radius_same_sign(const AbutSafeRadius* safe_radius, const float at[3], float sample);

/// The same for many points.
void abut_safe_radius_same_sign_all(const AbutSafeRadius* safe_radius, AbutPoints points,
                                    const float* samples, size_t count, double* out);

#endif

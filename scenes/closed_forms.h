/// @file closed_forms.h (internal to scenes)
/// How far two solids are apart, in double, from their definitions. Negative: they overlap, and the shortest
/// move that parts them is that long, or longer where it is said so.
#ifndef ABUT_SCENES_CLOSED_FORMS_H
#define ABUT_SCENES_CLOSED_FORMS_H

#include "scenes/double3.h"

/// Between a box about the origin, with these half sides, and a point; negative inside.
double scene_box_distance(Double3 half, Double3 p);

/// Between two boxes, the second one posed.
double scene_box_box_gap(Double3 half_a, Double3 half_b, const SceneRigid* b);

/// Between a box and a posed capsule along y. Where the capsule's axis is in the box they overlap by more
/// than is said.
double scene_box_capsule_gap(Double3 half, double radius, double length, const SceneRigid* b);

/// Between two circles of this radius around y, the second one posed.
double scene_circle_circle_distance(double radius, const SceneRigid* b);

/// Between the segments p0 p1 and q0 q1.
double scene_segment_segment_distance(Double3 p0, Double3 p1, Double3 q0, Double3 q1);

#endif

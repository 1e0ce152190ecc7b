/// @file segments.h
/// Segments that are hard to get right, and when they first touch: by samples close to each other and
/// bisection, in double.
#ifndef ABUT_TEST_SEGMENTS_H
#define ABUT_TEST_SEGMENTS_H

#include "support/support.h"

/// What the reference asks: a distance at a place.
typedef struct TestFunction
{
    double (*distance)(const void* user, const double at[3]);
    const void* user;
} TestFunction;

/// What abut_shape_sample() answers, for any shape.
TestFunction test_sampled_function(const AbutShape* shape);

/// A dense field of order 0, read by abut_field_read_nodes() and blended in double; outside as field.h says.
typedef struct TestGrid
{
    float* nodes;
    uint32_t count[3];
    double origin[3], cell;
} TestGrid;

TestGrid test_grid_read(const AbutShape* field);
void test_grid_free(TestGrid* grid);
TestFunction test_grid_function(const TestGrid* grid);

/// Kinds of segments; the field says where grid planes are, and which box is crossed.
typedef enum TestSegmentKind
{
    TEST_SEGMENT_LONG,    ///< between any two places of twice the box
    TEST_SEGMENT_SHORT,   ///< of two percent of the box, in it
    TEST_SEGMENT_THROUGH, ///< both ends outside of the box, through it
    TEST_SEGMENT_GRAZING, ///< along the surface, within 1e-5 of it
    TEST_SEGMENT_PLANES,  ///< in a plane of the grid, or nudged out of it
    TEST_SEGMENT_NODES,   ///< from node to node of the grid, or nudged
    TEST_SEGMENT_KINDS
} TestSegmentKind;

extern const char* const test_segment_kind_names[TEST_SEGMENT_KINDS];

typedef struct TestSegment
{
    AbutVec3 from, to;
} TestSegment;

/// `box` and `cell` are those of the grid.
TestSegment test_make_segment(TestRandom* random, TestSegmentKind kind, TestFunction function, float iso,
                              AbutBox box, double cell);

/// Value at a time.
double test_segment_value(TestFunction function, const TestSegment* segment, double time);

/// The first time with f ≤ iso among times 1/samples apart, brought back to the crossing by bisection; 2 when
/// there is none. The truth is not later.
double test_segment_first(TestFunction function, const TestSegment* segment, double iso, int samples);

#endif

// Scores of contacts that may be added to a reduced set (contact/kernels.h).
#ifndef ABUT_CONTACT_REDUCE_KERNELS_INL
#define ABUT_CONTACT_REDUCE_KERNELS_INL

#include "contact/kernels.h"
#include "simd/lanes.inl"
#include "simd/wide_double.h"

KERNEL_INLINE WideDouble reduce_load(const double* p)
{
    WideDouble value;
    memcpy(&value, p, sizeof(value));
    return value;
}

/// 1 + weight · φᵀ M⁻¹ φ
KERNEL_INLINE WideDouble reduce_spread(const AbutReduceLanes* lanes, const AbutReduceSelection* selection,
                                       int i)
{
    WideDouble feature[ABUT_REDUCE_FEATURES], square = { 0 };
    for (int row = 0; row < ABUT_REDUCE_FEATURES; ++row)
    {
        feature[row] = reduce_load(lanes->feature[row] + i);
    }
    for (int row = 0; row < ABUT_REDUCE_FEATURES; ++row)
    {
        WideDouble product = { 0 };
        for (int column = row + 1; column < ABUT_REDUCE_FEATURES; ++column)
        {
            product += selection->inverse[row][column] * feature[column];
        }
        square += feature[row] * (selection->inverse[row][row] * feature[row] + (product + product));
    }
    return 1.0 + reduce_load(lanes->weight + i) * square;
}

typedef struct ChoiceSums
{
    double mean_square, along, square; // m · m, m · w, w · w
} ChoiceSums;

/// s² / (s² + penalty · |m s − w − p|²), which is 1 / (1 + penalty · change²): with the mean wrench m of all
/// contacts, the wrench w of the selection and p of the contact, and s the size of both.
KERNEL_INLINE WideDouble reduce_wrench_change(const AbutReduceLanes* lanes,
                                              const AbutReduceSelection* selection, const ChoiceSums* sums,
                                              double penalty, int i)
{
    WideDouble both = { 0 };
    for (int row = 0; row < ABUT_REDUCE_WRENCH; ++row)
    {
        both += selection->force_torque[row] * reduce_load(lanes->force_torque[row] + i);
    }
    WideDouble size = selection->size + reduce_load(lanes->size + i), squared = size * size;
    WideDouble along = sums->along + reduce_load(lanes->along + i);
    WideDouble change = sums->mean_square * squared - (size + size) * along + sums->square + (both + both) +
                        reduce_load(lanes->square + i);
    return squared / (squared + penalty * change);
}

static void reduce_kernel(const AbutReduceLanes* lanes, const AbutReduceSelection* selection,
                          const double mean[ABUT_REDUCE_WRENCH], double penalty,
                          double score[ABUT_REDUCE_LANES])
{
    ChoiceSums sums = { 0.0, 0.0, 0.0 };
    for (int row = 0; row < ABUT_REDUCE_WRENCH; ++row)
    {
        sums.mean_square += mean[row] * mean[row];
        sums.along += mean[row] * selection->force_torque[row];
        sums.square += selection->force_torque[row] * selection->force_torque[row];
    }
    for (int i = 0; i < ABUT_REDUCE_LANES; i += WIDE_DOUBLES)
    {
        WideDouble value =
            reduce_spread(lanes, selection, i) * reduce_wrench_change(lanes, selection, &sums, penalty, i);
        memcpy(score + i, &value, sizeof(value));
    }
}

#endif

// Scores of contacts that may be added to a reduced set (contact/kernels.h).
#ifndef ABUT_CONTACT_REDUCE_KERNELS_INL
#define ABUT_CONTACT_REDUCE_KERNELS_INL

#include "contact/kernels.h"
#include "simd/lanes.inl"
#include "simd/wide_double.h"

KERNEL_INLINE WideDouble choice_load(const double* p)
{
    WideDouble value;
    memcpy(&value, p, sizeof(value));
    return value;
}

/// 1 + weight · φᵀ M⁻¹ φ
KERNEL_INLINE WideDouble choice_widen(const AbutChoiceLanes* lanes, const AbutChoice* choice, int i)
{
    WideDouble feature[ABUT_CHOICE_FEATURES], square = { 0 };
    for (int row = 0; row < ABUT_CHOICE_FEATURES; ++row)
    {
        feature[row] = choice_load(lanes->feature[row] + i);
    }
    for (int row = 0; row < ABUT_CHOICE_FEATURES; ++row)
    {
        WideDouble product = { 0 };
        for (int column = row + 1; column < ABUT_CHOICE_FEATURES; ++column)
        {
            product += choice->inverse[row][column] * feature[column];
        }
        square += feature[row] * (choice->inverse[row][row] * feature[row] + (product + product));
    }
    return 1.0 + choice_load(lanes->weight + i) * square;
}

typedef struct ChoiceSums
{
    double mean_square, along, square; // m · m, m · w, w · w
} ChoiceSums;

/// s² / (s² + penalty · |m s − w − p|²), which is 1 / (1 + penalty · change²): with the mean m of all contacts, the push w of the choice and that p of
/// the contact, and s the size of both.
KERNEL_INLINE WideDouble choice_keep(const AbutChoiceLanes* lanes, const AbutChoice* choice,
                                     const ChoiceSums* sums, double penalty, int i)
{
    WideDouble both = { 0 };
    for (int row = 0; row < ABUT_CHOICE_PUSHES; ++row)
    {
        both += choice->push[row] * choice_load(lanes->push[row] + i);
    }
    WideDouble size = choice->size + choice_load(lanes->size + i), squared = size * size;
    WideDouble along = sums->along + choice_load(lanes->along + i);
    WideDouble change = sums->mean_square * squared - (size + size) * along + sums->square + (both + both) +
                        choice_load(lanes->square + i);
    return squared / (squared + penalty * change);
}

static void choice_kernel(const AbutChoiceLanes* lanes, const AbutChoice* choice,
                          const double mean[ABUT_CHOICE_PUSHES], double penalty,
                          double score[ABUT_CHOICE_LANES])
{
    ChoiceSums sums = { 0.0, 0.0, 0.0 };
    for (int row = 0; row < ABUT_CHOICE_PUSHES; ++row)
    {
        sums.mean_square += mean[row] * mean[row];
        sums.along += mean[row] * choice->push[row];
        sums.square += choice->push[row] * choice->push[row];
    }
    for (int i = 0; i < ABUT_CHOICE_LANES; i += WIDE_DOUBLES)
    {
        WideDouble value = choice_widen(lanes, choice, i) * choice_keep(lanes, choice, &sums, penalty, i);
        memcpy(score + i, &value, sizeof(value));
    }
}

#endif

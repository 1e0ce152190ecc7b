/// @file kernels.h
/// How much better a choice of contacts becomes by each of sixteen: see contact/reduce.c for what the numbers are.
#ifndef ABUT_CONTACT_KERNELS_H
#define ABUT_CONTACT_KERNELS_H

#include "simd/dispatch.h"

enum
{
    ABUT_CHOICE_LANES = 16,
    ABUT_CHOICE_FEATURES = 7, // 1, normal, place
    ABUT_CHOICE_PUSHES = 6    // force, torque
};

/// Contacts side by side.
typedef struct AbutChoiceLanes
{
    double feature[ABUT_CHOICE_FEATURES][ABUT_CHOICE_LANES]; // φ
    double push[ABUT_CHOICE_PUSHES][ABUT_CHOICE_LANES];
    double size[ABUT_CHOICE_LANES];   // of the force
    double weight[ABUT_CHOICE_LANES]; // of φ φᵀ
    double along[ABUT_CHOICE_LANES];  // push · the mean push of all contacts
    double square[ABUT_CHOICE_LANES]; // push · push
} AbutChoiceLanes;

/// Contacts that are chosen.
typedef struct AbutChoice
{
    double inverse[ABUT_CHOICE_FEATURES][ABUT_CHOICE_FEATURES]; // M⁻¹, symmetric
    double push[ABUT_CHOICE_PUSHES];                            // the sum of theirs
    double size;
} AbutChoice;

/// (1 + weight · φᵀ M⁻¹ φ) / (1 + penalty · change²), where the change is that of the mean push of all contacts, `mean`, to that of the choice
/// with the contact.
typedef void AbutChoiceKernel(const AbutChoiceLanes* lanes, const AbutChoice* choice,
                              const double mean[ABUT_CHOICE_PUSHES], double penalty,
                              double score[ABUT_CHOICE_LANES]);

typedef struct AbutReduceKernels
{
    AbutChoiceKernel* score;
} AbutReduceKernels;

ABUT_KERNELS(AbutReduceKernels, abut_reduce_kernels)

#endif

/// @file kernels.h
/// Scores of sixteen contacts for a reduced set; contact/reduce.c defines the terms.
#ifndef ABUT_CONTACT_KERNELS_H
#define ABUT_CONTACT_KERNELS_H

#include "simd/dispatch.h"

enum
{
    ABUT_REDUCE_LANES = 16,
    ABUT_REDUCE_FEATURES = 7, // 1, normal, tangential offset
    ABUT_REDUCE_WRENCH = 6    // force, torque
};

/// Contacts side by side.
typedef struct AbutReduceLanes
{
    double feature[ABUT_REDUCE_FEATURES][ABUT_REDUCE_LANES]; // φ
    double force_torque[ABUT_REDUCE_WRENCH][ABUT_REDUCE_LANES];
    double size[ABUT_REDUCE_LANES];   // of the force
    double weight[ABUT_REDUCE_LANES]; // of φ φᵀ
    double along[ABUT_REDUCE_LANES];  // wrench · mean wrench of all contacts
    double square[ABUT_REDUCE_LANES]; // wrench · wrench
} AbutReduceLanes;

/// The selected contacts.
typedef struct AbutReduceSelection
{
    double inverse[ABUT_REDUCE_FEATURES][ABUT_REDUCE_FEATURES]; // M⁻¹, symmetric
    double force_torque[ABUT_REDUCE_WRENCH];                    // the sum of their wrenches
    double size;
} AbutReduceSelection;

/// (1 + weight · φᵀ M⁻¹ φ) / (1 + penalty · change²), with the change from the mean wrench of all contacts,
/// `mean`, to that of the selection with the contact.
typedef void AbutReduceKernel(const AbutReduceLanes* lanes, const AbutReduceSelection* selection,
                              const double mean[ABUT_REDUCE_WRENCH], double penalty,
                              double score[ABUT_REDUCE_LANES]);

typedef struct AbutReduceKernels
{
    AbutReduceKernel* score;
} AbutReduceKernels;

ABUT_KERNELS(AbutReduceKernels, abut_reduce_kernels)

#endif

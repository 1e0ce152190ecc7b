/// @file report.h
/// The report of a step.
#ifndef ABUT_DYNAMICS_REPORT_H
#define ABUT_DYNAMICS_REPORT_H

#include <abut/dynamics.h>

/// Counts, energies and penetration depths at the end of a step.
void abut_report_measure(AbutWorld* world, AbutStepReport* report);

#endif

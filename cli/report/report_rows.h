/// @file report_rows.h
/// Rows of a report for people: a name, then what is to be said.
#ifndef ABUT_CLI_REPORT_ROWS_H
#define ABUT_CLI_REPORT_ROWS_H

#include <abut/math.h>

void print_row(const char* name, const char* format, ...) ABUT_PRINTF(2, 3);
void print_bounds(AbutBox box);
void print_mass(const AbutMassData* mass);

#endif

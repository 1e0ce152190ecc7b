/// @file device_report.h
/// The list of `abut info --devices`, and devices of the option --device.
#ifndef ABUT_CLI_DEVICE_REPORT_H
#define ABUT_CLI_DEVICE_REPORT_H

#include "command.h"

#define DEVICE_HELP                                                                                          \
    "cpu (default), gpu: the best device, or an index or a part of a\n"                                      \
    "name of abut info --devices; the answer has the same bytes"

/// Lists all devices with the verdicts of their self-tests.
ExitCode device_report(bool json);

/// The device of an option; NULL for "cpu" and where it was not given. @return false after a message.
bool device_open(const char* option, const AbutHost* host, AbutDevice** out);

#endif

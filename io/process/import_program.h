/// @file import_program.h
/// Where abut-import is, the program that reads the formats of others.
#ifndef ABUT_IO_IMPORT_PROGRAM_H
#define ABUT_IO_IMPORT_PROGRAM_H

#include <abut/base.h>
#include <limits.h>

#if !defined(PATH_MAX)
#define PATH_MAX 4096
#endif

/// In this order: `chosen` when it is not NULL; what the environment variable ABUT_IMPORT names; beside the
/// program that runs; where the installed tree has it, as seen from that program and from this library; where
/// it was meant to be installed. The first two are taken without a look, the others when they can be
/// executed.
/// @return ABUT_UNSUPPORTED with a message when there is none
AbutResult abut_io_import_program(const char* name, const char* chosen, char out[PATH_MAX]);

#endif

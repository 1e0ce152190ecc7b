/// @file spool.h
/// Bytes that wait on disk until they are read: a file without a name, so that nothing of it is left however
/// the program ends.
#ifndef ABUT_CLI_SPOOL_H
#define ABUT_CLI_SPOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Spool
{
    char* path;     ///< of the file beside it, for messages; NULL: not open
    int descriptor; ///< of the file
    uint64_t size;  ///< bytes in it
} Spool;

/// Opens an empty one in the folder of `path`, where what it holds is to be written to; where no file can be
/// made there (devices), in that for temporary files. @return false after a message.
bool spool_open(Spool* spool, const char* path);

/// Closes it and frees its space; also one that was never open (all zero).
void spool_close(Spool* spool);

/// @return false after a message: the disk is full.
bool spool_add(Spool* spool, const void* data, size_t size);

/// Bytes that were added. @return false after a message.
bool spool_read(const Spool* spool, uint64_t offset, void* out, size_t size);

/// Moves bytes towards the front. @return false after a message.
bool spool_move(Spool* spool, uint64_t to, uint64_t from, uint64_t size);

/// Forgets all bytes from `size` on, and frees their space. @return false after a message.
bool spool_truncate(Spool* spool, uint64_t size);

#endif

#ifndef ALLOCATION_COUNTER_H
#define ALLOCATION_COUNTER_H

#include <stddef.h>
#include <stdint.h>

// Linking this target puts functions of its own in place of malloc, free and their kin for the whole process, the Swift
// runtime included. They count between allocations_start and allocations_stop, in all threads, and cost next to nothing
// outside. For glibc; elsewhere nothing is counted, and allocations_are_counted says so.

/// What was allocated between start and stop.
typedef struct {
    /// How many times memory was asked for; a realloc counts as one.
    uint64_t count;
    /// How many bytes were asked for, in all.
    uint64_t bytes;
    /// The largest number of bytes that were held at one time, beyond what was held at the start.
    uint64_t peak;
} allocation_totals;

int allocations_are_counted(void);
void allocations_start(void);
allocation_totals allocations_stop(void);

#endif

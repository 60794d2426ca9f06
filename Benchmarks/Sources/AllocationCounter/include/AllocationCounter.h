#ifndef ALLOCATION_COUNTER_H
#define ALLOCATION_COUNTER_H

#include <stddef.h>
#include <stdint.h>

// Linking this target replaces malloc, free and related functions in the whole process, including the Swift runtime. The
// replacements count allocations of all threads between allocations_start and allocations_stop. Otherwise, their cost is
// negligible. Counting requires glibc: on other platforms, allocations_are_counted returns 0.

/// The allocations between allocations_start and allocations_stop.
typedef struct {
    /// The number of allocations. A realloc counts as one.
    uint64_t count;
    /// The number of requested bytes in total.
    uint64_t bytes;
    /// The largest number of allocated bytes at one time, without those that were allocated before the start.
    uint64_t peak;
} allocation_totals;

int allocations_are_counted(void);
void allocations_start(void);
allocation_totals allocations_stop(void);

#endif

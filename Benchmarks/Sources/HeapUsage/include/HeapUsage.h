#ifndef HEAP_USAGE_H
#define HEAP_USAGE_H

#include <stddef.h>

/// Returns the number of bytes that the process has allocated and not freed; 0 without glibc.
size_t heap_bytes_in_use(void);

#endif

#ifndef ALLOCATIONS_H
#define ALLOCATIONS_H

#include <stddef.h>

/// How often this thread has asked for memory since it began: malloc, calloc, realloc and the aligned kinds.
size_t allocation_count(void);

#endif

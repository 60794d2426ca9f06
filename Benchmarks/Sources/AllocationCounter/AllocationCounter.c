#include "AllocationCounter.h"

#include <stdatomic.h>

static atomic_bool counting;
static atomic_uint_fast64_t count;
static atomic_uint_fast64_t bytes;
static atomic_int_fast64_t held;
static atomic_int_fast64_t peak;

void allocations_start(void) {
    atomic_store(&count, 0);
    atomic_store(&bytes, 0);
    atomic_store(&held, 0);
    atomic_store(&peak, 0);
    atomic_store(&counting, 1);
}

allocation_totals allocations_stop(void) {
    atomic_store(&counting, 0);
    return (allocation_totals){atomic_load(&count), atomic_load(&bytes), (uint64_t)atomic_load(&peak)};
}

#if defined(__GLIBC__)

#include <errno.h>
#include <malloc.h>
#include <string.h>
#include <unistd.h>

// The internal names of glibc's functions, which remain available when a program defines malloc and the other functions.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t number, size_t size);
extern void *__libc_realloc(void *pointer, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *pointer);

int allocations_are_counted(void) { return 1; }

static void record_allocation(void *pointer, size_t size) {
    if (pointer == NULL || !atomic_load_explicit(&counting, memory_order_relaxed)) return;
    atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&bytes, size, memory_order_relaxed);
    int_fast64_t usable = (int_fast64_t)malloc_usable_size(pointer);
    int_fast64_t now = atomic_fetch_add_explicit(&held, usable, memory_order_relaxed) + usable;
    int_fast64_t most = atomic_load_explicit(&peak, memory_order_relaxed);
    while (now > most && !atomic_compare_exchange_weak_explicit(&peak, &most, now, memory_order_relaxed, memory_order_relaxed)) {
    }
}

static void record_deallocation(void *pointer) {
    if (pointer == NULL || !atomic_load_explicit(&counting, memory_order_relaxed)) return;
    atomic_fetch_sub_explicit(&held, (int_fast64_t)malloc_usable_size(pointer), memory_order_relaxed);
}

void *malloc(size_t size) {
    void *pointer = __libc_malloc(size);
    record_allocation(pointer, size);
    return pointer;
}

void *calloc(size_t number, size_t size) {
    void *pointer = __libc_calloc(number, size);
    // The product cannot overflow, because the allocation would have failed.
    record_allocation(pointer, number * size);
    return pointer;
}

void *realloc(void *pointer, size_t size) {
    size_t before = pointer == NULL ? 0 : malloc_usable_size(pointer);
    void *moved = __libc_realloc(pointer, size);
    if (moved != NULL || size == 0) {
        if (atomic_load_explicit(&counting, memory_order_relaxed)) {
            atomic_fetch_sub_explicit(&held, (int_fast64_t)before, memory_order_relaxed);
        }
        record_allocation(moved, size);
    }
    return moved;
}

void free(void *pointer) {
    record_deallocation(pointer);
    __libc_free(pointer);
}

void *memalign(size_t alignment, size_t size) {
    void *pointer = __libc_memalign(alignment, size);
    record_allocation(pointer, size);
    return pointer;
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **result, size_t alignment, size_t size) {
    if (alignment % sizeof(void *) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0) return EINVAL;
    void *pointer = memalign(alignment, size);
    if (pointer == NULL) return ENOMEM;
    *result = pointer;
    return 0;
}

void *valloc(size_t size) { return memalign((size_t)sysconf(_SC_PAGESIZE), size); }

#else

int allocations_are_counted(void) { return 0; }

#endif

// Tells ThreadSanitizer about Swift's Mutex on Linux. Preloaded by `.ci/tsan`.
//
// An uncontended Mutex is locked by an atomic exchange in the caller's own, instrumented code, which the sanitizer
// sees. A contended one is locked and unlocked by futex calls inside libswiftSynchronization, which is not
// instrumented: there the sanitizer misses that one thread unlocked before the other went on, and reports a race in
// correct programs (measured on Swift 6.3.1 with two threads and one Mutex<Int>). This library replaces those two
// functions by name: each does what the original does and tells the sanitizer. Nothing is suppressed; a race beside
// a lock, or without one, is still reported.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

// `Synchronization._MutexHandle._lockSlow(_: UInt32)` and `._unlockSlow()`.
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

// There in sanitized programs only.
extern void __tsan_acquire(void *) __attribute__((weak));
extern void __tsan_release(void *) __attribute__((weak));

SWIFT void lockSlow(uint32_t thread, SELF void *mutex) __asm__(LOCK);
SWIFT void unlockSlow(SELF void *mutex) __asm__(UNLOCK);

static void *original(const char *name) {
    void *found = dlsym(RTLD_NEXT, name);
    if (!found) abort();
    return found;
}

SWIFT void lockSlow(uint32_t thread, SELF void *mutex) {
    SWIFT void (*lock)(uint32_t, SELF void *) = original(LOCK);
    lock(thread, mutex);
    if (__tsan_acquire) __tsan_acquire(mutex);
}

SWIFT void unlockSlow(SELF void *mutex) {
    SWIFT void (*unlock)(SELF void *) = original(UNLOCK);
    if (__tsan_release) __tsan_release(mutex);
    unlock(mutex);
}

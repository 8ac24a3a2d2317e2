/* Notes for ThreadSanitizer beside locks that it cannot see.
 *
 * GLib's mutexes are futexes made inside a library that is not instrumented, so the sanitizer learns of
 * the order they make only from these marks. Call weir_sync_acquire() right after taking a lock (or
 * receiving a hand-over) and weir_sync_release() right before giving it up, with the same address.
 * Everything else shares data through C11 atomics or GLib's inline ones.
 */
#pragma once

#include <glib.h>

#if defined(__SANITIZE_THREAD__)
#define WEIR_SYNC_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define WEIR_SYNC_TSAN 1
#endif
#endif

#ifdef WEIR_SYNC_TSAN
void __tsan_acquire (void *address);
void __tsan_release (void *address);
#endif

static inline void
weir_sync_acquire (G_GNUC_UNUSED gpointer address)
{
#ifdef WEIR_SYNC_TSAN
  __tsan_acquire (address);
#endif
}

static inline void
weir_sync_release (G_GNUC_UNUSED gpointer address)
{
#ifdef WEIR_SYNC_TSAN
  __tsan_release (address);
#endif
}

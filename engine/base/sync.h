/* Notes for ThreadSanitizer beside locks that it cannot see.
 *
 * GLib's mutexes are futexes made inside a library that is not instrumented, so the sanitizer
 * learns of the order they make only from these marks. Call weir_sync_acquire() right after taking
 * a lock (or receiving a hand-over) and weir_sync_release() right before giving it up, with the
 * same address; weir_sync_lock() and its siblings do both. Everything else shares data through
 * atomics.
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

/* Between two looks at what another thread may change. */
static inline void
weir_sync_pause (void)
{
#if defined __x86_64__ || defined __i386__
  __builtin_ia32_pause ();
#elif defined __aarch64__
  __asm__ volatile("yield");
#endif
}

/* One reference less to @self; TRUE: it was the last, and what the others did to it is seen. GLib's
 * own (g_atomic_ref_count_dec()) may be a call into the library, and so an order that is not seen.
 */
static inline gboolean
weir_sync_drop (gpointer self, int *n_refs)
{
  weir_sync_release (self);
  if (!g_atomic_int_dec_and_test (n_refs))
    return FALSE;
  weir_sync_acquire (self);
  return TRUE;
}

static inline void
weir_sync_lock (GMutex *mutex)
{
  g_mutex_lock (mutex);
  weir_sync_acquire (mutex);
}

static inline void
weir_sync_unlock (GMutex *mutex)
{
  weir_sync_release (mutex);
  g_mutex_unlock (mutex);
}

static inline void
weir_sync_wait (GCond *cond, GMutex *mutex)
{
  weir_sync_release (mutex);
  g_cond_wait (cond, mutex);
  weir_sync_acquire (mutex);
}

/* @end: monotonic time in us. FALSE if it has passed. */
static inline gboolean
weir_sync_wait_until (GCond *cond, GMutex *mutex, gint64 end)
{
  gboolean signalled;

  weir_sync_release (mutex);
  signalled = g_cond_wait_until (cond, mutex, end);
  weir_sync_acquire (mutex);
  return signalled;
}

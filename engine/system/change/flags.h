/* A snapshot of a context's flags (weir_context_copy_flags()): what explaining needs to know, to be
 * handed to another thread.
 *
 * Thread: made by the context's *owner*; *immutable* afterwards.
 */
#pragma once

#include "system/structure/types.h"

G_BEGIN_DECLS

typedef struct {
  guint32 n_entries, n_sources;
  guint64 *stale, *disabled; /* bits by entry */
  guint64 *computed;         /* bits by entry: written at least once */
  guint64 *source_last;      /* by source: number of its last event, 0 = none yet */
  guint64 n_events;
} WeirFlags;

void weir_flags_free (WeirFlags *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirFlags, weir_flags_free)

G_END_DECLS

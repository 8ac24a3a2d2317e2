/* The inline part of evaluation: an up-to-date entry is answered without a call, which alone would
 * cost three times the test and the load. The one place where the inside of a context shows.
 *
 * Thread: the context's *owner*.
 */
#pragma once

#include "system/eval.h"

G_BEGIN_DECLS

/* How a WeirContext begins. */
typedef struct {
  const WeirLayout *layout;
  const double *arena;
  const guint32 *word_offset; /* by 64 entries: their values lie at this + entry, modulo 2^32, in
                                 the arena; WEIR_NO_INDEX where they do not lie in a row */
  const guint64 *must_ask;    /* bits by entry: out of date; all set while anything is unusual, such
                                 as caching switched off */
  guint64 *reads;             /* by entry: requests from outside */
} WeirContextFront;

/* How a WeirSystem begins. */
typedef struct {
  const WeirLayout *layout; /* as a root, once it has been numbered; atomic */
} WeirSystemFront;

/* weir_eval_entry(), without a call where the value is up to date. */
static inline const double *
weir_eval_entry_inline (WeirSystem *root, WeirContext *context, WeirEntry entry)
{
  WeirSystemFront *system = (WeirSystemFront *) root;
  const WeirContextFront *front = (const WeirContextFront *) context;

  guint32 offset;

  if (G_UNLIKELY (g_atomic_pointer_get (&system->layout) != front->layout
                  || ((front->must_ask[entry.i / 64] >> (entry.i % 64)) & 1) != 0
                  || (offset = front->word_offset[entry.i / 64]) == WEIR_NO_INDEX))
    return weir_eval_entry (root, context, entry);
  front->reads[entry.i]++;
  return front->arena + (guint32) (offset + entry.i);
}

G_END_DECLS

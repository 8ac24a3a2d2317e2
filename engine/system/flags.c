/* Snapshots of flags. See flags.h. */
#include "system/flags.h"

#include "system/context-private.h"

WeirFlags *
weir_context_copy_flags (const WeirContext *context)
{
  const WeirLayout *layout = context->layout;
  gsize bytes = MAX (layout->n_words, 1) * sizeof (guint64);
  WeirFlags *self = g_new0 (WeirFlags, 1);
  guint64 calcs = 0;

  self->n_entries = layout->n_entries;
  self->n_sources = layout->n_sources;
  self->stale = g_memdup2 (context->stale, bytes);
  self->disabled = g_memdup2 (context->disabled, bytes);
  self->computed = g_malloc0 (bytes);
  self->source_last = g_memdup2 (context->source_last, layout->n_sources * sizeof (guint64));
  self->n_events = *context->n_events;
  for (guint32 e = 0; e < layout->n_entries; e++)
    {
      calcs += context->calc_steps[e] + context->off_steps[e];
      if (calcs + context->entry_off[e] + context->rewrites[e] > 0)
        weir_bit_set (self->computed, e);
    }
  return self;
}

void
weir_flags_free (WeirFlags *self)
{
  if (self == NULL)
    return;
  g_free (self->stale);
  g_free (self->disabled);
  g_free (self->computed);
  g_free (self->source_last);
  g_free (self);
}

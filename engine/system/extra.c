/* Extra entries. See extra.h. */
#include "system/extra-private.h"

#include <string.h>

#include "system/context-private.h"
#include "system/walk.h"

struct _WeirExtras {
  GPtrArray *entries; /* WeirExtraEntry */
  guint32 n_sources;
};

static void
entry_free (gpointer data)
{
  WeirExtraEntry *entry = data;

  g_free (entry->name);
  g_clear_pointer (&entry->data, g_bytes_unref);
  g_free (entry->sources);
  g_free (entry->value);
  g_free (entry);
}

static WeirExtras *
extras_new (guint32 n_sources)
{
  WeirExtras *self = g_new0 (WeirExtras, 1);

  self->entries = g_ptr_array_new_with_free_func (entry_free);
  self->n_sources = n_sources;
  return self;
}

static gsize
source_words (guint32 n_sources)
{
  return n_sources / 64 + 1;
}

WeirExtras *
weir_extras_copy (const WeirExtras *self)
{
  WeirExtras *copy;

  if (self == NULL)
    return NULL;
  copy = extras_new (self->n_sources);
  for (guint i = 0; i < self->entries->len; i++)
    {
      const WeirExtraEntry *from = g_ptr_array_index (self->entries, i);
      WeirExtraEntry *to = g_memdup2 (from, sizeof *from);

      to->name = g_strdup (from->name);
      to->data = from->data == NULL ? NULL : g_bytes_ref (from->data);
      to->sources = g_memdup2 (from->sources, source_words (self->n_sources) * sizeof (guint64));
      to->value = g_memdup2 (from->value, from->size * sizeof (double));
      g_ptr_array_add (copy->entries, to);
    }
  return copy;
}

void
weir_extras_free (WeirExtras *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->entries);
  g_free (self);
}

void
weir_extras_note (WeirExtras *self, WeirSource source, guint64 event)
{
  for (guint i = 0; i < self->entries->len; i++)
    {
      WeirExtraEntry *entry = g_ptr_array_index (self->entries, i);

      if (!weir_bit (entry->sources, source.i) || entry->last_event == event)
        continue;
      entry->last_event = event;
      entry->is_stale = TRUE;
      entry->counters.invalidations++;
    }
}

void
weir_extras_set_all_out_of_date (WeirExtras *self)
{
  for (guint i = 0; i < self->entries->len; i++)
    ((WeirExtraEntry *) g_ptr_array_index (self->entries, i))->is_stale = TRUE;
}

WeirExtraEntry *
weir_extras_get (WeirExtras *self, WeirExtra extra)
{
  return g_ptr_array_index (self->entries, extra.i);
}

/* --- What invalidates an entry: every source from which notifications reach its prerequisites ---
 */

static guint64 *
find_sources (WeirLayout *layout, WeirNode node, const WeirTicket *depends)
{
  g_autoptr (WeirWalk) walk = weir_walk_new (layout);
  g_autoptr (GArray) trackers = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (; depends->i != WEIR_TICKET_END; depends++)
    {
      guint32 tracker = weir_walk_get_tracker (walk, node, *depends);

      g_assert (depends->i < layout->nodes[node.i].shape->items->len);
      g_array_append_val (trackers, tracker);
    }
  return weir_walk_find_sources (walk, (const guint32 *) (const void *) trackers->data,
                                 trackers->len);
}

/* --- The public side ------------------------------------------------------------------------- */

WeirExtra
weir_context_add_extra (WeirContext *self, WeirNode node, const char *name, guint size,
                        WeirCalcFunc calc, GBytes *data, const WeirTicket *depends)
{
  static const WeirTicket all_sources[] = { { WEIR_TICKET_ALL_SOURCES }, { WEIR_TICKET_END } };
  WeirExtraEntry *entry = g_new0 (WeirExtraEntry, 1);

  g_assert (size > 0);
  if (self->extras == NULL)
    self->extras = extras_new (self->layout->n_sources);
  entry->node = node;
  entry->name = g_strdup (name);
  entry->size = size;
  entry->calc = calc;
  entry->data = data == NULL ? NULL : g_bytes_ref (data);
  entry->sources = find_sources (self->layout, node, depends != NULL ? depends : all_sources);
  entry->value = g_new0 (double, size);
  entry->is_stale = TRUE;
  g_ptr_array_add (self->extras->entries, entry);
  return (WeirExtra) { self->extras->entries->len - 1 };
}

guint
weir_context_get_n_extras (const WeirContext *self)
{
  return self->extras == NULL ? 0 : self->extras->entries->len;
}

const char *
weir_context_get_extra_name (const WeirContext *self, WeirExtra extra)
{
  return weir_extras_get (self->extras, extra)->name;
}

gboolean
weir_context_is_extra_up_to_date (const WeirContext *self, WeirExtra extra)
{
  return !weir_extras_get (self->extras, extra)->is_stale;
}

WeirCounters
weir_context_get_extra_counters (const WeirContext *self, WeirExtra extra)
{
  return weir_extras_get (self->extras, extra)->counters;
}

WeirTicket
weir_layout_get_input_ticket (const WeirLayout *self, WeirNode node, WeirInput in)
{
  return (WeirTicket) { weir_shape_input (self->nodes[node.i].shape, in.i)->ticket };
}

WeirTicket
weir_layout_get_output_ticket (const WeirLayout *self, WeirNode node, WeirOutput out)
{
  return (WeirTicket) { weir_shape_output (self->nodes[node.i].shape, out.i)->ticket };
}

WeirTicket
weir_layout_get_parameter_ticket (const WeirLayout *self, WeirNode node, WeirParameter parameter)
{
  return (WeirTicket) { weir_shape_parameter (self->nodes[node.i].shape, parameter.i)->ticket };
}

WeirTicket
weir_layout_get_group_ticket (const WeirLayout *self, WeirNode node, WeirGroup group)
{
  return (WeirTicket) { weir_shape_group (self->nodes[node.i].shape, group.i)->ticket };
}

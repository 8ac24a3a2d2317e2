/* Traces made from a context's own log, and what they tell. See trace.h. */
#include "analysis/trace-private.h"

#include <string.h>

#include "base/sync.h"
#include "system/change/walk.h"

/* --- Life ------------------------------------------------------------------------------------ */

static WeirTraceRows
rows_new (void)
{
  gsize zero = 0;
  WeirTraceRows rows = { g_array_new (FALSE, FALSE, sizeof (gsize)),
                         g_array_new (FALSE, FALSE, sizeof (guint32)) };

  g_array_append_val (rows.first, zero);
  return rows;
}

void
weir_trace_rows_end (WeirTraceRows *rows)
{
  gsize end = rows->items->len;

  g_array_append_val (rows->first, end);
}

static void
rows_clear (WeirTraceRows *rows)
{
  g_array_unref (rows->first);
  g_array_unref (rows->items);
}

static const guint32 *
rows_get (const WeirTraceRows *rows, guint32 i, guint *n)
{
  gsize first = g_array_index (rows->first, gsize, i);

  *n = (guint) (g_array_index (rows->first, gsize, i + 1) - first);
  return (const guint32 *) (gconstpointer) rows->items->data + first;
}

WeirTrace *
weir_trace_new_empty (void)
{
  WeirTrace *self = g_new0 (WeirTrace, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->parents = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->system_names = g_ptr_array_new_with_free_func (g_free);
  self->entry_systems = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->lazy = g_array_new (FALSE, FALSE, sizeof (gboolean));
  self->entry_names = g_ptr_array_new_with_free_func (g_free);
  self->reads = rows_new ();
  self->tracker_systems = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->tracker_entries = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->tracker_names = g_ptr_array_new_with_free_func (g_free);
  self->subscribers = rows_new ();
  self->source_names = g_ptr_array_new_with_free_func (g_free);
  self->changed = rows_new ();
  return self;
}

WeirTrace *
weir_trace_ref (WeirTrace *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
weir_trace_unref (WeirTrace *self)
{
  if (self == NULL || !weir_sync_drop (self, &self->ref_count))
    return;
  g_free (self->engine);
  g_free (self->model);
  g_array_unref (self->parents);
  g_ptr_array_unref (self->system_names);
  g_array_unref (self->entry_systems);
  g_array_unref (self->lazy);
  g_ptr_array_unref (self->entry_names);
  rows_clear (&self->reads);
  g_array_unref (self->tracker_systems);
  g_array_unref (self->tracker_entries);
  g_ptr_array_unref (self->tracker_names);
  rows_clear (&self->subscribers);
  g_ptr_array_unref (self->source_names);
  rows_clear (&self->changed);
  g_free (self->records);
  g_free (self->steps);
  g_free (self->keyframes);
  g_free (self);
}

/* --- From a context's log -------------------------------------------------------------------- */

static void
take_systems (WeirTrace *self, WeirLayout *layout)
{
  for (guint32 n = 0; n < weir_layout_get_n_nodes (layout); n++)
    {
      guint32 parent = weir_layout_get_parent (layout, (WeirNode) { n }).i;

      g_array_append_val (self->parents, parent);
      g_ptr_array_add (self->system_names,
                       g_strdup (weir_layout_get_node_name (layout, (WeirNode) { n })));
    }
}

static void
take_entries (WeirTrace *self, WeirLayout *layout)
{
  for (guint32 e = 0; e < weir_layout_get_n_entries (layout); e++)
    {
      WeirEntryInfo info = weir_layout_get_entry (layout, (WeirEntry) { e });
      gboolean lazy = weir_layout_is_lazy (layout, (WeirEntry) { e });
      guint n;
      const guint32 *reads = weir_layout_get_reads (layout, (WeirEntry) { e }, &n);

      g_array_append_val (self->entry_systems, info.node.i);
      g_array_append_val (self->lazy, lazy);
      g_ptr_array_add (self->entry_names, g_strdup (info.name));
      g_array_append_vals (self->reads.items, reads, n);
      weir_trace_rows_end (&self->reads);
    }
  self->n_words = weir_bits_n_words (self->entry_names->len);
}

static void
take_trackers (WeirTrace *self, WeirLayout *layout)
{
  g_autoptr (WeirWalk) walk = weir_walk_new (layout);

  for (guint32 t = 0; t < weir_walk_get_n_trackers (walk); t++)
    {
      g_autofree char *path = NULL, *name = weir_walk_dup_name (walk, t);
      guint n;
      const guint32 *subscribers = weir_walk_get_subscribers (walk, t, &n);
      WeirTicket ticket;
      WeirNode node;
      WeirEntry entry;

      weir_walk_locate (walk, t, &node, &ticket);
      path = weir_layout_dup_path (layout, node);
      if (!weir_walk_get_entry (walk, t, &entry))
        entry.i = WEIR_NO_INDEX;
      g_array_append_val (self->tracker_systems, node.i);
      g_array_append_val (self->tracker_entries, entry.i);
      g_ptr_array_add (self->tracker_names, g_strdup (name + strlen (path) + 1));
      g_array_append_vals (self->subscribers.items, subscribers, n);
      weir_trace_rows_end (&self->subscribers);
    }
  for (guint32 s = 0; s < weir_layout_get_n_sources (layout); s++)
    {
      g_autoptr (GArray) changed = weir_walk_list_changed (walk, (WeirSource) { s });

      g_ptr_array_add (self->source_names,
                       weir_layout_dup_source_name (layout, (WeirSource) { s }));
      g_array_append_vals (self->changed.items, changed->data, changed->len);
      weir_trace_rows_end (&self->changed);
    }
}

WeirTrace *
weir_trace_new (const WeirChangeLog *log, const char *model)
{
  WeirTrace *self = weir_trace_new_empty ();
  WeirLayout *layout = weir_change_log_get_layout (log);
  const WeirLogStep *steps = weir_change_log_get_steps (log, &self->n_steps);
  const WeirLogRecord *records = weir_change_log_get_records (log, &self->n_records);

  self->engine = g_strdup ("Weir");
  self->model = g_strdup (model != NULL ? model : "");
  self->stores_evaluations = weir_change_log_get_mode (log) == WEIR_LOG_MODE_ALL;
  take_systems (self, layout);
  take_entries (self, layout);
  take_trackers (self, layout);
  self->records = g_memdup2 (records, self->n_records * sizeof *records);
  self->steps = g_memdup2 (steps, self->n_steps * sizeof *steps);
  self->n_lost = weir_change_log_get_n_lost (log);
  self->n_keyframes = weir_change_log_get_n_keyframes (log);
  self->keyframes = g_new (guint64,
                           MAX (self->n_keyframes, 1) * WEIR_LOG_KEYFRAME_SIZE (self->n_words));
  for (gsize k = 0; k < self->n_keyframes; k++)
    {
      WeirLogKeyframe frame = weir_change_log_get_keyframe (log, k);
      guint64 *to = self->keyframes + k * WEIR_LOG_KEYFRAME_SIZE (self->n_words);

      to[0] = frame.index;
      to[1] = frame.caching ? 1 : 0;
      memcpy (to + 2, frame.out_of_date, self->n_words * sizeof *to);
      memcpy (to + 2 + self->n_words, frame.disabled, self->n_words * sizeof *to);
      memcpy (to + 2 + 2 * self->n_words, frame.known, self->n_words * sizeof *to);
    }
  return self;
}

static gboolean
same_names (const GPtrArray *a, const GPtrArray *b)
{
  for (guint i = 0; i < a->len && i < b->len; i++)
    if (strcmp (a->pdata[i], b->pdata[i]) != 0)
      return FALSE;
  return a->len == b->len;
}

static gboolean
same_items (const GArray *a, const GArray *b)
{
  return a->len == b->len
         && memcmp (a->data, b->data, a->len * g_array_get_element_size ((GArray *) a)) == 0;
}

gboolean
weir_trace_fits (const WeirTrace *self, WeirLayout *layout)
{
  g_autoptr (WeirTrace) other = weir_trace_new_empty ();

  if (weir_trace_get_n_entries (self) != weir_layout_get_n_entries (layout)
      || weir_trace_get_n_sources (self) != weir_layout_get_n_sources (layout))
    return FALSE;
  take_systems (other, layout);
  take_entries (other, layout);
  take_trackers (other, layout);
  return same_items (self->parents, other->parents)
         && same_names (self->system_names, other->system_names)
         && same_items (self->entry_systems, other->entry_systems)
         && same_names (self->entry_names, other->entry_names)
         && same_items (self->reads.first, other->reads.first)
         && same_items (self->reads.items, other->reads.items)
         && same_names (self->source_names, other->source_names)
         && same_items (self->changed.items, other->changed.items)
         && same_items (self->subscribers.items, other->subscribers.items);
}

/* --- Questions ------------------------------------------------------------------------------- */

const char *
weir_trace_get_engine (const WeirTrace *self)
{
  return self->engine;
}

const char *
weir_trace_get_model (const WeirTrace *self)
{
  return self->model;
}

gboolean
weir_trace_stores_evaluations (const WeirTrace *self)
{
  return self->stores_evaluations;
}

guint
weir_trace_get_n_systems (const WeirTrace *self)
{
  return self->parents->len;
}

guint32
weir_trace_get_parent (const WeirTrace *self, guint32 system)
{
  return g_array_index (self->parents, guint32, system);
}

const char *
weir_trace_get_system_name (const WeirTrace *self, guint32 system)
{
  return g_ptr_array_index (self->system_names, system);
}

char *
weir_trace_dup_path (const WeirTrace *self, guint32 system)
{
  GString *path = g_string_new (NULL);

  for (; weir_trace_get_parent (self, system) != WEIR_NO_INDEX;
       system = weir_trace_get_parent (self, system))
    {
      if (path->len > 0)
        g_string_prepend_c (path, '.');
      g_string_prepend (path, weir_trace_get_system_name (self, system));
    }
  return g_string_free (path, FALSE);
}

guint
weir_trace_get_n_entries (const WeirTrace *self)
{
  return self->entry_names->len;
}

const char *
weir_trace_get_entry_name (const WeirTrace *self, guint32 entry)
{
  return g_ptr_array_index (self->entry_names, entry);
}

guint32
weir_trace_get_entry_system (const WeirTrace *self, guint32 entry)
{
  return g_array_index (self->entry_systems, guint32, entry);
}

gboolean
weir_trace_is_lazy (const WeirTrace *self, guint32 entry)
{
  return g_array_index (self->lazy, gboolean, entry);
}

const guint32 *
weir_trace_get_reads (const WeirTrace *self, guint32 entry, guint *n)
{
  return rows_get (&self->reads, entry, n);
}

guint
weir_trace_get_n_trackers (const WeirTrace *self)
{
  return self->tracker_names->len;
}

const char *
weir_trace_get_tracker_name (const WeirTrace *self, guint32 tracker)
{
  return g_ptr_array_index (self->tracker_names, tracker);
}

guint32
weir_trace_get_tracker_system (const WeirTrace *self, guint32 tracker)
{
  return g_array_index (self->tracker_systems, guint32, tracker);
}

guint32
weir_trace_get_tracker_entry (const WeirTrace *self, guint32 tracker)
{
  return g_array_index (self->tracker_entries, guint32, tracker);
}

const guint32 *
weir_trace_get_subscribers (const WeirTrace *self, guint32 tracker, guint *n)
{
  return rows_get (&self->subscribers, tracker, n);
}

guint
weir_trace_get_n_sources (const WeirTrace *self)
{
  return self->source_names->len;
}

const char *
weir_trace_get_source_name (const WeirTrace *self, guint32 source)
{
  return g_ptr_array_index (self->source_names, source);
}

const guint32 *
weir_trace_get_source_trackers (const WeirTrace *self, guint32 source, guint *n)
{
  return rows_get (&self->changed, source, n);
}

const WeirLogRecord *
weir_trace_get_records (const WeirTrace *self, gsize *n)
{
  *n = self->n_records;
  return self->records;
}

WeirLogKeyframe
weir_trace_get_keyframe (const WeirTrace *self, gsize i)
{
  return weir_log_keyframe_read (self->keyframes + i * WEIR_LOG_KEYFRAME_SIZE (self->n_words),
                                 self->n_words);
}

const WeirLogStep *
weir_trace_get_steps (const WeirTrace *self, gsize *n)
{
  *n = self->n_steps;
  return self->steps;
}

guint64
weir_trace_get_n_lost (const WeirTrace *self)
{
  return self->n_lost;
}

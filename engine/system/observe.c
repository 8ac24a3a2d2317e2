/* What calculations read and why they were called. See observe.h.
 *
 * Per entry: a row of bits, one per ticket of its leaf; the bytes of its primary prerequisites at
 * the last call; and how often each combination of them had changed, as a table from bits to
 * counts.
 */
#include "system/observe-private.h"

#include <string.h>

#include "system/sources.h"

#define MAX_WATCHED                                                                                \
  64 /* primary prerequisites that are told apart; calls of entries with more go uncounted */

typedef struct {
  guint64 *seen;      /* NULL until the first call */
  double *last;       /* values of the primary prerequisites; a hash where the value is abstract */
  GHashTable *counts; /* guint64 of changed prerequisites -> guint64 */
  guint64 n_calls;
} Observed;

struct _WeirObserver {
  WeirLayout *layout;
  Observed *entries;
  gboolean counts;
};

WeirObserver *
weir_observer_new (WeirLayout *layout)
{
  WeirObserver *self = g_new0 (WeirObserver, 1);

  self->layout = weir_layout_ref (layout);
  self->entries = g_new0 (Observed, MAX (layout->n_entries, 1));
  self->counts = TRUE;
  return self;
}

void
weir_observer_free (WeirObserver *self)
{
  for (guint32 e = 0; e < self->layout->n_entries; e++)
    {
      g_free (self->entries[e].seen);
      g_free (self->entries[e].last);
      g_clear_pointer (&self->entries[e].counts, g_hash_table_unref);
    }
  g_free (self->entries);
  weir_layout_unref (self->layout);
  g_free (self);
}

void
weir_context_set_observer (WeirContext *self, WeirObserver *observer)
{
  self->observer = observer;
}

void
weir_observer_set_counting (WeirObserver *self, gboolean counts)
{
  self->counts = counts;
}

/* --- Noting ---------------------------------------------------------------------------------- */

static guint64
hash_variant (GVariant *variant)
{
  guint64 hash = G_GUINT64_CONSTANT (0xcbf29ce484222325);
  const guint8 *bytes = variant != NULL ? g_variant_get_data (variant) : NULL;
  gsize size = variant != NULL ? g_variant_get_size (variant) : 0;

  for (gsize i = 0; i < size; i++)
    hash = (hash ^ bytes[i]) * G_GUINT64_CONSTANT (0x100000001b3);
  return hash;
}

/* The value of one prerequisite, @size words. An abstract one is a hash in @room. */
static const double *
look (const WeirContext *context, WeirNode node, guint16 ticket, guint *size, double *room)
{
  const double *value = weir_context_get_ticket_value (context, node, (WeirTicket) { ticket },
                                                       size);
  guint64 hash;

  if (value != NULL)
    return value;
  hash = hash_variant (weir_context_get_ticket_variant (context, node, (WeirTicket) { ticket }));
  memcpy (room, &hash, sizeof hash);
  *size = 1;
  return room;
}

/* Which primary prerequisites differ from the last call, as bits; remembers them as they are. */
static guint64
note_changes (Observed *seen, const WeirContext *context, WeirNode node, const WeirEntryDecl *decl)
{
  gboolean is_first = seen->last == NULL;
  guint64 changed = 0;
  gsize at = 0;
  double room;
  guint size;

  if (is_first)
    {
      for (guint k = 0; k < decl->n_primary; at += size, k++)
        look (context, node, decl->primary[k], &size, &room);
      seen->last = g_new0 (double, MAX (at, 1));
    }
  at = 0;
  for (guint k = 0; k < decl->n_primary; at += size, k++)
    {
      const double *value = look (context, node, decl->primary[k], &size, &room);

      if (size == 0 || memcmp (seen->last + at, value, size * sizeof *value) == 0)
        continue;
      changed |= G_GUINT64_CONSTANT (1) << k;
      memcpy (seen->last + at, value, size * sizeof *value);
    }
  return is_first ? 0 : changed;
}

guint64 *
weir_observer_begin (WeirObserver *self, const WeirContext *context, guint32 entry)
{
  const WeirEntryDecl *decl = weir_layout_decl (self->layout, entry);
  WeirNode node = { self->layout->node_of[entry] };
  Observed *seen = &self->entries[entry];
  guint64 changed;

  seen->n_calls++;
  if (seen->seen == NULL)
    seen->seen = g_new0 (guint64, weir_layout_get_n_tickets (self->layout, node) / 64 + 1);
  if (self->counts && decl->n_primary <= MAX_WATCHED
      && (changed = note_changes (seen, context, node, decl)) != 0)
    {
      guint64 *count;

      if (seen->counts == NULL)
        seen->counts = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
      count = g_hash_table_lookup (seen->counts, &changed);
      if (count == NULL)
        {
          count = g_new0 (guint64, 1);
          g_hash_table_insert (seen->counts, g_memdup2 (&changed, sizeof changed), count);
        }
      ++*count;
    }
  return seen->seen;
}

/* --- Asking ---------------------------------------------------------------------------------- */

WeirRead
weir_observer_get_read (const WeirObserver *self, WeirEntry entry, WeirTicket ticket)
{
  const WeirEntryDecl *decl = weir_layout_decl (self->layout, entry.i);
  const guint64 *seen = self->entries[entry.i].seen;

  for (guint k = 0; decl->is_kernel && k < decl->n_primary; k++)
    if (decl->primary[k] == ticket.i)
      return WEIR_READ_ALONE;
  if (seen == NULL)
    return WEIR_READ_NEVER;
  if (weir_bit (seen, ticket.i))
    return WEIR_READ_ALONE;
  return ticket.i >= WEIR_TICKET_Q && ticket.i <= WEIR_TICKET_Z && weir_bit (seen, WEIR_TICKET_XC)
             ? WEIR_READ_WITH_XC
             : WEIR_READ_NEVER;
}

guint64
weir_observer_get_n_calls (const WeirObserver *self, WeirEntry entry)
{
  return self->entries[entry.i].n_calls;
}

guint64
weir_observer_count_avoidable (const WeirObserver *self, WeirEntry entry, const guint16 *tickets,
                               guint n_tickets)
{
  const WeirEntryDecl *decl = weir_layout_decl (self->layout, entry.i);
  guint64 mask = 0, n = 0;
  GHashTableIter iter;
  gpointer key, value;

  if (self->entries[entry.i].counts == NULL)
    return 0;
  for (guint k = 0; k < decl->n_primary; k++)
    for (guint t = 0; t < n_tickets; t++)
      if (decl->primary[k] == tickets[t])
        mask |= G_GUINT64_CONSTANT (1) << k;
  g_hash_table_iter_init (&iter, self->entries[entry.i].counts);
  while (g_hash_table_iter_next (&iter, &key, &value))
    if ((*(guint64 *) key & ~mask) == 0)
      n += *(guint64 *) value;
  return n;
}

/* What calculations read and why they were called. See observe.h.
 *
 * Per entry: a row of bits, one per ticket of its leaf; the bytes of its primary prerequisites at
 * the last call; and how often each combination of them had changed, as a table from bits to
 * counts.
 */
#include "system/observation/observation-private.h"

#include <string.h>

#include "base/phrase.h"
#include "base/text.h"
#include "system/context/source-values.h"

#define MAX_COMPARED                                                                               \
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
  guint64 *of_events; /* what handlers read, which nobody asks for */
  GArray *misuses;    /* WeirMisuse */
  double *zeros;
  GVariant *nothing;
};

#define N_ZEROS 4096
#define N_GUARDS 64 /* words before and after a result */
/* No calculation gives a NaN with these bits. */
#define GUARD G_GUINT64_CONSTANT (0x7ff85ca1ab1e6a4d)
#define N_NAMED 8 /* things that a message lists */

static void
misuse_clear (gpointer data)
{
  WeirMisuse *self = data;

  weir_message_unref (self->text);
}

WeirObserver *
weir_observer_new (WeirLayout *layout)
{
  WeirObserver *self = g_new0 (WeirObserver, 1);

  self->layout = weir_layout_ref (layout);
  self->entries = g_new0 (Observed, MAX (layout->n_entries, 1));
  self->counts = TRUE;
  self->of_events = g_new0 (guint64, G_MAXUINT16 / 64 + 1);
  self->misuses = g_array_new (FALSE, FALSE, sizeof (WeirMisuse));
  g_array_set_clear_func (self->misuses, misuse_clear);
  self->zeros = g_new0 (double, N_ZEROS);
  self->nothing = g_variant_ref_sink (g_variant_new_tuple (NULL, 0));
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
  g_free (self->of_events);
  g_array_unref (self->misuses);
  g_free (self->zeros);
  g_variant_unref (self->nothing);
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
  if (self->counts && decl->n_primary <= MAX_COMPARED
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

guint64 *
weir_observer_begin_event (WeirObserver *self)
{
  return self->of_events;
}

/* --- What a call does that it may not -------------------------------------------------------- */

const GArray *
weir_observer_get_misuses (const WeirObserver *self)
{
  return self->misuses;
}

const double *
weir_observer_get_zeros (const WeirObserver *self)
{
  return self->zeros;
}

GVariant *
weir_observer_get_nothing (const WeirObserver *self)
{
  return self->nothing;
}

/* The place in the tree's list of the event that @c is a call of. */
static guint
find_event (const WeirCalc *c)
{
  return c->node->first_event + c->event;
}

/* Fails the call. @text: (transfer full) */
static void
add_misuse (const WeirCalc *c, WeirMisuseKind kind, WeirMessage *text)
{
  GArray *misuses = c->context->observer->misuses;
  WeirMisuse misuse = {
    .kind = kind,
    .node = { c->node_index },
    .entry = { c->entry },
    .event = c->entry == WEIR_NO_INDEX ? find_event (c) : WEIR_NO_INDEX,
    .text = text,
  };

  weir_context_set_failure (c->context, "it %s", weir_message_get_text (text));
  ((WeirCalc *) c)->has_failed = TRUE; /* the engine's own part of the call */
  for (guint i = 0; i < misuses->len; i++)
    {
      const WeirMisuse *other = &g_array_index (misuses, WeirMisuse, i);

      if (other->entry.i == misuse.entry.i && other->event == misuse.event
          && g_str_equal (weir_message_get_text (other->text), weir_message_get_text (text)))
        {
          misuse_clear (&misuse);
          return;
        }
    }
  g_array_append_val (misuses, misuse);
}

typedef struct {
  const char *noun;
  const char *name; /* of the one in question, if it exists */
  guint n;
  gboolean is_abstract;
} Things;

static const char *
name_of (const WeirShape *shape, WeirItemKind kind, guint i)
{
  return kind == WEIR_ITEM_INPUT       ? weir_shape_input (shape, i)->name
         : kind == WEIR_ITEM_PARAMETER ? weir_shape_parameter (shape, i)->name
         : kind == WEIR_ITEM_GROUP     ? weir_shape_group (shape, i)->name
                                       : weir_shape_entry (shape, i)->name;
}

static Things
find_things (const WeirShape *shape, WeirItemKind kind, guint index)
{
  Things self = { 0 };
  gboolean exists;

  switch (kind)
    {
    case WEIR_ITEM_INPUT:
      self = (Things) { N_ ("input"), NULL, shape->inputs->len, FALSE };
      break;
    case WEIR_ITEM_PARAMETER:
      self = (Things) { N_ ("parameter"), NULL, shape->parameters->len, FALSE };
      break;
    case WEIR_ITEM_GROUP:
      self = (Things) { N_ ("discrete state"), NULL, shape->groups->len, FALSE };
      break;
    case WEIR_ITEM_ENTRY:
    case WEIR_ITEM_BUILT_IN:
    case WEIR_ITEM_OUTPUT:
    default:
      self = (Things) { N_ ("cache entry"), NULL, shape->entries->len, FALSE };
    }
  exists = index < self.n;
  if (exists)
    {
      self.name = name_of (shape, kind, index);
      self.is_abstract = (kind == WEIR_ITEM_INPUT       ? weir_shape_input (shape, index)->type
                          : kind == WEIR_ITEM_PARAMETER ? weir_shape_parameter (shape, index)->type
                          : kind == WEIR_ITEM_GROUP     ? weir_shape_group (shape, index)->type
                                                        : weir_shape_entry (shape, index)->type)
                         != NULL;
    }
  return self;
}

gboolean
weir_observer_check (const WeirCalc *c, WeirItemKind kind, guint index, gboolean is_abstract)
{
  Things things = find_things (c->node->shape, kind, index);

  if (things.name == NULL)
    return weir_observer_check_exists (c, kind, index);
  if (things.is_abstract == is_abstract)
    return TRUE;
  add_misuse (c, WEIR_MISUSE_READ,
              weir_message_new (is_abstract
                                    ? N_ ("reads %s %s as an abstract value, but it holds numbers")
                                    : N_ ("reads %s %s as numbers, but it holds an abstract value"),
                                weir_phrase (things.noun), things.name));
  return FALSE;
}

gboolean
weir_observer_check_exists (const WeirCalc *c, WeirItemKind kind, guint index)
{
  const WeirShape *shape = c->node->shape;
  Things things = find_things (shape, kind, index);
  g_autoptr (GString) names = NULL;

  if (things.name != NULL)
    return TRUE;
  names = g_string_new (NULL);
  for (guint i = 0; i < MIN (things.n, N_NAMED); i++)
    g_string_append_printf (names, "%s%s", i > 0 ? ", " : ": ", name_of (shape, kind, i));
  if (things.n > N_NAMED)
    g_string_append (names, ", ...");
  add_misuse (c, WEIR_MISUSE_READ,
              weir_message_new (N_ ("reads %s %u, but the block has %u%s"),
                                weir_phrase (things.noun), index, things.n, names->str));
  return FALSE;
}

gboolean
weir_observer_check_crossing (const WeirCalc *c, guint k)
{
  const WeirShape *shape = c->node->shape;
  const WeirEventDecl *event;
  guint n = 0;

  if (c->entry == WEIR_NO_INDEX && c->occurrence != NULL)
    {
      event = &g_array_index (shape->events, WeirEventDecl, c->event);
      if (event->trigger == WEIR_TRIGGER_CROSSING)
        n = weir_shape_entry (shape, event->witness.i)->size;
      else
        return TRUE; /* one function may serve several events */
    }
  if (k < n)
    return TRUE;
  add_misuse (
      c, WEIR_MISUSE_READ,
      weir_message_new (N_ ("asks how element %u of its witness crossed, which has %u"), k, n));
  return FALSE;
}

double *
weir_observer_make_room (guint size, const double *old)
{
  guint64 *words = g_new (guint64, size + 2 * N_GUARDS);

  for (guint i = 0; i < size + 2 * N_GUARDS; i++)
    words[i] = GUARD;
  if (old != NULL)
    memcpy (words + N_GUARDS, old, size * sizeof *old);
  return (double *) (void *) (words + N_GUARDS);
}

WeirStatus
weir_observer_take_result (const WeirCalc *c, WeirStatus status, double *room, guint size,
                           double *to)
{
  guint64 *words = (guint64 *) (void *) room - N_GUARDS;
  gboolean is_done = status == WEIR_OK && !c->has_failed;

  for (guint i = 0; i < size + 2 * N_GUARDS; i++)
    {
      gboolean is_inside = i >= N_GUARDS && i < N_GUARDS + size;
      int element = (int) i - N_GUARDS;

      if (is_inside ? words[i] != GUARD || !is_done : words[i] == GUARD)
        continue;
      add_misuse (c, WEIR_MISUSE_WRITE,
                  is_inside
                      ? weir_message_new (N_ ("leaves element %d of its value unwritten"), element)
                      : weir_message_new (N_ ("writes element %d of its value, which has %u"),
                                          element, size));
      status = WEIR_FAILED;
      break;
    }
  if (status == WEIR_OK && !c->has_failed)
    memcpy (to, room, size * sizeof *to);
  g_free (words);
  return status;
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

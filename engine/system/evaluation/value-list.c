/* Lists of values that are read together. See value-list.h.
 *
 * Whatever is read lies in the arena while the context is at its own time and state, so a list
 * comes down to the places of its values, and to how often it reads which entry, in the order of
 * entries. That is all it takes to read what is up to date, at about 12 bytes a value beside the
 * value and its counter; whether it is, is seen by words of 64 entries.
 *
 * What is out of date is brought up to date together where kernels are all that it takes: they
 * cannot fail, and which request they ran for is not logged. Everything else, and whatever is
 * unusual about the context, is read in turn.
 */
#include "system/evaluation/value-list.h"

#include <string.h>

#include "system/evaluation/eval.h"
#include "system/evaluation/evaluator-private.h"
#include "system/observation/observation-private.h"

/* What is read for one port or entry. Another item at the end tells where the last one's ends. */
typedef struct {
  WeirPort port;
  WeirEntry entry;     /* WEIR_NO_INDEX: it is the port */
  gboolean is_known;   /* there is an origin, and numbers at it */
  WeirOrigin origin;   /* by the wiring */
  guint32 first_value; /* place in offsets */
} Item;

typedef struct {
  guint32 entry, times;
} Reads;

/* Some of 64 entries. */
typedef struct {
  guint32 word;
  guint64 bits;
} Word;

struct _WeirValueList {
  WeirSystem *root;
  const WeirEvaluator *evaluator; /* of it */
  Item *items;
  guint n;
  guint32 *offsets; /* of the values, in the arena */
  Reads *reads;     /* ascending, */
  guint n_reads;    /* of so many entries; */
  Word *words;      /* the same as bits */
  guint n_words;
  GArray *open;         /* guint32: inputs of the tree that have no value unless they are fixed */
  gboolean needs_calls; /* of calculations that are no kernels */
  gboolean has_unknown; /* some item fails */
};

/* --- Making one ------------------------------------------------------------------------------ */

/* Where item @i has its numbers; FALSE: it has none. */
static gboolean
find_origin (const WeirLayout *layout, Item *item, guint32 *size)
{
  const WeirNodeInfo *node;
  guint i = item->port.index;
  const GVariantType *type;

  if (item->entry.i != WEIR_NO_INDEX)
    {
      if (item->entry.i >= layout->n_entries)
        return FALSE;
      item->origin = (WeirOrigin) { WEIR_ORIGIN_ENTRY, layout->node_of[item->entry.i],
                                    item->entry.i };
      *size = weir_layout_decl (layout, item->entry.i)->size;
      return weir_layout_decl (layout, item->entry.i)->type == NULL;
    }
  if (item->port.node.i >= layout->n_nodes)
    return FALSE;
  node = &layout->nodes[item->port.node.i];
  if (i >= (item->port.is_input ? node->shape->inputs : node->shape->outputs)->len)
    return FALSE;
  item->origin = item->port.is_input ? layout->inputs[node->first_input + i]
                                     : layout->outputs[node->first_output + i];
  *size = item->port.is_input ? weir_shape_input (node->shape, i)->size
                              : weir_shape_output (node->shape, i)->size;
  type = item->port.is_input ? weir_shape_input (node->shape, i)->type
                             : weir_shape_output (node->shape, i)->type;
  return type == NULL;
}

/* Its place while the context is at its own time and state. */
static guint32
get_offset (const WeirLayout *layout, WeirOrigin origin)
{
  WeirAddress address = weir_layout_address (layout, origin);

  return address.space == WEIR_SPACE_ARENA   ? address.offset
         : address.space == WEIR_SPACE_STATE ? layout->arena.state + address.offset
                                             : WEIR_ARENA_TIME;
}

static void
note_open_input (WeirValueList *self, WeirOrigin origin)
{
  const WeirNodeInfo *node = &self->evaluator->layout->nodes[origin.node];
  guint32 input = node->first_input + origin.index;

  if (!weir_vector_has_value (weir_shape_input (node->shape, origin.index)))
    g_array_append_val (self->open, input);
}

/* @times: by entry, how often it is read. Returns the entries as bits. */
static guint64 *
list_reads (WeirValueList *self, const guint32 *times)
{
  const WeirLayout *layout = self->evaluator->layout;
  guint64 *set = g_new0 (guint64, MAX (layout->n_words, 1));

  self->reads = g_new (Reads, MIN (self->n, layout->n_entries));
  for (guint32 e = 0; e < layout->n_entries; e++)
    if (times[e] > 0)
      {
        self->reads[self->n_reads++] = (Reads) { e, times[e] };
        weir_bit_set (set, e);
      }
  self->words = g_new (Word, MIN (self->n_reads, layout->n_words));
  for (guint32 w = 0; w < layout->n_words; w++)
    if (set[w] != 0)
      self->words[self->n_words++] = (Word) { w, set[w] };
  return set;
}

/* @set: the entries of the list as bits; takes in what they need. */
static gboolean
needs_calls (const WeirEvaluator *evaluator, guint64 *set)
{
  const WeirLayout *layout = evaluator->layout;

  weir_evaluator_collect_all (layout, NULL, NULL, set, 0, layout->n_words);
  for (guint32 e = 0; e < layout->n_entries; e++)
    if (weir_bit (set, e)
        && (evaluator->steps[layout->segment_of[e]].kernel == NULL || weir_bit (layout->lazy, e)))
      return TRUE;
  return FALSE;
}

/* @items: (transfer full) of which port and entry are set. */
static WeirValueList *
list_new (WeirSystem *root, Item *items, guint n)
{
  WeirValueList *self = g_new0 (WeirValueList, 1);
  const WeirLayout *layout = weir_system_get_layout (root);
  g_autofree guint32 *times = g_new0 (guint32, MAX (layout->n_entries, 1));
  g_autoptr (GArray) offsets = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autofree guint64 *set = NULL;

  self->root = weir_system_ref (root);
  self->evaluator = weir_system_get_evaluator (root);
  self->items = items;
  self->n = n;
  self->open = g_array_new (FALSE, FALSE, sizeof (guint32));
  for (guint i = 0; i < n; i++)
    {
      Item *item = &items[i];
      guint32 size = 0, offset;

      item->first_value = offsets->len;
      item->is_known = find_origin (layout, item, &size);
      if (!item->is_known)
        {
          self->has_unknown = TRUE;
          continue;
        }
      if (item->origin.kind == WEIR_ORIGIN_ENTRY)
        times[item->origin.index]++;
      else if (item->origin.kind == WEIR_ORIGIN_FIXED)
        note_open_input (self, item->origin);
      offset = get_offset (layout, item->origin);
      for (guint32 k = 0; k < size; k++, offset++)
        g_array_append_val (offsets, offset);
    }
  items[n].first_value = offsets->len;
  self->offsets = g_array_steal (offsets, NULL);
  set = list_reads (self, times);
  self->needs_calls = needs_calls (self->evaluator, set);
  return self;
}

WeirValueList *
weir_value_list_new (WeirSystem *root, const WeirPort *ports, guint n_ports)
{
  Item *items = g_new0 (Item, n_ports + 1);

  for (guint i = 0; i < n_ports; i++)
    items[i] = (Item) { .port = ports[i], .entry = { WEIR_NO_INDEX } };
  return list_new (root, items, n_ports);
}

WeirValueList *
weir_value_list_new_of_entries (WeirSystem *root, const WeirEntry *entries, guint n_entries)
{
  Item *items = g_new0 (Item, n_entries + 1);

  for (guint i = 0; i < n_entries; i++)
    items[i].entry = entries[i];
  return list_new (root, items, n_entries);
}

void
weir_value_list_free (WeirValueList *self)
{
  if (self == NULL)
    return;
  weir_system_unref (self->root);
  g_array_unref (self->open);
  g_free (self->items);
  g_free (self->reads);
  g_free (self->offsets);
  g_free (self->words);
  g_free (self);
}

gsize
weir_value_list_get_n_values (const WeirValueList *self)
{
  return self->items[self->n].first_value;
}

/* --- Reading in turn ------------------------------------------------------------------------- */

static const double *
eval_item (const WeirValueList *self, WeirContext *context, const Item *item)
{
  guint16 port = (guint16) item->port.index;

  if (item->is_known && !weir_context_is (context, WEIR_MODE_REWIRED))
    return weir_evaluator_eval_origin (self->evaluator, context, item->origin);
  if (item->entry.i != WEIR_NO_INDEX)
    return weir_eval_entry (self->root, context, item->entry);
  return item->port.is_input
             ? weir_eval_input (self->root, context, item->port.node, (WeirInput) { port })
             : weir_eval_output (self->root, context, item->port.node, (WeirOutput) { port });
}

static WeirStatus
read_in_turn (const WeirValueList *self, WeirContext *context, double *values)
{
  for (guint i = 0; i < self->n; i++)
    {
      const Item *item = &self->items[i];
      const double *value = eval_item (self, context, item);

      if (value == NULL)
        return WEIR_FAILED;
      memcpy (values + item->first_value, value,
              (item[1].first_value - item->first_value) * sizeof *value);
    }
  return WEIR_OK;
}

/* --- Reading at one go ----------------------------------------------------------------------- */

static inline gboolean
is_up_to_date (const WeirValueList *self, const WeirContext *context)
{
  const guint64 *stale = context->stale;
  guint64 any = 0;

  for (guint i = 0; i < self->n_words; i++)
    any |= stale[self->words[i].word] & self->words[i].bits;
  return any == 0;
}

/* May all that the requests need be computed before the first of them? Not where one of them is
 * timed, or a keyframe of a log is to have the flags between two. */
static gboolean
can_refresh (const WeirValueList *self, const WeirContext *context)
{
  return !self->needs_calls && self->n <= context->until_timed
         && (!weir_context_is (context, WEIR_MODE_LOGGED)
             || context->log_ring->n + self->n <= context->log_ring->next_keyframe);
}

static void
refresh (const WeirValueList *self, WeirContext *context)
{
  guint64 *need = context->need;
  guint32 low = self->words[0].word, end = self->words[self->n_words - 1].word + 1;

  for (guint i = 0; i < self->n_words; i++)
    need[self->words[i].word] = context->stale[self->words[i].word] & self->words[i].bits;
  low = weir_evaluator_collect_all (context->layout, context->stale, context->disabled, need, low,
                                    end);
  context->modes &= ~(guint32) WEIR_MODE_TIMING;
  weir_scan_needed (self->evaluator, context, need, need, low, end);
}

/* Nothing is unusual, but that a request may be timed: of what is up to date that takes no time. */
static gboolean
can_read_at_once (const WeirValueList *self, const WeirContext *context)
{
  const double *arena = context->arena;

  if (self->has_unknown || weir_context_is (context, WEIR_MODES_OF_FULL_REQUESTS & ~WEIR_MODE_TIMES)
      || context->x != arena + context->layout->arena.state
      || memcmp (&context->now, &arena[WEIR_ARENA_TIME], sizeof context->now) != 0)
    return FALSE;
  for (guint i = 0; i < self->open->len; i++)
    if (!weir_bit (context->fixed, g_array_index (self->open, guint32, i)))
      return FALSE;
  return is_up_to_date (self, context) || can_refresh (self, context);
}

static void
count_requests (WeirContext *context, guint n)
{
  while (n > 0)
    {
      guint n_untimed = MIN (n, context->until_timed);

      if (weir_context_is (context, WEIR_MODE_TIMES))
        {
          weir_context_begin_request (context);
          n--;
          continue;
        }
      context->until_timed -= n_untimed - 1;
      weir_context_count_untimed (context);
      n -= n_untimed;
    }
}

static void
read_at_once (const WeirValueList *self, WeirContext *context, double *values)
{
  guint64 *reads = context->reads;

  if (!is_up_to_date (self, context))
    refresh (self, context);
  if (G_UNLIKELY (weir_context_is (context, WEIR_MODE_LOGGED)))
    for (guint i = 0; i < self->n; i++)
      if (self->items[i].origin.kind == WEIR_ORIGIN_ENTRY)
        weir_log_ring_note_request (context, self->items[i].origin.index, FALSE);
  count_requests (context, self->n);
  for (guint i = 0; i < self->n_reads; i++)
    reads[self->reads[i].entry] += self->reads[i].times;
  weir_gather (values, context->arena, self->offsets, self->items[self->n].first_value);
}

WeirStatus
weir_eval_list (const WeirValueList *self, WeirContext *context, double *values)
{
  if (self->n == 0)
    return WEIR_OK;
  if (G_UNLIKELY (context->layout != self->evaluator->layout
                  || weir_context_is (context, WEIR_MODES_BUSY))
      && weir_system_get_fitting_evaluator (self->root, context) == NULL)
    return WEIR_FAILED;
  if (G_UNLIKELY (!can_read_at_once (self, context)))
    return read_in_turn (self, context, values);
  read_at_once (self, context, values);
  return WEIR_OK;
}

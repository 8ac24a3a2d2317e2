/* Numbering the entries of a tree: level by level, within a level by kind and class, within a class
 * so that operands lie in a row.
 *
 * Two rounds of refinement tell classes apart by who reads them and what they read, so that each
 * class becomes one stream. See layout-private.h.
 */
#include "base/sort.h"
#include "numerics/rows.h"
#include "system/layout/layout-private.h"

#include <string.h>

#define N_KEYS 2
#define STATE_KEY 0x80000000u /* marks a place in the state vector, against an entry */

/* --- What entries read ----------------------------------------------------------------------- */

static inline guint64
mix (guint64 a, guint64 b)
{
  a = (a ^ b) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
  return a ^ (a >> 29);
}

/* Calls @visit for what provisional entry @e reads, in order, once per read. */
static inline void
foreach_read (const WeirLayoutBuilder *b, guint32 e,
              void (*visit) (WeirOrigin origin, gpointer data), gpointer data)
{
  const WeirLayout *self = b->layout;
  guint32 n = b->node_of[e];
  const WeirShape *shape = self->nodes[n].shape;
  const WeirEntryDecl *decl = b->decls[e];
  const guint16 *tickets = decl->is_kernel ? decl->depends : decl->primary;
  guint count = decl->is_kernel ? decl->n_depends : decl->n_primary;
  WeirOrigin origin;

  for (guint k = 0; k < count; k++)
    if (weir_layout_origin_of_ticket (self, n, tickets[k], &origin))
      visit (origin, data);
  for (guint32 c = 0; c < shape->n_children; c++) /* a diagram's entries read its children's */
    {
      int entry = weir_shape_find_entry (shape->children[c], decl->ticket);

      if (entry >= 0)
        {
          guint32 child = weir_layout_child (self, n, c);

          origin = (WeirOrigin) { WEIR_ORIGIN_ENTRY, child,
                                  self->nodes[child].first_entry + (guint32) entry };
          visit (origin, data);
        }
    }
}

typedef struct {
  const WeirLayout *layout;
  GArray *ups;
  guint32 *keys;
  guint n_keys;
  guint64 class_hash; /* of the code and the kinds of what is read */
} ReadVisit;

static void
visit_read (WeirOrigin origin, gpointer data)
{
  ReadVisit *v = data;

  v->class_hash = mix (v->class_hash, origin.kind + 1);
  if (origin.kind == WEIR_ORIGIN_ENTRY)
    g_array_append_val (v->ups, origin.index);
  if (v->n_keys == N_KEYS)
    return;
  if (origin.kind == WEIR_ORIGIN_ENTRY)
    v->keys[v->n_keys++] = origin.index;
  else if (origin.kind >= WEIR_ORIGIN_Q && origin.kind <= WEIR_ORIGIN_XC)
    v->keys[v->n_keys++] = v->layout->nodes[origin.node].state_offset | STATE_KEY;
}

static void
list_reads (WeirLayoutBuilder *b)
{
  WeirLayout *self = b->layout;
  GArray *ups = g_array_sized_new (FALSE, FALSE, sizeof (guint32), self->n_entries + 1);

  b->up_first = g_new (guint32, self->n_entries + 1);
  b->operand_keys = g_new (guint32, N_KEYS * (gsize) MAX (self->n_entries, 1));
  b->class_hash = g_new (guint64, MAX (self->n_entries, 1));
  for (guint32 e = 0; e < self->n_entries; e++)
    {
      const WeirEntryDecl *decl = b->decls[e];
      ReadVisit visit = { self, ups, b->operand_keys + N_KEYS * (gsize) e, 0,
                          mix (mix (mix (decl->kind_hash, decl->name_hash), decl->variant),
                               decl->size * 4 + decl->is_kernel * 2 + decl->is_lazy) };

      b->up_first[e] = ups->len;
      foreach_read (b, e, visit_read, &visit);
      b->class_hash[e] = visit.class_hash;
      while (visit.n_keys < N_KEYS)
        visit.keys[visit.n_keys++] = STATE_KEY;
    }
  b->up_first[self->n_entries] = ups->len;
  b->ups = (guint32 *) (void *) g_array_free (ups, FALSE);
}
/* --- Levels ---------------------------------------------------------------------------------- */

#define UNKNOWN G_MAXUINT32
#define WAITS (G_MAXUINT32 - 1) /* for what it reads */

/* An entry whose level is being found. */
typedef struct {
  guint32 entry;
  guint32 read;  /* its place in ups */
  guint32 level; /* as far as reads have been looked at */
} Frame;

/* Goes on to the first read whose level is not known; UNKNOWN: there is none left. */
static guint32
find_unknown (const WeirLayoutBuilder *b, Frame *frame)
{
  for (; frame->read < b->up_first[frame->entry + 1]; frame->read++)
    {
      guint32 level = b->level[b->ups[frame->read]];

      g_assert (level != WAITS); /* the builders refuse algebraic loops */
      if (level == UNKNOWN)
        return b->ups[frame->read];
      frame->level = MAX (frame->level, level + 1);
    }
  return UNKNOWN;
}

/* Most entries stand after what they read; one that does not waits for it on a stack. */
static void
calc_levels (WeirLayoutBuilder *b)
{
  WeirLayout *self = b->layout;
  guint32 n = self->n_entries;
  g_autoptr (GArray) waiting = g_array_new (FALSE, FALSE, sizeof (Frame));

  b->level = g_new (guint32, MAX (n, 1));
  memset (b->level, 0xff, n * sizeof *b->level);
  for (guint32 e = 0; e < n; e++)
    {
      Frame frame = { e, b->up_first[e], 0 };
      gboolean is_done = b->level[e] != UNKNOWN;

      while (!is_done)
        {
          guint32 unknown = find_unknown (b, &frame);

          if (unknown != UNKNOWN)
            {
              b->level[frame.entry] = WAITS;
              g_array_append_val (waiting, frame);
              frame = (Frame) { unknown, b->up_first[unknown], 0 };
              continue;
            }
          b->level[frame.entry] = frame.level;
          self->n_levels = MAX (self->n_levels, frame.level + 1);
          is_done = waiting->len == 0;
          if (!is_done)
            {
              frame = g_array_index (waiting, Frame, waiting->len - 1);
              g_array_set_size (waiting, waiting->len - 1);
            }
        }
    }
}

/* The entries that the root's derivatives need, as bits. */
static guint64 *
find_upstream_of_derivatives (const WeirLayoutBuilder *b)
{
  const WeirLayout *self = b->layout;
  guint64 *upstream = g_new0 (guint64, self->n_entries / 64 + 1);
  int local = weir_shape_find_entry (self->shape, WEIR_TICKET_XCDOT);
  g_autoptr (GArray) left = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint32 root = self->nodes[0].first_entry + (guint32) local;

  if (local < 0)
    return upstream;
  g_array_append_val (left, root);
  weir_bit_set (upstream, root);
  while (left->len > 0)
    {
      guint32 e = g_array_index (left, guint32, left->len - 1);

      g_array_set_size (left, left->len - 1);
      for (guint32 k = b->up_first[e]; k < b->up_first[e + 1]; k++)
        if (!weir_bit (upstream, b->ups[k]))
          {
            weir_bit_set (upstream, b->ups[k]);
            g_array_append_val (left, b->ups[k]);
          }
    }
  return upstream;
}

/* --- Classes: equal code, equal kinds of operand, equal kinds of consumer -------------------- */

static void
calc_classes (WeirLayoutBuilder *b)
{
  WeirLayout *self = b->layout;
  guint32 n = self->n_entries;
  g_autofree guint64 *consumers = g_new (guint64, MAX (n, 1));
  g_autofree guint64 *upstream = find_upstream_of_derivatives (b);
  g_autofree guint32 *kinds = g_new (guint32, MAX (n, 1));

  for (guint32 e = 0; e < n; e++)
    kinds[e] = (guint32) mix (b->class_hash[e], weir_bit (upstream, e) ? 1 : 0);
  /* Two rounds of refinement split streams by who reads them and what they read; more would split
   * a chain by distance from its ends. */
  for (guint round = 0; round < 2; round++)
    {
      memset (consumers, 0, n * sizeof *consumers);
      for (guint32 e = 0; e < n; e++)
        {
          /* A diagram reads its children alike, whatever their place. */
          gboolean is_diagram = self->nodes[b->node_of[e]].shape->is_diagram;

          for (guint32 k = b->up_first[e]; k < b->up_first[e + 1]; k++)
            consumers[b->ups[k]] |= G_GUINT64_CONSTANT (1)
                                    << (mix (b->class_hash[e], is_diagram ? 0 : k - b->up_first[e])
                                        % 64);
        }
      for (guint32 e = 0; e < n; e++)
        consumers[e] = mix (b->class_hash[e], consumers[e]);
      memcpy (b->class_hash, consumers, n * sizeof *consumers);
    }
  for (guint32 e = 0; e < n; e++)
    b->class_hash[e] = (guint64) kinds[e] << 32 | (guint32) b->class_hash[e];
}

/* --- Numbering and slots --------------------------------------------------------------------- */

/* Where its operands lie, which are below its level and so have their numbers. */
static guint64
get_operand_key (const WeirLayoutBuilder *b, guint32 e)
{
  guint64 keys[N_KEYS] = { 0 };

  G_STATIC_ASSERT (N_KEYS == 2);
  /* Derivatives lie in the order of the state vector whatever they read. */
  for (guint i = 0; b->decls[e]->kind != WEIR_ENTRY_DERIVATIVES && i < N_KEYS; i++)
    {
      guint32 key = b->operand_keys[N_KEYS * (gsize) e + i];

      keys[i] = (key & STATE_KEY) != 0 ? key & ~STATE_KEY : b->rank[key];
    }
  return keys[0] << 32 | keys[1];
}

static inline guint32
get_entry (const WeirSortItem *item)
{
  return GPOINTER_TO_UINT (item->value);
}

/* The entries of one level, which come in their provisional order. */
static void
sort_level (const WeirLayoutBuilder *b, WeirSortItem *items, WeirSortItem *spare, guint32 n)
{
  for (guint32 k = 0; k < n; k++)
    items[k].key = b->class_hash[get_entry (&items[k])];
  weir_sort_items (items, spare, n);
  for (guint32 first = 0, end; first < n; first = end)
    {
      for (end = first + 1; end < n && items[end].key == items[first].key; end++)
        ;
      if (end == first + 1)
        continue;
      for (guint32 k = first; k < end; k++)
        items[k].key = get_operand_key (b, get_entry (&items[k]));
      weir_sort_items (items + first, spare, end - first);
    }
}

static void
number_entries (WeirLayoutBuilder *b)
{
  WeirLayout *self = b->layout;
  guint32 n = self->n_entries, most = 1;
  g_autofree WeirSortItem *items = NULL, *spare = NULL;
  g_auto (WeirRows) levels = { 0 };

  b->rank = g_new (guint32, MAX (n, 1));
  weir_rows_group (&levels, self->n_levels, b->level, n);
  for (guint32 l = 0; l < self->n_levels; l++)
    most = MAX (most, weir_rows_get_length (&levels, l));
  items = g_new (WeirSortItem, most);
  spare = g_new (WeirSortItem, most);
  for (guint32 l = 0; l < self->n_levels; l++)
    {
      guint32 count = weir_rows_get_length (&levels, l);

      for (guint32 k = 0; k < count; k++)
        items[k].value = GUINT_TO_POINTER (levels.items[levels.first[l] + k]);
      if (count > 1)
        sort_level (b, items, spare, count);
      for (guint32 k = 0; k < count; k++)
        b->rank[get_entry (&items[k])] = levels.first[l] + k;
    }
}

static void
number_origins (const WeirLayout *self, WeirOrigin *origins, guint32 n)
{
  for (guint32 i = 0; i < n; i++)
    if (origins[i].kind == WEIR_ORIGIN_ENTRY)
      origins[i].index = self->entry_of_local[origins[i].index];
}

/* In provisional order: what is written far apart waits for nothing. */
static void
renumber (WeirLayoutBuilder *b)
{
  WeirLayout *self = b->layout;
  guint32 n = self->n_entries;

  self->node_of = g_new (guint32, MAX (n, 1));
  self->local_of = g_new (guint32, MAX (n, 1));
  self->decls = g_new (const WeirEntryDecl *, MAX (n, 1));
  self->up_first = g_new (guint32, n + 1);
  self->ups = g_new (guint32, MAX (b->up_first[n], 1));
  self->lazy = g_new0 (guint64, n / 64 + 1);
  self->up_first[0] = 0;
  for (guint32 e = 0; e < n; e++)
    {
      guint32 r = b->rank[e];

      self->node_of[r] = b->node_of[e];
      self->local_of[r] = b->local_of[e];
      self->decls[r] = b->decls[e];
      self->up_first[r + 1] = b->up_first[e + 1] - b->up_first[e];
      if (b->decls[e]->is_lazy)
        weir_bit_set (self->lazy, r);
    }
  for (guint32 r = 0; r < n; r++)
    self->up_first[r + 1] += self->up_first[r];
  for (guint32 e = 0; e < n; e++)
    {
      guint32 at = self->up_first[b->rank[e]];

      for (guint32 k = b->up_first[e]; k < b->up_first[e + 1]; k++)
        self->ups[at++] = b->rank[b->ups[k]];
    }
  self->entry_of_local = g_steal_pointer (&b->rank);
  number_origins (self, self->inputs, self->n_inputs);
  number_origins (self, self->outputs, self->n_outputs);
}

void
weir_layout_number (WeirLayoutBuilder *b)
{
  list_reads (b);
  weir_layout_find_loops (b);
  calc_levels (b);
  calc_classes (b);
  number_entries (b);
  renumber (b);
  weir_layout_renumber_loops (b->layout);
}

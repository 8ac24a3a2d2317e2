/* Numbering the entries of a tree: level by level, within a level by kind and class, within a class
 * so that operands lie in a row.
 *
 * Two rounds of refinement tell classes apart by who reads them and what they read, so that each
 * class becomes one stream. See layout-private.h.
 */
#include "numerics/rows.h"
#include "system/layout/layout-private.h"

#include <stdlib.h>
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

static void
calc_levels (WeirLayoutBuilder *b)
{
  WeirLayout *self = b->layout;
  guint32 n = self->n_entries, tail = 0;
  g_auto (WeirRows) down = { 0 };
  g_autofree guint32 *waiting = g_new (guint32, MAX (n, 1));
  g_autofree guint32 *queue = g_new (guint32, MAX (n, 1));

  weir_rows_transpose (&down, n, n, b->up_first, b->ups);
  b->level = g_new0 (guint32, MAX (n, 1));
  for (guint32 e = 0; e < n; e++)
    {
      waiting[e] = b->up_first[e + 1] - b->up_first[e];
      if (waiting[e] == 0)
        queue[tail++] = e;
    }
  for (guint32 head = 0; head < tail; head++)
    {
      guint32 e = queue[head];

      for (guint32 k = down.first[e]; k < down.first[e + 1]; k++)
        {
          guint32 reader = down.items[k];

          b->level[reader] = MAX (b->level[reader], b->level[e] + 1);
          if (--waiting[reader] == 0)
            queue[tail++] = reader;
        }
      self->n_levels = MAX (self->n_levels, b->level[e] + 1);
    }
  /* The builders refuse algebraic loops, so every entry has been reached. */
  g_assert (tail == n);
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

typedef struct {
  guint64 class_hash;
  guint32 keys[N_KEYS];
  guint32 entry;
} SortItem;

static int
compare_items (gconstpointer a, gconstpointer b)
{
  const SortItem *x = a, *y = b;

  if (x->class_hash != y->class_hash)
    return x->class_hash < y->class_hash ? -1 : 1;
  for (guint k = 0; k < N_KEYS; k++)
    if (x->keys[k] != y->keys[k])
      return x->keys[k] < y->keys[k] ? -1 : 1;
  return x->entry < y->entry ? -1 : x->entry > y->entry;
}

static void
number_entries (WeirLayoutBuilder *b)
{
  WeirLayout *self = b->layout;
  guint32 n = self->n_entries;
  g_autofree SortItem *items = g_new0 (SortItem, MAX (n, 1));
  g_auto (WeirRows) levels = { 0 };

  b->rank = g_new (guint32, MAX (n, 1));
  weir_rows_group (&levels, self->n_levels, b->level, n);
  for (guint32 k = 0; k < n; k++)
    items[k].entry = levels.items[k];

  for (guint32 l = 0; l < self->n_levels; l++)
    {
      SortItem *first = items + levels.first[l];
      guint32 count = weir_rows_get_length (&levels, l);

      for (guint32 k = 0; k < count; k++)
        {
          guint32 e = first[k].entry;

          first[k].class_hash = b->class_hash[e];
          /* Derivatives lie in the order of the state vector whatever they read. */
          for (guint i = 0; b->decls[e]->kind != WEIR_ENTRY_DERIVATIVES && i < N_KEYS; i++)
            {
              guint32 key = b->operand_keys[N_KEYS * (gsize) e + i];

              first[k].keys[i] = (key & STATE_KEY) != 0 ? key & ~STATE_KEY : b->rank[key];
            }
        }
      if (count > 1)
        qsort (first, count, sizeof *first, compare_items);
      for (guint32 k = 0; k < count; k++)
        b->rank[first[k].entry] = levels.first[l] + k;
    }
}

static void
renumber (WeirLayoutBuilder *b)
{
  WeirLayout *self = b->layout;
  guint32 n = self->n_entries, at = 0;
  g_autofree guint32 *of_rank = g_new (guint32, MAX (n, 1));

  self->node_of = g_new (guint32, MAX (n, 1));
  self->local_of = g_new (guint32, MAX (n, 1));
  self->decls = g_new (const WeirEntryDecl *, MAX (n, 1));
  self->up_first = g_new (guint32, n + 1);
  self->ups = g_new (guint32, MAX (b->up_first[n], 1));
  self->lazy = g_new0 (guint64, n / 64 + 1);
  for (guint32 e = 0; e < n; e++)
    of_rank[b->rank[e]] = e;
  for (guint32 r = 0; r < n; r++)
    {
      guint32 e = of_rank[r];

      self->node_of[r] = b->node_of[e];
      self->local_of[r] = b->local_of[e];
      self->decls[r] = b->decls[e];
      self->up_first[r] = at;
      for (guint32 k = b->up_first[e]; k < b->up_first[e + 1]; k++)
        self->ups[at++] = b->rank[b->ups[k]];
      if (b->decls[e]->is_lazy)
        weir_bit_set (self->lazy, r);
    }
  self->up_first[n] = at;
  self->entry_of_local = b->rank;
  b->rank = NULL;
  for (guint32 i = 0; i < self->n_inputs; i++)
    if (self->inputs[i].kind == WEIR_ORIGIN_ENTRY)
      self->inputs[i].index = self->entry_of_local[self->inputs[i].index];
  for (guint32 o = 0; o < self->n_outputs; o++)
    if (self->outputs[o].kind == WEIR_ORIGIN_ENTRY)
      self->outputs[o].index = self->entry_of_local[self->outputs[o].index];
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

/* Building the numbering of a tree of systems. See layout-private.h for what it promises.
 *
 * Steps: lay the nodes out in tree order; trace every port to where its value comes from; list what
 * each entry reads; number the entries by level and class; give out slots in that order; cut segments;
 * write the rows of dependents. Everything is linear in the size of the tree but the sort within levels.
 * Nothing here depends on addresses in memory, so equal structures get equal numbers.
 */
#include "system/layout-private.h"

#include <stdlib.h>
#include <string.h>

#define MASK_BYTES (64u << 20)

#define N_KEYS 2
#define STATE_KEY 0x80000000u /* marks a place in the state vector, against an entry */

typedef struct {
  WeirLayout *layout;
  /* By provisional entry: nodes in tree order, entries in order of declaration. */
  guint32 *node_of, *local_of;
  guint32 *up_first, *ups;
  guint32 *operand_keys; /* N_KEYS by entry: its first reads of entries and states */
  guint32 *level;
  guint64 *class_hash;
  guint32 *rank; /* provisional -> final */
  WeirOrigin *port_origins;
} Builder;

/* --- Nodes ----------------------------------------------------------------------------------- */

static void
count_tree (WeirLayout *self, const WeirShape *shape)
{
  self->n_nodes++;
  self->n_entries += shape->entries->len;
  self->n_inputs += shape->inputs->len;
  self->n_outputs += shape->outputs->len;
  self->n_parameters += shape->parameters->len;
  self->n_groups += shape->groups->len;
  self->n_events += shape->events->len;
  for (guint32 c = 0; c < shape->n_children; c++)
    count_tree (self, shape->children[c]);
}

typedef struct {
  guint32 node, child, entry, input, output, parameter, group, source, state, event;
} Cursor;

static guint32
add_nodes (WeirLayout *self, Cursor *at, const WeirShape *shape, guint32 parent, guint32 index)
{
  guint32 n = at->node++;
  WeirNodeInfo *node = &self->nodes[n];

  *node = (WeirNodeInfo) {
    .shape = shape,
    .parent = parent,
    .child = index,
    .first_child = at->child,
    .first_entry = at->entry,
    .first_input = at->input,
    .first_output = at->output,
    .first_parameter = at->parameter,
    .first_group = at->group,
    .first_source = at->source,
    .state_offset = at->state,
    .first_event = at->event,
  };
  at->child += shape->n_children;
  at->entry += shape->entries->len;
  at->input += shape->inputs->len;
  at->output += shape->outputs->len;
  at->parameter += shape->parameters->len;
  at->group += shape->groups->len;
  at->event += shape->events->len;
  at->source += (shape->initial_state != NULL ? 4 : 0) + shape->groups->len
                + shape->parameters->len + shape->inputs->len;
  if (shape->initial_state != NULL)
    {
      WeirStateSlice slice = { { n }, at->state, shape->nq, shape->nv, shape->nz };

      g_array_append_val (self->slices, slice);
      at->state += shape->nq + shape->nv + shape->nz;
    }
  for (guint32 c = 0; c < shape->n_children; c++)
    self->child_nodes[node->first_child + c] = add_nodes (self, at, shape->children[c], n, c);
  node->n_states = at->state - node->state_offset;
  return n;
}

/* --- Where values at ports come from ----------------------------------------------------------- */

static WeirOrigin trace_input (const WeirLayout *self, const guint64 *fixed, guint32 n, guint32 in);

static WeirOrigin
trace_output (const WeirLayout *self, const guint64 *fixed, guint32 n, guint32 out)
{
  const WeirNodeInfo *node = &self->nodes[n];
  const WeirOutputDecl *decl = weir_shape_output (node->shape, out);
  WeirItem item;
  int entry;

  if (node->shape->is_diagram)
    return trace_output (self, fixed, weir_layout_child (self, n, decl->child),
                         decl->child_output);
  entry = weir_shape_find_entry (node->shape, decl->shown);
  if (entry >= 0)
    return (WeirOrigin) { WEIR_ORIGIN_ENTRY, n, node->first_entry + (guint32) entry };
  item = weir_shape_item (node->shape, decl->shown);
  switch (item.kind)
    {
    case WEIR_ITEM_GROUP:
      return (WeirOrigin) { WEIR_ORIGIN_GROUP, n, item.index };
    case WEIR_ITEM_PARAMETER:
      return (WeirOrigin) { WEIR_ORIGIN_PARAMETER, n, item.index };
    case WEIR_ITEM_BUILT_IN:
    case WEIR_ITEM_INPUT:
    case WEIR_ITEM_OUTPUT:
    case WEIR_ITEM_ENTRY:
    default:
      {
        guint32 kind = decl->shown == WEIR_TICKET_TIME       ? WEIR_ORIGIN_TIME
                       : decl->shown == WEIR_TICKET_ACCURACY ? WEIR_ORIGIN_ACCURACY
                       : decl->shown == WEIR_TICKET_Q        ? WEIR_ORIGIN_Q
                       : decl->shown == WEIR_TICKET_V        ? WEIR_ORIGIN_V
                       : decl->shown == WEIR_TICKET_Z        ? WEIR_ORIGIN_Z
                                                             : WEIR_ORIGIN_XC;

        return (WeirOrigin) { kind, n, 0 };
      }
    }
}

static WeirOrigin
trace_input (const WeirLayout *self, const guint64 *fixed, guint32 n, guint32 in)
{
  for (;;)
    {
      const WeirNodeInfo *node = &self->nodes[n];
      const WeirShape *parent;
      WeirWiring wiring;

      if (node->parent == WEIR_NO_INDEX
          || (fixed != NULL && weir_bit (fixed, node->first_input + in)))
        return (WeirOrigin) { WEIR_ORIGIN_FIXED, n, in };
      parent = self->nodes[node->parent].shape;
      wiring = parent->wiring[parent->first_wiring[node->child] + in];
      if (wiring.child == WEIR_WIRED_NOTHING)
        return (WeirOrigin) { WEIR_ORIGIN_FIXED, n, in };
      if (wiring.child != WEIR_WIRED_PARENT)
        return trace_output (self, fixed, weir_layout_child (self, node->parent, wiring.child),
                             wiring.port);
      n = node->parent;
      in = wiring.port;
    }
}

/* During building entries have provisional numbers; from then on final ones. */
WeirOrigin
weir_layout_trace_input (const WeirLayout *self, const guint64 *fixed, guint32 node, guint32 in)
{
  WeirOrigin origin = trace_input (self, fixed, node, in);

  if (origin.kind == WEIR_ORIGIN_ENTRY)
    origin.index = self->entry_of_local[origin.index];
  return origin;
}

/* --- What entries read ------------------------------------------------------------------------- */

/* The origin of a primary ticket of node @n; FALSE for "nothing". */
static gboolean
origin_of_ticket (const WeirLayout *self, guint32 n, guint16 ticket, WeirOrigin *origin)
{
  const WeirNodeInfo *node = &self->nodes[n];
  WeirItem item = weir_shape_item (node->shape, ticket);
  int entry = weir_shape_find_entry (node->shape, ticket);

  *origin = (WeirOrigin) { WEIR_ORIGIN_ENTRY, n, 0 };
  if (entry >= 0)
    origin->index = node->first_entry + (guint32) entry;
  else if (item.kind == WEIR_ITEM_INPUT)
    *origin = self->inputs[node->first_input + item.index];
  else if (item.kind == WEIR_ITEM_GROUP)
    *origin = (WeirOrigin) { WEIR_ORIGIN_GROUP, n, item.index };
  else if (item.kind == WEIR_ITEM_PARAMETER)
    *origin = (WeirOrigin) { WEIR_ORIGIN_PARAMETER, n, item.index };
  else
    switch (ticket)
      {
      case WEIR_TICKET_TIME:
        origin->kind = WEIR_ORIGIN_TIME;
        break;
      case WEIR_TICKET_ACCURACY:
        origin->kind = WEIR_ORIGIN_ACCURACY;
        break;
      case WEIR_TICKET_Q:
        origin->kind = WEIR_ORIGIN_Q;
        break;
      case WEIR_TICKET_V:
        origin->kind = WEIR_ORIGIN_V;
        break;
      case WEIR_TICKET_Z:
        origin->kind = WEIR_ORIGIN_Z;
        break;
      case WEIR_TICKET_XC:
        origin->kind = WEIR_ORIGIN_XC;
        break;
      default:
        return FALSE;
      }
  return TRUE;
}

/* Calls @visit for what provisional entry @e reads, in order, once per read. */
static void
foreach_read (const Builder *b, guint32 e, void (*visit) (WeirOrigin origin, gpointer data),
              gpointer data)
{
  const WeirLayout *self = b->layout;
  guint32 n = b->node_of[e];
  const WeirShape *shape = self->nodes[n].shape;
  const WeirEntryDecl *decl = weir_shape_entry (shape, b->local_of[e]);
  const guint16 *tickets = decl->is_kernel ? decl->depends : decl->primary;
  guint count = decl->is_kernel ? decl->n_depends : decl->n_primary;
  WeirOrigin origin;

  for (guint k = 0; k < count; k++)
    if (origin_of_ticket (self, n, tickets[k], &origin))
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
} ReadVisit;

static void
visit_read (WeirOrigin origin, gpointer data)
{
  ReadVisit *v = data;

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
list_reads (Builder *b)
{
  WeirLayout *self = b->layout;
  GArray *ups = g_array_sized_new (FALSE, FALSE, sizeof (guint32), self->n_entries + 1);

  b->up_first = g_new (guint32, self->n_entries + 1);
  b->operand_keys = g_new (guint32, N_KEYS * (gsize) MAX (self->n_entries, 1));
  for (guint32 e = 0; e < self->n_entries; e++)
    {
      ReadVisit visit = { self, ups, b->operand_keys + N_KEYS * (gsize) e, 0 };

      b->up_first[e] = ups->len;
      foreach_read (b, e, visit_read, &visit);
      while (visit.n_keys < N_KEYS)
        visit.keys[visit.n_keys++] = STATE_KEY;
    }
  b->up_first[self->n_entries] = ups->len;
  b->ups = (guint32 *) (void *) g_array_free (ups, FALSE);
}

/* --- Levels ------------------------------------------------------------------------------------ */

static void
calc_levels (Builder *b)
{
  WeirLayout *self = b->layout;
  guint32 n = self->n_entries, tail = 0;
  g_autofree guint32 *down_first = g_new0 (guint32, n + 2);
  g_autofree guint32 *down = g_new (guint32, MAX (b->up_first[n], 1));
  g_autofree guint32 *waiting = g_new (guint32, MAX (n, 1));
  g_autofree guint32 *queue = g_new (guint32, MAX (n, 1));

  for (guint32 k = 0; k < b->up_first[n]; k++)
    down_first[b->ups[k] + 2]++;
  for (guint32 e = 0; e < n; e++)
    down_first[e + 2] += down_first[e + 1];
  for (guint32 e = 0; e < n; e++)
    for (guint32 k = b->up_first[e]; k < b->up_first[e + 1]; k++)
      down[down_first[b->ups[k] + 1]++] = e;

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

      for (guint32 k = down_first[e]; k < down_first[e + 1]; k++)
        {
          b->level[down[k]] = MAX (b->level[down[k]], b->level[e] + 1);
          if (--waiting[down[k]] == 0)
            queue[tail++] = down[k];
        }
      self->n_levels = MAX (self->n_levels, b->level[e] + 1);
    }
  /* The builders refuse algebraic loops, so every entry has been reached. */
  g_assert (tail == n);
}

/* --- Classes: equal code, equal kinds of operand, equal kinds of consumer ------------------------- */

static inline guint64
mix (guint64 a, guint64 b)
{
  a = (a ^ b) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
  return a ^ (a >> 29);
}

static void
visit_class (WeirOrigin origin, gpointer data)
{
  guint64 *hash = data;

  *hash = mix (*hash, origin.kind + 1);
}

static void
calc_classes (Builder *b)
{
  WeirLayout *self = b->layout;
  guint32 n = self->n_entries;
  g_autofree guint64 *consumers = g_new (guint64, MAX (n, 1));

  b->class_hash = g_new (guint64, MAX (n, 1));
  for (guint32 e = 0; e < n; e++)
    {
      const WeirShape *shape = self->nodes[b->node_of[e]].shape;
      const WeirEntryDecl *decl = weir_shape_entry (shape, b->local_of[e]);
      guint64 hash = mix (g_str_hash (shape->kind), g_str_hash (decl->name));

      hash = mix (hash, decl->variant);
      hash = mix (hash, decl->size * 4 + decl->is_kernel * 2 + decl->is_lazy);
      foreach_read (b, e, visit_class, &hash);
      b->class_hash[e] = hash;
    }
  /* Two rounds of refinement split streams by who reads them and what they read; more would split
   * a chain by distance from its ends (research/hot-path.md, section 1). */
  for (guint round = 0; round < 2; round++)
    {
      memset (consumers, 0, n * sizeof *consumers);
      for (guint32 e = 0; e < n; e++)
        {
          /* A diagram reads its children alike, whatever their place. */
          gboolean is_diagram = self->nodes[b->node_of[e]].shape->is_diagram;

          for (guint32 k = b->up_first[e]; k < b->up_first[e + 1]; k++)
            consumers[b->ups[k]]
                |= G_GUINT64_CONSTANT (1)
                   << (mix (b->class_hash[e], is_diagram ? 0 : k - b->up_first[e]) % 64);
        }
      for (guint32 e = 0; e < n; e++)
        consumers[e] = mix (b->class_hash[e], consumers[e]);
      memcpy (b->class_hash, consumers, n * sizeof *consumers);
    }
}

/* --- Numbering and slots ------------------------------------------------------------------------- */

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
number_entries (Builder *b)
{
  WeirLayout *self = b->layout;
  guint32 n = self->n_entries;
  g_autofree guint32 *level_first = g_new0 (guint32, self->n_levels + 1);
  g_autofree SortItem *items = g_new0 (SortItem, MAX (n, 1));
  g_autofree guint32 *fill = NULL;

  b->rank = g_new (guint32, MAX (n, 1));
  for (guint32 e = 0; e < n; e++)
    level_first[b->level[e] + 1]++;
  for (guint32 l = 0; l < self->n_levels; l++)
    level_first[l + 1] += level_first[l];
  fill = g_memdup2 (level_first, (self->n_levels + 1) * sizeof (guint32));
  for (guint32 e = 0; e < n; e++)
    items[fill[b->level[e]]++].entry = e;

  for (guint32 l = 0; l < self->n_levels; l++)
    {
      SortItem *first = items + level_first[l];
      guint32 count = level_first[l + 1] - level_first[l];

      for (guint32 k = 0; k < count; k++)
        {
          guint32 e = first[k].entry;
          const WeirEntryDecl *decl
              = weir_shape_entry (self->nodes[b->node_of[e]].shape, b->local_of[e]);

          first[k].class_hash = b->class_hash[e];
          /* Derivatives lie in the order of the state vector whatever they read. */
          for (guint i = 0; decl->kind != WEIR_ENTRY_DERIVATIVES && i < N_KEYS; i++)
            {
              guint32 key = b->operand_keys[N_KEYS * (gsize) e + i];

              first[k].keys[i] = (key & STATE_KEY) != 0 ? key & ~STATE_KEY : b->rank[key];
            }
        }
      if (count > 1)
        qsort (first, count, sizeof *first, compare_items);
      for (guint32 k = 0; k < count; k++)
        b->rank[first[k].entry] = level_first[l] + k;
    }
}

static void
renumber (Builder *b)
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
      self->decls[r] = weir_shape_entry (self->nodes[b->node_of[e]].shape, b->local_of[e]);
      self->up_first[r] = at;
      for (guint32 k = b->up_first[e]; k < b->up_first[e + 1]; k++)
        self->ups[at++] = b->rank[b->ups[k]];
      if (weir_layout_decl (self, r)->is_lazy)
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

/* The same as origin_of_ticket(), with final numbers. */
static gboolean
final_origin (const WeirLayout *self, guint32 n, guint16 ticket, WeirOrigin *origin)
{
  gboolean found = origin_of_ticket (self, n, ticket, origin);

  if (found && weir_shape_find_entry (self->nodes[n].shape, ticket) >= 0)
    origin->index = self->entry_of_local[origin->index];
  return found;
}

static guint32
place (guint32 *at, guint32 size)
{
  guint32 start = *at;

  *at += size;
  return start;
}

static guint32
aligned (guint32 at)
{
  return (at + 7) & ~7u; /* 64 bytes */
}

static void
lay_out_arena (WeirLayout *self)
{
  guint32 at = WEIR_ARENA_HEADER;

  self->n_words = (self->n_entries + 63) / 64;
  self->parameter_slots = g_new (guint32, MAX (self->n_parameters, 1));
  self->group_slots = g_new (guint32, MAX (self->n_groups, 1));
  self->input_slots = g_new (guint32, MAX (self->n_inputs, 1));
  self->value_offset = g_new (guint32, MAX (self->n_entries, 1));

  self->arena.state = place (&at, self->n_states);
  self->arena.groups = at = aligned (at);
  for (guint32 n = 0; n < self->n_nodes; n++)
    for (guint g = 0; g < self->nodes[n].shape->groups->len; g++)
      self->group_slots[self->nodes[n].first_group + g]
          = place (&at, weir_shape_group (self->nodes[n].shape, g)->size);

  /* Parameters in the order in which the scan reads them; the unread ones after. */
  self->arena.parameters = at = aligned (at);
  memset (self->parameter_slots, 0, self->n_parameters * sizeof (guint32));
  for (guint32 e = 0; e < self->n_entries; e++)
    {
      const WeirEntryDecl *decl = weir_layout_decl (self, e);
      const WeirNodeInfo *node = &self->nodes[self->node_of[e]];

      for (guint k = 0; k < decl->n_primary; k++)
        {
          WeirItem item = weir_shape_item (node->shape, decl->primary[k]);

          if (item.kind == WEIR_ITEM_PARAMETER
              && self->parameter_slots[node->first_parameter + item.index] == 0)
            self->parameter_slots[node->first_parameter + item.index]
                = place (&at, weir_shape_parameter (node->shape, item.index)->size);
        }
    }
  for (guint32 n = 0; n < self->n_nodes; n++)
    for (guint p = 0; p < self->nodes[n].shape->parameters->len; p++)
      if (self->parameter_slots[self->nodes[n].first_parameter + p] == 0)
        self->parameter_slots[self->nodes[n].first_parameter + p]
            = place (&at, weir_shape_parameter (self->nodes[n].shape, p)->size);

  self->arena.fixed = at = aligned (at);
  for (guint32 n = 0; n < self->n_nodes; n++)
    for (guint i = 0; i < self->nodes[n].shape->inputs->len; i++)
      self->input_slots[self->nodes[n].first_input + i]
          = place (&at, weir_shape_input (self->nodes[n].shape, i)->size);

  self->arena.values = at = aligned (at);
  for (guint32 e = 0; e < self->n_entries; e++)
    if (weir_layout_decl (self, e)->kind != WEIR_ENTRY_DERIVATIVES)
      self->value_offset[e] = place (&at, weir_layout_decl (self, e)->size);
  /* All derivatives lie together in the order of the state vector: a diagram's are a slice. */
  at = aligned (at);
  self->arena.xdot = place (&at, self->n_states);
  for (guint32 e = 0; e < self->n_entries; e++)
    if (weir_layout_decl (self, e)->kind == WEIR_ENTRY_DERIVATIVES)
      self->value_offset[e] = self->arena.xdot + self->nodes[self->node_of[e]].state_offset;
  self->arena.end_of_values = at;

  self->word_offset = g_new (guint32, MAX (self->n_words, 1));
  for (guint32 w = 0; w < self->n_words; w++)
    {
      guint32 first = w * 64, end = MIN (first + 64, self->n_entries), e = first + 1;

      while (e < end && self->value_offset[e] - self->value_offset[first] == e - first)
        e++;
      self->word_offset[w] = e == end ? self->value_offset[first] - first : WEIR_NO_INDEX;
    }
}

WeirAddress
weir_layout_address (const WeirLayout *self, WeirOrigin origin)
{
  const WeirNodeInfo *node = &self->nodes[origin.node];

  switch ((WeirOriginKind) origin.kind)
    {
    case WEIR_ORIGIN_ENTRY:
      return (WeirAddress) { self->value_offset[origin.index], WEIR_SPACE_ARENA };
    case WEIR_ORIGIN_TIME:
      return (WeirAddress) { 0, WEIR_SPACE_TIME };
    case WEIR_ORIGIN_ACCURACY:
      return (WeirAddress) { WEIR_ARENA_ACCURACY, WEIR_SPACE_ARENA };
    case WEIR_ORIGIN_Q:
    case WEIR_ORIGIN_XC:
      return (WeirAddress) { node->state_offset, WEIR_SPACE_STATE };
    case WEIR_ORIGIN_V:
      return (WeirAddress) { node->state_offset + node->shape->nq, WEIR_SPACE_STATE };
    case WEIR_ORIGIN_Z:
      return (WeirAddress) { node->state_offset + node->shape->nq + node->shape->nv,
                             WEIR_SPACE_STATE };
    case WEIR_ORIGIN_GROUP:
      return (WeirAddress) { self->group_slots[node->first_group + origin.index],
                             WEIR_SPACE_ARENA };
    case WEIR_ORIGIN_PARAMETER:
      return (WeirAddress) { self->parameter_slots[node->first_parameter + origin.index],
                             WEIR_SPACE_ARENA };
    case WEIR_ORIGIN_FIXED:
    default:
      return (WeirAddress) { self->input_slots[node->first_input + origin.index],
                             WEIR_SPACE_ARENA };
    }
}

static void
address_operands (WeirLayout *self)
{
  guint32 at = 0;

  self->operand_first = g_new (guint32, self->n_entries + 1);
  for (guint32 e = 0; e < self->n_entries; e++)
    {
      const WeirEntryDecl *decl = weir_layout_decl (self, e);

      self->operand_first[e] = at;
      at += decl->is_kernel ? decl->n_depends : 0;
    }
  self->operand_first[self->n_entries] = at;
  self->operands = g_new (WeirAddress, MAX (at, 1));
  /* In the order of nodes: what is looked up there is much larger than what is written. */
  for (guint32 n = 0; n < self->n_nodes; n++)
    for (guint l = 0; l < self->nodes[n].shape->entries->len; l++)
      {
        const WeirEntryDecl *decl = weir_shape_entry (self->nodes[n].shape, l);
        WeirAddress *to
            = self->operands
              + self->operand_first[self->entry_of_local[self->nodes[n].first_entry + l]];

        for (guint k = 0; decl->is_kernel && k < decl->n_depends; k++)
          {
            WeirOrigin origin;

            if (!final_origin (self, n, decl->depends[k], &origin))
              g_assert_not_reached (); /* a kernel's operands have values */
            to[k] = weir_layout_address (self, origin);
          }
      }
}

/* --- Segments ------------------------------------------------------------------------------------ */

static gboolean
extends (const Builder *b, const WeirLayout *self, const guint32 *of_rank, guint32 first, guint32 e,
         const gint32 *strides, guint32 n_operands)
{
  guint32 x = of_rank[first], y = of_rank[e];

  if (b->class_hash[x] != b->class_hash[y] || b->level[x] != b->level[y]
      || self->operand_first[e + 1] - self->operand_first[e] != n_operands)
    return FALSE;
  for (guint32 k = 0; k < n_operands; k++)
    {
      WeirAddress p = self->operands[self->operand_first[e - 1] + k];
      WeirAddress q = self->operands[self->operand_first[e] + k];

      if (p.space != q.space || (gint64) q.offset - p.offset != strides[k])
        return FALSE;
    }
  return (gint64) self->value_offset[e] - self->value_offset[e - 1] == strides[n_operands];
}

static void
cut_segments (Builder *b)
{
  WeirLayout *self = b->layout;
  guint32 n = self->n_entries;
  g_autofree guint32 *of_rank = g_new (guint32, MAX (n, 1));
  g_autoptr (GArray) firsts = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GArray) stride_firsts = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GArray) strides = g_array_new (FALSE, TRUE, sizeof (gint32));

  for (guint32 p = 0; p < n; p++)
    of_rank[self->entry_of_local[p]] = p;
  self->segment_of = g_new (guint32, MAX (n, 1));
  for (guint32 first = 0; first < n;)
    {
      const WeirEntryDecl *decl = weir_layout_decl (self, first);
      guint32 n_operands = self->operand_first[first + 1] - self->operand_first[first];
      guint32 stride_first = strides->len, e = first + 1;

      g_array_append_val (firsts, first);
      g_array_append_val (stride_firsts, stride_first);
      g_array_set_size (strides, strides->len + n_operands + 1);
      if (decl->is_kernel && decl->size == 1 && e < n
          && self->operand_first[e + 1] - self->operand_first[e] == n_operands)
        {
          gint32 *step = &g_array_index (strides, gint32, stride_first);

          for (guint32 k = 0; k < n_operands; k++)
            step[k] = (gint32) (self->operands[self->operand_first[e] + k].offset
                                - self->operands[self->operand_first[first] + k].offset);
          step[n_operands] = (gint32) (self->value_offset[e] - self->value_offset[first]);
          while (e < n && extends (b, self, of_rank, first, e, step, n_operands))
            e++;
        }
      for (guint32 k = first; k < e; k++)
        self->segment_of[k] = firsts->len - 1;
      first = e;
    }
  self->n_segments = firsts->len;
  g_array_append_val (firsts, n);
  self->segment_first = g_memdup2 (firsts->data, firsts->len * sizeof (guint32));
  self->stride_first = g_memdup2 (stride_firsts->data, MAX (stride_firsts->len, 1) * sizeof (guint32));
  self->strides = g_memdup2 (strides->data, MAX (strides->len, 1) * sizeof (gint32));
}

/* --- Rows of dependents -------------------------------------------------------------------------- */

typedef void (*EdgeFunc) (guint32 row, guint32 entry, gpointer data);

static void
foreach_edge_of_input (const WeirLayout *self, guint32 n, guint32 in, guint32 entry, EdgeFunc func,
                       gpointer data)
{
  /* Every input on the way up may be fixed, so each is a source of its own. */
  for (;;)
    {
      const WeirNodeInfo *node = &self->nodes[n];
      const WeirShape *parent;
      WeirWiring wiring;

      func (weir_layout_input_source (self, n, in).i, entry, data);
      if (node->parent == WEIR_NO_INDEX)
        return;
      parent = self->nodes[node->parent].shape;
      wiring = parent->wiring[parent->first_wiring[node->child] + in];
      if (wiring.child != WEIR_WIRED_PARENT)
        return;
      n = node->parent;
      in = wiring.port;
    }
}

/* The edges from sources, in the order of nodes, which is the order that ports and wires lie in. */
static void
foreach_source_edge (const WeirLayout *self, guint32 n, const WeirEntryDecl *decl, guint32 e,
                     EdgeFunc func, gpointer data)
{
  const WeirShape *shape = self->nodes[n].shape;

  for (guint k = 0; k < decl->n_primary; k++)
    {
      WeirItem item = weir_shape_item (shape, decl->primary[k]);
      WeirOrigin o;

      if (!origin_of_ticket (self, n, decl->primary[k], &o))
        continue;
      if (item.kind == WEIR_ITEM_INPUT)
        foreach_edge_of_input (self, n, item.index, e, func, data);
      switch ((WeirOriginKind) o.kind)
        {
        case WEIR_ORIGIN_TIME:
          func (WEIR_SOURCE_TIME, e, data);
          func (WEIR_SOURCE_TIME_STATE, e, data);
          func (WEIR_SOURCE_ALL, e, data);
          break;
        case WEIR_ORIGIN_ACCURACY:
          func (WEIR_SOURCE_ACCURACY, e, data);
          func (WEIR_SOURCE_ALL, e, data);
          break;
        case WEIR_ORIGIN_Q:
        case WEIR_ORIGIN_V:
        case WEIR_ORIGIN_Z:
        case WEIR_ORIGIN_XC:
          func (WEIR_SOURCE_STATE, e, data);
          func (WEIR_SOURCE_TIME_STATE, e, data);
          func (WEIR_SOURCE_ALL, e, data);
          func (weir_layout_state_source (self, o.node, WEIR_ORIGIN_XC).i, e, data);
          for (WeirOriginKind part = WEIR_ORIGIN_Q; part <= WEIR_ORIGIN_Z; part++)
            if (o.kind == part || o.kind == WEIR_ORIGIN_XC)
              func (weir_layout_state_source (self, o.node, part).i, e, data);
          break;
        case WEIR_ORIGIN_GROUP:
          func (weir_layout_group_source (self, o.node, o.index).i, e, data);
          func (WEIR_SOURCE_ALL, e, data);
          break;
        case WEIR_ORIGIN_PARAMETER:
          func (weir_layout_parameter_source (self, o.node, o.index).i, e, data);
          func (WEIR_SOURCE_ALL, e, data);
          break;
        case WEIR_ORIGIN_ENTRY: /* foreach_edge() */
        case WEIR_ORIGIN_FIXED: /* above */
        default:
          break;
        }
    }
}

static void
foreach_edge (const WeirLayout *self, EdgeFunc func, gpointer data)
{
  for (guint32 n = 0; n < self->n_nodes; n++)
    for (guint k = 0; k < self->nodes[n].shape->entries->len; k++)
      foreach_source_edge (self, n, weir_shape_entry (self->nodes[n].shape, k),
                           self->entry_of_local[self->nodes[n].first_entry + k], func, data);
  for (guint32 e = 0; e < self->n_entries; e++)
    for (guint32 k = self->up_first[e]; k < self->up_first[e + 1]; k++)
      if (k == self->up_first[e] || self->ups[k] != self->ups[k - 1])
        func (self->n_sources + self->ups[k], e, data);
}

static void
count_edge (guint32 row, G_GNUC_UNUSED guint32 entry, gpointer data)
{
  ((guint32 *) data)[row + 2]++;
}

typedef struct {
  guint32 *fill, *rows;
} FillEdges;

static void
fill_edge (guint32 row, guint32 entry, gpointer data)
{
  FillEdges *f = data;

  f->rows[f->fill[row + 1]++] = entry;
}

static void
write_rows (WeirLayout *self)
{
  guint32 n_rows = self->n_sources + self->n_entries;
  FillEdges fill;

  self->row_first = g_new0 (guint32, n_rows + 2);
  foreach_edge (self, count_edge, self->row_first);
  for (guint32 r = 0; r < n_rows; r++)
    self->row_first[r + 2] += self->row_first[r + 1];
  fill.fill = self->row_first;
  fill.rows = self->rows = g_new (guint32, MAX (self->row_first[n_rows + 1], 1));
  foreach_edge (self, fill_edge, &fill);
}

static void
list_required_of (WeirLayout *self, guint32 n, const WeirEntryDecl *decl, guint64 *seen)
{
  for (guint k = 0; k < decl->n_primary; k++)
    {
      WeirOrigin origin;
      guint32 in;

      if (!origin_of_ticket (self, n, decl->primary[k], &origin)
          || origin.kind != WEIR_ORIGIN_FIXED)
        continue;
      in = self->nodes[origin.node].first_input + origin.index;
      if (weir_shape_input (self->nodes[origin.node].shape, origin.index)->value == NULL
          && !weir_bit (seen, in))
        {
          weir_bit_set (seen, in);
          g_array_append_val (self->required, in);
        }
    }
}

static void
list_required_inputs (WeirLayout *self)
{
  g_autofree guint64 *seen = g_new0 (guint64, self->n_inputs / 64 + 1);

  self->required = g_array_new (FALSE, FALSE, sizeof (guint32));
  for (guint32 n = 0; n < self->n_nodes; n++)
    for (guint k = 0; k < self->nodes[n].shape->entries->len; k++)
      list_required_of (self, n, weir_shape_entry (self->nodes[n].shape, k), seen);
}

static void
lay_out_counters (WeirLayout *self)
{
  guint32 at = aligned (self->arena.end_of_values);

  self->arena.stale = place (&at, self->n_words);
  self->arena.disabled = place (&at, self->n_words);
  self->arena.fixed_bits = place (&at, (self->n_inputs + 63) / 64);
  at = aligned (at);
  self->arena.calc_steps = place (&at, self->n_entries + 1);
  self->arena.off_steps = place (&at, self->n_entries + 1);
  self->arena.entry_off = place (&at, self->n_entries);
  self->arena.reads = place (&at, self->n_entries);
  self->arena.segment_ns = place (&at, self->n_segments);
  self->arena.segment_timed = place (&at, self->n_segments);
  self->arena.source_events = place (&at, self->n_sources);
  self->arena.size = aligned (at);
}

WeirLayout *
weir_layout_new (WeirShape *root)
{
  WeirLayout *self = g_new0 (WeirLayout, 1);
  Builder b = { .layout = self };
  Cursor at = { .source = WEIR_N_JOINT_SOURCES };
  guint32 e = 0;

  g_atomic_ref_count_init (&self->ref_count);
  self->shape = weir_shape_ref (root);
  count_tree (self, root);
  self->nodes = g_new (WeirNodeInfo, self->n_nodes);
  self->child_nodes = g_new (guint32, self->n_nodes);
  self->slices = g_array_new (FALSE, FALSE, sizeof (WeirStateSlice));
  add_nodes (self, &at, root, WEIR_NO_INDEX, 0);
  self->n_states = at.state;
  self->n_sources = at.source;

  self->inputs = g_new (WeirOrigin, MAX (self->n_inputs, 1));
  self->outputs = g_new (WeirOrigin, MAX (self->n_outputs, 1));
  b.node_of = g_new (guint32, MAX (self->n_entries, 1));
  b.local_of = g_new (guint32, MAX (self->n_entries, 1));
  for (guint32 n = 0; n < self->n_nodes; n++)
    {
      const WeirNodeInfo *node = &self->nodes[n];

      for (guint i = 0; i < node->shape->inputs->len; i++)
        self->inputs[node->first_input + i] = trace_input (self, NULL, n, i);
      for (guint o = 0; o < node->shape->outputs->len; o++)
        self->outputs[node->first_output + o] = trace_output (self, NULL, n, o);
      for (guint32 k = 0; k < node->shape->entries->len; k++, e++)
        {
          b.node_of[e] = n;
          b.local_of[e] = k;
        }
    }

  list_reads (&b);
  calc_levels (&b);
  calc_classes (&b);
  number_entries (&b);
  renumber (&b);
  lay_out_arena (self);
  address_operands (self);
  cut_segments (&b);
  write_rows (self);
  list_required_inputs (self);
  lay_out_counters (self);
  self->masks = weir_masks_new (self->n_sources, self->n_entries, self->row_first, self->rows,
                                MASK_BYTES);

  g_free (b.node_of);
  g_free (b.local_of);
  g_free (b.up_first);
  g_free (b.ups);
  g_free (b.operand_keys);
  g_free (b.level);
  g_free (b.class_hash);
  return self;
}

WeirLayout *
weir_layout_ref (WeirLayout *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
weir_layout_unref (WeirLayout *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  weir_masks_free (self->masks);
  g_free (self->nodes);
  g_free (self->child_nodes);
  g_free (self->entry_of_local);
  g_free (self->inputs);
  g_free (self->outputs);
  g_free (self->parameter_slots);
  g_free (self->group_slots);
  g_free (self->input_slots);
  g_array_unref (self->required);
  g_array_unref (self->slices);
  g_free (self->node_of);
  g_free (self->local_of);
  g_free (self->decls);
  g_free (self->value_offset);
  g_free (self->word_offset);
  g_free (self->segment_of);
  g_free (self->up_first);
  g_free (self->ups);
  g_free (self->operand_first);
  g_free (self->operands);
  g_free (self->lazy);
  g_free (self->segment_first);
  g_free (self->stride_first);
  g_free (self->strides);
  g_free (self->row_first);
  g_free (self->rows);
  weir_shape_unref (self->shape);
  g_free (self);
}

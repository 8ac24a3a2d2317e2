/* Building a layout. See layout-private.h for what it promises.
 *
 * Steps: lay the nodes out in tree order; trace every port to where its value comes from; number
 * the entries; give out slots in that order; cut segments; write the rows of dependents. Everything
 * is linear in the size of the tree but the sort within levels. Nothing here depends on addresses
 * in memory, so equal structures get equal numbers.
 */
#include "system/layout/layout-private.h"

#include <string.h>

#include "base/sync.h"

#define MASK_BYTES (64u << 20)

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
  at->source += (shape->initial_state != NULL ? 4 : 0) + shape->groups->len + shape->parameters->len
                + shape->inputs->len;
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

/* --- Where values at ports come from --------------------------------------------------------- */

static WeirOrigin trace_input (const WeirLayout *self, const guint64 *fixed, guint32 n, guint32 in);

static WeirOrigin
trace_output (const WeirLayout *self, const guint64 *fixed, guint32 n, guint32 out)
{
  const WeirNodeInfo *node = &self->nodes[n];
  const WeirOutputDecl *decl = weir_shape_output (node->shape, out);
  WeirItem item;
  int entry;

  if (node->shape->is_diagram)
    return trace_output (self, fixed, weir_layout_child (self, n, decl->child), decl->child_output);
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
      return weir_origin_of_built_in (n, decl->shown);
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

/* What drives the inputs of a few nodes ahead is on its way from memory while others are traced:
 * large trees are traced at the speed of memory. */
static inline void
fetch_drivers (const WeirLayout *self, guint32 n)
{
  enum { FAR = 64, NEAR = 32, AT_MOST = 8 };
  const guint32 nodes[] = { n + FAR, n + NEAR };

  for (guint k = 0; k < G_N_ELEMENTS (nodes) && nodes[k] < self->n_nodes; k++)
    {
      const WeirNodeInfo *node = &self->nodes[nodes[k]], *parent = &self->nodes[node->parent];
      const WeirWiring *wiring = parent->shape->wiring + parent->shape->first_wiring[node->child];

      for (guint i = 0; i < MIN (node->shape->inputs->len, AT_MOST); i++)
        {
          const guint32 *driver = &self->child_nodes[parent->first_child + wiring[i].child];

          if (wiring[i].child >= WEIR_WIRED_PARENT)
            continue;
          if (nodes[k] == n + FAR)
            __builtin_prefetch (driver);
          else
            __builtin_prefetch (&self->nodes[*driver]);
        }
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

/* --- Life ------------------------------------------------------------------------------------ */

static WeirLayout *
layout_new (WeirShape *root)
{
  WeirLayout *self = g_new0 (WeirLayout, 1);
  WeirLayoutBuilder b = { .layout = self };
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
  b.decls = g_new (const WeirEntryDecl *, MAX (self->n_entries, 1));
  for (guint32 n = 0; n < self->n_nodes; n++)
    {
      const WeirNodeInfo *node = &self->nodes[n];

      fetch_drivers (self, n);
      for (guint i = 0; i < node->shape->inputs->len; i++)
        self->inputs[node->first_input + i] = trace_input (self, NULL, n, i);
      for (guint o = 0; o < node->shape->outputs->len; o++)
        self->outputs[node->first_output + o] = trace_output (self, NULL, n, o);
      for (guint32 k = 0; k < node->shape->entries->len; k++, e++)
        {
          b.node_of[e] = n;
          b.local_of[e] = k;
          b.decls[e] = weir_shape_entry (node->shape, k);
        }
    }

  weir_layout_number (&b);
  weir_layout_give_slots (self);
  weir_layout_cut_segments (&b);
  weir_layout_write_rows (self);
  weir_layout_give_counters (self);
  self->masks = weir_masks_new (self->n_sources, self->n_entries, self->row_first, self->rows,
                                MASK_BYTES);

  g_free (b.node_of);
  g_free (b.local_of);
  g_free (b.decls);
  g_free (b.up_first);
  g_free (b.ups);
  g_free (b.operand_keys);
  g_free (b.level);
  g_free (b.class_hash);
  return self;
}

static gpointer
make_layout (WeirSystem *root)
{
  return layout_new (root->shape);
}

static void
unref_layout (gpointer data)
{
  weir_layout_unref (data);
}

WeirLayout *
weir_system_get_layout (WeirSystem *root)
{
  return weir_system_get_root_part (root, &root->layout, make_layout, unref_layout);
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
  if (!weir_sync_drop (self, &self->ref_count))
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
  for (guint i = 0; i < self->loops->len; i++)
    g_array_unref (g_array_index (self->loops, WeirLoop, i).members);
  g_array_unref (self->loops);
  g_clear_pointer (&self->starts, g_array_unref);
  g_array_unref (self->abstract_slots);
  g_free (self->nominals);
  g_clear_pointer (&self->nominals_of, g_array_unref);
  g_free (self->node_of);
  g_free (self->local_of);
  g_free (self->decls);
  g_free (self->value_offset);
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

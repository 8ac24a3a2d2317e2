/* Building the graph of elements. See element-graph.h. */
#include "system/layout/element-graph.h"

static void
add_read (WeirElementGraph *self, WeirElementRead read)
{
  g_array_append_val (self->reads, read);
}

static guint32
state_vector (const WeirElementGraph *self, guint32 slice, WeirOriginKind part)
{
  return self->first_state + 3 * slice + (guint32) (part - WEIR_ORIGIN_Q);
}

/* A read of @origin by a computation, which @read describes but for what is read. */
static void
add_read_of (WeirElementGraph *self, const guint32 *slice_of_node, WeirOrigin origin,
             WeirElementRead read)
{
  switch (origin.kind)
    {
    case WEIR_ORIGIN_ENTRY:
      read.up = origin.index;
      add_read (self, read);
      break;
    case WEIR_ORIGIN_Q:
    case WEIR_ORIGIN_V:
    case WEIR_ORIGIN_Z:
    case WEIR_ORIGIN_XC:
      for (WeirOriginKind part = WEIR_ORIGIN_Q; part <= WEIR_ORIGIN_Z; part++)
        {
          if (origin.kind != part && origin.kind != WEIR_ORIGIN_XC)
            continue;
          if (slice_of_node[origin.node] == WEIR_NO_INDEX)
            continue;
          read.up = state_vector (self, slice_of_node[origin.node], part);
          if (self->size[read.up] == 0)
            continue;
          add_read (self, read);
          read.first += self->size[read.up];
        }
      break;
    case WEIR_ORIGIN_TIME:
    case WEIR_ORIGIN_COMMON:
    case WEIR_ORIGIN_GROUP:
    case WEIR_ORIGIN_PARAMETER:
    case WEIR_ORIGIN_FIXED:
    default:
      break;
    }
}

static void
add_read_of_ticket (WeirElementGraph *self, const guint32 *slice_of_node, guint32 node,
                    guint16 ticket, WeirElementRead read)
{
  WeirItem item = weir_shape_item (self->layout->nodes[node].shape, ticket);
  WeirOrigin origin;

  read.node = node;
  read.in = item.kind == WEIR_ITEM_INPUT ? item.index : WEIR_NO_INDEX;
  if (weir_layout_final_origin (self->layout, node, ticket, &origin))
    add_read_of (self, slice_of_node, origin, read);
}

static void
add_reads_of_kernel (WeirElementGraph *self, const guint32 *slice_of_node, guint32 e)
{
  const WeirEntryDecl *decl = weir_layout_decl (self->layout, e);
  guint32 node = self->layout->node_of[e];

  for (guint k = 0; k < decl->n_depends; k++)
    {
      WeirElementRead read = { decl->broadcast[k] && decl->size > 1 ? WEIR_READ_WHOLE
                                                                    : WEIR_READ_SAME,
                               .reader = e };
      g_autoptr (GArray)
          parts = weir_shape_list_primary (self->layout->nodes[node].shape, &decl->depends[k], 1);

      /* Of xc each of q, v and z. */
      for (guint i = 0; i < parts->len; i++)
        {
          guint before = self->reads->len;

          add_read_of_ticket (self, slice_of_node, node, g_array_index (parts, guint16, i), read);
          for (; before < self->reads->len && parts->len > 1; before++)
            read.first += self->size[weir_element_graph_get_read (self, before)->up];
        }
    }
}

static void
add_reads_of_entry (WeirElementGraph *self, const guint32 *slice_of_node, guint32 e)
{
  const WeirEntryDecl *decl = weir_layout_decl (self->layout, e);
  const WeirPattern *pattern = decl->pattern;

  for (guint k = 0; k < decl->n_primary; k++)
    {
      WeirElementRead read = { WEIR_READ_WHOLE, .reader = e };

      for (guint i = 0; pattern != NULL && i < pattern->n_by; i++)
        if (pattern->by[i] == decl->primary[k])
          {
            read.kind = WEIR_READ_BY_PATTERN;
            read.first = pattern->by_first[i];
          }
      add_read_of_ticket (self, slice_of_node, self->layout->node_of[e], decl->primary[k], read);
    }
}

/* --- Algebraic loops ------------------------------------------------------------------------- */

static const WeirLoop *
get_loop (const WeirElementGraph *self, guint i)
{
  return &g_array_index (self->layout->loops, WeirLoop, i);
}

/* Any part of a solution depends on whatever its loop reads. */
static void
add_reads_of_solution (WeirElementGraph *self, const guint32 *slice_of_node, const WeirLoop *loop)
{
  const WeirLayout *layout = self->layout;

  for (guint32 k = layout->up_first[loop->entry]; k < layout->up_first[loop->entry + 1]; k++)
    add_read (self, (WeirElementRead) { WEIR_READ_WHOLE, .reader = loop->entry,
                                        .up = layout->ups[k], .in = WEIR_NO_INDEX });
  for (guint k = 0; k < loop->members->len; k++)
    {
      guint32 e = g_array_index (loop->members, guint32, k);
      const WeirEntryDecl *decl = weir_layout_decl (layout, e);

      for (guint i = 0; i < decl->n_primary; i++)
        {
          WeirOrigin origin;

          if (weir_layout_final_origin (layout, layout->node_of[e], decl->primary[i], &origin)
              && origin.kind != WEIR_ORIGIN_ENTRY)
            add_read_of (
                self, slice_of_node, origin,
                (WeirElementRead) { WEIR_READ_WHOLE, .reader = loop->entry, .in = WEIR_NO_INDEX });
        }
    }
}

/* The outputs of a loop's leaf are parts of its solution, one after the other. */
static void
add_read_of_part (WeirElementGraph *self, guint32 e)
{
  const WeirLayout *layout = self->layout;
  guint32 node = layout->node_of[e], i = layout->local_of[e] - 1;
  WeirElementRead read = { WEIR_READ_SAME, .reader = e, .in = WEIR_NO_INDEX };

  read.up = layout->entry_of_local[layout->nodes[node].first_entry];
  for (guint k = 0; k < i; k++)
    read.skip += weir_shape_input (layout->nodes[node].shape, k)->size;
  add_read (self, read);
}

static void
add_reads_of_return (WeirElementGraph *self, const guint32 *slice_of_node, guint i)
{
  const WeirLoop *loop = get_loop (self, i);
  const WeirShape *shape = self->layout->nodes[loop->node].shape;
  WeirElementRead read = { WEIR_READ_SAME, .reader = self->layout->n_entries + i };

  for (guint in = 0; in < shape->inputs->len; in++)
    {
      add_read_of_ticket (self, slice_of_node, loop->node, weir_shape_input (shape, in)->ticket,
                          read);
      read.first += weir_shape_input (shape, in)->size;
    }
}

/* --- The whole ------------------------------------------------------------------------------- */

static void
add_vectors (WeirElementGraph *self, guint32 *slice_of_node)
{
  const WeirLayout *layout = self->layout;
  guint32 at = layout->n_states;

  for (guint32 v = 0; v < self->n_vectors; v++)
    self->unknown[v] = self->row[v] = WEIR_NO_INDEX;
  for (guint32 e = 0; e < layout->n_entries; e++)
    self->size[e] = MAX (weir_layout_decl (layout, e)->size, 1); /* 0 of an abstract value */
  for (guint32 n = 0; n < layout->n_nodes; n++)
    slice_of_node[n] = WEIR_NO_INDEX;
  for (guint32 i = 0; i < layout->slices->len; i++)
    {
      WeirStateSlice slice = g_array_index (layout->slices, WeirStateSlice, i);
      const guint32 sizes[] = { slice.nq, slice.nv, slice.nz };
      guint32 first = slice.offset;
      WeirEntry xcdot;

      slice_of_node[slice.node.i] = i;
      for (guint part = 0; part < G_N_ELEMENTS (sizes); first += sizes[part++])
        {
          self->size[self->first_state + 3 * i + part] = sizes[part];
          self->unknown[self->first_state + 3 * i + part] = first;
        }
      if (weir_layout_find_entry (layout, slice.node, (WeirTicket) { WEIR_TICKET_XCDOT }, &xcdot))
        self->row[xcdot.i] = slice.offset;
    }
  for (guint i = 0; i < self->n_returns; i++)
    {
      const WeirLoop *loop = get_loop (self, i);

      self->size[layout->n_entries + i] = self->size[loop->entry];
      self->row[layout->n_entries + i] = self->unknown[loop->entry] = at;
      at += self->size[loop->entry];
    }
  self->n_unknowns = at;
}

static void
add_reads (WeirElementGraph *self, const guint32 *slice_of_node)
{
  const WeirLayout *layout = self->layout;

  for (guint32 v = 0; v < self->n_vectors; v++)
    {
      const WeirShape *shape = v < layout->n_entries ? layout->nodes[layout->node_of[v]].shape
                                                     : NULL;

      self->first_read[v] = self->reads->len;
      if (shape == NULL && v < self->first_state)
        add_reads_of_return (self, slice_of_node, v - layout->n_entries);
      else if (shape == NULL || shape->is_diagram)
        continue;
      else if (shape->is_loop && layout->local_of[v] > 0)
        add_read_of_part (self, v);
      else if (shape->is_loop)
        {
          for (guint i = 0; i < layout->loops->len && !self->is_open; i++)
            if (get_loop (self, i)->entry == v)
              add_reads_of_solution (self, slice_of_node, get_loop (self, i));
        }
      else if (weir_layout_decl (layout, v)->is_kernel)
        add_reads_of_kernel (self, slice_of_node, v);
      else
        add_reads_of_entry (self, slice_of_node, v);
    }
  self->first_read[self->n_vectors] = self->reads->len;
}

void
weir_element_graph_init (WeirElementGraph *self, const WeirLayout *layout, gboolean is_open)
{
  g_autofree guint32 *slice_of_node = g_new (guint32, MAX (layout->n_nodes, 1));
  g_autofree guint32 *up_of = NULL;

  *self = (WeirElementGraph) { .layout = layout, .is_open = is_open };
  self->n_returns = is_open ? layout->loops->len : 0;
  self->first_state = layout->n_entries + self->n_returns;
  self->n_vectors = self->first_state + 3 * layout->slices->len;
  self->size = g_new0 (guint32, (gsize) self->n_vectors + 1);
  self->unknown = g_new (guint32, (gsize) self->n_vectors + 1);
  self->row = g_new (guint32, (gsize) self->n_vectors + 1);
  self->first_read = g_new (guint32, (gsize) self->n_vectors + 1);
  self->reads = g_array_new (FALSE, FALSE, sizeof (WeirElementRead));
  add_vectors (self, slice_of_node);
  add_reads (self, slice_of_node);
  up_of = g_new (guint32, MAX (self->reads->len, 1));
  for (guint i = 0; i < self->reads->len; i++)
    up_of[i] = weir_element_graph_get_read (self, i)->up;
  weir_rows_group (&self->readers, self->n_vectors, up_of, self->reads->len);
}

void
weir_element_graph_clear (WeirElementGraph *self)
{
  g_clear_pointer (&self->size, g_free);
  g_clear_pointer (&self->unknown, g_free);
  g_clear_pointer (&self->row, g_free);
  g_clear_pointer (&self->first_read, g_free);
  g_clear_pointer (&self->reads, g_array_unref);
  weir_rows_clear (&self->readers);
}

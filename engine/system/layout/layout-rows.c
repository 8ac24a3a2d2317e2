/* The dependency graph of a layout in compressed rows: composites and ports are resolved, so that a
 * row leads from a source or an entry straight to the entries that read it. See
 * layout-private.h. */
#include "numerics/rows.h"
#include "system/layout/layout-private.h"
#include "system/structure/shape-private.h"

typedef void (*EdgeFunc) (guint32 row, guint32 entry, gpointer data);

static void
foreach_edge_of_input (const WeirLayout *self, guint32 n, guint32 in, guint32 entry, EdgeFunc func,
                       gpointer data)
{
  /* Every input on the way up may be fixed, so each is a source of its own. */
  do
    func (weir_layout_input_source (self, n, in).i, entry, data);
  while (weir_layout_move_out (self, &n, &in));
}

/* Does a read of q, v, z or xc of a leaf see that part, and has the leaf any? */
static gboolean
has_part (const WeirLayout *self, WeirOrigin read, WeirOriginKind part)
{
  const WeirShape *shape = self->nodes[read.node].shape;

  return (read.kind == part || read.kind == WEIR_ORIGIN_XC)
         && (part == WEIR_ORIGIN_Q   ? shape->nq
             : part == WEIR_ORIGIN_V ? shape->nv
                                     : shape->nz)
                > 0;
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

      if (!weir_layout_origin_of_ticket (self, n, decl->primary[k], &o))
        continue;
      if (item.kind == WEIR_ITEM_INPUT)
        foreach_edge_of_input (self, n, item.index, e, func, data);
      switch (o.kind)
        {
        case WEIR_ORIGIN_TIME:
          func (WEIR_SOURCE_TIME, e, data);
          func (WEIR_SOURCE_TIME_Q, e, data);
          func (WEIR_SOURCE_TIME_STATE, e, data);
          func (WEIR_SOURCE_ALL, e, data);
          break;
        case WEIR_ORIGIN_COMMON:
          func (weir_source_of_common ((WeirTicket) { (guint16) o.index }).i, e, data);
          func (WEIR_SOURCE_ALL, e, data);
          break;
        case WEIR_ORIGIN_Q:
        case WEIR_ORIGIN_V:
        case WEIR_ORIGIN_Z:
        case WEIR_ORIGIN_XC:
          if (has_part (self, o, WEIR_ORIGIN_Q))
            {
              func (WEIR_SOURCE_Q, e, data);
              func (WEIR_SOURCE_TIME_Q, e, data);
            }
          if (has_part (self, o, WEIR_ORIGIN_V) || has_part (self, o, WEIR_ORIGIN_Z))
            func (WEIR_SOURCE_VZ, e, data);
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

/* What comes back to the leaf @n that solves a loop is no prerequisite, but may be fixed as well.
 */
static void
foreach_return_edge (const WeirLayout *self, guint32 n, guint32 solution, EdgeFunc func,
                     gpointer data)
{
  for (guint in = 0; in < self->nodes[n].shape->inputs->len; in++)
    func (weir_layout_input_source (self, n, in).i, solution, data);
}

static void
foreach_edge (const WeirLayout *self, EdgeFunc func, gpointer data)
{
  for (guint32 n = 0; n < self->n_nodes; n++)
    for (guint k = 0; k < self->nodes[n].shape->entries->len; k++)
      foreach_source_edge (self, n, weir_shape_entry (self->nodes[n].shape, k),
                           self->entry_of_local[self->nodes[n].first_entry + k], func, data);
  for (guint i = 0; i < self->loops->len; i++) /* a solution depends on what its members read */
    {
      const WeirLoop *loop = &g_array_index (self->loops, WeirLoop, i);

      foreach_return_edge (self, loop->node, loop->entry, func, data);
      for (guint k = 0; k < loop->members->len; k++)
        {
          guint32 e = g_array_index (loop->members, guint32, k);

          foreach_source_edge (self, self->node_of[e], weir_layout_decl (self, e), loop->entry,
                               func, data);
          if (self->nodes[self->node_of[e]].shape->is_loop)
            foreach_return_edge (self, self->node_of[e], loop->entry, func, data);
        }
    }
  for (guint32 e = 0; e < self->n_entries; e++)
    for (guint32 k = self->up_first[e]; k < self->up_first[e + 1]; k++)
      if (k == self->up_first[e] || self->ups[k] != self->ups[k - 1])
        func (self->n_sources + self->ups[k], e, data);
}

static void
count_edge (guint32 row, G_GNUC_UNUSED guint32 entry, gpointer data)
{
  weir_rows_count (data, row);
}

static void
put_edge (guint32 row, guint32 entry, gpointer data)
{
  weir_rows_put (data, row, entry);
}

static void
write_rows (WeirLayout *self)
{
  WeirRows rows;

  weir_rows_init (&rows, self->n_sources + self->n_entries);
  foreach_edge (self, count_edge, &rows);
  weir_rows_make_room (&rows);
  foreach_edge (self, put_edge, &rows);
  self->row_first = rows.first;
  self->rows = rows.items;
}

static void
list_required_of (WeirLayout *self, guint32 n, const WeirEntryDecl *decl, guint64 *seen)
{
  for (guint k = 0; k < decl->n_primary; k++)
    {
      WeirOrigin origin;
      guint32 in;

      if (!weir_layout_origin_of_ticket (self, n, decl->primary[k], &origin)
          || origin.kind != WEIR_ORIGIN_FIXED)
        continue;
      in = self->nodes[origin.node].first_input + origin.index;
      if (!weir_vector_has_value (weir_shape_input (self->nodes[origin.node].shape, origin.index))
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

void
weir_layout_write_rows (WeirLayout *self)
{
  write_rows (self);
  list_required_inputs (self);
}

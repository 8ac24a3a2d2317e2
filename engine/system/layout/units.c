/* Units of co-simulation in a tree. See units.h. */
#include "system/layout/units.h"

#include "system/layout/layout-private.h"

static void
list_under (WeirSystem *system, guint32 *node, GArray *units)
{
  const WeirShape *shape = system->shape;

  if (shape->is_unit)
    {
      WeirUnitInfo info = {
        .node = { *node },
        .kind = weir_system_get_unit (system),
        .n_steps = shape->unit_n_steps,
        .place = shape->unit_place,
        .activity = shape->unit_activity,
        .n_inputs = shape->inputs->len,
        .n_outputs = shape->outputs->len,
      };

      for (guint i = 0; i < info.n_inputs; i++)
        {
          info.n_u += weir_shape_input (shape, i)->size;
          info.n_abstract_u += weir_shape_input (shape, i)->type != NULL;
        }
      for (guint i = 0; i < info.n_outputs; i++)
        {
          info.n_y += weir_shape_output (shape, i)->size;
          info.n_abstract_y += weir_shape_output (shape, i)->type != NULL;
        }
      g_array_append_val (units, info);
    }
  ++*node;
  for (guint i = 0; i < shape->n_children; i++)
    list_under (system->children[i], node, units);
}

GArray *
weir_system_list_units (WeirSystem *root)
{
  const WeirLayout *layout = weir_system_get_layout (root);
  GArray *units = g_array_new (FALSE, FALSE, sizeof (WeirUnitInfo));
  guint32 node = 0;

  list_under (root, &node, units);
  for (guint i = 1; i < units->len; i++) /* stable, and the list is short */
    for (guint k = i; k > 0; k--)
      {
        WeirUnitInfo *a = &g_array_index (units, WeirUnitInfo, k - 1), *b = a + 1, swap = *a;

        if (layout->nodes[a->node.i].shape->unit_place
            <= layout->nodes[b->node.i].shape->unit_place)
          break;
        *a = *b;
        *b = swap;
      }
  return units;
}

/* --- Upwards --------------------------------------------------------------------------------- */

/* Where a value of the rest can change but by algebra. What starts a loop is no state of its own.
 */
static gboolean
is_rest (const WeirShape *shape)
{
  if (shape->is_diagram || shape->is_unit || shape->is_loop)
    return FALSE;
  for (guint i = 0; i < shape->events->len; i++)
    if (g_array_index (shape->events, WeirEventDecl, i).action != WEIR_ACTION_PUBLISH)
      return TRUE;
  return shape->initial_state != NULL;
}

static WeirFeed
describe (const WeirLayout *self, guint32 source)
{
  WeirFeed feed = { .source = { source }, .kind = WEIR_FEED_GIVEN };
  WeirOrigin origin;
  const WeirShape *shape;

  if (source == WEIR_SOURCE_TIME)
    feed.kind = WEIR_FEED_TIME;
  if (source < WEIR_N_JOINT_SOURCES)
    return feed;
  origin = weir_layout_describe_source (self, feed.source);
  shape = self->nodes[origin.node].shape;
  if (origin.kind == WEIR_ORIGIN_GROUP && shape->is_unit)
    {
      feed.kind = WEIR_FEED_UNIT;
      feed.node.i = origin.node;
      feed.group.i = (guint16) origin.index;
    }
  else if (origin.kind != WEIR_ORIGIN_PARAMETER && origin.kind != WEIR_ORIGIN_FIXED
           && is_rest (shape))
    feed.kind = WEIR_FEED_REST;
  return feed;
}

/* The source that an origin is, if it is none of the entries. */
static gboolean
find_source (const WeirLayout *self, WeirOrigin origin, guint32 *source)
{
  switch (origin.kind)
    {
    case WEIR_ORIGIN_TIME:
      *source = WEIR_SOURCE_TIME;
      return TRUE;
    case WEIR_ORIGIN_COMMON:
      *source = weir_source_of_common ((WeirTicket) { (guint16) origin.index }).i;
      return TRUE;
    case WEIR_ORIGIN_Q:
    case WEIR_ORIGIN_V:
    case WEIR_ORIGIN_Z:
    case WEIR_ORIGIN_XC:
      *source = weir_layout_state_source (self, origin.node, WEIR_ORIGIN_XC).i;
      return TRUE;
    case WEIR_ORIGIN_GROUP:
      *source = weir_layout_group_source (self, origin.node, origin.index).i;
      return TRUE;
    case WEIR_ORIGIN_PARAMETER:
      *source = weir_layout_parameter_source (self, origin.node, origin.index).i;
      return TRUE;
    case WEIR_ORIGIN_FIXED: /* every input on the way is one */
    case WEIR_ORIGIN_ENTRY:
    default:
      return FALSE;
    }
}

/* The inputs on the way up from one, each of which may be fixed. */
static void
mark_inputs (const WeirLayout *self, guint32 n, guint32 in, guint64 *sources)
{
  do
    weir_bit_set (sources, weir_layout_input_source (self, n, in).i);
  while (weir_layout_move_out (self, &n, &in));
}

/* Marks an entry and all that it reads, however far up. */
static void
mark_upwards (const WeirLayout *self, guint32 entry, guint64 *entries)
{
  weir_bit_set (entries, entry);
  for (guint32 e = entry + 1; e-- > 0;) /* all that an entry reads have lower numbers */
    if (weir_bit (entries, e))
      for (guint32 k = self->up_first[e]; k < self->up_first[e + 1]; k++)
        weir_bit_set (entries, self->ups[k]);
}

/* Of a leaf's state one source stands for all parts. */
static gboolean
is_part_of_state (const WeirLayout *self, guint32 source)
{
  WeirOriginKind kind;

  if (source < WEIR_N_JOINT_SOURCES)
    return source >= WEIR_SOURCE_STATE;
  kind = weir_layout_describe_source (self, (WeirSource) { source }).kind;
  return kind == WEIR_ORIGIN_Q || kind == WEIR_ORIGIN_V || kind == WEIR_ORIGIN_Z;
}

GArray *
weir_layout_list_feeds (const WeirLayout *self, WeirNode node, WeirInput in)
{
  g_autofree guint64 *entries = g_new0 (guint64, self->n_words);
  g_autofree guint64 *sources = g_new0 (guint64, self->n_sources / 64 + 1);
  GArray *feeds = g_array_new (FALSE, FALSE, sizeof (WeirFeed));
  WeirOrigin origin = self->inputs[self->nodes[node.i].first_input + in.i];
  guint32 source;

  mark_inputs (self, node.i, in.i, sources);
  if (origin.kind == WEIR_ORIGIN_ENTRY)
    mark_upwards (self, origin.index, entries);
  else if (find_source (self, origin, &source))
    weir_bit_set (sources, source);
  for (guint32 s = 0; s < self->n_sources; s++)
    {
      gboolean is_read = weir_bit (sources, s);

      for (guint32 k = self->row_first[s]; k < self->row_first[s + 1] && !is_read; k++)
        is_read = weir_bit (entries, self->rows[k]);
      if (is_read && !is_part_of_state (self, s))
        {
          WeirFeed feed = describe (self, s);

          g_array_append_val (feeds, feed);
        }
    }
  return feeds;
}

gboolean
weir_layout_find_unit_output (const WeirLayout *self, WeirNode node, WeirInput in, WeirNode *unit,
                              WeirOutput *out)
{
  WeirOrigin origin = self->inputs[self->nodes[node.i].first_input + in.i];

  unit->i = origin.node;
  out->i = (guint16) origin.index; /* a unit's outputs and groups have the same numbers */
  return origin.kind == WEIR_ORIGIN_GROUP && self->nodes[origin.node].shape->is_unit;
}

/* --- Downwards ------------------------------------------------------------------------------- */

gboolean
weir_layout_has_rest (const WeirLayout *self)
{
  for (guint32 n = 0; n < self->n_nodes; n++)
    if (is_rest (self->nodes[n].shape))
      return TRUE;
  return FALSE;
}

GArray *
weir_layout_list_fed (const WeirLayout *self, WeirNode unit)
{
  GArray *fed = g_array_new (FALSE, FALSE, sizeof (WeirInputPlace));
  const WeirShape *shape = self->nodes[unit.i].shape;
  g_autofree guint64 *entries = g_new0 (guint64, self->n_words);
  g_autofree guint64 *scratch = g_new0 (guint64, self->n_words);

  for (guint g = 0; g < shape->groups->len; g++)
    weir_masks_sweep (self->masks, weir_layout_group_source (self, unit.i, g).i, entries, scratch);
  for (guint32 n = 0; n < self->n_nodes; n++)
    for (guint i = 0; is_rest (self->nodes[n].shape) && i < self->nodes[n].shape->inputs->len; i++)
      {
        WeirOrigin origin = self->inputs[self->nodes[n].first_input + i];

        if (origin.kind == WEIR_ORIGIN_ENTRY
                ? weir_bit (entries, origin.index)
                : origin.kind == WEIR_ORIGIN_GROUP && origin.node == unit.i)
          {
            WeirInputPlace place = { { n }, { (guint16) i } };

            g_array_append_val (fed, place);
          }
      }
  return fed;
}

/* The geometry of one diagram: making it. See scene.h.
 *
 * A scene shares with the one before what cannot have changed (shapes.h). Where an edit changed a
 * few blocks only, a route away from all of them is not even looked at; the others are, by what
 * they depend on (scene-wires.c).
 */
#include "paint/scene/scene-private.h"

#include <string.h>

WeirScene *
weir_scene_ref (WeirScene *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
weir_scene_unref (WeirScene *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  weir_diagram_unref (self->diagram);
  weir_shapes_free (self->blocks);
  weir_shapes_free (self->wires);
  g_array_unref (self->junctions);
  g_array_unref (self->junction_wires);
  g_array_unref (self->moved);
  g_clear_pointer (&self->places, weir_block_places_unref);
  g_array_unref (self->texts);
  g_clear_pointer (&self->nodes, weir_nodes_unref);
  g_free (self);
}

/* --- Making ---------------------------------------------------------------------------------- */

#define MAX_CHANGES 32 /* beyond that every route is looked at */

/* A block or text that is not as it was in the previous scene. */
typedef struct {
  guint32 id;
  WeirRect before, after; /* its boxes; without a size where there is none */
} BlockChange;

typedef struct {
  WeirScene *scene, *previous;
  GArray *changes;      /* BlockChange; of a text without an id */
  WeirShapes *labelled; /* WeirWireShape: those with labels, which are made first */
  WeirSceneIndex index; /* of @scene */
} Building;

static guint32
get_block_id (gconstpointer shape)
{
  return weir_block_get_id (((const WeirBlockShape *) shape)->block);
}

static WeirRect
get_block_reach (gconstpointer shape)
{
  return ((const WeirBlockShape *) shape)->reach;
}

static const WeirShapeKind block_shape_kind = {
  .get_id = get_block_id,
  .get_reach = get_block_reach,
  .ref = (gpointer (*) (gpointer)) weir_block_shape_ref,
  .unref = (void (*) (gpointer)) weir_block_shape_unref,
};

static gboolean
is_near_change (const BlockChange *change, const WeirWireShape *shape)
{
  return shape->near.width > 0
         && ((change->before.width > 0 && weir_rect_intersects (change->before, shape->near))
             || (change->after.width > 0 && weir_rect_intersects (change->after, shape->near)));
}

static gboolean
is_away_from_changes (const Building *building, const WeirWireShape *old)
{
  guint32 from = weir_wire_get_from (old->wire).block, to = weir_wire_get_to (old->wire).block;

  for (guint i = 0; i < building->changes->len; i++)
    {
      const BlockChange *change = &g_array_index (building->changes, BlockChange, i);

      if (change->id == from || change->id == to || is_near_change (change, old))
        return FALSE;
    }
  return TRUE;
}

static void
note_change (Building *building, guint32 id, const WeirBlockShape *before,
             const WeirBlockShape *after)
{
  const WeirRect none = { 0, 0, 0, 0 };
  BlockChange change = { id, before != NULL ? before->box : none,
                         after != NULL ? after->box : none };

  g_array_append_val (building->changes, change);
}

static gboolean
add_block (WeirBlock *block, gpointer data)
{
  weir_shapes_put (((Building *) data)->scene->blocks, weir_block_shape_new (block));
  return TRUE;
}

static gboolean
change_block (guint32 id, G_GNUC_UNUSED WeirBlock *before, WeirBlock *after, gpointer data)
{
  Building *building = data;
  WeirBlockShape *shape = after != NULL ? weir_block_shape_new (after) : NULL;

  note_change (building, id, weir_shapes_lookup (building->previous->blocks, id), shape);
  weir_scene_note_moved (building->scene, id);
  if (shape != NULL)
    weir_shapes_put (building->scene->blocks, shape);
  else
    weir_shapes_remove (building->scene->blocks, id);
  return TRUE;
}

/* (transfer full) */
static WeirWireShape *
make_wire (Building *building, WeirWire *wire, const WeirWireShape *old)
{
  WeirWireShape *labelled = weir_shapes_lookup (building->labelled, weir_wire_get_id (wire));

  return labelled != NULL ? weir_wire_shape_ref (labelled)
                          : weir_wire_shape_new (&building->index, wire, old);
}

/* Those that end on lines wait until these are there. */
static gboolean
waits_for_lines (const Building *building, WeirWire *wire)
{
  const WeirLineNode *node = weir_nodes_find (building->scene->nodes, weir_wire_get_id (wire));

  return node != NULL && node->depth > 0;
}

static gboolean
add_wire (WeirWire *wire, gpointer data)
{
  Building *building = data;

  if (!waits_for_lines (building, wire))
    weir_shapes_put (building->scene->wires, make_wire (building, wire, NULL));
  return TRUE;
}

static gboolean
change_wire (guint32 id, G_GNUC_UNUSED WeirWire *before, WeirWire *after, gpointer data)
{
  Building *building = data;

  if (after != NULL)
    add_wire (after, building);
  else
    weir_shapes_remove (building->scene->wires, id);
  return TRUE;
}

/* Looks at a route that something may have changed for. */
static void
route_again (Building *building, WeirWireShape *old)
{
  WeirWireShape *shape = waits_for_lines (building, old->wire)
                             ? weir_wire_shape_ref (old)
                             : make_wire (building, old->wire, old);

  if (shape != old)
    weir_shapes_put (building->scene->wires, shape);
  else
    weir_wire_shape_unref (shape);
}

static gboolean
route_wire_again (WeirWire *wire, gpointer data)
{
  Building *building = data;
  WeirWireShape *shape = weir_shapes_lookup (building->scene->wires, weir_wire_get_id (wire));

  if (shape != NULL)
    route_again (building, shape);
  return TRUE;
}

static void
route_near_again (Building *building, const BlockChange *change, WeirRect area)
{
  WeirShapes *wires = building->scene->wires;
  guint n = weir_shapes_get_size (wires);

  if (area.width <= 0)
    return;
  for (guint i = weir_shapes_next_near (wires, 0, area); i < n;
       i = weir_shapes_next_near (wires, i + 1, area))
    {
      WeirWireShape *shape = weir_shapes_get (wires, i);

      if (is_near_change (change, shape))
        route_again (building, shape);
    }
}

static void
route_changed_again (Building *building)
{
  WeirScene *scene = building->scene;

  if (building->changes->len > MAX_CHANGES)
    for (guint i = 0; i < weir_shapes_get_size (scene->wires); i++)
      route_again (building, weir_shapes_get (scene->wires, i));
  for (guint i = 0; building->changes->len <= MAX_CHANGES && i < building->changes->len; i++)
    {
      const BlockChange *change = &g_array_index (building->changes, BlockChange, i);

      if (change->id != 0)
        weir_diagram_foreach_wire_at (scene->diagram, change->id, route_wire_again, building);
      route_near_again (building, change, change->before);
      route_near_again (building, change, change->after);
    }
}

/* --- Texts ----------------------------------------------------------------------------------- */

static gboolean
add_note (WeirNote *note, gpointer data)
{
  GArray *notes = data;
  WeirSceneText text = { .id = weir_note_get_id (note) };

  if (weir_note_is_frame (note))
    return TRUE;
  text.box = weir_scene_get_note_box (note);
  g_array_append_val (notes, text);
  return TRUE;
}

static gboolean
find_labelled (WeirWire *wire, gpointer data)
{
  if (weir_wire_get_label (wire)[0] != '\0' && !weir_wire_joins_line (wire))
    g_hash_table_add (data, GUINT_TO_POINTER (weir_wire_get_id (wire)));
  return TRUE;
}

static gboolean
change_labelled (guint32 id, G_GNUC_UNUSED WeirWire *before, WeirWire *after, gpointer data)
{
  g_hash_table_remove (data, GUINT_TO_POINTER (id));
  return after == NULL || find_labelled (after, data);
}

/* The route of a wire that has a label, without regard to labels. (transfer full) */
static WeirWireShape *
make_labelled_wire (Building *building, WeirWire *wire)
{
  WeirWireShape *old = building->previous != NULL
                           ? weir_shapes_lookup (building->previous->wires, weir_wire_get_id (wire))
                           : NULL;

  if (old != NULL && old->wire == wire && building->changes->len <= MAX_CHANGES
      && building->previous->nodes == building->scene->nodes
      && is_away_from_changes (building, old))
    return weir_wire_shape_ref (old);
  return weir_wire_shape_new (&building->index, wire, old);
}

static void
make_labelled (Building *building)
{
  WeirScene *previous = building->previous;
  WeirDiagram *diagram = building->scene->diagram;
  g_autoptr (GHashTable) ids = g_hash_table_new (NULL, NULL);
  GHashTableIter iter;
  gpointer id;

  if (previous == NULL)
    weir_diagram_foreach_wire (diagram, find_labelled, ids);
  else
    {
      for (guint i = previous->n_notes; i < previous->texts->len; i++)
        g_hash_table_add (ids,
                          GUINT_TO_POINTER (g_array_index (previous->texts, WeirSceneText, i).id));
      weir_diagram_foreach_wire_change (previous->diagram, diagram, change_labelled, ids);
    }
  g_hash_table_iter_init (&iter, ids);
  while (g_hash_table_iter_next (&iter, &id, NULL))
    weir_shapes_put (
        building->labelled,
        make_labelled_wire (building, weir_diagram_find_wire (diagram, GPOINTER_TO_UINT (id))));
}

static gboolean
is_same_text (const WeirSceneText *a, const WeirSceneText *b)
{
  return a->id == b->id && a->net.block == b->net.block && g_strcmp0 (a->net.port, b->net.port) == 0
         && memcmp (&a->box, &b->box, sizeof a->box) == 0;
}

/* Both have the order of their ids. */
static void
note_text_changes (Building *building, const WeirSceneText *before, guint n_before,
                   const WeirSceneText *after, guint n_after)
{
  const WeirRect none = { 0, 0, 0, 0 };

  for (guint i = 0, k = 0; i < n_before || k < n_after;)
    {
      gboolean has_before = k >= n_after || (i < n_before && before[i].id <= after[k].id);
      gboolean has_after = i >= n_before || (k < n_after && after[k].id <= before[i].id);
      BlockChange change = { 0, has_before ? before[i].box : none,
                             has_after ? after[k].box : none };

      if (!has_before || !has_after || !is_same_text (&before[i], &after[k]))
        g_array_append_val (building->changes, change);
      i += has_before;
      k += has_after;
    }
}

/* Texts have come to the scene; so many are in the previous one from @first on. */
static void
take_texts (Building *building, const GArray *texts, guint first, guint n)
{
  const WeirSceneText *after = (const WeirSceneText *) (gconstpointer) texts->data, *before = NULL;

  weir_scene_index_add_texts (&building->index, after, texts->len);
  if (building->previous == NULL)
    return;
  before = (const WeirSceneText *) (gconstpointer) building->previous->texts->data;
  note_text_changes (building, before + first, n, after, texts->len);
}

/* Notes, then labels where the wires were routed that have them. */
static void
add_texts (Building *building)
{
  WeirScene *self = building->scene, *previous = building->previous;
  g_autoptr (GArray) texts = g_array_new (FALSE, FALSE, sizeof (WeirSceneText));
  guint n_notes = previous != NULL ? previous->n_notes : 0;

  weir_diagram_foreach_note (self->diagram, add_note, texts);
  take_texts (building, texts, 0, n_notes);
  self->n_notes = texts->len;
  make_labelled (building);
  g_array_set_size (texts, 0);
  for (guint i = 0; i < weir_shapes_get_size (building->labelled); i++)
    {
      WeirSceneText label = weir_wire_shape_get_label (weir_shapes_get (building->labelled, i));

      g_array_append_val (texts, label);
    }
  take_texts (building, texts, n_notes, previous != NULL ? previous->texts->len - n_notes : 0);
}

/* --- All of it ------------------------------------------------------------------------------- */

static void
build_blocks (Building *building)
{
  WeirScene *self = building->scene, *previous = building->previous;

  if (previous == NULL)
    {
      weir_diagram_foreach_block (self->diagram, add_block, building);
      return;
    }
  if (previous->places != NULL)
    {
      self->places = previous->places;
      g_atomic_ref_count_inc (&self->places->ref_count);
      g_array_append_vals (self->moved, previous->moved->data, previous->moved->len);
    }
  weir_diagram_foreach_block_change (previous->diagram, self->diagram, change_block, building);
}

/* --- Lines ----------------------------------------------------------------------------------- */

static gboolean
has_same_pins (const WeirBlockShape *a, const WeirBlockShape *b)
{
  guint first = a->n_ports - a->n_pins, other = b->n_ports - b->n_pins;

  for (guint i = 0; a->n_pins == b->n_pins && i < a->n_pins; i++)
    if (a->ports[first + i].domain != b->ports[other + i].domain
        || !g_str_equal (a->ports[first + i].name, b->ports[other + i].name))
      return FALSE;
  return a->n_pins == b->n_pins;
}

static gboolean
is_same_end (WeirWireEnd a, WeirWireEnd b)
{
  return a.block == b.block && a.line == b.line && g_strcmp0 (a.port, b.port) == 0;
}

typedef struct {
  const Building *building;
  gboolean changed;
} NodeChange;

static gboolean
note_pin_change (guint32 id, G_GNUC_UNUSED WeirBlock *before, G_GNUC_UNUSED WeirBlock *after,
                 gpointer data)
{
  NodeChange *change = data;
  const WeirBlockShape *old = weir_shapes_lookup (change->building->previous->blocks, id);
  const WeirBlockShape *new = weir_shapes_lookup (change->building->scene->blocks, id);

  change->changed |= old == NULL   ? new->n_pins > 0
                     : new == NULL ? old->n_pins > 0
                                   : !has_same_pins (old, new);
  return !change->changed;
}

static gboolean
note_line_change (G_GNUC_UNUSED guint32 id, WeirWire *before, WeirWire *after, gpointer data)
{
  NodeChange *change = data;
  gboolean was = before != NULL && weir_wire_is_line (before);
  gboolean is = after != NULL && weir_wire_is_line (after);

  change->changed |= was != is
                     || (was
                         && (!is_same_end (weir_wire_get_from (before), weir_wire_get_from (after))
                             || !is_same_end (weir_wire_get_to (before),
                                              weir_wire_get_to (after))));
  return !change->changed;
}

static void
build_nodes (Building *building)
{
  WeirScene *self = building->scene, *previous = building->previous;
  NodeChange change = { building, previous == NULL };

  if (previous != NULL)
    {
      weir_diagram_foreach_wire_change (previous->diagram, self->diagram, note_line_change,
                                        &change);
      if (previous->nodes != NULL && !change.changed)
        weir_diagram_foreach_block_change (previous->diagram, self->diagram, note_pin_change,
                                           &change);
    }
  if (change.changed)
    self->nodes = weir_nodes_new (self->diagram, self->blocks);
  else if (previous->nodes != NULL)
    self->nodes = weir_nodes_ref (previous->nodes);
}

/* Lines whose nodes have become others. */
static void
renew_lines (Building *building)
{
  WeirScene *self = building->scene;

  if (building->previous->nodes == self->nodes)
    return;
  for (guint i = 0; i < weir_nodes_get_n_lines (self->nodes); i++)
    {
      WeirWireShape *shape = weir_shapes_lookup (self->wires,
                                                 weir_nodes_get_line (self->nodes, i)->line);

      if (shape != NULL)
        route_again (building, shape);
    }
}

/* Whether what @old ends on is as it was. */
static gboolean
joins_same (const Building *building, const WeirWireShape *old)
{
  guint32 lines[2] = { weir_wire_get_from (old->wire).line, weir_wire_get_to (old->wire).line };

  for (guint i = 0; i < 2; i++)
    if (lines[i] != 0
        && weir_shapes_lookup (building->previous->wires, lines[i])
               != weir_shapes_lookup (building->scene->wires, lines[i]))
      return FALSE;
  return TRUE;
}

/* Lines that end on lines, which are all there. */
static void
build_joiners (Building *building)
{
  WeirScene *self = building->scene, *previous = building->previous;
  const GArray *joiners = self->nodes != NULL ? weir_nodes_get_joiners (self->nodes) : NULL;

  for (guint i = 0; joiners != NULL && i < joiners->len; i++)
    {
      guint32 id = g_array_index (joiners, guint32, i);
      WeirWire *wire = weir_diagram_find_wire (self->diagram, id);
      WeirWireShape *old = previous != NULL ? weir_shapes_lookup (previous->wires, id) : NULL;
      WeirWireShape *shape;

      if (old != NULL && old->wire == wire && previous->nodes == self->nodes
          && building->changes->len <= MAX_CHANGES && joins_same (building, old)
          && is_away_from_changes (building, old))
        continue;
      shape = weir_wire_shape_new (&building->index, wire, old);
      if (shape != weir_shapes_lookup (self->wires, id))
        weir_shapes_put (self->wires, shape);
      else
        weir_wire_shape_unref (shape);
    }
}

static void
build_wires (Building *building)
{
  WeirDiagram *diagram = building->scene->diagram;

  if (building->previous == NULL)
    weir_diagram_foreach_wire (diagram, add_wire, building);
  else
    {
      weir_diagram_foreach_wire_change (building->previous->diagram, diagram, change_wire,
                                        building);
      route_changed_again (building);
      renew_lines (building);
    }
  build_joiners (building);
}

/* Around a block, all that wires keep off. */
static WeirRect
get_surroundings (const WeirBlockShape *shape)
{
  return weir_rect_union (weir_rect_grow (shape->box, WEIR_NAME_HEIGHT), shape->reach);
}

static void
part_wires (Building *building)
{
  g_autoptr (GArray) places = g_array_new (FALSE, FALSE, sizeof (WeirRect));

  for (guint i = 0; i < building->changes->len; i++)
    {
      const BlockChange *change = &g_array_index (building->changes, BlockChange, i);
      const WeirBlockShape *shapes[2] = { NULL, NULL };
      WeirRect boxes[2] = { change->before, change->after };

      if (change->id != 0)
        {
          shapes[0] = weir_scene_find_block (building->previous, change->id);
          shapes[1] = weir_scene_find_block (building->scene, change->id);
        }
      for (guint k = 0; k < 2; k++)
        {
          WeirRect place = shapes[k] != NULL ? get_surroundings (shapes[k]) : boxes[k];

          if (place.width > 0)
            g_array_append_val (places, place);
        }
    }
  weir_scene_part_wires (building->scene, &building->index, building->previous, places);
}

static gboolean
extend_by_note (WeirNote *note, gpointer data)
{
  WeirRect *reach = data, box = weir_scene_get_note_box (note);

  *reach = reach->width > 0 ? weir_rect_union (*reach, box) : box;
  return TRUE;
}

static void
measure_reach (WeirScene *self)
{
  WeirRect blocks, wires;
  gboolean has_blocks = weir_shapes_get_reach (self->blocks, &blocks);
  gboolean has_wires = weir_shapes_get_reach (self->wires, &wires);

  if (has_blocks || has_wires)
    self->reach = !has_wires ? blocks : !has_blocks ? wires : weir_rect_union (blocks, wires);
  weir_diagram_foreach_note (self->diagram, extend_by_note, &self->reach);
}

WeirScene *
weir_scene_new (WeirDiagram *diagram, WeirScene *previous)
{
  WeirScene *self = g_new0 (WeirScene, 1);
  Building building = { .scene = self, .previous = previous };

  g_atomic_ref_count_init (&self->ref_count);
  self->diagram = weir_diagram_ref (diagram);
  self->blocks = previous != NULL ? weir_shapes_copy (previous->blocks)
                                  : weir_shapes_new (&block_shape_kind);
  self->wires = previous != NULL ? weir_shapes_copy (previous->wires)
                                 : weir_shapes_new (&weir_wire_shape_kind);
  self->junctions = g_array_new (FALSE, FALSE, sizeof (WeirPoint));
  self->junction_wires = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->texts = g_array_new (FALSE, FALSE, sizeof (WeirSceneText));
  self->moved = g_array_new (FALSE, FALSE, sizeof (guint32));

  building.changes = g_array_new (FALSE, FALSE, sizeof (BlockChange));
  building.labelled = weir_shapes_new (&weir_wire_shape_kind);
  weir_scene_index_init (&building.index, self);
  build_blocks (&building);
  build_nodes (&building);
  add_texts (&building);
  build_wires (&building);
  part_wires (&building);
  weir_scene_find_junctions (self, previous);
  measure_reach (self);
  g_array_unref (building.changes);
  weir_shapes_free (building.labelled);
  weir_scene_index_clear (&building.index);
  return self;
}

static gpointer
make_scene (WeirModel *model)
{
  return weir_scene_new (weir_model_get_root (model), NULL);
}

static gpointer
ref_scene (gpointer scene)
{
  return weir_scene_ref (scene);
}

static void
unref_scene (gpointer scene)
{
  weir_scene_unref (scene);
}

WeirDerivedKind weir_derived_scene = {
  .name = "scene",
  .make = make_scene,
  .ref = ref_scene,
  .unref = unref_scene,
};

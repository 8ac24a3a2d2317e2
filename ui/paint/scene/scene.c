/* The geometry of one diagram: making it. See scene.h.
 *
 * A scene takes over from the one before what cannot have changed. Where an edit changed a few
 * blocks only, a route away from all of them is not even looked at; the others are, by what they
 * depend on (scene-wires.c).
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
  g_ptr_array_unref (self->blocks);
  g_ptr_array_unref (self->wires);
  g_array_unref (self->junctions);
  g_array_unref (self->texts);
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
  guint next;           /* in the previous scene: what comes before has been dealt with */
  GArray *changes;      /* BlockChange; of a text without an id */
  GPtrArray *labelled;  /* WeirWireShape, by id: those with labels, which are made first */
  WeirSceneIndex index; /* of @scene */
} Building;

static gboolean
is_away_from_changes (const Building *building, const WeirWireShape *old)
{
  guint32 from = weir_wire_get_from (old->wire).block, to = weir_wire_get_to (old->wire).block;

  for (guint i = 0; i < building->changes->len; i++)
    {
      const BlockChange *change = &g_array_index (building->changes, BlockChange, i);

      if (change->id == from || change->id == to
          || (old->near.width > 0
              && ((change->before.width > 0 && weir_rect_intersects (change->before, old->near))
                  || (change->after.width > 0 && weir_rect_intersects (change->after, old->near)))))
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
  g_ptr_array_add (((Building *) data)->scene->blocks, weir_block_shape_new (block));
  return TRUE;
}

/* (transfer full) */
static WeirWireShape *
make_wire (Building *building, WeirWire *wire, const WeirWireShape *old)
{
  WeirWireShape *labelled = weir_wire_shapes_find (building->labelled, weir_wire_get_id (wire));

  return labelled != NULL ? weir_wire_shape_ref (labelled)
                          : weir_wire_shape_new (&building->index, wire, old);
}

static gboolean
add_wire (WeirWire *wire, gpointer data)
{
  Building *building = data;

  g_ptr_array_add (building->scene->wires, make_wire (building, wire, NULL));
  return TRUE;
}

/* Takes over the shapes of the previous scene up to the first whose id is at least @id, or to the
 * end. */
static void
take_over_blocks (Building *building, guint64 id)
{
  const GPtrArray *from = building->previous->blocks;

  for (; building->next < from->len; building->next++)
    {
      WeirBlockShape *shape = from->pdata[building->next];

      if (id != G_MAXUINT64 && weir_block_get_id (shape->block) >= id)
        return;
      g_ptr_array_add (building->scene->blocks, weir_block_shape_ref (shape));
    }
}

static gboolean
change_block (guint32 id, WeirBlock *before, WeirBlock *after, gpointer data)
{
  Building *building = data;
  WeirBlockShape *shape = after != NULL ? weir_block_shape_new (after) : NULL;

  take_over_blocks (building, id);
  note_change (building, id,
               before != NULL ? building->previous->blocks->pdata[building->next++] : NULL, shape);
  if (shape != NULL)
    g_ptr_array_add (building->scene->blocks, shape);
  return TRUE;
}

static void
take_over_wires (Building *building, guint64 id)
{
  const GPtrArray *from = building->previous->wires;

  for (; building->next < from->len; building->next++)
    {
      WeirWireShape *shape = from->pdata[building->next];

      if (id != G_MAXUINT64 && weir_wire_get_id (shape->wire) >= id)
        return;
      if (building->changes->len <= MAX_CHANGES && is_away_from_changes (building, shape))
        shape = weir_wire_shape_ref (shape);
      else
        shape = make_wire (building, shape->wire, shape);
      g_ptr_array_add (building->scene->wires, shape);
    }
}

static gboolean
change_wire (guint32 id, WeirWire *before, WeirWire *after, gpointer data)
{
  Building *building = data;

  take_over_wires (building, id);
  if (before != NULL)
    building->next++;
  if (after != NULL)
    add_wire (after, building);
  return TRUE;
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
  if (weir_wire_get_label (wire)[0] != '\0')
    g_hash_table_add (data, GUINT_TO_POINTER (weir_wire_get_id (wire)));
  return TRUE;
}

static gboolean
change_labelled (guint32 id, G_GNUC_UNUSED WeirWire *before, WeirWire *after, gpointer data)
{
  g_hash_table_remove (data, GUINT_TO_POINTER (id));
  return after == NULL || find_labelled (after, data);
}

static int
compare_wires (gconstpointer a, gconstpointer b)
{
  guint32 x = weir_wire_get_id ((*(WeirWireShape *const *) a)->wire);
  guint32 y = weir_wire_get_id ((*(WeirWireShape *const *) b)->wire);

  return x < y ? -1 : x > y;
}

/* The wires that have labels, routed without regard to labels. */
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
    {
      guint32 wire = GPOINTER_TO_UINT (id);

      g_ptr_array_add (
          building->labelled,
          weir_wire_shape_new (&building->index, weir_diagram_find_wire (diagram, wire),
                               previous != NULL ? weir_scene_find_wire (previous, wire) : NULL));
    }
  g_ptr_array_sort (building->labelled, compare_wires);
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

static const WeirSceneText *
get_texts (const WeirScene *scene, guint first)
{
  return (const WeirSceneText *) (gconstpointer) scene->texts->data + first;
}

/* Notes, then labels where the wires were routed that have them. */
static void
add_texts (Building *building)
{
  WeirScene *self = building->scene, *previous = building->previous;
  g_autoptr (GArray) texts = g_array_new (FALSE, FALSE, sizeof (WeirSceneText));

  weir_diagram_foreach_note (self->diagram, add_note, texts);
  weir_scene_index_add_texts (&building->index, (WeirSceneText *) (gpointer) texts->data,
                              texts->len);
  self->n_notes = texts->len;
  make_labelled (building);
  g_array_set_size (texts, 0);
  for (guint i = 0; i < building->labelled->len; i++)
    {
      WeirSceneText label = weir_wire_shape_get_label (building->labelled->pdata[i]);

      g_array_append_val (texts, label);
    }
  weir_scene_index_add_texts (&building->index, (WeirSceneText *) (gpointer) texts->data,
                              texts->len);
  if (previous == NULL)
    return;
  note_text_changes (building, get_texts (previous, 0), previous->n_notes, get_texts (self, 0),
                     self->n_notes);
  note_text_changes (building, get_texts (previous, previous->n_notes),
                     previous->texts->len - previous->n_notes, get_texts (self, self->n_notes),
                     self->texts->len - self->n_notes);
}

/* --- All of it ------------------------------------------------------------------------------- */

static void
build_blocks (Building *building)
{
  WeirDiagram *diagram = building->scene->diagram;

  if (building->previous == NULL)
    {
      weir_diagram_foreach_block (diagram, add_block, building);
      return;
    }
  weir_diagram_foreach_block_change (building->previous->diagram, diagram, change_block, building);
  take_over_blocks (building, G_MAXUINT64);
}

static void
build_wires (Building *building)
{
  WeirDiagram *diagram = building->scene->diagram;

  if (building->previous == NULL)
    {
      weir_diagram_foreach_wire (diagram, add_wire, building);
      return;
    }
  building->next = 0;
  weir_diagram_foreach_wire_change (building->previous->diagram, diagram, change_wire, building);
  take_over_wires (building, G_MAXUINT64);
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

static void
extend (WeirScene *self, WeirRect rect, gboolean *any)
{
  self->reach = *any ? weir_rect_union (self->reach, rect) : rect;
  *any = TRUE;
}

typedef struct {
  WeirScene *scene;
  gboolean *any;
} NoteReach;

static gboolean
extend_by_note (WeirNote *note, gpointer data)
{
  NoteReach *reach = data;

  extend (reach->scene, weir_scene_get_note_box (note), reach->any);
  return TRUE;
}

WeirScene *
weir_scene_new (WeirDiagram *diagram, WeirScene *previous)
{
  WeirScene *self = g_new0 (WeirScene, 1);
  Building building = { .scene = self, .previous = previous };
  gboolean any = FALSE;

  g_atomic_ref_count_init (&self->ref_count);
  self->diagram = weir_diagram_ref (diagram);
  self->blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) weir_block_shape_unref);
  self->wires = g_ptr_array_new_with_free_func ((GDestroyNotify) weir_wire_shape_unref);
  self->junctions = g_array_new (FALSE, FALSE, sizeof (WeirPoint));

  self->texts = g_array_new (FALSE, FALSE, sizeof (WeirSceneText));

  building.changes = g_array_new (FALSE, FALSE, sizeof (BlockChange));
  building.labelled = g_ptr_array_new_with_free_func ((GDestroyNotify) weir_wire_shape_unref);
  weir_scene_index_init (&building.index, self);
  build_blocks (&building);
  add_texts (&building);
  build_wires (&building);
  part_wires (&building);
  weir_scene_find_junctions (self);
  g_array_unref (building.changes);
  g_ptr_array_unref (building.labelled);
  weir_scene_index_clear (&building.index);

  for (guint i = 0; i < self->blocks->len; i++)
    extend (self, ((WeirBlockShape *) self->blocks->pdata[i])->reach, &any);
  for (guint i = 0; i < self->wires->len; i++)
    extend (self, ((WeirWireShape *) self->wires->pdata[i])->reach, &any);
  weir_diagram_foreach_note (diagram, extend_by_note, &(NoteReach) { self, &any });
  return self;
}

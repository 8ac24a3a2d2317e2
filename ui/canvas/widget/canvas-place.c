/* The canvas and its document: which diagram is shown, keeping in step with it, edits, and what is
 * selected.
 */
#include <string.h>

#include "base/error.h"
#include "blocks/parts/part.h"
#include "canvas/widget/canvas-ground.h"
#include "model/completion/completion.h"

#define MAX_PAST 100 /* places to go back to */

/* --- The document ---------------------------------------------------------------------------- */

/* The scene of @diagram: the one that its model has been read with, or anew. (transfer full) */
static WeirScene *
make_scene (WeirCanvas *self, WeirDiagram *diagram, WeirScene *previous)
{
  WeirScene *scene = weir_model_peek_derived (weir_document_get_model (self->document),
                                              &weir_derived_scene, NULL);

  if (scene != NULL && weir_scene_get_diagram (scene) == diagram)
    return scene;
  g_clear_pointer (&scene, weir_scene_unref);
  return weir_scene_new (diagram, previous);
}

/* Takes over the document's current model. */
static void
take_model (WeirCanvas *self)
{
  WeirDiagram *diagram;
  WeirScene *scene;
  gboolean left = FALSE;

  while ((diagram = weir_site_get_diagram (weir_canvas_get_site (self))) == NULL)
    {
      g_array_set_size (self->place, self->place->len - 1);
      left = TRUE;
    }
  if (self->scene == NULL || diagram != weir_scene_get_diagram (self->scene))
    {
      scene = make_scene (self, diagram, left ? NULL : self->scene);
      g_clear_pointer (&self->scene, weir_scene_unref);
      self->scene = scene;
    }
  weir_tool_set_site (self->tool, weir_canvas_get_site (self), self->scene);
  if (left)
    self->has_view = FALSE;
  weir_canvas_tell (self, WEIR_CANVAS_NEWS_SCENE);
  weir_canvas_view_changed (self);
  weir_canvas_update (self);
  if (left)
    g_signal_emit (self, weir_canvas_signals[WEIR_CANVAS_PLACE_CHANGED], 0);
}

/* How large every signal is, for the widths of wires: found beside the main thread, as it takes as
 * long as the first half of completing the model. */
static void
find_sizes (GTask *task, gpointer source, gpointer model, GCancellable *cancellable)
{
  g_task_return_pointer (task, weir_model_dup_signal_sizes (model),
                         (GDestroyNotify) g_hash_table_unref);
}

static void
on_sizes_found (GObject *source, GAsyncResult *result, gpointer data)
{
  GWeakRef *weak = data;
  g_autoptr (WeirCanvas) self = g_weak_ref_get (weak); /* it may be gone meanwhile */
  g_autoptr (GHashTable) sizes = g_task_propagate_pointer (G_TASK (result), NULL);

  g_weak_ref_clear (weak);
  g_free (weak);
  if (self == NULL || sizes == NULL)
    return; /* an edit came in between */
  g_clear_pointer (&self->sizes, g_hash_table_unref);
  self->sizes = g_steal_pointer (&sizes);
  weir_canvas_tell (self, WEIR_CANVAS_NEWS_SIZES);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
queue_find_sizes (WeirCanvas *self)
{
  g_autoptr (GTask) task = NULL;
  GWeakRef *weak = g_new (GWeakRef, 1);

  g_weak_ref_init (weak, self);
  g_cancellable_cancel (self->sizes_cancellable);
  g_clear_object (&self->sizes_cancellable);
  self->sizes_cancellable = g_cancellable_new ();
  task = g_task_new (NULL, self->sizes_cancellable, on_sizes_found, weak);
  g_task_set_task_data (task, weir_model_ref (weir_document_get_model (self->document)),
                        (GDestroyNotify) weir_model_unref);
  g_task_run_in_thread (task, find_sizes);
}

static void
on_document_changed (WeirDocument *document, WeirAspects aspects, WeirCanvas *self)
{
  if (aspects & (WEIR_ASPECT_STRUCTURE | WEIR_ASPECT_VALUES))
    queue_find_sizes (self);
  take_model (self);
}

void
weir_canvas_follow_document (WeirCanvas *self)
{
  g_signal_connect_object (self->document, "changed", G_CALLBACK (on_document_changed), self, 0);
  weir_document_set_needed (self->document, &weir_derived_scene);
  take_model (self);
  queue_find_sizes (self);
}

gboolean
weir_canvas_apply (WeirCanvas *self, WeirEdit *edit, const char *merge_key)
{
  g_autoptr (GError) error = NULL;
  gboolean done;

  if (edit == NULL)
    return FALSE;
  done = weir_document_edit (self->document, edit->patch, edit->label, merge_key, &error);
  if (!done)
    weir_canvas_say (self, weir_error_say (error));
  else if (edit->new_blocks != NULL || edit->new_notes != NULL)
    weir_selection_set (weir_tool_get_selection (self->tool), edit->new_blocks, NULL,
                        edit->new_notes);
  weir_edit_free (edit);
  weir_canvas_update (self);
  return done;
}

void
weir_canvas_update (WeirCanvas *self)
{
  WeirSelection *selection = weir_tool_get_selection (self->tool);

  if (selection->serial != self->selection_serial)
    {
      self->selection_serial = selection->serial;
      self->lit = NULL;
      if (self->chosen_block != weir_canvas_get_selected_block (self))
        self->chosen_block = 0;
      weir_document_end_merge (self->document);
      weir_canvas_tell (self, WEIR_CANVAS_NEWS_SELECTION);
      g_signal_emit (self, weir_canvas_signals[WEIR_CANVAS_SELECTION_CHANGED], 0);
    }
  weir_canvas_tell (self, WEIR_CANVAS_NEWS_GESTURE);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* --- The place ------------------------------------------------------------------------------- */

/* Without a mark in the history of places. */
static void
set_place_quietly (WeirCanvas *self, WeirPlace place)
{
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (guint32));

  if (place.n_ids > 0)
    g_array_append_vals (ids, place.ids, place.n_ids);
  weir_tool_cancel (self->tool);
  if (self->has_view)
    g_hash_table_insert (self->views, weir_canvas_get_view_key (self),
                         g_memdup2 (&self->viewport, sizeof self->viewport));
  g_array_unref (self->place);
  self->place = g_steal_pointer (&ids);
  while (weir_site_get_diagram (weir_canvas_get_site (self)) == NULL)
    g_array_set_size (self->place, self->place->len - 1);
  self->has_view = FALSE;
  take_model (self);
  gtk_widget_trigger_tooltip_query (GTK_WIDGET (self)); /* it was about the level before */
  g_signal_emit (self, weir_canvas_signals[WEIR_CANVAS_PLACE_CHANGED], 0);
}

void
weir_canvas_set_place (WeirCanvas *self, WeirPlace place)
{
  g_return_if_fail (WEIR_IS_CANVAS (self));

  if (place.n_ids == self->place->len
      && (place.n_ids == 0
          || memcmp (place.ids, self->place->data, place.n_ids * sizeof (guint32)) == 0))
    return;
  g_ptr_array_add (self->past, g_array_copy (self->place));
  if (self->past->len > MAX_PAST)
    g_ptr_array_remove_index (self->past, 0);
  g_ptr_array_set_size (self->future, 0);
  set_place_quietly (self, place);
}

/* Places that no longer exist are left out. */
void
weir_canvas_go_back (WeirCanvas *self, gboolean forward)
{
  GPtrArray *from = forward ? self->future : self->past, *to = forward ? self->past : self->future;

  while (from->len > 0)
    {
      g_autoptr (GArray) ids = g_ptr_array_steal_index (from, from->len - 1);
      WeirPlace place = { (const guint32 *) (gpointer) ids->data, ids->len };

      if (weir_model_get_diagram (weir_document_get_model (self->document), place) == NULL)
        continue;
      g_ptr_array_add (to, g_array_copy (self->place));
      set_place_quietly (self, place);
      break;
    }
  weir_canvas_tell (self, WEIR_CANVAS_NEWS_COMMANDS);
}

void
weir_canvas_enter (WeirCanvas *self, guint32 block)
{
  g_autoptr (GArray) ids = g_array_copy (self->place);

  g_array_append_val (ids, block);
  if (weir_model_get_diagram (weir_document_get_model (self->document),
                              (WeirPlace) { (const guint32 *) (gpointer) ids->data, ids->len })
      != NULL)
    weir_canvas_set_place (self, (WeirPlace) { (const guint32 *) (gpointer) ids->data, ids->len });
}

void
weir_canvas_leave (WeirCanvas *self)
{
  guint32 left;

  if (self->place->len == 0)
    return;
  left = g_array_index (self->place, guint32, self->place->len - 1);
  weir_canvas_set_place (
      self, (WeirPlace) { (const guint32 *) (gpointer) self->place->data, self->place->len - 1 });
  weir_canvas_select_block (self, left);
}

/* --- The selection --------------------------------------------------------------------------- */

static char *
dup_port_path (WeirCanvas *self, guint32 block, const char *port)
{
  g_autofree char *path = weir_model_dup_block_path (weir_document_get_model (self->document),
                                                     block);

  return path != NULL ? g_strdup_printf ("%s.%s", path, port) : NULL;
}

static gboolean
is_part (const WeirBlockShape *shape)
{
  return shape != NULL && shape->type != NULL && weir_block_get_part (shape->block) != NULL;
}

/* The potential at a pin of the node that a line is of; NULL if it ends at none. */
static char *
dup_node_path (WeirCanvas *self, const WeirWireShape *line)
{
  WeirWireEnd ends[2] = { weir_wire_get_from (line->wire), weir_wire_get_to (line->wire) };
  const WeirDomain *domain = line->domain;

  for (guint i = 0; i < 2; i++)
    if (ends[i].block != 0 && domain != NULL
        && is_part (weir_scene_find_block (self->scene, ends[i].block)))
      {
        g_autofree char *name = g_strdup_printf ("%s.%s", ends[i].port, domain->potential);

        return dup_port_path (self, ends[i].block, name);
      }
  return NULL;
}

/* What a part is looked at for: what lies across it, else the potential at its first pin. */
static char *
dup_part_path (WeirCanvas *self, const WeirBlockShape *shape)
{
  const WeirPartType *part = weir_block_get_part (shape->block);
  guint32 id = weir_block_get_id (shape->block);
  const WeirPinSpec *pin = &g_array_index (part->pins, WeirPinSpec, 0);
  g_autofree char *name = NULL;

  if (part->acrosses->len > 0)
    return dup_port_path (self, id, g_array_index (part->acrosses, WeirAcross, 0).name);
  name = g_strdup_printf ("%s.%s", pin->name, pin->domain->potential);
  return dup_port_path (self, id, name);
}

char *
weir_canvas_get_selected_port (WeirCanvas *self)
{
  guint32 id;
  guint n_blocks, n_wires;
  const guint32 *wires;
  const WeirBlockShape *shape;

  g_return_val_if_fail (WEIR_IS_CANVAS (self), NULL);

  weir_canvas_get_selected (self, &n_blocks);
  wires = weir_canvas_get_selected_wires (self, &n_wires);
  if (n_wires == 1 && n_blocks == 0)
    {
      const WeirWireShape *wire = weir_scene_find_wire (self->scene, wires[0]);
      WeirWireEnd from = weir_wire_get_from (wire->wire);

      if (wire->node != 0)
        return dup_node_path (self, wire);
      return wire->from_connected ? dup_port_path (self, from.block, from.port) : NULL;
    }
  id = weir_canvas_get_selected_block (self);
  shape = weir_scene_find_block (self->scene, id);
  if (shape == NULL)
    return NULL;
  if (self->chosen_block == id
      && weir_block_shape_find_port (shape, self->chosen_port, TRUE) != NULL)
    return dup_port_path (self, id, self->chosen_port);
  if (shape->n_outputs == 0 && is_part (shape))
    return dup_part_path (self, shape);
  return shape->n_outputs > 0 ? dup_port_path (self, id, shape->ports[shape->n_inputs].name) : NULL;
}

static void
select_and_reveal (WeirCanvas *self, WeirSelectKind kind, guint32 id, WeirRect reach)
{
  weir_selection_set_one (weir_tool_get_selection (self->tool), kind, id);
  weir_canvas_ensure_view (self);
  if (self->has_view && weir_viewport_reveal (&self->viewport, reach))
    weir_canvas_view_changed (self);
  weir_canvas_update (self);
}

/* Shows the diagram that an element of the model is in. FALSE: there is none; nothing is selected.
 */
static gboolean
go_to_element (WeirCanvas *self, WeirSelectKind kind, guint32 id)
{
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (guint32));
  WeirModel *model = weir_document_get_model (self->document);

  weir_tool_cancel (self->tool);
  if (kind == WEIR_SELECT_BLOCK  ? weir_model_find_block (model, id, ids) == NULL
      : kind == WEIR_SELECT_WIRE ? weir_model_find_wire (model, id, ids) == NULL
                                 : weir_model_find_note (model, id, ids) == NULL)
    {
      weir_selection_set_none (weir_tool_get_selection (self->tool));
      weir_canvas_update (self);
      return FALSE;
    }
  weir_canvas_set_place (self, (WeirPlace) { (const guint32 *) (gpointer) ids->data, ids->len });
  return TRUE;
}

void
weir_canvas_select_block (WeirCanvas *self, guint32 id)
{
  g_return_if_fail (WEIR_IS_CANVAS (self));

  if (go_to_element (self, WEIR_SELECT_BLOCK, id))
    select_and_reveal (self, WEIR_SELECT_BLOCK, id, weir_scene_find_block (self->scene, id)->reach);
}

void
weir_canvas_select_blocks (WeirCanvas *self, const guint32 *ids, guint n)
{
  g_autoptr (GArray) here = g_array_new (FALSE, FALSE, sizeof (guint32));

  g_return_if_fail (WEIR_IS_CANVAS (self));

  weir_canvas_select_block (self, n > 0 ? ids[0] : 0);
  for (guint i = 0; i < n; i++)
    if (weir_scene_find_block (self->scene, ids[i]) != NULL)
      g_array_append_val (here, ids[i]);
  if (here->len < 2)
    return;
  weir_selection_set (weir_tool_get_selection (self->tool), here, NULL, NULL);
  weir_canvas_update (self);
}

void
weir_canvas_select_wire (WeirCanvas *self, guint32 id)
{
  g_return_if_fail (WEIR_IS_CANVAS (self));

  if (go_to_element (self, WEIR_SELECT_WIRE, id))
    select_and_reveal (self, WEIR_SELECT_WIRE, id, weir_scene_find_wire (self->scene, id)->reach);
}

void
weir_canvas_select_note (WeirCanvas *self, guint32 id)
{
  g_return_if_fail (WEIR_IS_CANVAS (self));

  if (go_to_element (self, WEIR_SELECT_NOTE, id))
    select_and_reveal (self, WEIR_SELECT_NOTE, id,
                       weir_scene_get_note_box (
                           weir_diagram_find_note (weir_scene_get_diagram (self->scene), id)));
}

/* Actions that change what is seen or selected, not the document. */
#include <glib/gi18n-lib.h>

#include "canvas/widget/canvas-actions.h"
#include "canvas/widget/canvas-asks.h"
#include "canvas/widget/canvas-shown.h"

/* --- Selecting ------------------------------------------------------------------------------- */

typedef struct {
  const WeirSelection *selection;
  gboolean all;
  GArray *chosen;
} NoteChoice;

static gboolean
choose_note (WeirNote *note, gpointer data)
{
  NoteChoice *choice = data;
  guint32 id = weir_note_get_id (note);

  if (choice->all || !weir_selection_contains (choice->selection, WEIR_SELECT_NOTE, id))
    g_array_append_val (choice->chosen, id);
  return TRUE;
}

static void
select_where (WeirCanvas *self, gboolean all)
{
  WeirSelection *selection = weir_tool_get_selection (self->tool);
  g_autoptr (GArray) blocks = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GArray) wires = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GArray) notes = g_array_new (FALSE, FALSE, sizeof (guint32));
  NoteChoice choice = { selection, all, notes };

  weir_diagram_foreach_note (weir_scene_get_diagram (self->scene), choose_note, &choice);
  for (guint i = 0; i < weir_scene_get_n_blocks (self->scene); i++)
    {
      guint32 id = weir_block_get_id (weir_scene_get_block (self->scene, i)->block);

      if (all || !weir_selection_contains (selection, WEIR_SELECT_BLOCK, id))
        g_array_append_val (blocks, id);
    }
  for (guint i = 0; i < weir_scene_get_n_wires (self->scene); i++)
    {
      guint32 id = weir_wire_get_id (weir_scene_get_wire (self->scene, i)->wire);

      if (all || !weir_selection_contains (selection, WEIR_SELECT_WIRE, id))
        g_array_append_val (wires, id);
    }
  weir_selection_set (selection, blocks, wires, notes);
  weir_canvas_update (self);
}

void
weir_canvas_on_select_all (GtkWidget *widget, const char *name, GVariant *parameter)
{
  select_where (WEIR_CANVAS (widget), TRUE);
}

void
weir_canvas_on_select_inverse (GtkWidget *widget, const char *name, GVariant *parameter)
{
  select_where (WEIR_CANVAS (widget), FALSE);
}

void
weir_canvas_on_select_none (GtkWidget *widget, const char *name, GVariant *parameter)
{
  WeirCanvas *self = WEIR_CANVAS (widget);

  weir_selection_set_none (weir_tool_get_selection (self->tool));
  g_object_set (self, "extend-selection", FALSE, NULL);
  weir_canvas_update (self);
}

/* --- Viewing --------------------------------------------------------------------------------- */

void
weir_canvas_on_zoom (GtkWidget *widget, const char *name, GVariant *parameter)
{
  WeirCanvas *self = WEIR_CANVAS (widget);

  if (g_str_equal (name, "canvas.zoom-in"))
    weir_viewport_zoom_step (&self->viewport, 1);
  else if (g_str_equal (name, "canvas.zoom-out"))
    weir_viewport_zoom_step (&self->viewport, -1);
  else
    weir_viewport_set_zoom (&self->viewport, 1);
  weir_canvas_view_changed (self);
}

void
weir_canvas_on_zoom_fit (GtkWidget *widget, const char *name, GVariant *parameter)
{
  weir_canvas_fit (WEIR_CANVAS (widget), 1.5);
}

void
weir_canvas_on_zoom_selection (GtkWidget *widget, const char *name, GVariant *parameter)
{
  WeirCanvas *self = WEIR_CANVAS (widget);
  guint n;
  const guint32 *ids = weir_canvas_get_selected (self, &n);
  WeirElements what = weir_canvas_get_elements (self);
  WeirRect reach = { 0, 0, 0, 0 };
  gboolean any = FALSE;

  for (guint i = 0; i < n; i++)
    {
      WeirRect box = weir_scene_find_block (self->scene, ids[i])->reach;

      reach = any ? weir_rect_union (reach, box) : box;
      any = TRUE;
    }
  ids = weir_canvas_get_selected_wires (self, &n);
  for (guint i = 0; i < n; i++)
    {
      WeirRect box = weir_scene_find_wire (self->scene, ids[i])->reach;

      reach = any ? weir_rect_union (reach, box) : box;
      any = TRUE;
    }
  for (guint i = 0; i < what.n_notes; i++)
    {
      WeirRect box = weir_scene_get_note_box (
          weir_diagram_find_note (weir_scene_get_diagram (self->scene), what.notes[i]));

      reach = any ? weir_rect_union (reach, box) : box;
      any = TRUE;
    }
  if (!any)
    {
      weir_canvas_on_zoom_fit (widget, name, parameter);
      return;
    }
  weir_viewport_fit (&self->viewport, reach, 2);
  weir_canvas_view_changed (self);
}

/* --- Going about ----------------------------------------------------------------------------- */

void
weir_canvas_on_enter (GtkWidget *widget, const char *name, GVariant *parameter)
{
  WeirCanvas *self = WEIR_CANVAS (widget);
  guint32 id = weir_canvas_get_selected_block (self);
  const WeirBlockShape *shape = weir_scene_find_block (self->scene, id);

  if (shape == NULL)
    {
      weir_canvas_on_rename (widget, name, parameter); /* of a note or wire: its text */
      return;
    }
  if (weir_block_get_diagram (shape->block) != NULL)
    weir_canvas_enter (self, id);
  else
    g_signal_emit (self, weir_canvas_signals[WEIR_CANVAS_ACTIVATE_BLOCK], 0, id);
}

void
weir_canvas_on_leave (GtkWidget *widget, const char *name, GVariant *parameter)
{
  weir_canvas_leave (WEIR_CANVAS (widget));
}

void
weir_canvas_on_quick_insert (GtkWidget *widget, const char *name, GVariant *parameter)
{
  WeirCanvas *self = WEIR_CANVAS (widget);

  weir_canvas_show_quick_insert (self, weir_canvas_get_paste_point (self));
}

void
weir_canvas_on_plot_port (GtkWidget *widget, const char *name, GVariant *parameter)
{
  WeirCanvas *self = WEIR_CANVAS (widget);
  g_autofree char *path = weir_canvas_get_selected_port (self);

  if (path != NULL)
    g_signal_emit (self, weir_canvas_signals[WEIR_CANVAS_PLOT_PORT], 0, path);
}

void
weir_canvas_on_plot_value (GtkWidget *widget, const char *name, GVariant *parameter)
{
  g_signal_emit (widget, weir_canvas_signals[WEIR_CANVAS_PLOT_PORT], 0,
                 g_variant_get_string (parameter, NULL));
}

void
weir_canvas_on_back (GtkWidget *widget, const char *name, GVariant *parameter)
{
  weir_canvas_go_back (WEIR_CANVAS (widget), g_str_equal (name, "canvas.forward"));
}

typedef struct {
  guint32 here, first, next;
} NoteWalk;

static gboolean
walk_to_note (WeirNote *note, gpointer data)
{
  NoteWalk *walk = data;
  guint32 id = weir_note_get_id (note);

  if (walk->first == 0)
    walk->first = id;
  if (id > walk->here && walk->next == 0)
    walk->next = id;
  return TRUE;
}

void
weir_canvas_on_next_note (GtkWidget *widget, const char *name, GVariant *parameter)
{
  WeirCanvas *self = WEIR_CANVAS (widget);
  WeirElements what = weir_canvas_get_elements (self);
  NoteWalk walk = { what.n_notes == 1 ? what.notes[0] : 0, 0, 0 };

  weir_diagram_foreach_note (weir_scene_get_diagram (self->scene), walk_to_note, &walk);
  weir_canvas_select_note (self, walk.next != 0 ? walk.next : walk.first);
}

void
weir_canvas_on_find_next (GtkWidget *widget, const char *name, GVariant *parameter)
{
  weir_canvas_go_to_found (WEIR_CANVAS (widget), g_str_equal (name, "canvas.find-next") ? 1 : -1);
}

/* Walks round the wires at the block with the focus, so that each can be edited by keyboard. */
void
weir_canvas_on_next_wire (GtkWidget *widget, const char *name, GVariant *parameter)
{
  WeirCanvas *self = WEIR_CANVAS (widget);
  WeirElements what = weir_canvas_get_elements (self);
  guint32 block = weir_canvas_get_focus_block (self), here = what.n_wires == 1 ? what.wires[0] : 0;
  guint32 first = 0, next = 0;

  if (block == 0)
    block = weir_canvas_get_selected_block (self);
  for (guint i = 0; i < weir_scene_get_n_wires (self->scene); i++)
    {
      WeirWire *wire = weir_scene_get_wire (self->scene, i)->wire;
      guint32 id = weir_wire_get_id (wire);

      /* Without a block: all wires. */
      if (block != 0 && weir_wire_get_from (wire).block != block
          && weir_wire_get_to (wire).block != block)
        continue;
      if (first == 0)
        first = id;
      if (id > here && next == 0)
        next = id;
    }
  if (next == 0)
    next = first;
  if (next == 0)
    return;
  weir_selection_set_one (weir_tool_get_selection (self->tool), WEIR_SELECT_WIRE, next);
  if (weir_viewport_reveal (&self->viewport, weir_scene_find_wire (self->scene, next)->reach))
    weir_canvas_view_changed (self);
  weir_canvas_update (self);
}

/* Starts wiring by keyboard from a free port of the selected block, outputs first; from the source
 * of the selected wire; or with the loose or far end of that wire. */
void
weir_canvas_on_connect (GtkWidget *widget, const char *name, GVariant *parameter)
{
  WeirCanvas *self = WEIR_CANVAS (widget);
  guint32 id = weir_canvas_get_selected_block (self);
  const WeirBlockShape *shape = weir_scene_find_block (self->scene, id);
  const WeirPortShape *start = NULL;
  WeirElements what = weir_canvas_get_elements (self);

  if (what.n_wires == 1 && what.n_blocks == 0)
    {
      weir_tool_begin_from_wire (self->tool, what.wires[0], g_str_equal (name, "canvas.reconnect"));
      weir_canvas_update (self);
      return;
    }
  for (guint i = 0; shape != NULL && i < shape->n_ports; i++)
    {
      const WeirPortShape *port = &shape->ports[i];
      gboolean is_free = !weir_scene_is_connected (self->scene, id, port->name, port->is_output);

      if (start == NULL || (is_free && port->is_output && !start->is_output)
          || (is_free && weir_scene_is_connected (self->scene, id, start->name, start->is_output)))
        start = port;
    }
  if (start != NULL)
    weir_tool_begin_wire (self->tool, id, start->name, start->is_output);
  weir_canvas_update (self);
}

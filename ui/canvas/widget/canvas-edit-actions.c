/* Actions that edit the document, each one undo step. */
#include <glib/gi18n-lib.h>

#include "canvas/widget/canvas-actions.h"
#include "canvas/widget/canvas-asks.h"
#include "canvas/widget/canvas-shown.h"

#define FRAME_MARGIN 20.0

void
weir_canvas_on_delete (GtkWidget *widget, const char *name, GVariant *parameter)
{
  WeirCanvas *self = WEIR_CANVAS (widget);
  WeirElements what = weir_canvas_get_elements (self);
  guint n = what.n_blocks + what.n_notes;

  /* Wires alone are seen to go. */
  if (weir_canvas_apply (self, weir_edit_delete (weir_canvas_get_site (self), what), NULL) && n > 1)
    g_signal_emit (self, weir_canvas_signals[WEIR_CANVAS_DELETED], 0, n);
}

void
weir_canvas_on_duplicate (GtkWidget *widget, const char *name, GVariant *parameter)
{
  WeirCanvas *self = WEIR_CANVAS (widget);

  weir_canvas_apply (self,
                     weir_edit_duplicate (weir_canvas_get_site (self),
                                          weir_canvas_get_elements (self),
                                          (WeirPoint) { 2 * WEIR_GRID, 2 * WEIR_GRID }),
                     NULL);
}

void
weir_canvas_on_rotate (GtkWidget *widget, const char *name, GVariant *parameter)
{
  WeirCanvas *self = WEIR_CANVAS (widget);
  WeirElements what = weir_canvas_get_elements (self);

  weir_canvas_apply (self,
                     weir_edit_rotate (weir_canvas_get_site (self), what.blocks, what.n_blocks,
                                       g_str_equal (name, "canvas.rotate-back") ? -1 : 1),
                     NULL);
}

void
weir_canvas_on_flip (GtkWidget *widget, const char *name, GVariant *parameter)
{
  WeirCanvas *self = WEIR_CANVAS (widget);
  WeirElements what = weir_canvas_get_elements (self);

  weir_canvas_apply (self,
                     weir_edit_flip (weir_canvas_get_site (self), what.blocks, what.n_blocks,
                                     g_str_equal (name, "canvas.flip-vertically")),
                     NULL);
}

/* Of a block its name, of a wire its label, of a note or frame its text. */
void
weir_canvas_on_rename (GtkWidget *widget, const char *name, GVariant *parameter)
{
  WeirCanvas *self = WEIR_CANVAS (widget);
  WeirElements what = weir_canvas_get_elements (self);

  if (what.n_blocks == 1)
    weir_canvas_show_rename (self, what.blocks[0]);
  else if (what.n_blocks == 0 && what.n_notes == 1)
    weir_canvas_show_note (self, what.notes[0], (WeirPoint) { 0, 0 });
  else if (what.n_blocks == 0 && what.n_wires == 1)
    weir_canvas_show_label (self, what.wires[0]);
}

/* The second time takes it back. */
void
weir_canvas_on_set_mode (GtkWidget *widget, const char *name, GVariant *parameter)
{
  WeirCanvas *self = WEIR_CANVAS (widget);
  WeirElements what = weir_canvas_get_elements (self);
  WeirSite site = weir_canvas_get_site (self);
  WeirBlockMode mode = g_str_equal (name, "canvas.comment-out") ? WEIR_BLOCK_COMMENTED_OUT
                                                                : WEIR_BLOCK_PASSED_THROUGH;
  WeirEdit *edit = weir_edit_set_mode (site, what.blocks, what.n_blocks, mode);

  if (edit == NULL)
    edit = weir_edit_set_mode (site, what.blocks, what.n_blocks, WEIR_BLOCK_ACTIVE);
  weir_canvas_apply (self, edit, NULL);
}

/* --- Hierarchy ------------------------------------------------------------------------------- */

void
weir_canvas_on_group (GtkWidget *widget, const char *name, GVariant *parameter)
{
  WeirCanvas *self = WEIR_CANVAS (widget);
  WeirEdit *edit = weir_edit_group (weir_canvas_get_site (self), weir_canvas_get_elements (self));

  if (edit == NULL)
    weir_canvas_say (self, _ ("In and Out blocks are the ports of this level and stay in it."));
  else if (weir_canvas_apply (self, edit, NULL))
    weir_canvas_focus_block (self, weir_canvas_get_selected_block (self));
}

void
weir_canvas_on_expand (GtkWidget *widget, const char *name, GVariant *parameter)
{
  WeirCanvas *self = WEIR_CANVAS (widget);

  weir_canvas_apply (
      self, weir_edit_expand (weir_canvas_get_site (self), weir_canvas_get_selected_block (self)),
      NULL);
}

/* --- Arranging ------------------------------------------------------------------------------- */

void
weir_canvas_on_align (GtkWidget *widget, const char *name, GVariant *parameter)
{
  static const char *const names[WEIR_N_ALIGNMENTS] = { "left", "center", "right",
                                                        "top",  "middle", "bottom" };
  WeirCanvas *self = WEIR_CANVAS (widget);

  for (int i = 0; i < WEIR_N_ALIGNMENTS; i++)
    if (g_str_equal (names[i], g_variant_get_string (parameter, NULL)))
      weir_canvas_apply (self,
                         weir_edit_align (weir_canvas_get_site (self),
                                          weir_canvas_get_elements (self), (WeirAlignment) i),
                         NULL);
}

void
weir_canvas_on_distribute (GtkWidget *widget, const char *name, GVariant *parameter)
{
  WeirCanvas *self = WEIR_CANVAS (widget);

  weir_canvas_apply (self,
                     weir_edit_distribute (weir_canvas_get_site (self),
                                           weir_canvas_get_elements (self),
                                           g_str_equal (name, "canvas.distribute-vertically")),
                     NULL);
}

void
weir_canvas_on_match_size (GtkWidget *widget, const char *name, GVariant *parameter)
{
  WeirCanvas *self = WEIR_CANVAS (widget);
  WeirElements what = weir_canvas_get_elements (self);

  weir_canvas_apply (
      self, weir_edit_match_size (weir_canvas_get_site (self), what.blocks, what.n_blocks), NULL);
}

/* The selection if it is more than one block, else the whole level. */
void
weir_canvas_on_tidy (GtkWidget *widget, const char *name, GVariant *parameter)
{
  WeirCanvas *self = WEIR_CANVAS (widget);
  WeirElements what = weir_canvas_get_elements (self);

  if (weir_canvas_apply (self,
                         weir_edit_tidy (weir_canvas_get_site (self), what.blocks,
                                         what.n_blocks > 1 ? what.n_blocks : 0),
                         NULL)
      && what.n_blocks <= 1)
    gtk_widget_activate_action (widget, "canvas.zoom-fit", NULL);
}

/* Forgets hand-made bends. */
void
weir_canvas_on_straighten (GtkWidget *widget, const char *name, GVariant *parameter)
{
  WeirCanvas *self = WEIR_CANVAS (widget);
  WeirElements what = weir_canvas_get_elements (self);

  if (what.n_wires == 1)
    weir_canvas_apply (
        self, weir_edit_set_bends (weir_canvas_get_site (self), what.wires[0], NULL, 0), NULL);
}

/* Of one kind the second time takes it back. */
void
weir_canvas_on_analysis_point (GtkWidget *widget, const char *name, GVariant *parameter)
{
  WeirCanvas *self = WEIR_CANVAS (widget);
  WeirElements what = weir_canvas_get_elements (self);
  WeirSite site = weir_canvas_get_site (self);
  const char *word = g_variant_get_string (parameter, NULL);
  WeirPointKinds kinds, asked = 0;

  if (what.n_wires != 1)
    return;
  kinds = weir_site_get_points (site, what.wires[0]);
  if (g_str_equal (word, "loop"))
    kinds = kinds == WEIR_POINT_LOOP ? 0 : WEIR_POINT_LOOP;
  else if (weir_point_kinds_parse (word, &asked))
    kinds ^= asked;
  else
    kinds = 0;
  weir_canvas_apply (self, weir_edit_set_points (site, what.wires[0], kinds), NULL);
}

/* All wires at the selected blocks. */
void
weir_canvas_on_disconnect (GtkWidget *widget, const char *name, GVariant *parameter)
{
  WeirCanvas *self = WEIR_CANVAS (widget);
  WeirElements what = weir_canvas_get_elements (self);
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (guint i = 0; i < weir_scene_get_n_wires (self->scene); i++)
    {
      WeirWire *wire = weir_scene_get_wire (self->scene, i)->wire;
      guint32 id = weir_wire_get_id (wire);
      WeirSelection *selection = weir_tool_get_selection (self->tool);

      if (weir_selection_contains (selection, WEIR_SELECT_BLOCK, weir_wire_get_from (wire).block)
          || weir_selection_contains (selection, WEIR_SELECT_BLOCK, weir_wire_get_to (wire).block))
        g_array_append_val (ids, id);
    }
  what = (WeirElements) { .wires = (const guint32 *) (gpointer) ids->data, .n_wires = ids->len };
  weir_canvas_apply (self, weir_edit_delete (weir_canvas_get_site (self), what), NULL);
}

/* --- Colours, notes and frames --------------------------------------------------------------- */

void
weir_canvas_on_tint (GtkWidget *widget, const char *name, GVariant *parameter)
{
  WeirCanvas *self = WEIR_CANVAS (widget);

  weir_canvas_apply (self,
                     weir_edit_set_tint (weir_canvas_get_site (self),
                                         weir_canvas_get_elements (self),
                                         weir_tint_find (g_variant_get_string (parameter, NULL))),
                     NULL);
}

void
weir_canvas_on_add_note (GtkWidget *widget, const char *name, GVariant *parameter)
{
  WeirCanvas *self = WEIR_CANVAS (widget);
  WeirPoint at = weir_canvas_get_paste_point (self);

  weir_canvas_show_note (self, 0, (WeirPoint) { weir_snap (at.x), weir_snap (at.y) });
}

/* Around the selection, or where the pointer is; then its title can be typed. */
void
weir_canvas_on_add_frame (GtkWidget *widget, const char *name, GVariant *parameter)
{
  WeirCanvas *self = WEIR_CANVAS (widget);
  WeirElements what = weir_canvas_get_elements (self);
  WeirPoint at = weir_canvas_get_paste_point (self);
  WeirRect area = { at.x - 120, at.y - 80, 240, 160 };

  for (guint i = 0; i < what.n_blocks; i++)
    {
      WeirRect reach = weir_scene_find_block (self->scene, what.blocks[i])->reach;

      area = i > 0 ? weir_rect_union (area, reach) : reach;
    }
  if (what.n_blocks > 0)
    {
      area = weir_rect_grow (area, FRAME_MARGIN);
      area.y -= WEIR_FRAME_TITLE_HEIGHT;
      area.height += WEIR_FRAME_TITLE_HEIGHT;
    }
  area.x = weir_snap (area.x);
  area.y = weir_snap (area.y);
  area.width = weir_snap (area.width + WEIR_GRID);
  area.height = weir_snap (area.height + WEIR_GRID);
  weir_selection_set_none (weir_tool_get_selection (self->tool));
  if (weir_canvas_apply (self, weir_edit_add_frame (weir_canvas_get_site (self), area, _ ("Frame")),
                         NULL))
    {
      g_signal_emit (self, weir_canvas_signals[WEIR_CANVAS_MADE], 0, _ ("Frame added"));
      weir_canvas_on_rename (widget, name, parameter);
    }
}

/* What pops up on the canvas: renaming, labels, notes, quick insertion of a block. */
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "canvas/widget/canvas-asks.h"
#include "canvas/widget/canvas-shown.h"
#include "canvas/edits/choices.h"
#include "canvas/widget/picker.h"
#include "widgets/pieces.h"

static gboolean
unparent_later (gpointer popover)
{
  if (gtk_widget_get_parent (popover) != NULL)
    gtk_widget_unparent (popover);
  return G_SOURCE_REMOVE;
}

static void
on_closed (GtkPopover *popover, gpointer data)
{
  WeirCanvas *self = WEIR_CANVAS (gtk_widget_get_parent (GTK_WIDGET (popover)));

  weir_canvas_focus_block (self, weir_canvas_get_selected_block (self));
  /* After the menu's action has run. */
  g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, unparent_later, g_object_ref (popover), g_object_unref);
}

/* What can be seen of @at; of what is out of view, the edge nearest to it. */
static GdkRectangle
bring_into_view (WeirCanvas *self, GdkRectangle at)
{
  int width = MAX (gtk_widget_get_width (GTK_WIDGET (self)), 1);
  int height = MAX (gtk_widget_get_height (GTK_WIDGET (self)), 1);
  int right = CLAMP (at.x + at.width, 1, width), bottom = CLAMP (at.y + at.height, 1, height);

  at.x = CLAMP (at.x, 0, right - 1);
  at.y = CLAMP (at.y, 0, bottom - 1);
  at.width = right - at.x;
  at.height = bottom - at.y;
  return at;
}

void
weir_canvas_pop_up (WeirCanvas *self, GtkWidget *popover, GdkRectangle at)
{
  at = bring_into_view (self, at);
  weir_canvas_stop_scrolling (self);
  gtk_widget_set_parent (popover, GTK_WIDGET (self));
  gtk_popover_set_pointing_to (GTK_POPOVER (popover), &at);
  g_signal_connect (popover, "closed", G_CALLBACK (on_closed), NULL);
  gtk_popover_popup (GTK_POPOVER (popover));
}

static GdkRectangle
to_pixels (WeirCanvas *self, WeirRect rect)
{
  WeirPoint at = weir_viewport_to_pixel (&self->viewport, (WeirPoint) { rect.x, rect.y });

  return (GdkRectangle) { (int) floor (at.x), (int) floor (at.y),
                          (int) ceil (rect.width * self->viewport.zoom),
                          (int) ceil (rect.height * self->viewport.zoom) };
}

/* --- Renaming -------------------------------------------------------------------------------- */

typedef struct {
  WeirCanvas *canvas;
  guint32 block;
  GtkWidget *entry, *problem;
} Rename;

/* Whether the model takes this name; if not, why. */
static gboolean
check_name (Rename *rename, GError **error)
{
  WeirSite site = weir_canvas_get_site (rename->canvas);
  g_autoptr (WeirEdit) edit = weir_edit_rename (
      site, rename->block, gtk_editable_get_text (GTK_EDITABLE (rename->entry)));
  g_autoptr (WeirModel) model = NULL;

  if (edit == NULL)
    return TRUE;
  model = weir_model_apply (site.model, edit->patch, NULL, error);
  return model != NULL;
}

static void
on_name_changed (GtkEditable *editable, Rename *rename)
{
  g_autoptr (GError) error = NULL;
  gboolean good = check_name (rename, &error);

  gtk_label_set_text (GTK_LABEL (rename->problem), good ? "" : weir_error_say (error));
  gtk_widget_set_visible (rename->problem, !good);
  if (good)
    gtk_widget_remove_css_class (rename->entry, "error");
  else
    gtk_widget_add_css_class (rename->entry, "error");
}

static void
on_name_accepted (GtkEntry *entry, Rename *rename)
{
  if (!check_name (rename, NULL))
    return;
  weir_canvas_apply (rename->canvas,
                     weir_edit_rename (weir_canvas_get_site (rename->canvas), rename->block,
                                       gtk_editable_get_text (GTK_EDITABLE (entry))),
                     NULL);
  gtk_popover_popdown (
      GTK_POPOVER (gtk_widget_get_ancestor (GTK_WIDGET (entry), GTK_TYPE_POPOVER)));
}

void
weir_canvas_show_rename (WeirCanvas *self, guint32 block)
{
  const WeirBlockShape *shape = weir_scene_find_block (self->scene, block);
  GtkWidget *popover = gtk_popover_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  Rename *rename = g_new0 (Rename, 1);

  g_return_if_fail (shape != NULL);
  *rename = (Rename) { self, block, gtk_entry_new (), weir_problem_label_new (28) };
  g_object_set_data_full (G_OBJECT (popover), "rename", rename, g_free);
  gtk_editable_set_text (GTK_EDITABLE (rename->entry), weir_block_get_name (shape->block));
  gtk_editable_set_width_chars (GTK_EDITABLE (rename->entry), 20);
  gtk_accessible_update_property (GTK_ACCESSIBLE (rename->entry), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Name of the block"), -1);
  gtk_box_append (GTK_BOX (box), rename->entry);
  gtk_box_append (GTK_BOX (box), rename->problem);
  gtk_popover_set_child (GTK_POPOVER (popover), box);
  g_signal_connect (rename->entry, "changed", G_CALLBACK (on_name_changed), rename);
  g_signal_connect (rename->entry, "activate", G_CALLBACK (on_name_accepted), rename);
  weir_canvas_pop_up (self, popover, to_pixels (self, shape->box));
  gtk_widget_grab_focus (rename->entry);
}

/* --- Labels of wires ------------------------------------------------------------------------- */

typedef struct {
  WeirCanvas *canvas;
  guint32 id;
  GtkWidget *text;
} TextEdit;

static void
on_label_accepted (GtkEntry *entry, TextEdit *edit)
{
  weir_canvas_apply (edit->canvas,
                     weir_edit_set_label (weir_canvas_get_site (edit->canvas), edit->id,
                                          gtk_editable_get_text (GTK_EDITABLE (entry))),
                     NULL);
  gtk_popover_popdown (
      GTK_POPOVER (gtk_widget_get_ancestor (GTK_WIDGET (entry), GTK_TYPE_POPOVER)));
}

void
weir_canvas_show_label (WeirCanvas *self, guint32 wire)
{
  const WeirWireShape *shape = weir_scene_find_wire (self->scene, wire);
  GtkWidget *popover = gtk_popover_new ();
  TextEdit *edit = g_new0 (TextEdit, 1);
  WeirPoint at;

  g_return_if_fail (shape != NULL);
  *edit = (TextEdit) { self, wire, gtk_entry_new () };
  g_object_set_data_full (G_OBJECT (popover), "edit", edit, g_free);
  gtk_editable_set_text (GTK_EDITABLE (edit->text), weir_wire_get_label (shape->wire));
  gtk_editable_set_width_chars (GTK_EDITABLE (edit->text), 20);
  gtk_entry_set_placeholder_text (GTK_ENTRY (edit->text), _ ("Label of the wire"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (edit->text), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Label of the wire"), -1);
  gtk_popover_set_child (GTK_POPOVER (popover), edit->text);
  g_signal_connect (edit->text, "activate", G_CALLBACK (on_label_accepted), edit);
  at = shape->points[shape->n_points / 2];
  if (shape->n_points == 2)
    at = (WeirPoint) { (shape->points[0].x + at.x) / 2, (shape->points[0].y + at.y) / 2 };
  weir_canvas_pop_up (self, popover, to_pixels (self, (WeirRect) { at.x, at.y, 1, 1 }));
  gtk_widget_grab_focus (edit->text);
}

/* --- Finding --------------------------------------------------------------------------------- */

void
weir_canvas_show_picker (WeirCanvas *self, GtkWidget *picker)
{
  g_return_if_fail (WEIR_IS_CANVAS (self));

  gtk_popover_set_has_arrow (GTK_POPOVER (picker), FALSE);
  gtk_popover_set_position (GTK_POPOVER (picker), GTK_POS_BOTTOM);
  weir_canvas_pop_up (self, picker, (GdkRectangle) { (int) self->viewport.width / 2, 0, 1, 1 });
  weir_picker_grab_focus (picker);
}

static void
find_elements (const char *text, GPtrArray *choices, gpointer data)
{
  WeirCanvas *self = data;

  if (text[0] != '\0')
    {
      g_free (self->find_text);
      self->find_text = g_strdup (text);
      weir_canvas_tell (self, WEIR_CANVAS_NEWS_COMMANDS);
    }
  weir_find_elements (weir_document_get_model (self->document), text, choices);
}

/* Selects it wherever it is. */
static void
show_element (const WeirChoice *choice, gpointer data)
{
  switch ((WeirSelectKind) GPOINTER_TO_UINT (choice->data))
    {
    case WEIR_SELECT_WIRE:
      weir_canvas_select_wire (data, choice->id);
      break;
    case WEIR_SELECT_NOTE:
      weir_canvas_select_note (data, choice->id);
      break;
    case WEIR_SELECT_BLOCK:
    case WEIR_N_SELECT_KINDS:
    default:
      weir_canvas_select_block (data, choice->id);
    }
}

static void
go_to_element (const WeirChoice *choice, gpointer data)
{
  if (choice == NULL)
    return;
  show_element (choice, data);
  if ((WeirSelectKind) GPOINTER_TO_UINT (choice->data) == WEIR_SELECT_BLOCK)
    weir_canvas_focus_block (data, choice->id);
}

void
weir_canvas_show_find (WeirCanvas *self)
{
  GtkWidget *picker;

  g_return_if_fail (WEIR_IS_CANVAS (self));

  picker = weir_picker_new (_ ("Find blocks, labels and notes in all levels"), find_elements,
                            go_to_element, self, NULL);
  weir_picker_set_glance (picker, show_element);
  weir_canvas_show_picker (self, picker);
}

void
weir_canvas_go_to_found (WeirCanvas *self, int step)
{
  g_autoptr (GPtrArray) choices = weir_choices_new ();
  WeirElements what = weir_canvas_get_elements (self);
  int here = step > 0 ? -1 : 0, n;

  if (self->find_text == NULL)
    return;
  weir_find_elements (weir_document_get_model (self->document), self->find_text, choices);
  n = (int) choices->len;
  for (int i = 0; i < n; i++)
    {
      guint32 id = ((const WeirChoice *) choices->pdata[i])->id;

      if ((what.n_blocks == 1 && what.blocks[0] == id) || (what.n_wires == 1 && what.wires[0] == id)
          || (what.n_notes == 1 && what.notes[0] == id))
        here = i;
    }
  if (n > 0)
    go_to_element (choices->pdata[(here + step + n) % n], self);
}

/* Writing a note, or the title of a frame: a text in a popover, under it how its formulas will look
 * and, where one makes no sense, why.
 */
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "canvas/widget/canvas-asks.h"
#include "paint/text/typeset.h"
#include "widgets/look.h"
#include "widgets/pieces.h"

typedef struct {
  WeirCanvas *canvas;
  guint32 id;   /* 0 = a new note */
  WeirPoint at; /* of that */
  GtkWidget *text;
  GtkWidget *preview, *hint; /* NULL: of a title */
} NoteEdit;

static char *
dup_text (NoteEdit *edit)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (edit->text));
  GtkTextIter start, end;

  gtk_text_buffer_get_bounds (buffer, &start, &end);
  return gtk_text_buffer_get_text (buffer, &start, &end, FALSE);
}

#define TOLD_LETTERS 24 /* of a note, at most, when it is told that it was made */

static char *
dup_beginning (const char *text)
{
  g_autofree char *line = g_strndup (text, strcspn (text, "\n"));

  if (g_utf8_strlen (line, -1) > TOLD_LETTERS)
    {
      g_autofree char *cut = g_utf8_substring (line, 0, TOLD_LETTERS);

      return g_strconcat (cut, "…", NULL);
    }
  return g_steal_pointer (&line);
}

/* A key pressed by accident makes a note too: it is brought into view and told, so that it can be
 * undone. */
static void
tell_made (WeirCanvas *self, const char *text)
{
  WeirElements what = weir_canvas_get_elements (self);
  g_autofree char *beginning = dup_beginning (text);
  g_autofree char *told = g_strdup_printf (_ ("Note “%s” added"), beginning);

  if (what.n_notes == 1)
    weir_canvas_select_note (self, what.notes[0]);
  g_signal_emit (self, weir_canvas_signals[WEIR_CANVAS_MADE], 0, told);
}

static void
keep_note (GtkPopover *popover, NoteEdit *edit)
{
  g_autofree char *text = dup_text (edit);
  gboolean kept = weir_canvas_apply (
      edit->canvas,
      weir_edit_set_note (weir_canvas_get_site (edit->canvas), edit->id, edit->at, text), NULL);

  if (kept && edit->id == 0)
    tell_made (edit->canvas, text);
}

/* Ctrl+Return is done; Return is a new line. Escape closes and keeps, as clicking elsewhere does:
 * what was typed can be undone, but not retyped. */
static gboolean
on_note_key (GtkEventControllerKey *controller, guint keyval, guint keycode, GdkModifierType state,
             GtkPopover *popover)
{
  if ((keyval != GDK_KEY_Return && keyval != GDK_KEY_KP_Enter) || !(state & GDK_CONTROL_MASK))
    return GDK_EVENT_PROPAGATE;
  gtk_popover_popdown (popover);
  return GDK_EVENT_STOP;
}

/* --- How it will look ------------------------------------------------------------------------ */

/* As large as the texts of the window are. */
static double
get_text_size (GtkWidget *widget)
{
  return WEIR_NOTE_TEXT_SIZE * 1.1 * weir_look_get_text_scale (widget);
}

static void
draw_preview (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer data)
{
  NoteEdit *edit = data;
  g_autofree char *text = dup_text (edit);
  GdkRGBA color;
  WeirPen pen;

  gtk_style_context_get_color (gtk_widget_get_style_context (GTK_WIDGET (area)), &color);
  gdk_cairo_set_source_rgba (cr, &color);
  weir_pen_init (&pen, cr, edit->canvas->palette, 1);
  weir_typeset_draw (weir_typeset_get (text, get_text_size (GTK_WIDGET (area))), &pen, 6, 0);
  weir_pen_clear (&pen);
}

static void
on_note_changed (GtkTextBuffer *buffer, NoteEdit *edit)
{
  g_autofree char *text = dup_text (edit);
  g_autofree char *wrong = weir_typeset_check (text);
  const WeirTypeset *set = weir_typeset_get (text, get_text_size (edit->preview));

  gtk_widget_set_visible (edit->preview, strchr (text, '$') != NULL && wrong == NULL);
  gtk_drawing_area_set_content_width (GTK_DRAWING_AREA (edit->preview),
                                      (int) ceil (weir_typeset_get_width (set)) + 12);
  gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (edit->preview),
                                       (int) ceil (weir_typeset_get_height (set)));
  gtk_widget_queue_draw (edit->preview);
  gtk_label_set_text (GTK_LABEL (edit->hint),
                      wrong != NULL ? wrong
                                    : _ ("Formulas stand between dollar signs: $\\frac{x}{2}$"));
  if (wrong != NULL)
    gtk_widget_add_css_class (edit->hint, "error");
  else
    gtk_widget_remove_css_class (edit->hint, "error");
}

static GtkWidget *
make_preview (NoteEdit *edit)
{
  GtkWidget *scroller = gtk_scrolled_window_new ();

  edit->preview = gtk_drawing_area_new ();
  gtk_widget_set_name (edit->preview, "note-preview");
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (edit->preview), draw_preview, edit, NULL);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), edit->preview);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scroller), TRUE);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (scroller), 200);
  g_object_bind_property (edit->preview, "visible", scroller, "visible", G_BINDING_SYNC_CREATE);
  return scroller;
}

/* --- The popover ----------------------------------------------------------------------------- */

static GtkWidget *
make_text (NoteEdit *edit, WeirNote *note)
{
  GtkTextBuffer *buffer;

  edit->text = gtk_text_view_new ();
  if (note != NULL)
    {
      GtkTextIter start, end;

      buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (edit->text));
      gtk_text_buffer_set_text (buffer, weir_note_get_text (note), -1);
      gtk_text_buffer_get_bounds (buffer, &start, &end);
      gtk_text_buffer_select_range (buffer, &start, &end);
    }
  gtk_accessible_update_property (GTK_ACCESSIBLE (edit->text), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Text of the note"), -1);
  gtk_text_view_set_accepts_tab (GTK_TEXT_VIEW (edit->text), FALSE);
  gtk_text_view_set_wrap_mode (GTK_TEXT_VIEW (edit->text), GTK_WRAP_WORD_CHAR);
  gtk_text_view_set_top_margin (GTK_TEXT_VIEW (edit->text), 6);
  gtk_text_view_set_left_margin (GTK_TEXT_VIEW (edit->text), 6);
  return edit->text;
}

static GdkRectangle
get_place (WeirCanvas *self, WeirNote *note, WeirPoint at)
{
  WeirRect box = note != NULL ? weir_scene_get_note_box (note) : (WeirRect) { at.x, at.y, 1, 1 };
  WeirPoint corner;

  if (note != NULL && weir_note_is_frame (note))
    box = (WeirRect) { box.x + 8, box.y, 60, WEIR_FRAME_TITLE_HEIGHT };
  corner = weir_viewport_to_pixel (&self->viewport, (WeirPoint) { box.x, box.y });
  return (GdkRectangle) { (int) floor (corner.x), (int) floor (corner.y),
                          (int) ceil (box.width * self->viewport.zoom),
                          (int) ceil (box.height * self->viewport.zoom) };
}

void
weir_canvas_show_note (WeirCanvas *self, guint32 id, WeirPoint at)
{
  WeirNote *note = id != 0 ? weir_diagram_find_note (weir_scene_get_diagram (self->scene), id)
                           : NULL;
  gboolean is_title = note != NULL && weir_note_is_frame (note);
  GtkWidget *popover = gtk_popover_new (), *scroller = gtk_scrolled_window_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkEventController *keys = gtk_event_controller_key_new ();
  NoteEdit *edit = g_new0 (NoteEdit, 1);

  *edit = (NoteEdit) { .canvas = self, .id = id, .at = at };
  g_object_set_data_full (G_OBJECT (popover), "edit", edit, g_free);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), make_text (edit, note));
  gtk_widget_set_size_request (scroller, 280, is_title ? 48 : 120);
  gtk_box_append (GTK_BOX (box), scroller);
  if (!is_title)
    {
      GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (edit->text));

      gtk_box_append (GTK_BOX (box), make_preview (edit));
      edit->hint = gtk_label_new (NULL);
      gtk_widget_set_name (edit->hint, "note-hint");
      weir_label_wrap_at (GTK_LABEL (edit->hint), 36);
      gtk_widget_add_css_class (edit->hint, "caption");
      gtk_box_append (GTK_BOX (box), edit->hint);
      on_note_changed (buffer, edit);
      g_signal_connect (buffer, "changed", G_CALLBACK (on_note_changed), edit);
    }
  gtk_popover_set_child (GTK_POPOVER (popover), box);
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (on_note_key), popover);
  gtk_widget_add_controller (edit->text, keys);
  g_signal_connect (popover, "closed", G_CALLBACK (keep_note), edit);
  weir_canvas_pop_up (self, popover, get_place (self, note, at));
  gtk_widget_grab_focus (edit->text);
}

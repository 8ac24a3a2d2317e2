/* Cut, copy and paste: parts of a diagram as XML, also between windows and programs. */
#include <glib/gi18n-lib.h>
#include <string.h>

#include "canvas/widget/canvas-actions.h"
#include "model/files/xml.h"
#include "model/tree/file-names.h"

#define FRAGMENT_TYPE "application/x-weir+xml"

/* Where the model's names of files are looked for from. */
static const char *
get_folder (WeirCanvas *self)
{
  return weir_model_get_folder (weir_document_get_model (self->document));
}

/* @elsewhere, whose names of files are absolute, into the diagram. (transfer full) */
static WeirEdit *
paste (WeirCanvas *self, WeirDiagram *elsewhere, WeirPoint offset)
{
  g_autoptr (WeirDiagram) here = weir_diagram_shorten_file_names (elsewhere, get_folder (self));

  return weir_edit_paste (weir_canvas_get_site (self), here, offset);
}

void
weir_canvas_on_copy (GtkWidget *widget, const char *name, GVariant *parameter)
{
  WeirCanvas *self = WEIR_CANVAS (widget);
  WeirElements what = weir_canvas_get_elements (self);
  g_autoptr (GBytes) bytes = NULL;
  g_autofree char *text = NULL;
  GdkContentProvider *providers[2];
  g_autoptr (GdkContentProvider) both = NULL;
  g_autoptr (WeirDiagram) diagram = NULL;

  if (what.n_blocks + what.n_notes == 0)
    return;
  /* It may be pasted into a model that lies elsewhere. */
  diagram = weir_diagram_lengthen_file_names (weir_scene_get_diagram (self->scene),
                                              get_folder (self));
  bytes = weir_fragment_write (diagram, what.blocks, what.n_blocks, what.notes, what.n_notes);
  text = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  /* Also as text, so that it can be pasted into a message or an editor. */
  providers[0] = gdk_content_provider_new_for_bytes (FRAGMENT_TYPE, bytes);
  providers[1] = gdk_content_provider_new_typed (G_TYPE_STRING, text);
  both = gdk_content_provider_new_union (providers, 2);
  gdk_clipboard_set_content (gtk_widget_get_clipboard (widget), both);
  self->paste_count = 0;
}

void
weir_canvas_on_cut (GtkWidget *widget, const char *name, GVariant *parameter)
{
  weir_canvas_on_copy (widget, name, parameter);
  weir_canvas_on_delete (widget, name, parameter);
}

static gboolean
extend_by_note (WeirNote *note, gpointer data)
{
  WeirRect *reach = data;
  WeirRect box = weir_scene_get_note_box (note);

  *reach = reach->width > 0 ? weir_rect_union (*reach, box) : box;
  return TRUE;
}

static gboolean
extend_reach (WeirBlock *block, gpointer data)
{
  WeirRect *reach = data;
  WeirPoint at = weir_block_get_position (block), size = weir_block_get_turned_size (block);
  WeirRect box = { at.x, at.y, size.x, size.y };

  *reach = reach->width > 0 ? weir_rect_union (*reach, box) : box;
  return TRUE;
}

/* As the model names the file: from its own folder where it lies there. (transfer full) (nullable)
 */
static char *
dup_name_for_model (WeirCanvas *self, GFile *file)
{
  g_autofree char *path = g_file_get_path (file);

  return path != NULL ? weir_file_name_shorten (path, get_folder (self)) : NULL;
}

/* Its binary is not run by that. */
static gboolean
import_fmu (WeirCanvas *self, GFile *file, WeirPoint point)
{
  g_autofree char *name = dup_name_for_model (self, file);

  if (name == NULL)
    {
      weir_canvas_say (self, _ ("An FMU must lie in a folder of this machine."));
      return FALSE;
    }
  return weir_canvas_apply (
      self,
      weir_edit_add_fmu (weir_canvas_get_site (self), name,
                         (WeirPoint) { weir_snap (point.x), weir_snap (point.y) }),
      NULL);
}

/* A whole model, as part of this one: its diagram with its middle at @point. */
static gboolean
import_model (WeirCanvas *self, GFile *file, WeirPoint point)
{
  g_autofree char *name = g_file_get_basename (file);
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (WeirModel) model = weir_model_read_file (file, diagnostics);
  g_autoptr (WeirDiagram) diagram = NULL;
  WeirRect reach = { 0, 0, 0, 0 };
  WeirPoint center;
  WeirEdit *edit;

  if (model == NULL)
    {
      g_autofree char *why = weir_message_translate (
          weir_diagnostics_get (diagnostics, 0)->message);
      g_autofree char *text = g_strdup_printf (_ ("%s cannot be inserted: %s"), name, why);

      weir_canvas_say (self, text);
      return FALSE;
    }
  diagram = weir_diagram_lengthen_file_names (weir_model_get_root (model),
                                              weir_model_get_folder (model));
  weir_diagram_foreach_block (diagram, extend_reach, &reach);
  weir_diagram_foreach_note (diagram, extend_by_note, &reach);
  center = weir_rect_get_center (reach);
  edit = paste (self, diagram,
                (WeirPoint) { weir_snap (point.x - center.x), weir_snap (point.y - center.y) });
  if (edit != NULL)
    {
      g_free (edit->label);
      edit->label = g_strdup_printf (_ ("Insert %s"), name);
    }
  return weir_canvas_apply (self, edit, NULL);
}

gboolean
weir_canvas_is_fmu (GFile *file)
{
  g_autofree char *name = g_file_get_basename (file);
  g_autofree char *lower = name != NULL ? g_ascii_strdown (name, -1) : NULL;

  return lower != NULL && g_str_has_suffix (lower, ".fmu");
}

gboolean
weir_canvas_import_file (WeirCanvas *self, GFile *file, WeirPoint point)
{
  return weir_canvas_is_fmu (file) ? import_fmu (self, file, point)
                                   : import_model (self, file, point);
}

gboolean
weir_canvas_add_fmu (WeirCanvas *self, GFile *file)
{
  g_autoptr (WeirBlock) sample = weir_block_new (1, "FMU", "FMU", (WeirPoint) { 0, 0 });
  WeirPoint size = weir_block_get_turned_size (sample);
  WeirPoint middle = weir_rect_get_center (weir_viewport_get_visible (&self->viewport));

  return import_fmu (self, file, weir_edit_find_room (self->scene, size, middle));
}

/* Pastes at the pointer if it is over the canvas, again and again a step on; else near the middle,
 * where there is room. */
static void
paste_text (WeirCanvas *self, const char *text)
{
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));
  g_autoptr (GError) error = NULL;
  g_autoptr (WeirDiagram) fragment = weir_fragment_read (bytes, &error);
  WeirRect reach = { 0, 0, 0, 0 };
  WeirPoint at, center;
  double step;

  if (fragment == NULL)
    {
      weir_canvas_say (self, _ ("What is on the clipboard is not part of a diagram."));
      return;
    }
  weir_diagram_foreach_block (fragment, extend_reach, &reach);
  weir_diagram_foreach_note (fragment, extend_by_note, &reach);
  center = weir_rect_get_center (reach);
  at = weir_canvas_get_paste_point (self);
  if (!self->pointer_inside)
    {
      WeirPoint corner = weir_edit_find_room (
          self->scene, (WeirPoint) { reach.width, reach.height },
          (WeirPoint) { at.x - reach.width / 2, at.y - reach.height / 2 });

      at = (WeirPoint) { corner.x + reach.width / 2, corner.y + reach.height / 2 };
      self->paste_count = 0;
    }
  step = 2 * WEIR_GRID * self->paste_count++;
  weir_canvas_apply (self,
                     paste (self, fragment,
                            (WeirPoint) { weir_snap (at.x - center.x) + step,
                                          weir_snap (at.y - center.y) + step }),
                     NULL);
}

static void
on_text_read (GObject *clipboard, GAsyncResult *result, gpointer data)
{
  g_autoptr (WeirCanvas) self = data;
  g_autofree char *text = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (clipboard), result, NULL);

  if (text != NULL)
    paste_text (self, text);
  else
    weir_canvas_say (self, _ ("There is nothing on the clipboard to paste."));
}

void
weir_canvas_on_paste (GtkWidget *widget, const char *name, GVariant *parameter)
{
  gdk_clipboard_read_text_async (gtk_widget_get_clipboard (widget), NULL, on_text_read,
                                 g_object_ref (widget));
}

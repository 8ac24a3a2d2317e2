/* The diagram as a picture: files, the clipboard, paper. All are drawn light, as pages are. */
#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/error.h"
#include "gui/host/chooser.h"
#include "gui/shell/editor-private.h"
#include "gui/host/export.h"
#include "paint/drawing/picture.h"

/* What the canvas shows. */
static WeirDiagram *
get_diagram (WeirEditor *self)
{
  return weir_model_get_diagram (weir_document_get_model (self->document),
                                 weir_canvas_get_place (self->canvas));
}

static GHashTable *
get_late_wires (WeirEditor *self)
{
  return weir_canvas_get_late_wires (self->canvas);
}

gboolean
weir_editor_export (WeirEditor *self, GFile *file)
{
  g_autofree char *path = g_file_get_path (file);
  g_autoptr (GError) error = NULL;
  g_autofree char *name = g_file_get_basename (file);
  gboolean is_written;

  if (path != NULL && strchr (name, '.') == NULL)
    {
      char *longer = g_strconcat (path, ".svg", NULL);

      g_free (path);
      path = longer;
    }
  is_written = path != NULL
               && weir_diagram_write_file (get_diagram (self), get_late_wires (self), path,
                                           weir_palette_get (WEIR_PALETTE_LIGHT), &error);
  return weir_export_tell (WEIR_HOST (self), name, is_written, error);
}

static void
export_to (gpointer data, GFile *file)
{
  weir_editor_export (data, file);
}

void
weir_editor_choose_export (WeirEditor *self)
{
  g_autofree char *name = weir_host_dup_stem (WEIR_HOST (self));
  g_autofree char *proposal = g_strconcat (name, ".svg", NULL);

  weir_ask_for_file (WEIR_HOST (self),
                     &(WeirFileQuestion) { .action = GTK_FILE_CHOOSER_ACTION_SAVE,
                                           .title = _ ("Export Picture"),
                                           .accept = _ ("_Export"),
                                           .kind = _ ("Pictures: SVG, PDF, PNG"),
                                           .suffixes = { "svg", "pdf", "png" },
                                           .name = proposal },
                     export_to, self, NULL);
}

static GBytes *
diagram_to_bytes (gpointer data, WeirPictureFormat format, GError **error)
{
  return weir_diagram_to_bytes (get_diagram (data), get_late_wires (data), format,
                                weir_palette_get (WEIR_PALETTE_LIGHT), error);
}

void
weir_editor_copy_picture (WeirEditor *self)
{
  weir_export_copy (WEIR_HOST (self), diagram_to_bytes, self);
}

/* --- Paper ----------------------------------------------------------------------------------- */

static void
draw_page (G_GNUC_UNUSED GtkPrintOperation *operation, GtkPrintContext *context,
           G_GNUC_UNUSED int page, WeirEditor *self)
{
  weir_diagram_draw_fitted (
      get_diagram (self), get_late_wires (self), gtk_print_context_get_cairo_context (context),
      gtk_print_context_get_width (context), gtk_print_context_get_height (context),
      weir_palette_get (WEIR_PALETTE_LIGHT));
}

GtkPrintOperation *
weir_editor_print_new (WeirEditor *self)
{
  GtkPrintOperation *operation = gtk_print_operation_new ();
  g_autoptr (GtkPageSetup) page = gtk_page_setup_new ();
  g_autofree char *name = weir_host_dup_stem (WEIR_HOST (self));

  gtk_page_setup_set_orientation (page, GTK_PAGE_ORIENTATION_LANDSCAPE);
  gtk_print_operation_set_default_page_setup (operation, page);
  gtk_print_operation_set_job_name (operation, name);
  gtk_print_operation_set_n_pages (operation, 1);
  gtk_print_operation_set_unit (operation, GTK_UNIT_POINTS);
  gtk_print_operation_set_embed_page_setup (operation, TRUE);
  g_signal_connect_object (operation, "draw-page", G_CALLBACK (draw_page), self, 0);
  return operation;
}

void
weir_editor_print (WeirEditor *self)
{
  g_autoptr (GtkPrintOperation) operation = weir_editor_print_new (self);
  g_autoptr (GError) error = NULL;

  if (gtk_print_operation_run (operation, GTK_PRINT_OPERATION_ACTION_PRINT_DIALOG,
                               weir_host_get_toplevel (WEIR_HOST (self)), &error)
      == GTK_PRINT_OPERATION_RESULT_ERROR)
    weir_host_set_banner (WEIR_HOST (self), GTK_MESSAGE_ERROR, weir_error_say (error));
}

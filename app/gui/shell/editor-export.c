/* The diagram as a picture: files, the clipboard, paper. All are drawn light, as pages are. */
#include <glib/gi18n-lib.h>
#include <string.h>

#include "gui/host/chooser.h"
#include "gui/shell/editor-private.h"
#include "paint/drawing/picture.h"

/* What the canvas shows. */
static WeirDiagram *
get_diagram (WeirEditor *self)
{
  return weir_model_get_diagram (weir_document_get_model (self->document),
                                 weir_canvas_get_place (self->canvas));
}

char *
weir_editor_dup_stem (WeirEditor *self)
{
  char *title, *end;

  g_object_get (self->document, "title", &title, NULL);
  end = strrchr (title, '.');
  if (end != NULL && end != title)
    *end = '\0';
  return title;
}

gboolean
weir_editor_tell_exported (WeirEditor *self, const char *name, gboolean is_written,
                           const GError *error)
{
  g_autofree char *text = NULL;

  if (!is_written)
    {
      weir_editor_set_banner (self, GTK_MESSAGE_ERROR,
                              error != NULL ? error->message
                                            : _ ("Pictures are written to local files only."));
      return FALSE;
    }
  text = g_strdup_printf (_ ("Exported “%s”"), name);
  weir_editor_toast (self, text);
  return TRUE;
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
               && weir_diagram_write_file (get_diagram (self), path,
                                           weir_palette_get (WEIR_PALETTE_LIGHT), &error);
  return weir_editor_tell_exported (self, name, is_written, error);
}

static void
export_to (WeirEditor *self, GFile *file)
{
  weir_editor_export (self, file);
}

void
weir_editor_choose_export (WeirEditor *self)
{
  g_autofree char *name = weir_editor_dup_stem (self);
  g_autofree char *proposal = g_strconcat (name, ".svg", NULL);

  weir_editor_ask_for_file (self,
                            &(WeirFileQuestion) { .action = GTK_FILE_CHOOSER_ACTION_SAVE,
                                                  .title = _ ("Export Picture"),
                                                  .accept = _ ("_Export"),
                                                  .kind = _ ("Pictures: SVG, PDF, PNG"),
                                                  .suffixes = { "svg", "pdf", "png" },
                                                  .name = proposal },
                            export_to);
}

/* Puts what @to_bytes gives on the clipboard in the forms that other programs take. */
static void
copy_forms (WeirEditor *self,
            GBytes *(*to_bytes) (WeirEditor *, WeirPictureFormat, gpointer, GError **),
            gpointer data)
{
  static const struct {
    WeirPictureFormat format;
    const char *mime_type;
  } forms[] = { { WEIR_PICTURE_SVG, "image/svg+xml" }, { WEIR_PICTURE_PNG, "image/png" } };
  GdkContentProvider *providers[G_N_ELEMENTS (forms)];
  g_autoptr (GdkContentProvider) all = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (forms); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GBytes) bytes = to_bytes (self, forms[i].format, data, &error);

      if (bytes == NULL)
        {
          weir_editor_set_banner (self, GTK_MESSAGE_ERROR, error->message);
          while (i-- > 0)
            g_object_unref (providers[i]);
          return;
        }
      providers[i] = gdk_content_provider_new_for_bytes (forms[i].mime_type, bytes);
    }
  all = gdk_content_provider_new_union (providers, G_N_ELEMENTS (forms));
  gdk_clipboard_set_content (gtk_widget_get_clipboard (GTK_WIDGET (self)), all);
  weir_editor_toast (self, _ ("Picture copied"));
}

static GBytes *
diagram_to_bytes (WeirEditor *self, WeirPictureFormat format, G_GNUC_UNUSED gpointer data,
                  GError **error)
{
  return weir_diagram_to_bytes (get_diagram (self), format, weir_palette_get (WEIR_PALETTE_LIGHT),
                                error);
}

void
weir_editor_copy_picture (WeirEditor *self)
{
  copy_forms (self, diagram_to_bytes, NULL);
}

typedef struct {
  double width, height;
  WeirPictureFunc draw;
  gpointer data;
} Drawing;

static GBytes *
drawing_to_bytes (G_GNUC_UNUSED WeirEditor *self, WeirPictureFormat format, gpointer data,
                  GError **error)
{
  const Drawing *drawing = data;

  return weir_picture_to_bytes (format, drawing->width, drawing->height, drawing->draw,
                                drawing->data, error);
}

void
weir_editor_copy_drawing (WeirEditor *self, double width, double height, WeirPictureFunc draw,
                          gpointer data)
{
  copy_forms (self, drawing_to_bytes, &(Drawing) { width, height, draw, data });
}

/* --- Paper ----------------------------------------------------------------------------------- */

static void
draw_page (G_GNUC_UNUSED GtkPrintOperation *operation, GtkPrintContext *context,
           G_GNUC_UNUSED int page, WeirEditor *self)
{
  weir_diagram_draw_fitted (get_diagram (self), gtk_print_context_get_cairo_context (context),
                            gtk_print_context_get_width (context),
                            gtk_print_context_get_height (context),
                            weir_palette_get (WEIR_PALETTE_LIGHT));
}

GtkPrintOperation *
weir_editor_print_new (WeirEditor *self)
{
  GtkPrintOperation *operation = gtk_print_operation_new ();
  g_autoptr (GtkPageSetup) page = gtk_page_setup_new ();
  g_autofree char *name = weir_editor_dup_stem (self);

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
                               weir_editor_get_toplevel (self), &error)
      == GTK_PRINT_OPERATION_RESULT_ERROR)
    weir_editor_set_banner (self, GTK_MESSAGE_ERROR, error->message);
}

/* What leaves the editor. See export.h. */
#include "gui/host/export.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "gui/host/chooser.h"

gboolean
weir_export_tell (WeirHost *host, const char *name, gboolean is_written, const GError *error)
{
  g_autofree char *text = NULL;

  if (!is_written)
    {
      weir_host_set_banner (host, GTK_MESSAGE_ERROR,
                            error != NULL ? weir_error_say (error)
                                          : _ ("Pictures are written to local files only."));
      return FALSE;
    }
  text = g_strdup_printf (_ ("Exported “%s”"), name);
  weir_host_toast (host, text);
  return TRUE;
}

/* --- Tables ---------------------------------------------------------------------------------- */

gboolean
weir_export_bytes (WeirHost *host, GFile *file, GBytes *bytes)
{
  g_autofree char *name = g_file_get_basename (file);
  g_autoptr (GError) error = NULL;
  gboolean is_written;

  if (bytes == NULL)
    {
      weir_host_toast_until_run (host, _ ("There is no table yet: run the model first."));
      return FALSE;
    }
  is_written = weir_file_write_to (file, bytes, &error);
  return weir_export_tell (host, name, is_written, error);
}

gboolean
weir_export_table (WeirHost *host, GFile *file, const char *text)
{
  g_autoptr (GBytes) bytes = text != NULL ? g_bytes_new (text, strlen (text)) : NULL;

  return weir_export_bytes (host, file, bytes);
}

typedef struct {
  WeirHost *host;
  char *(*dup_text) (gpointer data);
  gpointer data;
} Table;

static void
export_to (gpointer data, GFile *file)
{
  const Table *table = data;
  g_autofree char *text = table->dup_text (table->data);

  weir_export_table (table->host, file, text);
}

void
weir_export_choose_table (WeirHost *host, const char *title, const char *name,
                          char *(*dup_text) (gpointer data), gpointer data)
{
  Table *table = g_new (Table, 1);

  *table = (Table) { host, dup_text, data };
  weir_ask_for_file (host,
                     &(WeirFileQuestion) { .action = GTK_FILE_CHOOSER_ACTION_SAVE,
                                           .title = title,
                                           .accept = _ ("_Export"),
                                           .kind = _ ("Tables: CSV"),
                                           .suffixes = { "csv" },
                                           .name = name },
                     export_to, table, g_free);
}

/* --- Pictures -------------------------------------------------------------------------------- */

void
weir_export_copy (WeirHost *host,
                  GBytes *(*to_bytes) (gpointer data, WeirPictureFormat format, GError **error),
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
      g_autoptr (GBytes) bytes = to_bytes (data, forms[i].format, &error);

      if (bytes == NULL)
        {
          weir_host_set_banner (host, GTK_MESSAGE_ERROR, weir_error_say (error));
          while (i-- > 0)
            g_object_unref (providers[i]);
          return;
        }
      providers[i] = gdk_content_provider_new_for_bytes (forms[i].mime_type, bytes);
    }
  all = gdk_content_provider_new_union (providers, G_N_ELEMENTS (forms));
  gdk_clipboard_set_content (gtk_widget_get_clipboard (GTK_WIDGET (host)), all);
  weir_host_toast (host, _ ("Picture copied"));
}

typedef struct {
  double width, height;
  WeirPictureFunc draw;
  gpointer data;
} Drawing;

static GBytes *
drawing_to_bytes (gpointer data, WeirPictureFormat format, GError **error)
{
  const Drawing *drawing = data;

  return weir_picture_to_bytes (format, drawing->width, drawing->height, drawing->draw,
                                drawing->data, error);
}

void
weir_export_copy_drawing (WeirHost *host, double width, double height, WeirPictureFunc draw,
                          gpointer data)
{
  Drawing drawing = { width, height, draw, data };

  weir_export_copy (host, drawing_to_bytes, &drawing);
}

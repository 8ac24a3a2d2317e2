/* Pictures. See picture.h. */
#include "paint/drawing/picture.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "paint/drawing/diagram.h"

#define PNG_SCALE 2.0 /* pixels a point */
#define MARGIN 20.0   /* around a diagram, in its units; one is a point */
#define EMPTY_SIZE 100.0

gboolean
weir_picture_find_format (const char *path, WeirPictureFormat *format, GError **error)
{
  static const char *const suffixes[] = { ".png", ".svg", ".pdf" };
  g_autofree char *folded = g_ascii_strdown (path, -1);

  for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++)
    if (g_str_has_suffix (folded, suffixes[i]))
      {
        *format = (WeirPictureFormat) i;
        return TRUE;
      }
  weir_error_set (error, WEIR_ERROR_INVALID, "%s: a picture is written as .png, .svg or .pdf.",
                  path);
  return FALSE;
}

static cairo_status_t
append (gpointer bytes, const unsigned char *data, unsigned int size)
{
  g_byte_array_append (bytes, data, size);
  return CAIRO_STATUS_SUCCESS;
}

/* Cairo names the drawing by a number that counts surfaces since the program began. */
static void
drop_number (GByteArray *bytes)
{
  static const char name[] = "id=\"surface";
  const char *start = g_strstr_len ((const char *) bytes->data, bytes->len, name);
  guint first, n = 0;

  if (start == NULL)
    return;
  first = (guint) (start - (const char *) bytes->data) + (guint) strlen (name);
  while (first + n < bytes->len && g_ascii_isdigit (bytes->data[first + n]))
    n++;
  if (n > 0)
    g_byte_array_remove_range (bytes, first, n);
}

GBytes *
weir_picture_to_bytes (WeirPictureFormat format, double width, double height, WeirPictureFunc draw,
                       gpointer data, GError **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  cairo_surface_t *surface;
  cairo_status_t status;
  cairo_t *cr;

  if (format == WEIR_PICTURE_PNG)
    surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, (int) (width * PNG_SCALE),
                                          (int) (height * PNG_SCALE));
  else if (format == WEIR_PICTURE_SVG)
    surface = cairo_svg_surface_create_for_stream (append, bytes, width, height);
  else
    surface = cairo_pdf_surface_create_for_stream (append, bytes, width, height);
  /* The time of writing would make the same picture differ from itself. */
  if (format == WEIR_PICTURE_PDF)
    cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_CREATE_DATE,
                                    "2000-01-01T00:00:00Z");
  cr = cairo_create (surface);
  if (format == WEIR_PICTURE_PNG)
    cairo_scale (cr, PNG_SCALE, PNG_SCALE);
  draw (cr, width, height, data);
  status = cairo_status (cr);
  cairo_destroy (cr);
  if (status == CAIRO_STATUS_SUCCESS && format == WEIR_PICTURE_PNG)
    status = cairo_surface_write_to_png_stream (surface, append, bytes);
  cairo_surface_finish (surface);
  if (status == CAIRO_STATUS_SUCCESS)
    status = cairo_surface_status (surface);
  cairo_surface_destroy (surface);
  if (status != CAIRO_STATUS_SUCCESS)
    {
      weir_error_set (error, WEIR_ERROR_FILE, "The picture cannot be drawn: %s.",
                      cairo_status_to_string (status));
      return NULL;
    }
  if (format == WEIR_PICTURE_SVG)
    drop_number (bytes);
  return g_byte_array_free_to_bytes (g_steal_pointer (&bytes));
}

gboolean
weir_picture_write (const char *path, double width, double height, WeirPictureFunc draw,
                    gpointer data, GError **error)
{
  WeirPictureFormat format;
  g_autoptr (GBytes) bytes = NULL;

  if (!weir_picture_find_format (path, &format, error))
    return FALSE;
  bytes = weir_picture_to_bytes (format, width, height, draw, data, error);
  return bytes != NULL && weir_file_write (path, bytes, 0666, error);
}

/* --- Diagrams -------------------------------------------------------------------------------- */

typedef struct {
  WeirScene *scene;
  WeirRect area; /* of the scene, with its margin */
  const WeirPalette *palette;
  GHashTable *late; /* ids of wires, or NULL */
} Page;

static Page
page_new (WeirDiagram *diagram, GHashTable *late, const WeirPalette *palette)
{
  Page page = { .scene = weir_scene_new (diagram, NULL), .palette = palette, .late = late };

  page.area = weir_scene_get_reach (page.scene);
  if (page.area.width <= 0 || page.area.height <= 0)
    page.area = (WeirRect) { page.area.x, page.area.y, EMPTY_SIZE, EMPTY_SIZE };
  page.area = weir_rect_grow (page.area, MARGIN);
  return page;
}

static void
draw_page (cairo_t *cr, double width, double height, gpointer data)
{
  const Page *page = data;
  double scale = MIN (1, MIN (width / page->area.width, height / page->area.height));
  WeirDiagramStyle style;

  weir_diagram_style_init (&style, page->palette);
  style.show_ports = FALSE;
  style.show_background = FALSE;
  style.late = page->late;
  cairo_save (cr);
  weir_set_source (cr, page->palette->background);
  cairo_rectangle (cr, 0, 0, width, height);
  cairo_fill (cr);
  cairo_translate (cr, width / 2, height / 2);
  cairo_scale (cr, scale, scale);
  cairo_translate (cr, -page->area.x - page->area.width / 2, -page->area.y - page->area.height / 2);
  weir_diagram_draw (page->scene, cr, &style);
  cairo_restore (cr);
}

GBytes *
weir_diagram_to_bytes (WeirDiagram *diagram, GHashTable *late, WeirPictureFormat format,
                       const WeirPalette *palette, GError **error)
{
  Page page = page_new (diagram, late, palette);
  GBytes *bytes = weir_picture_to_bytes (format, page.area.width, page.area.height, draw_page,
                                         &page, error);

  weir_scene_unref (page.scene);
  return bytes;
}

gboolean
weir_diagram_write_file (WeirDiagram *diagram, GHashTable *late, const char *path,
                         const WeirPalette *palette, GError **error)
{
  WeirPictureFormat format;
  g_autoptr (GBytes) bytes = NULL;

  if (!weir_picture_find_format (path, &format, error))
    return FALSE;
  bytes = weir_diagram_to_bytes (diagram, late, format, palette, error);
  return bytes != NULL && weir_file_write (path, bytes, 0666, error);
}

void
weir_diagram_draw_fitted (WeirDiagram *diagram, GHashTable *late, cairo_t *cr, double width,
                          double height, const WeirPalette *palette)
{
  Page page = page_new (diagram, late, palette);

  draw_page (cr, width, height, &page);
  weir_scene_unref (page.scene);
}

/* Plots as files: PNG, SVG and PDF by suffix. */
#include <cairo-pdf.h>
#include <cairo-svg.h>

#include "paint/plot.h"

#define WIDTH 960.0
#define HEIGHT 540.0
#define PNG_SCALE 2.0 /* pixels a point, so that text is sharp */

gboolean
weir_plot_write_file (WeirPlot *self, const char *path, double width, double height,
                      const WeirPalette *palette, GError **error)
{
  g_autofree char *folded = g_ascii_strdown (path, -1);
  gboolean is_png = g_str_has_suffix (folded, ".png");
  cairo_surface_t *surface;
  cairo_status_t status;
  cairo_t *cr;

  if (is_png)
    surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, (int) (width * PNG_SCALE),
                                          (int) (height * PNG_SCALE));
  else if (g_str_has_suffix (folded, ".svg"))
    surface = cairo_svg_surface_create (path, width, height);
  else if (g_str_has_suffix (folded, ".pdf"))
    surface = cairo_pdf_surface_create (path, width, height);
  else
    {
      g_set_error (error, WEIR_ERROR, WEIR_ERROR_INVALID,
                   "%s: a plot is written as .png, .svg or .pdf.", path);
      return FALSE;
    }
  cr = cairo_create (surface);
  if (is_png)
    cairo_scale (cr, PNG_SCALE, PNG_SCALE);
  weir_plot_update (self);
  weir_plot_draw (self, cr, width, height, palette);
  status = cairo_status (cr);
  cairo_destroy (cr);
  if (status == CAIRO_STATUS_SUCCESS && is_png)
    status = cairo_surface_write_to_png (surface, path);
  cairo_surface_finish (surface);
  if (status == CAIRO_STATUS_SUCCESS)
    status = cairo_surface_status (surface);
  cairo_surface_destroy (surface);
  if (status != CAIRO_STATUS_SUCCESS)
    {
      g_set_error (error, WEIR_ERROR, WEIR_ERROR_FILE, "%s: the plot cannot be written: %s.", path,
                   cairo_status_to_string (status));
      return FALSE;
    }
  return TRUE;
}

gboolean
weir_plot_write (WeirRecorder *recorder, const char *path, GError **error)
{
  g_autoptr (WeirPlot) plot = weir_plot_new ();

  for (guint i = 0; i < weir_recorder_get_n_signals (recorder); i++)
    weir_plot_add_signal (plot, recorder, i, WEIR_CURVE_LINE);
  return weir_plot_write_file (plot, path, WIDTH, HEIGHT,
                               weir_palette_get (WEIR_PALETTE_LIGHT), error);
}

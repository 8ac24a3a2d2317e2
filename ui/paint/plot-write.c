/* Plots as files: PNG, SVG and PDF by suffix. */
#include "paint/picture.h"
#include "paint/plot.h"

#define WIDTH 960.0
#define HEIGHT 540.0

typedef struct {
  WeirPlot *plot;
  const WeirPalette *palette;
} Page;

static void
draw (cairo_t *cr, double width, double height, gpointer data)
{
  Page *page = data;

  weir_plot_draw (page->plot, cr, width, height, page->palette);
}

gboolean
weir_plot_write_file (WeirPlot *self, const char *path, double width, double height,
                      const WeirPalette *palette, GError **error)
{
  Page page = { self, palette };

  weir_plot_update (self);
  return weir_picture_write (path, width, height, draw, &page, error);
}

gboolean
weir_plot_write (WeirRecorder *recorder, const char *path, GError **error)
{
  g_autoptr (WeirPlot) plot = weir_plot_new ();

  for (guint i = 0; i < weir_recorder_get_n_signals (recorder); i++)
    weir_plot_add_signal (plot, recorder, i, WEIR_CURVE_LINE);
  return weir_plot_write_file (plot, path, WIDTH, HEIGHT, weir_palette_get (WEIR_PALETTE_LIGHT),
                               error);
}

/* WeirRateLine. See rate-line.h. */
#include "cache/rate-line.h"

#include <math.h>

#include "paint/ground/palette.h"
#include "widgets/look.h"

#define N_SAMPLES 200
#define INTERVAL_US (G_USEC_PER_SEC / 4)

struct _WeirRateLine {
  GtkWidget parent;
  double samples[N_SAMPLES]; /* a ring */
  guint n, next;
  guint64 part, whole; /* as of the last sample */
  gint64 last;         /* us; 0 = nothing yet */
};

G_DEFINE_FINAL_TYPE (WeirRateLine, weir_rate_line, GTK_TYPE_WIDGET)

void
weir_rate_line_clear (WeirRateLine *self)
{
  g_return_if_fail (WEIR_IS_RATE_LINE (self));
  self->n = self->next = 0;
  self->part = self->whole = 0;
  self->last = 0;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
weir_rate_line_add (WeirRateLine *self, guint64 part, guint64 whole, gint64 now)
{
  g_return_if_fail (WEIR_IS_RATE_LINE (self));

  if (whole <= self->whole || (self->last != 0 && now - self->last < INTERVAL_US))
    return;
  self->samples[self->next] = (double) (part - self->part) / (double) (whole - self->whole);
  self->next = (self->next + 1) % N_SAMPLES;
  self->n = MIN (self->n + 1, N_SAMPLES);
  self->part = part;
  self->whole = whole;
  self->last = now;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
measure (G_GNUC_UNUSED GtkWidget *widget, GtkOrientation orientation, G_GNUC_UNUSED int for_size,
         int *minimum, int *natural, int *minimum_baseline, int *natural_baseline)
{
  *minimum = *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 120 : 22;
  *minimum_baseline = *natural_baseline = -1;
}

static void
snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  WeirRateLine *self = WEIR_RATE_LINE (widget);
  const WeirPalette *palette = weir_look_get_palette ();
  int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
  cairo_t *cr = gtk_snapshot_append_cairo (
      snapshot, &GRAPHENE_RECT_INIT (0, 0, (float) width, (float) height));
  double low = height - 2.5, span = height - 5;

  weir_set_source_alpha (cr, palette->dim_text, 0.4);
  cairo_set_line_width (cr, 1);
  cairo_move_to (cr, 0, low + 0.5);
  cairo_line_to (cr, width, low + 0.5);
  cairo_stroke (cr);
  for (guint i = 0; i < self->n; i++)
    {
      double value = self->samples[(self->next + N_SAMPLES - self->n + i) % N_SAMPLES];
      double x = width - (self->n - 1 - i) * (double) width / (N_SAMPLES - 1);

      (i == 0 ? cairo_move_to : cairo_line_to) (cr, x, low - span * value);
    }
  weir_set_source (cr, palette->states[1]);
  cairo_set_line_width (cr, 1.5);
  if (self->n == 1)
    cairo_rel_line_to (cr, -2, 0);
  cairo_stroke (cr);
  cairo_destroy (cr);
}

static void
weir_rate_line_class_init (WeirRateLineClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  widget_class->measure = measure;
  widget_class->snapshot = snapshot;
  gtk_widget_class_set_css_name (widget_class, "weir-rate");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
weir_rate_line_init (G_GNUC_UNUSED WeirRateLine *self)
{
}

GtkWidget *
weir_rate_line_new (void)
{
  return g_object_new (WEIR_TYPE_RATE_LINE, NULL);
}

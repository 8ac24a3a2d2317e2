/* WeirScheduleSteps. See schedule-steps.h. */
#include "gui/pages/schedule-steps.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "cache/cache-figures.h"
#include "widgets/look.h"

#define WIDTH 270 /* that it asks for, in pixels */

struct _WeirScheduleSteps {
  GtkWidget parent;
  GArray *bars;
};

G_DEFINE_FINAL_TYPE (WeirScheduleSteps, weir_schedule_steps, GTK_TYPE_WIDGET)

static void
bar_clear (gpointer data)
{
  g_free (((WeirStepBar *) data)->name);
}

GArray *
weir_schedule_steps_bars_new (void)
{
  GArray *bars = g_array_new (FALSE, FALSE, sizeof (WeirStepBar));

  g_array_set_clear_func (bars, bar_clear);
  return bars;
}

static const WeirStepBar *
get_bars (const WeirScheduleSteps *self)
{
  return (const WeirStepBar *) (gpointer) self->bars->data;
}

/* "S1, thread 2, from 3 µs to 8 µs": counted from the first of all. (transfer full) */
static char *
describe (const WeirScheduleSteps *self, guint i)
{
  const WeirStepBar *bars = get_bars (self);
  g_autofree char *begin = NULL, *end = NULL;
  double first = bars[i].begin;

  for (guint k = 0; k < self->bars->len; k++)
    first = fmin (first, bars[k].begin);
  begin = bars[i].begin > first ? weir_cache_format_time (1e3 * (bars[i].begin - first))
                                : g_strdup ("0");
  end = weir_cache_format_time (1e3 * (bars[i].end - first));
  if (bars[i].thread == 0)
    return g_strdup_printf (_ ("%s, the run’s own thread, from %s to %s"), bars[i].name, begin,
                            end);
  return g_strdup_printf (_ ("%s, thread %u, from %s to %s"), bars[i].name, bars[i].thread, begin,
                          end);
}

static void
request_size (WeirScheduleSteps *self)
{
  double scale = weir_look_get_text_scale (GTK_WIDGET (self));
  double height = weir_steps_chart_get_height (get_bars (self), self->bars->len);

  gtk_widget_set_size_request (GTK_WIDGET (self), WIDTH, (int) ceil (scale * height));
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
weir_schedule_steps_set (WeirScheduleSteps *self, GArray *bars)
{
  g_autoptr (GString) text = g_string_new (NULL);

  g_return_if_fail (WEIR_IS_SCHEDULE_STEPS (self));

  g_array_unref (self->bars);
  self->bars = g_array_ref (bars);
  for (guint i = 0; i < bars->len; i++)
    {
      g_autofree char *line = describe (self, i);

      g_string_append_printf (text, "%s%s", i > 0 ? "; " : "", line);
    }
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  text->str, -1);
  request_size (self);
}

static void
paint (gpointer data, cairo_t *cr, double width, double height, const WeirPalette *palette)
{
  WeirScheduleSteps *self = data;

  weir_steps_chart_draw (get_bars (self), self->bars->len, cr, width, height, palette);
}

static void
snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  weir_look_snapshot (widget, snapshot, paint, widget);
}

static gboolean
query_tooltip (GtkWidget *widget, int x, int y, gboolean keyboard, GtkTooltip *tooltip,
               G_GNUC_UNUSED gpointer data)
{
  WeirScheduleSteps *self = WEIR_SCHEDULE_STEPS (widget);
  double scale = weir_look_get_text_scale (widget);
  guint n = self->bars->len,
        i = keyboard
                ? n
                : weir_steps_chart_hit (get_bars (self), n, gtk_widget_get_width (widget) / scale,
                                        x / scale, y / scale);
  g_autofree char *text = i < n ? describe (self, i) : NULL;

  if (text != NULL)
    gtk_tooltip_set_text (tooltip, text);
  return text != NULL;
}

static void
dispose (GObject *object)
{
  WeirScheduleSteps *self = WEIR_SCHEDULE_STEPS (object);

  g_clear_pointer (&self->bars, g_array_unref);
  G_OBJECT_CLASS (weir_schedule_steps_parent_class)->dispose (object);
}

static void
weir_schedule_steps_class_init (WeirScheduleStepsClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = dispose;
  widget_class->snapshot = snapshot;
  gtk_widget_class_set_css_name (widget_class, "weir-steps");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
weir_schedule_steps_init (WeirScheduleSteps *self)
{
  self->bars = weir_schedule_steps_bars_new ();
  gtk_widget_set_hexpand (GTK_WIDGET (self), TRUE);
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Last steps of units, by thread"), -1);
  g_signal_connect (self, "query-tooltip", G_CALLBACK (query_tooltip), NULL);
  weir_look_follow (self, G_CALLBACK (gtk_widget_queue_draw));
  g_signal_connect_object (gtk_settings_get_default (), "notify::gtk-xft-dpi",
                           G_CALLBACK (request_size), self, G_CONNECT_SWAPPED);
}

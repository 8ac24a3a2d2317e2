/* WeirLiveStrip. See live-strip.h. */
#include "cache/live-strip.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "cache/cache-figures.h"
#include "widgets/tooltips.h"

#define INTERVAL_US (G_USEC_PER_SEC / 2)

struct _WeirLiveStrip {
  GtkWidget parent;
  GtkWidget *button, *label;
  WeirCacheModel *model;
  WeirSession *session;                          /* that the following are of; only compared */
  gint64 last;                                   /* us, monotonic; 0 = none */
  guint64 events, requests;                      /* as of then */
  double events_per_second, requests_per_second; /* negative: not known yet */
};

G_DEFINE_FINAL_TYPE (WeirLiveStrip, weir_live_strip, GTK_TYPE_WIDGET)

static void
follow_rates (WeirLiveStrip *self, guint64 events, guint64 requests)
{
  gint64 now = g_get_monotonic_time ();
  double elapsed = (double) (now - self->last) / G_USEC_PER_SEC;

  if (self->last != 0 && now - self->last < INTERVAL_US)
    return;
  if (self->last != 0)
    {
      self->events_per_second = (double) (events - self->events) / elapsed;
      self->requests_per_second = (double) (requests - self->requests) / elapsed;
    }
  self->last = now;
  self->events = events;
  self->requests = requests;
}

/* "12 k events/s · 30 k requests/s", or without "/s". */
static char *
describe_amounts (WeirLiveStrip *self, gboolean is_running, const WeirSnapshot *snapshot,
                  guint64 requests)
{
  g_autofree char *first = NULL, *second = NULL, *n_events = NULL, *n_requests = NULL;

  if (is_running && self->events_per_second >= 0)
    {
      first = weir_cache_format_short (self->events_per_second);
      second = weir_cache_format_short (self->requests_per_second);
      return g_strdup_printf (_ ("%s events/s · %s requests/s"), first, second);
    }
  first = weir_cache_format_count (snapshot->n_events);
  second = weir_cache_format_count (requests);
  n_events = g_strdup_printf (ngettext ("%s event", "%s events", snapshot->n_events), first);
  n_requests = g_strdup_printf (ngettext ("%s request", "%s requests", requests), second);
  return g_strdup_printf ("%s · %s", n_events, n_requests);
}

static void
update (WeirLiveStrip *self)
{
  WeirSession *session = weir_cache_model_peek_session (self->model);
  const WeirSnapshot *snapshot = session != NULL ? weir_session_get_snapshot (session) : NULL;
  g_autofree char *amounts = NULL, *rate = NULL, *sweep = NULL, *text = NULL;
  WeirCacheTotals totals;

  if (session != self->session)
    {
      self->session = session;
      self->last = 0;
      self->events_per_second = self->requests_per_second = -1;
    }
  gtk_widget_set_visible (self->button, snapshot != NULL && snapshot->counters != NULL);
  if (snapshot == NULL || snapshot->counters == NULL)
    {
      gtk_label_set_text (GTK_LABEL (self->label), "");
      return;
    }
  totals = weir_cache_get_totals (snapshot);
  follow_rates (self, snapshot->n_events, totals.hits + totals.misses);
  amounts = describe_amounts (self, weir_session_get_state (session) == WEIR_SESSION_RUNNING,
                              snapshot, totals.hits + totals.misses);
  rate = weir_cache_format_rate (totals.hits, totals.misses);
  sweep = weir_cache_format_time (snapshot->mean_sweep_ns);
  if (!snapshot->caching)
    text = g_strdup_printf (_ ("%s · caching is off"), amounts);
  else if (totals.spent_ns + totals.saved_ns > 0)
    /* Translators: events and requests, the share of hits, the share of time saved, time
     * to mark. */
    text = g_strdup_printf (_ ("%s · hit %s · saved %.0f %% · sweep %s"), amounts, rate,
                            100 * totals.saved_ns / (totals.spent_ns + totals.saved_ns), sweep);
  else
    text = g_strdup_printf (_ ("%s · hit %s · sweep %s"), amounts, rate, sweep);
  if (strcmp (gtk_label_get_text (GTK_LABEL (self->label)), text) != 0)
    gtk_label_set_text (GTK_LABEL (self->label), text);
}

const char *
weir_live_strip_get_text (WeirLiveStrip *self)
{
  g_return_val_if_fail (WEIR_IS_LIVE_STRIP (self), "");
  return gtk_label_get_text (GTK_LABEL (self->label));
}

static void
dispose (GObject *object)
{
  WeirLiveStrip *self = WEIR_LIVE_STRIP (object);

  if (self->model != NULL)
    g_signal_handlers_disconnect_by_data (self->model, self);
  g_clear_pointer (&self->button, gtk_widget_unparent);
  g_clear_object (&self->model);
  G_OBJECT_CLASS (weir_live_strip_parent_class)->dispose (object);
}

static void
weir_live_strip_class_init (WeirLiveStripClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "weir-strip");
}

static void
weir_live_strip_init (WeirLiveStrip *self)
{
  const char *tooltip = _ (
      "What the cache does: change events and requests, the share answered without computing, "
      "the share of computing time saved, and the time to mark what an event reaches. "
      "Click to open the table.");

  self->label = gtk_label_new (NULL);
  gtk_widget_add_css_class (self->label, "numeric");
  gtk_widget_add_css_class (self->label, "caption");
  gtk_label_set_ellipsize (GTK_LABEL (self->label), PANGO_ELLIPSIZE_END);
  self->button = gtk_button_new ();
  gtk_button_set_child (GTK_BUTTON (self->button), self->label);
  gtk_widget_add_css_class (self->button, "flat");
  gtk_widget_add_css_class (self->button, "weir-strip");
  weir_set_tooltip (self->button, tooltip);
  gtk_widget_set_parent (self->button, GTK_WIDGET (self));
}

GtkWidget *
weir_live_strip_new (WeirCacheModel *model, const char *action)
{
  WeirLiveStrip *self = g_object_new (WEIR_TYPE_LIVE_STRIP, NULL);

  self->model = g_object_ref (model);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->button), action);
  g_signal_connect_swapped (model, "structure-changed", G_CALLBACK (update), self);
  g_signal_connect_swapped (model, "figures-changed", G_CALLBACK (update), self);
  update (self);
  return GTK_WIDGET (self);
}

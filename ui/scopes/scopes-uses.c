/* What curves can be used for: each has a submenu of that in the menu of its plot; while a curve is
 * asked for, a click on it opens the same. See scopes-private.h.
 */
#include "scopes/plot-menu.h"
#include "scopes/scopes-private.h"

#define USES "weir-uses" /* GMenu of a card: a submenu a curve */

void
weir_scopes_set_uses (WeirScopes *self, GMenuModel *uses)
{
  g_return_if_fail (WEIR_IS_SCOPES (self));

  g_set_object (&self->uses, uses);
}

/* Names of signals have underscores that are no mnemonics. */
void
weir_scopes_add_use (WeirScopes *self, WeirPlotCard *card, const char *name, const char *signal)
{
  GMenu *menu = g_object_get_data (G_OBJECT (card), USES);
  g_auto (GStrv) parts = g_strsplit (name, "_", -1);
  g_autofree char *label = g_strjoinv ("__", parts);
  g_autoptr (GMenuModel) uses = NULL;

  if (self->uses == NULL)
    return;
  uses = weir_plot_menu_new_uses (self->uses, signal);
  g_menu_append_submenu (menu, label, uses);
}

static void
curve_chosen (WeirPlotView *view, int curve, double x, double y, WeirScopes *self)
{
  GtkWidget *card = gtk_widget_get_ancestor (GTK_WIDGET (view), WEIR_TYPE_PLOT_CARD);
  WeirRecorder *recorder;
  g_autoptr (GMenuModel) menu = NULL;
  guint signal;

  if (curve < 0)
    menu = g_object_ref (g_object_get_data (G_OBJECT (card), USES));
  else if (weir_plot_get_signal (weir_plot_view_get_plot (view), (guint) curve, &recorder, &signal))
    menu = weir_plot_menu_new_uses (self->uses, weir_recorder_get_signal_name (recorder, signal));
  if (menu != NULL)
    weir_plot_menu_pop_up (GTK_WIDGET (view), menu, x, y);
}

void
weir_scopes_watch_uses (WeirScopes *self, WeirPlotCard *card, GMenu *uses)
{
  WeirPlotView *view = weir_plot_card_get_view (card);

  g_object_set_data_full (G_OBJECT (card), USES, g_object_ref (uses), g_object_unref);
  weir_plot_view_set_asks (view, self->asks);
  g_signal_connect (view, "curve-chosen", G_CALLBACK (curve_chosen), self);
  g_signal_connect_swapped (view, "asking-ended", G_CALLBACK (weir_scopes_tell_asking), self);
}

void
weir_scopes_set_asks (WeirScopes *self, gboolean asks)
{
  gboolean is_first = asks;

  g_return_if_fail (WEIR_IS_SCOPES (self) && (!asks || self->uses != NULL));

  self->asks = asks;
  for (guint i = 0; i < self->plots->len; i++)
    if (WEIR_IS_PLOT_CARD (self->plots->pdata[i]))
      {
        WeirPlotView *view = weir_plot_card_get_view (self->plots->pdata[i]);

        weir_plot_view_set_asks (view, asks);
        if (is_first)
          gtk_widget_grab_focus (GTK_WIDGET (view));
        is_first = FALSE;
      }
}

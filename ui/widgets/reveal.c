/* Scrolling, later. See reveal.h.
 *
 * What is shown now has its place with the frame after the next one only: a tick comes before the
 * layout of its own frame.
 */
#include "widgets/reveal.h"

typedef struct {
  GtkWidget *target; /* weak */
  int margin, n_frames;
} Reveal;

static void
reveal_free (gpointer data)
{
  Reveal *reveal = data;

  g_clear_weak_pointer (&reveal->target);
  g_free (reveal);
}

static void
show (GtkAdjustment *adjustment, double start, double size, int margin)
{
  double first = start - margin, end = start + size + margin;

  if (end - first <= gtk_adjustment_get_page_size (adjustment))
    gtk_adjustment_clamp_page (adjustment, first, end);
  else
    gtk_adjustment_set_value (adjustment, first);
}

static gboolean
reveal_now (GtkWidget *widget, G_GNUC_UNUSED GdkFrameClock *clock, gpointer data)
{
  Reveal *reveal = data;
  GtkScrolledWindow *scrolled = GTK_SCROLLED_WINDOW (widget);
  GtkAdjustment *across = gtk_scrolled_window_get_hadjustment (scrolled),
                *down = gtk_scrolled_window_get_vadjustment (scrolled);
  graphene_rect_t place;

  if (++reveal->n_frames < 2)
    return G_SOURCE_CONTINUE;
  if (reveal->target != NULL && gtk_widget_compute_bounds (reveal->target, widget, &place))
    {
      show (across, (double) place.origin.x + gtk_adjustment_get_value (across),
            (double) place.size.width, reveal->margin);
      show (down, (double) place.origin.y + gtk_adjustment_get_value (down),
            (double) place.size.height, reveal->margin);
    }
  g_object_set_data (G_OBJECT (widget), "weir-reveal", NULL);
  return G_SOURCE_REMOVE;
}

void
weir_reveal (GtkWidget *scrolled, GtkWidget *target, int margin)
{
  Reveal *reveal = g_new0 (Reveal, 1);
  guint tick = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (scrolled), "weir-reveal"));

  if (tick != 0)
    gtk_widget_remove_tick_callback (scrolled, tick);
  g_set_weak_pointer (&reveal->target, target);
  reveal->margin = margin;
  tick = gtk_widget_add_tick_callback (scrolled, reveal_now, reveal, reveal_free);
  g_object_set_data (G_OBJECT (scrolled), "weir-reveal", GUINT_TO_POINTER (tick));
}

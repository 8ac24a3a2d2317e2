/* Where the plots of WeirScopes are: side by side, or each in a window of its own. See scopes.h.
 *
 * A window outlives the plots of a run: those of the next one are put into it. Which plots are
 * apart is kept with how they are looked at, as a line of its own.
 */
#include <glib/gi18n-lib.h>

#include "scopes/scopes-private.h"

#define KEY "weir-plot-key"   /* of a plot: what its window is kept under */
#define LOOK "weir-plot-look" /* the name that its look is kept under; none: it is kept nowhere */

static const char *
get_key (GtkWidget *plot)
{
  return g_object_get_data (G_OBJECT (plot), KEY);
}

static gboolean
is_apart (WeirScopes *self, GtkWidget *plot)
{
  return g_hash_table_contains (self->windows, get_key (plot));
}

/* --- Side by side ---------------------------------------------------------------------------- */

/* Among the others as they came. */
static void
put_beside (WeirScopes *self, GtkWidget *plot)
{
  GtkWidget *before = NULL;

  for (guint i = 0; i < self->plots->len && self->plots->pdata[i] != plot; i++)
    if (gtk_widget_get_parent (self->plots->pdata[i]) == self->box)
      before = self->plots->pdata[i];
  gtk_widget_set_visible (plot, !self->is_large);
  gtk_box_insert_child_after (GTK_BOX (self->box), plot, before);
}

void
weir_scopes_show_alone (WeirScopes *self, GtkWidget *plot)
{
  self->is_large = plot != NULL;
  for (GtkWidget *child = gtk_widget_get_first_child (self->box); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    gtk_widget_set_visible (child, plot == NULL || child == plot);
}

void
weir_scopes_show_places (WeirScopes *self)
{
  GHashTableIter iter;
  gpointer window;

  g_hash_table_iter_init (&iter, self->windows);
  while (g_hash_table_iter_next (&iter, NULL, &window))
    gtk_widget_show (window); /* without the focus, which stays where it is */
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack),
                                    self->plots->len == 0                            ? "empty"
                                    : gtk_widget_get_first_child (self->box) != NULL ? "plots"
                                                                                     : "apart");
}

/* --- Windows --------------------------------------------------------------------------------- */

static void
keep_place (WeirScopes *self, GtkWidget *plot)
{
  const char *look = g_object_get_data (G_OBJECT (plot), LOOK);

  if (WEIR_IS_PLOT_CARD (plot))
    weir_plot_card_set_apart (WEIR_PLOT_CARD (plot), is_apart (self, plot));
  else if (look != NULL)
    g_signal_emit_by_name (self, "look-changed", look,
                           is_apart (self, plot) ? WEIR_PLOT_APART : NULL);
}

/* From where it is, so that somebody else can have it. (transfer full) */
static GtkWidget *
take_out (WeirScopes *self, GtkWidget *plot)
{
  GtkRoot *root = gtk_widget_get_root (plot);
  GtkWidget *focused = root != NULL ? gtk_root_get_focus (root) : NULL;

  g_object_ref (plot);
  /* A window looks for what else to focus from what was taken away on: in its new window. */
  if (focused != NULL && gtk_widget_is_ancestor (focused, plot))
    gtk_root_set_focus (root, NULL);
  if (is_apart (self, plot))
    weir_plot_window_set_plot (g_hash_table_lookup (self->windows, get_key (plot)), NULL);
  else
    gtk_box_remove (GTK_BOX (self->box), plot);
  return plot;
}

static void
focus (GtkWidget *plot)
{
  if (WEIR_IS_PLOT_CARD (plot))
    gtk_widget_grab_focus (GTK_WIDGET (weir_plot_card_get_view (WEIR_PLOT_CARD (plot))));
}

static void
bring_back (WeirScopes *self, GtkWidget *plot)
{
  g_autoptr (GtkWidget) held = take_out (self, plot);

  g_hash_table_remove (self->windows, get_key (plot));
  put_beside (self, plot);
  weir_scopes_show_places (self);
  keep_place (self, plot);
}

/* The user closes it: its plot goes back to the others. */
static gboolean
close_requested (WeirPlotWindow *window, WeirScopes *self)
{
  GHashTableIter iter;
  gpointer key, found;

  g_hash_table_iter_init (&iter, self->windows);
  while (g_hash_table_iter_next (&iter, &key, &found))
    if (found == window)
      {
        GtkWidget *plot = weir_plot_window_get_plot (window);

        if (get_key (plot) != NULL)
          bring_back (self, plot);
        else /* it is empty until the next run */
          g_hash_table_iter_remove (&iter);
        break;
      }
  return GDK_EVENT_STOP; /* it is gone */
}

static WeirPlotWindow *
window_new (WeirScopes *self, const char *key, GtkWidget *plot)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  gboolean is_card = WEIR_IS_PLOT_CARD (plot);
  WeirPlotWindow *window = weir_plot_window_new (
      GTK_IS_WINDOW (root) ? gtk_window_get_application (GTK_WINDOW (root)) : NULL,
      *key != '\0' ? key : _ ("Chosen Signals"), self->model_name, self->actions, is_card);

  g_signal_connect (window, "close-request", G_CALLBACK (close_requested), self);
  g_signal_connect_swapped (window, "map", G_CALLBACK (self->follow), self);
  g_signal_connect_swapped (window, "unmap", G_CALLBACK (self->follow), self);
  if (is_card)
    weir_scopes_watch_window (self, window);
  g_hash_table_insert (self->windows, g_strdup (key), window);
  return window;
}

static void
put_apart (WeirScopes *self, GtkWidget *plot)
{
  WeirPlotWindow *window = window_new (self, get_key (plot), plot);

  weir_plot_window_set_plot (window, plot);
  gtk_widget_set_visible (plot, TRUE);
}

void
weir_scopes_toggle_apart (WeirScopes *self, GtkWidget *plot)
{
  g_autoptr (GtkWidget) held = NULL;

  if (is_apart (self, plot))
    {
      bring_back (self, plot);
      focus (plot);
      return;
    }
  held = take_out (self, plot);
  weir_scopes_show_alone (self, NULL);
  put_apart (self, plot);
  weir_scopes_show_places (self);
  keep_place (self, plot);
  gtk_window_present (g_hash_table_lookup (self->windows, get_key (plot)));
  focus (plot);
}

void
weir_scopes_bring_all_back (WeirScopes *self)
{
  for (guint i = 0; i < self->plots->len; i++)
    if (is_apart (self, self->plots->pdata[i]))
      bring_back (self, self->plots->pdata[i]);
  if (self->plots->len > 0)
    focus (self->plots->pdata[0]);
}

/* --- Plots come and go ----------------------------------------------------------------------- */

void
weir_scopes_place (WeirScopes *self, GtkWidget *plot, const char *key, const char *look_name,
                   const char *look)
{
  g_auto (GStrv) lines = g_strsplit (look != NULL ? look : "", "\n", -1);
  WeirPlotWindow *window = g_hash_table_lookup (self->windows, key);

  g_object_set_data_full (G_OBJECT (plot), KEY, g_strdup (key), g_free);
  g_object_set_data_full (G_OBJECT (plot), LOOK, g_strdup (look_name), g_free);
  g_ptr_array_add (self->plots, plot);
  if (window != NULL)
    weir_plot_window_set_plot (window, plot);
  else if (g_strv_contains ((const char *const *) lines, WEIR_PLOT_APART))
    put_apart (self, plot);
  else
    put_beside (self, plot);
}

void
weir_scopes_remove (WeirScopes *self, GtkWidget *plot)
{
  g_autoptr (GtkWidget) held = take_out (self, plot);

  g_hash_table_remove (self->windows, get_key (plot));
  g_ptr_array_remove (self->plots, plot);
  weir_scopes_show_places (self);
}

void
weir_scopes_remove_all (WeirScopes *self)
{
  for (guint i = 0; i < self->plots->len; i++)
    g_object_unref (take_out (self, self->plots->pdata[i]));
  g_ptr_array_set_size (self->plots, 0);
}

static gboolean
is_empty (G_GNUC_UNUSED gpointer key, gpointer window, G_GNUC_UNUSED gpointer data)
{
  return get_key (weir_plot_window_get_plot (window)) == NULL;
}

void
weir_scopes_close_empty (WeirScopes *self)
{
  g_hash_table_foreach_remove (self->windows, is_empty, NULL);
}

GtkWidget *
weir_scopes_find_seen (WeirScopes *self)
{
  GHashTableIter iter;
  gpointer window;

  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    return GTK_WIDGET (self);
  g_hash_table_iter_init (&iter, self->windows);
  while (g_hash_table_iter_next (&iter, NULL, &window))
    if (gtk_widget_get_mapped (window))
      return window;
  return NULL;
}

/* --- Life ------------------------------------------------------------------------------------ */

static void
destroy_window (gpointer window)
{
  gtk_window_destroy (window);
}

void
weir_scopes_init_windows (WeirScopes *self, void (*follow) (WeirScopes *self))
{
  self->follow = follow;
  self->plots = g_ptr_array_new ();
  self->windows = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, destroy_window);
}

void
weir_scopes_close_windows (WeirScopes *self)
{
  GHashTableIter iter;
  gpointer window;

  if (self->windows == NULL)
    return;
  g_hash_table_iter_init (&iter, self->windows);
  while (g_hash_table_iter_next (&iter, NULL, &window))
    g_signal_handlers_disconnect_by_data (window, self);
  g_clear_pointer (&self->windows, g_hash_table_unref);
  g_clear_pointer (&self->plots, g_ptr_array_unref);
  g_clear_object (&self->actions);
  g_clear_pointer (&self->model_name, g_free);
}

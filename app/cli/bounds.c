/* Bounds of the command line. See bounds.h.
 *
 * Plots name a signal as the recorder does: by the port that drives a Scope, with the number of an
 * element ("Mux.y[2]").
 */
#include "cli/bounds.h"

#include <string.h>

#include "cli/cli-private.h"

static void
clear_bound (gpointer data)
{
  g_free (((WeirCliBound *) data)->signal);
}

GArray *
weir_cli_bounds_new (void)
{
  GArray *bounds = g_array_new (FALSE, FALSE, sizeof (WeirCliBound));

  g_array_set_clear_func (bounds, clear_bound);
  return bounds;
}

/* FALSE if it is none. */
static gboolean
add_bound (GArray *bounds, const char *text)
{
  WeirCliBound added;
  const char *signal;

  if (!weir_bound_parse (text, &added.bound, &signal))
    return FALSE;
  for (guint i = 0; i < bounds->len; i++)
    {
      const WeirCliBound *other = &g_array_index (bounds, WeirCliBound, i);

      if (g_str_equal (other->signal, signal) && weir_bound_equal (&other->bound, &added.bound))
        return TRUE;
    }
  added.signal = g_strdup (signal);
  g_array_append_val (bounds, added);
  return TRUE;
}

gboolean
weir_cli_add_bounds (GArray *bounds, char **texts)
{
  for (; texts != NULL && *texts != NULL; texts++)
    if (!add_bound (bounds, *texts))
      {
        weir_cli_complain (
            "--bound \"%s\": a bound is \"upper FROM TO A B NAME\" or \"lower ...\", "
            "such as \"upper 0 10 1.2 1.2 Plant.y\"; from -inf to inf is all the time",
            *texts);
        return FALSE;
      }
  return TRUE;
}

void
weir_cli_add_saved_bounds (GArray *bounds, const WeirModel *model)
{
  for (guint i = 0; i < weir_model_get_n_plots (model); i++)
    {
      g_auto (GStrv) lines = g_strsplit (weir_model_get_plot_at (model, i), "\n", -1);

      for (guint k = 0; lines[k] != NULL; k++)
        add_bound (bounds, lines[k]); /* other lines are about other things */
    }
}

/* "Mux.y" of "Mux.y[2]". (transfer full) */
static char *
dup_port (const char *signal)
{
  const char *element = strrchr (signal, '[');

  return element != NULL && g_str_has_suffix (signal, "]")
             ? g_strndup (signal, (gsize) (element - signal))
             : g_strdup (signal);
}

char **
weir_cli_bounds_dup_ports (const GArray *bounds)
{
  g_autoptr (GStrvBuilder) ports = g_strv_builder_new ();
  g_autoptr (GHashTable) taken = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < bounds->len; i++)
    {
      char *port = dup_port (g_array_index (bounds, WeirCliBound, i).signal);

      if (!g_hash_table_contains (taken, port))
        g_strv_builder_add (ports, port);
      g_hash_table_add (taken, port);
    }
  return g_strv_builder_end (ports);
}

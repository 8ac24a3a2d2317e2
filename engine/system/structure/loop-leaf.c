/* The leaf that stands for an algebraic loop. See loop-private.h. */
#include "system/structure/loop-private.h"

#include <string.h>

WeirSystem *
weir_loop_leaf_new (const WeirLoopSignal *signals, guint n, const char *path)
{
  WeirLeafBuilder *b = weir_leaf_builder_new_for_loop ();
  g_autoptr (GArray) start = g_array_new (FALSE, TRUE, sizeof (double));
  g_autoptr (GByteArray) data = g_byte_array_new ();
  gboolean has_guess = FALSE;
  WeirGroup group;
  WeirCached solution;

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *name = g_strdup_printf ("u%u", i + 1);

      weir_leaf_add_input (b, name, signals[i].size);
      if (signals[i].guess != NULL)
        g_array_append_vals (start, signals[i].guess, signals[i].size);
      else
        g_array_set_size (start, start->len + signals[i].size);
      has_guess |= signals[i].guess != NULL;
    }
  group = weir_leaf_add_discrete_state (b, "start", (const double *) (gpointer) start->data,
                                        start->len);
  solution = weir_leaf_add_cache_entry (b, "solution", start->len, NULL,
                                        WEIR_DEPENDS (weir_group_ticket (b, group)));
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *name = g_strdup_printf ("y%u", i + 1);

      weir_leaf_add_output (b, name, signals[i].size, NULL,
                            WEIR_DEPENDS (weir_cached_ticket (b, solution)));
    }
  g_byte_array_append (data, (const guint8[]) { has_guess ? WEIR_LOOP_HAS_GUESS : '-' }, 1);
  g_byte_array_append (data, (const guint8 *) path, (guint) strlen (path) + 1);
  for (guint i = 0; i < n; i++)
    g_byte_array_append (data, (const guint8 *) signals[i].name,
                         (guint) strlen (signals[i].name) + 1);
  weir_leaf_set_data (b, data->data, data->len);
  return weir_leaf_builder_build (b);
}

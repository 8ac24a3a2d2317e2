/* What somebody thinks a change will put out of date, against what it does: the blocks selected on
 * the canvas, and those that hear of the change.
 */
#include "gui/parts/prediction.h"

#include <glib/gi18n-lib.h>

static gboolean
contains (const GArray *ids, guint32 id)
{
  for (guint i = 0; i < ids->len; i++)
    if (g_array_index (ids, guint32, i) == id)
      return TRUE;
  return FALSE;
}

/* The blocks that hold a value which hears of a change along @steps. */
static GArray *
list_reached (WeirCacheModel *cache, const GArray *steps)
{
  const WeirWalk *walk = weir_explainer_get_walk (weir_cache_model_get_explainer (cache));
  WeirLayout *layout = weir_cache_model_get_layout (cache);
  GArray *ids = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (guint i = 0; i < steps->len; i++)
    {
      const WeirStepTaken *taken = &g_array_index (steps, WeirStepTaken, i);
      WeirEntry entry;
      guint32 id;

      if (taken->from < 0 || !weir_walk_get_entry (walk, taken->tracker, &entry))
        continue;
      id = weir_cache_model_get_block (cache, weir_layout_get_entry (layout, entry).node);
      if (id != 0 && !contains (ids, id))
        g_array_append_val (ids, id);
    }
  return ids;
}

static void
append_names (WeirModel *model, GString *text, const guint32 *ids, guint n, const GArray *but)
{
  const char *separator = "";

  for (guint i = 0; i < n; i++)
    {
      WeirBlock *block = weir_model_find_block (model, ids[i], NULL);

      if (block == NULL || contains (but, ids[i]))
        continue;
      g_string_append_printf (text, "%s%s", separator, weir_block_get_name (block));
      separator = ", ";
    }
}

char *
weir_judge_prediction (WeirCacheModel *cache, WeirCanvas *canvas, WeirModel *model,
                       const GArray *steps, gboolean *is_right)
{
  guint n;
  const guint32 *selected = weir_canvas_get_selected (canvas, &n);
  g_autoptr (GArray) reached = list_reached (cache, steps);
  g_autoptr (GArray) chosen = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GString) wrong = g_string_new (NULL);
  g_autoptr (GString) missed = g_string_new (NULL);
  g_autoptr (GString) all = g_string_new (NULL);

  if (n > 0)
    g_array_append_vals (chosen, selected, n);
  append_names (model, wrong, (const guint32 *) (gpointer) chosen->data, chosen->len, reached);
  append_names (model, missed, (const guint32 *) (gpointer) reached->data, reached->len, chosen);
  g_array_set_size (chosen, 0);
  append_names (model, all, (const guint32 *) (gpointer) reached->data, reached->len, chosen);
  if (all->len == 0)
    g_string_append (all, _ ("nothing"));
  *is_right = wrong->len == 0 && missed->len == 0;
  if (*is_right)
    return g_strdup_printf (_ ("Right: it reaches %s."), all->str);
  if (wrong->len == 0)
    return g_strdup_printf (_ ("Missed: %s. It reaches %s."), missed->str, all->str);
  if (missed->len == 0)
    return g_strdup_printf (_ ("Too many: %s. It reaches %s."), wrong->str, all->str);
  return g_strdup_printf (_ ("Too many: %s; missed: %s. It reaches %s."), wrong->str, missed->str,
                          all->str);
}

/* Where a value that is not finite, or very large, arose. Looks at values as they were computed
 * last: nothing is computed, counted or marked.
 */
#include <math.h>
#include <string.h>

#include "numerics/number.h"
#include "system/evaluator-private.h"

/* Adds to @set all that @entry is computed from, demands of lazy calculations too. */
static void
collect (const WeirLayout *layout, guint64 *set, guint32 entry)
{
  weir_bit_set (set, entry);
  for (guint32 e = entry + 1; e-- > 0;)
    if (weir_bit (set, e))
      for (guint32 k = layout->up_first[e]; k < layout->up_first[e + 1]; k++)
        weir_bit_set (set, layout->ups[k]);
}

/* The first element that is @limit or beyond, or not a number; @n: none is. */
static guint32
find_element (const double *values, guint32 n, double limit)
{
  guint32 k = 0;

  while (k < n && fabs (values[k]) < limit)
    k++;
  return k;
}

gboolean
weir_context_find_beyond (const WeirContext *self, WeirEntry entry, double limit,
                          WeirFailurePlace *place)
{
  const WeirLayout *layout = self->layout;
  g_autofree guint64 *set = g_new0 (guint64, layout->n_words);

  g_return_val_if_fail (entry.i < layout->n_entries, FALSE);
  collect (layout, set, entry.i);
  for (guint32 e = 0; e <= entry.i; e++)
    {
      const double *values = self->arena + layout->value_offset[e];
      guint32 size = weir_layout_decl (layout, e)->size, k;

      if (!weir_bit (set, e) || (weir_bit (self->stale, e) && !weir_bit (self->disabled, e)))
        continue;
      k = find_element (values, size, limit);
      if (k == size)
        continue;
      *place = (WeirFailurePlace) { .kind = WEIR_FAILURE_NOT_FINITE,
                                    .node = { layout->node_of[e] },
                                    .entry = { e },
                                    .element = k,
                                    .value = values[k] };
      return TRUE;
    }
  return FALSE;
}

char *
weir_context_dup_beyond_text (const WeirContext *self, const WeirFailurePlace *place)
{
  g_autofree char *path = weir_layout_dup_value_name (self->layout, place->entry, place->element);
  g_autoptr (GString) text = g_string_new (NULL);
  const char *where = weir_layout_get_element_place (self->layout, place->entry, place->element);
  char time[WEIR_TIME_TEXT_SIZE], number[G_ASCII_DTOSTR_BUF_SIZE] = "infinite";

  if (isnan (place->value))
    strcpy (number, "not a number");
  else if (isfinite (place->value))
    g_ascii_formatd (number, sizeof number, "%.3g", place->value);
  g_string_printf (text, "%s became %s at t = %s", path, number,
                   weir_time_to_text (self->now, NAN, time));
  if (*where != '\0')
    g_string_append_printf (text, ", in %s", where);
  weir_context_append_inputs (self, place->entry.i, text);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* Of the leaf whose state @i is. */
static WeirFailurePlace
find_state_place (const WeirLayout *layout, guint32 i, double value)
{
  WeirFailurePlace place = { .kind = WEIR_FAILURE_NOT_FINITE,
                             .entry = { WEIR_NO_INDEX },
                             .value = value };

  for (guint k = 0; k < layout->slices->len; k++)
    {
      const WeirStateSlice *slice = &g_array_index (layout->slices, WeirStateSlice, k);

      if (i >= slice->offset)
        {
          place.node = slice->node;
          place.element = i - slice->offset;
        }
    }
  return place;
}

/* The trial state @x that a solver hands over may be at fault itself. */
void
weir_context_explain_not_finite (WeirContext *self, const double *x, guint32 derivatives)
{
  guint32 i = find_element (x, self->layout->n_states, INFINITY);
  WeirFailurePlace place;

  if (i < self->layout->n_states)
    {
      g_autofree char *name = weir_layout_dup_state_name (self->layout, i);

      weir_context_set_failure (self, "the state %s became %s", name,
                                isnan (x[i]) ? "not a number" : "infinite");
      weir_context_set_failure_place (self, find_state_place (self->layout, i, x[i]));
    }
  else if (weir_context_find_beyond (self, (WeirEntry) { derivatives }, INFINITY, &place))
    {
      g_autofree char *text = weir_context_dup_beyond_text (self, &place);

      weir_context_set_failure (self, "%s", text);
      weir_context_set_failure_place (self, place);
    }
  else
    weir_context_set_failure (self, "the derivatives are not finite");
}

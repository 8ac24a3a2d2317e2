/* What failed in a context, where and why, in words. Nothing is computed, counted or marked here.
 */
#include <math.h>
#include <string.h>

#include "numerics/number.h"
#include "system/context/context-private.h"
#include "system/context/inspection.h"

/* --- The failure told of last ---------------------------------------------------------------- */

/* Of a frozen context, which many threads may read at once: each sees its own. */
static GPrivate frozen_failure = G_PRIVATE_INIT (g_free);

void
weir_context_set_failure (WeirContext *self, const char *format, ...)
{
  va_list arguments;
  char *text;

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  if (weir_context_is (self, WEIR_MODE_FROZEN))
    g_private_replace (&frozen_failure, text);
  else
    {
      if (self->failure == NULL)
        self->failure_place.node.i = WEIR_NO_INDEX;
      g_free (self->failure);
      self->failure = text;
      self->modes |= WEIR_MODE_FAILED;
      self->failed_element = G_MAXUINT;
    }
}

void
weir_context_forget_failure (WeirContext *self)
{
  g_clear_pointer (&self->failure, g_free);
  self->modes &= ~(guint32) WEIR_MODE_FAILED;
}

const char *
weir_context_get_failure (const WeirContext *self)
{
  return weir_context_is (self, WEIR_MODE_FROZEN) ? g_private_get (&frozen_failure) : self->failure;
}

void
weir_context_set_failed_element (WeirContext *self, guint element)
{
  if (!weir_context_is (self, WEIR_MODE_FROZEN))
    self->failed_element = element;
}

guint
weir_context_get_failed_element (const WeirContext *self)
{
  return weir_context_is (self, WEIR_MODE_FROZEN) || self->failure == NULL ? G_MAXUINT
                                                                           : self->failed_element;
}

void
weir_context_set_failure_place (WeirContext *self, WeirFailurePlace place)
{
  if (!weir_context_is (self, WEIR_MODE_FROZEN) && self->failure_place.node.i == WEIR_NO_INDEX)
    self->failure_place = place;
}

gboolean
weir_context_get_failure_place (const WeirContext *self, WeirFailurePlace *place)
{
  if (weir_context_is (self, WEIR_MODE_FROZEN) || self->failure == NULL
      || self->failure_place.node.i == WEIR_NO_INDEX)
    return FALSE;
  *place = self->failure_place;
  return TRUE;
}

/* --- Reads and calls ------------------------------------------------------------------------- */

gboolean
weir_context_has_value (const WeirContext *context, WeirOrigin origin)
{
  const WeirNodeInfo *node = &context->layout->nodes[origin.node];

  return origin.kind != WEIR_ORIGIN_FIXED
         || weir_bit (context->fixed, node->first_input + origin.index)
         || weir_vector_has_value (weir_shape_input (node->shape, origin.index));
}

WeirStatus
weir_context_fail_without_value (WeirContext *context, guint32 n, guint in)
{
  g_autofree char *path = weir_layout_dup_path (context->layout, (WeirNode) { n });

  weir_context_set_failure (context, "input \"%s\" of %s is neither connected nor fixed",
                            weir_shape_input (context->layout->nodes[n].shape, in)->name,
                            *path != '\0' ? path : "the root");
  weir_context_set_failure_place (context,
                                  (WeirFailurePlace) { .node = { n }, .entry = { WEIR_NO_INDEX } });
  return WEIR_FAILED;
}

void
weir_context_fail_within (WeirContext *self, const char *does)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint k = 0; k < self->n_calling; k++)
    {
      WeirEntry entry = { g_array_index (self->calling, guint32, k) };
      g_autofree char *path = weir_layout_dup_entry_path (self->layout, entry);

      g_string_append_printf (text, "%s%s", k > 0 ? " reads " : "", path);
    }
  if (self->n_calling == 0)
    g_string_append (text, "the event handler");
  else if (self->n_calling > 1)
    g_string_append (text, ", which");
  weir_context_set_failure (self,
                            "%s %s its own context while it is under way: calculations and "
                            "handlers read through their accessors and write their result only",
                            text->str, does);
  self->has_reentered = TRUE;
}

/* --- Inputs in messages ---------------------------------------------------------------------- */

static void
append_value (const WeirContext *context, const WeirVectorDecl *input, const double *value,
              GString *text)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  if (input->type != NULL)
    {
      GVariant *abstract = weir_context_abstract_at (context, value);
      g_autofree char *printed = abstract == NULL ? NULL : g_variant_print (abstract, FALSE);

      g_string_append (text, printed != NULL ? printed : "nothing");
      return;
    }
  g_string_append (text, g_ascii_dtostr (number, sizeof number, *value));
  if (input->size > 1)
    g_string_append (text, ", ...");
}

void
weir_context_append_inputs (const WeirContext *context, guint32 e, GString *text)
{
  const WeirEntryDecl *decl = weir_layout_decl (context->layout, e);
  guint32 n = context->layout->node_of[e];
  const WeirShape *shape = context->layout->nodes[n].shape;
  const char *separator = " (inputs: ";

  for (guint k = 0; k < decl->n_primary; k++)
    {
      WeirItem item = weir_shape_item (shape, decl->primary[k]);
      const WeirVectorDecl *input;
      WeirOrigin origin;

      if (item.kind != WEIR_ITEM_INPUT)
        continue;
      input = weir_shape_input (shape, item.index);
      origin = weir_context_trace (context, n, item.index);
      g_string_append_printf (text, "%s%s = ", separator, input->name);
      append_value (context, input,
                    weir_context_resolve (context, weir_layout_address (context->layout, origin)),
                    text);
      separator = ", ";
    }
  if (separator[0] == ',')
    g_string_append_c (text, ')');
}

/* --- Values that are not finite -------------------------------------------------------------- */

/* Looks at values as they were computed last. */

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

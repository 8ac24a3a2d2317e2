/* What failed in a context, where and why, in words. Nothing is computed, counted or marked here.
 */
#include <math.h>
#include <string.h>

#include "base/phrase.h"
#include "base/text.h"
#include "numerics/number.h"
#include "system/context/context-private.h"
#include "system/context/inspection.h"

/* --- The failure told of last ---------------------------------------------------------------- */

/* Of a frozen context, which many threads may read at once: each sees its own. */
static GPrivate frozen_failure = G_PRIVATE_INIT ((GDestroyNotify) weir_message_unref);

void
weir_context_set_failure (WeirContext *self, const char *format, ...)
{
  va_list arguments;
  WeirMessage *failure;

  va_start (arguments, format);
  failure = weir_message_new_valist (format, arguments);
  va_end (arguments);
  if (weir_context_is (self, WEIR_MODE_FROZEN))
    g_private_replace (&frozen_failure, failure);
  else
    {
      if (self->failure == NULL)
        self->failure_place.node.i = WEIR_NO_INDEX;
      weir_message_unref (self->failure); /* of which the new one may be made */
      self->failure = failure;
      self->modes |= WEIR_MODE_FAILED;
      self->failed_element = G_MAXUINT;
    }
}

void
weir_context_forget_failure (WeirContext *self)
{
  g_clear_pointer (&self->failure, weir_message_unref);
  self->modes &= ~(guint32) WEIR_MODE_FAILED;
}

const char *
weir_context_get_failure (const WeirContext *self)
{
  const WeirMessage *failure = weir_context_is (self, WEIR_MODE_FROZEN)
                                   ? g_private_get (&frozen_failure)
                                   : self->failure;

  return failure != NULL ? weir_message_get_text (failure) : NULL;
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
                            *path != '\0' ? path : weir_phrase (N_ ("the root")));
  weir_context_set_failure_place (context,
                                  (WeirFailurePlace) { .node = { n }, .entry = { WEIR_NO_INDEX } });
  return WEIR_FAILED;
}

void
weir_context_fail_within (WeirContext *self, const char *does)
{
  g_autoptr (WeirMessage) who = NULL;

  for (guint k = 0; k < self->n_calling; k++)
    {
      WeirEntry entry = { g_array_index (self->calling, guint32, k) };
      g_autofree char *path = weir_layout_dup_entry_path (self->layout, entry);
      g_autoptr (WeirMessage) before = g_steal_pointer (&who);

      who = before == NULL
                ? weir_message_new_literal (path)
                : weir_message_new (N_ ("%s reads %s"), weir_message_get_text (before), path);
    }
  if (self->n_calling > 1)
    {
      g_autoptr (WeirMessage) chain = g_steal_pointer (&who);

      who = weir_message_new (N_ ("%s, which"), weir_message_get_text (chain));
    }
  weir_context_set_failure (self,
                            "%s %s its own context while it is under way: calculations and "
                            "handlers read through their accessors and write their result only",
                            who != NULL ? weir_message_get_text (who)
                                        : weir_phrase (N_ ("the event handler")),
                            weir_phrase (does));
  self->has_reentered = TRUE;
}

/* --- Inputs in messages ---------------------------------------------------------------------- */

/* "u = 1", "u = 1, ..." (transfer full) */
static WeirMessage *
tell_input (const WeirContext *context, const WeirVectorDecl *input, const double *value)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  if (input->type != NULL)
    {
      GVariant *abstract = weir_context_abstract_at (context, value);
      g_autofree char *printed = abstract == NULL ? NULL : g_variant_print (abstract, FALSE);

      return weir_message_new ("%s = %s", input->name,
                               printed != NULL ? printed : weir_phrase (N_ ("nothing")));
    }
  return weir_message_new (input->size > 1 ? "%s = %s, ..." : "%s = %s", input->name,
                           g_ascii_dtostr (number, sizeof number, *value));
}

WeirMessage *
weir_context_add_inputs (const WeirContext *context, guint32 e, WeirMessage *text)
{
  const WeirEntryDecl *decl = weir_layout_decl (context->layout, e);
  guint32 n = context->layout->node_of[e];
  const WeirShape *shape = context->layout->nodes[n].shape;
  g_autoptr (WeirMessage) inputs = NULL;

  for (guint k = 0; k < decl->n_primary; k++)
    {
      WeirItem item = weir_shape_item (shape, decl->primary[k]);
      WeirMessage *told;
      WeirOrigin origin;

      if (item.kind != WEIR_ITEM_INPUT)
        continue;
      origin = weir_context_trace (context, n, item.index);
      told = tell_input (
          context, weir_shape_input (shape, item.index),
          weir_context_resolve (context, weir_layout_address (context->layout, origin)));
      inputs = inputs != NULL ? weir_message_join (inputs, ", ", told) : told;
    }
  if (inputs == NULL)
    return text;
  return weir_message_join (text, " ",
                            weir_message_new (N_ ("(inputs: %s)"), weir_message_get_text (inputs)));
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

WeirMessage *
weir_value_name_new (const WeirLayout *layout, WeirEntry entry, guint element)
{
  g_autofree char *name = NULL;
  guint state;

  if (weir_layout_find_derivative (layout, entry, element, &state))
    {
      name = weir_layout_dup_state_name (layout, state);
      return weir_message_new (N_ ("the derivative of %s"), name);
    }
  name = weir_layout_dup_value_name (layout, entry, element);
  return weir_message_new_literal (name);
}

WeirMessage *
weir_context_tell_beyond (const WeirContext *self, const WeirFailurePlace *place)
{
  g_autoptr (WeirMessage) name = weir_value_name_new (self->layout, place->entry, place->element);
  const char *where = weir_layout_get_element_place (self->layout, place->entry, place->element);
  const char *became;
  char time[WEIR_TIME_TEXT_SIZE], number[G_ASCII_DTOSTR_BUF_SIZE];
  WeirMessage *text;

  if (isnan (place->value))
    became = weir_phrase (N_ ("not a number"));
  else if (isfinite (place->value))
    became = g_ascii_formatd (number, sizeof number, "%.3g", place->value);
  else
    became = weir_phrase (N_ ("infinite"));
  text = weir_message_new (N_ ("%s became %s at t = %s"), weir_message_get_text (name), became,
                           weir_time_to_text (self->now, NAN, time));
  if (*where != '\0')
    text = weir_message_join (text, ", ", weir_message_new (N_ ("in %s"), where));
  return weir_context_add_inputs (self, place->entry.i, text);
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
                                weir_phrase (isnan (x[i]) ? N_ ("not a number") : N_ ("infinite")));
      weir_context_set_failure_place (self, find_state_place (self->layout, i, x[i]));
    }
  else if (weir_context_find_beyond (self, (WeirEntry) { derivatives }, INFINITY, &place))
    {
      g_autoptr (WeirMessage) text = weir_context_tell_beyond (self, &place);

      weir_context_set_failure (self, "%s", weir_message_get_text (text));
      weir_context_set_failure_place (self, place);
    }
  else
    weir_context_set_failure (self, "the derivatives are not finite");
}

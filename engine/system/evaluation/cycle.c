/* Cycles that reads within calculations close: prerequisites that were declared cannot form one, so
 * a read does that was not declared. Who reads whom is said as a failure of the context.
 */
#include "system/evaluation/evaluator-private.h"

#include <string.h>

#include "base/text.h"

/* The place in context->calling of the first calculation under way that @entry depends on,
 * or -1. */
static int
find_cycle (const WeirEvaluator *self, WeirContext *context, guint32 entry)
{
  guint64 *upstream = weir_context_take_spare (context);
  guint32 low = weir_evaluator_collect (self->layout, context->stale, context->disabled, upstream,
                                        entry);
  gboolean closes = FALSE;
  guint from = 0;

  for (guint32 w = low; w <= entry / 64; w++)
    closes |= (upstream[w] & context->busy[w]) != 0;
  while (closes && !weir_bit (upstream, g_array_index (context->calling, guint32, from)))
    from++;
  memset (upstream + low, 0, (entry / 64 + 1 - low) * sizeof *upstream);
  g_ptr_array_add (context->spare, upstream);
  return closes ? (int) from : -1;
}

/* "a reads b", where @text is "a"; NULL: no more than "b". (transfer full) */
static WeirMessage *
add_reader (const WeirEvaluator *self, WeirMessage *text, guint32 entry)
{
  g_autoptr (WeirMessage) before = text;
  g_autofree char *path = weir_layout_dup_entry_path (self->layout, (WeirEntry) { entry });

  return text == NULL ? weir_message_new_literal (path)
                      : weir_message_new (N_ ("%s reads %s"), weir_message_get_text (text), path);
}

/* Who reads whom, from the calculation at @from of those under way on. */
static WeirMessage *
list_readers (const WeirEvaluator *self, const WeirContext *context, guint from)
{
  WeirMessage *text = NULL;

  for (guint k = from; k < context->n_calling; k++)
    text = add_reader (self, text, g_array_index (context->calling, guint32, k));
  return text;
}

static void
fail_in_cycle (WeirContext *context, const WeirMessage *text)
{
  weir_context_set_failure (context, "%s: a cycle, closed by a read that is not declared",
                            weir_message_get_text (text));
}

static void
explain_cycle (const WeirEvaluator *self, WeirContext *context, guint from, guint32 entry)
{
  guint32 first = g_array_index (context->calling, guint32, from);
  g_autofree char *first_path = weir_layout_dup_entry_path (self->layout, (WeirEntry) { first });
  g_autoptr (WeirMessage) text = add_reader (self, list_readers (self, context, from), entry);

  if (entry != first)
    {
      g_autoptr (WeirMessage) readers = g_steal_pointer (&text);

      text = weir_message_new (N_ ("%s, which depends on %s"), weir_message_get_text (readers),
                               first_path);
    }
  fail_in_cycle (context, text);
}

gboolean
weir_evaluator_fail_before_cycle (const WeirEvaluator *self, WeirContext *context, guint32 entry)
{
  int from = find_cycle (self, context, entry);

  if (from >= 0)
    explain_cycle (self, context, (guint) from, entry);
  return from >= 0;
}

WeirStatus
weir_evaluator_fail_in_cycle (const WeirEvaluator *self, WeirContext *context, guint32 entry)
{
  g_autoptr (WeirMessage) text = NULL;
  guint from = 0;

  while (g_array_index (context->calling, guint32, from) != entry)
    from++;
  text = list_readers (self, context, from);
  if (context->depth > 0 && context->awaited != entry)
    text = add_reader (self, g_steal_pointer (&text), context->awaited);
  if (context->demanded == entry && context->demander != context->awaited)
    text = add_reader (self, g_steal_pointer (&text), context->demander);
  text = add_reader (self, g_steal_pointer (&text), entry);
  fail_in_cycle (context, text);
  return WEIR_FAILED;
}

/* Cycles that reads within calculations close: prerequisites that were declared cannot form one, so
 * a read does that was not declared. Who reads whom is said as a failure of the context.
 */
#include "system/evaluation/evaluator-private.h"

#include <string.h>

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

static void
append_reader (const WeirEvaluator *self, guint32 entry, GString *text)
{
  g_autofree char *path = weir_layout_dup_entry_path (self->layout, (WeirEntry) { entry });

  g_string_append_printf (text, "%s reads ", path);
}

/* Who reads whom, from the calculation at @from of those under way on. */
static void
append_readers (const WeirEvaluator *self, const WeirContext *context, guint from, GString *text)
{
  for (guint k = from; k < context->n_calling; k++)
    append_reader (self, g_array_index (context->calling, guint32, k), text);
}

static void
fail_in_cycle (WeirContext *context, GString *text, const char *last)
{
  g_string_append (text, last);
  weir_context_set_failure (context, "%s: a cycle, closed by a read that is not declared",
                            text->str);
}

static void
explain_cycle (const WeirEvaluator *self, WeirContext *context, guint from, guint32 entry)
{
  g_autoptr (GString) text = g_string_new (NULL);
  guint32 first = g_array_index (context->calling, guint32, from);
  g_autofree char *path = weir_layout_dup_entry_path (self->layout, (WeirEntry) { entry });
  g_autofree char *first_path = weir_layout_dup_entry_path (self->layout, (WeirEntry) { first });
  g_autofree char *last = g_strconcat (path, ", which depends on ", first_path, NULL);

  append_readers (self, context, from, text);
  fail_in_cycle (context, text, entry == first ? path : last);
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
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *path = weir_layout_dup_entry_path (self->layout, (WeirEntry) { entry });
  guint from = 0;

  while (g_array_index (context->calling, guint32, from) != entry)
    from++;
  append_readers (self, context, from, text);
  if (context->depth > 0 && context->awaited != entry)
    append_reader (self, context->awaited, text);
  if (context->demanded == entry && context->demander != context->awaited)
    append_reader (self, context->demander, text);
  fail_in_cycle (context, text, path);
  return WEIR_FAILED;
}

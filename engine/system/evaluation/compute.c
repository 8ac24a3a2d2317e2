/* One calculation: calling an entry's kernel or function, and saying why it gave no value. See
 * evaluator-private.h. */
#include "system/observation/observation-private.h"
#include "base/phrase.h"
#include "base/text.h"
#include "system/evaluation/evaluator-private.h"

#include <math.h>
#include <string.h>

#include "numerics/number.h"
#include "system/context/inspection.h"

/* Completes the sentence of a calculation that failed. That of a loop is whole, and names its
 * blocks; its leaf's own name says nothing to anyone. */
static void
explain_failure (const WeirEvaluator *self, WeirContext *context, guint32 e)
{
  guint element = weir_context_get_failed_element (context);
  WeirFailurePlace place = { .node = { self->layout->node_of[e] },
                             .entry = { e },
                             .element = element == G_MAXUINT ? 0 : element };
  g_autofree char *path = weir_layout_dup_entry_path (self->layout, (WeirEntry) { e });
  g_autoptr (WeirMessage) name = element == G_MAXUINT
                                     ? weir_message_new_literal (path)
                                     : weir_value_name_new (self->layout, place.entry, element);
  g_autoptr (WeirMessage) text = NULL;
  char time[WEIR_TIME_TEXT_SIZE];

  if (context->failure != NULL && self->layout->nodes[place.node.i].shape->is_loop)
    {
      weir_context_set_failure_place (context, place);
      return;
    }
  weir_time_to_text (context->now, NAN, time);
  text = weir_message_new (N_ ("%s cannot be computed at t = %s: %s"), weir_message_get_text (name),
                           time,
                           context->failure != NULL ? weir_message_get_text (context->failure)
                                                    : weir_phrase (N_ ("the calculation failed")));
  text = weir_context_add_inputs (context, e, g_steal_pointer (&text));
  weir_context_set_failure (context, "%s", weir_message_get_text (text));
  weir_context_set_failure_place (context, place);
}

/* Every declared input must have a value; a lazy calculation asks for each when it demands it. */
static WeirStatus
check_inputs (const WeirEvaluator *self, WeirContext *context, guint32 e)
{
  const WeirEntryDecl *decl = weir_layout_decl (self->layout, e);
  guint32 n = self->layout->node_of[e];

  for (guint k = 0; k < decl->n_primary && !decl->is_lazy; k++)
    {
      WeirItem item = weir_shape_item (self->layout->nodes[n].shape, decl->primary[k]);

      if (item.kind == WEIR_ITEM_INPUT
          && !weir_context_has_value (context, weir_context_trace (context, n, item.index)))
        return weir_context_fail_without_value (context, n, item.index);
    }
  return WEIR_OK;
}

/* A diagram's own entries: derivatives and updates are collected by lying side by side, energies
 * are summed. */
static WeirStatus
compute_diagram (const WeirLayout *layout, const WeirContext *context, guint32 e, double *out)
{
  if (weir_layout_decl (layout, e)->kind != WEIR_ENTRY_ENERGY)
    {
      const double *own = context->arena + layout->value_offset[e];

      if (out != own)
        memcpy (out, own, weir_layout_decl (layout, e)->size * sizeof *out);
      return WEIR_OK;
    }
  *out = 0;
  for (guint32 k = layout->up_first[e]; k < layout->up_first[e + 1]; k++)
    *out += context->arena[layout->value_offset[layout->ups[k]]];
  return WEIR_OK;
}

static WeirStatus
compute_kernel (const WeirEvaluator *self, WeirContext *context, guint32 e, double *out)
{
  const WeirLayout *layout = self->layout;
  const WeirEntryDecl *decl = weir_layout_decl (layout, e);
  guint32 n = layout->node_of[e];
  WeirStream room[WEIR_MAX_OPERANDS_ON_STACK];
  WeirStream *streams = decl->n_depends <= WEIR_MAX_OPERANDS_ON_STACK
                            ? room
                            : g_new (WeirStream, decl->n_depends);
  gboolean check = weir_context_is (context, WEIR_MODES_OF_TRACING);

  room[0] = (WeirStream) { NULL, 0 }; /* a kernel may have no operand */

  for (guint k = 0; k < decl->n_depends; k++)
    {
      WeirAddress address = layout->operands[layout->operand_first[e] + k];

      if (G_UNLIKELY (check))
        {
          WeirItem item = weir_shape_item (layout->nodes[n].shape, decl->depends[k]);

          if (item.kind == WEIR_ITEM_INPUT)
            {
              WeirOrigin origin = weir_context_trace (context, n, item.index);

              if (!weir_context_has_value (context, origin))
                return weir_context_fail_without_value (context, n, item.index);
              address = weir_layout_address (layout, origin);
            }
        }
      streams[k].base = weir_context_resolve (context, address);
      streams[k].stride = decl->broadcast[k] ? 0 : 1;
    }
  self->code[e]->kernel (streams, decl->n_depends, decl->variant, out, 1, decl->size);
  if (streams != room)
    g_free (streams);
  return WEIR_OK;
}

/* Calls an abstract calculation and takes its value, if that has the declared type. */
static WeirStatus
call_abstract (const WeirCalc *calc, const WeirEntryDecl *decl, WeirAbstractFunc func,
               GVariant **out)
{
  GVariant *value = NULL;
  WeirStatus status = func (calc, &value);

  if (value != NULL)
    g_variant_take_ref (value);
  if (status == WEIR_OK && !calc->has_failed
      && (value == NULL || !g_variant_is_of_type (value, decl->type)))
    {
      g_autofree char *type = g_variant_type_dup_string (decl->type);

      if (value != NULL)
        weir_context_set_failure (calc->context,
                                  "its type is \"%s\", but the calculation gave \"%s\"", type,
                                  g_variant_get_type_string (value));
      else
        weir_context_set_failure (calc->context,
                                  "its type is \"%s\", but the calculation gave nothing", type);
      status = WEIR_FAILED;
    }
  if (status == WEIR_OK && !calc->has_failed)
    {
      GVariant *old = *out;

      *out = g_steal_pointer (&value);
      g_clear_pointer (&old, g_variant_unref);
    }
  g_clear_pointer (&value, g_variant_unref);
  return status;
}

/* The calculation writes into a room with guards. */
static WeirStatus
call_observed (const WeirCalc *calc, guint size, WeirCalcFunc func, double *out)
{
  double *room = weir_observer_make_room (size, NULL);
  WeirStatus status = func (calc, room);

  return weir_observer_take_result (calc, status, room, size, out);
}

/* Counts the entries among the inputs that a lazy calculation read. */
static void
count_demanded (const WeirCalc *calc)
{
  WeirContext *context = calc->context;

  for (guint64 left = calc->demanded; left != 0; left &= left - 1)
    {
      WeirOrigin origin = weir_context_trace (context, calc->node_index,
                                              (guint) __builtin_ctzll (left));

      if (origin.kind != WEIR_ORIGIN_ENTRY)
        continue;
      context->reads[origin.index]++;
      if (G_UNLIKELY (weir_context_is (context, WEIR_MODE_LOGGED)))
        weir_log_ring_note_inner (context, WEIR_LOG_READ, origin.index, calc->entry);
    }
}

/* Calls the calculation that a leaf declared. */
static inline WeirStatus
call_code (const WeirEvaluator *self, WeirContext *context, guint32 e, gpointer out,
           guint32 *pending)
{
  const WeirLayout *layout = self->layout;
  const WeirEntryCode *code = self->code[e];
  WeirCalc calc = weir_calc_of (self, context, layout->node_of[e]);
  WeirStatus status;

  calc.entry = e;
  if (!weir_context_is (context, WEIR_MODE_FROZEN))
    {
      if (G_UNLIKELY (weir_bit (context->busy, e)))
        return weir_evaluator_fail_in_cycle (self, context, e);
      weir_context_enter (context, e);
    }
  if (G_UNLIKELY (context->observer != NULL))
    calc.seen = weir_observer_begin (context->observer, context, e);
  if (code->abstract != NULL)
    status = call_abstract (&calc, weir_layout_decl (layout, e), code->abstract, out);
  else if (G_UNLIKELY (calc.seen != NULL))
    status = call_observed (&calc, weir_layout_decl (layout, e)->size, code->calc, out);
  else
    status = code->calc (&calc, out);
  if (!weir_context_is (context, WEIR_MODE_FROZEN))
    weir_context_leave (context, e);
  if (G_UNLIKELY (context->has_reentered))
    {
      context->has_reentered = FALSE;
      calc.has_failed = TRUE;
    }
  if (calc.has_failed)
    status = WEIR_FAILED;
  else if (status == WEIR_PENDING && calc.pending != WEIR_NO_INDEX)
    {
      *pending = calc.pending;
      return WEIR_PENDING;
    }
  if (status != WEIR_OK && status != WEIR_FAILED)
    {
      weir_context_set_failure (context,
                                "the calculation returned status %d, which only event "
                                "handlers and lazy calculations may",
                                status);
      status = WEIR_FAILED;
    }
  if (weir_bit (layout->lazy, e) && !weir_context_is (context, WEIR_MODE_UNCACHED)
      && !weir_context_is (context, WEIR_MODE_FROZEN))
    count_demanded (&calc);
  return status;
}

WeirStatus
weir_evaluator_compute (const WeirEvaluator *self, WeirContext *context, guint32 e, gpointer out,
                        guint32 *pending)
{
  const WeirEntryCode *code = self->code[e];
  WeirStatus status = WEIR_OK;

  if (code == NULL)
    return compute_diagram (self->layout, context, e, out);
  if (code->kernel != NULL)
    status = compute_kernel (self, context, e, out);
  else
    {
      if (G_UNLIKELY (weir_context_is (context, WEIR_MODE_MISSING)))
        status = check_inputs (self, context, e);
      if (G_LIKELY (status == WEIR_OK))
        status = call_code (self, context, e, out, pending);
    }
  if (G_UNLIKELY (status == WEIR_FAILED))
    explain_failure (self, context, e);
  return status;
}

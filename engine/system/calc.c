/* The accessors that computations read through. See calc.h. */
#include "system/calc.h"

#include "system/evaluator-private.h"
#include "system/observe-private.h"

/* A read that the entry did not declare may meet a value that is out of date: it is brought up to
 * date here, so that a wrong declaration never yields garbage, only a value that the cache keeps
 * too long. */
static const double *
read_entry (const WeirCalc *c, guint32 entry)
{
  WeirContext *context = c->context;

  if (c->entry == WEIR_NO_INDEX) /* an event handler's reads are requests from outside */
    ((WeirCalc *) c)->has_failed |= weir_evaluator_request (c->evaluator, context, entry, NULL)
                                    != WEIR_OK;
  else if (G_UNLIKELY (weir_bit (context->stale, entry))
           && weir_evaluator_request_nested (c->evaluator, context, entry) != WEIR_OK)
    ((WeirCalc *) c)->has_failed = TRUE;
  return context->arena + c->evaluator->layout->value_offset[entry];
}

double
weir_calc_time (const WeirCalc *c)
{
  weir_calc_observe (c, WEIR_TICKET_TIME);
  return c->context->now;
}

double
weir_calc_accuracy (const WeirCalc *c)
{
  weir_calc_observe (c, WEIR_TICKET_ACCURACY);
  return c->context->arena[WEIR_ARENA_ACCURACY];
}

const double *
weir_calc_q (const WeirCalc *c)
{
  weir_calc_observe (c, WEIR_TICKET_Q);
  return c->context->x + c->node->state_offset;
}

const double *
weir_calc_v (const WeirCalc *c)
{
  weir_calc_observe (c, WEIR_TICKET_V);
  return c->context->x + c->node->state_offset + c->node->shape->nq;
}

const double *
weir_calc_z (const WeirCalc *c)
{
  weir_calc_observe (c, WEIR_TICKET_Z);
  return c->context->x + c->node->state_offset + c->node->shape->nq + c->node->shape->nv;
}

const double *
weir_calc_xc (const WeirCalc *c)
{
  weir_calc_observe (c, WEIR_TICKET_XC);
  return c->context->x + c->node->state_offset;
}

const double *
weir_calc_discrete (const WeirCalc *c, WeirGroup group)
{
  if (G_UNLIKELY (c->seen != NULL))
    weir_calc_observe (c, weir_shape_group (c->node->shape, group.i)->ticket);
  return c->context->arena + c->evaluator->layout->group_slots[c->node->first_group + group.i];
}

const double *
weir_calc_parameter (const WeirCalc *c, WeirParameter parameter)
{
  if (G_UNLIKELY (c->seen != NULL))
    weir_calc_observe (c, weir_shape_parameter (c->node->shape, parameter.i)->ticket);
  return c->context->arena
         + c->evaluator->layout->parameter_slots[c->node->first_parameter + parameter.i];
}

const double *
weir_calc_input (const WeirCalc *c, WeirInput in)
{
  WeirOrigin origin = weir_context_trace (c->context, c->node_index, in.i);

  if (G_UNLIKELY (c->seen != NULL))
    weir_calc_observe (c, weir_shape_input (c->node->shape, in.i)->ticket);
  if (origin.kind == WEIR_ORIGIN_ENTRY)
    return read_entry (c, origin.index);
  return weir_context_resolve (c->context, weir_layout_address (c->evaluator->layout, origin));
}

const double *
weir_calc_cached (const WeirCalc *c, WeirCached entry)
{
  if (G_UNLIKELY (c->seen != NULL))
    weir_calc_observe (c, weir_shape_entry (c->node->shape, entry.i)->ticket);
  return read_entry (c, c->evaluator->layout->entry_of_local[c->node->first_entry + entry.i]);
}

GVariant *
weir_calc_abstract_state (const WeirCalc *c, WeirGroup state)
{
  return weir_context_abstract_at (c->context, weir_calc_discrete (c, state));
}

GVariant *
weir_calc_abstract_parameter (const WeirCalc *c, WeirParameter parameter)
{
  return weir_context_abstract_at (c->context, weir_calc_parameter (c, parameter));
}

GVariant *
weir_calc_abstract_input (const WeirCalc *c, WeirInput in)
{
  return weir_context_abstract_at (c->context, weir_calc_input (c, in));
}

GVariant *
weir_calc_abstract_cached (const WeirCalc *c, WeirCached entry)
{
  return weir_context_abstract_at (c->context, weir_calc_cached (c, entry));
}

guint
weir_calc_input_size (const WeirCalc *c, WeirInput in)
{
  return weir_shape_input (c->node->shape, in.i)->size;
}

guint
weir_calc_parameter_size (const WeirCalc *c, WeirParameter parameter)
{
  return weir_shape_parameter (c->node->shape, parameter.i)->size;
}

guint
weir_calc_get_index (const WeirCalc *c)
{
  return c->entry != WEIR_NO_INDEX ? c->evaluator->layout->local_of[c->entry] : c->event;
}

gconstpointer
weir_calc_data (const WeirCalc *c)
{
  return c->data != NULL ? g_bytes_get_data (c->data, NULL) : c->node->shape->data;
}

gboolean
weir_calc_demand (const WeirCalc *c, WeirInput in)
{
  WeirCalc *self = (WeirCalc *) c; /* the engine's own part of the call */
  WeirContext *context = c->context;
  WeirOrigin origin = weir_context_trace (context, c->node_index, in.i);

  if (G_UNLIKELY (c->seen != NULL))
    weir_calc_observe (c, weir_shape_input (c->node->shape, in.i)->ticket);
  if (origin.kind == WEIR_ORIGIN_ENTRY)
    {
      if (G_UNLIKELY (context->n_disabled > 0 && weir_bit (context->disabled, origin.index)))
        {
          /* Computed at each read; the request counts it. */
          self->has_failed = weir_evaluator_request_nested (c->evaluator, context, origin.index)
                             != WEIR_OK;
          return !self->has_failed;
        }
      if (weir_bit (context->stale, origin.index))
        {
          self->pending = origin.index;
          return FALSE;
        }
    }
  else if (context->n_missing > 0 && !weir_context_has_value (context, origin))
    {
      weir_context_fail_without_value (context, c->node_index, in.i);
      self->has_failed = TRUE;
      return FALSE;
    }
  self->demanded |= G_GUINT64_CONSTANT (1) << in.i;
  return TRUE;
}

WeirStatus
weir_calc_fail (const WeirCalc *c, const char *format, ...)
{
  va_list arguments;
  char *text;

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  weir_context_set_failure (c->context, "%s", text);
  g_free (text);
  return WEIR_FAILED;
}

int
weir_calc_crossing (const WeirCalc *c, guint k)
{
  return c->occurrence != NULL && c->occurrence->directions != NULL ? c->occurrence->directions[k]
                                                                    : 0;
}

void
weir_calc_note (const WeirCalc *c, const char *format, ...)
{
  va_list arguments;

  g_return_if_fail (c->occurrence != NULL); /* only handlers may */

  g_free (c->occurrence->message);
  va_start (arguments, format);
  c->occurrence->message = g_strdup_vprintf (format, arguments);
  va_end (arguments);
}

/* The accessors that computations read through. See calc.h. */
#include "system/evaluation/calc.h"

#include "base/sync.h"
#include "system/evaluation/calc-native.h"
#include "system/evaluation/evaluator-private.h"
#include "system/observation/observation-private.h"

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

WEIR_COVERS_COMMON (WEIR_TICKET_ACCURACY);

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

/* The words of what a leaf has, whichever kind of value it is; @is_abstract: what is asked for.
 * NULL: there is no such thing, and the call has failed. */

static const double *
read_group (const WeirCalc *c, WeirGroup group, gboolean is_abstract)
{
  if (!weir_calc_has (c, WEIR_ITEM_GROUP, group.i, is_abstract))
    return NULL;
  if (G_UNLIKELY (c->seen != NULL))
    weir_calc_observe (c, weir_shape_group (c->node->shape, group.i)->ticket);
  return c->context->arena + c->evaluator->layout->group_slots[c->node->first_group + group.i];
}

static const double *
read_parameter (const WeirCalc *c, WeirParameter parameter, gboolean is_abstract)
{
  if (!weir_calc_has (c, WEIR_ITEM_PARAMETER, parameter.i, is_abstract))
    return NULL;
  if (G_UNLIKELY (c->seen != NULL))
    weir_calc_observe (c, weir_shape_parameter (c->node->shape, parameter.i)->ticket);
  return c->context->arena
         + c->evaluator->layout->parameter_slots[c->node->first_parameter + parameter.i];
}

/* A wire that ends nowhere has no value, whoever reads it. */
static inline gboolean
has_value (const WeirCalc *c, WeirOrigin origin, WeirInput in)
{
  if (G_LIKELY (weir_context_has_value (c->context, origin)))
    return TRUE;
  weir_context_fail_without_value (c->context, c->node_index, in.i);
  ((WeirCalc *) c)->has_failed = TRUE;
  return FALSE;
}

static const double *
read_input (const WeirCalc *c, WeirInput in, gboolean is_abstract)
{
  WeirOrigin origin;

  if (!weir_calc_has (c, WEIR_ITEM_INPUT, in.i, is_abstract))
    return NULL;
  origin = weir_context_trace (c->context, c->node_index, in.i);
  if (G_UNLIKELY (c->seen != NULL))
    weir_calc_observe (c, weir_shape_input (c->node->shape, in.i)->ticket);
  if (origin.kind == WEIR_ORIGIN_ENTRY)
    return read_entry (c, origin.index);
  if (origin.kind == WEIR_ORIGIN_FIXED)
    has_value (c, origin, in);
  return weir_context_resolve (c->context, weir_layout_address (c->evaluator->layout, origin));
}

static const double *
read_cached (const WeirCalc *c, WeirCached entry, gboolean is_abstract)
{
  if (!weir_calc_has (c, WEIR_ITEM_ENTRY, entry.i, is_abstract))
    return NULL;
  if (G_UNLIKELY (c->seen != NULL))
    weir_calc_observe (c, weir_shape_entry (c->node->shape, entry.i)->ticket);
  return read_entry (c, c->evaluator->layout->entry_of_local[c->node->first_entry + entry.i]);
}

static inline const double *
numbers_at (const WeirCalc *c, const double *words)
{
  return G_LIKELY (words != NULL) ? words : weir_observer_get_zeros (c->context->observer);
}

static GVariant *
abstract_at (const WeirCalc *c, const double *word)
{
  return G_LIKELY (word != NULL) ? weir_context_abstract_at (c->context, word)
                                 : weir_observer_get_nothing (c->context->observer);
}

const double *
weir_calc_discrete (const WeirCalc *c, WeirGroup group)
{
  return numbers_at (c, read_group (c, group, FALSE));
}

const double *
weir_calc_parameter (const WeirCalc *c, WeirParameter parameter)
{
  return numbers_at (c, read_parameter (c, parameter, FALSE));
}

const double *
weir_calc_input (const WeirCalc *c, WeirInput in)
{
  return numbers_at (c, read_input (c, in, FALSE));
}

const double *
weir_calc_cached (const WeirCalc *c, WeirCached entry)
{
  return numbers_at (c, read_cached (c, entry, FALSE));
}

GVariant *
weir_calc_abstract_state (const WeirCalc *c, WeirGroup state)
{
  return abstract_at (c, read_group (c, state, TRUE));
}

GVariant *
weir_calc_abstract_parameter (const WeirCalc *c, WeirParameter parameter)
{
  return abstract_at (c, read_parameter (c, parameter, TRUE));
}

GVariant *
weir_calc_abstract_input (const WeirCalc *c, WeirInput in)
{
  return abstract_at (c, read_input (c, in, TRUE));
}

GVariant *
weir_calc_abstract_cached (const WeirCalc *c, WeirCached entry)
{
  return abstract_at (c, read_cached (c, entry, TRUE));
}

guint
weir_calc_input_size (const WeirCalc *c, WeirInput in)
{
  if (G_UNLIKELY (c->seen != NULL) && !weir_observer_check_exists (c, WEIR_ITEM_INPUT, in.i))
    return 0;
  return weir_shape_input (c->node->shape, in.i)->size;
}

guint
weir_calc_parameter_size (const WeirCalc *c, WeirParameter parameter)
{
  if (G_UNLIKELY (c->seen != NULL)
      && !weir_observer_check_exists (c, WEIR_ITEM_PARAMETER, parameter.i))
    return 0;
  return weir_shape_parameter (c->node->shape, parameter.i)->size;
}

guint
weir_calc_get_index (const WeirCalc *c)
{
  return c->entry != WEIR_NO_INDEX ? c->evaluator->layout->local_of[c->entry] : c->event;
}

const gint *
weir_calc_get_cancel (const WeirCalc *c)
{
  return c->context->cancel;
}

gconstpointer
weir_calc_data (const WeirCalc *c)
{
  return c->node->shape->data;
}

gboolean
weir_calc_demand (const WeirCalc *c, WeirInput in)
{
  WeirCalc *self = (WeirCalc *) c; /* the engine's own part of the call */
  WeirContext *context = c->context;
  WeirOrigin origin;

  if (G_UNLIKELY (c->seen != NULL))
    {
      if (!weir_observer_check_exists (c, WEIR_ITEM_INPUT, in.i))
        return FALSE;
      weir_calc_observe (c, weir_shape_input (c->node->shape, in.i)->ticket);
    }
  origin = weir_context_trace (context, c->node_index, in.i);
  if (origin.kind == WEIR_ORIGIN_ENTRY)
    {
      if (G_UNLIKELY (weir_context_is (context, WEIR_MODE_DISABLED)
                      && weir_bit (context->disabled, origin.index)))
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
  else if (!has_value (c, origin, in))
    return FALSE;
  self->demanded |= G_GUINT64_CONSTANT (1) << in.i;
  return TRUE;
}

static void G_GNUC_PRINTF (2, 0) fail (const WeirCalc *c, const char *format, va_list arguments)
{
  g_autoptr (WeirMessage) text = weir_message_new_valist (format, arguments);

  weir_context_set_failure (c->context, "%s", weir_message_get_text (text));
}

WeirStatus
weir_calc_fail (const WeirCalc *c, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  fail (c, format, arguments);
  va_end (arguments);
  return WEIR_FAILED;
}

WeirStatus
weir_calc_fail_element (const WeirCalc *c, guint element, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  fail (c, format, arguments);
  va_end (arguments);
  weir_context_set_failed_element (c->context, element);
  return WEIR_FAILED;
}

int
weir_calc_crossing (const WeirCalc *c, guint k)
{
  if (G_UNLIKELY (c->seen != NULL) && !weir_observer_check_crossing (c, k))
    return 0;
  return c->occurrence != NULL && c->occurrence->directions != NULL ? c->occurrence->directions[k]
                                                                    : 0;
}

static void G_GNUC_PRINTF (3, 0)
    note (const WeirCalc *c, gboolean is_warning, const char *format, va_list arguments)
{
  g_return_if_fail (c->occurrence != NULL); /* only handlers may */

  weir_message_unref (c->occurrence->message);
  c->occurrence->message = weir_message_new_valist (format, arguments);
  c->occurrence->is_warning = is_warning;
}

void
weir_calc_note (const WeirCalc *c, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  note (c, FALSE, format, arguments);
  va_end (arguments);
}

void
weir_calc_warn (const WeirCalc *c, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  note (c, TRUE, format, arguments);
  va_end (arguments);
}

/* --- Native code ----------------------------------------------------------------------------- */

gpointer
weir_calc_get_native (const WeirCalc *c, gpointer (*make) (gconstpointer data, gsize size),
                      GDestroyNotify free)
{
  WeirSystem *leaf = c->evaluator->systems[c->node_index];
  gpointer value = g_atomic_pointer_get (&leaf->native.value);

  if (G_UNLIKELY (weir_context_is (c->context, WEIR_MODE_INTERPRETS) || c->seen != NULL))
    return NULL;
  if (G_LIKELY (value != NULL))
    return value;
  weir_sync_lock (&leaf->root_mutex);
  value = g_atomic_pointer_get (&leaf->native.value);
  if (value == NULL)
    {
      value = make (c->node->shape->data, c->node->shape->data_size);
      leaf->native.free = free;
      g_atomic_pointer_set (&leaf->native.value, value);
    }
  weir_sync_unlock (&leaf->root_mutex);
  return value;
}

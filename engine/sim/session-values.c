/* The values of ports that are shown, for the snapshots of a run.
 *
 * They are worked out on a clone of the context, whose caching is on: what is up to date in the run
 * is taken from there, the rest is computed beside it, and no counter, flag or value of the run
 * changes. Within a step the context is in between two states: then the values of its beginning
 * stay. Thread: the context's owner.
 */
#include <math.h>
#include <string.h>

#include "sim/session-private.h"
#include "system/evaluation/eval.h"

/* A difference in time of which a rate is made: half the digits of the time are left for it. */
#define STEP 1e-7
#define LEAST_SCALE 1e-3 /* s */

static guint
get_size (WeirLayout *layout, const WeirShownPort *port)
{
  return port->is_input ? weir_layout_get_input_size (layout, port->node,
                                                      (WeirInput) { (guint16) port->index })
                        : weir_layout_get_output_size (layout, port->node,
                                                       (WeirOutput) { (guint16) port->index });
}

/* NULL: it cannot be computed, or is no array of numbers. */
static const double *
eval_port (WeirRun *self, WeirContext *context, const WeirShownPort *port)
{
  WeirInput in = { (guint16) port->index };
  WeirOutput out = { (guint16) port->index };

  if (port->is_input)
    return weir_layout_get_input_type (self->layout, port->node, in) == NULL
               ? weir_eval_input (self->root, context, port->node, in)
               : NULL;
  return weir_layout_get_output_type (self->layout, port->node, out) == NULL
             ? weir_eval_output (self->root, context, port->node, out)
             : NULL;
}

/* Follows the derivatives for @step seconds, so that rates are differences. FALSE: there are none.
 */
static gboolean
move_along (WeirRun *self, WeirContext *clone, double step)
{
  guint n = weir_layout_get_n_states (self->layout);
  const double *derivatives = n > 0 ? weir_eval_derivatives (self->root, clone) : NULL;
  g_autofree double *state = NULL;

  if (n > 0 && derivatives == NULL)
    return FALSE;
  if (n > 0)
    {
      state = g_memdup2 (weir_context_get_state (clone), n * sizeof *state);
      for (guint i = 0; i < n; i++)
        state[i] += step * derivatives[i];
      weir_context_set_state (clone, state);
    }
  weir_context_set_time (clone, weir_context_get_time (clone) + step);
  return TRUE;
}

/* Puts rates in the place of values, where they are wanted. */
static void
find_rates (WeirRun *self, WeirContext *clone)
{
  WeirShownValues *shown = &self->shown;
  double before = weir_context_get_time (clone), step = STEP * fmax (fabs (before), LEAST_SCALE);
  gboolean is_wanted = FALSE, is_moved;
  gsize at = 0;

  for (guint i = 0; i < shown->ports->len; i++)
    is_wanted = is_wanted || g_array_index (shown->ports, WeirShownPort, i).is_rate;
  if (!is_wanted)
    return;
  is_moved = move_along (self, clone, step);
  step = weir_context_get_time (clone) - before;
  for (guint i = 0; i < shown->ports->len; i++)
    {
      const WeirShownPort *port = &g_array_index (shown->ports, WeirShownPort, i);
      guint size = get_size (self->layout, port);
      const double *value = port->is_rate && is_moved ? eval_port (self, clone, port) : NULL;
      guint8 *has_value = &g_array_index (shown->has_value, guint8, i);

      *has_value = *has_value && (value != NULL || !port->is_rate);
      for (guint k = 0; value != NULL && k < size; k++)
        {
          double *rate = &g_array_index (shown->values, double, at + k);

          *rate = (value[k] - *rate) / step;
        }
      at += size;
    }
}

static void
find_values (WeirRun *self)
{
  WeirShownValues *shown = &self->shown;
  g_autoptr (WeirContext) clone = weir_context_clone (self->context);
  gsize at = 0;

  weir_context_set_frozen (clone, FALSE);
  if (!weir_context_get_caching (clone))
    weir_context_set_all_out_of_date (clone); /* the run makes no use of what is there */
  weir_context_set_caching (clone, TRUE);
  weir_context_set_node_caching (clone, (WeirNode) { 0 }, TRUE);
  for (guint i = 0; i < shown->ports->len; i++)
    {
      const WeirShownPort *port = &g_array_index (shown->ports, WeirShownPort, i);
      guint size = get_size (self->layout, port);
      const double *value = eval_port (self, clone, port);

      g_array_index (shown->has_value, guint8, i) = value != NULL;
      if (value != NULL)
        memcpy (&g_array_index (shown->values, double, at), value, size * sizeof *value);
      at += size;
    }
  find_rates (self, clone);
  shown->time = weir_context_get_time (self->context);
}

void
weir_run_set_shown (WeirRun *self, GArray *ports, guint serial)
{
  WeirShownValues *shown = &self->shown;
  gsize size = 0;

  for (guint i = 0; i < ports->len; i++)
    size += get_size (self->layout, &g_array_index (ports, WeirShownPort, i));
  weir_run_clear_values (self);
  *shown = (WeirShownValues) { .ports = ports,
                               .serial = serial,
                               .values = g_array_new (FALSE, TRUE, sizeof (double)),
                               .has_value = g_array_new (FALSE, TRUE, sizeof (guint8)) };
  g_array_set_size (shown->values, (guint) size);
  g_array_set_size (shown->has_value, ports->len);
}

static void
copy_array (GArray **to, const GArray *from, guint size)
{
  if (*to == NULL)
    *to = g_array_new (FALSE, FALSE, size);
  g_array_set_size (*to, 0);
  g_array_append_vals (*to, from->data, from->len);
}

void
weir_run_fill_values (WeirRun *self, WeirSnapshotBuffer *buffer)
{
  WeirShownValues *shown = &self->shown;

  buffer->snapshot.shown_serial = shown->serial;
  buffer->snapshot.n_shown = 0;
  if (shown->ports == NULL)
    return;
  if (!self->is_in_step && shown->ports->len > 0)
    find_values (self);
  copy_array (&buffer->values, shown->values, sizeof (double));
  copy_array (&buffer->has_value, shown->has_value, sizeof (guint8));
  buffer->snapshot.n_shown = shown->ports->len;
  buffer->snapshot.values = (const double *) (gpointer) buffer->values->data;
  buffer->snapshot.has_value = (const guint8 *) buffer->has_value->data;
  buffer->snapshot.values_time = shown->time;
}

void
weir_run_clear_values (WeirRun *self)
{
  g_clear_pointer (&self->shown.ports, g_array_unref);
  g_clear_pointer (&self->shown.values, g_array_unref);
  g_clear_pointer (&self->shown.has_value, g_array_unref);
}

/* The model as functions of its state and of chosen signals. See operating-point.h.
 *
 * All evaluation goes through the cache of an own copy of the context, so that moving one input
 * computes what depends on it and no more.
 */
#include "analysis/operating-point.h"

#include <string.h>

#include "base/error.h"
#include "base/status.h"
#include "system/evaluation/eval.h"
#include "system/evaluation/event.h"

typedef enum {
  SIGNAL_PORT,
  SIGNAL_GROUP,  /* an input: discrete state */
  SIGNAL_UPDATE, /* an output: what an event makes of it */
} SignalKind;

typedef struct {
  SignalKind kind;
  char *path;
  WeirNode node;
  gboolean is_input; /* a port of the kind */
  WeirInput in;
  WeirOutput out;
  WeirGroup group;
  guint event;
  guint first, size; /* elements */
  GArray *places;    /* WeirInputPlace: of a chosen input, what is fixed */
} Signal;

struct _WeirOperatingPoint {
  WeirSystem *root;
  WeirContext *context;
  WeirLayout *layout; /* borrowed */
  guint n_states, n_inputs, n_outputs;
  GArray *inputs, *outputs; /* Signal */
  GPtrArray *input_names, *output_names;
  GArray *updates; /* WeirPointUpdate */
  double *x, *u;
  WeirMessage *failure; /* or NULL */
};

static void
clear_signal (gpointer data)
{
  Signal *signal = data;

  g_free (signal->path);
  g_clear_pointer (&signal->places, g_array_unref);
}

/* --- Finding the signals --------------------------------------------------------------------- */

static gboolean
find_port (const WeirLayout *layout, const char *path, Signal *signal)
{
  const char *dot = strrchr (path, '.');
  g_autofree char *owner = dot != NULL ? g_strndup (path, (gsize) (dot - path)) : g_strdup ("");
  const char *name = dot != NULL ? dot + 1 : path;

  *signal = (Signal) { 0 };
  if (!weir_layout_find_node (layout, owner, &signal->node))
    return FALSE;
  signal->is_input = weir_layout_find_input (layout, signal->node, name, &signal->in);
  if (signal->is_input)
    signal->size = weir_layout_get_input_size (layout, signal->node, signal->in);
  else if (weir_layout_find_output (layout, signal->node, name, &signal->out))
    signal->size = weir_layout_get_output_size (layout, signal->node, signal->out);
  else
    return FALSE;
  return TRUE;
}

static void
list_names (const Signal *signal, GPtrArray *names)
{
  for (guint k = 0; k < signal->size; k++)
    g_ptr_array_add (names, signal->size == 1 ? g_strdup (signal->path)
                                              : g_strdup_printf ("%s[%u]", signal->path, k));
}

static gboolean
add_signals (WeirOperatingPoint *self, const char *const *paths, gboolean as_input, GError **error)
{
  GArray *signals = as_input ? self->inputs : self->outputs;
  GPtrArray *names = as_input ? self->input_names : self->output_names;

  for (; paths != NULL && *paths != NULL; paths++)
    {
      Signal signal;

      if (!find_port (self->layout, *paths, &signal))
        {
          weir_error_set (error, WEIR_ERROR_NOT_FOUND, "the model has no port \"%s\"", *paths);
          return FALSE;
        }
      if (signal.size == 0)
        {
          weir_error_set (error, WEIR_ERROR_INVALID, "the signal at %s is not made of numbers",
                          *paths);
          return FALSE;
        }
      for (guint i = 0; i < signals->len && (as_input || self->updates == NULL); i++)
        if (g_str_equal (g_array_index (signals, Signal, i).path, *paths))
          {
            weir_error_set (error, WEIR_ERROR_INVALID, "%s is named twice", *paths);
            return FALSE;
          }
      signal.path = g_strdup (*paths);
      signal.first = names->len;
      if (as_input)
        {
          WeirInputPlace own = { signal.node, signal.in };

          signal.places = g_array_new (FALSE, FALSE, sizeof (WeirInputPlace));
          if (signal.is_input)
            g_array_append_val (signal.places, own);
          else
            weir_layout_list_readers (self->layout, signal.node, signal.out, signal.places);
        }
      list_names (&signal, names);
      g_array_append_val (signals, signal);
    }
  return TRUE;
}

/* --- Discrete states -------------------------------------------------------------------------- */

/* The input that is the group which event @event writes, added if there is none yet. */
static guint
add_group (WeirOperatingPoint *self, const WeirDeclaredEvent *event)
{
  Signal signal = { .kind = SIGNAL_GROUP,
                    .node = event->node,
                    .group = event->group,
                    .size = event->size,
                    .first = self->input_names->len };
  g_autofree char *path = weir_layout_dup_path (self->layout, event->node);

  for (guint i = 0; i < self->inputs->len; i++)
    {
      const Signal *other = &g_array_index (self->inputs, Signal, i);

      if (other->kind == SIGNAL_GROUP && other->node.i == event->node.i
          && other->group.i == event->group.i)
        return other->first;
    }
  signal.path = g_strdup_printf ("%s:state %u", path, event->group.i);
  list_names (&signal, self->input_names);
  g_array_append_val (self->inputs, signal);
  return signal.first;
}

static void
add_updates (WeirOperatingPoint *self)
{
  for (guint i = 0; i < weir_system_get_n_events (self->root); i++)
    {
      WeirDeclaredEvent event = weir_system_get_event (self->root, i);
      WeirPointUpdate update = { event.period, event.offset, 0, self->output_names->len,
                                 event.size };
      Signal signal = { .kind = SIGNAL_UPDATE,
                        .node = event.node,
                        .event = i,
                        .size = event.size,
                        .first = self->output_names->len };
      g_autofree char *path = weir_layout_dup_path (self->layout, event.node);

      if (event.trigger != WEIR_TRIGGER_PERIODIC || event.action != WEIR_ACTION_DISCRETE_UPDATE
          || event.size == 0)
        continue;
      update.first_input = add_group (self, &event);
      signal.path = g_strdup_printf ("%s:next state %u", path, event.group.i);
      list_names (&signal, self->output_names);
      g_array_append_val (self->outputs, signal);
      g_array_append_val (self->updates, update);
    }
}

/* --- Values ---------------------------------------------------------------------------------- */

static const double *
eval_signal (WeirOperatingPoint *self, const Signal *signal)
{
  return signal->is_input ? weir_eval_input (self->root, self->context, signal->node, signal->in)
                          : weir_eval_output (self->root, self->context, signal->node, signal->out);
}

/* What the event would make of its group, by the values that there are. */
static gboolean
eval_update (WeirOperatingPoint *self, const Signal *signal, double *next)
{
  WeirDeclaredEvent event = weir_system_get_event (self->root, signal->event);
  WeirOccurrence occurrence = { 0 };
  WeirStatus status;

  memcpy (next, weir_context_get_discrete (self->context, event.node, event.group),
          signal->size * sizeof *next);
  status = weir_system_call_event (self->root, self->context, signal->event, &occurrence, next);
  weir_message_unref (occurrence.message);
  return status == WEIR_OK || status == WEIR_DID_NOTHING;
}

static gboolean
has_no_value (const WeirOperatingPoint *self, const Signal *signal)
{
  return signal->is_input
         && weir_layout_is_input_unconnected (self->layout, signal->node, signal->in)
         && !weir_context_is_input_fixed (self->context, signal->node, signal->in);
}

static void
fix (const WeirOperatingPoint *self, WeirContext *context, const double *u)
{
  for (guint i = 0; i < self->inputs->len; i++)
    {
      const Signal *signal = &g_array_index (self->inputs, Signal, i);

      if (signal->kind == SIGNAL_GROUP)
        {
          weir_context_set_discrete (context, signal->node, signal->group, u + signal->first);
          continue;
        }
      for (guint k = 0; k < signal->places->len; k++)
        {
          WeirInputPlace place = g_array_index (signal->places, WeirInputPlace, k);

          weir_context_fix_input (context, place.node, place.in, u + signal->first);
        }
    }
}

/* What an input is while nothing is cut; of an output that is chosen as one what was fixed behind
 * it, if anything was. */
static const double *
eval_input (WeirOperatingPoint *self, const Signal *signal)
{
  const WeirInputPlace *place = signal->places != NULL && signal->places->len > 0
                                    ? &g_array_index (signal->places, WeirInputPlace, 0)
                                    : NULL;

  if (signal->kind == SIGNAL_GROUP)
    return weir_context_get_discrete (self->context, signal->node, signal->group);
  if (place != NULL && weir_context_is_input_fixed (self->context, place->node, place->in))
    return weir_eval_input (self->root, self->context, place->node, place->in);
  return eval_signal (self, signal);
}

static gboolean
read_inputs (WeirOperatingPoint *self, GError **error)
{
  for (guint i = 0; i < self->inputs->len; i++)
    {
      const Signal *signal = &g_array_index (self->inputs, Signal, i);
      const double *value;

      if (has_no_value (self, signal))
        continue;
      value = eval_input (self, signal);
      if (value == NULL)
        {
          weir_error_set (error, WEIR_ERROR_FAILED, "%s", weir_context_get_failure (self->context));
          return FALSE;
        }
      memcpy (self->u + signal->first, value, signal->size * sizeof *value);
    }
  return TRUE;
}

/* @is_sampled: with discrete states. */
static WeirOperatingPoint *
operating_point_new (WeirSystem *root, const WeirContext *context, const char *const *inputs,
                     const char *const *outputs, gboolean is_sampled, GError **error)
{
  g_autoptr (WeirOperatingPoint) self = g_new0 (WeirOperatingPoint, 1);

  self->root = weir_system_ref (root);
  self->layout = weir_system_get_layout (root);
  self->context = weir_context_clone (context);
  self->n_states = weir_layout_get_n_states (self->layout);
  self->inputs = g_array_new (FALSE, FALSE, sizeof (Signal));
  self->outputs = g_array_new (FALSE, FALSE, sizeof (Signal));
  g_array_set_clear_func (self->inputs, clear_signal);
  g_array_set_clear_func (self->outputs, clear_signal);
  self->input_names = g_ptr_array_new_with_free_func (g_free);
  self->output_names = g_ptr_array_new_with_free_func (g_free);
  if (is_sampled)
    self->updates = g_array_new (FALSE, FALSE, sizeof (WeirPointUpdate));
  if (!add_signals (self, inputs, TRUE, error) || !add_signals (self, outputs, FALSE, error))
    return NULL;
  if (is_sampled)
    add_updates (self);
  self->n_inputs = self->input_names->len;
  self->n_outputs = self->output_names->len;
  self->x = g_new0 (double, self->n_states + 1);
  memcpy (self->x, weir_context_get_state (context), self->n_states * sizeof (double));
  self->u = g_new0 (double, self->n_inputs + 1);
  if (!read_inputs (self, error))
    return NULL;
  fix (self, self->context, self->u);
  return g_steal_pointer (&self);
}

WeirOperatingPoint *
weir_operating_point_new (WeirSystem *root, const WeirContext *context, const char *const *inputs,
                          const char *const *outputs, GError **error)
{
  return operating_point_new (root, context, inputs, outputs, FALSE, error);
}

WeirOperatingPoint *
weir_operating_point_new_sampled (WeirSystem *root, const WeirContext *context,
                                  const char *const *inputs, const char *const *outputs,
                                  GError **error)
{
  return operating_point_new (root, context, inputs, outputs, TRUE, error);
}

guint
weir_operating_point_get_n_updates (const WeirOperatingPoint *self)
{
  return self->updates != NULL ? self->updates->len : 0;
}

WeirPointUpdate
weir_operating_point_get_update (const WeirOperatingPoint *self, guint i)
{
  return g_array_index (self->updates, WeirPointUpdate, i);
}

void
weir_operating_point_free (WeirOperatingPoint *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->context, weir_context_free);
  weir_system_unref (self->root);
  g_array_unref (self->inputs);
  g_array_unref (self->outputs);
  g_ptr_array_unref (self->input_names);
  g_ptr_array_unref (self->output_names);
  g_clear_pointer (&self->updates, g_array_unref);
  g_free (self->x);
  g_free (self->u);
  weir_message_unref (self->failure);
  g_free (self);
}

gboolean
weir_operating_point_eval (WeirOperatingPoint *self, const double *x, const double *u, double *xdot,
                           double *y)
{
  g_clear_pointer (&self->failure, weir_message_unref);
  weir_context_begin_change (self->context);
  weir_context_set_state (self->context, x);
  fix (self, self->context, u);
  weir_context_end_change (self->context);
  if (xdot != NULL && self->n_states > 0)
    {
      const double *value = weir_eval_derivatives (self->root, self->context);

      if (value == NULL)
        goto failed;
      memcpy (xdot, value, self->n_states * sizeof *value);
    }
  for (guint i = 0; i < self->outputs->len && y != NULL; i++)
    {
      const Signal *signal = &g_array_index (self->outputs, Signal, i);
      const double *value;

      if (signal->kind == SIGNAL_UPDATE)
        {
          if (!eval_update (self, signal, y + signal->first))
            goto failed;
          continue;
        }
      value = eval_signal (self, signal);
      if (value == NULL)
        goto failed;
      memcpy (y + signal->first, value, signal->size * sizeof *value);
    }
  return TRUE;

failed:
  self->failure = weir_message_new ("%s", weir_context_get_failure (self->context));
  return FALSE;
}

const char *
weir_operating_point_get_failure (const WeirOperatingPoint *self)
{
  return self->failure != NULL ? weir_message_get_text (self->failure) : NULL;
}

void
weir_operating_point_apply (const WeirOperatingPoint *self, WeirContext *context)
{
  weir_context_set_state (context, self->x);
  fix (self, context, self->u);
}

void
weir_operating_point_move (WeirOperatingPoint *self, const double *x, const double *u)
{
  memmove (self->x, x, self->n_states * sizeof *x);
  memmove (self->u, u, self->n_inputs * sizeof *u);
}

/* --- Looking --------------------------------------------------------------------------------- */

WeirLayout *
weir_operating_point_get_layout (const WeirOperatingPoint *self)
{
  return self->layout;
}

double
weir_operating_point_get_time (const WeirOperatingPoint *self)
{
  return weir_context_get_time (self->context);
}

guint
weir_operating_point_get_n_states (const WeirOperatingPoint *self)
{
  return self->n_states;
}

guint
weir_operating_point_get_n_inputs (const WeirOperatingPoint *self)
{
  return self->n_inputs;
}

guint
weir_operating_point_get_n_outputs (const WeirOperatingPoint *self)
{
  return self->n_outputs;
}

char *
weir_operating_point_dup_state_name (const WeirOperatingPoint *self, guint i)
{
  return weir_layout_dup_state_name (self->layout, i);
}

const char *
weir_operating_point_get_input_name (const WeirOperatingPoint *self, guint i)
{
  return self->input_names->pdata[i];
}

const char *
weir_operating_point_get_output_name (const WeirOperatingPoint *self, guint i)
{
  return self->output_names->pdata[i];
}

static gboolean
find_name (const GPtrArray *names, const char *name, guint *i)
{
  for (*i = 0; *i < names->len; ++*i)
    if (g_str_equal (names->pdata[*i], name))
      return TRUE;
  return FALSE;
}

gboolean
weir_operating_point_find_input (const WeirOperatingPoint *self, const char *name, guint *i)
{
  return find_name (self->input_names, name, i);
}

gboolean
weir_operating_point_find_output (const WeirOperatingPoint *self, const char *name, guint *i)
{
  return find_name (self->output_names, name, i);
}

const double *
weir_operating_point_get_state (const WeirOperatingPoint *self)
{
  return self->x;
}

const double *
weir_operating_point_get_input (const WeirOperatingPoint *self)
{
  return self->u;
}

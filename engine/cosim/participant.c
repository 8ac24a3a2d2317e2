/* One unit of a run: its instance, and what it sees at its inputs. See cosim-private.h. */
#include <math.h>
#include <string.h>

#include "base/bits.h"
#include "base/error.h"
#include "base/phrase.h"
#include "base/text.h"
#include "cosim/cosim-private.h"
#include "system/evaluation/eval.h"

/* --- Life ------------------------------------------------------------------------------------ */

/* A unit of a kind that knows of numbers alone has no other ports. */
static gboolean
takes_its_ports (const WeirParticipant *self, GError **error)
{
  const WeirUnitClass *class = self->info.kind->unit_class;

  if ((self->info.n_abstract_u == 0 || class->set_abstract_inputs != NULL)
      && (self->info.n_abstract_y == 0 || class->get_abstract_outputs != NULL))
    return TRUE;
  weir_error_set (error, WEIR_ERROR_INVALID,
                  "%s: a unit of this kind (%s) exchanges numbers alone, and not all of its ports "
                  "carry those",
                  self->path, class->name);
  return FALSE;
}

WeirParticipant *
weir_participant_new (WeirCosim *cosim, const WeirUnitInfo *info, guint i, GError **error)
{
  WeirParticipant *self = g_new0 (WeirParticipant, 1);
  WeirLayout *layout = cosim->layout;

  self->cosim = cosim;
  self->info = *info;
  self->i = i;
  self->path = weir_layout_dup_path (layout, info->node);
  self->ports = g_new0 (WeirInputPort, info->n_inputs);
  self->u = g_new0 (double, info->n_u + 1);
  self->y = g_new0 (double, info->n_y + 1);
  self->y_new = g_new0 (double, info->n_y + 1);
  self->y_trial = g_new0 (double, info->n_y + 1);
  weir_participant_init_abstract (self);
  self->ends = -1;
  self->is_cached = TRUE;
  self->given_sources = g_array_new (FALSE, FALSE, sizeof (WeirSource));
  self->arrived_sources = g_array_new (FALSE, FALSE, sizeof (WeirSource));
  self->window_feeds = g_array_new (FALSE, FALSE, sizeof (WeirFeed));
  for (guint k = 0; k < weir_layout_get_n_parameters (layout, info->node); k++)
    self->n_parameter_values += weir_layout_get_parameter_size (layout, info->node,
                                                                (WeirParameter) { (guint16) k });
  self->parameters = g_new0 (double, self->n_parameter_values);
  for (guint k = 0, offset = 0, n_abstract = 0; k < info->n_inputs; k++)
    {
      WeirInputPort *port = &self->ports[k];

      port->in.i = (guint16) k;
      port->size = weir_layout_get_input_size (layout, info->node, port->in);
      port->is_abstract = weir_layout_get_input_type (layout, info->node, port->in) != NULL;
      port->offset = port->is_abstract ? n_abstract++ : offset;
      offset += port->size;
    }
  if (!takes_its_ports (self, error))
    {
      weir_participant_free (self);
      return NULL;
    }
  weir_participant_init_feeding (self);
  return self;
}

static guint
find_unit (const WeirCosim *cosim, WeirNode node)
{
  for (guint i = 0; i < cosim->n; i++)
    if (cosim->units[i]->info.node.i == node.i)
      return i;
  g_assert_not_reached ();
}

static gboolean
is_abstract_output (const WeirParticipant *self, guint output)
{
  return weir_layout_get_output_type (self->cosim->layout, self->info.node,
                                      (WeirOutput) { (guint16) output })
         != NULL;
}

/* In y, or of an abstract value its number among those. */
static guint
get_output_offset (const WeirParticipant *self, guint output)
{
  gboolean is_abstract = is_abstract_output (self, output);
  guint offset = 0;

  for (guint k = 0; k < output; k++)
    offset += is_abstract ? (guint) is_abstract_output (self, k)
                          : weir_layout_get_output_size (self->cosim->layout, self->info.node,
                                                         (WeirOutput) { (guint16) k });
  return offset;
}

void
weir_participant_look (WeirParticipant *self)
{
  WeirCosim *cosim = self->cosim;
  WeirNode unit;
  WeirOutput out;

  self->units = g_new0 (guint64, weir_bits_n_words (cosim->n));
  self->fed = weir_layout_list_fed (cosim->layout, self->info.node);
  for (guint k = 0; k < self->info.n_inputs; k++)
    {
      WeirInputPort *port = &self->ports[k];

      port->feeds = weir_layout_list_feeds (cosim->layout, self->info.node, port->in);
      port->units = g_new0 (guint64, weir_bits_n_words (cosim->n));
      for (guint f = 0; f < port->feeds->len; f++)
        {
          const WeirFeed *feed = &g_array_index (port->feeds, WeirFeed, f);

          if (feed->kind == WEIR_FEED_UNIT)
            {
              weir_bit_set (port->units, find_unit (cosim, feed->node));
              weir_bit_set (self->units, find_unit (cosim, feed->node));
            }
          port->from_rest |= feed->kind == WEIR_FEED_REST || feed->kind == WEIR_FEED_TIME;
        }
      self->from_rest |= port->from_rest;
      port->is_window = weir_layout_find_unit_output (cosim->layout, self->info.node, port->in,
                                                      &unit, &out);
      if (port->is_window)
        {
          port->window_unit = find_unit (cosim, unit);
          port->window_group.i = out.i;
          port->window_offset = get_output_offset (cosim->units[port->window_unit], out.i);
        }
    }
}

void
weir_participant_free (WeirParticipant *self)
{
  if (self->instance != NULL)
    self->info.kind->unit_class->free (self->instance);
  for (guint k = 0; k < self->info.n_inputs; k++)
    {
      g_clear_pointer (&self->ports[k].feeds, g_array_unref);
      g_free (self->ports[k].units);
    }
  g_array_unref (self->given_sources);
  g_array_unref (self->arrived_sources);
  g_array_unref (self->window_feeds);
  g_clear_pointer (&self->fed, g_array_unref);
  weir_context_free (self->context);
  g_clear_error (&self->error);
  g_free (self->parameters);
  g_free (self->ports);
  g_free (self->units);
  g_free (self->before);
  g_free (self->u);
  g_free (self->y);
  g_free (self->y_new);
  g_free (self->y_trial);
  weir_participant_clear_abstract (self);
  g_free (self->past);
  g_free (self->supposed);
  g_free (self->orders);
  weir_participant_clear_feeding (self);
  g_free (self->path);
  g_free (self);
}

gboolean
weir_participant_make (WeirParticipant *self, GError **error)
{
  const WeirUnitKind *kind = self->info.kind;

  if (self->instance != NULL)
    return TRUE;
  self->instance = kind->unit_class->make (kind->data, error);
  if (self->instance == NULL)
    {
      weir_error_prefix (error, self->path);
      return FALSE;
    }
  self->is_cached = TRUE;
  if (kind->unit_class->set_cancel != NULL)
    kind->unit_class->set_cancel (self->instance, self->cosim->cancel);
  return TRUE;
}

/* --- The list -------------------------------------------------------------------------------- */

/* Does this of what a port's value follows from come along the list? Where steps are repeated all
 * does that changes. */
static gboolean
comes_along (const WeirParticipant *self, const WeirFeed *feed, const guint *place)
{
  if (self->cosim->type == WEIR_STEP_SCHEDULING_ITERATED)
    return feed->kind != WEIR_FEED_GIVEN;
  switch (feed->kind)
    {
    case WEIR_FEED_UNIT:
      return place[find_unit (self->cosim, feed->node)] < place[self->i];
    case WEIR_FEED_REST:
    case WEIR_FEED_TIME:
      return place[self->cosim->n] < place[self->i];
    case WEIR_FEED_GIVEN:
    default:
      return FALSE;
    }
}

static void
add_source (GArray *sources, WeirSource source)
{
  for (guint k = 0; k < sources->len; k++)
    if (g_array_index (sources, WeirSource, k).i == source.i)
      return;
  g_array_append_val (sources, source);
}

static void
add_feed (GArray *feeds, const WeirFeed *feed)
{
  for (guint k = 0; k < feeds->len; k++)
    if (g_array_index (feeds, WeirFeed, k).source.i == feed->source.i)
      return;
  g_array_append_vals (feeds, feed, 1);
}

/* An evaluated port's sources, each from where it is to be taken. */
static void
plan_evaluated (WeirParticipant *self, const WeirInputPort *port, const guint *place)
{
  for (guint f = 0; f < port->feeds->len; f++)
    {
      const WeirFeed *feed = &g_array_index (port->feeds, WeirFeed, f);

      if (!comes_along (self, feed, place))
        add_source (self->given_sources, feed->source);
      else if (feed->kind == WEIR_FEED_UNIT)
        add_feed (self->window_feeds, feed);
      else
        add_source (self->arrived_sources, feed->source);
    }
}

gboolean
weir_participant_awaits (const WeirParticipant *self, guint a)
{
  for (guint k = 0; k < self->info.n_inputs; k++)
    {
      const WeirInputPort *port = &self->ports[k];

      if (!port->use.is_delayed
          && (a == WEIR_COSIM_REST ? port->from_rest : weir_bit (port->units, a)))
        return TRUE;
    }
  return FALSE;
}

void
weir_participant_plan (WeirParticipant *self, const guint *place)
{
  WeirCosim *cosim = self->cosim;
  gboolean is_cascade = cosim->type == WEIR_STEP_SCHEDULING_CASCADING_PARALLEL;
  gboolean is_full = cosim->type == WEIR_STEP_SCHEDULING_FULL_PARALLEL;
  gboolean needs_context = FALSE;
  guint own = place[self->i], rest = place[cosim->n];

  g_array_set_size (self->given_sources, 0);
  g_array_set_size (self->arrived_sources, 0);
  g_array_set_size (self->window_feeds, 0);
  self->before = g_renew (guint, self->before, cosim->n);
  self->n_before = 0;
  for (guint a = 0; a < cosim->n && is_cascade; a++)
    if (weir_participant_awaits (self, a) && place[a] < own)
      self->before[self->n_before++] = a;
  self->awaits_rest = is_cascade && weir_participant_awaits (self, WEIR_COSIM_REST) && rest < own;
  self->is_before_rest = is_cascade && self->fed->len > 0 && own < rest;
  for (guint k = 0; k < self->info.n_inputs; k++)
    {
      WeirInputPort *port = &self->ports[k];

      port->kind = WEIR_PORT_AT_INSTANT;
      for (guint f = 0; f < port->feeds->len && !is_full && !port->use.is_delayed; f++)
        if (comes_along (self, &g_array_index (port->feeds, WeirFeed, f), place))
          port->kind = port->is_window ? WEIR_PORT_WINDOW : WEIR_PORT_EVALUATED;
      if (port->kind == WEIR_PORT_EVALUATED)
        plan_evaluated (self, port, place);
      needs_context |= port->kind == WEIR_PORT_EVALUATED;
    }
  if (needs_context && self->context == NULL)
    self->context = weir_context_clone (cosim->context);
  else if (!needs_context)
    g_clear_pointer (&self->context, weir_context_free);
}

/* --- What it sees ---------------------------------------------------------------------------- */

static gboolean
read_port (WeirParticipant *self, WeirContext *context, const WeirInputPort *port, GError **error)
{
  WeirSystem *root = self->cosim->root;
  GVariant *abstract = NULL;
  const double *value = NULL;

  if (port->is_abstract)
    abstract = weir_eval_abstract_input (root, context, self->info.node, port->in);
  else
    value = weir_eval_input (root, context, self->info.node, port->in);
  if (value == NULL && abstract == NULL)
    {
      const char *why = weir_context_get_failure (context);

      weir_error_set (error, WEIR_ERROR_FAILED, "%s",
                      why != NULL ? why : weir_phrase (N_ ("its inputs cannot be computed")));
      return FALSE;
    }
  if (port->is_abstract)
    weir_abstract_set (&self->abstract_u[port->offset], abstract);
  else
    memcpy (self->u + port->offset, value, port->size * sizeof *value);
  return TRUE;
}

/* Is some input on the wire of a window fixed, so that the unit does not show through? */
static gboolean
is_overridden (const WeirParticipant *self, const WeirInputPort *port)
{
  const WeirCosim *cosim = self->cosim;

  if (port->is_abstract)
    return weir_eval_abstract_input (cosim->root, cosim->context, self->info.node, port->in)
           != weir_context_get_abstract_state (
               cosim->context, cosim->units[port->window_unit]->info.node, port->window_group);
  return weir_eval_input (cosim->root, cosim->context, self->info.node, port->in)
         != weir_context_get_discrete (cosim->context, cosim->units[port->window_unit]->info.node,
                                       port->window_group);
}

gboolean
weir_participant_take_given (WeirParticipant *self, GError **error)
{
  WeirContext *root = self->cosim->context;

  if (self->context != NULL)
    {
      if (weir_context_get_caching (self->context) != weir_context_get_caching (root))
        weir_context_set_caching (self->context, weir_context_get_caching (root));
      weir_context_take_sources (self->context, root,
                                 (const WeirSource *) (gpointer) self->given_sources->data,
                                 self->given_sources->len);
    }
  for (guint k = 0; k < self->info.n_inputs; k++)
    {
      WeirInputPort *port = &self->ports[k];

      port->is_overridden = port->kind == WEIR_PORT_WINDOW && is_overridden (self, port);
      if ((port->kind == WEIR_PORT_AT_INSTANT || port->is_overridden || port->use.order > 0)
          && !read_port (self, root, port, error))
        return FALSE;
    }
  weir_participant_note_known (self, self->u);
  return TRUE;
}

void
weir_participant_take_arrived (WeirParticipant *self)
{
  if (self->context != NULL)
    weir_context_take_sources (self->context, self->cosim->context,
                               (const WeirSource *) (gpointer) self->arrived_sources->data,
                               self->arrived_sources->len);
}

static const double *
get_new_outputs (const WeirParticipant *unit)
{
  return unit->cosim->planned_type == WEIR_STEP_SCHEDULING_ITERATED ? unit->y_trial : unit->y_new;
}

static GVariant *const *
get_new_abstract (const WeirParticipant *unit)
{
  return unit->cosim->planned_type == WEIR_STEP_SCHEDULING_ITERATED ? unit->abstract_y_trial
                                                                    : unit->abstract_y_new;
}

static void
take_new_outputs (WeirParticipant *self)
{
  weir_context_begin_change (self->context);
  for (guint f = 0; f < self->window_feeds->len; f++)
    {
      const WeirFeed *feed = &g_array_index (self->window_feeds, WeirFeed, f);
      const WeirParticipant *unit = self->cosim->units[find_unit (self->cosim, feed->node)];
      guint at = get_output_offset (unit, feed->group.i);
      const double *value = get_new_outputs (unit) + at;
      guint size = weir_layout_get_output_size (self->cosim->layout, feed->node,
                                                (WeirOutput) { feed->group.i });

      if (is_abstract_output (unit, feed->group.i))
        weir_abstract_put (self->context, feed->node, feed->group, get_new_abstract (unit)[at]);
      else if (memcmp (weir_context_get_discrete (self->context, feed->node, feed->group), value,
                       size * sizeof *value)
               != 0)
        weir_context_set_discrete (self->context, feed->node, feed->group, value);
    }
  weir_context_end_change (self->context);
}

static gboolean
take_along (WeirParticipant *self, GError **error)
{
  if (self->window_feeds->len > 0)
    take_new_outputs (self);
  for (guint k = 0; k < self->info.n_inputs; k++)
    {
      const WeirInputPort *port = &self->ports[k];

      if (port->is_overridden)
        continue;
      if (port->kind == WEIR_PORT_WINDOW && port->is_abstract)
        weir_abstract_set (
            &self->abstract_u[port->offset],
            get_new_abstract (self->cosim->units[port->window_unit])[port->window_offset]);
      else if (port->kind == WEIR_PORT_WINDOW)
        memcpy (self->u + port->offset,
                get_new_outputs (self->cosim->units[port->window_unit]) + port->window_offset,
                port->size * sizeof (double));
      else if (port->kind == WEIR_PORT_EVALUATED && !read_port (self, self->context, port, error))
        return FALSE;
    }
  weir_participant_shape (self);
  return TRUE;
}

/* --- Parameters ------------------------------------------------------------------------------ */

void
weir_participant_note_parameters (WeirParticipant *self)
{
  WeirCosim *cosim = self->cosim;
  double *at = self->parameters;

  for (guint k = 0; k < weir_layout_get_n_parameters (cosim->layout, self->info.node); k++)
    {
      WeirParameter parameter = { (guint16) k };
      guint n = weir_layout_get_parameter_size (cosim->layout, self->info.node, parameter);

      if (n > 0)
        memcpy (at, weir_context_get_parameter (cosim->context, self->info.node, parameter),
                n * sizeof *at);
      at += n;
    }
}

gboolean
weir_participant_take_parameters (WeirParticipant *self, gboolean all, GError **error)
{
  WeirCosim *cosim = self->cosim;
  const WeirUnitClass *class = self->info.kind->unit_class;
  gboolean is_cached = weir_context_get_caching (cosim->context);
  double *at = self->parameters;

  if (class->set_caching != NULL && is_cached != self->is_cached)
    class->set_caching (self->instance, is_cached);
  self->is_cached = is_cached;
  for (guint k = 0; k < weir_layout_get_n_parameters (cosim->layout, self->info.node); k++)
    {
      WeirParameter parameter = { (guint16) k };
      guint n = weir_layout_get_parameter_size (cosim->layout, self->info.node, parameter);
      const double *value;

      if (n == 0)
        continue;
      value = weir_context_get_parameter (cosim->context, self->info.node, parameter);
      if (k != self->info.activity.i && (all || memcmp (at, value, n * sizeof *at) != 0))
        {
          const char *name = weir_layout_get_parameter_name (cosim->layout, self->info.node,
                                                             parameter);

          if (class->set_parameter != NULL
              && !class->set_parameter (self->instance, name, value, n, error))
            return FALSE;
          memcpy (at, value, n * sizeof *at);
        }
      at += n;
    }
  return TRUE;
}

/* --- The step -------------------------------------------------------------------------------- */

static gboolean
has_failed (const WeirParticipant *self)
{
  return self->error != NULL || self->is_skipped;
}

/* Its values are finite: what comes of the others is named where it arose. */
static gboolean
check_outputs (const WeirParticipant *self, double reached, GError **error)
{
  WeirLayout *layout = self->cosim->layout;

  if (!(reached >= self->t_end))
    {
      weir_error_set (error, WEIR_ERROR_FAILED, "its step from t = %g s to %g s ended at %g s",
                      self->t, self->t_end, reached);
      return FALSE;
    }
  for (guint k = 0, at = 0; k < self->info.n_outputs; k++)
    {
      WeirOutput out = { (guint16) k };
      guint size = weir_layout_get_output_size (layout, self->info.node, out);

      for (guint e = 0; e < size; e++, at++)
        if (!isfinite (self->y_new[at]))
          {
            weir_error_set (
                error, WEIR_ERROR_FAILED,
                "its output %s became %s in the step from t = %g s to %g s",
                weir_layout_get_output_name (layout, self->info.node, out),
                weir_phrase (isnan (self->y_new[at]) ? N_ ("not a number") : N_ ("infinite")),
                self->t, self->t_end);
            return FALSE;
          }
    }
  return TRUE;
}

void
weir_participant_step (gpointer participant)
{
  WeirParticipant *self = participant;
  const WeirUnitClass *class = self->info.kind->unit_class;
  double reached = self->t_end;

  for (guint k = 0; k < self->n_before && !self->is_skipped; k++)
    self->is_skipped = has_failed (self->cosim->units[self->before[k]]);
  if (self->is_skipped || !take_along (self, &self->error)
      || (self->started != NULL && !class->restore (self->instance, self->started, &self->error)))
    return;
  if (self->active == WEIR_UNIT_OFF)
    {
      weir_participant_hold_outputs (self);
      self->has_stepped = TRUE;
      return;
    }
  if (self->begins_anew && !weir_participant_come_back (self, &self->error))
    return;
  self->step = (WeirCosimStep) {
    .begin = g_get_monotonic_time (),
    .thread = weir_tasks_get_thread (),
    .t = self->t,
    .t_end = self->t_end,
  };
  weir_participant_tell_abstract (self);
  if (class->step (self->instance, self->t, self->t_end, self->u, self->y_new, &reached,
                   &self->error))
    self->has_stepped = check_outputs (self, reached, &self->error)
                        && weir_participant_get_abstract (self, self->abstract_y_new, &self->error);
  else if (self->error == NULL)
    weir_error_set (&self->error, WEIR_ERROR_FAILED, "its step from t = %g s to %g s failed",
                    self->t, self->t_end);
  if (self->active == WEIR_UNIT_IGNORED)
    weir_participant_hold_outputs (self);
  self->step.end = g_get_monotonic_time ();
  self->took += self->step.end - self->step.begin;
}

gboolean
weir_participant_write (WeirParticipant *self, const double *y, GVariant *const *abstract)
{
  WeirContext *context = self->cosim->context;
  gboolean changed = FALSE;

  for (guint k = 0; k < self->info.n_outputs; k++)
    {
      WeirGroup group = { (guint16) k };
      guint size = weir_layout_get_output_size (self->cosim->layout, self->info.node,
                                                (WeirOutput) { group.i });

      if (is_abstract_output (self, k))
        {
          if (abstract != NULL)
            changed |= weir_abstract_put (context, self->info.node, group, *abstract++);
        }
      else if (memcmp (weir_context_get_discrete (context, self->info.node, group), y,
                       size * sizeof *y)
               != 0)
        {
          weir_context_set_discrete (context, self->info.node, group, y);
          changed = TRUE;
        }
      y += size;
    }
  return changed;
}

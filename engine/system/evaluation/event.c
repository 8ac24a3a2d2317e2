/* Calling event handlers, and collecting what updates want to write. See event.h.
 *
 * A leaf with update events has one WeirNextState: room for its continuous state and all its
 * groups, called parts. Within a round (from one apply to the next) each part has at most one
 * writer, which gets the present values to write over. Applying writes exactly the parts that have
 * a writer.
 */
#include "system/evaluation/evaluator-private.h"
#include "base/error.h"
#include "base/phrase.h"
#include "base/text.h"
#include "system/observation/observation-private.h"

#include <math.h>
#include <string.h>

#include "numerics/number.h"
#include "system/evaluation/event.h"

#define NOBODY G_MAXUINT32
#define CONTINUOUS 0 /* the part; group g is part g + 1 */

struct _WeirNextState {
  WeirContext *context; /* of the call in progress */
  const WeirShape *shape;
  WeirNode node;
  guint n_parts, n_states;
  guint32 *writer; /* by part: event, or NOBODY */
  gsize *first;    /* by part: place in values */
  double *values;
  GVariant **abstract; /* by part: what is to be set, or NULL */
  guint32 event;       /* whose call is in progress */
  guint conflict;      /* a part that two events want; G_MAXUINT = none */
  guint mistyped;      /* a part given a value of another type; G_MAXUINT = none */
};

struct _WeirUpdates {
  const WeirEvaluator *evaluator;
  WeirSystem *root;  /* borrowed */
  guint32 *leaf_of;  /* by event: place in leaves, or NOBODY */
  GPtrArray *leaves; /* WeirNextState */
};

guint
weir_system_get_n_events (WeirSystem *root)
{
  return weir_system_get_evaluator (root)->events->len;
}

WeirDeclaredEvent
weir_system_get_event (WeirSystem *root, guint i)
{
  return g_array_index (weir_system_get_evaluator (root)->events, WeirDeclaredEvent, i);
}

/* --- Calls ----------------------------------------------------------------------------------- */

/* The part of a leaf's unique update that is one group's. */
static WeirStatus
read_update (const WeirCalc *c, WeirDeclaredEvent event, double *next)
{
  const WeirEvaluator *evaluator = c->evaluator;
  int local = weir_shape_find_entry (c->node->shape, WEIR_TICKET_XD_UPDATE);
  guint32 entry = evaluator->layout->entry_of_local[c->node->first_entry + (guint32) local];
  const double *from = c->context->arena + evaluator->layout->value_offset[entry];
  WeirStatus status = weir_evaluator_request (evaluator, c->context, entry, NULL);

  for (guint g = 0; g < event.group.i; g++)
    from += weir_shape_group (c->node->shape, g)->size;
  if (status == WEIR_OK)
    memcpy (next, from, event.size * sizeof *next);
  return status;
}

static const WeirEventCode *
find_code (const WeirEvaluator *evaluator, guint i, WeirDeclaredEvent *event)
{
  *event = g_array_index (evaluator->events, WeirDeclaredEvent, i);
  return &g_array_index (evaluator->systems[event->node.i]->event_code, WeirEventCode,
                         g_array_index (evaluator->event_locals, guint32, i));
}

static void
explain (WeirContext *context, const WeirEvaluator *evaluator, WeirNode node)
{
  g_autofree char *path = weir_layout_dup_path (evaluator->layout, node);
  char time[WEIR_TIME_TEXT_SIZE];

  weir_time_to_text (context->now, NAN, time);
  weir_context_set_failure (context, "%s: the event at t = %s failed: %s", path, time,
                            context->failure != NULL ? weir_message_get_text (context->failure)
                                                     : weir_phrase (N_ ("no reason given")));
  weir_context_set_failure_place (context,
                                  (WeirFailurePlace) { .node = node, .entry = { WEIR_NO_INDEX } });
}

/* A handler is under way from here on, and no longer. */
static void
enter (WeirCalc *calc)
{
  if (!weir_context_is (calc->context, WEIR_MODE_FROZEN))
    calc->context->modes |= WEIR_MODE_HANDLING;
  if (G_UNLIKELY (calc->context->observer != NULL))
    calc->seen = weir_observer_begin_event (calc->context->observer);
}

static WeirStatus
leave (const WeirCalc *calc, WeirStatus status)
{
  gboolean has_reentered = calc->context->has_reentered;

  if (weir_context_is (calc->context, WEIR_MODE_HANDLING)) /* of a frozen one nothing is written */
    {
      calc->context->modes &= ~(guint32) WEIR_MODE_HANDLING;
      calc->context->has_reentered = FALSE;
    }
  return calc->has_failed || has_reentered ? WEIR_FAILED : status;
}

/* The handler writes into a room with guards. */
static WeirStatus
update_observed (const WeirCalc *calc, WeirDeclaredEvent event, WeirUpdateFunc update, double *next)
{
  double *room = weir_observer_make_room (event.size, next);
  WeirStatus status = update (calc, calc->occurrence->n, room);

  return weir_observer_take_result (calc, status, room, event.size, next);
}

/* @next: for update and reset; @state: for an unrestricted update. */
static WeirStatus
call (const WeirEvaluator *evaluator, WeirContext *context, guint i, WeirOccurrence *occurrence,
      double *next, WeirNextState *state)
{
  WeirDeclaredEvent event;
  const WeirEventCode *code = find_code (evaluator, i, &event);
  WeirCalc calc = weir_calc_of (evaluator, context, event.node.i);
  WeirStatus status = WEIR_OK;

  calc.event = g_array_index (evaluator->event_locals, guint32, i);
  calc.occurrence = occurrence;
  weir_context_begin_request (context);
  enter (&calc);
  switch (event.action)
    {
    case WEIR_ACTION_PUBLISH:
      status = code->publish (&calc, occurrence->n);
      break;
    case WEIR_ACTION_DISCRETE_UPDATE:
    case WEIR_ACTION_RESET:
      status = code->update == NULL ? read_update (&calc, event, next)
               : calc.seen == NULL  ? code->update (&calc, occurrence->n, next)
                                    : update_observed (&calc, event, code->update, next);
      break;
    case WEIR_ACTION_UNRESTRICTED_UPDATE:
      status = code->unrestricted (&calc, occurrence->n, state);
      break;
    case WEIR_ACTION_BREAK:
    default:
      break;
    }
  status = leave (&calc, status);
  if (status == WEIR_FAILED)
    explain (context, evaluator, event.node);
  return status;
}

WeirStatus
weir_system_call_event (WeirSystem *root, WeirContext *context, guint i, WeirOccurrence *occurrence,
                        double *next)
{
  const WeirEvaluator *evaluator = weir_system_get_fitting_evaluator (root, context);

  if (evaluator == NULL)
    return WEIR_FAILED;
  g_return_val_if_fail (weir_system_get_event (root, i).action != WEIR_ACTION_UNRESTRICTED_UPDATE,
                        WEIR_FAILED);
  return call (evaluator, context, i, occurrence, next, NULL);
}

WeirStatus
weir_system_call_next_time (WeirSystem *root, WeirContext *context, guint i, double after,
                            double *time)
{
  const WeirEvaluator *evaluator = weir_system_get_fitting_evaluator (root, context);
  WeirDeclaredEvent event;
  const WeirEventCode *code;
  WeirStatus status;
  WeirCalc calc;

  if (evaluator == NULL)
    return WEIR_FAILED;
  code = find_code (evaluator, i, &event);
  calc = weir_calc_of (evaluator, context, event.node.i);
  calc.event = g_array_index (evaluator->event_locals, guint32, i);
  weir_context_begin_request (context);
  *time = (double) NAN;
  enter (&calc);
  status = leave (&calc, code->next_time (&calc, after, time));
  if (status == WEIR_OK && !(*time > after))
    {
      char found[G_ASCII_DTOSTR_BUF_SIZE];

      weir_context_set_failure (context, "the time of its next event is %s, which is not later",
                                isnan (*time) ? weir_phrase (N_ ("not a number"))
                                              : g_ascii_dtostr (found, sizeof found, *time));
      status = WEIR_FAILED;
    }
  if (status == WEIR_FAILED)
    explain (context, evaluator, event.node);
  return status;
}

/* --- Next states ----------------------------------------------------------------------------- */

static WeirNextState *
next_state_new (const WeirLayout *layout, WeirNode node)
{
  const WeirNodeInfo *info = &layout->nodes[node.i];
  WeirNextState *self = g_new0 (WeirNextState, 1);
  gsize size;

  self->shape = info->shape;
  self->node = node;
  self->n_states = info->n_states;
  self->n_parts = 1 + info->shape->groups->len;
  self->writer = g_new (guint32, self->n_parts);
  self->first = g_new (gsize, self->n_parts);
  self->abstract = g_new0 (GVariant *, self->n_parts);
  size = self->n_states;
  self->first[CONTINUOUS] = 0;
  for (guint p = 1; p < self->n_parts; p++)
    {
      self->first[p] = size;
      size += weir_shape_group (info->shape, p - 1)->size;
    }
  self->values = g_new0 (double, MAX (size, 1));
  for (guint p = 0; p < self->n_parts; p++)
    self->writer[p] = NOBODY;
  self->conflict = G_MAXUINT;
  return self;
}

static void
next_state_free (gpointer data)
{
  WeirNextState *self = data;

  for (guint p = 0; p < self->n_parts; p++)
    g_clear_pointer (&self->abstract[p], g_variant_unref);
  g_free (self->abstract);
  g_free (self->writer);
  g_free (self->first);
  g_free (self->values);
  g_free (self);
}

/* The values of a part, for the event in hand to write over. */
static double *
claim (WeirNextState *self, guint part)
{
  double *values = self->values + self->first[part];

  if (self->writer[part] == self->event)
    return values;
  if (self->writer[part] != NOBODY)
    self->conflict = part;
  self->writer[part] = self->event;
  if (part == CONTINUOUS)
    memcpy (values,
            weir_context_get_state (self->context)
                + self->context->layout->nodes[self->node.i].state_offset,
            self->n_states * sizeof *values);
  else if (weir_shape_group (self->shape, part - 1)->type == NULL)
    memcpy (
        values,
        weir_context_get_discrete (self->context, self->node, (WeirGroup) { (guint16) (part - 1) }),
        weir_shape_group (self->shape, part - 1)->size * sizeof *values);
  return values;
}

static void
release (WeirNextState *self, guint32 event)
{
  for (guint p = 0; p < self->n_parts; p++)
    if (self->writer[p] == event)
      {
        self->writer[p] = NOBODY;
        g_clear_pointer (&self->abstract[p], g_variant_unref);
      }
}

double *
weir_next_state_xc (WeirNextState *self)
{
  g_return_val_if_fail (self->n_states > 0, NULL);

  return claim (self, CONTINUOUS);
}

double *
weir_next_state_discrete (WeirNextState *self, WeirGroup group)
{
  g_return_val_if_fail (weir_shape_group (self->shape, group.i)->type == NULL, NULL);

  return claim (self, group.i + 1u);
}

void
weir_next_state_set_abstract (WeirNextState *self, WeirGroup group, GVariant *value)
{
  g_return_if_fail (weir_shape_group (self->shape, group.i)->type != NULL);

  claim (self, group.i + 1u);
  if (!g_variant_is_of_type (value, weir_shape_group (self->shape, group.i)->type))
    self->mistyped = group.i + 1u;
  g_clear_pointer (&self->abstract[group.i + 1u], g_variant_unref);
  self->abstract[group.i + 1u] = g_variant_ref_sink (value);
}

/* --- Updates --------------------------------------------------------------------------------- */

static gboolean
is_update (WeirAction action)
{
  return action == WEIR_ACTION_DISCRETE_UPDATE || action == WEIR_ACTION_RESET
         || action == WEIR_ACTION_UNRESTRICTED_UPDATE;
}

WeirUpdates *
weir_updates_new (WeirSystem *root)
{
  WeirUpdates *self = g_new0 (WeirUpdates, 1);
  WeirNextState *last = NULL;

  self->root = root;
  self->evaluator = weir_system_get_evaluator (root);
  self->leaves = g_ptr_array_new_with_free_func (next_state_free);
  self->leaf_of = g_new (guint32, self->evaluator->events->len);
  for (guint i = 0; i < self->evaluator->events->len; i++)
    {
      WeirDeclaredEvent event = weir_system_get_event (root, i);

      self->leaf_of[i] = NOBODY;
      if (!is_update (event.action))
        continue;
      if (last == NULL || last->node.i != event.node.i) /* events come node by node */
        {
          last = next_state_new (self->evaluator->layout, event.node);
          g_ptr_array_add (self->leaves, last);
        }
      self->leaf_of[i] = self->leaves->len - 1;
    }
  return self;
}

void
weir_updates_free (WeirUpdates *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->leaves);
  g_free (self->leaf_of);
  g_free (self);
}

static WeirStatus
refuse_conflict (WeirContext *context, const WeirEvaluator *evaluator, const WeirNextState *leaf)
{
  g_autofree char *path = weir_layout_dup_path (evaluator->layout, leaf->node);
  char time[WEIR_TIME_TEXT_SIZE];

  weir_time_to_text (context->now, NAN, time);
  if (leaf->conflict == CONTINUOUS)
    weir_context_set_failure (context,
                              "%s: two events write the continuous state at t = %s; only "
                              "one can",
                              path, time);
  else
    weir_context_set_failure (context,
                              "%s: two events update discrete state group %u at t = %s; only "
                              "one can",
                              path, leaf->conflict - 1, time);
  weir_context_set_failure_place (
      context, (WeirFailurePlace) { .node = leaf->node, .entry = { WEIR_NO_INDEX } });
  return WEIR_FAILED;
}

/* Before anything is applied: a failed update leaves the state as it was. */
static WeirStatus
refuse_type (WeirContext *context, const WeirEvaluator *evaluator, WeirNextState *leaf, guint i)
{
  g_autofree char *path = weir_layout_dup_path (evaluator->layout, leaf->node);
  g_autofree char *expected = g_variant_type_dup_string (
      weir_shape_group (leaf->shape, leaf->mistyped - 1)->type);
  char time[WEIR_TIME_TEXT_SIZE];

  weir_time_to_text (context->now, NAN, time);
  weir_context_set_failure (
      context,
      "%s: the update at t = %s gives the abstract state %u a value of type %s, but it is of type "
      "%s",
      path, time, leaf->mistyped - 1, g_variant_get_type_string (leaf->abstract[leaf->mistyped]),
      expected);
  release (leaf, i);
  return WEIR_FAILED;
}

WeirStatus
weir_updates_call (WeirUpdates *self, WeirContext *context, guint i, WeirOccurrence *occurrence)
{
  WeirDeclaredEvent event = weir_system_get_event (self->root, i);
  WeirNextState *leaf;
  double *next = NULL;
  WeirStatus status;

  if (weir_system_get_fitting_evaluator (self->root, context) == NULL)
    return WEIR_FAILED;
  g_return_val_if_fail (self->leaf_of[i] != NOBODY, WEIR_FAILED);
  leaf = self->leaves->pdata[self->leaf_of[i]];
  leaf->context = context;
  leaf->event = i;
  leaf->conflict = leaf->mistyped = G_MAXUINT;
  if (event.action == WEIR_ACTION_DISCRETE_UPDATE)
    next = claim (leaf, event.group.i + 1u);
  else if (event.action == WEIR_ACTION_RESET)
    next = claim (leaf, CONTINUOUS);
  if (leaf->conflict != G_MAXUINT)
    return refuse_conflict (context, self->evaluator, leaf);
  status = call (self->evaluator, context, i, occurrence, next, leaf);
  if (status == WEIR_DID_NOTHING || status == WEIR_FAILED)
    release (leaf, i);
  else if (leaf->conflict != G_MAXUINT)
    status = refuse_conflict (context, self->evaluator, leaf);
  else if (leaf->mistyped != G_MAXUINT)
    status = refuse_type (context, self->evaluator, leaf, i);
  return status;
}

WeirStatus
weir_updates_apply (WeirUpdates *self, WeirContext *context)
{
  WeirStatus status = WEIR_OK;

  for (guint l = 0; l < self->leaves->len; l++)
    {
      WeirNextState *leaf = self->leaves->pdata[l];

      for (guint p = 0; p < leaf->n_parts; p++)
        {
          WeirGroup group = { (guint16) (p - 1) };

          if (leaf->writer[p] == NOBODY)
            continue;
          if (p == CONTINUOUS)
            weir_context_set_part (context, leaf->node, WEIR_STATE_XC, leaf->values);
          else if (leaf->abstract[p] == NULL)
            weir_context_set_discrete (context, leaf->node, group, leaf->values + leaf->first[p]);
          else
            {
              g_autoptr (GError) error = NULL;

              if (!weir_context_set_abstract_state (context, leaf->node, group, leaf->abstract[p],
                                                    &error))
                {
                  weir_context_set_failure (context, "%s", weir_error_get_text (error));
                  status = WEIR_FAILED;
                }
            }
        }
    }
  weir_updates_clear (self);
  return status;
}

void
weir_updates_clear (WeirUpdates *self)
{
  for (guint l = 0; l < self->leaves->len; l++)
    {
      WeirNextState *leaf = self->leaves->pdata[l];

      for (guint p = 0; p < leaf->n_parts; p++)
        {
          leaf->writer[p] = NOBODY;
          g_clear_pointer (&leaf->abstract[p], g_variant_unref);
        }
    }
}

/* What a leaf made of an FMU computes, and its events. See leaf.h.
 *
 * An entry tells the instance what it declares to read, and nothing else; what it does not declare
 * stays as the FMU has it. An FMU that declares too little is found out by that: the entry of what
 * the FMU holds tells it everything.
 */
#include "fmi/leaf-private.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/phrase.h"
#include "base/text.h"

#define MAX_UPDATES 100 /* at one instant */

static WeirStatus
fail (const WeirCalc *c, GError *error)
{
  weir_calc_fail (c, "%s",
                  error != NULL ? weir_error_get_text (error) : weir_phrase (N_ ("the FMU fails")));
  g_clear_error (&error);
  return WEIR_FAILED;
}

/* --- What the leaf's context has ------------------------------------------------------------- */

static void
read_inputs (const WeirCalc *c, const WeirFmuPlaceOfValue *variables, guint n, double *values)
{
  for (guint i = 0; i < n; i++)
    {
      memcpy (values, weir_calc_input (c, (WeirInput) { (guint16) variables[i].place }),
              variables[i].size * sizeof *values);
      values += variables[i].size;
    }
}

static void
read_parameters (const WeirCalc *c, const WeirFmuPlaceOfValue *variables, guint n, double *values)
{
  for (guint i = 0; i < n; i++)
    {
      memcpy (values, weir_calc_parameter (c, (WeirParameter) { (guint16) variables[i].place }),
              variables[i].size * sizeof *values);
      values += variables[i].size;
    }
}

static guint
count_values (const WeirFmuPlaceOfValue *variables, guint n)
{
  guint sum = 0;

  for (guint i = 0; i < n; i++)
    sum += variables[i].size;
  return sum;
}

/* What the latch would be. */
static void
read_latch (const WeirCalc *c, const WeirFmuLeafData *data, double *values)
{
  const WeirFmuPlaceOfValue *latched = weir_fmu_leaf_variables (data) + data->n_inputs
                                       + data->n_mixed;

  read_inputs (c, latched, data->n_latched, values);
  values += count_values (latched, data->n_latched);
  read_parameters (c, latched + data->n_latched, data->n_tunable, values);
  values += count_values (latched + data->n_latched, data->n_tunable);
  weir_fmu_ticks_read_triggers (c, data, values);
}

static const WeirFmuPlaceOfValue *
get_latched (const WeirFmuLeafData *data)
{
  return weir_fmu_leaf_variables (data) + data->n_inputs + data->n_mixed;
}

/* --- Texts ----------------------------------------------------------------------------------- */

/* At the inputs; owned, as without caches the next look may make another. (transfer full) */
static GPtrArray *
read_texts (const WeirCalc *c, const WeirFmuLeafData *data)
{
  const WeirFmuTextPort *texts = weir_fmu_leaf_texts (data);
  GPtrArray *values = g_ptr_array_new_full (data->n_text_inputs, (GDestroyNotify) g_variant_unref);

  for (guint i = 0; i < data->n_text_inputs; i++)
    g_ptr_array_add (values, g_variant_ref (weir_calc_abstract_input (
                                 c, (WeirInput) { (guint16) texts[i].place })));
  return values;
}

/* Are they others than the FMU was told? */
static gboolean
are_texts_other (const WeirCalc *c, const WeirFmuLeafData *data, const GPtrArray *values)
{
  const WeirFmuTextPort *texts = weir_fmu_leaf_texts (data);

  for (guint i = 0; i < data->n_text_inputs; i++)
    {
      GVariant *told = weir_calc_abstract_state (c, (WeirGroup) { (guint16) texts[i].latch });

      if (!g_variant_equal (told, values->pdata[i]))
        return TRUE;
    }
  return FALSE;
}

static gboolean
set_texts (const WeirFmuLeafData *data, WeirFmuInstance *instance, const GPtrArray *values,
           GError **error)
{
  return weir_fmu_texts_set (instance, weir_fmu_leaf_texts (data), data->n_text_inputs,
                             (GVariant *const *) values->pdata, error);
}

/* --- Before a run ---------------------------------------------------------------------------- */

/* Parameters, and states whose start is told. */
static gboolean
set_starts (const WeirCalc *c, const WeirFmuLeafData *data, WeirFmuInstance *instance,
            gboolean with_states, GError **error)
{
  const WeirFmuPlaceOfValue *parameters = get_latched (data) + data->n_latched;
  const WeirFmuPlaceOfValue *starts = parameters + data->n_parameters;
  g_autofree double *values = g_new (double, count_values (parameters, data->n_parameters) + 1);

  read_parameters (c, parameters, data->n_parameters, values);
  if (!weir_fmu_leaf_set (instance, parameters, data->n_parameters, values, error))
    return FALSE;
  for (guint i = 0; i < data->n_starts && with_states; i++)
    if (!weir_fmu_leaf_set (instance, &starts[i], 1, weir_calc_xc (c) + starts[i].first, error))
      return FALSE;
  return TRUE;
}

/* An instance in initialization mode, with the leaf's parameters, which ends with the run that it
 * is begun for, until that lets go of it. */
static WeirFmuShared *
begin (const WeirCalc *c, const WeirFmuLeafData *data, double time, gboolean with_states,
       GError **error)
{
  g_autoptr (WeirFmuShared) shared = weir_fmu_shared_new (data, error);

  if (shared != NULL)
    weir_fmu_instance_watch (shared->instance, weir_calc_get_cancel (c));
  if (shared == NULL || !set_starts (c, data, shared->instance, with_states, error)
      || !weir_fmu_instance_enter_initialization (shared->instance, time, INFINITY, 0, error))
    return NULL;
  shared->time = time;
  return g_steal_pointer (&shared);
}

/* Sets, of the continuous inputs, those that an entry reads. */
static gboolean
set_some_inputs (const WeirCalc *c, const WeirFmuLeafData *data, const WeirFmuLeafEntry *e,
                 WeirFmuInstance *instance, gboolean only_mixed, GError **error)
{
  const WeirFmuPlaceOfValue *variables = weir_fmu_leaf_variables (data);
  const guint32 *inputs = weir_fmu_leaf_numbers (data) + e->inputs;

  for (guint k = 0; k < e->n_inputs; k++)
    if ((!only_mixed || inputs[k] >= data->n_inputs)
        && !weir_fmu_leaf_set (
            instance, &variables[inputs[k]], 1,
            weir_calc_input (c, (WeirInput) { (guint16) variables[inputs[k]].place }), error))
      return FALSE;
  return TRUE;
}

/* From event mode to continuous time: updates until none is needed, and what they gave. @ticks: of
 * clocks; NULL: none ticks. */
static gboolean
settle (const WeirFmuLeafData *data, WeirFmuInstance *instance, double time, WeirFmuTicks *ticks,
        WeirFmuUpdate *last, double *x, GError **error)
{
  double next = INFINITY;
  gboolean are_due = FALSE, have_nominals_changed = FALSE;

  *last = (WeirFmuUpdate) { .is_update_needed = TRUE };
  for (guint i = 0; last->is_update_needed && !last->terminates; i++)
    {
      if (i >= MAX_UPDATES)
        {
          weir_error_set (error, WEIR_ERROR_FAILED,
                          "the FMU asks for more than %d updates at one instant: its event never "
                          "comes to an end",
                          MAX_UPDATES);
          return FALSE;
        }
      if ((ticks != NULL && !weir_fmu_ticks_tell (ticks, instance, time, error))
          || !weir_fmu_instance_update_discrete (instance, last, error)
          || (ticks != NULL && !weir_fmu_ticks_ask (ticks, instance, time, &are_due, error)))
        return FALSE;
      next = last->next_time;
      have_nominals_changed |= last->have_nominals_changed;
      last->is_update_needed |= next <= time || are_due; /* at this very instant */
    }
  last->next_time = next;
  if (ticks != NULL && have_nominals_changed
      && !weir_fmu_ticks_take_nominals (ticks, instance, error))
    return FALSE;
  if (last->terminates)
    return data->n_states == 0 || weir_fmu_instance_get_states (instance, x, error);
  return weir_fmu_instance_enter_continuous_mode (instance, error)
         && (data->n_states == 0 || weir_fmu_instance_get_states (instance, x, error));
}

/* Event indicators are not there before continuous time: an instance of their own goes there, so
 * that no change of domain is seen where the run begins. */
static gboolean
calc_indicators_at_start (const WeirCalc *c, const WeirFmuLeafData *data, const WeirFmuLeafEntry *e,
                          double *out, GError **error)
{
  double time = e->uses_time ? weir_calc_time (c) : 0;
  g_autoptr (WeirFmuShared) shared = begin (c, data, time, FALSE, error);
  g_autofree double *x = g_new (double, data->n_states + 1);
  WeirFmuEvaluation evaluation = { .time = time, .z = out };
  WeirFmuUpdate last;

  if (shared == NULL || !set_some_inputs (c, data, e, shared->instance, FALSE, error)
      || !weir_fmu_instance_exit_initialization (shared->instance, error)
      || !settle (data, shared->instance, time, NULL, &last, x, error))
    return FALSE;
  for (guint i = 0; i < e->size && last.terminates; i++)
    out[i] = 1;
  return last.terminates
         || weir_fmu_leaf_get (shared->instance, NULL, NULL, 0, &evaluation, NULL, error);
}

/* @out: of a text a GVariant *, else doubles. */
static gboolean
get_values (const WeirFmuLeafData *data, const WeirFmuLeafEntry *e, WeirFmuInstance *instance,
            const WeirFmuEvaluation *evaluation, gpointer out, GError **error)
{
  const WeirFmuTextPort *text = weir_fmu_leaf_texts (data) + data->n_text_inputs + e->first;

  if (e->kind == WEIR_FMU_ENTRY_TEXT)
    return weir_fmu_texts_get (instance, text, 1, evaluation, out, error);
  return weir_fmu_leaf_get (instance, weir_fmu_leaf_variables (data) + e->variables,
                            weir_fmu_leaf_numbers (data) + e->refs, e->n_variables, evaluation, out,
                            error);
}

/* What an instance in initialization mode gives. */
static WeirStatus
calc_at_start (const WeirCalc *c, const WeirFmuLeafData *data, const WeirFmuLeafEntry *e,
               gpointer out)
{
  double time = e->uses_time ? weir_calc_time (c) : 0;
  g_autoptr (WeirFmuShared) shared = NULL;
  GError *error = NULL;
  gboolean ok = TRUE;

  if (e->kind == WEIR_FMU_ENTRY_INDICATORS)
    return calc_indicators_at_start (c, data, e, out, &error) ? WEIR_OK : fail (c, error);
  shared = weir_fmu_starting_take (data->key);
  if (shared != NULL && e->uses_time && !(shared->time == time))
    g_clear_pointer (&shared, weir_fmu_shared_unref);
  if (shared == NULL)
    shared = begin (c, data, time, FALSE, &error);
  else
    {
      weir_fmu_instance_watch (shared->instance, weir_calc_get_cancel (c));
      ok = set_starts (c, data, shared->instance, FALSE, &error);
    }
  ok = ok && shared != NULL && set_some_inputs (c, data, e, shared->instance, FALSE, &error);
  ok = ok && get_values (data, e, shared->instance, NULL, out, &error);
  if (!ok)
    return fail (c, error);
  weir_fmu_instance_watch (shared->instance, NULL);
  weir_fmu_starting_keep (data->key, g_steal_pointer (&shared));
  return WEIR_OK;
}

/* --- Entries --------------------------------------------------------------------------------- */

/* All that the FMU holds, by which those are found out who read what they do not declare. */
static void
copy_held (const WeirCalc *c, const WeirFmuLeafData *data, double *out)
{
  out[0] = weir_calc_time (c);
  if (data->n_states > 0)
    memcpy (out + 1, weir_calc_xc (c), data->n_states * sizeof *out);
  read_inputs (c, weir_fmu_leaf_variables (data), data->n_inputs + data->n_mixed,
               out + 1 + data->n_states);
}

static gboolean
evaluate (const WeirCalc *c, const WeirFmuLeafData *data, const WeirFmuLeafEntry *e,
          WeirFmuShared *shared, gpointer out, GError **error)
{
  const WeirFmuPlaceOfValue *variables = weir_fmu_leaf_variables (data);
  const guint32 *inputs = weir_fmu_leaf_numbers (data) + e->inputs;
  WeirFmuEvaluation evaluation = { .u = data->n_input_values > 0 ? shared->u : NULL };
  gboolean has_ended = shared->current->has_ended;

  if (e->uses_time)
    shared->time = weir_calc_time (c);
  evaluation.time = shared->time;
  if (e->uses_states && data->n_states > 0)
    evaluation.x = weir_calc_xc (c);
  for (guint k = 0; k < e->n_inputs; k++)
    if (inputs[k] < data->n_inputs)
      memcpy (shared->u + variables[inputs[k]].first,
              weir_calc_input (c, (WeirInput) { (guint16) variables[inputs[k]].place }),
              variables[inputs[k]].size * sizeof *shared->u);
  if (data->n_mixed > 0 && !set_some_inputs (c, data, e, shared->instance, TRUE, error))
    return FALSE;
  switch (e->kind)
    {
    case WEIR_FMU_ENTRY_DERIVATIVES:
    case WEIR_FMU_ENTRY_INDICATORS:
      for (guint i = 0; i < e->size && has_ended; i++)
        ((double *) out)[i] = e->kind == WEIR_FMU_ENTRY_INDICATORS; /* nothing moves any more */
      if (!has_ended)
        *(e->kind == WEIR_FMU_ENTRY_INDICATORS ? &evaluation.z : &evaluation.xdot) = out;
      break;
    case WEIR_FMU_ENTRY_VALUES:
    case WEIR_FMU_ENTRY_TEXT:
      return get_values (data, e, shared->instance, &evaluation, out, error);
    default:
      break;
    }
  /* Nothing to get: it is told, no more. */
  return weir_fmu_leaf_get (shared->instance, NULL, NULL, 0, &evaluation, NULL, error);
}

/* They are prerequisites, since values before a run depend on them; those of a run have them behind
 * the epoch. One rule for both, so that nobody is told to leave them out. */
static void
touch_parameters (const WeirCalc *c, const WeirFmuLeafData *data)
{
  const WeirFmuPlaceOfValue *parameters = get_latched (data) + data->n_latched;

  for (guint i = 0; i < data->n_parameters; i++)
    weir_calc_parameter (c, (WeirParameter) { (guint16) parameters[i].place });
}

/* What the FMU is asked for. @out: of a text a GVariant *, else doubles. */
static WeirStatus
calc_entry (const WeirCalc *c, const WeirFmuLeafData *data, const WeirFmuLeafEntry *e, gpointer out)
{
  GVariant *value;
  WeirFmuEpoch *epoch;
  GError *error = NULL;
  gboolean ok;

  touch_parameters (c, data);
  value = weir_calc_abstract_state (c, (WeirGroup) { (guint16) data->epoch });
  epoch = weir_fmu_epoch_find (value);
  if (e->kind == WEIR_FMU_ENTRY_HELD)
    copy_held (c, data, out);
  if (epoch == NULL && g_variant_get_uint64 (value) == 0)
    return e->kind == WEIR_FMU_ENTRY_HELD ? WEIR_OK : calc_at_start (c, data, e, out);
  if (epoch == NULL)
    return weir_calc_fail (c, "the state of the FMU is not in this process any more, and cannot "
                              "be saved with a context: start the run anew");
  if (!weir_fmu_epoch_lock (epoch, weir_calc_get_cancel (c), &error))
    return fail (c, error);
  ok = evaluate (c, data, e, epoch->shared, out, &error);
  weir_fmu_epoch_unlock (epoch);
  return ok ? WEIR_OK : fail (c, error);
}

WeirStatus
weir_fmu_leaf_calc (const WeirCalc *c, double *out)
{
  const WeirFmuLeafData *data = weir_calc_data (c);
  const WeirFmuLeafEntry *e = &weir_fmu_leaf_entries (data)[weir_calc_get_index (c)];

  if (e->kind == WEIR_FMU_ENTRY_STATE)
    {
      memcpy (out, weir_calc_xc (c) + e->first, e->size * sizeof *out);
      return WEIR_OK;
    }
  if (e->kind == WEIR_FMU_ENTRY_SLICE)
    {
      memcpy (out, weir_calc_cached (c, (WeirCached) { (guint16) e->from }) + e->first,
              e->size * sizeof *out);
      return WEIR_OK;
    }
  if (e->kind == WEIR_FMU_ENTRY_TRIGGERS)
    {
      const double *latch = weir_calc_discrete (c, (WeirGroup) { (guint16) data->latch });

      weir_fmu_ticks_read_triggers (c, data, out);
      for (guint i = 0; i < e->size; i++)
        out[i] = out[i] == latch[data->n_latch - e->size + i] ? 1 : -1;
      return WEIR_OK;
    }
  return calc_entry (c, data, e, out);
}

WeirStatus
weir_fmu_leaf_calc_text (const WeirCalc *c, GVariant **out)
{
  const WeirFmuLeafData *data = weir_calc_data (c);

  return calc_entry (c, data, &weir_fmu_leaf_entries (data)[weir_calc_get_index (c)], out);
}

/* --- Events ---------------------------------------------------------------------------------- */

/* What the leaf's state is after an event. The instance is locked. */
static WeirStatus
conclude (const WeirCalc *c, const WeirFmuLeafData *data, WeirFmuShared *shared, guint64 count,
          const WeirFmuUpdate *last, const double *x, const double *latch, const GPtrArray *texts,
          const WeirFmuTicks *ticks, WeirNextState *next)
{
  const WeirFmuTextPort *ports = weir_fmu_leaf_texts (data);
  double time = weir_calc_time (c);
  GVariant *epoch;

  shared->time = time;
  epoch = weir_fmu_epoch_new (shared, count, time);
  shared->current->has_ended = last->terminates;
  weir_next_state_set_abstract (next, (WeirGroup) { (guint16) data->epoch }, epoch);
  weir_next_state_discrete (next, (WeirGroup) { (guint16) data->next })[0] = last->next_time;
  weir_fmu_ticks_keep (ticks, next);
  if (data->n_latch > 0)
    memcpy (weir_next_state_discrete (next, (WeirGroup) { (guint16) data->latch }), latch,
            data->n_latch * sizeof *latch);
  for (guint i = 0; i < data->n_text_inputs; i++)
    weir_next_state_set_abstract (next, (WeirGroup) { (guint16) ports[i].latch }, texts->pdata[i]);
  if (data->n_states > 0 && memcmp (x, weir_calc_xc (c), data->n_states * sizeof *x) != 0)
    memcpy (weir_next_state_xc (next), x, data->n_states * sizeof *x);
  if (!last->terminates)
    return WEIR_OK;
  weir_calc_note (c, "the FMU ends the run");
  return WEIR_TERMINATE;
}

/* The inputs of the leaf, all of them, in @held as its entry has them. */
static gboolean
tell_inputs (const WeirCalc *c, const WeirFmuLeafData *data, WeirFmuShared *shared, double *held,
             GError **error)
{
  const WeirFmuPlaceOfValue *variables = weir_fmu_leaf_variables (data);

  copy_held (c, data, held);
  memcpy (shared->u, held + 1 + data->n_states, data->n_input_values * sizeof *held);
  return weir_fmu_leaf_set (shared->instance, variables + data->n_inputs, data->n_mixed,
                            held + 1 + data->n_states + data->n_input_values, error);
}

static guint
count_held (const WeirFmuLeafData *data)
{
  return weir_fmu_leaf_entries (data)[0].size; /* it comes first */
}

WeirStatus
weir_fmu_leaf_start (const WeirCalc *c, gint64 n, WeirNextState *next)
{
  const WeirFmuLeafData *data = weir_calc_data (c);
  const WeirFmuPlaceOfValue *latched = get_latched (data);
  GVariant *value = weir_calc_abstract_state (c, (WeirGroup) { (guint16) data->epoch });
  g_autofree double *x = g_new (double, data->n_states + 1);
  g_autofree double *latch = g_new (double, data->n_latch + 1);
  g_autofree double *held = g_new (double, count_held (data));
  g_autoptr (GPtrArray) texts = read_texts (c, data);
  g_autoptr (WeirFmuShared) shared = NULL;
  g_auto (WeirFmuTicks) ticks = { 0 };
  WeirFmuEvaluation point = { 0 };
  GError *error = NULL;
  WeirFmuUpdate last;

  if (weir_fmu_epoch_find (value) != NULL)
    return weir_fmu_leaf_meet_event (c, n, next); /* a run that goes on */
  weir_fmu_shared_unref (weir_fmu_starting_take (data->key));
  read_latch (c, data, latch);
  weir_fmu_ticks_init_leaf (&ticks, c, data);
  shared = begin (c, data, weir_calc_time (c), TRUE, &error);
  if (shared == NULL || !tell_inputs (c, data, shared, held, &error)
      || !weir_fmu_leaf_set (shared->instance, latched, data->n_latched, latch, &error)
      || !set_texts (data, shared->instance, texts, &error))
    return fail (c, error);
  point.u = data->n_input_values > 0 ? shared->u : NULL;
  if (!weir_fmu_leaf_get (shared->instance, NULL, NULL, 0, &point, NULL, &error)
      || !weir_fmu_ticks_begin (&ticks, shared->instance, weir_calc_time (c), &error)
      || !weir_fmu_instance_exit_initialization (shared->instance, &error)
      || !settle (data, shared->instance, weir_calc_time (c), &ticks, &last, x, &error))
    return fail (c, error);
  weir_fmu_instance_watch (shared->instance, NULL);
  return conclude (c, data, shared, g_variant_get_uint64 (value) + 1, &last, x, latch, texts,
                   &ticks, next);
}

/* Whether another event of this instant has done what there is to do. */
static gboolean
is_done (const WeirCalc *c, const WeirFmuEpoch *epoch)
{
  return epoch->successor != NULL && epoch->successor_event != weir_calc_get_index (c)
         && epoch->left == weir_calc_time (c)
         && weir_fmu_epoch_is_there (epoch->successor, epoch->successor_count);
}

static void
note_done (const WeirCalc *c, WeirFmuEpoch *epoch)
{
  epoch->successor = epoch->shared->current;
  epoch->successor_count = epoch->count + 1;
  epoch->successor_event = weir_calc_get_index (c);
  epoch->left = weir_calc_time (c);
}

/* The instance is locked, in continuous time, at the point of the context. */
static gboolean
go_through_event (const WeirFmuLeafData *data, WeirFmuInstance *instance, double time,
                  const double *latch, const GPtrArray *texts, WeirFmuTicks *ticks,
                  WeirFmuUpdate *last, double *x, GError **error)
{
  if (data->n_triggers > 0)
    weir_fmu_ticks_trigger (
        ticks, weir_calc_discrete (ticks->c, (WeirGroup) { (guint16) data->latch }), latch);
  return weir_fmu_instance_enter_event_mode (instance, error)
         && weir_fmu_leaf_set (instance, get_latched (data), data->n_latched + data->n_tunable,
                               latch, error)
         && set_texts (data, instance, texts, error)
         && settle (data, instance, time, ticks, last, x, error);
}

/* Of a step that ends here, before its events. */
static gboolean
complete (const WeirCalc *c, const WeirFmuLeafData *data, const WeirFmuEpoch *epoch,
          gboolean *needs_event, gboolean *terminates, GError **error)
{
  return epoch->time == weir_calc_time (c)
         || weir_fmu_instance_complete_step (epoch->shared->instance, weir_calc_time (c),
                                             data->n_states > 0 ? weir_calc_xc (c) : NULL, FALSE,
                                             needs_event, terminates, error);
}

static gboolean
go_to_point (const WeirCalc *c, const WeirFmuLeafData *data, WeirFmuShared *shared, double *held,
             GError **error)
{
  WeirFmuEvaluation point = { .time = weir_calc_time (c),
                              .x = data->n_states > 0 ? weir_calc_xc (c) : NULL };

  if (!tell_inputs (c, data, shared, held, error))
    return FALSE;
  point.u = data->n_input_values > 0 ? shared->u : NULL;
  return weir_fmu_leaf_get (shared->instance, NULL, NULL, 0, &point, NULL, error);
}

WeirStatus
weir_fmu_leaf_meet_event (const WeirCalc *c, G_GNUC_UNUSED gint64 n, WeirNextState *next)
{
  const WeirFmuLeafData *data = weir_calc_data (c);
  GVariant *value = weir_calc_abstract_state (c, (WeirGroup) { (guint16) data->epoch });
  WeirFmuEpoch *epoch = weir_fmu_epoch_find (value);
  g_autofree double *x = g_new (double, data->n_states + 1);
  g_autofree double *latch = g_new (double, data->n_latch + 1);
  g_autofree double *held = g_new (double, count_held (data));
  g_autoptr (GPtrArray) texts = read_texts (c, data);
  GError *error = NULL;
  WeirStatus status = WEIR_FAILED;
  gboolean needs_event = FALSE;
  g_auto (WeirFmuTicks) ticks = { 0 };
  WeirFmuUpdate last = { 0 };

  if (epoch == NULL)
    return weir_calc_fail (c, "the state of the FMU is not in this process any more, and cannot "
                              "be saved with a context: start the run anew");
  read_latch (c, data, latch);
  if (is_done (c, epoch))
    return WEIR_DID_NOTHING;
  if (!weir_fmu_epoch_lock (epoch, weir_calc_get_cancel (c), &error))
    return fail (c, error);
  weir_fmu_ticks_init_leaf (&ticks, c, data);
  if (weir_fmu_epoch_leave (epoch, &error) && go_to_point (c, data, epoch->shared, held, &error)
      && complete (c, data, epoch, &needs_event, &last.terminates, &error)
      && go_through_event (data, epoch->shared->instance, weir_calc_time (c), latch, texts, &ticks,
                           &last, x, &error))
    {
      status = conclude (c, data, epoch->shared, epoch->count + 1, &last, x, latch, texts, &ticks,
                         next);
      note_done (c, epoch);
    }
  else
    epoch->shared->current = NULL; /* it is somewhere in between */
  weir_fmu_epoch_unlock (epoch);
  return status == WEIR_FAILED ? fail (c, error) : status;
}

WeirStatus
weir_fmu_leaf_end_step (const WeirCalc *c, G_GNUC_UNUSED gint64 n, WeirNextState *next)
{
  const WeirFmuLeafData *data = weir_calc_data (c);
  GVariant *value = weir_calc_abstract_state (c, (WeirGroup) { (guint16) data->epoch });
  WeirFmuEpoch *epoch = weir_fmu_epoch_find (value);
  double time = weir_calc_time (c);
  g_autofree double *latch = g_new (double, data->n_latch + 1);
  g_autofree double *x = g_new (double, data->n_states + 1);
  g_autofree double *held = g_new (double, count_held (data));
  g_autoptr (GPtrArray) texts = read_texts (c, data);
  gboolean is_other = are_texts_other (c, data, texts), needs_event = FALSE;
  g_auto (WeirFmuTicks) ticks = { 0 };
  WeirFmuUpdate last = { 0 };
  GError *error = NULL;
  WeirStatus status = WEIR_FAILED;
  gboolean ok;

  if (epoch == NULL)
    return WEIR_DID_NOTHING;
  read_latch (c, data, latch);
  if (data->n_latch > 0)
    is_other |= memcmp (latch, weir_calc_discrete (c, (WeirGroup) { (guint16) data->latch }),
                        data->n_latch * sizeof *latch)
                != 0;
  if ((!is_other && (!data->needs_completed_step || epoch->time == time)) || is_done (c, epoch))
    return WEIR_DID_NOTHING;
  if (!weir_fmu_epoch_lock (epoch, weir_calc_get_cancel (c), &error))
    return fail (c, error);
  weir_fmu_ticks_init_leaf (&ticks, c, data);
  if (data->n_states > 0)
    memcpy (x, weir_calc_xc (c), data->n_states * sizeof *x);
  last.next_time = weir_calc_discrete (c, (WeirGroup) { (guint16) data->next })[0];
  ok = weir_fmu_epoch_leave (epoch, &error) && go_to_point (c, data, epoch->shared, held, &error)
       && complete (c, data, epoch, &needs_event, &last.terminates, &error);
  if (ok && (is_other || needs_event) && !last.terminates)
    ok = go_through_event (data, epoch->shared->instance, time, latch, texts, &ticks, &last, x,
                           &error);
  if (ok)
    {
      status = conclude (c, data, epoch->shared, epoch->count + 1, &last, x, latch, texts, &ticks,
                         next);
      note_done (c, epoch);
    }
  else
    epoch->shared->current = NULL;
  weir_fmu_epoch_unlock (epoch);
  return status == WEIR_FAILED ? fail (c, error) : status;
}

WeirStatus
weir_fmu_leaf_next_time (const WeirCalc *c, double after, double *time)
{
  const WeirFmuLeafData *data = weir_calc_data (c);
  double next = weir_calc_discrete (c, (WeirGroup) { (guint16) data->next })[0];
  double tick = INFINITY;

  if (data->n_timed > 0)
    tick = weir_fmu_ticks_find_next (weir_calc_discrete (c, (WeirGroup) { (guint16) data->ticks }),
                                     data->n_timed, after);
  *time = next > after && next < tick ? next : tick;
  return WEIR_OK;
}

/* The steps of an FMU as a unit. See unit.h.
 *
 * Between two steps an instance is in step mode. Where it has ended the run it stays as it is.
 */
#include "fmi/unit-private.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/sync.h"
#include "fmi/trust.h"

#define MAX_UPDATES 100   /* at one instant */
#define MAX_RETURNS 10000 /* early, within one step */
#define NEARLY 1e-9       /* of a step's length */
#define MAX_HISTORY (2 << 20)

typedef struct {
  WeirFmuUnitData *unit;
  WeirFmuInstance *fmu;
  gboolean is_fresh; /* instantiated, and nothing more */
  const gint *cancel;
  double *u, *parameters; /* that it was told last; parameters: that it is to be told */
  gboolean is_tuned;      /* they have changed since */
  double time;            /* of the last communication point */
  double length;          /* s, of the first step; 0: none has been made */
  double next_time;       /* of the next event, as the FMU says */
  gboolean is_event_due, has_ended;
  WeirFmuTicks ticks;
  double *latch, *signals; /* of triggers, rounded down: at the last event, and now */
  double nearly;           /* s: instants of the step under way that are so near are the same */
  GVariant **texts, **next_texts; /* at inputs: that it was told last, and is to be told */
  GVariant **said;                /* what its text outputs were last */
  WeirFmuValues *rooms[WEIR_FMU_UNIT_N_LISTS]; /* of each group; of doubles, while they are got */
  GArray *history; /* double: u and parameters at the start, then of each step its time, end, u and
                      parameters; NULL: the FMU makes its state into bytes */
  GPtrArray *text_history; /* GVariant: the texts of those; or NULL */
} Instance;

/* --- Values ---------------------------------------------------------------------------------- */

static GArray *
get_groups (const Instance *self, WeirFmuUnitList list)
{
  return self->unit->lists[list];
}

static void
make_rooms (Instance *self)
{
  for (guint list = 0; list < WEIR_FMU_UNIT_N_LISTS; list++)
    {
      const GArray *groups = get_groups (self, list);

      self->rooms[list] = g_new0 (WeirFmuValues, groups->len + 1);
      for (guint i = 0; i < groups->len; i++)
        {
          const WeirFmuUnitGroup *group = &g_array_index (groups, WeirFmuUnitGroup, i);

          self->rooms[list][i] = (WeirFmuValues) {
            .type = group->type,
            .refs = (const guint32 *) (gpointer) group->refs->data,
            .n_refs = group->refs->len,
            .values = g_new0 (guint64, group->places->len),
            .n_values = group->places->len,
          };
        }
    }
}

static void
free_rooms (Instance *self)
{
  for (guint list = 0; list < WEIR_FMU_UNIT_N_LISTS; list++)
    {
      for (guint i = 0; i < get_groups (self, list)->len; i++)
        g_free (self->rooms[list][i].values);
      g_free (self->rooms[list]);
    }
}

/* From @values to what the FMU takes. */
static gboolean
fill (Instance *self, WeirFmuUnitList list, const double *values, GError **error)
{
  for (guint i = 0; i < get_groups (self, list)->len; i++)
    {
      const WeirFmuValues *room = &self->rooms[list][i];
      const GArray *places = g_array_index (get_groups (self, list), WeirFmuUnitGroup, i).places;

      for (guint k = 0; k < places->len; k++)
        if (!weir_fmu_leaf_put (room->type, room->values, k,
                                values[g_array_index (places, guint, k)], error))
          return FALSE;
    }
  return TRUE;
}

/* Those that clocks hold are moved between y and where they are kept. */
static void
exchange_held (const Instance *self, double *y, gboolean takes)
{
  const WeirFmuClocks *clocks = &self->ticks.clocks;
  double *value = self->ticks.outputs;

  for (guint i = 0; i < weir_fmu_clocks_count_held (clocks); i++)
    {
      const WeirFmuPlaceOfValue *held = &weir_fmu_clocks_get_held (clocks, i)->value;

      if (takes)
        memcpy (y + held->place, value, held->size * sizeof *y);
      else
        memcpy (value, y + held->place, held->size * sizeof *y);
      value += held->size;
    }
}

static void
take_outputs (const Instance *self, double *y)
{
  const GArray *groups = get_groups (self, WEIR_FMU_UNIT_OUTPUTS);

  for (guint i = 0; i < groups->len; i++)
    {
      const WeirFmuValues *room = &self->rooms[WEIR_FMU_UNIT_OUTPUTS][i];
      const GArray *places = g_array_index (groups, WeirFmuUnitGroup, i).places;

      for (guint k = 0; k < places->len; k++)
        y[g_array_index (places, guint, k)] = weir_fmu_leaf_take (room->type, room->values, k);
    }
  exchange_held (self, y, TRUE);
}

static gboolean
is_other (const Instance *self, WeirFmuUnitList list, const double *a, const double *b)
{
  for (guint i = 0; i < get_groups (self, list)->len; i++)
    {
      const GArray *places = g_array_index (get_groups (self, list), WeirFmuUnitGroup, i).places;

      for (guint k = 0; k < places->len; k++)
        if (memcmp (&a[g_array_index (places, guint, k)], &b[g_array_index (places, guint, k)],
                    sizeof *a)
            != 0)
          return TRUE;
    }
  return FALSE;
}

/* --- Texts ----------------------------------------------------------------------------------- */

static const WeirFmuTextPort *
get_ports (const GArray *texts)
{
  return (const WeirFmuTextPort *) (gpointer) texts->data;
}

/* As many references of the values in @from. */
static GVariant **
texts_new (const GPtrArray *from)
{
  GVariant **texts = g_new0 (GVariant *, from->len + 1);

  for (guint i = 0; i < from->len; i++)
    texts[i] = g_variant_ref (from->pdata[i]);
  return texts;
}

static void
texts_free (GVariant **texts, guint n)
{
  for (guint i = 0; i < n && texts != NULL; i++)
    g_variant_unref (texts[i]);
  g_free (texts);
}

static gboolean
are_texts_other (const Instance *self)
{
  for (guint i = 0; i < self->unit->text_inputs->len; i++)
    if (!g_variant_equal (self->texts[i], self->next_texts[i]))
      return TRUE;
  return FALSE;
}

static void
note_texts (Instance *self)
{
  for (guint i = 0; i < self->unit->text_inputs->len; i++)
    weir_fmu_text_keep (&self->texts[i], g_variant_ref (self->next_texts[i]));
}

static gboolean
set_texts (Instance *self, GError **error)
{
  const GArray *ports = self->unit->text_inputs;

  return weir_fmu_texts_set (self->fmu, get_ports (ports), ports->len, self->texts, error);
}

static gboolean
get_texts (Instance *self, GError **error)
{
  const GArray *ports = self->unit->text_outputs;

  return ports->len == 0
         || weir_fmu_texts_get (self->fmu, get_ports (ports), ports->len, NULL, self->said, error);
}

static void
set_abstract_inputs (gpointer instance, GVariant *const *values)
{
  Instance *self = instance;

  for (guint i = 0; i < self->unit->text_inputs->len; i++)
    weir_fmu_text_keep (&self->next_texts[i], g_variant_ref (values[i]));
}

static void
get_abstract_outputs (gpointer instance, GVariant **values)
{
  const Instance *self = instance;

  for (guint i = 0; i < self->unit->text_outputs->len; i++)
    values[i] = g_variant_ref (self->said[i]);
}

/* --- Calls ----------------------------------------------------------------------------------- */

static gboolean
is_done (WeirFmuOutcome outcome, GError **error)
{
  if (outcome == WEIR_FMU_DISCARDED)
    weir_error_set (error, WEIR_ERROR_FAILED,
                    "the FMU discards the values that it is given, or asked for");
  return outcome == WEIR_FMU_DONE;
}

static gboolean
set_list (Instance *self, WeirFmuUnitList list, const double *values, GError **error)
{
  guint n = get_groups (self, list)->len;

  return n == 0
         || (fill (self, list, values, error)
             && is_done (weir_fmu_instance_set (self->fmu, self->rooms[list], n, error), error));
}

static gboolean
get_outputs (Instance *self, double *y, GError **error)
{
  guint n = get_groups (self, WEIR_FMU_UNIT_OUTPUTS)->len;

  if (n > 0
      && !is_done (weir_fmu_instance_get (self->fmu, self->rooms[WEIR_FMU_UNIT_OUTPUTS], n, error),
                   error))
    return FALSE;
  take_outputs (self, y);
  return get_texts (self, error);
}

/* --- Life ------------------------------------------------------------------------------------ */

static gboolean
unpack (WeirFmuUnitData *self, GError **error)
{
  gboolean is_there;

  weir_sync_lock (&self->mutex);
  if (self->binary.folder == NULL && self->archive != NULL)
    self->binary.folder = weir_fmu_trust_unpack (self->archive, self->binary.name, error);
  is_there = self->binary.folder != NULL;
  weir_sync_unlock (&self->mutex);
  return is_there;
}

/* A new instance in the place of the present one. */
static gboolean
instantiate (Instance *self, GError **error)
{
  g_clear_pointer (&self->fmu, weir_fmu_instance_free);
  if (!unpack (self->unit, error))
    return FALSE;
  self->fmu = weir_fmu_instance_new (&self->unit->binary, &self->unit->options, error);
  self->is_fresh = TRUE;
  if (self->fmu != NULL)
    weir_fmu_instance_watch (self->fmu, self->cancel);
  return self->fmu != NULL;
}

static void
free_instance (gpointer instance)
{
  Instance *self = instance;

  weir_fmu_instance_free (self->fmu);
  free_rooms (self);
  weir_fmu_ticks_clear (&self->ticks);
  g_free (self->latch);
  g_free (self->signals);
  g_clear_pointer (&self->history, g_array_unref);
  g_clear_pointer (&self->text_history, g_ptr_array_unref);
  texts_free (self->texts, self->unit->text_inputs->len);
  texts_free (self->next_texts, self->unit->text_inputs->len);
  texts_free (self->said, self->unit->text_outputs->len);
  g_free (self->u);
  g_free (self->parameters);
  g_free (self);
}

static const double *
read_input (gconstpointer instance, guint32 place)
{
  return ((const Instance *) instance)->u + place;
}

static gpointer
make (gpointer data, GError **error)
{
  Instance *self = g_new0 (Instance, 1);

  self->unit = data;
  self->u = g_new0 (double, self->unit->n_u + 1);
  self->parameters = g_new0 (double, self->unit->values->len + 1);
  if (self->unit->values->len > 0)
    memcpy (self->parameters, self->unit->values->data,
            self->unit->values->len * sizeof *self->parameters);
  if (!self->unit->binary.can_serialize)
    {
      self->history = g_array_new (FALSE, FALSE, sizeof (double));
      self->text_history = g_ptr_array_new_with_free_func ((GDestroyNotify) g_variant_unref);
    }
  self->texts = texts_new (self->unit->text_input_starts);
  self->next_texts = texts_new (self->unit->text_input_starts);
  self->said = texts_new (self->unit->text_output_starts);
  make_rooms (self);
  weir_fmu_ticks_init (&self->ticks, &self->unit->clocks, read_input, self);
  self->latch = g_new0 (double, self->unit->clocks.n_triggers + 1);
  self->signals = g_new0 (double, self->unit->clocks.n_triggers + 1);
  if (instantiate (self, error))
    return self;
  free_instance (self);
  return NULL;
}

static void
set_cancel (gpointer instance, const gint *cancel)
{
  Instance *self = instance;

  self->cancel = cancel;
  if (self->fmu != NULL)
    weir_fmu_instance_watch (self->fmu, cancel);
}

/* Those that are fixed hold from the next start on. */
static gboolean
set_parameter (gpointer instance, const char *path, const double *values, guint n, GError **error)
{
  Instance *self = instance;
  const GArray *parameters = self->unit->parameters;

  for (guint i = 0; i < parameters->len; i++)
    {
      const WeirFmuUnitParameter *parameter = &g_array_index (parameters, WeirFmuUnitParameter, i);

      if (!g_str_equal (parameter->name, path) || parameter->size != n)
        continue;
      memcpy (self->parameters + parameter->first, values, n * sizeof *values);
      self->is_tuned = TRUE;
      return TRUE;
    }
  weir_error_set (error, WEIR_ERROR_INVALID, "the FMU has no parameter \"%s\" of size %u", path, n);
  return FALSE;
}

static void
note_in_history (Instance *self, const double *u)
{
  if (self->history == NULL || self->history->len > MAX_HISTORY)
    return;
  g_array_append_vals (self->history, u, self->unit->n_u);
  g_array_append_vals (self->history, self->parameters, self->unit->values->len);
  for (guint i = 0; i < self->unit->text_inputs->len; i++)
    g_ptr_array_add (self->text_history, g_variant_ref (self->next_texts[i]));
}

/* --- Events ---------------------------------------------------------------------------------- */

static void
note_inputs (Instance *self, const double *u)
{
  if (self->unit->n_u > 0)
    memcpy (self->u, u, self->unit->n_u * sizeof *u);
  note_texts (self);
}

static void
read_triggers (const Instance *self, const double *u, double *signals)
{
  const WeirFmuClocks *clocks = &self->ticks.clocks;

  for (guint i = 0; i < clocks->n_triggers; i++)
    signals[i] = floor (u[clocks->clocked[i].value.place]);
}

/* Has the signal of a clock reached another whole number since the last event? */
static gboolean
has_signal (Instance *self)
{
  read_triggers (self, self->u, self->signals);
  return memcmp (self->signals, self->latch, self->ticks.clocks.n_triggers * sizeof *self->latch)
         != 0;
}

/* When the next clock ticks. */
static double
find_tick (const Instance *self)
{
  return weir_fmu_ticks_find_next (self->ticks.timed, self->ticks.clocks.n_timed, -INFINITY);
}

/* From event mode to step mode. @time: now. */
static gboolean
settle (Instance *self, double time, GError **error)
{
  WeirFmuUpdate update = { .is_update_needed = TRUE, .next_time = INFINITY };
  gboolean are_due = FALSE;

  weir_fmu_ticks_snap (&self->ticks, time, self->nearly);
  for (guint i = 0; update.is_update_needed && !update.terminates; i++)
    {
      if (i >= MAX_UPDATES)
        {
          weir_error_set (error, WEIR_ERROR_FAILED,
                          "the FMU asks for more than %d updates at one instant: its event never "
                          "comes to an end",
                          MAX_UPDATES);
          return FALSE;
        }
      if (!weir_fmu_ticks_tell (&self->ticks, self->fmu, time, error)
          || !weir_fmu_instance_update_discrete (self->fmu, &update, error)
          || !weir_fmu_ticks_ask (&self->ticks, self->fmu, time, &are_due, error))
        return FALSE;
      update.is_update_needed |= update.next_time <= time || are_due; /* at this very instant */
    }
  self->next_time = update.next_time;
  self->has_ended = update.terminates;
  self->is_event_due = FALSE;
  return self->has_ended || weir_fmu_instance_enter_step_mode (self->fmu, error);
}

static gboolean
go_through_event (Instance *self, double time, GError **error)
{
  read_triggers (self, self->u, self->signals);
  weir_fmu_ticks_trigger (&self->ticks, self->latch, self->signals);
  memcpy (self->latch, self->signals, self->ticks.clocks.n_triggers * sizeof *self->latch);
  return weir_fmu_instance_enter_event_mode (self->fmu, error)
         && set_list (self, WEIR_FMU_UNIT_DISCRETE, self->u, error) && set_texts (self, error)
         && set_list (self, WEIR_FMU_UNIT_TUNABLE, self->parameters, error)
         && settle (self, time, error);
}

/* Nothing has ticked yet, and no signal has come. */
static void
reset_clocks (Instance *self, const double *u)
{
  const GArray *held = self->unit->held;

  memset (self->ticks.active, 0, weir_fmu_clocks_count (&self->ticks.clocks));
  if (held->len > 0)
    memcpy (self->ticks.outputs, held->data, held->len * sizeof (double));
  read_triggers (self, u, self->latch);
  self->nearly = 0;
}

static gboolean
initialize (gpointer instance, double t, const double *u, double *y, GError **error)
{
  Instance *self = instance;
  const double *starts = (const double *) (gpointer) self->unit->starts->data;

  if (!self->is_fresh && !instantiate (self, error))
    return FALSE;
  self->is_fresh = self->is_tuned = self->is_event_due = self->has_ended = FALSE;
  self->length = 0;
  self->time = t;
  self->next_time = INFINITY;
  note_inputs (self, u);
  reset_clocks (self, u);
  if (self->history != NULL)
    {
      g_array_set_size (self->history, 0);
      g_array_append_val (self->history, t);
      g_array_append_val (self->history, t);
      g_ptr_array_set_size (self->text_history, 0);
    }
  note_in_history (self, u);
  return set_list (self, WEIR_FMU_UNIT_FIXED, self->parameters, error)
         && set_list (self, WEIR_FMU_UNIT_TUNABLE, self->parameters, error)
         && set_list (self, WEIR_FMU_UNIT_STARTS, starts, error)
         && weir_fmu_instance_enter_initialization (self->fmu, t, INFINITY, 0, error)
         && set_list (self, WEIR_FMU_UNIT_CONTINUOUS, u, error)
         && set_list (self, WEIR_FMU_UNIT_DISCRETE, u, error) && set_texts (self, error)
         && weir_fmu_ticks_begin (&self->ticks, self->fmu, t, error)
         && weir_fmu_instance_exit_initialization (self->fmu, error)
         && (!self->unit->has_event_mode || settle (self, t, error))
         && get_outputs (self, y, error);
}

/* --- Steps ----------------------------------------------------------------------------------- */

/* What the FMU is told of a step's length: steps that differ by rounding alone are the same. NAN
 * and
 * @error: it cannot make it. */
static double
find_length (Instance *self, double length, GError **error)
{
  const WeirFmuUnitData *unit = self->unit;
  double ratio = length / unit->fixed_step;

  if (self->length > 0 && fabs (length - self->length) <= NEARLY * length)
    return self->length;
  if (!isnan (ratio) && fabs (ratio - round (ratio)) > 1e-6 * ratio)
    {
      weir_error_set (
          error, WEIR_ERROR_FAILED,
          "the FMU makes steps of %.9g s, of which a communication step of %.9g s is no "
          "multiple: choose one",
          unit->fixed_step, length);
      return NAN;
    }
  if (self->length > 0 && !unit->can_vary_step)
    {
      weir_error_set (
          error, WEIR_ERROR_FAILED,
          "a step of %.9g s is asked for after steps of %.9g s, and the FMU cannot vary "
          "them",
          length, self->length);
      return NAN;
    }
  return length;
}

/* What holds from here on that is no continuous input. */
static gboolean
tell_discrete (Instance *self, double t, const double *u, GError **error)
{
  gboolean has_inputs = is_other (self, WEIR_FMU_UNIT_DISCRETE, self->u, u);
  gboolean has_texts = are_texts_other (self);

  note_inputs (self, u);
  if (self->unit->has_event_mode)
    {
      if (!has_inputs && !has_texts && !self->is_tuned && !self->is_event_due && self->next_time > t
          && find_tick (self) > t && !has_signal (self))
        return TRUE;
      self->is_tuned = FALSE;
      return go_through_event (self, t, error);
    }
  if ((has_inputs && !set_list (self, WEIR_FMU_UNIT_DISCRETE, u, error))
      || (has_texts && !set_texts (self, error)))
    return FALSE;
  if (self->is_tuned && !set_list (self, WEIR_FMU_UNIT_TUNABLE, self->parameters, error))
    return FALSE;
  self->is_tuned = FALSE;
  return TRUE;
}

/* One call of the FMU's, from @from for @length. @sets: what is told before. */
static gboolean
do_step (Instance *self, double from, double length, gboolean sets, WeirFmuStepEnd *end,
         GError **error)
{
  WeirFmuStep step = { .time = from,
                       .step = length,
                       .set = self->rooms[WEIR_FMU_UNIT_CONTINUOUS],
                       .n_set = sets ? get_groups (self, WEIR_FMU_UNIT_CONTINUOUS)->len : 0,
                       .got = self->rooms[WEIR_FMU_UNIT_OUTPUTS],
                       .n_got = get_groups (self, WEIR_FMU_UNIT_OUTPUTS)->len };

  switch (weir_fmu_instance_do_step (self->fmu, &step, end, error))
    {
    case WEIR_FMU_DONE:
      return TRUE;
    case WEIR_FMU_DISCARDED:
      if (end->terminates || (end->last_time > from && self->unit->can_vary_step))
        {
          end->returned_early = TRUE;
          return is_done (weir_fmu_instance_get (self->fmu, step.got, step.n_got, error), error);
        }
      weir_error_set (
          error, WEIR_ERROR_FAILED,
          "%s: the FMU discards its step from t = %.9g s to %.9g s, of which it could make "
          "%.9g s: choose a shorter communication step",
          self->unit->binary.name, from, from + length, MAX (end->last_time - from, 0));
      return FALSE;
    case WEIR_FMU_FAILED:
    default:
      return FALSE;
    }
}

/* Where a call ended that was to reach @next: there, but for rounding, unless the FMU says that it
 * went less far. */
static double
find_reached (const WeirFmuStepEnd *end, double from, double next, double length)
{
  gboolean is_short = end->last_time > from || end->returned_early || end->terminates;

  return is_short && end->last_time < next - NEARLY * length ? end->last_time : next;
}

/* Up to where the FMU may go from @at on towards @to. NAN and @error: a clock ticks on the way,
 * where the FMU cannot stop. */
static double
find_stop (const Instance *self, double at, double to, GError **error)
{
  double tick = find_tick (self), event = fmin (self->next_time, tick);

  if (!(event < to - self->nearly))
    return to;
  if (self->unit->can_vary_step)
    return event;
  if (!(tick < to - self->nearly))
    return to; /* the event is gone through there */
  weir_error_set (error, WEIR_ERROR_FAILED,
                  "one of the FMU's clocks ticks at t = %.9g s, within a step from %.9g s to %.9g "
                  "s, and the FMU cannot vary its steps: choose a communication step of which "
                  "ticks are multiples",
                  tick, at, to);
  return NAN;
}

/* Parts of a step, each to an event or to the end. */
static gboolean
advance (Instance *self, double t, double to, double length, double *y, GError **error)
{
  gboolean sets = TRUE;
  double at = t;

  for (guint i = 0; at < to && !self->has_ended; i++)
    {
      WeirFmuStepEnd end = { 0 };
      double next = find_stop (self, at, to, error);

      if (isnan (next))
        return FALSE;
      if (i >= MAX_RETURNS)
        {
          weir_error_set (error, WEIR_ERROR_FAILED,
                          "the FMU has ended its step early %d times between t = %.9g s and %.9g s",
                          MAX_RETURNS, t, at);
          return FALSE;
        }
      if (!do_step (self, at, at == t && next == to ? length : next - at, sets, &end, error)
          || !get_texts (self, error))
        return FALSE;
      take_outputs (self, y);
      sets = FALSE;
      self->has_ended = end.terminates;
      at = find_reached (&end, at, next, length);
      self->is_event_due = end.event_needed || self->next_time <= at
                           || find_tick (self) <= at + self->nearly;
      if (self->unit->has_event_mode && self->is_event_due && !self->has_ended
          && !(go_through_event (self, at, error) && get_outputs (self, y, error)))
        return FALSE;
    }
  self->time = at;
  return TRUE;
}

static gboolean
step (gpointer instance, double t, double end, const double *u, double *y, double *reached,
      GError **error)
{
  Instance *self = instance;
  double length = find_length (self, end - t, error);

  if (isnan (length))
    return FALSE;
  self->nearly = NEARLY * length;
  if (self->history != NULL && self->history->len <= MAX_HISTORY)
    {
      g_array_append_val (self->history, t);
      g_array_append_val (self->history, end);
    }
  note_in_history (self, u);
  if (!tell_discrete (self, t, u, error) || !fill (self, WEIR_FMU_UNIT_CONTINUOUS, u, error))
    return FALSE;
  if (!self->has_ended && !advance (self, t, end, length, y, error))
    return FALSE;
  if (self->has_ended)
    take_outputs (self, y);
  if (self->length <= 0)
    self->length = length;
  *reached = end;
  return TRUE;
}

static gboolean
has_ended (gpointer instance)
{
  return ((Instance *) instance)->has_ended;
}

/* --- State ----------------------------------------------------------------------------------- */

/* Length, time, next time; an event is due, the run has ended, parameters have changed; u,
 * parameters, outputs; ticks and latch of clocks; the FMU's bytes, or the history; texts at inputs,
 * at outputs, in the history. */
#define STATE_TYPE "(dddbbbadadadadadayadavavav)"

static GVariant *
box (const double *values, guint n)
{
  return g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, values, n, sizeof *values);
}

static GVariant *
box_texts (GVariant *const *texts, guint n)
{
  GVariantBuilder list;

  g_variant_builder_init (&list, G_VARIANT_TYPE ("av"));
  for (guint i = 0; i < n; i++)
    g_variant_builder_add (&list, "v", texts[i]);
  return g_variant_builder_end (&list);
}

static GBytes *
save_fmu (Instance *self, GError **error)
{
  g_autoptr (WeirFmuState) state = weir_fmu_instance_save (self->fmu, error);

  return state != NULL ? weir_fmu_instance_serialize (self->fmu, state, error) : NULL;
}

static GBytes *
save (gpointer instance, GError **error)
{
  Instance *self = instance;
  g_autoptr (GBytes) bytes = self->history == NULL ? save_fmu (self, error) : g_bytes_new (NULL, 0);
  g_autoptr (GVariant) value = NULL;
  g_autofree double *y = g_new0 (double, self->unit->n_y + 1);

  if (bytes == NULL)
    return NULL;
  if (self->history != NULL && self->history->len > MAX_HISTORY)
    {
      weir_error_set (
          error, WEIR_ERROR_FAILED,
          "the FMU does not offer that its state is saved, and has made more steps than "
          "are kept to be repeated");
      return NULL;
    }
  take_outputs (self, y);
  value = g_variant_ref_sink (g_variant_new (
      "(dddbbb@ad@ad@ad@ad@ad@ay@ad@av@av@av)", self->length, self->time, self->next_time,
      self->is_event_due, self->has_ended, self->is_tuned, box (self->u, self->unit->n_u),
      box (self->parameters, self->unit->values->len), box (y, self->unit->n_y),
      box (self->ticks.timed, self->ticks.clocks.n_timed * WEIR_FMU_TICK_N),
      box (self->latch, self->ticks.clocks.n_triggers),
      g_variant_new_from_bytes (G_VARIANT_TYPE_BYTESTRING, bytes, TRUE),
      self->history != NULL
          ? box ((const double *) (gpointer) self->history->data, self->history->len)
          : box (NULL, 0),
      box_texts (self->texts, self->unit->text_inputs->len),
      box_texts (self->said, self->unit->text_outputs->len),
      box_texts (self->history != NULL ? (GVariant *const *) self->text_history->pdata : NULL,
                 self->history != NULL ? self->text_history->len : 0)));
  return g_variant_get_data_as_bytes (value);
}

static gboolean
take (GVariant *from, double *values, guint n)
{
  gsize size;
  gconstpointer data = g_variant_get_fixed_array (from, &size, sizeof *values);

  if (size == n && n > 0)
    memcpy (values, data, n * sizeof *values);
  return size == n;
}

/* @n from number @first on, of the types of @ports. */
static gboolean
take_texts (GVariant *from, gsize first, const GArray *ports, GVariant **texts)
{
  if (first + ports->len > g_variant_n_children (from))
    return FALSE;
  for (guint i = 0; i < ports->len; i++)
    {
      g_autoptr (GVariant) text = NULL;

      g_variant_get_child (from, first + i, "v", &text);
      if (!g_variant_is_of_type (
              text, G_VARIANT_TYPE (weir_fmu_text_get_type (get_ports (ports)[i].type))))
        return FALSE;
      weir_fmu_text_keep (&texts[i], g_steal_pointer (&text));
    }
  return TRUE;
}

static gboolean
refuse (GError **error)
{
  weir_error_set (error, WEIR_ERROR_MISMATCH, "what was saved of the FMU does not fit it");
  return FALSE;
}

static gboolean
is_said (const Instance *self, GVariant *said)
{
  for (guint i = 0; i < self->unit->text_outputs->len; i++)
    {
      g_autoptr (GVariant) text = NULL;

      g_variant_get_child (said, i, "v", &text);
      if (!g_variant_equal (text, self->said[i]))
        return FALSE;
    }
  return TRUE;
}

/* All steps over again. @y, @said: what the last one gave. */
static gboolean
repeat (Instance *self, GVariant *history, GVariant *texts, const double *y, GVariant *said,
        GError **error)
{
  gsize n, size = 2 + self->unit->n_u + self->unit->values->len;
  const double *at = g_variant_get_fixed_array (history, &n, sizeof *at);
  g_autofree double *again = g_new0 (double, self->unit->n_y + 1);
  gboolean ok = n > 0 && n % size == 0;
  gsize first = 0;

  if (!ok)
    return refuse (error);
  for (const double *end = at + n; at < end && ok; at += size)
    {
      const double *u = at + 2;
      double reached;

      memcpy (self->parameters, u + self->unit->n_u,
              self->unit->values->len * sizeof *self->parameters);
      self->is_tuned = TRUE;
      if (!take_texts (texts, first, self->unit->text_inputs, self->next_texts))
        return refuse (error);
      first += self->unit->text_inputs->len;
      ok = at == end - n ? initialize (self, at[0], u, again, error)
                         : step (self, at[0], at[1], u, again, &reached, error);
    }
  if (ok && (memcmp (again, y, self->unit->n_y * sizeof *y) != 0 || !is_said (self, said)))
    {
      weir_error_set (
          error, WEIR_ERROR_FAILED,
          "the FMU does not offer that its state is saved, and gives other outputs when "
          "its steps are repeated: this run cannot go back");
      return FALSE;
    }
  return ok;
}

static gboolean
restore_fmu (Instance *self, GBytes *bytes, const double *y, GError **error)
{
  g_autoptr (WeirFmuState) state = NULL;

  if (weir_fmu_instance_is_lost (self->fmu) && !instantiate (self, error))
    return FALSE;
  state = weir_fmu_instance_deserialize (self->fmu, bytes, error);
  if (state == NULL || !weir_fmu_instance_restore (self->fmu, state, error))
    return FALSE;
  self->is_fresh = FALSE;
  return fill (self, WEIR_FMU_UNIT_OUTPUTS, y, error);
}

static gboolean
restore (gpointer instance, GBytes *bytes, GError **error)
{
  Instance *self = instance;
  g_autoptr (GVariant) value = g_variant_ref_sink (
      g_variant_new_from_bytes (G_VARIANT_TYPE (STATE_TYPE), bytes, FALSE));
  g_autoptr (GVariant) u = NULL, parameters = NULL, outputs = NULL, state = NULL, history = NULL;
  g_autoptr (GVariant) timed = NULL, latch = NULL, texts = NULL, said = NULL, told = NULL;
  guint n_timed = self->ticks.clocks.n_timed * WEIR_FMU_TICK_N;
  g_autofree double *y = g_new0 (double, self->unit->n_y + 1);
  g_autoptr (GBytes) fmu = NULL;
  double length, time, next_time;
  gboolean is_event_due, has_ended_, is_tuned, ok;

  g_variant_get (value, "(dddbbb@ad@ad@ad@ad@ad@ay@ad@av@av@av)", &length, &time, &next_time,
                 &is_event_due, &has_ended_, &is_tuned, &u, &parameters, &outputs, &timed, &latch,
                 &state, &history, &texts, &said, &told);
  if (!take (u, self->u, self->unit->n_u)
      || !take (parameters, self->parameters, self->unit->values->len)
      || !take (outputs, y, self->unit->n_y) || !take (timed, self->ticks.timed, n_timed)
      || !take (latch, self->latch, self->ticks.clocks.n_triggers)
      || !take_texts (texts, 0, self->unit->text_inputs, self->texts)
      || !take_texts (said, 0, self->unit->text_outputs, self->said))
    return refuse (error);
  exchange_held (self, y, FALSE);
  fmu = g_variant_get_data_as_bytes (state);
  self->has_ended = has_ended_;
  ok = self->history == NULL ? restore_fmu (self, fmu, y, error)
                             : repeat (self, history, told, y, said, error);
  if (!ok)
    return FALSE;
  self->length = length;
  self->time = time;
  self->next_time = next_time;
  self->is_event_due = is_event_due;
  self->has_ended = has_ended_;
  self->is_tuned = is_tuned;
  return take (u, self->u, self->unit->n_u)
         && take (parameters, self->parameters, self->unit->values->len)
         && take (timed, self->ticks.timed, n_timed)
         && take (latch, self->latch, self->ticks.clocks.n_triggers)
         && take_texts (texts, 0, self->unit->text_inputs, self->texts);
}

void
weir_fmu_unit_set_functions (WeirUnitClass *class)
{
  class->make = make;
  class->initialize = initialize;
  class->step = step;
  class->save = save;
  class->restore = restore;
  class->set_parameter = set_parameter;
  class->set_cancel = set_cancel;
  class->has_ended = has_ended;
  class->set_abstract_inputs = set_abstract_inputs;
  class->get_abstract_outputs = get_abstract_outputs;
  class->free = free_instance;
}

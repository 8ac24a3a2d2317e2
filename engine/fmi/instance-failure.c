/* What is said of a call that failed: what happened, in which function, when, with which values,
 * and what the FMU said last. See instance-private.h. */
#include "fmi/instance-private.h"

#include <math.h>

#include "base/error.h"
#include "base/phrase.h"
#include "base/text.h"

#define SHOWN_VALUES 8 /* of states and of inputs; there may be thousands */
#define SHOWN_LINES 3  /* of the log */

/* --- Circumstances --------------------------------------------------------------------------- */

/* "h = 1, v = 0": the first few, and how many there are. */
typedef struct {
  WeirMessage *list; /* NULL: none */
  guint n;
} Values;

/* @name: (nullable) "#@ref" then. */
static void
add_value (Values *self, const char *name, guint32 ref, double value)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE];
  WeirMessage *shown;

  if (self->n++ >= SHOWN_VALUES)
    return;
  g_ascii_formatd (digits, sizeof digits, "%.9g", value);
  shown = name != NULL ? weir_message_new ("%s = %s", name, digits)
                       : weir_message_new ("#%u = %s", ref, digits);
  self->list = self->list != NULL ? weir_message_join (self->list, ", ", shown) : shown;
}

static void
add_states (Values *self, const WeirFmuBinary *binary, const double *x)
{
  for (guint i = 0; i < MIN (binary->n_states, SHOWN_VALUES); i++)
    {
      g_autoptr (WeirMessage) name = NULL;

      if (binary->state_names != NULL)
        name = weir_message_new_literal (binary->state_names[i]);
      else
        name = weir_message_new (N_ ("state %u"), i + 1);
      add_value (self, weir_message_get_text (name), 0, x[i]);
    }
  self->n = binary->n_states; /* the others are counted */
}

static void
add_inputs (Values *self, const WeirFmuBinary *binary, const double *u)
{
  for (guint i = 0; i < binary->n_inputs && binary->n_inputs == binary->n_input_values; i++)
    add_value (self, binary->input_names != NULL ? binary->input_names[i] : NULL, binary->inputs[i],
               u[i]);
}

static const char *
find_input_name (const WeirFmuBinary *binary, guint32 ref)
{
  for (guint i = 0; i < binary->n_inputs && binary->input_names != NULL; i++)
    if (binary->inputs[i] == ref)
      return binary->input_names[i];
  return NULL;
}

static void
add_groups (Values *self, const WeirFmuInstance *instance)
{
  for (guint i = 0; i < instance->n_set; i++)
    {
      const WeirFmuValues *group = &instance->set[i];

      for (guint k = 0; k < group->n_refs && group->n_values == group->n_refs; k++)
        {
          const char *name = find_input_name (&instance->binary, group->refs[k]);

          if (group->type == WEIR_FMU_FLOAT64)
            add_value (self, name, group->refs[k], ((const double *) group->values)[k]);
          else if (group->type == WEIR_FMU_INT32)
            add_value (self, name, group->refs[k], ((const gint32 *) group->values)[k]);
          else if (group->type == WEIR_FMU_BOOLEAN)
            add_value (self, name, group->refs[k], ((const guint8 *) group->values)[k]);
        }
    }
}

/* " at t = 1.5 with h = 1, v = 0": as the FMU was told last. (transfer full) */
static WeirMessage *
tell_circumstances (const WeirFmuInstance *self)
{
  g_autoptr (WeirMessage) shown = NULL;
  char time[G_ASCII_DTOSTR_BUF_SIZE];
  Values values = { NULL, 0 };

  if (isnan (self->time))
    return weir_message_new_literal ("");
  g_ascii_formatd (time, sizeof time, "%.9g", self->time);
  if (self->phase == WEIR_FMU_IN_TIME)
    add_states (&values, &self->binary, self->x);
  if (self->n_set > 0)
    add_groups (&values, self);
  else if (self->knows_inputs || self->phase == WEIR_FMU_IN_TIME)
    add_inputs (&values, &self->binary, self->u);
  shown = values.list;
  if (shown == NULL)
    return weir_message_new (N_ (" at t = %s"), time);
  if (values.n <= SHOWN_VALUES)
    return weir_message_new (N_ (" at t = %s with %s"), time, weir_message_get_text (shown));
  return weir_message_new (N_ (" at t = %s with %s and %u more"), time,
                           weir_message_get_text (shown), values.n - SHOWN_VALUES);
}

char **
weir_fmu_instance_dup_log (WeirFmuInstance *self, guint n)
{
  if (self->process != NULL)
    weir_fmu_process_read_log (self->process);
  return weir_fmu_log_dup_tail (self->log, n);
}

/* @what, which is taken over, and what the FMU said last. (transfer full) */
static WeirMessage *
add_log (WeirMessage *what, WeirFmuInstance *self)
{
  g_auto (GStrv) lines = weir_fmu_instance_dup_log (self, SHOWN_LINES);
  g_autofree char *joined = NULL;

  if (lines == NULL)
    return what;
  for (guint i = 0; lines[i] != NULL; i++)
    g_strstrip (lines[i]);
  joined = g_strjoinv (" / ", lines);
  return weir_message_join (what, " ", weir_message_new (N_ ("It said last: \"%s\""), joined));
}

/* --- Failures -------------------------------------------------------------------------------- */

static const char *
name_call (const WeirFmuInstance *self, WeirFmuCallKind kind, WeirFmuType type)
{
  return weir_fmu_call_get_name (self->binary.version, self->binary.mode == WEIR_FMU_CO_SIMULATION,
                                 kind, type);
}

/* (transfer full) */
static WeirMessage *
tell_failure (const WeirFmuInstance *self, const char *call, WeirFmuType type, guint32 status,
              const char *why)
{
  g_autoptr (WeirMessage) circumstances = tell_circumstances (self);
  const char *name = self->binary.name, *when = weir_message_get_text (circumstances);

  switch ((int) status)
    {
    case WEIR_FMI_FATAL:
      return weir_message_new (N_ ("%s: %s failed for good%s."), name, call, when);
    case WEIR_FMI_PENDING:
      return weir_message_new (N_ ("%s: %s goes on by itself, which it was not asked to do%s."),
                               name, call, when);
    case WEIR_FMU_STATUS_MISSING:
      return weir_message_new (N_ ("%s: the FMU's library has no function %s."), name, call);
    case WEIR_FMU_STATUS_NO_ROOM:
      return weir_message_new (N_ ("%s: what %s gives does not fit into %u MB."), name, call,
                               (guint) (WEIR_FMU_REGION_BYTES / 1000000));
    case WEIR_FMU_STATUS_NOT_LOADED:
      return weir_message_new (N_ ("%s: the FMU's library cannot be loaded: %s."), name,
                               why != NULL ? why : weir_phrase (N_ ("no reason is given")));
    case WEIR_FMU_STATUS_INCOMPLETE:
      return weir_message_new (
          N_ ("%s: the FMU's library cannot be loaded: it has no function %s."), name,
          why != NULL ? why : "?");
    case WEIR_FMU_STATUS_NO_INSTANCE:
      return weir_message_new (N_ ("%s: %s gave no instance."), name, call);
    case WEIR_FMU_STATUS_UNSUITED:
      return weir_message_new (N_ ("%s: FMI %u.0 has no values of type %s, or not so large ones."),
                               name, (guint) self->binary.version, weir_fmu_type_get_name (type));
    default:
      return weir_message_new (N_ ("%s: %s failed%s."), name, call, when);
    }
}

WeirFmuOutcome
weir_fmu_instance_fail (WeirFmuInstance *self, WeirFmuCallKind kind, WeirFmuType type,
                        guint32 status, const char *why, GError **error)
{
  g_autoptr (WeirMessage) what = NULL;
  gboolean is_not_there = status == WEIR_FMU_STATUS_NOT_LOADED
                          || status == WEIR_FMU_STATUS_INCOMPLETE;
  WeirError code = is_not_there ? WEIR_ERROR_FILE : WEIR_ERROR_FAILED;

  if (status == WEIR_FMI_DISCARD)
    return WEIR_FMU_DISCARDED;
  what = add_log (tell_failure (self, name_call (self, kind, type), type, status, why), self);
  weir_error_set (error, code, "%s", weir_message_get_text (what));
  self->knows_states = self->knows_inputs = FALSE;
  if (status == WEIR_FMI_FATAL && self->lost == NULL)
    weir_error_set (&self->lost, WEIR_ERROR_FAILED, "%s", weir_message_get_text (what));
  return WEIR_FMU_FAILED;
}

/* (transfer full) */
static WeirMessage *
tell_loss (const WeirFmuInstance *self, const char *call, WeirFmuAnswer answer)
{
  g_autoptr (WeirMessage) circumstances = tell_circumstances (self), end = NULL;
  const char *name = self->binary.name, *when = weir_message_get_text (circumstances);

  if (answer == WEIR_FMU_CANCELLED)
    return weir_message_new (N_ ("%s: %s was cancelled%s."), name, call, when);
  if (answer == WEIR_FMU_TOO_LONG)
    return weir_message_new (N_ ("%s: %s did not return within %.3g s, and was ended%s."), name,
                             call, self->options.limit, when);
  end = weir_fmu_process_explain_end (self->process);
  return weir_message_new ("%s: %s %s%s.", name, call, weir_message_get_text (end), when);
}

WeirFmuOutcome
weir_fmu_instance_lose (WeirFmuInstance *self, WeirFmuAnswer answer, GError **error)
{
  guint at = MIN (atomic_load (&self->region->at), self->n_calls - 1);
  const WeirFmuCall *call = &self->region->calls[at];
  g_autoptr (WeirMessage) what = NULL;

  what = add_log (tell_loss (self, name_call (self, call->kind, call->type), answer), self);
  g_clear_error (&self->lost);
  weir_error_set (&self->lost, WEIR_ERROR_FAILED, "%s", weir_message_get_text (what));
  if (answer == WEIR_FMU_CANCELLED)
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, self->lost->message);
  else
    g_propagate_error (error, g_error_copy (self->lost));
  return WEIR_FMU_FAILED;
}

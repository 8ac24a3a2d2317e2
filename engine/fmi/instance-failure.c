/* What is said of a call that failed: what happened, in which function, when, with which values,
 * and what the FMU said last. See instance-private.h. */
#include "fmi/instance-private.h"

#include <math.h>

#include "base/status.h"

#define SHOWN_VALUES 8 /* of states and of inputs; there may be thousands */
#define SHOWN_LINES 3  /* of the log */

/* --- Circumstances --------------------------------------------------------------------------- */

static void
append_value (GString *text, guint *n, const char *name, guint32 ref, double value)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE];

  if (*n < SHOWN_VALUES)
    {
      g_string_append (text, *n > 0 ? ", " : " with ");
      if (name != NULL)
        g_string_append (text, name);
      else
        g_string_append_printf (text, "#%u", ref);
      g_string_append_printf (text, " = %s",
                              g_ascii_formatd (digits, sizeof digits, "%.9g", value));
    }
  (*n)++;
}

static void
append_inputs (GString *text, guint *n, const WeirFmuBinary *binary, const double *u)
{
  for (guint i = 0; i < binary->n_inputs && binary->n_inputs == binary->n_input_values; i++)
    append_value (text, n, binary->input_names != NULL ? binary->input_names[i] : NULL,
                  binary->inputs[i], u[i]);
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
append_groups (GString *text, guint *n, const WeirFmuInstance *self)
{
  for (guint i = 0; i < self->n_set; i++)
    {
      const WeirFmuValues *group = &self->set[i];

      for (guint k = 0; k < group->n_refs && group->n_values == group->n_refs; k++)
        {
          const char *name = find_input_name (&self->binary, group->refs[k]);

          if (group->type == WEIR_FMU_FLOAT64)
            append_value (text, n, name, group->refs[k], ((const double *) group->values)[k]);
          else if (group->type == WEIR_FMU_INT32)
            append_value (text, n, name, group->refs[k], ((const gint32 *) group->values)[k]);
          else if (group->type == WEIR_FMU_BOOLEAN)
            append_value (text, n, name, group->refs[k], ((const guint8 *) group->values)[k]);
        }
    }
}

/* " at t = 1.5 with h = 1, v = 0": as the FMU was told last. */
static void
append_circumstances (GString *text, const WeirFmuInstance *self)
{
  const WeirFmuBinary *binary = &self->binary;
  char digits[G_ASCII_DTOSTR_BUF_SIZE];
  guint n = 0;

  if (isnan (self->time))
    return;
  g_string_append_printf (text, " at t = %s",
                          g_ascii_formatd (digits, sizeof digits, "%.9g", self->time));
  if (self->phase == WEIR_FMU_IN_TIME)
    for (guint i = 0; i < binary->n_states; i++)
      {
        g_autofree char *name = binary->state_names != NULL ? NULL
                                                            : g_strdup_printf ("state %u", i + 1);

        append_value (text, &n, name != NULL ? name : binary->state_names[i], 0, self->x[i]);
      }
  if (self->n_set > 0)
    append_groups (text, &n, self);
  else if (self->knows_inputs || self->phase == WEIR_FMU_IN_TIME)
    append_inputs (text, &n, binary, self->u);
  if (n > SHOWN_VALUES)
    g_string_append_printf (text, " and %u more", n - SHOWN_VALUES);
}

static void
append_log (GString *text, WeirFmuInstance *self)
{
  g_auto (GStrv) lines = weir_fmu_instance_dup_log (self, SHOWN_LINES);
  g_autofree char *joined = NULL;

  if (lines == NULL)
    return;
  for (guint i = 0; lines[i] != NULL; i++)
    g_strstrip (lines[i]);
  joined = g_strjoinv (" / ", lines);
  g_string_append_printf (text, " It said last: \"%s\"", joined);
}

/* --- Failures -------------------------------------------------------------------------------- */

static const char *
name_call (const WeirFmuInstance *self, WeirFmuCallKind kind, WeirFmuType type)
{
  return weir_fmu_call_get_name (self->binary.version, self->binary.mode == WEIR_FMU_CO_SIMULATION,
                                 kind, type);
}

WeirFmuOutcome
weir_fmu_instance_fail (WeirFmuInstance *self, WeirFmuCallKind kind, WeirFmuType type,
                        guint32 status, const char *why, GError **error)
{
  g_autoptr (GString) text = g_string_new (self->binary.name);
  const char *call = name_call (self, kind, type);
  int code = status == WEIR_FMU_STATUS_NOT_LOADED ? WEIR_ERROR_FILE : WEIR_ERROR_FAILED;

  if (status == WEIR_FMI_DISCARD)
    return WEIR_FMU_DISCARDED;
  switch ((int) status)
    {
    case WEIR_FMI_FATAL:
      g_string_append_printf (text, ": %s failed for good", call);
      append_circumstances (text, self);
      break;
    case WEIR_FMI_PENDING:
      g_string_append_printf (text, ": %s goes on by itself, which it was not asked to do", call);
      append_circumstances (text, self);
      break;
    case WEIR_FMU_STATUS_MISSING:
      g_string_append_printf (text, ": the FMU's library has no function %s", call);
      break;
    case WEIR_FMU_STATUS_NO_ROOM:
      g_string_append_printf (text, ": what %s gives does not fit into %u MB", call,
                              (guint) (WEIR_FMU_REGION_BYTES / 1000000));
      break;
    case WEIR_FMU_STATUS_NOT_LOADED:
      g_string_append_printf (text, ": the FMU's library cannot be loaded: %s",
                              why != NULL ? why : "no reason is given");
      break;
    case WEIR_FMU_STATUS_NO_INSTANCE:
      g_string_append_printf (text, ": %s gave no instance", call);
      break;
    case WEIR_FMU_STATUS_UNSUITED:
      g_string_append_printf (text, ": FMI %u.0 has no values of type %s, or not so large ones",
                              self->binary.version, weir_fmu_type_get_name (type));
      break;
    default:
      g_string_append_printf (text, ": %s failed", call);
      append_circumstances (text, self);
    }
  g_string_append_c (text, '.');
  append_log (text, self);
  g_set_error_literal (error, WEIR_ERROR, code, text->str);
  self->knows_states = self->knows_inputs = FALSE;
  if (status == WEIR_FMI_FATAL && self->lost == NULL)
    self->lost = g_strdup (text->str);
  return WEIR_FMU_FAILED;
}

WeirFmuOutcome
weir_fmu_instance_lose (WeirFmuInstance *self, WeirFmuAnswer answer, GError **error)
{
  g_autoptr (GString) text = g_string_new (self->binary.name);
  guint at = MIN (atomic_load (&self->region->at), self->n_calls - 1);
  const WeirFmuCall *call = &self->region->calls[at];
  const char *name = name_call (self, call->kind, call->type);

  if (answer == WEIR_FMU_CANCELLED)
    g_string_append_printf (text, ": %s was cancelled", name);
  else if (answer == WEIR_FMU_TOO_LONG)
    g_string_append_printf (text, ": %s did not return within %.3g s, and was ended", name,
                            self->options.limit);
  else
    {
      g_autofree char *end = weir_fmu_process_dup_end (self->process);

      g_string_append_printf (text, ": %s %s", name, end);
    }
  append_circumstances (text, self);
  g_string_append_c (text, '.');
  append_log (text, self);
  g_free (self->lost);
  self->lost = g_strdup (text->str);
  if (answer == WEIR_FMU_CANCELLED)
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, text->str);
  else
    g_set_error_literal (error, WEIR_ERROR, WEIR_ERROR_FAILED, text->str);
  return WEIR_FMU_FAILED;
}

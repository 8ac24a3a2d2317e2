/* Making an instance, and its modes. See instance.h. */
#include "fmi/instance-private.h"

#include <math.h>
#include <string.h>

#include "base/error.h"

#define FREE_SECONDS 5

const WeirFmuOptions weir_fmu_default_options = { .place = WEIR_FMU_IN_WORKER,
                                                  .limit = 60,
                                                  .memory_limit = (guint64) 4 << 30 };

/* --- Its life -------------------------------------------------------------------------------- */

/* Of scalars. */
static WeirFmuValues
copy_texts (const WeirFmuValues *other)
{
  WeirFmuValues copy = *other;
  gpointer *values = g_new (gpointer, other->n_values + 1);

  for (guint i = 0; i < other->n_values; i++)
    values[i] = other->type == WEIR_FMU_STRING
                    ? (gpointer) g_strdup (((char *const *) other->values)[i])
                    : (gpointer) g_bytes_ref (((GBytes *const *) other->values)[i]);
  copy.refs = g_memdup2 (other->refs, other->n_refs * sizeof *other->refs);
  copy.values = values;
  return copy;
}

static void
clear_texts (WeirFmuValues *self)
{
  for (guint i = 0; i < self->n_values; i++)
    if (self->type == WEIR_FMU_STRING)
      g_free (((char **) self->values)[i]);
    else
      g_bytes_unref (((GBytes **) self->values)[i]);
  g_free ((guint32 *) self->refs);
  g_free (self->values);
}

void
weir_fmu_binary_copy (WeirFmuBinary *self, const WeirFmuBinary *other)
{
  *self = *other;
  self->folder = other->folder != NULL ? g_canonicalize_filename (other->folder, NULL) : NULL;
  self->name = g_strdup (other->name);
  self->identifier = g_strdup (other->identifier);
  self->token = g_strdup (other->token);
  self->state_names = (const char *const *) g_strdupv ((char **) other->state_names);
  self->input_names = (const char *const *) g_strdupv ((char **) other->input_names);
  self->inputs = g_memdup2 (other->inputs, other->n_inputs * sizeof *other->inputs);
  self->structure = g_memdup2 (other->structure, other->n_structure * sizeof *other->structure);
  for (guint i = 0; i < other->n_texts; i++)
    self->texts[i] = copy_texts (&other->texts[i]);
}

void
weir_fmu_binary_clear (WeirFmuBinary *self)
{
  g_free ((char *) self->folder);
  g_free ((char *) self->name);
  g_free ((char *) self->identifier);
  g_free ((char *) self->token);
  g_strfreev ((char **) self->state_names);
  g_strfreev ((char **) self->input_names);
  g_free ((guint32 *) self->inputs);
  g_free ((WeirFmuStructural *) self->structure);
  for (guint i = 0; i < self->n_texts; i++)
    clear_texts (&self->texts[i]);
}

/* Some tools name the folder as the other version does. NULL and @error. (transfer full) */
static char *
find_library (const WeirFmuBinary *binary, GError **error)
{
  const char *first = weir_fmu_get_platform ((int) binary->version);
  g_autofree char *file = g_strconcat (binary->identifier, ".so", NULL);

  for (int version = 2; version <= 3; version++)
    {
      const char *platform = weir_fmu_get_platform (version == 2           ? (int) binary->version
                                                    : binary->version == 2 ? 3
                                                                           : 2);
      g_autofree char *path = g_build_filename (binary->folder, "binaries", platform, file, NULL);

      if (g_file_test (path, G_FILE_TEST_IS_REGULAR))
        return g_steal_pointer (&path);
    }
  weir_error_set (error, WEIR_ERROR_FILE,
                  "%s: the FMU has no library for this machine: there is no binaries/%s/%s in it.",
                  binary->name, first, file);
  return NULL;
}

/* 2.0: a URI, always, since many FMUs look at it unasked; 3.0: a path, or NULL. (transfer full)
 * (nullable) */
static char *
dup_resources (const WeirFmuBinary *binary)
{
  g_autofree char *folder = g_build_filename (binary->folder, "resources", NULL);

  if (binary->version == 2)
    return g_filename_to_uri (folder, NULL, NULL);
  return g_file_test (folder, G_FILE_TEST_IS_DIR) ? g_strconcat (folder, "/", NULL) : NULL;
}

static gboolean
load (WeirFmuInstance *self, const char *path, GError **error)
{
  const WeirFmuBinary *binary = &self->binary;
  g_autofree char *resources = dup_resources (binary);
  guint32 flags = 0;
  WeirFmuCall *call;

  flags |= binary->version == 3 ? WEIR_FMU_FLAG_VERSION_3 : 0;
  flags |= binary->mode == WEIR_FMU_CO_SIMULATION ? WEIR_FMU_FLAG_STEPS : 0;
  flags |= binary->event_mode_used ? WEIR_FMU_FLAG_EVENT_MODE_USED : 0;
  flags |= binary->early_return_allowed ? WEIR_FMU_FLAG_EARLY_RETURN_ALLOWED : 0;
  flags |= self->options.logging ? WEIR_FMU_FLAG_LOGGING : 0;
  flags |= self->process == NULL ? WEIR_FMU_FLAG_DEEP : 0;
  weir_fmu_trip_begin (self);
  call = weir_fmu_trip_add (self, WEIR_FMU_CALL_LOAD);
  call->flags = flags;
  call->values = weir_fmu_trip_put (self, path, strlen (path) + 1);
  call = weir_fmu_trip_add (self, WEIR_FMU_CALL_INSTANTIATE);
  call->flags = flags;
  call->refs = weir_fmu_trip_put (self, binary->name, strlen (binary->name) + 1);
  call->values = weir_fmu_trip_put (self, binary->token, strlen (binary->token) + 1);
  if (resources != NULL)
    call->values2 = weir_fmu_trip_put (self, resources, strlen (resources) + 1);
  return weir_fmu_trip_is_done (self, weir_fmu_trip_go (self, error), error);
}

/* In configuration mode. The FMU then has as many states as its file's dimensions come to, or it is
 * not what it says. */
static gboolean
configure (WeirFmuInstance *self, GError **error)
{
  guint n_states = self->binary.n_states, n_indicators = self->binary.n_indicators;
  guint has_states, has_indicators;

  if (self->binary.n_structure == 0)
    return TRUE;
  if (!weir_fmu_instance_enter_configuration (self, error))
    return FALSE;
  for (guint i = 0; i < self->binary.n_structure; i++)
    {
      const WeirFmuStructural *s = &self->binary.structure[i];
      guint64 value = s->value;
      const WeirFmuValues group = { s->type, &s->reference, 1, &value, 1 };

      if (!weir_fmu_trip_is_done (self, weir_fmu_instance_set (self, &group, 1, error), error))
        return FALSE;
    }
  if (!weir_fmu_instance_exit_configuration (self, error))
    return FALSE;
  if (self->binary.mode != WEIR_FMU_MODEL_EXCHANGE)
    return TRUE;
  if (!weir_fmu_instance_count (self, &has_states, &has_indicators, error))
    return FALSE;
  if (has_states == n_states && has_indicators == n_indicators)
    return TRUE;
  weir_error_set (error, WEIR_ERROR_FAILED,
                  "%s: with its structural parameters the FMU has %u states and %u event "
                  "indicators, where the dimensions in its file come to %u and %u.",
                  self->binary.name, has_states, has_indicators, n_states, n_indicators);
  return FALSE;
}

static void
log_line (void *data, const char *line)
{
  weir_fmu_log_append_line (data, line);
}

WeirFmuInstance *
weir_fmu_instance_new (const WeirFmuBinary *binary, const WeirFmuOptions *options, GError **error)
{
  g_autoptr (WeirFmuInstance) self = NULL;
  g_autofree char *path = NULL;

  g_return_val_if_fail (binary->version == 2 || binary->version == 3, NULL);
  g_return_val_if_fail (binary->mode != WEIR_FMU_SCHEDULED_EXECUTION, NULL);
  self = g_new0 (WeirFmuInstance, 1);
  weir_fmu_binary_copy (&self->binary, binary);
  self->options = *options;
  self->time = NAN;
  self->x = g_new0 (double, binary->n_states + 1);
  self->u = g_new0 (double, binary->n_input_values + 1);
  self->log = weir_fmu_log_new ();
  self->graves = weir_fmu_graves_new ();
  self->library.log = log_line;
  self->library.log_data = self->log;
  path = find_library (&self->binary, error);
  if (path == NULL)
    return NULL;
  if (options->place == WEIR_FMU_IN_WORKER)
    {
      self->process = weir_fmu_process_start (options->memory_limit, self->log, error);
      self->region = self->process != NULL ? weir_fmu_process_get_region (self->process) : NULL;
    }
  else
    self->region = weir_fmu_region_new (NULL, error);
  if (self->region == NULL)
    {
      weir_error_prefix (error, binary->name);
      return NULL;
    }
  if (!load (self, path, error))
    return NULL;
  self->is_instantiated = TRUE;
  if (!configure (self, error))
    return NULL;
  return g_steal_pointer (&self);
}

void
weir_fmu_instance_free (WeirFmuInstance *self)
{
  gboolean is_gone = TRUE;

  if (self == NULL)
    return;
  if (self->graves != NULL)
    weir_fmu_graves_close (g_steal_pointer (&self->graves),
                           self->process == NULL && self->lost == NULL ? self : NULL);
  if (self->process == NULL)
    {
      weir_fmu_library_clear (&self->library, self->lost != NULL);
      weir_fmu_region_free (self->region);
    }
  else
    {
      /* It may wish to write its files, but not to stay. */
      self->options.limit = self->options.limit > 0 ? MIN (self->options.limit, FREE_SECONDS)
                                                    : FREE_SECONDS;
      if (self->lost == NULL && self->is_instantiated)
        weir_fmu_trip_call (self, WEIR_FMU_CALL_FREE, NULL);
      is_gone = weir_fmu_process_stop (self->process);
    }
  if (is_gone)
    weir_fmu_log_free (self->log);
  weir_fmu_binary_clear (&self->binary);
  g_clear_error (&self->lost);
  g_free (self->x);
  g_free (self->u);
  g_free (self);
}

void
weir_fmu_instance_watch (WeirFmuInstance *self, const gint *cancel)
{
  if (self->process != NULL)
    weir_fmu_process_watch (self->process, cancel);
}

gboolean
weir_fmu_instance_is_lost (const WeirFmuInstance *self)
{
  return self->lost != NULL;
}

guint64
weir_fmu_instance_get_epoch (const WeirFmuInstance *self)
{
  return self->epoch;
}

int
weir_fmu_instance_get_process (const WeirFmuInstance *self)
{
  return self->process != NULL ? (int) weir_fmu_process_get_id (self->process) : 0;
}

/* --- Modes ----------------------------------------------------------------------------------- */

static gboolean
change (WeirFmuInstance *self, WeirFmuCallKind kind, WeirFmuPhase phase, GError **error)
{
  weir_fmu_instance_note_change (self);
  if (!weir_fmu_trip_call (self, kind, error))
    return FALSE;
  self->phase = phase;
  return TRUE;
}

gboolean
weir_fmu_instance_enter_initialization (WeirFmuInstance *self, double start, double stop,
                                        double tolerance, GError **error)
{
  WeirFmuCall *call;

  weir_fmu_instance_note_change (self);
  self->time = start;
  weir_fmu_trip_begin (self);
  weir_fmu_trip_add_sets (self, self->binary.texts, self->binary.n_texts);
  call = weir_fmu_trip_add (self, WEIR_FMU_CALL_ENTER_INITIALIZATION);
  call->numbers[0] = start;
  call->numbers[1] = isfinite (stop) ? stop : 0;
  call->numbers[2] = tolerance;
  call->flags = (isfinite (stop) ? WEIR_FMU_FLAG_HAS_STOP : 0)
                | (tolerance > 0 ? WEIR_FMU_FLAG_HAS_TOLERANCE : 0);
  if (!weir_fmu_trip_is_done (self, weir_fmu_trip_go (self, error), error))
    return FALSE;
  self->phase = WEIR_FMU_INITIALIZING;
  return TRUE;
}

gboolean
weir_fmu_instance_exit_initialization (WeirFmuInstance *self, GError **error)
{
  gboolean has_events = self->binary.mode == WEIR_FMU_MODEL_EXCHANGE
                        || self->binary.event_mode_used;

  return change (self, WEIR_FMU_CALL_EXIT_INITIALIZATION,
                 has_events ? WEIR_FMU_AT_EVENT : WEIR_FMU_STEPPING, error);
}

gboolean
weir_fmu_instance_enter_event_mode (WeirFmuInstance *self, GError **error)
{
  return change (self, WEIR_FMU_CALL_ENTER_EVENT_MODE, WEIR_FMU_AT_EVENT, error);
}

gboolean
weir_fmu_instance_update_discrete (WeirFmuInstance *self, WeirFmuUpdate *update, GError **error)
{
  WeirFmuCall *call;
  guint32 flags;

  weir_fmu_instance_note_change (self);
  weir_fmu_trip_begin (self);
  call = weir_fmu_trip_add (self, WEIR_FMU_CALL_UPDATE_DISCRETE);
  if (!weir_fmu_trip_is_done (self, weir_fmu_trip_go (self, error), error))
    return FALSE;
  flags = call->flags;
  update->is_update_needed = (flags & WEIR_FMU_FLAG_UPDATE_NEEDED) != 0;
  update->terminates = (flags & WEIR_FMU_FLAG_TERMINATES) != 0;
  update->have_nominals_changed = (flags & WEIR_FMU_FLAG_NOMINALS_CHANGED) != 0;
  update->have_states_changed = (flags & WEIR_FMU_FLAG_STATES_CHANGED) != 0;
  update->next_time = flags & WEIR_FMU_FLAG_HAS_NEXT_TIME ? call->numbers[0] : (double) INFINITY;
  return TRUE;
}

gboolean
weir_fmu_instance_evaluate_discrete (WeirFmuInstance *self, GError **error)
{
  return change (self, WEIR_FMU_CALL_EVALUATE_DISCRETE, self->phase, error);
}

gboolean
weir_fmu_instance_enter_continuous_mode (WeirFmuInstance *self, GError **error)
{
  return change (self, WEIR_FMU_CALL_ENTER_CONTINUOUS_MODE, WEIR_FMU_IN_TIME, error);
}

gboolean
weir_fmu_instance_enter_step_mode (WeirFmuInstance *self, GError **error)
{
  return change (self, WEIR_FMU_CALL_ENTER_STEP_MODE, WEIR_FMU_STEPPING, error);
}

gboolean
weir_fmu_instance_enter_configuration (WeirFmuInstance *self, GError **error)
{
  self->phase_before = self->phase;
  return change (self, WEIR_FMU_CALL_ENTER_CONFIGURATION, WEIR_FMU_CONFIGURING, error);
}

gboolean
weir_fmu_instance_exit_configuration (WeirFmuInstance *self, GError **error)
{
  return change (self, WEIR_FMU_CALL_EXIT_CONFIGURATION, self->phase_before, error);
}

gboolean
weir_fmu_instance_terminate (WeirFmuInstance *self, GError **error)
{
  return change (self, WEIR_FMU_CALL_TERMINATE, WEIR_FMU_TERMINATED, error);
}

gboolean
weir_fmu_instance_reset (WeirFmuInstance *self, GError **error)
{
  self->knows_inputs = FALSE;
  return change (self, WEIR_FMU_CALL_RESET, WEIR_FMU_CREATED, error) && configure (self, error);
}

/* WeirRunner. See runner.h. */
#include "run/runner-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "blocks/library/registry.h"
#include "library/run-settings.h"
#include "model/completion/completion.h"
#include "model/tree/settings.h"
#include "run/runner.h"

G_DEFINE_FINAL_TYPE (WeirRunner, weir_runner, G_TYPE_OBJECT)

enum {
  SIGNAL_PROBLEMS,
  SIGNAL_MESSAGE,
  SIGNAL_VERIFIED,
  SIGNAL_STATE_CHANGED,
  SIGNAL_RESULTS_CHANGED,
  N_SIGNALS
};
static guint signals[N_SIGNALS];
enum { PROPERTY_SESSION = 1, PROPERTY_VERIFYING, PROPERTY_CACHING, N_PROPERTIES };
static GParamSpec *properties[N_PROPERTIES];

/* --- Settings of the model ------------------------------------------------------------------- */

/* Completion has checked the texts (SET01); of a model that has not been through it, a solver that
 * there is not is told here. */
gboolean
weir_runner_read_model_settings (WeirModel *model, WeirSimulatorOptions *options, double *stop_time,
                                 GError **error)
{
  if (weir_model_get_run_settings (model, options, stop_time))
    return TRUE;
  g_set_error (error, WEIR_ERROR, WEIR_ERROR_NOT_FOUND, _ ("There is no solver called “%s”."),
               options->solver);
  return FALSE;
}

void
weir_runner_tell (WeirRunner *self, const char *text)
{
  g_signal_emit (self, signals[SIGNAL_MESSAGE], 0, text);
}

gboolean
weir_runner_read_settings (WeirRunner *self, WeirSimulatorOptions *options, double *stop_time,
                           GError **error)
{
  g_return_val_if_fail (WEIR_IS_RUNNER (self), FALSE);
  return weir_runner_read_model_settings (weir_document_get_model (self->document), options,
                                          stop_time, error);
}

/* --- Runs ------------------------------------------------------------------------------------ */

void
weir_runner_tell_results (WeirRunner *self)
{
  g_signal_emit (self, signals[SIGNAL_RESULTS_CHANGED], 0);
}

void
weir_runner_note_state (WeirRunner *self)
{
  if (self->instant_results != NULL && weir_runner_is_active (self))
    {
      weir_runner_drop_instant (self);
      weir_runner_tell_results (self);
    }
  g_signal_emit (self, signals[SIGNAL_STATE_CHANGED], 0);
}

/* Hands the model's breakpoints to the session. */
static void
send_breakpoints (WeirRunner *self, WeirSession *session)
{
  g_array_unref (self->breakpoints);
  self->breakpoints = weir_model_dup_breakpoints (weir_document_get_model (self->document));
  if (session != NULL)
    self->break_serial = weir_session_set_breakpoints (session, self->breakpoints, NULL);
}

const GArray *
weir_runner_get_breakpoints (WeirRunner *self, guint *serial)
{
  g_return_val_if_fail (WEIR_IS_RUNNER (self), NULL);

  if (serial != NULL)
    *serial = self->break_serial;
  return self->breakpoints;
}

void
weir_runner_set_session (WeirRunner *self, WeirSession *session, WeirModel *model)
{
  if (self->session != NULL)
    {
      g_clear_signal_handler (&self->session_handler, self->session);
      weir_session_stop (self->session);
    }
  weir_runner_drop_instant (self);
  weir_session_set_caching (session, self->caching);
  send_breakpoints (self, session);
  /* A port chosen earlier may be gone from the model since: then it is forgotten. */
  for (guint i = self->extra_logs->len; i-- > 0;)
    if (weir_session_record_port (session, g_ptr_array_index (self->extra_logs, i), NULL) < 0)
      g_ptr_array_remove_index (self->extra_logs, i);
  g_clear_pointer (&self->started, weir_model_unref);
  g_clear_pointer (&self->model, weir_model_unref);
  g_clear_pointer (&self->parameters, weir_parameters_free);
  self->started = weir_model_ref (model);
  self->model = weir_model_ref (model);
  g_set_object (&self->session, session);
  self->session_handler = g_signal_connect_swapped (session, "changed",
                                                    G_CALLBACK (weir_runner_note_state), self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROPERTY_SESSION]);
  weir_runner_note_state (self);
  weir_runner_verify_beside (self);
}

gboolean
weir_runner_is_starting (WeirRunner *self)
{
  g_return_val_if_fail (WEIR_IS_RUNNER (self), FALSE);

  return self->wanted != NULL;
}

gboolean
weir_runner_is_active (WeirRunner *self)
{
  WeirSessionState state;

  g_return_val_if_fail (WEIR_IS_RUNNER (self), FALSE);

  if (self->session == NULL)
    return FALSE;
  state = weir_session_get_state (self->session);
  return state == WEIR_SESSION_RUNNING || state == WEIR_SESSION_PAUSED;
}

/* Are there settings that only the next run takes up? */
static gboolean
differ_in_settings (WeirModel *a, WeirModel *b)
{
  guint n;
  const WeirParameterSpec *specs = weir_settings_get_specs (&n);

  for (guint i = 0; i < n; i++)
    if (!g_str_equal (specs[i].name, "real-time-rate")
        && g_strcmp0 (weir_model_get_setting (a, specs[i].name),
                      weir_model_get_setting (b, specs[i].name))
               != 0)
      return TRUE;
  return FALSE;
}

gboolean
weir_runner_has_other_structure (WeirRunner *self)
{
  const WeirAspects harmless = WEIR_ASPECTS_OF_LOOKS | WEIR_ASPECT_POINTS | WEIR_ASPECT_NAMES
                               | WEIR_ASPECT_PARAMETERS | WEIR_ASPECT_SETTINGS;
  WeirModel *model = weir_document_get_model (self->document);
  WeirAspects changed = weir_aspects_resolve (weir_model_compare (self->started, model),
                                              self->started, model);

  return (changed & ~harmless) != 0
         || ((changed & WEIR_ASPECT_SETTINGS) != 0 && differ_in_settings (self->started, model));
}

/* A run that goes on, or one that waits to begin. */
static gboolean
can_go_on (WeirRunner *self)
{
  return weir_runner_is_active (self)
         || (self->session != NULL && weir_session_get_state (self->session) == WEIR_SESSION_IDLE
             && !weir_runner_has_other_structure (self));
}

/* --- Live parameters ------------------------------------------------------------------------- */

static void
hand_over (const WeirParameterEntry *entry, gpointer data)
{
  WeirRunner *self = data;
  g_autofree char *path = weir_model_dup_block_path (self->started, entry->block);

  if (path != NULL)
    weir_session_set_parameter (self->session, path, entry->leaf_parameter, entry->value,
                                entry->size);
}

static void
tune_to_document (WeirRunner *self)
{
  WeirModel *model = weir_document_get_model (self->document);

  weir_model_visit_tuned (self->model, model, &self->parameters, hand_over, self);
  weir_model_unref (self->model);
  self->model = weir_model_ref (model);
}

/* --- Steering -------------------------------------------------------------------------------- */

void
weir_runner_steer (WeirRunner *self, WeirStart start)
{
  switch (start.kind)
    {
    case WEIR_START_IDLE:
      break;
    case WEIR_START_RUN:
      weir_session_run (self->session);
      break;
    case WEIR_START_UNTIL:
      weir_session_run_until (self->session, start.until);
      break;
    case WEIR_START_STEPS:
      weir_session_steps (self->session, start.n_steps);
      break;
    default:
      g_return_if_reached ();
    }
}

/* With the newest run, or a new one. */
static void
steer (WeirRunner *self, WeirStart start)
{
  if (self->wanted == NULL && can_go_on (self))
    weir_runner_steer (self, start);
  else
    weir_runner_start (self, start);
}

void
weir_runner_run (WeirRunner *self)
{
  g_return_if_fail (WEIR_IS_RUNNER (self));

  steer (self, (WeirStart) { .kind = WEIR_START_RUN });
}

void
weir_runner_run_until (WeirRunner *self, double time)
{
  g_return_if_fail (WEIR_IS_RUNNER (self));

  steer (self, (WeirStart) { .kind = WEIR_START_UNTIL, .until = time });
}

void
weir_runner_begin (WeirRunner *self)
{
  g_return_if_fail (WEIR_IS_RUNNER (self));

  weir_runner_cancel_start (self);
  weir_runner_start (self, (WeirStart) { .kind = WEIR_START_IDLE });
}

void
weir_runner_pause (WeirRunner *self)
{
  g_return_if_fail (WEIR_IS_RUNNER (self));

  if (self->wanted != NULL)
    /* Before the first step: a run that is short may end before it hears of a pause. */
    self->start = (WeirStart) { .kind = WEIR_START_UNTIL, .until = -(double) INFINITY };
  else if (weir_runner_is_active (self))
    weir_session_pause (self->session);
}

void
weir_runner_steps (WeirRunner *self, guint n)
{
  g_return_if_fail (WEIR_IS_RUNNER (self));

  steer (self, (WeirStart) { .kind = WEIR_START_STEPS, .n_steps = n });
}

void
weir_runner_step (WeirRunner *self)
{
  weir_runner_steps (self, 1);
}

void
weir_runner_step_back (WeirRunner *self, guint n)
{
  static const char *const why[] = {
    [WEIR_STEP_BACK_BUSY] = N_ ("A run can go back while it pauses or when it has ended."),
    [WEIR_STEP_BACK_IN_STEP] = N_ ("The run pauses within a step. Let it go on to the end of the "
                                   "step first."),
    [WEIR_STEP_BACK_AT_START] = N_ ("The run is at its start: there is no step to go back to."),
    [WEIR_STEP_BACK_UNKNOWN] = N_ ("The run cannot go further back: earlier steps were not kept."),
  };
  WeirStepBack result;
  gboolean was_active;

  g_return_if_fail (WEIR_IS_RUNNER (self));

  if (self->session == NULL)
    {
      weir_runner_tell (self, _ ("There is no run yet that could go back."));
      return;
    }
  was_active = can_go_on (self);
  result = self->wanted != NULL ? WEIR_STEP_BACK_BUSY : weir_session_step_back (self->session, n);
  if (result != WEIR_STEP_BACK_DONE)
    weir_runner_tell (self, _ (why[result]));
  else
    {
      if (!was_active) /* it takes up edits again */
        tune_to_document (self);
      weir_runner_verify_beside (self); /* what follows is another run */
    }
  weir_runner_note_state (self);
}

void
weir_runner_stop (WeirRunner *self)
{
  g_return_if_fail (WEIR_IS_RUNNER (self));

  weir_runner_cancel_start (self);
  if (self->session != NULL)
    weir_session_stop (self->session);
}

gboolean
weir_runner_get_caching (WeirRunner *self)
{
  return self->caching;
}

void
weir_runner_set_caching (WeirRunner *self, gboolean enabled)
{
  g_return_if_fail (WEIR_IS_RUNNER (self));

  if (self->caching == enabled)
    return;
  self->caching = enabled;
  if (self->session != NULL)
    weir_session_set_caching (self->session, enabled);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROPERTY_CACHING]);
}

gboolean
weir_runner_add_log (WeirRunner *self, const char *port_path)
{
  g_autoptr (GError) error = NULL;
  gboolean is_active;

  g_return_val_if_fail (WEIR_IS_RUNNER (self), FALSE);

  for (guint i = 0; i < self->extra_logs->len; i++)
    if (g_str_equal (g_ptr_array_index (self->extra_logs, i), port_path))
      return FALSE;
  g_ptr_array_add (self->extra_logs, g_strdup (port_path));
  is_active = weir_runner_is_active (self);
  if (is_active && weir_session_record_port (self->session, port_path, &error) < 0)
    weir_runner_tell (self, weir_error_say (error));
  weir_runner_note_state (self);
  return !is_active;
}

void
weir_runner_clear_logs (WeirRunner *self)
{
  g_return_if_fail (WEIR_IS_RUNNER (self));

  g_ptr_array_set_size (self->extra_logs, 0);
}

void
weir_runner_set_logs (WeirRunner *self, const char *const *port_paths)
{
  g_return_if_fail (WEIR_IS_RUNNER (self));

  g_ptr_array_set_size (self->extra_logs, 0);
  for (guint i = 0; port_paths[i] != NULL; i++)
    if (*port_paths[i] != '\0')
      g_ptr_array_add (self->extra_logs, g_strdup (port_paths[i]));
}

GStrv
weir_runner_dup_added_logs (WeirRunner *self)
{
  g_autoptr (GStrvBuilder) logs = g_strv_builder_new ();

  g_return_val_if_fail (WEIR_IS_RUNNER (self), NULL);

  for (guint i = 0; i < self->extra_logs->len; i++)
    g_strv_builder_add (logs, g_ptr_array_index (self->extra_logs, i));
  return g_strv_builder_end (logs);
}

GStrv
weir_runner_dup_logs (WeirRunner *self)
{
  WeirModel *model;
  g_auto (GStrv) scopes = NULL;
  g_autoptr (GStrvBuilder) logs = g_strv_builder_new ();

  g_return_val_if_fail (WEIR_IS_RUNNER (self), NULL);

  model = self->started != NULL ? self->started : weir_document_get_model (self->document);
  scopes = weir_model_dup_recorded_ports (model);
  g_strv_builder_addv (logs, (const char **) scopes);
  for (guint i = 0; i < self->extra_logs->len; i++)
    g_strv_builder_add (logs, g_ptr_array_index (self->extra_logs, i));
  return g_strv_builder_end (logs);
}

WeirSession *
weir_runner_get_session (WeirRunner *self)
{
  return self->session;
}

WeirModel *
weir_runner_get_session_model (WeirRunner *self)
{
  return self->started;
}

gboolean
weir_runner_is_outdated (WeirRunner *self)
{
  g_return_val_if_fail (WEIR_IS_RUNNER (self), FALSE);

  return weir_runner_is_active (self) && weir_runner_has_other_structure (self);
}

/* --- Following the document ------------------------------------------------------------------- */

void
weir_runner_follow (WeirRunner *self, WeirAspects aspects)
{
  WeirModel *model = weir_document_get_model (self->document);

  if ((aspects & (WEIR_ASPECT_PARAMETERS | WEIR_ASPECT_VALUES)) != 0 && can_go_on (self)
      && (weir_aspects_resolve (aspects, self->model, model) & WEIR_ASPECT_PARAMETERS) != 0)
    tune_to_document (self);
  if ((aspects & WEIR_ASPECT_METADATA) != 0)
    send_breakpoints (self, can_go_on (self) ? self->session : NULL);
  if ((aspects & WEIR_ASPECT_SETTINGS) != 0 && weir_runner_is_active (self))
    weir_session_set_rate (self->session, weir_model_get_setting_number (model, "real-time-rate"));
}

static void
document_changed (WeirRunner *self, guint aspects)
{
  weir_runner_follow (self, aspects);
  if ((aspects & ~(guint) WEIR_ASPECTS_OF_LOOKS) != 0)
    weir_runner_outdate_verification (self);
  weir_runner_follow_instantly (self);
}

/* --- Life ------------------------------------------------------------------------------------ */

static void
get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  WeirRunner *self = WEIR_RUNNER (object);

  switch (id)
    {
    case PROPERTY_SESSION:
      g_value_set_object (value, self->session);
      break;
    case PROPERTY_VERIFYING:
      g_value_set_boolean (value, self->verification != NULL);
      break;
    case PROPERTY_CACHING:
      g_value_set_boolean (value, self->caching);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
dispose (GObject *object)
{
  WeirRunner *self = WEIR_RUNNER (object);

  weir_runner_remove_verification (self);
  weir_runner_drop_instant (self);
  g_clear_pointer (&self->wanted, weir_model_unref);
  if (self->document != NULL)
    g_clear_signal_handler (&self->document_handler, self->document);
  if (self->session != NULL)
    {
      g_clear_signal_handler (&self->session_handler, self->session);
      weir_session_stop (self->session);
    }
  g_clear_object (&self->session);
  g_clear_object (&self->document);
  g_clear_pointer (&self->started, weir_model_unref);
  g_clear_pointer (&self->model, weir_model_unref);
  g_clear_pointer (&self->parameters, weir_parameters_free);
  g_clear_pointer (&self->extra_logs, g_ptr_array_unref);
  g_clear_pointer (&self->breakpoints, g_array_unref);
  G_OBJECT_CLASS (weir_runner_parent_class)->dispose (object);
}

static void
weir_runner_class_init (WeirRunnerClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;
  GType type = G_TYPE_FROM_CLASS (klass);

  object_class->dispose = dispose;
  object_class->get_property = get_property;
  properties[PROPERTY_SESSION] = g_param_spec_object ("session", NULL, NULL, WEIR_TYPE_SESSION,
                                                      flags);
  properties[PROPERTY_VERIFYING] = g_param_spec_boolean ("verifying", NULL, NULL, FALSE, flags);
  properties[PROPERTY_CACHING] = g_param_spec_boolean ("caching", NULL, NULL, TRUE, flags);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);
  signals[SIGNAL_PROBLEMS] = g_signal_new ("problems", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                           G_TYPE_NONE, 1, G_TYPE_POINTER);
  signals[SIGNAL_MESSAGE] = g_signal_new ("message", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                          G_TYPE_NONE, 1, G_TYPE_STRING);
  signals[SIGNAL_VERIFIED] = g_signal_new ("verified", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                           G_TYPE_NONE, 2, G_TYPE_BOOLEAN, G_TYPE_STRING);
  signals[SIGNAL_RESULTS_CHANGED] = g_signal_new ("results-changed", type, G_SIGNAL_RUN_LAST, 0,
                                                  NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_STATE_CHANGED] = g_signal_new ("state-changed", type, G_SIGNAL_RUN_LAST, 0, NULL,
                                                NULL, NULL, G_TYPE_NONE, 0);
}

static void
weir_runner_init (WeirRunner *self)
{
  self->caching = TRUE;
  self->instant_limit = 1;
  self->instant_took = -1;
  self->extra_logs = g_ptr_array_new_with_free_func (g_free);
  self->breakpoints = weir_breakpoint_list_new ();
}

WeirRunner *
weir_runner_new (WeirDocument *document)
{
  WeirRunner *self = g_object_new (WEIR_TYPE_RUNNER, NULL);

  self->document = g_object_ref (document);
  self->document_handler = g_signal_connect_swapped (document, "changed",
                                                     G_CALLBACK (document_changed), self);
  return self;
}

/* --- Breakpoints of a model ------------------------------------------------------------------ */

GArray *
weir_model_dup_breakpoints (WeirModel *model)
{
  const char *text = weir_metadata_get_text (weir_model_get_metadata (model), "",
                                             weir_key_breakpoints);

  return text != NULL ? weir_breakpoint_list_parse (text, NULL) : weir_breakpoint_list_new ();
}

void
weir_document_set_breakpoints (WeirDocument *document, const GArray *list, const char *label)
{
  g_autoptr (WeirPatch) patch = weir_patch_new ();
  g_autofree char *text = list->len > 0 ? weir_breakpoint_list_to_text (list) : NULL;

  weir_patch_set_metadata (patch, "", weir_key_breakpoints, text);
  weir_document_edit (document, patch, label, "breakpoints", NULL);
}

/* Opening the model of a study, and making the points' contexts. See subject.h.
 *
 * A parameter that a running system can change is set by its slot: a point costs next to nothing.
 * Whether that is the whole of what it means is tried, not assumed: the first and the last point
 * are completed from the model as well, and where any source of the context differs (an initial
 * value that is computed from the parameter), or a parameter has no slot, every point completes the
 * model anew.
 */
#include "study/subject-private.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/status.h"
#include "base/text.h"
#include "blocks/library/registry.h"
#include "library/run-settings.h"
#include "model/completion/completion.h"
#include "model/files/xml.h"
#include "model/tree/patch.h"
#include "model/tree/settings.h"
#include "numerics/number.h"
#include "sim/port.h"
#include "system/context/source-values.h"
#include "system/evaluation/eval.h"
#include "system/layout/units.h"

static void
complain (const WeirStudySubject *self, WeirDiagnostics *diagnostics, int line, const char *code,
          const GError *error)
{
  g_autoptr (WeirDiagnostics) own = weir_diagnostics_new ();
  const char *text = weir_error_get_text (error);

  weir_diagnostics_add (own, WEIR_SEVERITY_ERROR, code, "", 0, 0, line, "%s%s", text,
                        g_str_has_suffix (text, ".") ? "" : ".");
  weir_diagnostics_set_file (own, self->study->file);
  weir_diagnostics_add_copy (diagnostics, weir_diagnostics_get (own, 0));
}

/* --- The model ------------------------------------------------------------------------------- */

/* Beside the study's file. */
static char *
dup_beside (const WeirStudySubject *self, const char *name)
{
  g_autofree char *folder = g_path_get_dirname (self->study->file);

  return g_path_is_absolute (name) || strcmp (folder, ".") == 0
             ? g_strdup (name)
             : g_build_filename (folder, name, NULL);
}

static char *
calc_sum (const char *path)
{
  g_autoptr (GBytes) bytes = weir_file_read (path, WEIR_FILE_MODEL, NULL);

  return bytes != NULL ? g_compute_checksum_for_bytes (G_CHECKSUM_SHA256, bytes) : NULL;
}

/* The model with the study's settings in place of its own. */
static WeirModel *
apply_settings (const WeirStudySubject *self, WeirModel *model, WeirDiagnostics *diagnostics)
{
  g_autoptr (WeirPatch) patch = weir_patch_new ();
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < self->study->settings->len; i++)
    {
      const WeirStudySetting *setting = &g_array_index (self->study->settings, WeirStudySetting, i);
      const WeirParameterSpec *spec = weir_settings_find_spec (setting->name);

      if (spec == NULL)
        weir_error_set (&error, WEIR_ERROR_INVALID, "there is no setting \"%s\"", setting->name);
      else
        weir_settings_check (spec, setting->value, &error);
      if (error != NULL)
        {
          complain (self, diagnostics, setting->line, "STU03", error);
          return NULL;
        }
      weir_patch_set_setting (patch, setting->name, setting->value);
    }
  return weir_model_apply (model, patch, NULL, NULL);
}

/* @model: (nullable) else that of the study's file. */
static gboolean
read_model (WeirStudySubject *self, WeirModel *model, WeirDiagnostics *diagnostics,
            WeirSystem **system)
{
  g_autoptr (GFile) file = NULL;
  g_autoptr (WeirModel) read = NULL;
  g_autoptr (WeirDiagnostics) own = weir_diagnostics_new ();

  self->model_path = dup_beside (self, self->study->model);
  file = g_file_new_for_path (self->model_path);
  read = model != NULL
             ? weir_model_ref (model)
             : weir_model_read_file_with_progress (file, NULL, NULL, &self->model_sum, own);
  if (read != NULL)
    self->model = apply_settings (self, read, diagnostics);
  if (self->model != NULL)
    *system = weir_model_complete (self->model, own);
  weir_diagnostics_set_file (own, self->model_path);
  for (guint i = 0; *system == NULL && i < weir_diagnostics_get_size (own); i++)
    weir_diagnostics_add_copy (diagnostics, weir_diagnostics_get (own, i));
  return *system != NULL;
}

static void
set_options (WeirStudySubject *self)
{
  weir_ensemble_options_init (&self->options);
  weir_model_get_run_settings (self->model, &self->options.run, &self->options.stop_time);
  weir_simulator_options_set_for_plots (&self->options.run, self->options.stop_time);
  self->options.run.threads = 1;
  self->options.threads = 1;
}

static gboolean
is_set (const WeirStudySubject *self, const char *name)
{
  for (guint i = 0; i < self->study->settings->len; i++)
    if (strcmp (g_array_index (self->study->settings, WeirStudySetting, i).name, name) == 0)
      return TRUE;
  return FALSE;
}

/* Rows of a run that is compared with times between them: straight lines are as good as solvers. */
#define OFF_GRID_ROWS 10000

/* What was measured, and runs that reach as far: they are recorded at the measured times where
 * those lie on a grid, else densely, unless the study says otherwise. */
static gboolean
read_measured (WeirStudySubject *self, const WeirContext *context, WeirDiagnostics *diagnostics)
{
  g_autofree char *path = NULL;
  g_autoptr (GError) error = NULL;
  double start = weir_context_get_time (context), interval;
  int line = self->study->measured_line;

  if (self->study->measured == NULL)
    return TRUE;
  path = dup_beside (self, self->study->measured);
  self->measured = weir_measured_new (path, self->study, &line, &error);
  if (self->measured == NULL)
    {
      complain (self, diagnostics, line, "STU08", error);
      return FALSE;
    }
  interval = weir_measured_get_interval (self->measured, start);
  if (!is_set (self, "record-interval"))
    self->options.run.record_interval = interval > 0
                                            ? interval
                                            : (weir_measured_get_last_time (self->measured) - start)
                                                  / OFF_GRID_ROWS;
  if (!is_set (self, "stop-time"))
    self->options.stop_time = weir_measured_get_last_time (self->measured);
  if (weir_measured_get_first_time (self->measured) >= start
      && weir_measured_get_last_time (self->measured) <= self->options.stop_time)
    return TRUE;
  weir_error_set (
      &error, WEIR_ERROR_INVALID,
      "%s has values from %g s to %g s, but runs go from %g s to %g s; set stop-time, or "
      "leave out what was measured elsewhere",
      path, weir_measured_get_first_time (self->measured),
      weir_measured_get_last_time (self->measured), start, self->options.stop_time);
  complain (self, diagnostics, line, "STU08", error);
  return FALSE;
}

/* --- Parameters ------------------------------------------------------------------------------ */

static void
clear_kept (gpointer data)
{
  g_free (((WeirKeptSignal *) data)->path);
}

static void
clear_binding (gpointer data)
{
  WeirBinding *binding = data;

  g_free (binding->path);
  g_free (binding->value);
}

static gboolean
bind (WeirStudySubject *self, const WeirParameters *parameters, WeirStudyParameter *p,
      GError **error)
{
  guint element = 0;
  const WeirParameterEntry *entry = weir_parameters_find (parameters, p->path, &element);
  WeirBinding binding = { 0 };

  if (entry == NULL)
    {
      weir_error_set (error, WEIR_ERROR_NOT_FOUND,
                      "the model has no parameter \"%s\"; weir info --full lists those it has",
                      p->path);
      return FALSE;
    }
  if (entry->value == NULL)
    {
      weir_error_set (error, WEIR_ERROR_INVALID, "%s is no number", p->path);
      return FALSE;
    }
  if (element == G_MAXUINT && entry->size > 1)
    {
      weir_error_set (error, WEIR_ERROR_INVALID,
                      "%s has %u values; say which is meant, such as %s[1]", p->path, entry->size,
                      p->path);
      return FALSE;
    }
  binding.path = g_strdup (entry->path);
  binding.element = element == G_MAXUINT ? 0 : element;
  binding.size = entry->size;
  binding.value = g_memdup2 (entry->value, entry->size * sizeof (double));
  binding.is_global = entry->role == WEIR_PARAMETER_VARIABLE && entry->block == 0;
  binding.has_slot = entry->has_slot && entry->role == WEIR_PARAMETER_TUNABLE;
  binding.node = entry->node;
  binding.slot = entry->slot;
  g_array_append_val (self->bindings, binding);
  if (isnan (p->middle))
    p->middle = binding.value[binding.element];
  if (!binding.has_slot && self->rebuild_reason == NULL)
    self->rebuild_reason = g_strdup_printf ("%s is no value that a running system can change",
                                            p->path);
  return TRUE;
}

static gboolean
bind_all (WeirStudySubject *self, WeirSystem *system, WeirDiagnostics *diagnostics)
{
  g_autoptr (WeirParameters) parameters = weir_parameters_new (self->model, system);

  for (guint i = 0; i < self->study->parameters->len; i++)
    {
      WeirStudyParameter *p = &g_array_index (self->study->parameters, WeirStudyParameter, i);
      g_autoptr (GError) error = NULL;

      if (!bind (self, parameters, p, &error))
        {
          complain (self, diagnostics, p->line, "STU04", error);
          return FALSE;
        }
    }
  return TRUE;
}

/* --- Points ---------------------------------------------------------------------------------- */

/* All elements of the parameter that @binding is of: several of them may be the study's. */
static double *
dup_value (const WeirStudySubject *self, const WeirBinding *binding, const double *values)
{
  double *value = g_memdup2 (binding->value, binding->size * sizeof (double));

  for (guint i = 0; i < self->bindings->len; i++)
    {
      const WeirBinding *other = &g_array_index (self->bindings, WeirBinding, i);

      if (!isnan (values[i]) && strcmp (other->path, binding->path) == 0)
        value[other->element] = values[i];
    }
  return value;
}

WeirPatch *
weir_study_subject_create_edit (const WeirStudySubject *self, guint i, const double *values,
                                WeirModel *model, GError **error)
{
  const WeirBinding *binding = &g_array_index (self->bindings, WeirBinding, i);
  g_autofree double *value = dup_value (self, binding, values);
  g_autofree char *text = weir_value_to_string (value, binding->size);
  g_autoptr (WeirPatch) patch = weir_patch_new ();

  if (binding->is_global)
    weir_patch_set_variable (patch, binding->path, text);
  else if (!weir_patch_assign (patch, model, binding->path, text, error))
    return NULL;
  return g_steal_pointer (&patch);
}

/* The model of a point. */
static WeirModel *
assign (const WeirStudySubject *self, const double *values, GError **error)
{
  g_autoptr (WeirModel) model = weir_model_ref (self->model);

  for (guint i = 0; i < self->bindings->len; i++)
    {
      g_autoptr (WeirPatch) patch = NULL;
      WeirModel *next;

      if (isnan (values[i]))
        continue;
      patch = weir_study_subject_create_edit (self, i, values, model, error);
      next = patch != NULL ? weir_model_apply (model, patch, NULL, error) : NULL;
      if (next == NULL)
        return NULL;
      weir_model_unref (model);
      model = next;
    }
  return g_steal_pointer (&model);
}

/* What the study asks for is in its model already; what follows from measured data is not. */
WeirModel *
weir_study_subject_create_model (const WeirStudySubject *self, const double *values, GError **error)
{
  g_autoptr (WeirModel) model = assign (self, values, error);
  g_autoptr (WeirPatch) patch = NULL;
  char interval[G_ASCII_DTOSTR_BUF_SIZE], stop_time[G_ASCII_DTOSTR_BUF_SIZE];

  if (model == NULL || self->measured == NULL)
    return g_steal_pointer (&model);
  patch = weir_patch_new ();
  weir_patch_set_setting (patch, "record-interval",
                          weir_number_to_text (self->options.run.record_interval, interval));
  weir_patch_set_setting (patch, "stop-time",
                          weir_number_to_text (self->options.stop_time, stop_time));
  return weir_model_apply (model, patch, NULL, error);
}

static WeirSystem *
complete (const WeirStudySubject *self, const double *values, GError **error)
{
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (WeirModel) model = assign (self, values, error);
  WeirSystem *system = model != NULL ? weir_model_complete (model, diagnostics) : NULL;

  for (guint i = 0; model != NULL && system == NULL; i++)
    {
      const WeirDiagnostic *d = weir_diagnostics_get (diagnostics, i);

      if (d->severity != WEIR_SEVERITY_ERROR && i + 1 < weir_diagnostics_get_size (diagnostics))
        continue;
      weir_error_set (error, WEIR_ERROR_INVALID, "%s%s%s", d->path, d->path[0] != '\0' ? ": " : "",
                      d->text);
      break;
    }
  return system;
}

static gboolean
fits (const WeirRunPlan *plan, WeirSystem *system)
{
  WeirFingerprint a = weir_layout_get_fingerprint (plan->layout);
  WeirFingerprint b = weir_layout_get_fingerprint (weir_system_get_layout (system));

  return a.low == b.low && a.high == b.high;
}

static WeirContext *
rebuild (const WeirStudySubject *self, const double *values, WeirRunPlan **plan, GError **error)
{
  g_autoptr (WeirSystem) system = complete (self, values, error);
  g_autoptr (WeirContext) context = NULL, own = NULL;

  if (system == NULL)
    return NULL;
  own = weir_system_create_context (system);
  *plan = self->plan;
  if (!fits (self->plan, system))
    {
      *plan = weir_run_plan_new (self, system, own, error);
      return *plan != NULL ? g_steal_pointer (&own) : NULL;
    }
  context = weir_context_clone (self->plan->context);
  return weir_context_set_time_state_and_parameters_from (context, own, error)
             ? g_steal_pointer (&context)
             : NULL;
}

WeirContext *
weir_study_subject_create_context (const WeirStudySubject *self, const double *values,
                                   WeirRunPlan **plan, GError **error)
{
  WeirContext *context;

  if (self->rebuild_reason != NULL)
    return rebuild (self, values, plan, error);
  context = weir_context_clone (self->plan->context);
  weir_study_subject_set_values (self, context, values);
  *plan = self->plan;
  return context;
}

/* Whether values set by slots are all that the parameters mean, at one point. */
static void
probe (WeirStudySubject *self, const double *values)
{
  g_autoptr (WeirContext) set = NULL, completed = NULL;
  g_autofree char *difference = NULL;
  WeirRunPlan *plan = NULL;

  if (self->rebuild_reason != NULL)
    return;
  completed = rebuild (self, values, &plan, NULL);
  if (completed == NULL || plan != self->plan)
    {
      if (plan != NULL && plan != self->plan)
        weir_run_plan_free (plan);
      self->rebuild_reason = g_strdup ("the parameters decide whether or how the model is built");
      return;
    }
  set = weir_context_clone (self->plan->context);
  weir_study_subject_set_values (self, set, values);
  difference = weir_context_dup_first_difference (set, completed);
  if (difference != NULL)
    self->rebuild_reason = g_strdup_printf ("%s follows from the parameters before a run begins",
                                            difference);
}

/* At the first and the last point; of a search at the ends of all ranges, as its starts may be what
 * the model has. */
static void
probe_ends (WeirStudySubject *self)
{
  g_autofree double *values = g_new (double, self->bindings->len + 1);

  for (guint end = 0; end < 2; end++)
    {
      if (!weir_study_is_search (self->study))
        weir_study_get_point (self->study, end == 0 ? 0 : weir_study_get_n_points (self->study) - 1,
                              values);
      else
        for (guint k = 0; k < self->bindings->len; k++)
          {
            const WeirStudyParameter *p = weir_study_get_parameter (self->study, k);

            values[k] = end == 0 ? p->from : p->to;
          }
      probe (self, values);
    }
}

/* --- The subject ----------------------------------------------------------------------------- */

static gboolean
has_units (WeirSystem *system)
{
  g_autoptr (GArray) units = weir_system_list_units (system);

  return units->len > 0;
}

/* FALSE ends the search. */
static gboolean
look_for_fmu (WeirBlock *block, gpointer found)
{
  if (strcmp (weir_block_get_type_name (block), "FMU") == 0)
    *(gboolean *) found = TRUE;
  else if (weir_block_get_diagram (block) != NULL)
    weir_diagram_foreach_block (weir_block_get_diagram (block), look_for_fmu, found);
  return !*(gboolean *) found;
}

/* What other tools made need not repeat itself. */
static void
decide_caching (WeirStudySubject *self, WeirSystem *system)
{
  gboolean has_fmu = FALSE;

  weir_diagram_foreach_block (weir_model_get_root (self->model), look_for_fmu, &has_fmu);
  if (has_fmu)
    self->uncached_reason = N_ ("the model has an FMU, which need not repeat itself");
  else if (has_units (system))
    self->uncached_reason = N_ ("the model has units of co-simulation");
}

static gboolean
open_model (WeirStudySubject *self, WeirModel *model, WeirDiagnostics *diagnostics)
{
  g_autoptr (WeirSystem) system = NULL;
  g_autoptr (WeirContext) context = NULL;
  g_autoptr (GPtrArray) untrusted = NULL;
  g_autoptr (GError) error = NULL;
  WeirEnsemble *ensemble;
  int line = 0;

  if (!read_model (self, model, diagnostics, &system))
    return FALSE;
  untrusted = weir_model_list_untrusted (self->model);
  if (untrusted->len > 0)
    {
      weir_error_set (&error, WEIR_ERROR_INVALID,
                      "%s holds a program that is not trusted; run it once with weir run --trust",
                      self->study->model);
      complain (self, diagnostics, 0, "STU06", error);
      return FALSE;
    }
  set_options (self);
  decide_caching (self, system);
  if (!bind_all (self, system, diagnostics))
    return FALSE;
  context = weir_system_create_context (system);
  if (!read_measured (self, context, diagnostics))
    return FALSE;
  if (!weir_study_subject_find_signals (self, weir_system_get_layout (system), &line, &error)
      || (self->plan = weir_run_plan_new (self, system, context, &error)) == NULL)
    {
      complain (self, diagnostics, line, "STU05", error);
      return FALSE;
    }
  if (!weir_study_subject_compile (self, diagnostics))
    return FALSE;
  ensemble = weir_run_plan_create_ensemble (self->plan, &self->options, &error);
  if (ensemble == NULL)
    {
      complain (self, diagnostics, 0, "STU03", error);
      return FALSE;
    }
  weir_ensemble_free (ensemble);
  probe_ends (self);
  self->parts = weir_study_subject_dup_parts (self);
  return TRUE;
}

WeirStudySubject *
weir_study_subject_new (WeirStudy *study, WeirDiagnostics *diagnostics)
{
  return weir_study_subject_new_for_model (study, NULL, diagnostics);
}

WeirStudySubject *
weir_study_subject_new_for_model (WeirStudy *study, WeirModel *model, WeirDiagnostics *diagnostics)
{
  WeirStudySubject *self = g_new0 (WeirStudySubject, 1);

  self->study = study;
  self->bindings = g_array_new (FALSE, FALSE, sizeof (WeirBinding));
  g_array_set_clear_func (self->bindings, clear_binding);
  self->kept = g_array_new (FALSE, FALSE, sizeof (WeirKeptSignal));
  g_array_set_clear_func (self->kept, clear_kept);
  if (!open_model (self, model, diagnostics))
    g_clear_pointer (&self, weir_study_subject_free);
  return self;
}

void
weir_study_subject_free (WeirStudySubject *self)
{
  if (self == NULL)
    return;
  weir_run_plan_free (self->plan);
  weir_measured_free (self->measured);
  g_clear_pointer (&self->model, weir_model_unref);
  g_array_unref (self->bindings);
  g_array_unref (self->kept);
  g_free (self->of_figure);
  g_free (self->program);
  g_free (self->figures_text);
  g_free (self->parts);
  g_free (self->model_path);
  g_free (self->model_sum);
  g_free (self->rebuild_reason);
  g_free (self);
}

const WeirRunPlan *
weir_study_subject_get_plan (const WeirStudySubject *self)
{
  return self->plan;
}

WeirRunPlan *
weir_study_subject_change_plan (WeirStudySubject *self)
{
  return self->plan;
}

const WeirEnsembleOptions *
weir_study_subject_get_options (const WeirStudySubject *self)
{
  return &self->options;
}

const WeirMeasured *
weir_study_subject_get_measured (const WeirStudySubject *self)
{
  return self->measured;
}

gboolean
weir_study_subject_is_signal_held (const WeirStudySubject *self, guint i)
{
  return g_array_index (self->kept, WeirKeptSignal, i).is_held;
}

const char *
weir_study_subject_get_model_path (const WeirStudySubject *self)
{
  return self->model_path;
}

const char *
weir_study_subject_get_rebuild_reason (const WeirStudySubject *self)
{
  return self->rebuild_reason;
}

const char *
weir_study_subject_get_parts (const WeirStudySubject *self)
{
  return self->parts;
}

const char *
weir_study_subject_get_uncached_reason (const WeirStudySubject *self)
{
  return self->uncached_reason;
}

gboolean
weir_study_subject_is_model_unchanged (const WeirStudySubject *self)
{
  g_autofree char *sum = self->model_sum != NULL ? calc_sum (self->model_path) : NULL;

  return g_strcmp0 (sum, self->model_sum) == 0;
}

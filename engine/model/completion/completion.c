/* Completion: from a model to a system. See completion.h; the steps are in the files beside this
 * one. */
#include "model/completion/completion-private.h"
#include "base/phrase.h"
#include "base/error.h"
#include "base/text.h"

#include <string.h>

#include "base/sync.h"
#include "model/tree/settings.h"

/* --- Settings -------------------------------------------------------------------------------- */

/* Unless the model refuses them. */
static gboolean
solves_loops (WeirModel *model)
{
  const char *text = weir_model_get_setting (model, "algebraic-loops");

  return text == NULL || strcmp (text, "refuse") != 0;
}

/* A setting that there is not is kept for the program that knows it, but a run goes without. */
static void
report_unknown (const char *name, int line, WeirDiagnostics *diagnostics)
{
  const WeirParameterSpec *alike = weir_settings_find_alike (name);
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autoptr (WeirMessage) all = NULL;
  guint n;
  const WeirParameterSpec *specs = weir_settings_get_specs (&n);

  for (guint i = 0; i < n; i++)
    g_ptr_array_add (names, (gpointer) specs[i].name);
  g_ptr_array_add (names, NULL);
  all = weir_message_new_list ((const char *const *) names->pdata);
  if (alike != NULL)
    weir_diagnostics_add (diagnostics, WEIR_SEVERITY_WARNING, "SET02", "", 0, 0, line,
                          N_ ("There is no setting '%s', so that it changes nothing; did you mean "
                              "'%s'? The settings are %s."),
                          name, alike->name, weir_message_get_text (all));
  else
    weir_diagnostics_add (
        diagnostics, WEIR_SEVERITY_WARNING, "SET02", "", 0, 0, line,
        N_ ("There is no setting '%s', so that it changes nothing. The settings are %s."), name,
        weir_message_get_text (all));
  weir_diagnostics_set_subject (diagnostics, name);
}

static void
check_settings (WeirModel *model, WeirDiagnostics *diagnostics)
{
  const WeirTexts *settings = model->head.settings;

  for (guint i = 0; i < weir_texts_get_size (settings); i++)
    {
      const char *name = weir_texts_get_name (settings, i);
      const WeirParameterSpec *spec = weir_settings_find_spec (name);
      int line = weir_texts_get_line (settings, i);
      g_autoptr (GError) error = NULL;

      if (spec == NULL)
        report_unknown (name, line, diagnostics);
      else if (!weir_settings_check (spec, weir_texts_get_text (settings, i), &error))
        {
          weir_diagnostics_add (diagnostics, WEIR_SEVERITY_ERROR, "SET01", "", 0, 0, line, "%s",
                                weir_error_get_text (error));
          weir_diagnostics_set_subject (diagnostics, name);
        }
    }
}

/* --- The whole ------------------------------------------------------------------------------- */

static gboolean
is_about_units (const WeirDiagnostic *d)
{
  return strcmp (d->code, "EQ06") == 0 || g_str_has_prefix (d->code, "UNI");
}

/* What is found on the way that does not prevent a system from being built. */
static void
add_selected (WeirDiagnostics *to, const WeirDiagnostics *from, WeirChecks checks)
{
  for (guint i = 0; i < weir_diagnostics_get_size (from); i++)
    {
      const WeirDiagnostic *d = weir_diagnostics_get (from, i);

      WeirChecks group = is_about_units (d) ? WEIR_CHECKS_UNITS : WEIR_CHECKS_COMPONENTS;

      if (d->severity == WEIR_SEVERITY_ERROR || (checks & group) != 0)
        weir_diagnostics_add_copy (to, d);
    }
}

WeirSystem *
weir_model_check (WeirModel *model, WeirChecks checks, WeirDiagnostics *diagnostics)
{
  g_autoptr (WeirDiagnostics) found = weir_diagnostics_new ();
  g_autoptr (WeirBindings) bindings = NULL;
  g_autoptr (WeirLeaves) leaves = NULL;
  WeirInstance *top;
  WeirSystem *system = NULL;

  g_return_val_if_fail (model != NULL, NULL);
  g_return_val_if_fail (diagnostics != NULL, NULL);

  bindings = weir_bindings_new (model, found);
  check_settings (model, found);
  weir_model_check_parts (model, found);
  weir_bindings_check_variables (bindings);
  top = weir_instance_new_top (model, bindings, checks, found);
  top->folder = model->head.folder;
  weir_instance_find_sizes (top, found);
  if ((checks & WEIR_CHECKS_COMPONENTS) != 0)
    weir_instance_check_terminals (top, found);
  if ((checks & WEIR_CHECKS_UNITS) != 0)
    weir_instance_find_units (top, found);
  leaves = weir_model_get_derived (model, &weir_derived_leaves);
  weir_instance_build_networks (top, found);
  weir_instance_build (top, model, leaves, solves_loops (model), found);
  weir_leaves_sweep (leaves);
  if ((checks & WEIR_CHECKS_COMPONENTS) != 0 && !weir_diagnostics_has_errors (found))
    weir_instance_find_hints (top, found);
  if ((checks & WEIR_CHECKS_DEPENDENCIES) != 0 && !weir_diagnostics_has_errors (found))
    weir_model_check_assertions (model, top->system, bindings, found);
  if (!weir_diagnostics_has_errors (found))
    system = g_steal_pointer (&top->system);
  add_selected (diagnostics, found, checks);
  weir_instance_free (top);
  return system;
}

WeirSystem *
weir_model_complete (WeirModel *model, WeirDiagnostics *diagnostics)
{
  return weir_model_check (model, WEIR_CHECKS_ALL, diagnostics);
}

/* --- Kept with the model --------------------------------------------------------------------- */

struct _WeirCompletion {
  gatomicrefcount ref_count;
  WeirSystem *system; /* NULL with errors */
  WeirDiagnostics *diagnostics;
};

WeirCompletion *
weir_completion_ref (WeirCompletion *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
weir_completion_unref (WeirCompletion *self)
{
  if (!weir_sync_drop (self, &self->ref_count))
    return;
  g_clear_pointer (&self->system, weir_system_unref);
  weir_diagnostics_unref (self->diagnostics);
  g_free (self);
}

WeirSystem *
weir_completion_get_system (const WeirCompletion *self)
{
  return self->system;
}

const WeirDiagnostics *
weir_completion_get_diagnostics (const WeirCompletion *self)
{
  return self->diagnostics;
}

static gpointer
make_completion (WeirModel *model)
{
  WeirCompletion *self = g_new (WeirCompletion, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->diagnostics = weir_diagnostics_new ();
  self->system = weir_model_complete (model, self->diagnostics);
  return self;
}

static gpointer
ref_completion (gpointer result)
{
  return weir_completion_ref (result);
}

static void
unref_completion (gpointer result)
{
  weir_completion_unref (result);
}

WeirDerivedKind weir_derived_completion = {
  .name = "completion",
  .survives = WEIR_ASPECTS_OF_LOOKS | WEIR_ASPECT_POINTS,
  .make = make_completion,
  .ref = ref_completion,
  .unref = unref_completion,
};

void
weir_model_prepare_completion (WeirModel *model)
{
  g_autoptr (WeirLeaves) leaves = NULL;

  g_return_if_fail (model != NULL);

  leaves = weir_model_get_derived (model, &weir_derived_leaves);
}

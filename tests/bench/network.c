/* Rows of physical networks: a ladder of resistors and capacitors, as parts and lines. It is
 * completed, run, and edited as while a run pauses: one resistance changes, the values that a run
 * keeps follow, and the derivatives are those of the new one.
 */
#include "bench.h"

#include <math.h>

#include "model/completion/completion.h"
#include "model/completion/parameters.h"
#include "model/document/document.h"
#include "model/files/xml.h"
#include "sim/simulator.h"
#include "system/evaluation/eval.h"

#define OHMS 100.0
#define FARADS 1e-6
#define VOLTS 5.0
#define TOLERANCE 1e-6

typedef struct {
  WeirDocument *document;
  WeirSystem *system;
  WeirContext *context;
  WeirSimulator *simulator;
  WeirLayout *layout;
  WeirParameters *known;
  double *start; /* states */
  double until;  /* s */
  guint n;
  guint64 n_edits;
} Ladder;

static void
add_line (GString *xml, guint *id, guint from, const char *pin, guint to, const char *other)
{
  g_string_append_printf (xml, "<line id=\"%u\" from=\"%u.%s\" to=\"%u.%s\"/>", (*id)++, from, pin,
                          to, other);
}

/* Block 1 the source, 2 the ground, then each resistor with the capacitor behind it. */
static char *
make_text (guint n)
{
  GString *xml = g_string_new ("<?xml version=\"1.0\"?><weir version=\"4\"><diagram>");
  guint line = 2 * n + 3;

  g_string_append_printf (xml,
                          "<block id=\"1\" type=\"VoltageSource\" name=\"V1\" x=\"0\" y=\"0\">"
                          "<parameter name=\"V\" value=\"%g\"/></block>"
                          "<block id=\"2\" type=\"Ground\" name=\"G\" x=\"0\" y=\"0\"/>",
                          VOLTS);
  for (guint i = 0; i < n; i++)
    g_string_append_printf (xml,
                            "<block id=\"%u\" type=\"Resistor\" name=\"R%u\" x=\"0\" y=\"0\">"
                            "<parameter name=\"R\" value=\"%g\"/></block>"
                            "<block id=\"%u\" type=\"Capacitor\" name=\"C%u\" x=\"0\" y=\"0\">"
                            "<parameter name=\"C\" value=\"%g\"/></block>",
                            3 + 2 * i, i + 1, OHMS, 4 + 2 * i, i + 1, FARADS);
  add_line (xml, &line, 1, "n", 2, "p");
  for (guint i = 0; i < n; i++)
    {
      add_line (xml, &line, i == 0 ? 1 : 1 + 2 * i, i == 0 ? "p" : "n", 3 + 2 * i, "p");
      add_line (xml, &line, 3 + 2 * i, "n", 4 + 2 * i, "p");
      add_line (xml, &line, 4 + 2 * i, "n", 2, "p");
    }
  g_string_append (xml, "</diagram></weir>");
  return g_string_free (xml, FALSE);
}

static void
ladder_init (Ladder *self, guint n)
{
  g_autofree char *text = make_text (n);
  g_autofree char *path = NULL;
  g_autoptr (GFile) file = NULL;
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (GError) error = NULL;
  WeirSimulatorOptions options;
  int fd = g_file_open_tmp ("weir-bench-XXXXXX.weir", &path, NULL);

  *self = (Ladder) { .document = weir_document_new (), .n = n };
  close (fd);
  if (!g_file_set_contents (path, text, -1, NULL))
    g_error ("The model cannot be written.");
  file = g_file_new_for_path (path);
  if (!weir_document_load (self->document, file, diagnostics))
    g_error ("%s", weir_diagnostics_get (diagnostics, 0)->text);
  g_file_delete (file, NULL, NULL);
  self->system = weir_model_complete (weir_document_get_model (self->document), diagnostics);
  if (self->system == NULL)
    g_error ("%s", weir_diagnostics_get (diagnostics, 0)->text);
  self->layout = weir_system_get_layout (self->system);
  self->context = weir_system_create_context (self->system);
  self->start = g_memdup2 (weir_context_get_state (self->context), n * sizeof (double));
  /* The voltage has got through to the end: as for ten sections at 10 ms. */
  self->until = 1e-4 * n * n;
  weir_simulator_options_init (&options);
  options.relative_tolerance = TOLERANCE;
  self->simulator = weir_simulator_new (self->system, self->context, &options, &error);
  if (self->simulator == NULL)
    g_error ("%s", error->message);
}

static void
ladder_clear (Ladder *self)
{
  weir_simulator_free (self->simulator);
  weir_context_free (self->context);
  weir_system_unref (self->system);
  g_clear_pointer (&self->known, weir_parameters_free);
  g_object_unref (self->document);
  g_free (self->start);
}

/* --- Completing and running ------------------------------------------------------------------ */

static void
complete (gpointer data, guint64 n)
{
  const Ladder *self = data;

  for (guint64 i = 0; i < n; i++)
    {
      g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
      g_autoptr (WeirSystem)
          system = weir_model_complete (weir_document_get_model (self->document), diagnostics);

      bench_sink = weir_system_get_n_inputs (system);
    }
}

static void
run (gpointer data, guint64 n)
{
  Ladder *self = data;
  g_autoptr (GError) error = NULL;

  for (guint64 i = 0; i < n; i++)
    {
      weir_context_set_time (self->context, 0);
      weir_context_set_state (self->context, self->start);
      if (!weir_simulator_initialize (self->simulator, &error)
          || !weir_simulator_advance_to (self->simulator, self->until, &error))
        g_error ("%s", error->message);
    }
  bench_sink = weir_context_get_state (self->context)[0];
}

static double
get_last (const Ladder *self)
{
  g_autofree char *path = g_strdup_printf ("C%u.v", self->n);
  const char *name;
  WeirNode node;
  WeirOutput out;

  if (!weir_layout_find_owner (self->layout, path, &node, &name)
      || !weir_layout_find_output (self->layout, node, name, &out))
    g_error ("There is no %s.", path);
  return *weir_eval_output (self->system, self->context, node, out);
}

/* The voltage of the last capacitor, from the eigenvalues 4/(RC) sin^2 ((2k - 1) pi / (4n + 2)) and
 * eigenvectors of a uniform ladder. */
static double
find_last (guint n, double t)
{
  double sum = 0.0;

  for (guint k = 1; k <= n; k++)
    {
      double angle = (2 * k - 1) * G_PI / (4.0 * n + 2), s = sin (angle);

      sum += (k % 2 == 1 ? 1 : -1) * cos (angle) * cos (angle) / s
             * exp (-4 / (OHMS * FARADS) * s * s * t) * 2 / (2.0 * n + 1);
    }
  return VOLTS * (1 - sum);
}

static void
measure_completion (const BenchRow *row, BenchResult *result)
{
  Ladder ladder;
  BenchVariant variant = { .run = complete, .data = &ladder };

  ladder_init (&ladder, row->size);
  bench_sample (&variant, 1);
  result->value = variant.median * 1e-9;
  result->best_value = variant.best * 1e-9;
  result->reference = result->best_reference = (double) NAN;
  ladder_clear (&ladder);
}

static void
measure_run (const BenchRow *row, BenchResult *result)
{
  Ladder ladder;
  BenchVariant variant = { .run = run, .data = &ladder };
  const WeirSimulatorStatistics *statistics;
  double found, expected;

  ladder_init (&ladder, row->size);
  run (&ladder, 1);
  statistics = weir_simulator_get_statistics (ladder.simulator);
  found = get_last (&ladder);
  expected = find_last (row->size, ladder.until);
  if (fabs (found - expected) > 1e-3 * VOLTS)
    g_error ("The end of the ladder is at %g V, but should be at %g.", found, expected);
  result->note = g_strdup_printf (
      "%" G_GUINT64_FORMAT " steps, %" G_GUINT64_FORMAT " Jacobians, %" G_GUINT64_FORMAT
      " right-hand sides; the end at %.7g V, exactly %.7g",
      statistics->steps, statistics->jacobians, statistics->rhs_calls, found, expected);
  bench_sample (&variant, 1);
  result->value = variant.median * 1e-9;
  result->best_value = variant.best * 1e-9;
  result->reference = result->best_reference = (double) NAN;
  ladder_clear (&ladder);
}

/* --- Editing --------------------------------------------------------------------------------- */

static void
take_over (const WeirParameterEntry *entry, gpointer data)
{
  const Ladder *self = data;
  g_autofree char *path = weir_model_dup_block_path (weir_document_get_model (self->document),
                                                     entry->block);
  g_autofree char *whole = g_strconcat (path, ".", entry->leaf_parameter, NULL);
  const char *name;
  WeirNode node;
  WeirParameter parameter;
  guint size;

  if (!weir_layout_find_owner (self->layout, whole, &node, &name)
      || !weir_layout_find_parameter (self->layout, node, name, &parameter, &size))
    g_error ("There is no %s.", whole);
  weir_context_set_parameter (self->context, node, parameter, entry->value);
}

static void
edit (gpointer data, guint64 n)
{
  Ladder *self = data;

  for (guint64 i = 0; i < n; i++)
    {
      g_autoptr (WeirModel) before = weir_model_ref (weir_document_get_model (self->document));
      g_autofree char *ohms = g_strdup_printf ("%.4f", OHMS + 1e-3 * (self->n_edits++ % 1000));
      g_autoptr (WeirPatch) patch = weir_patch_new ();
      g_autoptr (WeirBlock) changed = weir_block_with_parameter (
          weir_model_find_block (before, 3 + 2 * (self->n / 2), NULL), "R", ohms);

      weir_patch_set_block (patch, WEIR_PLACE_ROOT, changed);
      if (!weir_document_edit (self->document, patch, "Edit", "slider", NULL))
        g_error ("The resistance cannot be edited.");
      weir_model_visit_tuned (before, weir_document_get_model (self->document), &self->known,
                              take_over, self);
      bench_sink = weir_eval_derivatives (self->system, self->context)[self->n / 2];
    }
}

static void
measure_edit (const BenchRow *row, BenchResult *result)
{
  Ladder ladder;
  BenchVariant variant = { .run = edit, .data = &ladder };

  ladder_init (&ladder, row->size);
  bench_sample (&variant, 1);
  result->value = variant.median / 1e6;
  result->best_value = variant.best / 1e6;
  result->reference = result->best_reference = (double) NAN;
  ladder_clear (&ladder);
}

const BenchRow bench_network_rows[] = {
  { "network-1k", "complete a ladder of 1 000 resistors and capacitors", "s", BENCH_VALUE_AT_MOST,
    0.5, measure_completion, 1000 },
  { "network-1k-run", "run it, by the automatic choice", "s", BENCH_VALUE_AT_MOST, 0.3, measure_run,
    1000 },
  { "network-edit", "another resistance of it, until the derivatives follow", "ms",
    BENCH_VALUE_AT_MOST, 5, measure_edit, 1000 },
  { NULL },
};

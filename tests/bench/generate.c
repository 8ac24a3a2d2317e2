/* Rows of generated code: C of a random diagram of 5 000 blocks, written to files; right-hand sides
 * as generated against such as are written by hand. */
#include "bench.h"

#include <math.h>
#include <string.h>

#include <glib/gstdio.h>

#include "generate/generate.h"
#include "model/completion/completion.h"
#include "model/files/xml.h"
#include "reference/generated.h"

#define N_BLOCKS 5000
#define N_RECORDED 10

/* The types of its blocks and what is wired of them. */
static const struct {
  const char *type, *parameter, *inputs[3];
} kinds[] = {
  { "Gain", "<parameter name='gain' value='0.75'/>", { "u" } },
  { "Sum", "<parameter name='signs' value='+-'/>", { "in1", "in2" } },
  { "Product", "", { "in1", "in2" } },
  { "Integrator", "", { "u" } },
  { "Saturation", "", { "u" } },
  { "Abs", "", { "u" } },
  { "Bias", "", { "u" } },
  { "MinMax", "", { "in1", "in2" } },
  { "Lag", "", { "u" } },
  { "UnitDelay", "", { "u" } },
  { "Compare", "", { "u" } },
  { "Sine", "", { NULL } },
  { "Constant", "", { NULL } },
  { "Ramp", "", { NULL } },
};

typedef struct {
  WeirSystem *system;
  WeirSimulatorOptions options;
  const char *ports[N_RECORDED + 1];
  char *folder;
  gsize n_bytes;
} Generation;

static void
fail (WeirDiagnostics *diagnostics)
{
  g_error ("%s", weir_diagnostics_get (diagnostics, 0)->text);
}

/* Each input reads one of the hundred blocks before. (transfer full) */
static WeirSystem *
diagram_new (void)
{
  g_autoptr (GString) blocks = g_string_new ("<weir version='1'><diagram>");
  g_autoptr (GString) wires = g_string_new (NULL);
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (WeirModel) model = NULL;
  WeirSystem *system = NULL;
  guint wire = N_BLOCKS;

  for (guint id = 1; id <= N_BLOCKS; id++)
    {
      guint k = id == 1 ? G_N_ELEMENTS (kinds) - 1
                        : (guint) g_rand_int_range (rand, 0, G_N_ELEMENTS (kinds));

      g_string_append_printf (blocks, "<block id='%u' type='%s' name='B%u' x='0' y='0'>%s</block>",
                              id, kinds[k].type, id, kinds[k].parameter);
      for (guint i = 0; kinds[k].inputs[i] != NULL; i++)
        g_string_append_printf (wires, "<wire id='%u' from='%d.y' to='%u.%s'/>", ++wire,
                                g_rand_int_range (rand, MAX (1, (gint32) id - 100), (gint32) id),
                                id, kinds[k].inputs[i]);
    }
  g_string_append_printf (blocks, "%s</diagram></weir>", wires->str);
  bytes = g_string_free_to_bytes (g_steal_pointer (&blocks));
  model = weir_model_read_bytes (bytes, "bench", diagnostics);
  if (model != NULL)
    system = weir_model_complete (model, diagnostics);
  if (system == NULL)
    fail (diagnostics);
  return system;
}

static void
generate (gpointer data, guint64 n)
{
  Generation *self = data;

  for (guint64 i = 0; i < n; i++)
    {
      g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
      g_autoptr (WeirGenerated)
          files = weir_generate (self->system, "bench", &self->options, self->ports, diagnostics);
      g_autoptr (GError) error = NULL;

      if (files == NULL)
        fail (diagnostics);
      if (!weir_generated_write (files, self->folder, &error))
        g_error ("%s", error->message);
      self->n_bytes = 0;
      for (guint k = 0; k < weir_generated_get_n_files (files); k++)
        self->n_bytes += strlen (weir_generated_get_text (files, k));
    }
}

static void
remove_files (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      g_unlink (path);
    }
  g_rmdir (folder);
}

static void
measure_generate (G_GNUC_UNUSED const BenchRow *row, BenchResult *result)
{
  Generation self = { .system = diagram_new (), .folder = g_dir_make_tmp ("weir-XXXXXX", NULL) };
  BenchVariant variants[] = { { generate, &self, 0, 0, 0 } };
  char *ports[N_RECORDED];

  weir_simulator_options_init (&self.options);
  self.options.solver = "rk4";
  self.options.step = 0.01;
  for (guint i = 0; i < N_RECORDED; i++)
    self.ports[i] = ports[i] = g_strdup_printf ("B%u.y", N_BLOCKS - i);
  bench_compare (variants, G_N_ELEMENTS (variants), result);
  result->value *= 1e-6;
  result->best_value *= 1e-6;
  result->note = g_strdup_printf ("%.1f MB of text", (double) self.n_bytes * 1e-6);
  for (guint i = 0; i < N_RECORDED; i++)
    g_free (ports[i]);
  weir_system_unref (self.system);
  remove_files (self.folder);
  g_free (self.folder);
}

/* --- Right-hand sides ------------------------------------------------------------------------ */

typedef struct {
  void (*run) (uint64_t n, double *x, double *xdot);
  /* Two derivatives are stored at once: where the pair lies across the end of a page such a store
   * takes 8 ns. */
  _Alignas(64) double x[GENERATED_MOST_STATES];
  _Alignas(64) double xdot[GENERATED_MOST_STATES];
} Rhs;

static void
run_rhs (gpointer data, guint64 n)
{
  Rhs *self = data;

  self->run (n, self->x, self->xdot);
  bench_sink = self->xdot[0];
}

static void
measure_rhs (const BenchRow *row, BenchResult *result)
{
  const GeneratedExample *example = generated_examples;
  /* Not on the stack, which begins elsewhere in each process: a load that follows a store to the
   * same place of another page waits for it. */
  static Rhs generated, by_hand;
  static const double start[GENERATED_MOST_STATES] = { 0.3, -0.4, 0.5, 0.6 };
  BenchVariant variants[] = { { run_rhs, &generated, 0, 0, 0 }, { run_rhs, &by_hand, 0, 0, 0 } };

  while (!g_str_has_suffix (row->name, example->name))
    example++;
  generated_init ();
  generated.run = example->run_generated;
  by_hand.run = example->run_by_hand;
  memcpy (generated.x, start, sizeof start);
  memcpy (by_hand.x, start, sizeof start);
  run_rhs (&generated, 5);
  run_rhs (&by_hand, 5);
  for (int i = 0; i < example->n_states; i++)
    if (!(fabs (generated.xdot[i] - by_hand.xdot[i]) <= 1e-14 * fabs (by_hand.xdot[i])))
      g_error ("The derivative of x%d is %.17g, but %.17g by hand.", i, generated.xdot[i],
               by_hand.xdot[i]);
  bench_compare (variants, G_N_ELEMENTS (variants), result);
}

#define RHS(name, what)                                                                            \
  {                                                                                                \
    "generated-rhs-" name, what " as generated; by hand", "ns", BENCH_RATIO_AT_MOST, 1.15,         \
        measure_rhs, 0                                                                             \
  }

const BenchRow bench_generate_rows[] = {
  { "generate-5k", "C of a random diagram of 5 000 blocks, written", "ms", BENCH_VALUE_AT_MOST, 200,
    measure_generate, 0 },
  RHS ("pendulum", "right-hand side of the pendulum"),
  RHS ("lorenz", "right-hand side of Lorenz's model"),
  RHS ("van_der_pol", "right-hand side of Van der Pol"),
  RHS ("dc_motor", "right-hand side of a DC motor with a PID controller"),
  RHS ("sampled", "right-hand side of a sampled loop"),
  { NULL },
};

/* The row of a rectifier: four Shockley diodes, a capacitor and a load over ten periods, beside
 * ngspice. Ours is the run from its start; ngspice's is what it says its transient analysis took.
 * What both are off by is in the note: the value at 50 ms is 10.0514652, from scipy's Radau with a
 * relative tolerance of 1e-11.
 */
#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <glib/gstdio.h>

#include "model/completion/completion.h"
#include "model/files/xml.h"
#include "sim/simulator.h"
#include "system/evaluation/eval.h"

#define END (10 / 60.0)
#define LOOKED_AT 0.05
#define RIGHT 10.0514652
#define N_RUNS 5

static const char model_text[] =
    "<weir version='4'><diagram>"
    "<block id='1' type='SineVoltage' name='V1' x='0' y='0'><parameter name='amplitude' "
    "value='12'/><parameter name='frequency' value='60'/></block>"
    "<block id='2' type='Resistor' name='Rs' x='0' y='0'><parameter name='R' value='.5'/></block>"
    "<block id='3' type='Capacitor' name='C1' x='0' y='0'><parameter name='C' value='470e-6'/>"
    "</block>"
    "<block id='4' type='Resistor' name='R2' x='0' y='0'><parameter name='R' value='220'/>"
    "</block><block id='5' type='Ground' name='G' x='0' y='0'/>"
#define DIODE(id, name)                                                                            \
  "<block id='" id "' type='Diode' name='" name "' x='0' y='0'><parameter name='Is' "              \
  "value='1e-9'/><parameter name='Gp' value='0'/></block>"
    DIODE ("6", "D1") DIODE ("7", "D2") DIODE ("8", "D3") DIODE ("9", "D4")
#undef DIODE
#define LEAK(id, name)                                                                             \
  "<block id='" id "' type='Resistor' name='" name "' x='0' y='0'><parameter name='R' "            \
  "value='1e6'/></block>"
        LEAK ("10", "X1") LEAK ("11", "X2") LEAK ("12", "X3") LEAK ("13", "X4")
#undef LEAK
            "<block id='14' type='VoltageSensor' name='Out' x='0' y='0'/>"
            "<block id='15' type='Gain' name='Seen' x='0' y='0'/>"
            "<line id='20' from='1.p' to='2.p'/><line id='21' from='2.n' to='6.p'/>"
            "<line id='22' from='6.p' to='8.n'/><line id='23' from='8.n' to='10.p'/>"
            "<line id='24' from='10.p' to='12.n'/><line id='25' from='1.n' to='7.p'/>"
            "<line id='26' from='7.p' to='9.n'/><line id='27' from='9.n' to='11.p'/>"
            "<line id='28' from='11.p' to='13.n'/><line id='29' from='6.n' to='7.n'/>"
            "<line id='30' from='7.n' to='10.n'/><line id='31' from='10.n' to='11.n'/>"
            "<line id='32' from='11.n' to='3.p'/><line id='33' from='3.p' to='4.p'/>"
            "<line id='34' from='8.p' to='9.p'/><line id='35' from='9.p' to='12.p'/>"
            "<line id='36' from='12.p' to='13.p'/><line id='37' from='13.p' to='3.n'/>"
            "<line id='38' from='3.n' to='4.n'/><line id='39' from='4.n' to='5.p'/>"
            "<line id='40' from='4.p' to='14.p'/><line id='41' from='4.n' to='14.n'/>"
            "<wire id='42' from='14.y' to='15.u'/>"
            "</diagram></weir>";

/* The thermal voltage of 40 mV as the emission coefficient of 27 degrees. */
static const char netlist[] = "bridge\n"
                              ".model d D(IS=1e-9 N=1.546496)\n"
                              ".options RELTOL=1e-7\n"
                              "V1 a m SIN(0 12 60)\nRs a b 0.5\n"
                              "D1 b p d\nD2 m p d\nD3 0 b d\nD4 0 m d\n"
                              "R1 b p 1meg\nR2 m p 1meg\nR3 0 b 1meg\nR4 0 m 1meg\n"
                              "C1 p 0 470u IC=0\nRL p 0 220\n"
                              ".control\n"
                              "tran 1e-3 0.1666666667 uic\n"
                              "rusage trantime\n"
                              "meas tran seen find v(p) at=0.05\n"
                              ".endc\n.end\n";

typedef struct {
  WeirSystem *system;
  WeirNode seen_by;
  double seen; /* at LOOKED_AT */
} Bridge;

static double
run_to (WeirSimulator *simulator, Bridge *self, WeirContext *context, double t)
{
  g_autoptr (GError) error = NULL;
  const double *value;

  weir_simulator_advance_to (simulator, t, &error);
  if (error != NULL)
    g_error ("%s", error->message);
  value = weir_eval_output (self->system, context, self->seen_by, (WeirOutput) { 0 });
  return value[0];
}

static void
run (gpointer data, guint64 n)
{
  Bridge *self = data;

  for (guint64 i = 0; i < n; i++)
    {
      WeirContext *context = weir_system_create_context (self->system);
      WeirSimulatorOptions options;
      WeirSimulator *simulator;
      g_autoptr (GError) error = NULL;

      weir_simulator_options_init (&options);
      options.relative_tolerance = 1e-5;
      options.absolute_tolerance = 1e-5;
      simulator = weir_simulator_new (self->system, context, &options, &error);
      if (simulator == NULL)
        g_error ("%s", error->message);
      self->seen = run_to (simulator, self, context, LOOKED_AT);
      bench_sink = run_to (simulator, self, context, END);
      weir_simulator_free (simulator);
      weir_context_free (context);
    }
}

/* FALSE: there is no ngspice. */
static gboolean
run_ngspice (const char *path, double *ms, double *seen)
{
  g_autofree char *program = g_find_program_in_path ("ngspice"), *output = NULL;
  const char *argv[] = { program, "-b", path, NULL }, *found;
  g_autoptr (GError) error = NULL;

  if (program == NULL)
    return FALSE;
  if (!g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL, &output,
                     NULL, NULL, &error))
    g_error ("%s", error->message);
  found = strstr (output, "Transient analysis time = ");
  if (found == NULL)
    g_error ("ngspice does not say how long it took.");
  *ms = 1e3 * g_ascii_strtod (found + strlen ("Transient analysis time = "), NULL);
  found = strstr (output, "seen");
  found = found != NULL ? strchr (found, '=') : NULL;
  *seen = found != NULL ? g_ascii_strtod (found + 1, NULL) : (double) NAN;
  return TRUE;
}

static int
compare_numbers (const void *a, const void *b)
{
  return *(const double *) a > *(const double *) b ? 1 : -1;
}

static void
measure_ngspice (BenchResult *result, double *seen)
{
  g_autofree char *path = NULL;
  double times[N_RUNS];

  g_close (g_file_open_tmp ("weir-bench-XXXXXX.cir", &path, NULL), NULL);
  if (!g_file_set_contents (path, netlist, -1, NULL))
    g_error ("The netlist cannot be written.");
  for (guint i = 0; i < N_RUNS; i++)
    if (!run_ngspice (path, &times[i], seen))
      {
        result->reference = result->best_reference = (double) NAN;
        remove (path);
        return;
      }
  qsort (times, N_RUNS, sizeof *times, compare_numbers);
  result->reference = times[N_RUNS / 2];
  result->best_reference = times[0];
  remove (path);
}

static void
measure_bridge (G_GNUC_UNUSED const BenchRow *row, BenchResult *result)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (model_text, strlen (model_text));
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (WeirModel) model = weir_model_read_bytes (bytes, "bridge", diagnostics);
  Bridge self = { .system = model != NULL ? weir_model_complete (model, diagnostics) : NULL };
  BenchVariant variants[] = { { run, &self, 0, 0, 0 } };
  double seen = 0;

  if (self.system == NULL
      || !weir_layout_find_node (weir_system_get_layout (self.system), "Seen", &self.seen_by))
    g_error ("%s", weir_diagnostics_get (diagnostics, 0)->text);
  bench_compare (variants, G_N_ELEMENTS (variants), result);
  result->value *= 1e-6;
  result->best_value *= 1e-6;
  measure_ngspice (result, &seen);
  result->note = isnan (result->reference)
                     ? g_strdup ("ngspice is not installed")
                     : g_strdup_printf ("off by %.1e, ngspice by %.1e", fabs (self.seen - RIGHT),
                                        fabs (seen - RIGHT));
  weir_system_unref (self.system);
}

const BenchRow bench_bridge_rows[] = {
  { "bridge-rectifier", "ten periods of a bridge of Shockley diodes; ngspice, RELTOL 1e-7", "ms",
    BENCH_RATIO_AT_MOST, 2, measure_bridge, 0 },
  { NULL },
};

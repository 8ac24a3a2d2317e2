/* The linear response of models beside their simulation: a sine goes in, and what comes out once it
 * has settled is its part at that frequency, over whole periods. Within 0.1 %, sampled models and
 * delays included; nonlinear ones by a small sine.
 */
#include "model-file.h"

#include <complex.h>
#include <math.h>

#define TOLERANCE 1e-3

#define BLOCK(id, type, name, parameters)                                                          \
  "<block id=\"" id "\" type=\"" type "\" name=\"" name "\" x=\"0\" y=\"0\">" parameters "</"      \
  "block>"
#define SET(name, value) "<parameter name=\"" name "\" value=\"" value "\"/>"
#define WIRE(id, from, to) "<wire id=\"" id "\" from=\"" from "\" to=\"" to "\"/>"
/* What is compared with the sine, block 2. */
#define ERROR_SUM BLOCK ("2", "Sum", "E", SET ("signs", "+-")) WIRE ("91", "1.y", "2.in1")

typedef struct {
  const char *name, *diagram, *output;
  double amplitude;
  double tick;    /* s, of the samples that are looked at */
  guint n;        /* ticks of a period */
  double settled; /* s */
} Case;

static const Case cases[] = {
  { "second order",
    BLOCK ("2", "SecondOrderLag", "P", SET ("frequency", "2") SET ("damping", "0.1"))
        WIRE ("3", "1.y", "2.u"),
    "P.y", 1, 0.05, 60, 120 },
  { "servo",
    ERROR_SUM BLOCK ("3", "TransferFunction", "P",
                     SET ("numerator", "2") SET ("denominator", "[1, 1, 0]"))
        WIRE ("4", "2.y", "3.u") WIRE ("5", "3.y", "2.in2"),
    "P.y", 1, 0.05, 80, 40 },
  { "non-minimum phase",
    BLOCK ("2", "TransferFunction", "P",
           SET ("numerator", "[-2, 2]") SET ("denominator", "[1, 3, 2]")) WIRE ("3", "1.y", "2.u"),
    "P.y", 1, 0.05, 50, 30 },
  { "delay in a loop",
    ERROR_SUM BLOCK ("3", "TransferFunction", "P",
                     SET ("numerator", "0.8") SET ("denominator", "[1, 1]"))
        BLOCK ("4", "TransportDelay", "D", SET ("delay", "0.7")) WIRE ("5", "2.y", "3.u")
            WIRE ("6", "3.y", "4.u") WIRE ("7", "4.y", "2.in2"),
    "D.y", 1, 0.05, 70, 60 },
  { "two delays in series",
    BLOCK ("2", "TransportDelay", "D1", SET ("delay", "0.3"))
        BLOCK ("3", "TransportDelay", "D2", SET ("delay", "0.45")) BLOCK ("4", "Lag", "P", "")
            WIRE ("5", "1.y", "2.u") WIRE ("6", "2.y", "3.u") WIRE ("7", "3.y", "4.u"),
    "P.y", 1, 0.05, 40, 30 },
  { "motor with PID",
    ERROR_SUM BLOCK ("3", "PID", "C", SET ("p", "2") SET ("i", "3") SET ("d", "0.05"))
        BLOCK ("4", "DCMotor", "M", "") WIRE ("5", "2.y", "3.u") WIRE ("6", "3.y", "4.voltage")
            WIRE ("7", "4.speed", "2.in2"),
    "M.speed", 1, 0.02, 60, 20 },
  { "cubic spring",
    BLOCK ("2", "Equations", "Law",
           SET ("equations",
                "input u&#10;D(D(x)) ~ u - x - 0.4*D(x) - 5*x^3&#10;output x&#10;initial x "
                "= 0; initial D(x) = 0")) WIRE ("3", "1.y", "2.u"),
    "Law.x", 1e-3, 0.05, 90, 60 },
  { "within its limits",
    ERROR_SUM BLOCK ("3", "Saturation", "L", SET ("lower", "-5") SET ("upper", "5"))
        BLOCK ("4", "Integrator", "P", "") WIRE ("5", "2.y", "3.u") WIRE ("6", "3.y", "4.u")
            WIRE ("7", "4.y", "2.in2"),
    "P.y", 1, 0.05, 100, 30 },
  { "sampled",
    ERROR_SUM BLOCK ("3", "ZeroOrderHold", "S", SET ("period", "0.1"))
        BLOCK ("4", "DiscreteTransferFunction", "C",
               SET ("numerator", "[24, -43.8, 20]") SET ("denominator", "[1, -1, 0]")
                   SET ("period", "0.1"))
            BLOCK ("5", "TransferFunction", "P", SET ("denominator", "[1, 1, 0]"))
                WIRE ("6", "2.y", "3.u") WIRE ("7", "3.y", "4.u") WIRE ("8", "4.y", "5.u")
                    WIRE ("9", "5.y", "2.in2"),
    "P.y", 1, 0.1, 24, 120 },
  { "sampled, computing delay",
    ERROR_SUM BLOCK ("3", "ZeroOrderHold", "S", SET ("period", "0.1"))
        BLOCK ("4", "Gain", "C", SET ("gain", "1.5"))
            BLOCK ("5", "TransportDelay", "D", SET ("delay", "0.04"))
                BLOCK ("6", "TransferFunction", "P", SET ("denominator", "[1, 1, 0]"))
                    WIRE ("11", "2.y", "3.u") WIRE ("12", "3.y", "4.u") WIRE ("13", "4.y", "5.u")
                        WIRE ("14", "5.y", "6.u") WIRE ("15", "6.y", "2.in2"),
    "P.y", 1, 0.1, 30, 90 },
  { "two rates",
    ERROR_SUM BLOCK ("3", "ZeroOrderHold", "A", SET ("period", "0.1"))
        BLOCK ("4", "Integrator", "X", "") BLOCK ("5", "ZeroOrderHold", "B", SET ("period", "0.2"))
            BLOCK ("6", "Gain", "K", SET ("gain", "3")) WIRE ("11", "2.y", "3.u")
                WIRE ("12", "3.y", "6.u") WIRE ("13", "6.y", "4.u") WIRE ("14", "4.y", "5.u")
                    WIRE ("15", "5.y", "2.in2"),
    "X.y", 1, 0.1, 26, 60 },
};

static char *
dup_number (double value)
{
  return g_strdup_printf ("%.17g", value);
}

/* The part of a column at the frequency, over the last periods of all rows. */
static double complex
find_part (GStrv lines, guint n_lines, guint column, guint n, guint n_periods)
{
  double complex sum = 0;

  for (guint i = n_lines - n * n_periods; i < n_lines; i++)
    {
      g_auto (GStrv) fields = g_strsplit (lines[i], ",", -1);
      double angle = 2 * G_PI * i / n;

      sum += g_ascii_strtod (fields[column], NULL)
             * (cos (angle) - (double complex) I * sin (angle));
    }
  return sum;
}

static double complex
simulate (const Case *c, const char *diagram)
{
  guint n_periods = 2;
  double period = c->tick * c->n;
  double end = ceil (c->settled / period + n_periods) * period;
  g_autofree char *until = dup_number (end);
  g_autofree char *every = dup_number (c->tick);
  g_autofree char *longest = dup_number (period / 200);
  const char *options[] = { "--log",  "U.y",     "--log",  c->output,    "--until",
                            until,    "--every", every,    "--max-step", longest,
                            "--rtol", "1e-9",    "--atol", "1e-12",      NULL };
  g_auto (Outcome) outcome = model_run ("run", diagram, options);
  g_auto (GStrv) lines = g_strsplit (outcome.out, "\n", -1);
  guint n_lines = g_strv_length (lines);

  g_test_message ("%s", outcome.err);
  g_assert_cmpint (outcome.status, ==, 0);
  while (n_lines > 0 && *lines[n_lines - 1] == '\0')
    n_lines--;
  return find_part (lines, n_lines, 2, c->n, n_periods)
         / find_part (lines, n_lines, 1, c->n, n_periods);
}

static double complex
linearise (const Case *c, const char *diagram)
{
  g_autofree char *omega = dup_number (2 * G_PI / (c->tick * c->n));
  const char *options[] = { "--input",       "U.y", "--output", c->output, "--nyquist",
                            "--frequencies", omega, "--csv",    NULL };
  g_auto (Outcome) outcome = model_run ("linearize", diagram, options);
  g_auto (GStrv) lines = g_strsplit (outcome.out, "\n", -1);
  g_auto (GStrv) fields = NULL;

  g_test_message ("%s%s", outcome.err, outcome.out);
  g_assert_cmpint (outcome.status, ==, 0);
  fields = g_strsplit (lines[1], ",", -1);
  g_assert_cmpuint (g_strv_length (fields), ==, 5);
  return g_ascii_strtod (fields[3], NULL) + (double complex) I * g_ascii_strtod (fields[4], NULL);
}

static void
test_case (gconstpointer data)
{
  const Case *c = data;
  g_autofree char *diagram = g_strdup_printf (
      "<block id=\"1\" type=\"Sine\" name=\"U\" x=\"0\" y=\"0\">"
      "<parameter name=\"amplitude\" value=\"%.17g\"/><parameter name=\"frequency\" "
      "value=\"%.17g\"/>"
      "</block>%s",
      c->amplitude, 1 / (c->tick * c->n), c->diagram);
  double complex seen = simulate (c, diagram), expected = linearise (c, diagram);
  double off = cabs (seen / expected - 1);

  g_test_message ("%s: simulated %.9g %+.9gi, linear %.9g %+.9gi, off by %.2g", c->name,
                  creal (seen), cimag (seen), creal (expected), cimag (expected), off);
  g_assert_cmpfloat (off, <, TOLERANCE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/cli/sweep/", cases[i].name, NULL);

      g_test_add_data_func (path, &cases[i], test_case);
    }
  return g_test_run ();
}

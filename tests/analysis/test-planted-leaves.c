/* Leaf systems with one planted mistake each, what the audit says of it and what verify sees: a
 * mistake in a declaration, in what a calculation keeps or writes, in a handler. The comment of a
 * case says why a tool that is expected to miss it cannot see it.
 */
#include <math.h>
#include <stdlib.h>

#include "analysis/audit.h"
#include "analysis/verify.h"
#include "sim/simulator.h"
#include "system/evaluation/eval.h"
#include "system/structure/diagram.h"
#include "system/evaluation/calc.h"
#include "system/structure/leaf.h"

static const WeirInput U = { 0 }, V = { 1 };
static const WeirParameter K = { 0 };
static const WeirGroup G = { 0 };

static double
u (const WeirCalc *c)
{
  return weir_calc_input (c, U)[0];
}

/* What hidden memory is kept in; begins anew with each case. */
static struct {
  double number, last, value;
  guint n;
  const double *pointer;
} hidden;

/* --- Calculations ---------------------------------------------------------------------------- */

static WeirStatus
of_parameter (const WeirCalc *c, double *y)
{
  y[0] = weir_calc_parameter (c, K)[0] * u (c);
  return WEIR_OK;
}

static WeirStatus
on_branch (const WeirCalc *c, double *y)
{
  y[0] = u (c) > 0.5 ? weir_calc_input (c, V)[0] : 0;
  return WEIR_OK;
}

static WeirStatus
on_far_branch (const WeirCalc *c, double *y)
{
  y[0] = u (c) > 1000 ? weir_calc_input (c, V)[0] : 0;
  return WEIR_OK;
}

static WeirStatus
on_equality (const WeirCalc *c, double *y)
{
  y[0] = weir_calc_parameter (c, K)[0] == 3.14159 ? weir_calc_input (c, V)[0] : 0;
  return WEIR_OK;
}

static WeirStatus
of_time (const WeirCalc *c, double *y)
{
  y[0] = u (c) + weir_calc_time (c);
  return WEIR_OK;
}

static WeirStatus
of_group (const WeirCalc *c, double *y)
{
  y[0] = weir_calc_discrete (c, G)[0];
  return WEIR_OK;
}

static WeirStatus
of_vector (const WeirCalc *c, double *y)
{
  y[0] = weir_calc_input (c, V)[1];
  return WEIR_OK;
}

static WeirStatus
with_memory (const WeirCalc *c, double *y)
{
  y[0] = u (c) + hidden.last;
  hidden.last = y[0] * 0.5;
  return WEIR_OK;
}

static WeirStatus
with_pure_memo (const WeirCalc *c, double *y)
{
  if (u (c) != hidden.last || hidden.n == 0)
    {
      hidden.n = 1;
      hidden.last = u (c);
      hidden.value = hidden.last * hidden.last;
    }
  y[0] = hidden.value;
  return WEIR_OK;
}

static WeirStatus
with_pointer (const WeirCalc *c, double *y)
{
  if (hidden.pointer == NULL)
    hidden.pointer = weir_calc_input (c, V);
  y[0] = u (c) + hidden.pointer[0];
  return WEIR_OK;
}

static WeirStatus
by_chance (const WeirCalc *c, double *y)
{
  y[0] = u (c) + rand ();
  return WEIR_OK;
}

static WeirStatus
of_hidden (const WeirCalc *c, double *y)
{
  y[0] = hidden.number * u (c);
  return WEIR_OK;
}

/* Two NaNs that differ in their last bit, by turns. */
static WeirStatus
alternating_nan (G_GNUC_UNUSED const WeirCalc *c, double *y)
{
  guint64 bits = G_GUINT64_CONSTANT (0x7ff8000000000000) | (hidden.n++ & 1);

  memcpy (y, &bits, sizeof bits);
  return WEIR_OK;
}

static WeirStatus
unwritten_on_branch (const WeirCalc *c, double *y)
{
  if (u (c) > 0.3)
    y[0] = 1;
  return WEIR_OK;
}

static WeirStatus
writes_beyond (G_GNUC_UNUSED const WeirCalc *c, double *y)
{
  y[0] = 1;
  y[1] = 2;
  return WEIR_OK;
}

static WeirStatus
writes_parameter (const WeirCalc *c, double *y)
{
  double *k = (double *) weir_calc_parameter (c, K);

  y[0] = u (c) * k[0];
  k[0] += 0.25;
  return WEIR_OK;
}

static WeirStatus
writes_data (const WeirCalc *c, double *y)
{
  double *data = (double *) weir_calc_data (c);

  y[0] = u (c) * data[0];
  data[0] += 1;
  return WEIR_OK;
}

static WeirStatus
writes_state (const WeirCalc *c, double *y)
{
  double *x = (double *) weir_calc_xc (c);

  y[0] = x[0];
  x[0] += 1e-3;
  return WEIR_OK;
}

static WeirStatus
writes_input (const WeirCalc *c, double *y)
{
  double *value = (double *) weir_calc_input (c, U);

  y[0] = value[0];
  value[0] = 7;
  return WEIR_OK;
}

static WeirStatus
of_port_5 (const WeirCalc *c, double *y)
{
  y[0] = weir_calc_input (c, (WeirInput) { 5 })[0];
  return WEIR_OK;
}

static WeirStatus
of_group_3 (const WeirCalc *c, double *y)
{
  y[0] = weir_calc_discrete (c, (WeirGroup) { 3 })[0];
  return WEIR_OK;
}

static WeirStatus
of_parameter_9 (const WeirCalc *c, double *y)
{
  y[0] = weir_calc_parameter (c, (WeirParameter) { 9 })[0];
  return WEIR_OK;
}

static WeirStatus
of_nothing (G_GNUC_UNUSED const WeirCalc *c, double *y)
{
  y[0] = 4;
  return WEIR_OK;
}

static WeirStatus
copy_u (const WeirCalc *c, double *y)
{
  y[0] = u (c);
  return WEIR_OK;
}

static WeirStatus
rate_of_time (const WeirCalc *c, double *xdot)
{
  xdot[0] = -weir_calc_xc (c)[0] + weir_calc_time (c);
  return WEIR_OK;
}

/* --- Handlers -------------------------------------------------------------------------------- */

static WeirStatus
count (G_GNUC_UNUSED const WeirCalc *c, G_GNUC_UNUSED gint64 n, double *next)
{
  next[0] += 1;
  return WEIR_OK;
}

static WeirStatus
count_hidden (G_GNUC_UNUSED const WeirCalc *c, G_GNUC_UNUSED gint64 n, double *next)
{
  next[0] += 1;
  hidden.number += 1;
  return WEIR_OK;
}

static WeirStatus
draw (G_GNUC_UNUSED const WeirCalc *c, G_GNUC_UNUSED gint64 n, double *next)
{
  next[0] = rand ();
  return WEIR_OK;
}

static WeirStatus
remember (const WeirCalc *c, G_GNUC_UNUSED gint64 n, double *next)
{
  next[0] = u (c) + hidden.last;
  hidden.last = next[0];
  return WEIR_OK;
}

static WeirStatus
write_parameter (const WeirCalc *c, gint64 n, double *next)
{
  next[0] = (double) n;
  ((double *) weir_calc_parameter (c, K))[0] += 1;
  return WEIR_OK;
}

static WeirStatus
write_beyond (G_GNUC_UNUSED const WeirCalc *c, gint64 n, double *next)
{
  next[0] = next[1] = (double) n;
  return WEIR_OK;
}

static WeirStatus
honest (const WeirCalc *c, gint64 n, double *next)
{
  next[0] = (double) n + u (c);
  return WEIR_OK;
}

/* --- The cases ------------------------------------------------------------------------------- */

enum { ON_U, ON_U_AND_K, ON_G, ON_NOTHING };
enum { SAME, DIFFERENT, ANY, UNTRIED /* it would read or write at random */ };

typedef struct {
  const char *name;
  WeirCalcFunc y;
  int depends;
  WeirUpdateFunc update;   /* of a discrete state; NULL: there is none */
  WeirCalcFunc xdot;       /* NULL: no state */
  const char *code, *says; /* of an error that the audit finds; NULL: it finds none */
  int verified;
} Case;

static const Case cases[] = {
  { "forgotten-parameter", of_parameter, ON_U, NULL, NULL, "AUD01", "parameter k", SAME },
  { "forgotten-input-on-branch", on_branch, ON_U, NULL, NULL, "AUD01", "input v", SAME },
  { "forgotten-input-on-far-branch", on_far_branch, ON_U, NULL, NULL, "AUD01", "input v", SAME },
  /* One value in 2^64 takes the branch. */
  { "forgotten-input-on-equality", on_equality, ON_U_AND_K, NULL, NULL, NULL, NULL, SAME },
  { "forgotten-time", of_time, ON_U, NULL, NULL, "AUD01", "time", SAME },
  { "forgotten-discrete-state", of_group, ON_U, count, NULL, "AUD01", "discrete state g",
    DIFFERENT },
  { "forgotten-vector", of_vector, ON_U, NULL, NULL, "AUD01", "input v", SAME },
  { "forgotten-time-in-rate", of_nothing, ON_NOTHING, NULL, rate_of_time, "AUD01", "time", ANY },
  { "memory", with_memory, ON_U, NULL, NULL, "AUD02", "keeps memory", DIFFERENT },
  /* No fault: the same sources give the same bits. */
  { "pure-memo", with_pure_memo, ON_U, NULL, NULL, NULL, NULL, SAME },
  { "kept-pointer", with_pointer, ON_U, NULL, NULL, "AUD01", "input v", ANY },
  { "chance", by_chance, ON_U, NULL, NULL, "AUD02", "keeps memory", DIFFERENT },
  { "alternating-nan", alternating_nan, ON_U, NULL, NULL, "AUD02", "keeps memory", ANY },
  { "unwritten-on-branch", unwritten_on_branch, ON_U, NULL, NULL, "AUD06", "element 0", ANY },
  { "writes-beyond", writes_beyond, ON_U, NULL, NULL, "AUD06", "element 1", UNTRIED },
  { "writes-parameter", writes_parameter, ON_U_AND_K, NULL, NULL, "AUD03", "parameter k",
    DIFFERENT },
  { "writes-data", writes_data, ON_U, NULL, NULL, "AUD02", "keeps memory", DIFFERENT },
  { "writes-state", writes_state, ON_U, NULL, copy_u, "AUD03", "changes", ANY },
  { "writes-input", writes_input, ON_U, NULL, NULL, "AUD02", "keeps memory", ANY },
  { "misses-port", of_port_5, ON_U, NULL, NULL, "AUD05", "input 5", UNTRIED },
  { "misses-group", of_group_3, ON_U, NULL, NULL, "AUD05", "discrete state 3", UNTRIED },
  { "misses-parameter", of_parameter_9, ON_U, NULL, NULL, "AUD05", "parameter 9", UNTRIED },
  { "update-shares-memory", of_hidden, ON_U, count_hidden, NULL, "AUD02", "bad:y", DIFFERENT },
  { "update-keeps-memory", of_group, ON_G, remember, NULL, "AUD02", "discrete state g", DIFFERENT },
  { "update-by-chance", of_group, ON_G, draw, NULL, "AUD02", "discrete state g", DIFFERENT },
  { "update-writes-parameter", of_parameter, ON_U_AND_K, write_parameter, NULL, "AUD03",
    "parameter k", DIFFERENT },
  { "update-writes-beyond", of_group, ON_G, write_beyond, NULL, "AUD06", "element 1", UNTRIED },
  { "update-honest", of_group, ON_G, honest, NULL, NULL, NULL, SAME },
};

static WeirSystem *
planted_new (const Case *k)
{
  const double one = 1;
  WeirLeafBuilder *b = weir_leaf_builder_new ("Planted");
  WeirTicket tu = weir_input_ticket (b, weir_leaf_add_input (b, "u", 1)), tk, tg = WEIR_NOTHING;

  weir_leaf_add_input (b, "v", 2);
  tk = weir_parameter_ticket (b, weir_leaf_add_parameter (b, "k", &one, 1));
  weir_leaf_set_data (b, &one, sizeof one);
  if (k->update != NULL)
    {
      WeirGroup g = weir_leaf_add_discrete_state (b, "g", &one, 1);

      tg = weir_group_ticket (b, g);
      weir_leaf_add_update (b, weir_every (0.1, 0.05), g, k->update);
    }
  weir_leaf_add_output (b, "y", 1, k->y,
                        k->depends == ON_U         ? WEIR_DEPENDS (tu)
                        : k->depends == ON_U_AND_K ? WEIR_DEPENDS (tu, tk)
                        : k->depends == ON_G       ? WEIR_DEPENDS (tg)
                                                   : WEIR_DEPENDS (WEIR_NOTHING));
  if (k->xdot != NULL)
    {
      weir_leaf_set_continuous_state (b, 0, 0, 1, &one);
      weir_leaf_set_derivatives (b, k->xdot,
                                 k->xdot == copy_u ? WEIR_DEPENDS (tu) : WEIR_DEPENDS (WEIR_XC));
    }
  return weir_leaf_builder_build (b);
}

static WeirStatus
of_ramp (const WeirCalc *c, double *y)
{
  y[0] = weir_calc_time (c);
  return WEIR_OK;
}

static WeirStatus
of_ramps (const WeirCalc *c, double *y)
{
  y[0] = weir_calc_time (c);
  y[1] = 2 * y[0];
  return WEIR_OK;
}

static WeirSystem *
source_new (guint size, WeirCalcFunc y)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Source");

  weir_leaf_add_output (b, "y", size, y, WEIR_DEPENDS (WEIR_TIME));
  return weir_leaf_builder_build (b);
}

/* Two sources, the planted leaf, and an integrator of its output. */
static WeirSystem *
model_new (const Case *k)
{
  const double zero = 0;
  WeirDiagramBuilder *d = weir_diagram_builder_new ();
  WeirLeafBuilder *b = weir_leaf_builder_new ("Integrator");
  g_autoptr (WeirSystem) ramp = source_new (1, of_ramp), ramps = source_new (2, of_ramps),
                         bad = planted_new (k), integrator = NULL;
  g_autoptr (GError) error = NULL;
  WeirTicket in = weir_input_ticket (b, weir_leaf_add_input (b, "u", 1));
  WeirChild source, sources, leaf;
  WeirSystem *system;

  weir_leaf_set_continuous_state (b, 0, 0, 1, &zero);
  weir_leaf_set_derivatives (b, copy_u, WEIR_DEPENDS (in));
  integrator = weir_leaf_builder_build (b);
  source = weir_diagram_builder_add (d, "source", ramp);
  sources = weir_diagram_builder_add (d, "sources", ramps);
  leaf = weir_diagram_builder_add (d, "bad", bad);
  weir_diagram_builder_connect (d, source, (WeirOutput) { 0 }, leaf, U);
  weir_diagram_builder_connect (d, sources, (WeirOutput) { 0 }, leaf, V);
  weir_diagram_builder_connect (d, leaf, (WeirOutput) { 0 },
                                weir_diagram_builder_add (d, "integrator", integrator), U);
  system = weir_diagram_builder_build (d, &error);
  g_assert_no_error (error);
  return system;
}

static void
begin (void)
{
  memset (&hidden, 0, sizeof hidden);
  hidden.number = 1;
}

static void
check_audit (const Case *k)
{
  g_autoptr (WeirSystem) system = model_new (k);
  g_autoptr (GError) error = NULL;
  WeirSimulatorOptions options;
  gboolean is_named = FALSE;
  WeirAuditResult result;

  begin ();
  weir_simulator_options_init (&options);
  weir_audit (system, &options, 2, NULL, &result, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < result.findings->len; i++)
    {
      g_autofree char *sentence = weir_audit_finding_to_string (
          &g_array_index (result.findings, WeirAuditFinding, i));

      g_test_message ("%s: %s: %s", k->name,
                      g_array_index (result.findings, WeirAuditFinding, i).code, sentence);
    }
  for (guint i = 0; i < result.n_errors; i++)
    {
      const WeirAuditFinding *finding = &g_array_index (result.findings, WeirAuditFinding, i);
      g_autofree char *text = weir_audit_finding_to_string (finding);

      g_assert_cmpstr (finding->path, ==, "bad"); /* nobody else is blamed */
      is_named |= g_strcmp0 (finding->code, k->code) == 0 && strstr (text, k->says) != NULL;
    }
  g_assert_true (k->code == NULL ? result.n_errors == 0 : is_named);
  weir_audit_result_clear (&result);
}

static void
check_verify (const Case *k)
{
  g_autoptr (WeirSystem) system = model_new (k);
  g_autoptr (GError) error = NULL;
  WeirSimulatorOptions options;
  WeirVerifyResult result;
  gboolean ok;

  begin ();
  weir_simulator_options_init (&options);
  ok = weir_verify (system, &options, 2, NULL, &result, &error);
  g_test_message ("%s: verify: %s", k->name,
                  !ok                ? error->message
                  : result.identical ? "identical"
                                     : result.faulty_entry);
  if (k->verified == SAME)
    g_assert_true (ok && result.identical);
  else if (k->verified == DIFFERENT)
    g_assert_true (ok && !result.identical);
  weir_verify_result_clear (&result);
}

static void
test_case (gconstpointer data)
{
  const Case *k = data;

  check_audit (k);
  if (k->verified != UNTRIED)
    check_verify (k);
}

static WeirStatus
with_late_memory (const WeirCalc *c, double *y)
{
  *y = weir_calc_input (c, U)[0] + (++hidden.n > 100000 ? 1 : 0);
  return WEIR_OK;
}

/* Memory that shows after 100 000 calls only: a short run is what it is said to be, and one that is
 * long enough to call so often finds it. */
static void
test_late_memory (void)
{
  static const Case late = { "late-memory", with_late_memory, ON_U, NULL, NULL, NULL, NULL, SAME };
  g_autoptr (WeirSystem) system = model_new (&late);
  g_autoptr (GError) error = NULL;
  WeirSimulatorOptions options;
  WeirVerifyResult result;

  test_case (&late);
  begin ();
  weir_simulator_options_init (&options);
  options.max_step = 2.0 / 40000; /* of seven calls each */
  weir_verify (system, &options, 2, NULL, &result, &error);
  g_assert_no_error (error);
  g_assert_false (result.identical);
  weir_verify_result_clear (&result);
}

static WeirStatus
always_nan (const WeirCalc *c, double *y)
{
  y[0] = u (c) / 0.0 * 0.0;
  return WEIR_OK;
}

static WeirStatus
pending (G_GNUC_UNUSED const WeirCalc *c, double *y)
{
  y[0] = 1;
  return WEIR_PENDING;
}

static WeirStatus
unknown_status (G_GNUC_UNUSED const WeirCalc *c, double *y)
{
  y[0] = 1;
  return (WeirStatus) 77;
}

#define NO_STATUS(status)                                                                          \
  "the calculation returned status " status ", which only event handlers and lazy calculations "   \
  "may"

static const struct {
  WeirCalcFunc y;
  const char *says;
} unrunnable[] = {
  { always_nan, "bad:y became not a number at t = 0 s (inputs: u = 0)" },
  { pending, NO_STATUS ("1") }, /* WEIR_PENDING */
  { unknown_status, NO_STATUS ("77") },
};

/* There is no run to look at: the one, the audit and verify end in the words of that block. */
static void
test_unrunnable (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (unrunnable); i++)
    {
      const Case k = { "unrunnable", unrunnable[i].y, ON_U, NULL, NULL, NULL, NULL, ANY };
      g_autoptr (WeirSystem) system = model_new (&k);
      g_autoptr (WeirContext) context = weir_system_create_context (system);
      g_autoptr (WeirSimulator) simulator = NULL;
      g_autoptr (GError) none = NULL, run = NULL, audit = NULL, verify = NULL;
      WeirSimulatorOptions options;
      WeirAuditResult audited;
      WeirVerifyResult verified;

      weir_simulator_options_init (&options);
      simulator = weir_simulator_new (system, context, &options, &none);
      g_assert_no_error (none);
      g_assert_false (weir_simulator_advance_to (simulator, 2, &run));
      g_assert_false (weir_audit (system, &options, 2, NULL, &audited, &audit));
      g_assert_false (weir_verify (system, &options, 2, NULL, &verified, &verify));
      g_test_message ("%s", run->message);
      g_assert_nonnull (strstr (run->message, unrunnable[i].says));
      g_assert_cmpstr (audit->message, ==, run->message);
      g_assert_cmpstr (verify->message, ==, run->message);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strdup_printf ("/analysis/planted-leaves/%s", cases[i].name);

      g_test_add_data_func (path, &cases[i], test_case);
    }
  g_test_add_func ("/analysis/planted-leaves/late-memory", test_late_memory);
  g_test_add_func ("/analysis/planted-leaves/unrunnable", test_unrunnable);
  return g_test_run ();
}

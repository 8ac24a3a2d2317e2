/* The audit finds every planted mistake, names the faulty entry and nobody else, and is silent on
 * honest models. */
#include "../seeds.h"
#include "analysis/audit.h"
#include "planted.h"

#include <gio/gio.h>

/* --- Helpers --------------------------------------------------------------------------------- */

static WeirAuditResult
audit (WeirSystem *system, double stop_time)
{
  WeirSimulatorOptions options = options_for ("rk4", 1e-6);
  g_autoptr (GError) error = NULL;
  WeirAuditResult result;

  options.step = 0.025;
  g_assert_true (weir_audit (system, &options, stop_time, NULL, &result, &error));
  g_assert_no_error (error);
  for (guint i = 0; i < result.findings->len; i++)
    {
      const WeirAuditFinding *finding = &g_array_index (result.findings, WeirAuditFinding, i);
      g_autofree char *text = weir_audit_finding_to_string (finding);

      g_test_message ("%s[%s]: %s: %s", weir_severity_to_string (finding->severity), finding->code,
                      finding->path, text);
    }
  return result;
}

static const WeirAuditFinding *
nth (const WeirAuditResult *result, guint i)
{
  g_assert_cmpuint (i, <, result->findings->len);
  return &g_array_index (result->findings, WeirAuditFinding, i);
}

/* The only error is of this kind, at this entry of this block. */
static const WeirAuditFinding *
assert_only_error (const WeirAuditResult *result, WeirAuditKind kind, const char *path,
                   const char *what)
{
  const WeirAuditFinding *finding = nth (result, 0);

  g_assert_cmpuint (result->n_errors, ==, 1);
  g_assert_cmpint (finding->kind, ==, kind);
  g_assert_cmpstr (finding->path, ==, path);
  g_assert_cmpstr (finding->what, ==, what);
  return finding;
}

/* A leaf "leaf" with input u (default 2), parameter k = 3, q = 0.5, v = 0.25 and one output y, two
 * levels down in diagrams. @get_depends: of y. */
typedef struct {
  WeirTicket u, k;
} Tickets;

static WeirSystem *
nest (WeirSystem *leaf)
{
  g_autoptr (WeirSystem) owned = leaf;
  g_autoptr (WeirSystem) inner = wrap_new ("leaf", leaf);

  return wrap_new ("inner", inner);
}

static WeirStatus
swing (const WeirCalc *c, double *xdot)
{
  xdot[0] = weir_calc_v (c)[0];
  xdot[1] = -weir_calc_q (c)[0];
  return WEIR_OK;
}

static WeirLeafBuilder *
begin_leaf (Tickets *tickets)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Leaf");
  WeirInput u = weir_leaf_add_input (b, "u", 1);
  WeirParameter k = weir_leaf_add_parameter (b, "k", (double[]) { 3 }, 1);

  weir_leaf_set_input_default (b, u, (double[]) { 2 });
  weir_leaf_set_continuous_state (b, 1, 1, 0, (double[]) { 0.5, 0.25 });
  weir_leaf_set_derivatives (b, swing, WEIR_DEPENDS (WEIR_Q, WEIR_V));
  *tickets = (Tickets) { weir_input_ticket (b, u), weir_parameter_ticket (b, k) };
  return b;
}

#define U(c) weir_calc_input (c, (WeirInput) { 0 })[0]
#define K(c) weir_calc_parameter (c, (WeirParameter) { 0 })[0]

/* --- Undeclared reads ------------------------------------------------------------------------ */

static WeirStatus
y_sum (const WeirCalc *c, double *out)
{
  out[0] = weir_calc_time (c) + K (c) * U (c);
  return WEIR_OK;
}

/* The counter-example is a true one: y = t + k u, with the values printed. */
static void
test_counter_example (void)
{
  Tickets tickets;
  WeirLeafBuilder *b = begin_leaf (&tickets);
  g_autoptr (WeirSystem) system = NULL;
  const WeirAuditFinding *finding;
  g_autofree char *text = NULL;
  WeirAuditResult result;
  double before, after, cached, recomputed;

  weir_leaf_add_output (b, "y", 1, y_sum, WEIR_DEPENDS (WEIR_TIME, tickets.u));
  system = nest (weir_leaf_builder_build (b));
  result = audit (system, 0.5);
  finding = assert_only_error (&result, WEIR_AUDIT_UNDECLARED, "inner.leaf", "output y");
  g_assert_cmpstr (finding->code, ==, "AUD01");
  g_assert_cmpstr (finding->ticket_name, ==, "parameter k");
  g_assert_cmpstr (finding->proposal, ==, "declare parameter k as a prerequisite of output y");
  g_assert_true (finding->is_observed);
  g_assert_true (finding->is_proven);
  g_assert_cmpstr (finding->source, ==, "inner.leaf: parameter k");
  before = g_ascii_strtod (finding->before, NULL);
  after = g_ascii_strtod (finding->after, NULL);
  cached = g_ascii_strtod (finding->cached, NULL);
  recomputed = g_ascii_strtod (finding->recomputed, NULL);
  g_assert_true (before == 3);
  g_assert_true (cached == finding->time + before * 2);
  g_assert_true (recomputed == finding->time + after * 2);
  g_assert_true (cached != recomputed);
  text = weir_audit_finding_to_string (finding);
  g_assert_true (
      g_str_has_prefix (text, "output y reads parameter k, which it does not declare (at t = 0, "
                              "inner.leaf: parameter k changed from 3 to "));
  weir_audit_result_clear (&result);
}

static WeirStatus
y_unimportant (const WeirCalc *c, double *out)
{
  out[0] = isinf (K (c)) ? 0 : U (c);
  return WEIR_OK;
}

/* Read, but without effect: still an error, not proven. */
static void
test_read_without_effect (void)
{
  Tickets tickets;
  WeirLeafBuilder *b = begin_leaf (&tickets);
  g_autoptr (WeirSystem) system = NULL;
  const WeirAuditFinding *finding;
  WeirAuditResult result;

  weir_leaf_add_output (b, "y", 1, y_unimportant, WEIR_DEPENDS (tickets.u));
  system = nest (weir_leaf_builder_build (b));
  result = audit (system, 0.2);
  finding = assert_only_error (&result, WEIR_AUDIT_UNDECLARED, "inner.leaf", "output y");
  g_assert_cmpstr (finding->ticket_name, ==, "parameter k");
  g_assert_true (finding->is_observed);
  g_assert_false (finding->is_proven);
  weir_audit_result_clear (&result);
}

static WeirStatus
y_branch (const WeirCalc *c, double *out)
{
  out[0] = U (c) < -1 ? weir_calc_accuracy (c) : U (c);
  return WEIR_OK;
}

/* A branch that the run never takes: the input is 2 throughout. */
static void
test_hidden_branch (void)
{
  Tickets tickets;
  WeirLeafBuilder *b = begin_leaf (&tickets);
  g_autoptr (WeirSystem) system = NULL;
  const WeirAuditFinding *finding;
  WeirAuditResult result;

  weir_leaf_add_output (b, "y", 1, y_branch, WEIR_DEPENDS (tickets.u));
  system = nest (weir_leaf_builder_build (b));
  result = audit (system, 0.2);
  finding = assert_only_error (&result, WEIR_AUDIT_UNDECLARED, "inner.leaf", "output y");
  g_assert_cmpstr (finding->ticket_name, ==, "accuracy");
  g_assert_true (finding->is_observed);
  g_assert_true (finding->is_varied);
  g_assert_true (finding->is_proven);
  weir_audit_result_clear (&result);
}

static WeirParameter gain;

static WeirStatus
abstract_gain (const WeirCalc *c, GVariant **out)
{
  *out = g_variant_new_double (2 * g_variant_get_double (weir_calc_abstract_parameter (c, gain)));
  return WEIR_OK;
}

/* Values that are no doubles, read and computed: 2 g from g = 1.5. */
static void
test_abstract (void)
{
  Tickets tickets;
  WeirLeafBuilder *b = begin_leaf (&tickets);
  g_autoptr (WeirSystem) system = NULL;
  const WeirAuditFinding *finding;
  WeirAuditResult result;

  gain = weir_leaf_add_abstract_parameter (b, "gain", g_variant_new_double (1.5));
  weir_leaf_add_abstract_output (b, "y", G_VARIANT_TYPE_DOUBLE, abstract_gain,
                                 WEIR_DEPENDS (WEIR_PN));
  system = nest (weir_leaf_builder_build (b));
  result = audit (system, 0.2);
  finding = assert_only_error (&result, WEIR_AUDIT_UNDECLARED, "inner.leaf", "output y");
  g_assert_true (finding->is_proven);
  g_assert_cmpstr (finding->before, ==, "1.5");
  g_assert_cmpstr (finding->cached, ==, "3.0");
  g_assert_true (g_ascii_strtod (finding->recomputed, NULL)
                 == 2 * g_ascii_strtod (finding->after, NULL));
  weir_audit_result_clear (&result);
}

static WeirStatus
energy_of_k (const WeirCalc *c, double *out)
{
  out[0] = K (c) * weir_calc_q (c)[0];
  return WEIR_OK;
}

/* Every energy ticket, of a leaf in nested diagrams whose sums stay innocent. */
static void
test_energies (void)
{
  static const struct {
    WeirTicket what;
    const char *name;
  } cases[] = {
    { { WEIR_TICKET_PE }, "potential energy" },
    { { WEIR_TICKET_KE }, "kinetic energy" },
    { { WEIR_TICKET_PC }, "conservative power" },
    { { WEIR_TICKET_PNC }, "non-conservative power" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      Tickets tickets;
      WeirLeafBuilder *b = begin_leaf (&tickets);
      g_autoptr (WeirSystem) system = NULL;
      WeirAuditResult result;

      weir_leaf_set_energy (b, cases[i].what, energy_of_k, WEIR_DEPENDS (WEIR_Q));
      system = nest (weir_leaf_builder_build (b));
      result = audit (system, 0.2);
      assert_only_error (&result, WEIR_AUDIT_UNDECLARED, "inner.leaf", cases[i].name);
      weir_audit_result_clear (&result);
    }
}

/* --- Reads that bypass the accessors --------------------------------------------------------- */

static const double *stash; /* what a careless calculation keeps for others */

static WeirStatus
y_stash (const WeirCalc *c, double *out)
{
  stash = weir_calc_parameter (c, (WeirParameter) { 0 });
  out[0] = *stash;
  return WEIR_OK;
}

static WeirStatus
y_hidden (const WeirCalc *c, double *out)
{
  out[0] = U (c) + (stash != NULL ? *stash : 0);
  return WEIR_OK;
}

static void
test_hidden_own (void)
{
  Tickets tickets;
  WeirLeafBuilder *b = begin_leaf (&tickets);
  g_autoptr (WeirSystem) system = NULL;
  const WeirAuditFinding *finding;
  WeirAuditResult result;
  WeirTicket first;

  stash = NULL;
  first = weir_cached_ticket (
      b, weir_leaf_add_cache_entry (b, "first", 1, y_stash, WEIR_DEPENDS (tickets.k)));
  weir_leaf_add_output_window (b, "seen", first);
  weir_leaf_add_output (b, "y", 1, y_hidden, WEIR_DEPENDS (tickets.u));
  system = nest (weir_leaf_builder_build (b));
  result = audit (system, 0.2);
  finding = assert_only_error (&result, WEIR_AUDIT_UNDECLARED, "inner.leaf", "output y");
  g_assert_cmpstr (finding->ticket_name, ==, "parameter k");
  g_assert_false (finding->is_observed);
  g_assert_true (finding->is_proven);
  weir_audit_result_clear (&result);
}

/* The same across blocks: one leaves a pointer to its parameter, another follows it. */
static void
test_hidden_foreign (void)
{
  WeirDiagramBuilder *d = weir_diagram_builder_new ();
  g_autoptr (WeirSystem) giver = NULL;
  g_autoptr (WeirSystem) taker = NULL;
  g_autoptr (WeirSystem) inner = NULL;
  g_autoptr (WeirSystem) system = NULL;
  const WeirAuditFinding *finding;
  WeirAuditResult result;
  WeirLeafBuilder *b;
  Tickets tickets;

  stash = NULL;
  b = begin_leaf (&tickets);
  weir_leaf_add_output (b, "y", 1, y_stash, WEIR_DEPENDS (tickets.k));
  giver = weir_leaf_builder_build (b);
  b = begin_leaf (&tickets);
  weir_leaf_add_output (b, "y", 1, y_hidden, WEIR_DEPENDS (tickets.u));
  taker = weir_leaf_builder_build (b);
  weir_diagram_builder_add (d, "giver", giver);
  weir_diagram_builder_add (d, "taker", taker);
  inner = weir_diagram_builder_build (d, NULL);
  system = wrap_new ("inner", inner);
  result = audit (system, 0.2);
  finding = assert_only_error (&result, WEIR_AUDIT_UNDECLARED, "inner.taker", "output y");
  g_assert_cmpstr (finding->ticket_name, ==, "inner.giver: parameter k");
  g_assert_true (finding->is_proven);
  weir_audit_result_clear (&result);
}

/* --- Memory and writing ---------------------------------------------------------------------- */

static double memory;

static WeirStatus
y_counting (const WeirCalc *c, double *out)
{
  out[0] = U (c) + memory++;
  return WEIR_OK;
}

static WeirStatus
y_difference (const WeirCalc *c, double *out)
{
  double u = U (c);

  if (u != 2)
    memory = u; /* remembers the last input that was unusual */
  out[0] = u + memory;
  return WEIR_OK;
}

static void
test_memory (void)
{
  static const WeirCalcFunc funcs[] = { y_counting, y_difference };

  for (guint i = 0; i < G_N_ELEMENTS (funcs); i++)
    {
      Tickets tickets;
      WeirLeafBuilder *b = begin_leaf (&tickets);
      g_autoptr (WeirSystem) system = NULL;
      const WeirAuditFinding *finding;
      WeirAuditResult result;

      memory = 0;
      weir_leaf_add_output (b, "y", 1, funcs[i], WEIR_DEPENDS (tickets.u));
      system = nest (weir_leaf_builder_build (b));
      result = audit (system, 0.2);
      finding = assert_only_error (&result, WEIR_AUDIT_KEEPS_MEMORY, "inner.leaf", "output y");
      g_assert_cmpstr (finding->code, ==, "AUD02");
      g_assert_cmpstr (finding->cached, !=, finding->recomputed);
      weir_audit_result_clear (&result);
    }
}

static WeirStatus
y_writing (const WeirCalc *c, double *out)
{
  double *k = (double *) weir_calc_parameter (c, (WeirParameter) { 0 });

  out[0] = *k;
  *k += 1;
  return WEIR_OK;
}

static WeirCached first_entry;

static WeirStatus
y_writing_cached (const WeirCalc *c, double *out)
{
  double *value = (double *) weir_calc_cached (c, first_entry);

  out[0] = *value;
  *value += 1;
  return WEIR_OK;
}

static WeirStatus
plain_k (const WeirCalc *c, double *out)
{
  out[0] = K (c);
  return WEIR_OK;
}

static void
test_writing (void)
{
  static const struct {
    WeirCalcFunc func;
    const char *written;
  } cases[] = { { y_writing, "parameter k" }, { y_writing_cached, "cache entry first" } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      Tickets tickets;
      WeirLeafBuilder *b = begin_leaf (&tickets);
      g_autoptr (WeirSystem) system = NULL;
      const WeirAuditFinding *finding;
      WeirAuditResult result;

      first_entry = weir_leaf_add_cache_entry (b, "first", 1, plain_k, WEIR_DEPENDS (tickets.k));
      weir_leaf_add_output (b, "y", 1, cases[i].func,
                            WEIR_DEPENDS (tickets.k, weir_cached_ticket (b, first_entry)));
      system = nest (weir_leaf_builder_build (b));
      result = audit (system, 0.2);
      finding = assert_only_error (&result, WEIR_AUDIT_WRITES_SOURCE, "inner.leaf", "output y");
      g_assert_cmpstr (finding->code, ==, "AUD03");
      g_assert_cmpstr (finding->ticket_name, ==, cases[i].written);
      weir_audit_result_clear (&result);
    }
}

/* --- Superfluous declarations ---------------------------------------------------------------- */

static WeirStatus
y_plain (const WeirCalc *c, double *out)
{
  out[0] = U (c);
  return WEIR_OK;
}

static WeirStatus
y_of_q (const WeirCalc *c, double *out)
{
  out[0] = weir_calc_xc (c)[0];
  return WEIR_OK;
}

static void
test_superfluous (void)
{
  Tickets tickets;
  WeirLeafBuilder *b = begin_leaf (&tickets);
  g_autoptr (WeirSystem) leaf = NULL;
  g_autoptr (WeirSystem) counter = counter_new (0.1, 0);
  g_autoptr (WeirSystem) system = NULL;
  WeirDiagramBuilder *d = weir_diagram_builder_new ();
  const WeirAuditFinding *of_time, *of_v;
  WeirAuditResult result;
  g_autofree char *text = NULL;

  weir_leaf_add_output (b, "y", 1, y_plain, WEIR_DEPENDS (WEIR_TIME, tickets.u));
  weir_leaf_add_output (b, "z", 1, y_of_q, WEIR_DEPENDS (WEIR_XC));
  weir_leaf_add_output (b, "w", 1, y_branch, WEIR_DEPENDS (WEIR_ACCURACY, tickets.u));
  leaf = weir_leaf_builder_build (b);
  weir_diagram_builder_add (d, "counter", counter);
  weir_diagram_builder_add (d, "leaf", leaf);
  weir_diagram_builder_connect_by_name (d, "counter", "Sn", "leaf", "u");
  system = weir_diagram_builder_build (d, NULL);
  result = audit (system, 0.5);
  g_assert_cmpuint (result.n_errors, ==, 0);
  g_assert_cmpuint (result.n_hints, ==, 2); /* none for w: another branch reads accuracy */
  of_time = nth (&result, 0);
  of_v = nth (&result, 1);
  if (g_str_equal (of_time->what, "output z"))
    of_time = nth (&result, 1), of_v = nth (&result, 0);
  g_assert_cmpint (of_time->severity, ==, WEIR_SEVERITY_HINT);
  g_assert_cmpstr (of_time->code, ==, "AUD04");
  g_assert_cmpstr (of_time->path, ==, "leaf");
  g_assert_cmpstr (of_time->what, ==, "output y");
  g_assert_cmpstr (of_time->ticket_name, ==, "time");
  g_assert_cmpstr (of_time->proposal, ==, "leave time out of the prerequisites of output y");
  /* Looked at after each of 20 steps, all of them between counts or before the count of
   * that time. */
  g_assert_cmpuint (of_time->cost, ==, 20);
  /* q and v always change together. */
  g_assert_cmpuint (of_v->cost, ==, 0);
  g_assert_cmpstr (of_v->what, ==, "output z");
  g_assert_cmpstr (of_v->ticket_name, ==, "xc");
  g_assert_cmpstr (of_v->proposal, ==, "declare q instead of xc");
  text = weir_audit_result_to_string (&result);
  g_assert_true (g_str_has_prefix (text, "declarations hold, 2 hints; "));
  weir_audit_result_clear (&result);
}

/* --- Random models --------------------------------------------------------------------------- */

#define N_LEAVES 3
static const char *const source_names[N_SOURCES] = {
  "time", "q", "v", "z", "discrete state x", "input u", "cache entry inner"
};
static const char *const entry_names[N_ENTRIES] = { "cache entry inner", "output y",
                                                    "time derivatives" };

/* Does the rest of the declaration reach whatever the omitted source stands for? */
static gboolean
is_omission (const Plant *plant)
{
  guint32 inner = plant->reads.reads[ENTRY_CACHED];
  guint32 rest = plant->reads.reads[plant->entry] & ~(1u << plant->source);

  if (rest & (1u << SOURCE_CACHED))
    rest |= inner;
  return plant->source == SOURCE_CACHED ? (inner & ~rest) != 0 : !(rest & (1u << plant->source));
}

static guint32
closure (const Plant *plant, guint32 declared)
{
  return declared | (declared & (1u << SOURCE_CACHED) ? plant->reads.reads[ENTRY_CACHED] : 0);
}

static gboolean
follows_time (const Plant *plants, guint i)
{
  guint32 declared = closure (&plants[i], plants[i].reads.reads[ENTRY_OUTPUT]);

  return (declared & (1u << SOURCE_TIME))
         || ((declared & (1u << SOURCE_INPUT)) && i > 0 && follows_time (plants, i - 1));
}

/* Can the omission leave a wrong value in this diagram? Not where all that is missing is time, and
 * the declared input changes with time too. */
static gboolean
is_provable (const Plant *plants, guint guilty)
{
  const Plant *plant = &plants[guilty];
  guint32 rest = closure (plant, plant->reads.reads[plant->entry] & ~(1u << plant->source));
  guint32 missing = plant->source == SOURCE_CACHED ? plant->reads.reads[ENTRY_CACHED] & ~rest
                                                   : 1u << plant->source;

  return missing != 1u << SOURCE_TIME || !(rest & (1u << SOURCE_INPUT)) || guilty == 0
         || !follows_time (plants, guilty - 1);
}

/* Leaves in a chain behind a counter, @depth diagrams deep; @guilty: the one that omits,
 * or none. */
static WeirSystem *
random_model_new (const Plant *plants, guint guilty, guint depth)
{
  WeirDiagramBuilder *b = weir_diagram_builder_new ();
  g_autoptr (WeirSystem) counter = counter_new (0.1, 0);
  g_autoptr (GError) error = NULL;
  WeirSystem *system;

  weir_diagram_builder_add (b, "driver", counter);
  for (guint i = 0; i < N_LEAVES; i++)
    {
      g_autoptr (WeirSystem) leaf = planted_leaf_new (&plants[i], i == guilty);
      g_autofree char *name = g_strdup_printf ("leaf%u", i);
      g_autofree char *before = g_strdup_printf ("leaf%u", i - 1);

      weir_diagram_builder_add (b, name, leaf);
      weir_diagram_builder_connect_by_name (b, i == 0 ? "driver" : before, i == 0 ? "Sn" : "y",
                                            name, "u");
    }
  system = weir_diagram_builder_build (b, &error);
  g_assert_no_error (error);
  for (guint d = 0; d < depth; d++)
    {
      g_autoptr (WeirSystem) inner = system;

      system = wrap_new ("in", inner);
    }
  return system;
}

static void
test_random_honest (void)
{
  get_test_seed (72);
  for (guint n = 0; n < 200; n++)
    {
      g_autoptr (WeirSystem) system = NULL;
      Plant plants[N_LEAVES];
      WeirAuditResult result;

      for (guint i = 0; i < N_LEAVES; i++)
        random_plant (&plants[i]);
      system = random_model_new (plants, N_LEAVES, n % 4);
      result = audit (system, 0.2);
      g_assert_cmpuint (result.findings->len, ==, 0); /* they read all that they declare */
      g_assert_true (result.is_exhaustive);
      weir_audit_result_clear (&result);
    }
}

static void
test_random_omissions (void)
{
  guint n_found[N_ENTRIES] = { 0 }, n_proven = 0;

  get_test_seed (73);
  for (guint n = 0; n < 100; n++)
    {
      guint guilty = (guint) g_rand_int_range (test_rand, 0, N_LEAVES), depth = n % 4;
      g_autoptr (GString) path = g_string_new (NULL);
      g_autoptr (WeirSystem) system = NULL;
      const WeirAuditFinding *finding;
      Plant plants[N_LEAVES];
      WeirAuditResult result;

      for (guint i = 0; i < N_LEAVES; i++)
        do
          random_plant (&plants[i]);
        while (!is_omission (&plants[i]));
      system = random_model_new (plants, guilty, depth);
      for (guint d = 0; d < depth; d++)
        g_string_append (path, "in.");
      g_string_append_printf (path, "leaf%u", guilty);
      result = audit (system, 0.2);
      finding = assert_only_error (&result, WEIR_AUDIT_UNDECLARED, path->str,
                                   entry_names[plants[guilty].entry]);
      g_assert_cmpstr (finding->ticket_name, ==, source_names[plants[guilty].source]);
      g_assert_cmpint (finding->is_proven, ==, is_provable (plants, guilty));
      n_proven += finding->is_proven;
      n_found[plants[guilty].entry]++;
      weir_audit_result_clear (&result);
    }
  g_test_message ("found %u in cache entries, %u in outputs, %u in derivatives; proved %u",
                  n_found[0], n_found[1], n_found[2], n_proven);
  g_assert_cmpuint (n_proven, >, 80);
  for (guint e = 0; e < N_ENTRIES; e++)
    g_assert_cmpuint (n_found[e], >, 5);
}

/* --- Failing --------------------------------------------------------------------------------- */

static void
test_failing_run (void)
{
  g_autoptr (WeirSystem) leaf = ending_new ();
  g_autoptr (WeirSystem) system = wrap_new ("tank", leaf);
  WeirSimulatorOptions options = options_for ("auto", 1e-6);
  g_autoptr (GError) error = NULL;
  WeirAuditResult result;

  g_assert_false (weir_audit (system, &options, 2, NULL, &result, &error));
  g_assert_nonnull (strstr (error->message, "tank"));
}

/* Options that results are drawn with show the monitor more than the steps' ends. */
static void
test_gap (void)
{
  g_autoptr (WeirSystem) system = driven_new (0.1);
  WeirSimulatorOptions options = options_for ("auto", 1e-6);
  g_autoptr (GError) error = NULL;
  WeirAuditResult result;

  options.record_gap = 1e-3;
  g_assert_true (weir_audit (system, &options, 2, NULL, &result, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (result.n_errors, ==, 0);
  weir_audit_result_clear (&result);
}

static void
test_cancel (void)
{
  g_autoptr (WeirSystem) system = driven_new (0.1);
  WeirSimulatorOptions options = options_for ("auto", 1e-6);
  g_autoptr (GError) error = NULL;
  WeirAuditResult result;
  gint cancel = 1;

  g_assert_false (weir_audit (system, &options, 2, &cancel, &result, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/analysis/audit/counter-example", test_counter_example);
  g_test_add_func ("/analysis/audit/read-without-effect", test_read_without_effect);
  g_test_add_func ("/analysis/audit/hidden-branch", test_hidden_branch);
  g_test_add_func ("/analysis/audit/abstract", test_abstract);
  g_test_add_func ("/analysis/audit/energies", test_energies);
  g_test_add_func ("/analysis/audit/hidden-own", test_hidden_own);
  g_test_add_func ("/analysis/audit/hidden-foreign", test_hidden_foreign);
  g_test_add_func ("/analysis/audit/memory", test_memory);
  g_test_add_func ("/analysis/audit/writing", test_writing);
  g_test_add_func ("/analysis/audit/superfluous", test_superfluous);
  g_test_add_func ("/analysis/audit/random-honest", test_random_honest);
  g_test_add_func ("/analysis/audit/random-omissions", test_random_omissions);
  g_test_add_func ("/analysis/audit/failing-run", test_failing_run);
  g_test_add_func ("/analysis/audit/cancel", test_cancel);
  g_test_add_func ("/analysis/audit/gap", test_gap);
  return g_test_run ();
}

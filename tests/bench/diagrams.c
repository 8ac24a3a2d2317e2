/* The diagrams that are measured. See diagrams.h. Compiled with -O3, as the library's
 * blocks are. */
#include "diagrams.h"
#include "blocks/library/registry.h"

#include <math.h>

#include "reference/mixed.h"
#include "system/structure/diagram.h"
#include "system/evaluation/event.h"
#include "system/evaluation/calc.h"
#include "system/structure/leaf.h"

/* --- Blocks ---------------------------------------------------------------------------------- */

WEIR_KERNEL_2 (multiply, a, b, a *b)
WEIR_KERNEL_2 (add, a, b, a + b)
WEIR_KERNEL_2 (subtract, a, b, a - b)
WEIR_KERNEL_3 (add_three, a, b, c, a + b + c)
WEIR_KERNEL_3 (laplacian, left, twice, right, left - twice + right)
WEIR_KERNEL_5 (spring_force, left, own, again, right, damping, left - own - again + right - damping)

WEIR_KERNEL_2 (bias, k, u, k + u)
WEIR_KERNEL_1 (negate, u, -u)
WEIR_KERNEL_1 (magnitude, u, fabs (u))
WEIR_KERNEL_1 (bell, u, u / (1 + u * u))
WEIR_KERNEL_1 (saturate, u, (u < -1 ? -1 : u) > 1 ? 1 : (u < -1 ? -1 : u))
WEIR_KERNEL_1 (shrink, u,
               u - ((u < -0.125 ? -0.125 : u) > 0.125 ? 0.125 : (u < -0.125 ? -0.125 : u)))
WEIR_KERNEL_2 (average, a, b, 0.5 * (a + b))
WEIR_KERNEL_2 (smaller, a, b, a < b ? a : b)
WEIR_KERNEL_2 (larger, a, b, a > b ? a : b)

/* y = f (k, u), or y = f (k, t) */
static WeirSystem *
tunable_new (const char *kind, WeirKernel kernel, double k, gboolean of_time)
{
  WeirLeafBuilder *b = weir_leaf_builder_new (kind);
  WeirParameter p = weir_leaf_add_parameter (b, "k", &k, 1);
  WeirTicket u = of_time ? WEIR_TIME : weir_input_ticket (b, weir_leaf_add_input (b, "u", 1));

  weir_leaf_add_output_kernel (b, "y", 1, kernel, 0,
                               WEIR_DEPENDS (weir_parameter_ticket (b, p), u));
  return weir_leaf_builder_build (b);
}

static WeirSystem *
gain_new (double k, gboolean of_time)
{
  return tunable_new (of_time ? "Ramp" : "Gain", multiply, k, of_time);
}

/* A function of @n_in inputs, computed by @kernel. */
static WeirSystem *
function_new (const char *kind, WeirKernel kernel, guint n_in)
{
  static const char *const names[] = { "u0", "u1", "u2", "u3", "u4" };
  WeirLeafBuilder *b = weir_leaf_builder_new (kind);
  WeirTicket operands[G_N_ELEMENTS (names) + 1];

  for (guint i = 0; i < n_in; i++)
    operands[i] = weir_input_ticket (b, weir_leaf_add_input (b, names[i], 1));
  operands[n_in].i = WEIR_TICKET_END;
  weir_leaf_add_output_kernel (b, "y", 1, kernel, 0, operands);
  return weir_leaf_builder_build (b);
}

/* x' = u, y = x */
static WeirSystem *
integrator_new (double x0)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Integrator");
  WeirInput u = weir_leaf_add_input (b, "u", 1);

  weir_leaf_set_continuous_state (b, 0, 0, 1, &x0);
  weir_leaf_set_derivatives_kernel (b, weir_kernel_copy, 0,
                                    WEIR_DEPENDS (weir_input_ticket (b, u)));
  weir_leaf_add_output_window (b, "y", WEIR_Z);
  return weir_leaf_builder_build (b);
}

static WeirSystem *
constant_new (double value)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Constant");
  WeirParameter p = weir_leaf_add_parameter (b, "value", &value, 1);

  weir_leaf_add_output_window (b, "y", weir_parameter_ticket (b, p));
  return weir_leaf_builder_build (b);
}

/* --- Composing ------------------------------------------------------------------------------- */

/* Adds @system under a name made of @prefix and @i; takes the reference. */
static WeirChild
add_child (WeirDiagramBuilder *b, const char *prefix, guint32 i, WeirSystem *system)
{
  char name[32];
  WeirChild child;

  g_snprintf (name, sizeof name, "%s%u", prefix, i);
  child = weir_diagram_builder_add (b, name, system);
  weir_system_unref (system);
  return child;
}

static void
connect (WeirDiagramBuilder *b, WeirChild from, WeirChild to, guint16 in)
{
  weir_diagram_builder_connect (b, from, (WeirOutput) { 0 }, to, (WeirInput) { in });
}

static WeirSystem *
build (WeirDiagramBuilder *b)
{
  g_autoptr (GError) error = NULL;
  WeirSystem *system = weir_diagram_builder_build (b, &error);

  if (system == NULL)
    g_error ("%s", error->message);
  return system;
}

/* --- Graphs ---------------------------------------------------------------------------------- */

BenchGraph *
bench_graph_new (BenchGraphKind kind, guint32 n)
{
  BenchGraph *self = g_new0 (BenchGraph, 1);
  g_autoptr (GRand) rand = g_rand_new_with_seed (20);
  guint32 width = 1, at = 0;

  while ((width + 1) * (width + 1) <= n)
    width++;
  self->n = kind == BENCH_GRID ? width * width : n;
  self->first = g_new (guint32, self->n + 1);
  self->ups = g_new (guint32, 3 * (gsize) self->n);
  for (guint32 i = 0; i < self->n; i++)
    {
      self->first[i] = at;
      switch (kind)
        {
        case BENCH_FOREST:
          if (i % 1000 > 0)
            self->ups[at++] = i - i % 1000 + (i % 1000 - 1) / 2;
          break;
        case BENCH_SERIES:
          if (i > 0)
            self->ups[at++] = i - 1;
          break;
        case BENCH_GRID:
          if (i >= width)
            self->ups[at++] = i - width;
          if (i % width > 0)
            self->ups[at++] = i - 1;
          break;
        case BENCH_RANDOM:
        default:
          for (gint k = i > 10 ? g_rand_int_range (rand, 1, 4) : 0; k > 0; k--)
            self->ups[at++] = (guint32) g_rand_int_range (rand, 0, (gint32) i);
          break;
        }
    }
  self->first[self->n] = at;
  return self;
}

void
bench_graph_free (BenchGraph *self)
{
  g_free (self->first);
  g_free (self->ups);
  g_free (self);
}

WeirSystem *
bench_graph_system_new (const BenchGraph *graph)
{
  WeirDiagramBuilder *b = weir_diagram_builder_new ();
  WeirSystem *blocks[] = { gain_new (1.25, TRUE), gain_new (0.75, FALSE),
                           function_new ("Sum", add, 2), function_new ("Sum", add_three, 3) };

  for (guint32 i = 0; i < graph->n; i++)
    {
      WeirSystem *block = blocks[graph->first[i + 1] - graph->first[i]];

      add_child (b, "b", i, weir_system_ref (block));
      for (guint32 k = graph->first[i]; k < graph->first[i + 1]; k++)
        connect (b, (WeirChild) { graph->ups[k] }, (WeirChild) { i },
                 (guint16) (k - graph->first[i]));
    }
  for (guint k = 0; k < G_N_ELEMENTS (blocks); k++)
    weir_system_unref (blocks[k]);
  return build (b);
}

/* --- Models ---------------------------------------------------------------------------------- */

WeirSystem *
bench_van_der_pol_new (double mu)
{
  WeirDiagramBuilder *b = weir_diagram_builder_new ();
  WeirChild x = add_child (b, "x", 0, integrator_new (2));
  WeirChild v = add_child (b, "v", 0, integrator_new (0));
  WeirChild one = add_child (b, "one", 0, constant_new (1));
  WeirChild square = add_child (b, "square", 0, function_new ("Product", multiply, 2));
  WeirChild rest = add_child (b, "rest", 0, function_new ("Difference", subtract, 2));
  WeirChild damping = add_child (b, "damping", 0, function_new ("Product", multiply, 2));
  WeirChild gain = add_child (b, "mu", 0, gain_new (mu, FALSE));
  WeirChild force = add_child (b, "force", 0, function_new ("Difference", subtract, 2));

  connect (b, v, x, 0);
  connect (b, x, square, 0);
  connect (b, x, square, 1);
  connect (b, one, rest, 0);
  connect (b, square, rest, 1);
  connect (b, rest, damping, 0);
  connect (b, v, damping, 1);
  connect (b, damping, gain, 0);
  connect (b, gain, force, 0);
  connect (b, x, force, 1);
  connect (b, force, v, 0);
  return build (b);
}

WeirSystem *
bench_chain_new (guint32 n, const double *k, const double *c)
{
  enum { P, V, K, C, SUM, N_BLOCKS };
  WeirDiagramBuilder *b = weir_diagram_builder_new ();

  for (guint32 i = 0; i < n; i++)
    {
      add_child (b, "p", i, integrator_new (0));
      add_child (b, "v", i, integrator_new (0));
      add_child (b, "k", i, gain_new (k[i], FALSE));
      add_child (b, "c", i, gain_new (c[i], FALSE));
      add_child (b, "sum", i, function_new ("Sum", spring_force, 5));
    }
#define BLOCK(i, kind) ((WeirChild) { (i) *N_BLOCKS + (kind) })
  for (guint32 i = 0; i < n; i++)
    {
      guint32 left = i > 0 ? i - 1 : i, right = i + 1 < n ? i + 1 : i;

      connect (b, BLOCK (i, V), BLOCK (i, P), 0);
      connect (b, BLOCK (i, SUM), BLOCK (i, V), 0);
      connect (b, BLOCK (i, P), BLOCK (i, K), 0);
      connect (b, BLOCK (i, V), BLOCK (i, C), 0);
      connect (b, BLOCK (left, K), BLOCK (i, SUM), 0);
      connect (b, BLOCK (i, K), BLOCK (i, SUM), 1);
      connect (b, BLOCK (i, K), BLOCK (i, SUM), 2);
      connect (b, BLOCK (right, K), BLOCK (i, SUM), 3);
      connect (b, BLOCK (i, C), BLOCK (i, SUM), 4);
    }
#undef BLOCK
  return build (b);
}

WeirSystem *
bench_rod_new (guint32 n)
{
  enum { X, TWICE, SUM, K, N_BLOCKS };
  WeirDiagramBuilder *b = weir_diagram_builder_new ();
  WeirSystem *sum = function_new ("Laplacian", laplacian, 3);
  WeirSystem *twice = gain_new (2, FALSE), *k = gain_new ((n + 1.0) * (n + 1.0), FALSE);
  WeirChild end;

  for (guint32 i = 0; i < n; i++)
    {
      add_child (b, "x", i, integrator_new (sin (G_PI * (i + 1.0) / (n + 1.0)) + (i % 7 == 0)));
      add_child (b, "twice", i, weir_system_ref (twice));
      add_child (b, "sum", i, weir_system_ref (sum));
      add_child (b, "k", i, weir_system_ref (k));
    }
  end = add_child (b, "end", 0, constant_new (0));
#define BLOCK(i, kind) ((WeirChild) { (i) *N_BLOCKS + (kind) })
  for (guint32 i = 0; i < n; i++)
    {
      connect (b, BLOCK (i, X), BLOCK (i, TWICE), 0);
      connect (b, i > 0 ? BLOCK (i - 1, X) : end, BLOCK (i, SUM), 0);
      connect (b, BLOCK (i, TWICE), BLOCK (i, SUM), 1);
      connect (b, i + 1 < n ? BLOCK (i + 1, X) : end, BLOCK (i, SUM), 2);
      connect (b, BLOCK (i, SUM), BLOCK (i, K), 0);
      connect (b, BLOCK (i, K), BLOCK (i, X), 0);
    }
#undef BLOCK
  weir_system_unref (sum);
  weir_system_unref (twice);
  weir_system_unref (k);
  return build (b);
}

static const char *
get_text (const char *parameter, gpointer data)
{
  return g_str_equal (parameter, "equations") ? data : NULL;
}

WeirSystem *
bench_rod_of_equations_new (guint32 n)
{
  g_autoptr (GString) text = g_string_new ("output x00000\n");
  g_autoptr (WeirArguments) arguments = NULL;
  g_autoptr (GError) error = NULL;
  WeirSystem *rod = NULL;

  /* States are in the order of their names. */
  for (guint32 i = 0; i < n; i++)
    {
      g_autofree char *left = i > 0 ? g_strdup_printf ("x%05u", i - 1) : g_strdup ("0");
      g_autofree char *right = i + 1 < n ? g_strdup_printf ("x%05u", i + 1) : g_strdup ("0");

      g_string_append_printf (text, "initial x%05u = %.17g\nD(x%05u) ~ %.17g*(%s - 2*x%05u + %s)\n",
                              i, sin (G_PI * (i + 1.0) / (n + 1.0)) + (i % 7 == 0), i,
                              (n + 1.0) * (n + 1.0), left, i, right);
    }
  arguments = weir_arguments_new (weir_registry_find ("Equations"), get_text, text->str, &error);
  if (arguments != NULL)
    rod = weir_arguments_get_type (arguments)->build (arguments, NULL, &error);
  if (rod == NULL)
    g_error ("%s", error->message);
  return rod;
}

WeirSystem *
bench_mixed_new (const ReferenceMixed *mixed)
{
  /* In the order of make-mixed; the first two have a parameter. */
  static const struct {
    const char *name;
    WeirKernel kernel;
    guint n_in;
  } kinds[] = {
    { "Gain", multiply, 1 },     { "Bias", bias, 1 },
    { "Negate", negate, 1 },     { "Magnitude", magnitude, 1 },
    { "Bell", bell, 1 },         { "Saturate", saturate, 1 },
    { "Shrink", shrink, 1 },     { "Add", add, 2 },
    { "Subtract", subtract, 2 }, { "Multiply", multiply, 2 },
    { "Average", average, 2 },   { "Smaller", smaller, 2 },
    { "Larger", larger, 2 },     { "AddThree", add_three, 3 },
  };
  WeirDiagramBuilder *b = weir_diagram_builder_new ();

  for (guint32 i = 0; i < mixed->n_states; i++)
    add_child (b, "x", i, integrator_new (0));
  for (guint32 i = 0; i < mixed->n_blocks; i++)
    {
      const ReferenceMixedBlock *block = &mixed->blocks[i];
      guint kind = block->kind;

      add_child (b, "b", i,
                 kind < 2 ? tunable_new (kinds[kind].name, kinds[kind].kernel, block->k, FALSE)
                          : function_new (kinds[kind].name, kinds[kind].kernel, kinds[kind].n_in));
      for (guint16 k = 0; k < kinds[kind].n_in; k++)
        connect (b, (WeirChild) { block->inputs[k] }, (WeirChild) { mixed->n_states + i }, k);
    }
  for (guint32 i = 0; i < mixed->n_states; i++)
    connect (b, (WeirChild) { mixed->reads[i] }, (WeirChild) { i }, 0);
  return build (b);
}

/* y = 1 - u as it was at the last sample */
static WeirStatus
sample (const WeirCalc *c, G_GNUC_UNUSED gint64 n, double *next)
{
  next[0] = 1 - weir_calc_input (c, (WeirInput) { 0 })[0];
  return WEIR_OK;
}

WeirSystem *
bench_sampled_new (double period)
{
  WeirDiagramBuilder *b = weir_diagram_builder_new ();
  WeirLeafBuilder *l = weir_leaf_builder_new ("Controller");
  WeirGroup held;
  WeirChild x, rate, controller;

  weir_leaf_add_input (l, "u", 1);
  held = weir_leaf_add_discrete_state (l, "held", (double[]) { 0 }, 1);
  weir_leaf_add_periodic_update (l, held, period, 0, sample);
  weir_leaf_add_output_window (l, "y", weir_group_ticket (l, held));
  controller = add_child (b, "controller", 0, weir_leaf_builder_build (l));
  x = add_child (b, "x", 0, integrator_new (0));
  rate = add_child (b, "rate", 0, function_new ("Difference", subtract, 2));
  connect (b, x, controller, 0);
  connect (b, controller, rate, 0);
  connect (b, x, rate, 1);
  connect (b, rate, x, 0);
  return build (b);
}

WeirSystem *
bench_refresh_new (guint32 n, gboolean grouped, guint32 *child)
{
  enum { N_GROUPS = 100 };
  WeirDiagramBuilder *b = weir_diagram_builder_new ();
  WeirSystem *gain = gain_new (0.75, FALSE), *integrator = integrator_new (0);
  guint32 per_group = n / N_GROUPS;

  for (guint32 g = 0; g < N_GROUPS; g++)
    add_child (b, "one", g, constant_new (1));
  for (guint32 i = 0; i < n; i++)
    {
      WeirChild from = { i % N_GROUPS }, own = add_child (b, "k", i, weir_system_ref (gain));

      if (grouped)
        from.i = i % per_group == 0 ? i / per_group : N_GROUPS + i - i % per_group;
      connect (b, from, own, 0);
    }
  for (guint32 i = 0; i < n; i++)
    connect (b, (WeirChild) { N_GROUPS + i }, add_child (b, "x", i, weir_system_ref (integrator)),
             0);
  *child = grouped ? N_GROUPS + 50 * per_group : 50;
  weir_system_unref (gain);
  weir_system_unref (integrator);
  return build (b);
}

/* Blocks and diagrams for the tests of algebraic loops. */
#pragma once

#include "blocks.h"
#include "system/layout/layout-private.h"
#include "system/evaluation/loop.h"

#include <math.h>
#include <string.h>

/* --- Blocks ---------------------------------------------------------------------------------- */

/* y = c + sum of k_i u_i; parameter k = { c, k_1, ... }. */
static WeirStatus
mix_calc (const WeirCalc *c, double *y)
{
  WeirParameter p = { 0 };
  const double *k = weir_calc_parameter (c, p);
  guint n = weir_calc_parameter_size (c, p);

  *y = k[0];
  for (guint i = 1; i < n; i++)
    *y += k[i] * weir_calc_input (c, (WeirInput) { (guint16) (i - 1) })[0];
  return WEIR_OK;
}

static inline WeirSystem *
mix_new (const double *k, guint n_inputs)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Mix");

  for (guint i = 0; i < n_inputs; i++)
    {
      g_autofree char *name = g_strdup_printf ("u%u", i);

      weir_leaf_add_input (b, name, 1);
    }
  weir_leaf_add_parameter (b, "k", k, n_inputs + 1);
  weir_leaf_add_output (b, "y", 1, mix_calc, NULL);
  return weir_leaf_builder_build (b);
}

#define FUNCTION(name, expression)                                                                 \
  static WeirStatus name##_calc (const WeirCalc *c, double *y)                                     \
  {                                                                                                \
    double u = weir_calc_input (c, (WeirInput) { 0 })[0];                                          \
                                                                                                   \
    *y = (expression);                                                                             \
    return WEIR_OK;                                                                                \
  }                                                                                                \
  static inline WeirSystem *name##_new (void)                                                      \
  {                                                                                                \
    WeirLeafBuilder *b = weir_leaf_builder_new (#name);                                            \
    WeirInput u = weir_leaf_add_input (b, "u", 1);                                                 \
                                                                                                   \
    weir_leaf_add_output (b, "y", 1, name##_calc, WEIR_DEPENDS (weir_input_ticket (b, u)));        \
    return weir_leaf_builder_build (b);                                                            \
  }

FUNCTION (cosine, cos (u))
FUNCTION (half_inverse, 0.5 * u + 1 / u)
FUNCTION (square_plus_one, u *u + 1)
FUNCTION (square_minus_two, u *u - 2)
FUNCTION (square, u *u)

/* y = u < 0 ? -1 - 0.5 u : 1 + 0.25 u, computed lazily like a switch. */
static WeirStatus
branch_calc (const WeirCalc *c, double *y)
{
  double u;

  if (!weir_calc_demand (c, (WeirInput) { 0 }))
    return WEIR_PENDING;
  u = weir_calc_input (c, (WeirInput) { 0 })[0];
  *y = u < 0 ? -1 - 0.5 * u : 1 + 0.25 * u;
  return WEIR_OK;
}

static inline WeirSystem *
branch_new (void)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Branch");
  WeirInput u = weir_leaf_add_input (b, "u", 1);
  WeirOutput y = weir_leaf_add_output (b, "y", 1, branch_calc,
                                       WEIR_DEPENDS (weir_input_ticket (b, u)));

  weir_leaf_set_lazy (b, weir_output_ticket (b, y));
  return weir_leaf_builder_build (b);
}

/* x' = u, y = x. */
static WeirStatus
integrator_xcdot (const WeirCalc *c, double *xdot)
{
  xdot[0] = weir_calc_input (c, (WeirInput) { 0 })[0];
  return WEIR_OK;
}

static inline WeirSystem *
integrator_new (double x)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Integrator");
  WeirInput u = weir_leaf_add_input (b, "u", 1);

  weir_leaf_set_continuous_state (b, 0, 0, 1, &x);
  weir_leaf_set_derivatives (b, integrator_xcdot, WEIR_DEPENDS (weir_input_ticket (b, u)));
  weir_leaf_add_output_window (b, "y", WEIR_Z);
  return weir_leaf_builder_build (b);
}

/* --- Diagrams -------------------------------------------------------------------------------- */

static inline WeirDiagramBuilder *
solving_builder_new (void)
{
  WeirDiagramBuilder *b = weir_diagram_builder_new ();

  weir_diagram_builder_set_solves_loops (b, TRUE);
  return b;
}

static inline void
add (WeirDiagramBuilder *b, const char *name, WeirSystem *system)
{
  weir_diagram_builder_add (b, name, system);
  weir_system_unref (system);
}

#define connect(b, from, to, in) weir_diagram_builder_connect_by_name (b, from, "y", to, in)

static inline WeirSystem *
build (WeirDiagramBuilder *b)
{
  g_autoptr (GError) error = NULL;
  WeirSystem *system = weir_diagram_builder_build (b, &error);

  g_assert_no_error (error);
  return system;
}

/* One block whose output is its input. */
static inline WeirSystem *
self_loop_new (WeirSystem *system, const char *in)
{
  WeirDiagramBuilder *b = solving_builder_new ();

  add (b, "f", system);
  connect (b, "f", "f", in);
  return build (b);
}

static inline const double *
eval (WeirSystem *root, WeirContext *context, const char *path)
{
  WeirNode node;
  WeirOutput out;

  g_assert_true (weir_layout_find_node (weir_system_get_layout (root), path, &node));
  g_assert_true (weir_layout_find_output (weir_system_get_layout (root), node, "y", &out));
  return weir_eval_output (root, context, node, out);
}

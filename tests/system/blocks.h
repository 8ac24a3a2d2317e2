/* Small leaf systems for the tests of engine/system, and diagrams made of them. */
#pragma once

#include <math.h>

#include "system/context/context.h"
#include "system/structure/diagram.h"
#include "system/evaluation/eval.h"
#include "system/evaluation/eval.h"
#include "system/evaluation/event.h"
#include "system/evaluation/calc.h"
#include "system/structure/leaf.h"
#include "system/structure/system.h"

WEIR_KERNEL_2 (test_gain_kernel, k, u, k *u)
WEIR_KERNEL_2 (test_add_kernel, a, b, a + b)

/* y = k u */
static inline WeirSystem *
test_gain_new (double k)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Gain");
  WeirInput u = weir_leaf_add_input (b, "u", 1);
  WeirParameter p = weir_leaf_add_parameter (b, "k", &k, 1);

  weir_leaf_add_output_kernel (
      b, "y", 1, test_gain_kernel, 0,
      WEIR_DEPENDS (weir_parameter_ticket (b, p), weir_input_ticket (b, u)));
  return weir_leaf_builder_build (b);
}

/* y = u0 + u1 */
static inline WeirSystem *
test_add_new (void)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Add");
  WeirInput u0 = weir_leaf_add_input (b, "u0", 1), u1 = weir_leaf_add_input (b, "u1", 1);

  weir_leaf_add_output_kernel (b, "y", 1, test_add_kernel, 0,
                               WEIR_DEPENDS (weir_input_ticket (b, u0), weir_input_ticket (b, u1)));
  return weir_leaf_builder_build (b);
}

/* x' = u, y = x */
static inline WeirSystem *
test_integrator_new (double x0)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Integrator");
  WeirInput u = weir_leaf_add_input (b, "u", 1);

  weir_leaf_set_continuous_state (b, 0, 0, 1, &x0);
  weir_leaf_set_derivatives_kernel (b, weir_kernel_copy, 0,
                                    WEIR_DEPENDS (weir_input_ticket (b, u)));
  weir_leaf_add_output_window (b, "y", WEIR_Z);
  return weir_leaf_builder_build (b);
}

static WeirStatus
test_switch_calc (const WeirCalc *c, double *y)
{
  WeirInput branch;

  if (!weir_calc_demand (c, (WeirInput) { 1 }))
    return WEIR_PENDING;
  branch.i = weir_calc_input (c, (WeirInput) { 1 })[0] > 0 ? 0 : 2;
  if (!weir_calc_demand (c, branch))
    return WEIR_PENDING;
  y[0] = weir_calc_input (c, branch)[0];
  return WEIR_OK;
}

/* y = u1 > 0 ? u0 : u2, reading only the branch taken */
static inline WeirSystem *
test_switch_new (void)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Switch");
  WeirOutput y;

  weir_leaf_add_input (b, "u0", 1);
  weir_leaf_add_input (b, "u1", 1);
  weir_leaf_add_input (b, "u2", 1);
  y = weir_leaf_add_output (b, "y", 1, test_switch_calc, WEIR_DEPENDS (WEIR_ALL_INPUTS));
  weir_leaf_set_lazy (b, weir_output_ticket (b, y));
  return weir_leaf_builder_build (b);
}

static WeirStatus
test_sine_calc (const WeirCalc *c, double *y)
{
  y[0] = sin (weir_calc_time (c));
  return WEIR_OK;
}

static inline WeirSystem *
test_sine_new (void)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Sine");

  weir_leaf_add_output (b, "y", 1, test_sine_calc, WEIR_DEPENDS (WEIR_TIME));
  return weir_leaf_builder_build (b);
}

static WeirStatus
test_fail_calc (const WeirCalc *c, G_GNUC_UNUSED double *y)
{
  return weir_calc_fail (c, "this block always fails");
}

static inline WeirSystem *
test_fail_new (void)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Fail");

  weir_leaf_add_output (b, "y", 1, test_fail_calc, WEIR_DEPENDS (WEIR_TIME));
  return weir_leaf_builder_build (b);
}

static inline WeirSystem *
test_constant_new (double value)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Constant");
  WeirParameter p = weir_leaf_add_parameter (b, "value", &value, 1);

  weir_leaf_add_output_window (b, "y", weir_parameter_ticket (b, p));
  return weir_leaf_builder_build (b);
}

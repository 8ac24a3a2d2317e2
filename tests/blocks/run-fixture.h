/* Blocks made from texts, wired to a diagram and run: what the tests of blocks with state share. */
#pragma once

#include "block-fixture.h"
#include "sim/simulator.h"
#include "system/structure/diagram.h"

/* Of runs with the tolerances of start() over a few seconds, where errors do not grow much. */
#define SOLVED 1e-8

typedef struct {
  WeirDiagramBuilder *builder;
  WeirSystem *system;
  WeirContext *context;
  WeirSimulator *simulator;
} Run;

static inline void
add (Run *run, const char *name, const char *type, const char *const *pairs)
{
  static const guint ones[] = { 1, 1, 1, 1, 1 };
  g_autoptr (WeirSystem) leaf = fixture_build (type, pairs, ones);

  if (run->builder == NULL)
    run->builder = weir_diagram_builder_new ();
  weir_diagram_builder_add (run->builder, name, leaf);
}

static inline void
wire (Run *run, const char *from, const char *output, const char *to, const char *input)
{
  weir_diagram_builder_connect_by_name (run->builder, from, output, to, input);
}

static inline void
start (Run *run, const char *solver)
{
  WeirSimulatorOptions options;
  g_autoptr (GError) error = NULL;

  weir_simulator_options_init (&options);
  options.solver = solver;
  options.relative_tolerance = 1e-9;
  options.absolute_tolerance = 1e-12;
  options.step = 0.07;
  run->system = weir_diagram_builder_build (run->builder, &error);
  g_assert_no_error (error);
  run->context = weir_system_create_context (run->system);
  run->simulator = weir_simulator_new (run->system, run->context, &options, &error);
  g_assert_no_error (error);
}

static inline void
run_clear (Run *run)
{
  weir_simulator_free (run->simulator);
  weir_context_free (run->context);
  weir_system_unref (run->system);
}

static inline void
advance (Run *run, double until)
{
  g_autoptr (GError) error = NULL;

  weir_simulator_advance_to (run->simulator, until, &error);
  g_assert_no_error (error);
}

static inline double
value (Run *run, const char *block)
{
  WeirNode node;
  const double *y;

  g_assert_true (weir_layout_find_node (weir_system_get_layout (run->system), block, &node));
  y = weir_eval_output (run->system, run->context, node, (WeirOutput) { 0 });
  g_assert_nonnull (y);
  return *y;
}

/* The same of output @out. */
static inline double
value_of (Run *run, const char *block, guint out)
{
  WeirNode node;
  const double *y;

  g_assert_true (weir_layout_find_node (weir_system_get_layout (run->system), block, &node));
  y = weir_eval_output (run->system, run->context, node, (WeirOutput) { (guint16) out });
  g_assert_nonnull (y);
  return *y;
}

/* A source "Source", the block "Block", wired, ready to run. */
static inline Run
driven (const char *source, const char *const *source_pairs, const char *type,
        const char *const *pairs, const char *input)
{
  Run run = { NULL };

  add (&run, "Source", source, source_pairs);
  add (&run, "Block", type, pairs);
  wire (&run, "Source", "y", "Block", input);
  start (&run, NULL);
  return run;
}

/* A unit step at the start, for driven(). */
#define UNIT "Constant", PAIRS ("value", "1")

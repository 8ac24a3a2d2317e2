/* A run of one Equations block, from its text. */
#pragma once

#include "block-fixture.h"
#include "sim/simulator.h"

typedef struct {
  Block block;
  WeirSimulator *simulator;
} Run;

static inline Run
run_new (const char *text, const char *solver)
{
  WeirSimulatorOptions options;
  g_autoptr (GError) error = NULL;
  Run run = { block_new ("Equations", PAIRS ("equations", text), NULL), NULL };

  weir_simulator_options_init (&options);
  options.solver = solver;
  options.relative_tolerance = 1e-9;
  options.absolute_tolerance = 1e-12;
  options.step = 0.07;
  run.simulator = weir_simulator_new (run.block.system, run.block.context, &options, &error);
  g_assert_no_error (error);
  return run;
}

static inline void
run_clear (Run *run)
{
  weir_simulator_free (run->simulator);
  block_clear (&run->block);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Run, run_clear)

static inline void
advance (Run *run, double until)
{
  g_autoptr (GError) error = NULL;

  weir_simulator_advance_to (run->simulator, until, &error);
  g_assert_no_error (error);
}

static inline double
value (Run *run, const char *name)
{
  WeirOutput out;

  g_assert_true (weir_system_find_output (run->block.system, name, &out));
  return block_eval (&run->block, out.i)[0];
}

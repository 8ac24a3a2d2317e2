/* A simulator and the master that steps the model's units. See master.h. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/phrase.h"
#include "base/text.h"
#include "numerics/number.h"
#include "sim/schedule.h"
#include "sim/simulator-private.h"
#include "system/layout/units.h"
#include "system/observation/change-log.h"

#define DEFAULT_STEP 0.01 /* s */

gboolean
weir_simulator_make_master (WeirSimulator *self, GError **error)
{
  g_autoptr (GArray) units = weir_system_list_units (self->root);
  WeirMasterFunc make = weir_master_get_maker ();
  g_autofree char *path = NULL;

  if (units->len == 0)
    return TRUE;
  self->communication_step = self->options.communication_step > 0 ? self->options.communication_step
                                                                  : DEFAULT_STEP;
  if (make != NULL)
    return (self->master = make (self->root, self->context, &self->options, error)) != NULL;
  path = weir_layout_dup_path (self->problem.layout, g_array_index (units, WeirUnitInfo, 0).node);
  weir_error_set (
      error, WEIR_ERROR_INVALID,
      "%s: this is a unit of co-simulation, and the program has nothing that steps units; "
      "call weir_cosim_provide() first",
      path);
  return FALSE;
}

double
weir_simulator_get_communication_time (const WeirSimulator *self)
{
  return weir_periodic_time (self->communication_step, self->start, self->communication + 1);
}

/* Ends the run where a unit asks for it. */
static void
take_ending (WeirSimulator *self)
{
  const char *who = self->master->master_class->get_ending (self->master);

  if (who == NULL || self->is_terminated)
    return;
  self->is_terminated = TRUE;
  weir_simulator_note (self, WEIR_TROUBLE_END, WEIR_SEVERITY_HINT, who,
                       weir_message_new (N_ ("the unit ends the run")));
}

gboolean
weir_simulator_begin_master (WeirSimulator *self, GError **error)
{
  self->communication = 0;
  self->has_begun = FALSE;
  if (self->master == NULL)
    return TRUE;
  if (!self->master->master_class->initialize (self->master, self->start, self->communication_step,
                                               error))
    return FALSE;
  take_ending (self);
  return TRUE;
}

/* Lets @exchange write outputs; has the solver restart if the derivative jumped. */
static gboolean
write_outputs (WeirSimulator *self,
               gboolean (*exchange) (WeirMaster *, gint64, gboolean *, GError **), gint64 k,
               GError **error)
{
  gboolean compares = self->solver != NULL && self->solver->is_multistep && !self->needs_restart;
  gsize size = self->problem.n * sizeof (double);
  gboolean changed = FALSE;
  const double *x;

  weir_context_set_phase (self->context, WEIR_LOG_PHASE_DISCRETE_UPDATE);
  if (compares)
    {
      x = weir_eval_derivatives (self->root, self->context);
      if (x == NULL)
        return weir_simulator_fail (self, weir_phrase (N_ ("the derivatives cannot be computed")),
                                    error);
      memcpy (self->derivatives, x, size);
    }
  if (!exchange (self->master, k, &changed, error))
    return FALSE;
  if (changed && compares)
    {
      x = weir_eval_derivatives (self->root, self->context);
      if (x == NULL)
        return weir_simulator_fail (self, weir_phrase (N_ ("the derivatives cannot be computed")),
                                    error);
      self->needs_restart = memcmp (self->derivatives, x, size) != 0;
    }
  else if (changed)
    self->needs_restart = TRUE;
  self->is_changed |= changed;
  return TRUE;
}

gboolean
weir_simulator_begin_exchange (WeirSimulator *self, GError **error)
{
  if (self->has_begun)
    return TRUE;
  self->has_begun = TRUE;
  return write_outputs (self, self->master->master_class->begin, self->communication, error);
}

gboolean
weir_simulator_end_exchange (WeirSimulator *self, GError **error)
{
  char text[WEIR_TIME_TEXT_SIZE];

  if (!weir_is_same_instant (self->time, weir_simulator_get_communication_time (self)))
    return TRUE;
  self->communication++;
  self->has_begun = FALSE;
  if (weir_is_same_instant (self->time, weir_simulator_get_communication_time (self)))
    {
      weir_error_set (error, WEIR_ERROR_INVALID,
                      "a communication step of %g s is too short to be told apart at t = %s",
                      self->communication_step, weir_time_to_text (self->time, (double) NAN, text));
      return FALSE;
    }
  if (!write_outputs (self, self->master->master_class->end, self->communication, error))
    return FALSE;
  take_ending (self);
  return TRUE;
}

GVariant *
weir_simulator_save_master (WeirSimulator *self, GError **error)
{
  GVariant *units = self->master->master_class->save (self->master, error);

  return units != NULL ? g_variant_new ("(dxbv)", self->communication_step, self->communication,
                                        self->has_begun, units)
                       : NULL;
}

gboolean
weir_simulator_can_load_master (WeirSimulator *self, GVariant *saved, GError **error)
{
  g_autoptr (GVariant) units = NULL;

  if (!g_variant_is_of_type (saved, G_VARIANT_TYPE ("(dxbv)")))
    {
      weir_error_set (error, WEIR_ERROR_MISMATCH,
                      "The run cannot be continued: what is said of its units is damaged.");
      return FALSE;
    }
  g_variant_get (saved, "(dxbv)", NULL, NULL, NULL, &units);
  return self->master->master_class->can_load (self->master, units, error);
}

gboolean
weir_simulator_load_master (WeirSimulator *self, GVariant *saved, GError **error)
{
  g_autoptr (GVariant) units = NULL;

  g_variant_get (saved, "(dxbv)", &self->communication_step, &self->communication, &self->has_begun,
                 &units);
  return self->master->master_class->load (self->master, self->start, self->communication_step,
                                           units, error);
}

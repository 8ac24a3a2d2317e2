/* What the settings of a model say of its runs. The one place where they become options: for the
 * command line, the window and users of the library. Thread: *any*.
 */
#pragma once

#include "model/tree/model.h"
#include "sim/simulator.h"

G_BEGIN_DECLS

/* @options: (out); what borrows does so from @model. @stop_time: (out) (nullable). FALSE where the
 * setting "solver" names none, which completion would have told (SET01); it is in @options then. */
gboolean weir_model_get_run_settings (const WeirModel *model, WeirSimulatorOptions *options,
                                      double *stop_time);

G_END_DECLS

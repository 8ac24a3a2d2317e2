/* A run of a model from its start to its stop time at once, for who wants nothing of it but what it
 * records. Thread: *any*, the model being completed there.
 */
#pragma once

#include "model/tree/model.h"
#include "sim/recorder.h"

G_BEGIN_DECLS

/* @ports: NULL at the end: what is recorded, as far as the model has them. @cancel: (nullable) when
 * it becomes non-zero (atomically) the run ends as one that fails. NULL and @error if the model has
 * errors or cannot run; what a run recorded before it failed is given with @error. (transfer full)
 */
WeirRecorder *weir_model_run_whole (WeirModel *model, const char *const *ports, const gint *cancel,
                                    GError **error);

G_END_DECLS

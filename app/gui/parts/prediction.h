/* Judging what somebody thinks a change will put out of date. Thread: *main*. */
#pragma once

#include "cache/cache-model.h"
#include "canvas/widget/canvas.h"

G_BEGIN_DECLS

/* The blocks selected against those that a change along @steps (WeirStepTaken) reaches, in a
 * sentence. @model: that names them. (transfer full) */
char *weir_judge_prediction (WeirCacheModel *cache, WeirCanvas *canvas, WeirModel *model,
                             const GArray *steps, gboolean *is_right);

G_END_DECLS

/* Checkpoints of a run: `weir run --checkpoint FILE [--checkpoint-at T]` and `--restore FILE`.
 *
 * A checkpoint is taken between two steps and alters no bit of the run: at the first step's end
 * at or after --checkpoint-at, else where the run ends or is interrupted. It holds the values of
 * parameters too: a run that is continued keeps them, whatever the model's file says by now, but
 * for those that --set gives, which take effect as one event at the time of the checkpoint.
 */
#pragma once

#include "model/tree/model.h"
#include "sim/simulator.h"

G_BEGIN_DECLS

typedef struct {
  char *file, *at, *restore; /* as typed; NULL = not asked for */
  double time;               /* s; of @at; INFINITY: at the end */
  gboolean is_written;
} WeirCheckpoint;

/* FALSE after saying what makes no sense. */
gboolean weir_checkpoint_check (WeirCheckpoint *self);
void weir_checkpoint_clear (WeirCheckpoint *self);

/* FALSE after saying what of @set makes no sense for the run that is continued. */
gboolean weir_checkpoint_check_set (const WeirCheckpoint *self, WeirSimulator *simulator,
                                    WeirModel *model, const char *const *set);
/* Begins the run: anew, or where the file to restore ended. @model: as it runs, with what @set
 * (PATH=VALUE..., nullable) gives. Says which other values of the file the run does not take. FALSE
 * and @error if that fails. */
gboolean weir_checkpoint_begin (const WeirCheckpoint *self, WeirSimulator *simulator,
                                WeirModel *model, const char *const *set, GError **error);
/* After a step; @is_last: none follows. FALSE and @error if the file that is due cannot
 * be written. */
gboolean weir_checkpoint_look (WeirCheckpoint *self, WeirSimulator *simulator, gboolean is_last,
                               GError **error);

G_END_DECLS

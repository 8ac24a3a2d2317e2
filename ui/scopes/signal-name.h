/* What a recorded signal is called and how it is drawn: the input of a Scope goes by the port that
 * drives it ("Pendulum.theta", not "Motion.in1"). Thread: *any*. */
#pragma once

#include "model/tree/model.h"

G_BEGIN_DECLS

typedef struct {
  char *scope;          /* path of the Scope that it is wired to, or NULL */
  char *name;           /* for people */
  int xy_axis;          /* of an XY Scope: 0 = x, 1 = y; else -1 */
  gboolean is_discrete; /* changes only at updates: drawn as steps */
} WeirSignalName;

/* @signal: as the recorder names it ("plant.Scope.in1", "mux.y[2]"). @model: of the run,
 * or NULL. */
WeirSignalName weir_signal_name_find (WeirModel *model, const char *signal);
void weir_signal_name_clear (WeirSignalName *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WeirSignalName, weir_signal_name_clear)

G_END_DECLS

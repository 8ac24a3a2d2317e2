/* What a recorded signal is called and how it is drawn: the input of a Scope goes by the port that
 * drives it ("Pendulum.theta", not "Motion.in1")., and the label that shows
 * it. Thread: *any*; of the label *main*. */
#pragma once

#include "model/tree/model.h"
#include <gtk/gtk.h>

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

/* WeirPathLabel: the path of a signal, cut at a dot where there is little room.
 *
 * What tells signals apart is at the end: of "Plant.Pendulum.theta" the first parts are left out,
 * one by one, "…Pendulum.theta" before "…theta". Where not even that fits, it is cut within the
 * last part.
 */
#define WEIR_TYPE_PATH_LABEL (weir_path_label_get_type ())
G_DECLARE_FINAL_TYPE (WeirPathLabel, weir_path_label, WEIR, PATH_LABEL, GtkWidget)

/* @least: characters; a form of no more is not cut further, and of the last so many are seen. */
GtkWidget *weir_path_label_new (const char *path, int least);

G_END_DECLS

/* WeirPathLabel: the path of a signal, cut at a dot where there is little room.
 *
 * What tells signals apart is at the end: of "Plant.Pendulum.theta" the first parts are left out,
 * one by one, "…Pendulum.theta" before "…theta". Where not even that fits, it is cut within the
 * last part. Thread: *main*.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define WEIR_TYPE_PATH_LABEL (weir_path_label_get_type ())
G_DECLARE_FINAL_TYPE (WeirPathLabel, weir_path_label, WEIR, PATH_LABEL, GtkWidget)

/* @least: characters; a form of no more is not cut further, and of the last so many are seen. */
GtkWidget *weir_path_label_new (const char *path, int least);

G_END_DECLS

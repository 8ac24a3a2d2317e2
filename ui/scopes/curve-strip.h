/* WeirCurveStrip: the toggles of a plot's curves in a row. Where there is little room all get less,
 * down to the ends of their names; those for which there is none even then are in a menu at the
 * end, so that no name is cut off by the edge. Thread: *main*.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define WEIR_TYPE_CURVE_STRIP (weir_curve_strip_get_type ())
G_DECLARE_FINAL_TYPE (WeirCurveStrip, weir_curve_strip, WEIR, CURVE_STRIP, GtkWidget)

GtkWidget *weir_curve_strip_new (void);
/* @name: what the menu calls it. */
void weir_curve_strip_add (WeirCurveStrip *self, GtkWidget *toggle, const char *name);

G_END_DECLS

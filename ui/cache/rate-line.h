/* WeirRateLine: a small curve of a rate over the last minute or so, from 0 to 1.
 *
 * Samples are kept at most so densely; each is the mean since the one before. Thread: *main*.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define WEIR_TYPE_RATE_LINE (weir_rate_line_get_type ())
G_DECLARE_FINAL_TYPE (WeirRateLine, weir_rate_line, WEIR, RATE_LINE, GtkWidget)

GtkWidget *weir_rate_line_new (void);
void weir_rate_line_clear (WeirRateLine *self);
/* Totals so far: the rate shown is that of what came since the last ones. @now: us, monotonic. */
void weir_rate_line_add (WeirRateLine *self, guint64 part, guint64 whole, gint64 now);

G_END_DECLS

/* WeirLiveStrip: the cache of the run in one line, for the status bar; a click opens the table.
 *
 * While a run goes on, change events and requests are told per second, over the last half second or
 * so; when it stands still, all of them. The rest is over the whole run. Thread: *main*.
 */
#pragma once

#include <gtk/gtk.h>

#include "cache/cache-model.h"

G_BEGIN_DECLS

#define WEIR_TYPE_LIVE_STRIP (weir_live_strip_get_type ())
G_DECLARE_FINAL_TYPE (WeirLiveStrip, weir_live_strip, WEIR, LIVE_STRIP, GtkWidget)

/* @action: what a click activates. */
GtkWidget *weir_live_strip_new (WeirCacheModel *model, const char *action);
const char *weir_live_strip_get_text (WeirLiveStrip *self);

G_END_DECLS

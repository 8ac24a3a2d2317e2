/* WeirLaneView: a dependency graph in lanes, to look at and walk through.
 *
 * A click or the arrow keys choose a node and show its slice; ] shows one more level downstream, [
 * one more upstream, Escape everything again; Ctrl and the wheel, plus and minus zoom. What is
 * chosen is told to assistive technology in words.
 *
 * Signals: "chosen" (guint key): another node, or WEIR_NO_INDEX; "pointed" (guint key): the pointer
 * is on it; "activated" (guint key): double click or Return. Thread: *main*.
 */
#pragma once

#include <gtk/gtk.h>

#include "paint/plots/lanes.h"

G_BEGIN_DECLS

#define WEIR_TYPE_LANE_VIEW (weir_lane_view_get_type ())
G_DECLARE_FINAL_TYPE (WeirLaneView, weir_lane_view, WEIR, LANE_VIEW, GtkWidget)

GtkWidget *weir_lane_view_new (void);
/* (transfer full), nullable; laid out here. */
void weir_lane_view_set_graph (WeirLaneView *self, WeirLaneGraph *graph);
WeirLaneGraph *weir_lane_view_get_graph (WeirLaneView *self); /* (transfer none), or NULL */
/* After its nodes' looks were changed. */
void weir_lane_view_refresh (WeirLaneView *self);
/* By the program: no signal. WEIR_NO_INDEX: none. */
void weir_lane_view_choose (WeirLaneView *self, guint32 key);

G_END_DECLS

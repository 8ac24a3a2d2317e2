/* WeirScheduleSteps: the last steps of units, by thread, to look at (paint/plots/steps-chart.h);
 * what it shows is told in words too. Thread: *main*.
 */
#pragma once

#include <gtk/gtk.h>

#include "paint/plots/steps-chart.h"

G_BEGIN_DECLS

#define WEIR_TYPE_SCHEDULE_STEPS (weir_schedule_steps_get_type ())
G_DECLARE_FINAL_TYPE (WeirScheduleSteps, weir_schedule_steps, WEIR, SCHEDULE_STEPS, GtkWidget)

/* (element-type WeirStepBar), which own their names. (transfer full) */
GArray *weir_schedule_steps_bars_new (void);
/* @bars: shared from here on, and not changed any more. */
void weir_schedule_steps_set (WeirScheduleSteps *self, GArray *bars);

G_END_DECLS

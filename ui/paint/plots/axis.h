/* Round tick marks on an axis, and how they are written. Thread: *any*. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The round step (1, 2 or 5 times a power of ten) that divides a range into at most @max_ticks
 * parts. @length > 0. */
double weir_axis_get_step (double length, guint max_ticks);

/* A range that encloses [low, high] with some room and ends on whole steps. A single value gets
 * room on both sides. */
void weir_axis_round_out (double *low, double *high, guint max_ticks);

/* The power of ten that is taken out of all labels of an axis; 0 for moderate numbers. */
int weir_axis_get_exponent (double low, double high);

/* A tick label: @value / 10^@exponent with the decimals that @step needs. (transfer full) */
char *weir_axis_format (double value, double step, int exponent);

/* A number for reading: six significant digits. (transfer full) */
char *weir_axis_format_value (double value);

/* "10³" of 3. (transfer full) */
char *weir_axis_format_exponent (int exponent);

G_END_DECLS

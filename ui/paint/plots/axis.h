/* An axis from one value to another, evenly or by powers of ten; its round tick marks, and how they
 * are written. Thread: *any*. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A logarithmic one is above 0 at both ends, and has no place for values that are not. */
typedef struct {
  double low, high; /* low < high */
  gboolean is_log;
} WeirAxis;

/* Where @value lies on it: 0 at the low end, 1 at the high one; NAN: nowhere. */
double weir_axis_get_share (const WeirAxis *self, double value);
double weir_axis_get_value (const WeirAxis *self, double share);

typedef struct {
  double value;
  char *label; /* NULL: it is marked only */
} WeirTick;

/* At most about @max labels. @exponent: (out) the power of ten that is taken out of them.
 * (element-type WeirTick) (transfer full) */
GArray *weir_axis_list_ticks (const WeirAxis *self, guint max, int *exponent);

/* The round step (1, 2 or 5 times a power of ten) that divides a range into at most @max_ticks
 * parts. @length > 0. */
double weir_axis_get_step (double length, guint max_ticks);

/* A range that encloses [low, high] with some room and ends on whole steps. A single value gets
 * room on both sides. */
void weir_axis_round_out (double *low, double *high, guint max_ticks);
/* The same by factors, up to a power of ten or 2 or 5 times one; both are above 0. */
void weir_axis_round_out_log (double *low, double *high);

/* The power of ten that is taken out of all labels of an axis; 0 for moderate numbers. */
int weir_axis_get_exponent (double low, double high);

/* A tick label: @value / 10^@exponent with the decimals that @step needs. (transfer full) */
char *weir_axis_format (double value, double step, int exponent);

/* A number for reading: six significant digits. (transfer full) */
char *weir_axis_format_value (double value);

/* "100" of 2, "10⁵" of 5. (transfer full) */
char *weir_axis_format_decade (int exponent);

/* "10³" of 3. (transfer full) */
char *weir_axis_format_exponent (int exponent);

G_END_DECLS

/* Tables of values at given points, and what blocks that have one are written with.
 *
 * The points are data of the leaf and ascend strictly. A point belongs to the piece that it begins.
 */
#pragma once

#include "blocks/types/family.h"

G_BEGIN_DECLS

enum { WEIR_TABLE_LINEAR, WEIR_TABLE_PREVIOUS, WEIR_TABLE_SMOOTH };
enum { WEIR_TABLE_HOLD, WEIR_TABLE_CONTINUE };

extern const char *const weir_table_interpolations[];
extern const char *const weir_table_extrapolations[];

typedef struct {
  guint32 n, n_columns; /* points; values of each */
  guint32 interpolation, extrapolation;
  double numbers[]; /* the n points, then their values, point by point */
} WeirTable;

/* How many of @n points are at or below @x. */
guint weir_points_count (const double *points, guint n, double x);
/* A witness: zero at each point, with another sign on each side. What jumps may pass two unseen. */
double weir_points_get_kink (const double *points, guint n, double x);
/* A witness of leaving the piece that begins at point @count, counted from 1; 0 is the piece before
 * the first. See weir_cell_witness(). */
double weir_points_get_leave (const double *points, guint n, double count, double x, double phase);
/* FALSE and @error if the points do not ascend. @format: of that, with number and value of a point
 * and of the one before; marked N_(). */
gboolean weir_points_check (const char *format, const double *points, guint n, GError **error);

/* A table without its numbers, by the parameters "interpolation" and "extrapolation".
 * @size: its bytes. (transfer full) */
WeirTable *weir_table_new (const WeirArguments *arguments, guint n, guint n_columns, gsize *size);
/* The leaf whose output "y" is the table's values over time. (transfer full) */
WeirSystem *weir_table_build_of_time (const char *kind, const WeirTable *table, gsize size);

#define WEIR_TABLE_CHOICES                                                                         \
  {                                                                                                \
    .name = "interpolation",                                                                       \
    .label = N_ ("Interpolation"),                                                                 \
    .kind = WEIR_VALUE_CHOICE,                                                                     \
    .default_text = "linear",                                                                      \
    .choices = weir_table_interpolations,                                                          \
    .help = N_ ("Between two points: a straight line, the previous value, or a smooth curve."),    \
  },                                                                                               \
  {                                                                                                \
    .name = "extrapolation", .label = N_ ("Extrapolation"), .kind = WEIR_VALUE_CHOICE,             \
    .default_text = "hold", .choices = weir_table_extrapolations,                                  \
    .help = N_ ("Outside the points: the end values hold, or the ends go on in a line."),          \
  }

G_END_DECLS

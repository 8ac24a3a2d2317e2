/* What several families are written with: tables of values (tables.c, table-file.c), filters as
 * cascades of sections (sections.c). */
#pragma once

#include "blocks/types/family.h"

G_BEGIN_DECLS

/* --- Tables of values at given points -------------------------------------------------------- */

/* The points are data of the leaf and ascend strictly. A point belongs to the piece that it begins.
 */
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
/* A witness: zero at each point, with another sign on each side. */
double weir_points_get_kink (const double *points, guint n, double x);
/* FALSE and @error if the points do not ascend. @format: of that, with number and value of a point
 * and of the one before; marked N_(). */
gboolean weir_points_check (const char *format, const double *points, guint n, GError **error);

/* A table without its numbers, by the parameters "interpolation" and "extrapolation".
 * @size: its bytes. (transfer full) */
WeirTable *weir_table_new (const WeirArguments *arguments, guint n, guint n_columns, gsize *size);
/* The leaf whose output "y" is the table's values over time. (transfer full) */
WeirSystem *weir_table_build_of_time (const char *kind, const WeirTable *table, gsize size);

/* The numbers of a file, row by row: a time and the chosen @columns, counted from 1. NULL and
 * @error with line and column. @note: (out) (transfer full) what was found by rule, or NULL.
 * (transfer full) */
GArray *weir_table_read (const char *path, const double *columns, guint n_columns,
                         WeirMessage **note, GError **error);

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

/* --- Filters --------------------------------------------------------------------------------- */

/* Filters as cascades of sections: linear systems of one input and one output by their zeros and
 * poles, applied to each element of a signal alone.
 *
 * A cascade of sections of first and second order keeps its accuracy where the coefficients of one
 * large polynomial lose theirs. Roots are listed by halves: one with a positive imaginary part
 * stands for itself and its conjugate.
 */

typedef struct {
  double re, im; /* im > 0: and the conjugate; im = 0: real; never negative */
} WeirFilterRoot;

/* (s or z) -> factor * product (s - zero) / product (s - pole). The factor is the parameter
 * "gain" of the block, tunable, times @factor.
 * @zeros, @poles: of WeirFilterRoot, by halves; no more zeros than poles, one pole at least. */
typedef struct {
  const GArray *zeros, *poles;
  double factor;
} WeirZeroPole;

/* How many roots the halves stand for. */
guint weir_roots_count (const GArray *roots);

/* The leaf with input "u" and output "y" of @size elements. Discrete: by the parameters "period"
 * and "offset". (transfer full) */
WeirSystem *weir_sections_build (const WeirArguments *arguments, const WeirZeroPole *zero_pole,
                                 guint size, GError **error);

/* Of the types built so; of those that are sampled. */
extern const WeirPosition weir_sections_positions[], weir_sections_sampled_positions[];

G_END_DECLS

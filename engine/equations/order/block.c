/* A group of equations that need each other, made into blocks that can be computed one after the
 * other.
 *
 * One equation is solved for its unknown where that is possible. Several are torn: those unknowns
 * that iterate (tear.c) are one smaller block, in whose residuals the others stand as what they are
 * computed from; each other unknown follows as an explicit block of its own. The solutions are the
 * same.
 */
#include "equations/order/order.h"
#include "base/text.h"
#include "numerics/newton.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_TORN 64               /* unknowns that iterate for others */
#define MAX_ENTRIES (4096 * 1024) /* of a matrix: 32 MiB */

static gboolean
reads_any (WeirExprPool *pool, WeirExpr e, const WeirExpr *atoms, guint n)
{
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (WeirExpr));

  weir_expr_collect_atoms (pool, &e, 1, found);
  for (guint i = 0; i < found->len; i++)
    for (guint j = 0; j < n; j++)
      if (weir_expr_equal (g_array_index (found, WeirExpr, i), atoms[j]))
        return TRUE;
  return FALSE;
}

static WeirExpr
replace_by_zero (WeirExprPool *pool, WeirExpr part, gpointer data)
{
  const WeirExpr *atom = data;

  if (weir_expr_equal (part, *atom))
    return weir_expr_number (pool, 0.0);
  /* What is within an atom is no part of its value. */
  return weir_expr_is_atom (pool, part) ? part : WEIR_NO_EXPR;
}

typedef enum {
  SOLVED,
  NOT_LINEAR,
  DROPS_OUT, /* the unknown cancels */
} Solving;

static WeirExpr
make_residual (WeirExprPool *pool, const WeirScalarEquation *equation)
{
  return weir_simplify_make_2 (pool, WEIR_OP_SUB, equation->left, equation->right);
}

/* left ~ right solved for @atom: as written where it stands alone, else -r(0) / r'. */
static Solving
solve_for (WeirExprPool *pool, const WeirScalarEquation *equation, WeirExpr atom, WeirExpr *value)
{
  WeirExpr residual, slope, rest;

  if (weir_expr_equal (equation->left, atom) && !reads_any (pool, equation->right, &atom, 1))
    {
      *value = equation->right;
      return SOLVED;
    }
  if (weir_expr_equal (equation->right, atom) && !reads_any (pool, equation->left, &atom, 1))
    {
      *value = equation->left;
      return SOLVED;
    }
  residual = make_residual (pool, equation);
  slope = weir_expr_derive (pool, residual, atom);
  if (weir_expr_is_number (pool, slope, 0.0))
    return DROPS_OUT;
  if (reads_any (pool, slope, &atom, 1))
    return NOT_LINEAR;
  rest = weir_expr_replace (pool, residual, replace_by_zero, &atom, weir_simplify_make);
  rest = weir_simplify_make_1 (pool, WEIR_OP_NEG, rest);
  *value = weir_simplify_make_2 (pool, WEIR_OP_DIV, rest, slope);
  return SOLVED;
}

gboolean
weir_builder_solve_for (WeirExprPool *pool, const WeirScalarEquation *equation, WeirExpr atom,
                        WeirExpr *value)
{
  return solve_for (pool, equation, atom, value) == SOLVED;
}

/* Is the block's matrix, where it is made of numbers, singular? @is_common_shift: adding one
 * number to all unknowns changes nothing. */
static gboolean
is_singular (WeirExprPool *pool, const WeirEquationBlock *block, gboolean *is_common_shift)
{
  const WeirJacobian *jacobian = block->jacobian;
  guint n = block->n;
  g_autofree double *matrix = g_new0 (double, weir_band_get_size (&block->band));
  g_autofree double *sums = g_new0 (double, n);
  double largest = 0.0;

  for (guint i = 0; i < n; i++)
    for (guint j = jacobian->first[i]; j < jacobian->first[i + 1]; j++)
      {
        double value;

        if (weir_expr_get_op (pool, jacobian->entry[j]) != WEIR_OP_NUMBER)
          return FALSE;
        value = weir_expr_get_number (pool, jacobian->entry[j]);
        matrix[weir_band_get_place (&block->band, i, jacobian->column[j])] = value;
        sums[i] += value;
        largest = fmax (largest, fabs (value));
      }
  *is_common_shift = TRUE;
  for (guint i = 0; i < n; i++)
    *is_common_shift = *is_common_shift && fabs (sums[i]) <= 1e-14 * largest;
  return !weir_band_solve (&block->band, matrix, sums);
}

/* --- Making ---------------------------------------------------------------------------------- */

WeirEquationBlock *
weir_equation_block_new (guint n)
{
  WeirEquationBlock *block = g_new0 (WeirEquationBlock, 1);

  block->n = n;
  block->unknowns = g_new (WeirExpr, n);
  block->lines = g_new (int, n);
  block->value = WEIR_NO_EXPR;
  return block;
}

/* The derivative of @e by the first unknown in it, if none of its derivatives by them contains any;
 * WEIR_NO_EXPR: it is not linear in them, or has none. */
static WeirExpr
find_slope (WeirExprPool *pool, WeirExpr e, GHashTable *is_unknown)
{
  g_autoptr (GArray) atoms = g_array_new (FALSE, FALSE, sizeof (WeirExpr));
  g_autoptr (GArray) slopes = g_array_new (FALSE, FALSE, sizeof (WeirExpr));

  weir_expr_collect_atoms (pool, &e, 1, atoms);
  for (guint i = 0; i < atoms->len; i++)
    {
      WeirExpr atom = g_array_index (atoms, WeirExpr, i);

      if (g_hash_table_contains (is_unknown, GUINT_TO_POINTER (atom.i + 1)))
        {
          WeirExpr slope = weir_expr_derive (pool, e, atom);

          g_array_append_val (slopes, slope);
        }
    }
  g_array_set_size (atoms, 0);
  weir_expr_collect_atoms (pool, (const WeirExpr *) (gpointer) slopes->data, slopes->len, atoms);
  for (guint i = 0; i < atoms->len; i++)
    if (g_hash_table_contains (is_unknown,
                               GUINT_TO_POINTER (g_array_index (atoms, WeirExpr, i).i + 1)))
      return WEIR_NO_EXPR;
  return slopes->len > 0 ? g_array_index (slopes, WeirExpr, 0) : WEIR_NO_EXPR;
}

typedef struct {
  WeirExpr part, symbol;
} Stand;

static WeirExpr
replace_part (G_GNUC_UNUSED WeirExprPool *pool, WeirExpr part, gpointer data)
{
  const Stand *stand = data;

  return weir_expr_equal (part, stand->part) ? stand->symbol : WEIR_NO_EXPR;
}

/* How fast @residual changes with an exponential, times how fast that changes with its exponent. */
static WeirExpr
make_weight (WeirExprPool *pool, WeirExpr residual, WeirExpr exponential, WeirExpr slope)
{
  Stand stand = { exponential, weir_expr_symbol (pool, "an exponential") };
  WeirExpr replaced = weir_expr_replace (pool, residual, replace_part, &stand, NULL);

  return weir_simplify_make_2 (pool, WEIR_OP_MUL, weir_expr_derive (pool, replaced, stand.symbol),
                               slope);
}

/* A bound within, as min (v, 0), keeps an exponent from being linear: what has one needs no help.
 */
static void
find_exponents (WeirExprPool *pool, WeirEquationBlock *block, GHashTable *is_unknown)
{
  g_autoptr (GArray) parts = g_array_new (FALSE, FALSE, sizeof (WeirExpr));
  GArray *exponents = g_array_new (FALSE, FALSE, sizeof (WeirExpr));
  GArray *rows = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GArray) weights = g_array_new (FALSE, FALSE, sizeof (WeirExpr));

  for (guint32 row = 0; row < block->n; row++)
    {
      g_array_set_size (parts, 0);
      weir_expr_collect (pool, &block->residuals[row], 1, TRUE, parts);
      for (guint i = 0; i < parts->len; i++)
        {
          WeirExpr part = g_array_index (parts, WeirExpr, i), exponent, slope, weight;
          WeirOp op = weir_expr_get_op (pool, part);
          gboolean is_even = op == WEIR_OP_SINH || op == WEIR_OP_COSH;

          if (op != WEIR_OP_EXP && !is_even)
            continue;
          exponent = weir_expr_get_arg (pool, part, 0);
          slope = find_slope (pool, exponent, is_unknown);
          if (slope.i == WEIR_NO_EXPR.i)
            continue;
          weight = make_weight (pool, block->residuals[row], part, slope);
          for (int sign = 0; sign <= is_even; sign++)
            {
              g_array_append_val (exponents, exponent);
              g_array_append_val (weights, weight);
              g_array_append_val (rows, row);
              exponent = weir_simplify_make_1 (pool, WEIR_OP_NEG, exponent);
            }
        }
    }
  block->n_exponents = exponents->len;
  if (weights->len > 0)
    g_array_append_vals (exponents, weights->data, weights->len);
  block->exponents = (WeirExpr *) (gpointer) g_array_free (exponents, FALSE);
  block->exponent_rows = (guint32 *) (gpointer) g_array_free (rows, FALSE);
}

void
weir_equation_block_differentiate (WeirExprPool *pool, WeirEquationBlock *block)
{
  guint n = block->n;
  g_autoptr (GHashTable) is_unknown = g_hash_table_new (NULL, NULL);
  g_autoptr (GArray) atoms = g_array_new (FALSE, FALSE, sizeof (WeirExpr));

  for (guint i = 0; i < n; i++)
    g_hash_table_add (is_unknown, GUINT_TO_POINTER (block->unknowns[i].i + 1));
  block->jacobian = weir_jacobian_new (pool, block->residuals, n, block->unknowns, n);
  weir_expr_collect_atoms (pool, block->jacobian->entry, block->jacobian->first[n], atoms);
  block->is_linear = TRUE;
  for (guint i = 0; i < atoms->len && block->is_linear; i++)
    block->is_linear = !g_hash_table_contains (
        is_unknown, GUINT_TO_POINTER (g_array_index (atoms, WeirExpr, i).i + 1));
  if (!block->is_linear)
    find_exponents (pool, block, is_unknown);
  block->band = weir_band_find (n, block->jacobian->first, block->jacobian->column);
  block->guess = g_new0 (double, n);
}

static int
compare_numbers (gconstpointer a, gconstpointer b)
{
  guint left = *(const guint *) a, right = *(const guint *) b;

  return left < right ? -1 : left > right;
}

/* All of a group as it was written. @matched: the place of the unknown of each equation. */
static WeirEquationBlock *
make_whole (WeirEquationsBuilder *self, const WeirGroup *group, guint *matched)
{
  WeirEquationBlock *block = weir_equation_block_new (group->n);
  g_autofree guint *columns = g_new (guint, group->n);

  for (guint i = 0; i < group->n; i++)
    columns[i] = group->unknown_of[group->rows[i]];
  /* Unknowns ascend as equations do. */
  qsort (columns, group->n, sizeof *columns, compare_numbers);
  for (guint i = 0; i < group->n; i++)
    {
      const guint *found = bsearch (&group->unknown_of[group->rows[i]], columns, group->n,
                                    sizeof *columns, compare_numbers);

      matched[i] = (guint) (found - columns);
    }
  for (guint i = 0; i < group->n; i++)
    {
      block->unknowns[i] = g_array_index (group->unknowns, WeirUnknown, columns[i]).atom;
      block->lines[i] = g_array_index (group->equations, WeirScalarEquation, group->rows[i]).line;
    }
  return block;
}

static const WeirScalarEquation *
get_equation (const WeirGroup *group, guint i)
{
  return &g_array_index (group->equations, WeirScalarEquation, group->rows[i]);
}

/* --- Tearing --------------------------------------------------------------------------------- */

/* Which unknowns each residual contains, and its derivative by them where that is a number. */
static void
find_slopes (WeirExprPool *pool, const WeirEquationBlock *whole, WeirIncidence *incidence,
             GArray *slopes)
{
  g_autoptr (GHashTable) number = g_hash_table_new (NULL, NULL); /* atom + 1 to place + 1 */
  g_autoptr (GArray) atoms = g_array_new (FALSE, FALSE, sizeof (WeirExpr));
  const WeirJacobian *jacobian = whole->jacobian;

  for (guint i = 0; i < whole->n; i++)
    g_hash_table_insert (number, GUINT_TO_POINTER (whole->unknowns[i].i + 1),
                         GUINT_TO_POINTER (i + 1));
  weir_incidence_init (incidence, whole->n);
  for (guint i = 0; i < whole->n; i++)
    {
      g_array_set_size (atoms, 0);
      weir_expr_collect_atoms (pool, &whole->residuals[i], 1, atoms);
      for (guint j = 0; j < atoms->len; j++)
        {
          guint column = GPOINTER_TO_UINT (g_hash_table_lookup (
              number, GUINT_TO_POINTER (g_array_index (atoms, WeirExpr, j).i + 1)));
          double slope = NAN;

          if (column-- == 0)
            continue;
          weir_incidence_add (incidence, column);
          for (guint k = jacobian->first[i]; k < jacobian->first[i + 1]; k++)
            if (jacobian->column[k] == column
                && weir_expr_get_op (pool, jacobian->entry[k]) == WEIR_OP_NUMBER)
              slope = weir_expr_get_number (pool, jacobian->entry[k]);
          g_array_append_val (slopes, slope);
        }
      weir_incidence_end_equation (incidence);
    }
}

/* The blocks of a torn group: the one that iterates, then those that follow from it. FALSE if a
 * residual contains nothing any more, so that no iteration can make it vanish; then nothing is
 * added. */
static gboolean
add_torn (WeirEquationsBuilder *self, const WeirGroup *group, const WeirEquationBlock *whole,
          const guint *rows, const guint *equations, const guint *unknowns, guint n_torn,
          GPtrArray *blocks)
{
  guint n = whole->n, n_explicit = n - n_torn;
  g_autoptr (GHashTable) values = g_hash_table_new (NULL, NULL); /* atom + 1 to value + 1 */
  g_autoptr (GPtrArray) explicits = g_ptr_array_new ();
  WeirEquationBlock *torn = weir_equation_block_new (n_torn);
  gboolean is_fine = TRUE;

  torn->n_group = n;
  torn->residuals = g_new (WeirExpr, n_torn);
  for (guint i = 0; i < n_explicit; i++)
    {
      WeirEquationBlock *block = weir_equation_block_new (1);
      WeirExpr value;

      block->unknowns[0] = whole->unknowns[unknowns[i]];
      block->lines[0] = whole->lines[equations[i]];
      block->n_group = n;
      block->place = i + 1;
      solve_for (self->pool, get_equation (group, rows[equations[i]]), block->unknowns[0],
                 &block->value);
      value = weir_expr_replace (self->pool, block->value, weir_expr_look_up, values,
                                 weir_simplify_make);
      g_hash_table_insert (values, GUINT_TO_POINTER (block->unknowns[0].i + 1),
                           GUINT_TO_POINTER (value.i + 1));
      g_ptr_array_add (explicits, block);
    }
  for (guint i = 0; i < n_torn; i++)
    {
      torn->unknowns[i] = whole->unknowns[unknowns[n_explicit + i]];
      torn->lines[i] = whole->lines[equations[n_explicit + i]];
      torn->residuals[i] = weir_expr_replace (self->pool,
                                              whole->residuals[equations[n_explicit + i]],
                                              weir_expr_look_up, values, weir_simplify_make);
    }
  weir_equation_block_differentiate (self->pool, torn);
  for (guint i = 0; i < n_torn; i++)
    is_fine = is_fine && torn->jacobian->first[i] < torn->jacobian->first[i + 1];
  if (is_fine)
    {
      g_ptr_array_add (blocks, torn);
      g_ptr_array_extend (blocks, explicits, NULL, NULL);
      return TRUE;
    }
  weir_equation_block_free (torn);
  for (guint i = 0; i < explicits->len; i++)
    weir_equation_block_free (g_ptr_array_index (explicits, i));
  return FALSE;
}

/* How many unknowns may iterate so that eliminating in their full matrix takes at most half of the
 * work that the whole takes. */
static guint
find_most_torn (const WeirEquationBlock *whole)
{
  double work = weir_band_count_work (&whole->band) / 2;
  guint n = 0;
  WeirBand band = { 0 };

  while (n < whole->n && n <= MAX_TORN && weir_band_count_work (&band) <= work)
    band = weir_band_dense (++n);
  return n > 0 ? n - 1 : 0;
}

/* The unknowns in the exponents. */
static void
mark_exponents (WeirExprPool *pool, const WeirEquationBlock *whole, gboolean *is_marked)
{
  g_autoptr (GArray) atoms = g_array_new (FALSE, FALSE, sizeof (WeirExpr));

  weir_expr_collect_atoms (pool, whole->exponents, whole->n_exponents, atoms);
  for (guint i = 0; i < whole->n && atoms->len > 0; i++)
    for (guint j = 0; j < atoms->len && !is_marked[i]; j++)
      is_marked[i] = weir_expr_equal (whole->unknowns[i], g_array_index (atoms, WeirExpr, j));
}

/* FALSE if the group is best left whole. @rows: which equation of the group each of the whole
 * is. */
static gboolean
tear (WeirEquationsBuilder *self, const WeirGroup *group, const WeirEquationBlock *whole,
      const guint *rows, GPtrArray *blocks)
{
  guint n = whole->n, n_torn;
  g_autofree guint *equations = g_new (guint, n);
  g_autofree guint *unknowns = g_new (guint, n);
  g_autofree gboolean *is_kept = g_new0 (gboolean, n);
  g_autoptr (GArray) slopes = g_array_new (FALSE, FALSE, sizeof (double));
  WeirIncidence incidence;

  /* What has a guess iterates: from there the user wants it to be sought. */
  for (guint i = 0; i < n; i++)
    is_kept[i] = g_hash_table_contains (self->guessed, GUINT_TO_POINTER (whole->unknowns[i].i + 1));
  /* So does what stands in an exponent: where it followed from something else, exponentials would
   * stand in each other, and too large a start of that would be too much at once. */
  mark_exponents (self->pool, whole, is_kept);
  find_slopes (self->pool, whole, &incidence, slopes);
  n_torn = weir_incidence_tear (&incidence, (const double *) slopes->data, is_kept,
                                find_most_torn (whole), equations, unknowns);
  weir_incidence_clear (&incidence);
  return n_torn < n && add_torn (self, group, whole, rows, equations, unknowns, n_torn, blocks);
}

static void
report_singular (WeirEquationsBuilder *self, const WeirEquationBlock *block, const char *stage,
                 gboolean is_common_shift)
{
  g_autoptr (WeirMessage) names = weir_builder_enumerate_atoms (self, block->unknowns, block->n);
  g_autoptr (WeirMessage) lines = weir_builder_enumerate_lines (block->lines, block->n);

  if (block->n == 1)
    weir_builder_fail (self, "EQ05", block->lines[0],
                       N_ ("%s: %s does not determine %s, which cancels in it."), stage,
                       weir_message_get_text (lines), weir_message_get_text (names));
  else if (is_common_shift)
    weir_builder_fail (self, "EQ05", block->lines[0],
                       N_ ("%s: %s are only determined up to a common constant by %s."), stage,
                       weir_message_get_text (names), weir_message_get_text (lines));
  else
    weir_builder_fail (
        self, "EQ05", block->lines[0],
        N_ ("%s: %s are not determined by %s: these equations are dependent (singular)."), stage,
        weir_message_get_text (names), weir_message_get_text (lines));
}

static void
report_large (WeirEquationsBuilder *self, const WeirEquationBlock *block, const char *stage)
{
  g_autoptr (WeirMessage) names = weir_builder_enumerate_atoms (self, block->unknowns, block->n);

  weir_builder_fail (
      self, "EQ03", block->lines[0],
      N_ ("%s: %u unknowns need each other (%s), which are too many to be solved "
          "together; give some of them a derivative, D(x) ~ ..., or make several blocks "
          "of them."),
      stage, block->n, weir_message_get_text (names));
}

void
weir_builder_add_group (WeirEquationsBuilder *self, const WeirGroup *group, const char *stage,
                        GPtrArray *blocks)
{
  g_autofree guint *matched = g_new (guint, group->n), *rows = g_new (guint, group->n);
  g_autoptr (WeirEquationBlock) whole = make_whole (self, group, matched);
  Solving solving = NOT_LINEAR;
  gboolean is_common_shift = FALSE;

  if (group->n == 1)
    solving = solve_for (self->pool, get_equation (group, 0), whole->unknowns[0], &whole->value);
  if (solving == SOLVED)
    {
      g_ptr_array_add (blocks, g_steal_pointer (&whole));
      return;
    }
  whole->residuals = g_new (WeirExpr, group->n);
  for (guint i = 0; i < group->n; i++)
    whole->residuals[i] = make_residual (self->pool, get_equation (group, i));
  weir_equation_block_differentiate (self->pool, whole);
  weir_equation_block_narrow (whole, matched, rows);
  if (weir_band_get_size (&whole->band) > MAX_ENTRIES)
    report_large (self, whole, stage);
  else if (solving == DROPS_OUT
           || (whole->is_linear && is_singular (self->pool, whole, &is_common_shift)))
    report_singular (self, whole, stage, is_common_shift);
  else if (!tear (self, group, whole, rows, blocks))
    g_ptr_array_add (blocks, g_steal_pointer (&whole));
}

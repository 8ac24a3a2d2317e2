/* Invariants of a system of equations: what its constraints keep among the states. Where a run has
 * drifted off them, an event moves the states back, as little as that takes.
 */
#include "blocks/equations/compile-private.h"
#include "equations/expressions/simplify.h"
#include "numerics/rows.h"

#define MAX_NEIGHBOURS 4000000 /* pairs of invariants that read a state in common */

/* Positive while the invariants hold as well as the run is accurate, within this factor. What they
 * are compared with is the size of their own terms and, as these may vanish, a hundredth. */
#define KEPT 10.0

static WeirExpr
make_margin (const WeirCompiler *self, const WeirExpr *residuals, const WeirJacobian *jacobian,
             const WeirExpr *states)
{
  WeirExpr margin = WEIR_NO_EXPR;

  for (guint i = 0; i < jacobian->n_rows; i++)
    {
      WeirExpr size = weir_expr_number (self->pool, 0.0), kept, off;

      for (guint j = jacobian->first[i]; j < jacobian->first[i + 1]; j++)
        {
          WeirExpr term = weir_simplify_make_2 (self->pool, WEIR_OP_MUL, jacobian->entry[j],
                                                states[jacobian->column[j]]);

          size = weir_simplify_make_2 (self->pool, WEIR_OP_ADD, size,
                                       weir_simplify_make (self->pool, WEIR_OP_ABS, &term, 1));
        }
      size = weir_simplify_make_2 (self->pool, WEIR_OP_ADD, size,
                                   weir_expr_number (self->pool, 0.01));
      kept = weir_simplify_make_2 (
          self->pool, WEIR_OP_MUL, weir_expr_number (self->pool, KEPT),
          weir_simplify_make_2 (self->pool, WEIR_OP_MAX,
                                weir_expr_symbol (self->pool, WEIR_ACCURACY_SYMBOL),
                                weir_expr_number (self->pool, 1e-12)));
      kept = weir_simplify_make_2 (self->pool, WEIR_OP_MUL, kept, size);
      off = weir_simplify_make (self->pool, WEIR_OP_ABS, &residuals[i], 1);
      off = weir_simplify_make_2 (self->pool, WEIR_OP_SUB, kept, off);
      margin = i == 0 ? off : weir_simplify_make_2 (self->pool, WEIR_OP_MIN, margin, off);
    }
  return margin;
}

/* Which invariants read a state in common, in compressed rows like a matrix. FALSE if nearly all
 * do. */
static gboolean
find_neighbours (const WeirJacobian *jacobian, GArray *first, GArray *column)
{
  guint m = jacobian->n_rows, zero = 0;
  g_auto (WeirRows) readers = { 0 };
  g_autofree guint *last_in = g_new0 (guint, m + 1);

  weir_rows_transpose (&readers, jacobian->n_columns, m, jacobian->first, jacobian->column);
  g_array_append_val (first, zero);
  for (guint i = 0; i < m; i++)
    {
      for (guint j = jacobian->first[i]; j < jacobian->first[i + 1]; j++)
        for (guint l = readers.first[jacobian->column[j]];
             l < readers.first[jacobian->column[j] + 1]; l++)
          {
            guint other = readers.items[l];

            if (last_in[other] == i + 1)
              continue;
            last_in[other] = i + 1;
            g_array_append_val (column, other);
          }
      g_array_append_val (first, column->len);
      if (column->len > MAX_NEIGHBOURS)
        return FALSE;
    }
  return TRUE;
}

/* The invariants in an order in which those that read a state in common are close to each other,
 * so that their Jacobian times its transpose is a narrow band. (transfer full) */
static WeirExpr *
order_invariants (WeirCompiler *self, const WeirExpr *states, guint n, WeirBand *band)
{
  const GArray *invariants = self->equations->invariants;
  guint m = invariants->len;
  g_autoptr (GArray) first = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (GArray) column = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autofree WeirExpr *residuals = g_new (WeirExpr, m);
  g_autofree guint *order = g_new (guint, m), *place_of = g_new (guint, m);
  WeirExpr *ordered = g_new (WeirExpr, m);
  g_autoptr (WeirJacobian) jacobian = NULL;

  for (guint i = 0; i < m; i++)
    ordered[i] = residuals[i] = g_array_index (invariants, WeirInvariant, i).residual;
  *band = weir_band_dense (m);
  jacobian = weir_jacobian_new (self->pool, residuals, m, states, n);
  if (!find_neighbours (jacobian, first, column))
    return ordered;
  weir_band_order (m, (guint *) first->data, (guint *) column->data, order);
  for (guint i = 0; i < m; i++)
    {
      ordered[i] = residuals[order[i]];
      place_of[order[i]] = i;
    }
  *band = (WeirBand) { m, 0, 0 };
  for (guint i = 0; i < m; i++)
    for (guint j = g_array_index (first, guint, i); j < g_array_index (first, guint, i + 1); j++)
      {
        guint other = place_of[g_array_index (column, guint, j)];

        band->lower = MAX (band->lower, place_of[i] - MIN (place_of[i], other));
      }
  band->upper = band->lower;
  return ordered;
}

/* The first element of the witness: where the states have drifted off the invariants. */
void
weir_making_add_projection (WeirMaking *making, GArray *crossings, GArray *lines)
{
  WeirCompiler *self = making->compiler;
  const GArray *invariants = self->equations->invariants, *states = self->equations->states;
  guint m = invariants->len, n = states->len;
  WeirPart part = { .kind = WEIR_PART_PROJECTED, .first = 0, .n = m };
  g_autofree WeirExpr *atoms = g_new (WeirExpr, n + 1);
  g_autoptr (GArray) outputs = g_array_new (FALSE, FALSE, sizeof (WeirExpr));
  g_autofree WeirExpr *residuals = NULL;
  g_autoptr (WeirJacobian) jacobian = NULL;
  WeirBand band;
  guint32 line = 0;

  if (m == 0)
    return;
  for (guint i = 0; i < n; i++)
    atoms[i] = g_array_index (states, WeirState, i).atom;
  residuals = order_invariants (self, atoms, n, &band);
  g_array_append_vals (outputs, residuals, m);
  jacobian = weir_jacobian_new (self->pool, (WeirExpr *) outputs->data, m, atoms, n);
  {
    WeirExpr margin = make_margin (self, (WeirExpr *) outputs->data, jacobian, atoms);

    g_array_append_val (crossings, margin);
    g_array_append_val (lines, line);
  }
  g_array_append_vals (outputs, jacobian->entry, jacobian->first[m]);
  line = (guint32) g_array_index (invariants, WeirInvariant, 0).line;
  part.lower = band.lower;
  part.upper = band.upper;
  part.rows = weir_compiler_append_data (self, jacobian->first, (m + 1) * sizeof (guint32));
  part.columns = weir_compiler_append_data (self, jacobian->column,
                                            jacobian->first[m] * sizeof (guint32));
  part.lines = weir_compiler_append_data (self, &line, sizeof line);
  weir_making_set_program (making, &part, (WeirExpr *) outputs->data, outputs->len, atoms, n);
  g_array_append_val (making->parts, part);
}

/* Constraints among states: a system of higher index made one of index 1.
 *
 * An equation in which nothing is unknown but states holds for all times, so its derivatives by
 * time vanish too. It is differentiated, with the rates that are known put in, until something
 * unknown appears (a tension, a constraint force); that derivative takes its place. The equation
 * itself and the derivatives before remain as invariants: the start must satisfy them, and a run is
 * brought back onto them when it has drifted away. All states stay states, so that no choice among
 * them can become singular later.
 */
#include "equations/equations-private.h"

#include <string.h>

#define MAX_DERIVATIVES 5

static gboolean
is_state (const WeirEquationsBuilder *self, WeirExpr atom)
{
  const GArray *states = self->result->states;

  for (guint i = 0; i < states->len; i++)
    if (weir_expr_equal (g_array_index (states, WeirState, i).atom, atom))
      return TRUE;
  return FALSE;
}

static gboolean
is_unknown (const GArray *unknowns, WeirExpr atom)
{
  for (guint i = 0; i < unknowns->len; i++)
    if (weir_expr_equal (g_array_index (unknowns, WeirUnknown, i).atom, atom))
      return TRUE;
  return FALSE;
}

/* What D of a state is where an equation says so; else the D itself. */
static WeirExpr
get_rate (const WeirEquationsBuilder *self, const GArray *equations, WeirExpr state)
{
  WeirExpr rate = weir_expr_make_1 (self->pool, WEIR_OP_DER, state);

  for (guint i = 0; i < equations->len; i++)
    {
      const WeirScalarEquation *equation = &g_array_index (equations, WeirScalarEquation, i);
      g_autoptr (GArray) atoms = NULL;
      gboolean reads_itself = FALSE;

      if (!weir_expr_equal (equation->left, rate))
        continue;
      atoms = g_array_new (FALSE, FALSE, sizeof (WeirExpr));
      weir_expr_collect_atoms (self->pool, &equation->right, 1, atoms);
      for (guint j = 0; j < atoms->len; j++)
        reads_itself = reads_itself || weir_expr_equal (g_array_index (atoms, WeirExpr, j), rate);
      return reads_itself ? rate : equation->right;
    }
  return rate;
}

/* de/dt. FALSE if @e reads an input or a delay, whose derivative nobody knows. */
static gboolean
differentiate (const WeirEquationsBuilder *self, const GArray *equations, WeirExpr e,
               WeirExpr *derivative)
{
  g_autoptr (GArray) atoms = g_array_new (FALSE, FALSE, sizeof (WeirExpr));
  WeirExpr time = weir_expr_symbol (self->pool, "t");

  *derivative = weir_expr_number (self->pool, 0.0);
  weir_expr_collect_atoms (self->pool, &e, 1, atoms);
  for (guint i = 0; i < atoms->len; i++)
    {
      WeirExpr atom = g_array_index (atoms, WeirExpr, i);
      const WeirVariable *variable = weir_builder_find_atom (self, atom);
      WeirExpr term;

      if (variable != NULL
          && (variable->role == WEIR_ROLE_INPUT || variable->role == WEIR_ROLE_DELAYED))
        return FALSE;
      if (!weir_expr_equal (atom, time) && !is_state (self, atom))
        continue; /* holds between events */
      term = weir_expr_derive (self->pool, e, atom);
      if (!weir_expr_equal (atom, time))
        term = weir_simplify_make_2 (self->pool, WEIR_OP_MUL, term,
                                     get_rate (self, equations, atom));
      *derivative = weir_simplify_make_2 (self->pool, WEIR_OP_ADD, *derivative, term);
    }
  return TRUE;
}

/* @has_unknown: also of what the equations determine. FALSE: not even a state. */
static gboolean
reads_state (const WeirEquationsBuilder *self, const GArray *unknowns, WeirExpr e,
             gboolean *has_unknown)
{
  g_autoptr (GArray) atoms = g_array_new (FALSE, FALSE, sizeof (WeirExpr));
  gboolean has_state = FALSE;

  *has_unknown = FALSE;
  weir_expr_collect_atoms (self->pool, &e, 1, atoms);
  for (guint i = 0; i < atoms->len; i++)
    {
      WeirExpr atom = g_array_index (atoms, WeirExpr, i);

      *has_unknown = *has_unknown || is_unknown (unknowns, atom);
      has_state = has_state || is_state (self, atom);
    }
  return has_state;
}

/* FALSE if @equation is a constraint that this cannot deal with. */
static gboolean
reduce (WeirEquationsBuilder *self, const GArray *equations, const GArray *unknowns,
        WeirScalarEquation *equation, guint *n_derivatives)
{
  WeirExpr residual = weir_simplify_make_2 (self->pool, WEIR_OP_SUB, equation->left,
                                            equation->right);
  gboolean has_unknown;
  WeirScalarEquation at_start = { .left = weir_expr_number (self->pool, 0.0),
                                  .line = equation->line };

  *n_derivatives = 0;
  if (!reads_state (self, unknowns, residual, &has_unknown) || has_unknown)
    return TRUE; /* no constraint among states */
  while (!has_unknown && *n_derivatives < MAX_DERIVATIVES)
    {
      WeirInvariant invariant = { residual, equation->line };
      WeirExpr derivative;

      if (!differentiate (self, equations, residual, &derivative)
          || weir_expr_get_op (self->pool, derivative) == WEIR_OP_NUMBER)
        break;
      g_array_append_val (self->result->invariants, invariant);
      residual = derivative;
      at_start.right = residual;
      g_array_append_val (self->reduced, at_start);
      ++*n_derivatives;
      reads_state (self, unknowns, residual, &has_unknown);
    }
  if (!has_unknown)
    return FALSE;
  equation->left = weir_expr_number (self->pool, 0.0);
  equation->right = residual;
  return TRUE;
}

gboolean
weir_builder_reduce_index (WeirEquationsBuilder *self, GArray *equations, const GArray *unknowns)
{
  g_autoptr (GArray) original = g_array_copy (equations);
  g_autoptr (GArray) counts = g_array_new (FALSE, FALSE, sizeof (guint));
  WeirIncidence incidence;
  g_autofree guint *unknown_of = g_new (guint, equations->len + 1);
  g_autofree guint *equation_of = g_new (guint, unknowns->len + 1);
  gboolean is_fine = TRUE;
  guint n_pairs = 0;

  for (guint i = 0; i < equations->len && is_fine; i++)
    {
      guint n_derivatives;

      is_fine = reduce (self, original, unknowns, &g_array_index (equations, WeirScalarEquation, i),
                        &n_derivatives);
      g_array_append_val (counts, n_derivatives);
    }
  if (is_fine)
    {
      weir_builder_find_incidence (self, equations, unknowns, &incidence);
      n_pairs = weir_incidence_match (&incidence, equations->len, unknown_of, equation_of);
      weir_incidence_clear (&incidence);
    }
  if (n_pairs < equations->len)
    {
      g_array_set_size (equations, 0);
      g_array_append_vals (equations, original->data, original->len);
      g_array_set_size (self->result->invariants, 0);
      g_array_set_size (self->reduced, 0);
      return FALSE;
    }
  for (guint i = 0; i < equations->len; i++)
    {
      guint n = g_array_index (counts, guint, i);
      int line = g_array_index (equations, WeirScalarEquation, i).line;

      if (n > 0)
        weir_report_add (
            self->report, WEIR_SEVERITY_HINT, "EQ05", line,
            "Model: the constraint of line %d was differentiated %u time%s (the equations "
            "have index %u); a run is kept on it.",
            line, n, n == 1 ? "" : "s", n + 1);
    }
  weir_builder_sort_equations (self, equations);
  return TRUE;
}

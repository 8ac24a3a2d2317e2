/* The second step: which unknown each equation determines, in which order, and what is wrong
 * where that does not come out even.
 *
 * Equations and unknowns are sorted by what they say before anything else happens, so that the
 * order of the lines changes nothing, not even the last bit of a result.
 */
#include "equations/equations-private.h"

#include "equations/newton.h"
#include "equations/program.h"

#include <math.h>
#include <string.h>

/* --- Order ------------------------------------------------------------------------------------ */

int
weir_name_compare (const char *a, const char *b)
{
  while (*a != '\0' && *b != '\0')
    {
      if (g_ascii_isdigit (*a) && g_ascii_isdigit (*b))
        {
          char *end_a, *end_b;
          guint64 left = g_ascii_strtoull (a, &end_a, 10), right = g_ascii_strtoull (b, &end_b, 10);

          if (left != right)
            return left < right ? -1 : 1;
          if (end_a - a != end_b - b)
            return end_a - a < end_b - b ? -1 : 1;
          a = end_a;
          b = end_b;
          continue;
        }
      if (*a != *b)
        return (guchar) *a < (guchar) *b ? -1 : 1;
      a++;
      b++;
    }
  return *a == *b ? 0 : *a == '\0' ? -1 : 1;
}

typedef struct {
  char *key;
  guint index;
} Key;

static int
compare_keys (gconstpointer a, gconstpointer b)
{
  const Key *left = a, *right = b;
  int order = weir_name_compare (left->key, right->key);

  return order != 0 ? order : left->index < right->index ? -1 : 1;
}

/* Sorts elements of @size bytes by keys, which are freed. */
static void
sort_by_keys (GArray *array, GArray *keys, gsize size)
{
  g_autofree char *copy = g_memdup2 (array->data, array->len * size);

  g_array_sort (keys, compare_keys);
  for (guint i = 0; i < keys->len; i++)
    {
      Key *key = &g_array_index (keys, Key, i);

      memcpy (array->data + i * size, copy + key->index * size, size);
      g_free (key->key);
    }
}

void
weir_builder_sort_equations (const WeirEquationsBuilder *self, GArray *equations)
{
  g_autoptr (GArray) keys = g_array_new (FALSE, FALSE, sizeof (Key));

  for (guint i = 0; i < equations->len; i++)
    {
      const WeirScalarEquation *equation = &g_array_index (equations, WeirScalarEquation, i);
      g_autofree char *left = weir_expr_to_string (self->pool, equation->left);
      g_autofree char *right = weir_expr_to_string (self->pool, equation->right);
      Key key = { g_strconcat (equation->is_default ? "1" : "0", left, " ~ ", right, NULL), i };

      g_array_append_val (keys, key);
    }
  sort_by_keys (equations, keys, sizeof (WeirScalarEquation));
}

void
weir_builder_sort_unknowns (const WeirEquationsBuilder *self, GArray *unknowns)
{
  g_autoptr (GArray) keys = g_array_new (FALSE, FALSE, sizeof (Key));

  for (guint i = 0; i < unknowns->len; i++)
    {
      Key key = { weir_expr_to_string (self->pool, g_array_index (unknowns, WeirUnknown, i).atom),
                  i };

      g_array_append_val (keys, key);
    }
  sort_by_keys (unknowns, keys, sizeof (WeirUnknown));
}

/* --- Incidence -------------------------------------------------------------------------------- */

static WeirExpr
make_residual (WeirExprPool *pool, const WeirScalarEquation *equation)
{
  return weir_simplify_make (pool, WEIR_OP_SUB, (WeirExpr[]) { equation->left, equation->right },
                             2);
}

void
weir_builder_find_incidence (const WeirEquationsBuilder *self, const GArray *equations,
                             const GArray *unknowns, WeirIncidence *incidence)
{
  g_autoptr (GHashTable) number = g_hash_table_new (NULL, NULL); /* atom + 1 to number + 1 */
  g_autoptr (GArray) atoms = g_array_new (FALSE, FALSE, sizeof (WeirExpr));

  for (guint i = 0; i < unknowns->len; i++)
    g_hash_table_insert (number,
                         GUINT_TO_POINTER (g_array_index (unknowns, WeirUnknown, i).atom.i + 1),
                         GUINT_TO_POINTER (i + 1));
  weir_incidence_init (incidence, unknowns->len);
  for (guint i = 0; i < equations->len; i++)
    {
      const WeirScalarEquation *equation = &g_array_index (equations, WeirScalarEquation, i);
      WeirExpr sides[2] = { equation->left, equation->right };

      g_array_set_size (atoms, 0);
      weir_expr_collect_atoms (self->pool, sides, 2, atoms);
      /* The left side comes first: y ~ f is preferred to determine y. */
      for (guint j = 0; j < atoms->len; j++)
        {
          guint found = GPOINTER_TO_UINT (g_hash_table_lookup (
              number, GUINT_TO_POINTER (g_array_index (atoms, WeirExpr, j).i + 1)));

          if (found > 0)
            weir_incidence_add (incidence, found - 1);
        }
      weir_incidence_end_equation (incidence);
    }
}

/* --- Blocks ----------------------------------------------------------------------------------- */

void
weir_equation_block_free (WeirEquationBlock *block)
{
  if (block == NULL)
    return;
  g_free (block->unknowns);
  g_free (block->lines);
  g_free (block->residuals);
  g_free (block->guess);
  weir_jacobian_free (block->jacobian);
  g_free (block);
}

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
  rest = weir_simplify_make (pool, WEIR_OP_NEG, &rest, 1);
  *value = weir_simplify_make (pool, WEIR_OP_DIV, (WeirExpr[]) { rest, slope }, 2);
  return SOLVED;
}

static char *
enumerate_lines (const int *lines, guint n)
{
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < n; i++)
    {
      gboolean is_new = TRUE;

      for (guint j = 0; j < i; j++)
        is_new = is_new && lines[j] != lines[i];
      if (is_new)
        g_ptr_array_add (texts, g_strdup_printf ("%d", lines[i]));
    }
  g_ptr_array_add (texts, NULL);
  {
    g_autofree char *list = weir_text_enumerate ((const char *const *) texts->pdata);

    return g_strconcat (texts->len > 2 ? "lines " : "line ", list, NULL);
  }
}

static char *
enumerate_atoms (const WeirEquationsBuilder *self, const WeirExpr *atoms, guint n)
{
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < n && i < 10; i++)
    g_ptr_array_add (texts, weir_builder_dup_name (self, atoms[i]));
  if (n > 10)
    g_ptr_array_add (texts, g_strdup_printf ("%u more", n - 10));
  g_ptr_array_add (texts, NULL);
  return weir_text_enumerate ((const char *const *) texts->pdata);
}

/* Is the block's matrix, where it is made of numbers, singular? @is_common_shift: adding one
 * number to all unknowns changes nothing. */
static gboolean
is_singular (WeirExprPool *pool, const WeirEquationBlock *block, gboolean *is_common_shift)
{
  const WeirJacobian *jacobian = block->jacobian;
  guint n = block->n;
  g_autofree double *matrix = NULL;
  g_autofree double *sums = NULL;
  double largest = 0.0;

  if (n > 500)
    return FALSE; /* seen when it is solved */
  matrix = g_new0 (double, n *n);
  sums = g_new0 (double, n);
  for (guint i = 0; i < n; i++)
    for (guint j = jacobian->first[i]; j < jacobian->first[i + 1]; j++)
      {
        double value;

        if (weir_expr_get_op (pool, jacobian->entry[j]) != WEIR_OP_NUMBER)
          return FALSE;
        value = weir_expr_get_number (pool, jacobian->entry[j]);
        matrix[i * n + jacobian->column[j]] = value;
        sums[i] += value;
        largest = fmax (largest, fabs (value));
      }
  *is_common_shift = TRUE;
  for (guint i = 0; i < n; i++)
    *is_common_shift = *is_common_shift && fabs (sums[i]) <= 1e-14 * largest;
  return !weir_dense_solve (matrix, sums, n);
}

WeirEquationBlock *
weir_builder_make_block (WeirEquationsBuilder *self, const GArray *equations,
                         const GArray *unknowns, const guint *unknown_of, const guint *rows,
                         guint n, const char *stage)
{
  WeirEquationBlock *block = g_new0 (WeirEquationBlock, 1);
  g_autofree char *names = NULL;
  g_autofree char *lines = NULL;
  g_autofree guint *columns = g_new (guint, n);
  Solving solving = NOT_LINEAR;
  gboolean is_common_shift = FALSE;

  block->n = n;
  block->unknowns = g_new (WeirExpr, n);
  block->lines = g_new (int, n);
  block->value = WEIR_NO_EXPR;
  for (guint i = 0; i < n; i++)
    columns[i] = unknown_of[rows[i]];
  /* Unknowns ascend as equations do. */
  for (guint i = 1; i < n; i++)
    for (guint j = i; j > 0 && columns[j] < columns[j - 1]; j--)
      {
        guint swap = columns[j];

        columns[j] = columns[j - 1];
        columns[j - 1] = swap;
      }
  for (guint i = 0; i < n; i++)
    {
      block->unknowns[i] = g_array_index (unknowns, WeirUnknown, columns[i]).atom;
      block->lines[i] = g_array_index (equations, WeirScalarEquation, rows[i]).line;
    }
  if (n == 1)
    solving = solve_for (self->pool, &g_array_index (equations, WeirScalarEquation, rows[0]),
                         block->unknowns[0], &block->value);
  if (solving == SOLVED)
    return block;

  block->residuals = g_new (WeirExpr, n);
  block->guess = g_new0 (double, n);
  for (guint i = 0; i < n; i++)
    block->residuals[i] = make_residual (self->pool,
                                         &g_array_index (equations, WeirScalarEquation, rows[i]));
  block->jacobian = weir_jacobian_new (self->pool, block->residuals, n, block->unknowns, n);
  block->is_linear = TRUE;
  for (guint i = 0; i < block->jacobian->first[n] && block->is_linear; i++)
    block->is_linear = !reads_any (self->pool, block->jacobian->entry[i], block->unknowns, n);
  if (solving != DROPS_OUT
      && !(block->is_linear && is_singular (self->pool, block, &is_common_shift)))
    return block;

  names = enumerate_atoms (self, block->unknowns, n);
  lines = enumerate_lines (block->lines, n);
  if (n == 1)
    weir_builder_fail (self, "EQ05", block->lines[0],
                       "%s: %s does not determine %s, which cancels in it.", stage, lines, names);
  else if (is_common_shift)
    weir_builder_fail (self, "EQ05", block->lines[0],
                       "%s: %s are only determined up to a common constant by %s.", stage, names,
                       lines);
  else
    weir_builder_fail (self, "EQ05", block->lines[0],
                       "%s: %s are not determined by %s: these equations are dependent (singular).",
                       stage, names, lines);
  weir_equation_block_free (block);
  return NULL;
}

/* --- What does not come out even -------------------------------------------------------------- */

/* The atoms of unknowns to one more than their index. (transfer full) */
static GHashTable *
index_unknowns (const GArray *unknowns)
{
  GHashTable *index = g_hash_table_new (NULL, NULL);

  for (guint i = unknowns->len; i-- > 0;)
    g_hash_table_insert (index, GUINT_TO_POINTER (g_array_index (unknowns, WeirUnknown, i).atom.i + 1),
                         GUINT_TO_POINTER (i + 1));
  return index;
}

/* The unknown that an equation is written to define, or WEIR_UNMATCHED. */
static guint
find_defined (GHashTable *index, const WeirScalarEquation *equation)
{
  guint found = GPOINTER_TO_UINT (
      g_hash_table_lookup (index, GUINT_TO_POINTER (equation->left.i + 1)));

  return found > 0 ? found - 1 : WEIR_UNMATCHED;
}

/* Two lines that define the same: EQ04. TRUE if there are any. */
static gboolean
report_twice_defined (WeirEquationsBuilder *self, const GArray *equations)
{
  gboolean has_found = FALSE;

  for (guint i = 1; i < equations->len; i++)
    {
      const WeirScalarEquation *a = &g_array_index (equations, WeirScalarEquation, i - 1);
      const WeirScalarEquation *b = &g_array_index (equations, WeirScalarEquation, i);
      g_autofree char *name = NULL;

      if (!weir_expr_equal (a->left, b->left) || !weir_expr_is_atom (self->pool, a->left))
        continue;
      name = weir_builder_dup_name (self, a->left);
      if (a->line == b->line)
        weir_builder_fail (self, "EQ04", a->line, "%s is defined twice in line %d.", name, a->line);
      else
        weir_builder_fail (self, "EQ04", MAX (a->line, b->line),
                           "%s is defined twice: in line %d and in line %d.", name,
                           MIN (a->line, b->line), MAX (a->line, b->line));
      has_found = TRUE;
    }
  return has_found;
}

/* The name nearest to a misspelled one. */
static const char *
find_nearest_name (const WeirEquationsBuilder *self, const WeirVariable *wanted)
{
  const char *nearest = NULL;
  gsize length = strlen (wanted->name);
  guint best = length > 3 ? 3 : length == 3 ? 2 : 0; /* short names are all alike */

  for (guint i = 0; i < self->result->variables->len; i++)
    {
      const WeirVariable *variable = g_ptr_array_index (self->result->variables, i);
      guint distance;

      if (variable == wanted)
        continue;
      distance = weir_text_distance (variable->name, wanted->name);
      if (distance < best)
        {
          best = distance;
          nearest = variable->name;
        }
    }
  return nearest;
}

static void
report_missing (WeirEquationsBuilder *self, const GArray *equations, const GArray *unknowns,
                const WeirIncidence *incidence, const guint *unknown_of, const guint *equation_of)
{
  g_autofree gboolean *lacking = g_new0 (gboolean, unknowns->len + 1);
  g_autofree gboolean *rows = g_new0 (gboolean, equations->len + 1);
  g_autofree gboolean *is_defined = g_new0 (gboolean, unknowns->len + 1);
  g_autoptr (GArray) atoms = g_array_new (FALSE, FALSE, sizeof (WeirExpr));
  g_autoptr (GHashTable) index = index_unknowns (unknowns);
  g_autofree char *names = NULL;
  const WeirVariable *last = NULL;
  guint n_free = 0, n_named = 0;
  int line = 0;

  weir_incidence_find_missing (incidence, unknown_of, equation_of, rows, lacking);
  for (guint i = 0; i < equations->len; i++)
    {
      guint defined = find_defined (index, &g_array_index (equations, WeirScalarEquation, i));

      if (defined != WEIR_UNMATCHED)
        is_defined[defined] = TRUE;
      /* An implicit equation is about all that it contains. */
      for (guint j = g_array_index (incidence->first, guint, i);
           defined == WEIR_UNMATCHED && j < g_array_index (incidence->first, guint, i + 1); j++)
        is_defined[g_array_index (incidence->column, guint, j)] = TRUE;
    }
  for (guint i = 0; i < unknowns->len; i++)
    {
      const WeirUnknown *unknown = &g_array_index (unknowns, WeirUnknown, i);
      const WeirVariable *variable = g_ptr_array_index (self->result->variables, unknown->variable);

      n_free += equation_of[i] == WEIR_UNMATCHED;
      if (!lacking[i] || is_defined[i] || variable->role != WEIR_ROLE_UNKNOWN || variable == last)
        continue;
      last = variable;
      {
        const char *nearest = find_nearest_name (self, variable);

        if (nearest != NULL)
          weir_builder_fail (self, "EQ02", variable->line,
                             "Line %d: '%s' is neither an input, a parameter nor defined; did you "
                             "mean '%s'?",
                             variable->line, variable->name, nearest);
        else
          weir_builder_fail (
              self, "EQ02", variable->line,
              "Line %d: '%s' is neither an input, a parameter nor defined; add 'input "
              "%s', 'parameter %s = ...' or an equation.",
              variable->line, variable->name, variable->name, variable->name);
      }
      n_named++;
    }
  if (n_named > 0)
    return;
  for (guint i = 0; i < unknowns->len; i++)
    if (lacking[i])
      {
        const WeirUnknown *unknown = &g_array_index (unknowns, WeirUnknown, i);
        const WeirVariable *variable = g_ptr_array_index (self->result->variables,
                                                          unknown->variable);

        g_array_append_val (atoms, unknown->atom);
        line = line == 0 ? variable->line : MIN (line, variable->line);
      }
  names = enumerate_atoms (self, (WeirExpr *) atoms->data, atoms->len);
  weir_builder_fail (self, "EQ03", line,
                     "Model: %u equation%s too few (%u for %u unknowns): %s %s not determined.",
                     n_free, n_free == 1 ? "" : "s", equations->len, unknowns->len, names,
                     atoms->len == 1 ? "is" : "are");
}

static void
report_surplus (WeirEquationsBuilder *self, const GArray *equations, const GArray *unknowns,
                const WeirIncidence *incidence, const guint *unknown_of, const guint *equation_of)
{
  g_autofree gboolean *columns = g_new0 (gboolean, unknowns->len + 1);
  g_autofree gboolean *rows = g_new0 (gboolean, equations->len + 1);
  g_autofree int *lines = g_new0 (int, equations->len + 1);
  g_autoptr (GArray) atoms = g_array_new (FALSE, FALSE, sizeof (WeirExpr));
  guint n_lines = 0, n_surplus = 0;

  weir_incidence_find_surplus (incidence, unknown_of, equation_of, rows, columns);
  for (guint i = 0; i < equations->len; i++)
    {
      const WeirScalarEquation *equation = &g_array_index (equations, WeirScalarEquation, i);

      if (!rows[i])
        continue;
      n_surplus += unknown_of[i] == WEIR_UNMATCHED;
      lines[n_lines++] = equation->line;
    }
  for (guint i = 0; i < unknowns->len; i++)
    if (columns[i])
      g_array_append_val (atoms, g_array_index (unknowns, WeirUnknown, i).atom);
  {
    g_autofree char *where = enumerate_lines (lines, MIN (n_lines, 20));
    g_autofree char *names = enumerate_atoms (self, (WeirExpr *) atoms->data, atoms->len);

    weir_builder_fail (self, "EQ03", lines[0],
                       "Model: %u equation%s too many: %s determine %s more than once.", n_surplus,
                       n_surplus == 1 ? "" : "s", where, atoms->len > 0 ? names : "nothing");
  }
}

/* Equations in which nothing is unknown: conditions on parameters, inputs or states. TRUE if any
 * is of the first two kinds. */
static gboolean
report_empty (WeirEquationsBuilder *self, const GArray *equations, const WeirIncidence *incidence,
              const guint *unknown_of)
{
  gboolean has_found = FALSE;

  for (guint i = 0; i < equations->len; i++)
    {
      const WeirScalarEquation *equation = &g_array_index (equations, WeirScalarEquation, i);
      g_autoptr (GArray) atoms = g_array_new (FALSE, FALSE, sizeof (WeirExpr));
      WeirExpr sides[2] = { equation->left, equation->right };
      gboolean has_state = FALSE, has_input = FALSE;

      if (unknown_of[i] != WEIR_UNMATCHED
          || g_array_index (incidence->first, guint, i)
                 != g_array_index (incidence->first, guint, i + 1))
        continue;
      weir_expr_collect_atoms (self->pool, sides, 2, atoms);
      for (guint j = 0; j < atoms->len; j++)
        {
          const WeirVariable *variable = weir_builder_find_atom (
              self, g_array_index (atoms, WeirExpr, j));

          has_state = has_state || (variable != NULL && variable->role == WEIR_ROLE_STATE);
          has_input = has_input || variable == NULL || variable->role == WEIR_ROLE_INPUT
                      || variable->role == WEIR_ROLE_DISCRETE;
        }
      if (has_state)
        continue;
      weir_builder_fail (self, "EQ03", equation->line,
                         "Model: line %d contains no unknown: it is a condition on %s.",
                         equation->line, has_input ? "inputs and parameters" : "parameters");
      has_found = TRUE;
    }
  return has_found;
}

/* Constraints among states: the index says how often they must be differentiated. Variables: for
 * each state its chain x, D(x), ...; and the unknowns. */
static gboolean
report_index (WeirEquationsBuilder *self, const GArray *equations, const GArray *unknowns)
{
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (WeirUnknown));
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (WeirScalarEquation));
  g_autoptr (GArray) derivative_of = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autofree guint *counts = NULL;
  g_autofree int *lines = NULL;
  WeirIncidence incidence;
  guint most = 0, n_lines = 0;
  gboolean is_index;

  for (guint i = 0; i < unknowns->len; i++)
    {
      WeirUnknown unknown = g_array_index (unknowns, WeirUnknown, i);
      g_autoptr (GArray) chain = g_array_new (FALSE, FALSE, sizeof (WeirExpr));
      WeirExpr e = unknown.atom;

      while (weir_expr_get_op (self->pool, e) == WEIR_OP_DER)
        {
          g_array_append_val (chain, e);
          e = weir_expr_get_arg (self->pool, e, 0);
        }
      g_array_append_val (chain, e);
      for (guint j = chain->len; j-- > 0;)
        {
          guint next = j > 0 ? all->len + 1 : WEIR_UNMATCHED;

          unknown.atom = g_array_index (chain, WeirExpr, j);
          g_array_append_val (all, unknown);
          g_array_append_val (derivative_of, next);
        }
    }
  for (guint i = 0; i < equations->len; i++)
    g_array_append_val (rows, g_array_index (equations, WeirScalarEquation, i));
  weir_builder_find_incidence (self, rows, all, &incidence);
  counts = g_new0 (guint, rows->len + 1);
  lines = g_new0 (int, rows->len + 1);
  is_index = weir_incidence_find_index (&incidence, (const guint *) derivative_of->data, counts);
  weir_incidence_clear (&incidence);
  for (guint i = 0; i < rows->len; i++)
    most = MAX (most, counts[i]);
  if (!is_index || most == 0)
    return FALSE;
  for (guint i = 0; i < rows->len; i++)
    if (counts[i] == most)
      lines[n_lines++] = g_array_index (rows, WeirScalarEquation, i).line;
  {
    g_autofree char *where = enumerate_lines (lines, n_lines);

    weir_builder_fail (
        self, "EQ05", lines[0],
        "Model: the equations have index %u (expected at most 1): the constraint of %s "
        "fixes states and must be differentiated %u time%s; write it in its "
        "differentiated form, or take a state away.",
        most + 1, where, most, most == 1 ? "" : "s");
  }
  return TRUE;
}

/* --- A partition: equations and unknowns ------------------------------------------------------ */

static void
order_partition (WeirEquationsBuilder *self, GArray *equations, GArray *unknowns, GPtrArray *blocks)
{
  g_autofree guint *unknown_of = NULL;
  g_autofree guint *equation_of = NULL;
  g_autoptr (GArray) order = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (GArray) ends = g_array_new (FALSE, FALSE, sizeof (guint));
  WeirIncidence incidence;
  guint n_pairs, begin = 0;

  weir_builder_sort_equations (self, equations);
  weir_builder_sort_unknowns (self, unknowns);
  weir_builder_find_incidence (self, equations, unknowns, &incidence);
  unknown_of = g_new (guint, equations->len + 1);
  equation_of = g_new (guint, unknowns->len + 1);
  n_pairs = weir_incidence_match (&incidence, equations->len, unknown_of, equation_of);
  if (n_pairs < equations->len && equations->len == unknowns->len
      && blocks == self->result->blocks && weir_builder_reduce_index (self, equations, unknowns))
    {
      weir_incidence_clear (&incidence);
      weir_builder_find_incidence (self, equations, unknowns, &incidence);
      n_pairs = weir_incidence_match (&incidence, equations->len, unknown_of, equation_of);
    }
  if (n_pairs < equations->len || n_pairs < unknowns->len)
    {
      gboolean is_told = report_twice_defined (self, equations);

      is_told = report_empty (self, equations, &incidence, unknown_of) || is_told;
      if (!is_told && n_pairs < equations->len && equations->len == unknowns->len)
        is_told = report_index (self, equations, unknowns);
      if (n_pairs < unknowns->len && !(is_told && equations->len >= unknowns->len))
        report_missing (self, equations, unknowns, &incidence, unknown_of, equation_of);
      else if (!is_told)
        report_surplus (self, equations, unknowns, &incidence, unknown_of, equation_of);
      weir_incidence_clear (&incidence);
      return;
    }
  weir_incidence_find_blocks (&incidence, unknown_of, equation_of, order, ends);
  for (guint i = 0; i < ends->len; i++)
    {
      guint end = g_array_index (ends, guint, i);
      WeirEquationBlock *block = weir_builder_make_block (self, equations, unknowns, unknown_of,
                                                          &g_array_index (order, guint, begin),
                                                          end - begin, "Model");

      if (block != NULL)
        g_ptr_array_add (blocks, block);
      begin = end;
    }
  weir_incidence_clear (&incidence);
}

/* Moves on those whose right sides hold no target that is still to be computed; pre (x) is none. */
static gboolean
order_assignments (WeirEquationsBuilder *self, WeirEvent *event)
{
  GArray *ordered = g_array_new (FALSE, FALSE, sizeof (WeirAssignment));
  GArray *waiting = event->assignments;
  gboolean has_moved = TRUE;

  while (has_moved && waiting->len > 0)
    {
      has_moved = FALSE;
      for (guint i = 0; i < waiting->len;)
        {
          WeirAssignment assignment = g_array_index (waiting, WeirAssignment, i);
          g_autofree WeirExpr *targets = g_new (WeirExpr, waiting->len);

          for (guint j = 0; j < waiting->len; j++)
            targets[j] = g_array_index (waiting, WeirAssignment, j).target;
          if (reads_any (self->pool, assignment.value, targets, waiting->len))
            {
              i++;
              continue;
            }
          g_array_append_val (ordered, assignment);
          g_array_remove_index (waiting, i);
          has_moved = TRUE;
        }
    }
  if (waiting->len > 0)
    weir_builder_fail (self, "EQ08", event->line,
                       "Line %d: the assignments read each other in a cycle; use pre().",
                       event->line);
  event->assignments = ordered;
  g_array_unref (waiting);
  return !self->has_failed;
}

void
weir_builder_order_events (WeirEquationsBuilder *self)
{
  for (guint i = 0; i < self->result->events->len; i++)
    if (!order_assignments (self, g_ptr_array_index (self->result->events, i)))
      return;
}

static int
compare_states (gconstpointer a, gconstpointer b, gpointer data)
{
  const WeirState *left = a, *right = b;
  WeirEquations *result = data;
  const WeirVariable *x = g_ptr_array_index (result->variables, left->variable);
  const WeirVariable *y = g_ptr_array_index (result->variables, right->variable);
  int order = weir_name_compare (x->name, y->name);

  if (order != 0)
    return order;
  if (left->order != right->order)
    return left->order < right->order ? -1 : 1;
  return left->element < right->element ? -1 : left->element > right->element;
}

static void
add_states (WeirEquationsBuilder *self, const WeirVariable *variable, guint index, GArray *unknowns)
{
  for (guint i = 0; i < variable->size; i++)
    {
      WeirState state = { .atom = variable->elements[i], .variable = index, .element = i };
      WeirUnknown unknown;

      for (state.order = 0; state.order < variable->order; state.order++)
        {
          state.rate = weir_expr_make_1 (self->pool, WEIR_OP_DER, state.atom);
          g_array_append_val (self->result->states, state);
          state.atom = state.rate;
        }
      unknown = (WeirUnknown) { state.rate, index };
      g_array_append_val (unknowns, unknown);
    }
}

void
weir_builder_order (WeirEquationsBuilder *self)
{
  g_autoptr (GArray) unknowns = g_array_new (FALSE, FALSE, sizeof (WeirUnknown));
  g_autoptr (GArray) tick_unknowns = g_array_new (FALSE, FALSE, sizeof (WeirUnknown));
  const GPtrArray *variables = self->result->variables;
  g_autoptr (GArray) frozen = NULL;

  for (guint i = 0; i < variables->len; i++)
    {
      const WeirVariable *variable = g_ptr_array_index (variables, i);

      if (variable->role == WEIR_ROLE_STATE)
        add_states (self, variable, i, unknowns);
      for (guint j = 0; j < variable->size; j++)
        {
          WeirUnknown unknown = { variable->elements[j], i };

          if (variable->role == WEIR_ROLE_UNKNOWN || variable->is_bound)
            g_array_append_val (unknowns, unknown);
          else if (variable->role == WEIR_ROLE_DISCRETE && variable->depth > 0)
            {
              unknown.atom = weir_expr_make_2 (self->pool, WEIR_OP_SHIFT, variable->elements[j],
                                               weir_expr_number (self->pool, 0.0));
              g_array_append_val (tick_unknowns, unknown);
            }
        }
    }
  g_array_sort_with_data (self->result->states, compare_states, self->result);
  /* Sorted first, so that relations are found in an order of their own. */
  weir_builder_sort_equations (self, self->equations);
  frozen = weir_builder_freeze (self, self->equations);
  order_partition (self, frozen, unknowns, self->result->blocks);
  order_partition (self, self->tick_equations, tick_unknowns, self->result->tick_blocks);
  if (!self->has_failed)
    weir_builder_order_events (self);
}

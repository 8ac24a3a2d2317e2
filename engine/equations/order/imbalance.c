/* What is said where equations and unknowns do not come out even: too many, too few, defined twice,
 * of higher index. Names are those that the text has, and every sentence says that it is about the
 * model.
 */
#include "equations/declare/declare.h"
#include "base/text.h"
#include "equations/order/order.h"
#include "base/phrase.h"

#include <string.h>

#define MAX_SUGGESTED                                                                              \
  100 /* unknown names for which a similar one is sought: all names are read                       \
       */

/* --- Reports --------------------------------------------------------------------------------- */

/* The atoms of unknowns to one more than their index. (transfer full) */
static GHashTable *
index_unknowns (const GArray *unknowns)
{
  GHashTable *index = g_hash_table_new (NULL, NULL);

  for (guint i = unknowns->len; i-- > 0;)
    g_hash_table_insert (index,
                         GUINT_TO_POINTER (g_array_index (unknowns, WeirUnknown, i).atom.i + 1),
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
        weir_builder_fail (self, "EQ04", a->line, N_ ("Model: %s is defined twice in line %d."),
                           name, a->line);
      else
        weir_builder_fail (self, "EQ04", MAX (a->line, b->line),
                           N_ ("Model: %s is defined twice: in line %d and in line %d."), name,
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

/* A name that nothing says anything about: where it was looked for, and what may have been meant.
 * @n_before: how many there were before. */
static void
report_unknown_name (WeirEquationsBuilder *self, const WeirVariable *variable, guint n_before)
{
  const char *name = variable->name;
  const char *nearest = n_before < MAX_SUGGESTED ? find_nearest_name (self, variable) : NULL;
  g_autoptr (WeirMessage)
      around = self->around != NULL ? weir_message_new (N_ (", and there is no '%s' in %s"), name,
                                                        weir_surroundings_get_scopes (self->around))
                                    : weir_message_new_literal ("");
  const char *scopes = weir_message_get_text (around);
  WeirOp op;
  guint min_args, max_args;

  if (nearest == NULL && self->around != NULL && n_before < MAX_SUGGESTED)
    nearest = weir_surroundings_find_alike (self->around, name);
  if (weir_op_find_function (name, &op, &min_args, &max_args))
    weir_builder_fail (self, "EQ02", variable->line,
                       N_ ("Model: line %d: '%s' is a function; write what it is of, as in %s(x)."),
                       variable->line, name, name);
  else if (nearest != NULL)
    weir_builder_fail (
        self, "EQ02", variable->line,
        N_ ("Model: line %d: '%s' is neither an input, a parameter nor defined%s; did "
            "you mean '%s'?"),
        variable->line, name, scopes, nearest);
  else if (strchr (name, '.') != NULL)
    weir_builder_fail (
        self, "EQ02", variable->line,
        N_ ("Model: line %d: '%s' is neither an input, a parameter nor defined%s; what "
            "another block computes comes by a wire to an input, whose name has no dot."),
        variable->line, name, scopes);
  else
    weir_builder_fail (
        self, "EQ02", variable->line,
        N_ ("Model: line %d: '%s' is neither an input, a parameter nor defined%s; add "
            "'input %s', 'parameter %s = ...' or an equation."),
        variable->line, name, scopes, name, name);
  weir_diagnostics_set_subject (self->report->diagnostics, name);
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
  g_autoptr (WeirMessage) few = NULL, names = NULL;
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
      report_unknown_name (self, variable, n_named++);
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
  names = weir_builder_enumerate_atoms (self, (WeirExpr *) atoms->data, atoms->len);
  few = weir_message_new (n_free == 1 ? N_ ("%u equation too few") : N_ ("%u equations too few"),
                          n_free);
  weir_builder_fail (
      self, "EQ03", line,
      atoms->len == 1 ? N_ ("Model: %s (%u for %u unknowns): %s is not determined.")
                      : N_ ("Model: %s (%u for %u unknowns): %s are not determined."),
      weir_message_get_text (few), equations->len, unknowns->len, weir_message_get_text (names));
}

/* Equations that read nothing but states, whose derivatives others determine. */
static void
report_fixed_states (WeirEquationsBuilder *self, const GArray *equations, const gboolean *rows,
                     const char *where, guint n_surplus)
{
  g_autoptr (GArray) atoms = g_array_new (FALSE, FALSE, sizeof (WeirExpr));
  g_autoptr (GArray) states = g_array_new (FALSE, FALSE, sizeof (WeirExpr));
  g_autoptr (WeirMessage) names = NULL;
  int line = 0;

  for (guint i = 0; i < equations->len; i++)
    if (rows[i])
      {
        const WeirScalarEquation *equation = &g_array_index (equations, WeirScalarEquation, i);
        WeirExpr sides[2] = { equation->left, equation->right };

        line = line == 0 ? equation->line : MIN (line, equation->line);
        weir_expr_collect_atoms (self->pool, sides, 2, atoms);
      }
  for (guint i = 0; i < atoms->len; i++)
    {
      WeirExpr atom = g_array_index (atoms, WeirExpr, i);
      const WeirVariable *variable = weir_builder_find_atom (self, atom);
      gboolean is_new = variable != NULL && variable->role == WEIR_ROLE_STATE;

      for (guint j = 0; j < states->len && is_new; j++)
        is_new = !weir_expr_equal (g_array_index (states, WeirExpr, j), atom);
      if (is_new && states->len < 20)
        g_array_append_val (states, atom);
    }
  names = weir_builder_enumerate_atoms (self, (WeirExpr *) states->data, states->len);
  weir_builder_fail (
      self, "EQ03", line,
      n_surplus == 1
          ? N_ ("Model: %u equation too many: the value of %s in %s follows from its "
                "derivative already; what holds at the start alone is written with 'initial'.")
          : N_ ("Model: %u equations too many: the value of %s in %s follows from its "
                "derivative already; what holds at the start alone is written with 'initial'."),
      n_surplus, weir_message_get_text (names), where);
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
    g_autoptr (WeirMessage) places = weir_builder_enumerate_lines (lines, n_lines);
    g_autoptr (WeirMessage)
        names = weir_builder_enumerate_atoms (self, (WeirExpr *) atoms->data, atoms->len);
    g_autoptr (WeirMessage) many = weir_message_new (
        n_surplus == 1 ? N_ ("%u equation too many") : N_ ("%u equations too many"), n_surplus);
    const char *where = weir_message_get_text (places);

    if (atoms->len == 0)
      report_fixed_states (self, equations, rows, where, n_surplus);
    else
      weir_builder_fail (self, "EQ03", lines[0],
                         g_str_has_prefix (where, "line ")
                             ? N_ ("Model: %s: %s determines %s more than once.")
                             : N_ ("Model: %s: %s determine %s more than once."),
                         weir_message_get_text (many), where, weir_message_get_text (names));
  }
}

/* What an event assigns to holds its value until the next one: no equation determines it too. */
static gboolean
report_assigned (WeirEquationsBuilder *self, const WeirScalarEquation *equation)
{
  for (guint i = 0; i < self->result->events->len; i++)
    {
      const WeirEvent *event = g_ptr_array_index (self->result->events, i);

      for (guint j = 0; j < event->assignments->len; j++)
        {
          const WeirAssignment *assignment = &g_array_index (event->assignments, WeirAssignment, j);
          g_autofree char *name = NULL;

          if (!weir_expr_equal (assignment->target, equation->left))
            continue;
          name = weir_builder_dup_name (self, equation->left);
          weir_builder_fail (
              self, "EQ04", MAX (equation->line, assignment->line),
              N_ ("Model: %s is defined twice: by the equation of line %d and by the "
                  "assignment of line %d."),
              name, equation->line, assignment->line);
          return TRUE;
        }
    }
  return FALSE;
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
      gboolean has_state = FALSE, has_input = FALSE, has_time = FALSE, has_parameter = FALSE;

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
          has_time = has_time || variable == NULL;
          has_input = has_input
                      || (variable != NULL
                          && (variable->role == WEIR_ROLE_INPUT
                              || variable->role == WEIR_ROLE_DISCRETE));
          has_parameter = has_parameter
                          || (variable != NULL && variable->role == WEIR_ROLE_PARAMETER);
        }
      if (has_state)
        continue;
      if (report_assigned (self, equation))
        {
          has_found = TRUE;
          continue;
        }
      weir_builder_fail (self, "EQ03", equation->line,
                         N_ ("Model: line %d contains no unknown: it is a condition on %s."),
                         equation->line,
                         weir_phrase (has_input                    ? N_ ("inputs and parameters")
                                      : has_time && !has_parameter ? N_ ("time")
                                      : has_time                   ? N_ ("time and parameters")
                                                                   : N_ ("parameters")));
      has_found = TRUE;
    }
  return has_found;
}

/* Does an equation say what @atom is? */
static gboolean
is_explicit (const GArray *equations, WeirExpr atom)
{
  for (guint i = 0; i < equations->len; i++)
    {
      const WeirScalarEquation *equation = &g_array_index (equations, WeirScalarEquation, i);

      if (weir_expr_equal (equation->left, atom) || weir_expr_equal (equation->right, atom))
        return TRUE;
    }
  return FALSE;
}

/* What an equation reads whose derivative nobody knows, as the rest of a sentence; or NULL.
 * (transfer full) */
static WeirMessage *
describe_obstacle (const WeirEquationsBuilder *self, const GArray *equations,
                   const WeirScalarEquation *equation)
{
  const WeirExpr sides[] = { equation->left, equation->right };
  g_autoptr (GArray) atoms = g_array_new (FALSE, FALSE, sizeof (WeirExpr));

  weir_expr_collect_atoms (self->pool, sides, 2, atoms);
  for (guint i = 0; i < atoms->len; i++)
    {
      WeirExpr atom = g_array_index (atoms, WeirExpr, i);
      const WeirVariable *variable = weir_builder_find_atom (self, atom);
      const WeirDelay *delay = weir_builder_find_delay (self, atom);
      g_autofree char *name = NULL;

      if (variable == NULL)
        continue;
      name = weir_builder_dup_name (self, atom);
      if (variable->role == WEIR_ROLE_INPUT)
        return weir_message_new (N_ (", but it reads the input %s, whose derivative nobody knows"),
                                 name);
      if (delay != NULL && weir_expr_get_op (self->pool, delay->time) != WEIR_OP_NUMBER)
        return weir_message_new (N_ (", but it reads %s, whose time can change"), name);
      if (delay != NULL)
        return weir_message_new (N_ (", but it reads %s, and nobody knows the derivative of that"),
                                 name);
      if (variable->role == WEIR_ROLE_UNKNOWN && !is_explicit (equations, atom))
        return weir_message_new (
            N_ (", but it reads %s, which no equation gives explicitly (%s ~ ...)"), name, name);
    }
  return NULL;
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
  g_autoptr (WeirMessage) obstacle = NULL;
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
      {
        const WeirScalarEquation *row = &g_array_index (rows, WeirScalarEquation, i);

        lines[n_lines++] = row->line;
        if (obstacle == NULL)
          obstacle = describe_obstacle (self, equations, row);
      }
  {
    g_autoptr (WeirMessage) where = weir_builder_enumerate_lines (lines, n_lines);

    weir_builder_fail (
        self, "EQ05", lines[0],
        most == 1 ? N_ ("Model: the equations have index %u (expected at most 1): the constraint "
                        "of %s fixes states and must be differentiated %u time%s; write it in its "
                        "differentiated form, or take a state away.")
                  : N_ ("Model: the equations have index %u (expected at most 1): the constraint "
                        "of %s fixes states and must be differentiated %u times%s; write it in its "
                        "differentiated form, or take a state away."),
        most + 1, weir_message_get_text (where), most,
        obstacle != NULL ? weir_message_get_text (obstacle) : "");
  }
  return TRUE;
}

void
weir_builder_report_imbalance (WeirEquationsBuilder *self, const GArray *equations,
                               const GArray *unknowns, const WeirIncidence *incidence,
                               const guint *unknown_of, const guint *equation_of, guint n_pairs)
{
  gboolean is_told = report_twice_defined (self, equations);

  is_told = report_empty (self, equations, incidence, unknown_of) || is_told;
  if (!is_told && n_pairs < equations->len && equations->len == unknowns->len)
    is_told = report_index (self, equations, unknowns);
  if (n_pairs < unknowns->len && !(is_told && equations->len >= unknowns->len))
    report_missing (self, equations, unknowns, incidence, unknown_of, equation_of);
  else if (!is_told)
    report_surplus (self, equations, unknowns, incidence, unknown_of, equation_of);
}

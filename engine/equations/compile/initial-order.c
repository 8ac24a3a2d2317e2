/* Which equations hold at the start, what is unknown there, and in which order that is solved. */
#include "equations/declare/declare.h"
#include "base/phrase.h"
#include "base/text.h"
#include "equations/compile/initial-private.h"

#define MAX_NAMED 10 /* conditions in one message */

static void
add_unknown (const WeirInitialisation *self, WeirExpr atom, guint variable, gboolean has_default,
             GArray *unknowns, GArray *equations)
{
  WeirUnknown unknown = { atom, variable };
  WeirScalarEquation start = { .left = atom, .is_default = TRUE };
  double guess;

  g_array_append_val (unknowns, unknown);
  if (!has_default)
    return;
  weir_initialisation_get_guess (self, atom, &guess);
  start.right = weir_expr_number (self->builder->pool, guess);
  g_array_append_val (equations, start);
}

/* At the start Initial (x) is x. */
static WeirExpr
replace_initial (WeirExprPool *pool, WeirExpr part, G_GNUC_UNUSED gpointer data)
{
  if (weir_expr_get_op (pool, part) == WEIR_OP_INITIAL)
    return weir_expr_get_arg (pool, part, 0);
  return weir_expr_is_atom (pool, part) ? part : WEIR_NO_EXPR;
}

static void
collect_system (const WeirInitialisation *self, GArray *unknowns, GArray *equations)
{
  WeirEquationsBuilder *builder = self->builder;
  const WeirEquations *result = builder->result;

  g_array_append_vals (equations, builder->initials->data, builder->initials->len);
  g_array_append_vals (equations, builder->equations->data, builder->equations->len);
  g_array_append_vals (equations, builder->reduced->data, builder->reduced->len);
  weir_builder_add_delayed_starts (builder, equations);
  for (guint i = 0; i < equations->len && weir_expr_pool_has_op (builder->pool, WEIR_OP_INITIAL);
       i++)
    {
      WeirScalarEquation *equation = &g_array_index (equations, WeirScalarEquation, i);

      equation->left = weir_expr_replace (builder->pool, equation->left, replace_initial, NULL,
                                          NULL);
      equation->right = weir_expr_replace (builder->pool, equation->right, replace_initial, NULL,
                                           NULL);
    }
  for (guint i = 0; i < result->states->len; i++)
    {
      const WeirState *state = &g_array_index (result->states, WeirState, i);
      const WeirVariable *variable = g_ptr_array_index (result->variables, state->variable);

      add_unknown (self, state->atom, state->variable, TRUE, unknowns, equations);
      if (state->order == variable->order - 1)
        add_unknown (self, state->rate, state->variable, FALSE, unknowns, equations);
    }
  for (guint i = 0; i < result->variables->len; i++)
    {
      const WeirVariable *variable = g_ptr_array_index (result->variables, i);
      gboolean is_discrete = variable->role == WEIR_ROLE_DISCRETE;

      if (variable->role != WEIR_ROLE_UNKNOWN && variable->role != WEIR_ROLE_DELAYED && !is_discrete
          && !variable->is_bound && !variable->is_solved)
        continue;
      for (guint j = 0; j < variable->size; j++)
        add_unknown (self, variable->elements[j], i, is_discrete, unknowns, equations);
    }
  weir_builder_add_start_rates (builder, equations, unknowns);
}

/* "x, y": what the conditions that are too many are about. */
static WeirMessage *
name_surplus_conditions (WeirInitialisation *self, const GArray *equations, const GArray *unknowns,
                         const WeirIncidence *incidence, const guint *unknown_of,
                         const guint *equation_of)
{
  WeirEquationsBuilder *builder = self->builder;
  g_autofree gboolean *rows = g_new0 (gboolean, equations->len + 1);
  g_autofree gboolean *columns = g_new0 (gboolean, unknowns->len + 1);
  g_autoptr (GString) names = g_string_new (NULL);
  guint n_named = 0;

  weir_incidence_find_surplus (incidence, unknown_of, equation_of, rows, columns);
  for (guint i = 0; i < equations->len; i++)
    {
      const WeirScalarEquation *equation = &g_array_index (equations, WeirScalarEquation, i);
      const WeirVariable *variable;

      if (!rows[i] || !equation->is_initial)
        continue;
      if (n_named++ < MAX_NAMED)
        {
          g_autofree char *name = weir_builder_dup_name (builder, equation->left);

          g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "", name);
        }
      self->surplus_line = MAX (self->surplus_line, equation->line);
      variable = weir_builder_find_atom (builder, equation->left);
      if (variable != NULL && variable->role == WEIR_ROLE_PARAMETER)
        self->parameter = variable;
    }
  return n_named > MAX_NAMED
             ? weir_message_new (N_ ("%s and %u more"), names->str, n_named - MAX_NAMED)
             : weir_message_new_literal (names->str);
}

/* Parameters to be solved for that nothing determines. */
static void
report_missing_conditions (const WeirInitialisation *self, const GArray *unknowns,
                           const guint *equation_of)
{
  g_autoptr (GArray) atoms = g_array_new (FALSE, FALSE, sizeof (WeirExpr));
  g_autoptr (WeirMessage) names = NULL;
  int line = 0;

  for (guint i = 0; i < unknowns->len; i++)
    {
      const WeirUnknown *unknown = &g_array_index (unknowns, WeirUnknown, i);

      if (equation_of[i] != WEIR_UNMATCHED)
        continue;
      line = ((WeirVariable *) g_ptr_array_index (self->builder->result->variables,
                                                  unknown->variable))
                 ->line;
      g_array_append_val (atoms, unknown->atom);
    }
  names = weir_builder_enumerate_atoms (self->builder, (WeirExpr *) atoms->data, atoms->len);
  weir_builder_fail (self->builder, "INI02", line,
                     atoms->len == 1
                         ? N_ ("Initialization: %u condition too few: %s is not determined.")
                         : N_ ("Initialization: %u conditions too few: %s are not determined."),
                     atoms->len, weir_message_get_text (names));
}

static void
note_start (WeirInitialisation *self, WeirExpr atom, guint place,
            const WeirScalarEquation *equation, guint n_together)
{
  WeirStart start = { .atom = atom,
                      .left = equation->left,
                      .right = equation->right,
                      .line = equation->is_default ? 0 : equation->line,
                      .n_together = n_together };

  start.is_given = equation->is_initial && weir_expr_equal (equation->left, atom);
  start.is_guessed = weir_initialisation_get_guess (self, atom, &start.guess);
  start.has_own = start.is_given && equation->has_own;
  start.own = equation->own;
  for (guint i = 0; i < self->overridden->len; i++)
    {
      const WeirScalarEquation *guess = g_ptr_array_index (self->overridden, i);

      if (!weir_expr_equal (guess->left, atom))
        continue;
      start.has_own_guess = TRUE;
      start.own_guess = guess->own;
    }
  g_array_index (self->builder->result->starts, WeirStart, place) = start;
}

/* Is @atom overwritten at the very start, before anything reads it? */
static gboolean
is_ticked_at_start (const WeirEquationsBuilder *self, WeirExpr atom)
{
  const WeirVariable *variable = weir_builder_find_atom (self, atom);

  return variable != NULL && variable->role == WEIR_ROLE_DISCRETE && variable->depth > 0
         && !variable->has_past && self->result->offset == 0.0;
}

/* A state without a condition starts at its guess or 0; 0 is told, as nobody chose it: once for an
 * array, whose elements follow each other in @equations. */
static void
warn_of_defaults (const WeirInitialisation *self, const GArray *equations)
{
  WeirEquationsBuilder *builder = self->builder;
  g_autoptr (GArray) atoms = g_array_new (FALSE, FALSE, sizeof (WeirExpr));
  const WeirVariable *last = NULL;
  guint last_depth = 0;

  for (guint i = 0; i <= equations->len; i++)
    {
      const WeirScalarEquation *equation = i < equations->len
                                               ? &g_array_index (equations, WeirScalarEquation, i)
                                               : NULL;
      const WeirVariable *variable = NULL;
      guint depth = 0;
      double guess;

      if (equation != NULL
          && (!equation->is_default || weir_initialisation_get_guess (self, equation->left, &guess)
              || is_ticked_at_start (builder, equation->left)))
        continue;
      if (equation != NULL)
        {
          variable = weir_builder_find_atom (builder, equation->left);
          for (WeirExpr e = equation->left; weir_expr_get_op (builder->pool, e) == WEIR_OP_DER;
               e = weir_expr_get_arg (builder->pool, e, 0))
            depth++;
        }
      if (atoms->len > 0 && (variable != last || depth != last_depth))
        {
          const WeirExpr *first = (const WeirExpr *) atoms->data;
          g_autoptr (WeirMessage) names = weir_builder_enumerate_atoms (builder, first, atoms->len);
          g_autofree char *name = weir_builder_dup_name (builder, first[0]);

          weir_report_add (builder->report, WEIR_SEVERITY_WARNING, "INI03", last->line,
                           atoms->len == 1
                               ? N_ ("Initialization: %s has no initial value and starts at 0; "
                                     "write 'initial %s = ...'.")
                               : N_ ("Initialization: %s have no initial value and start at 0; "
                                     "write 'initial %s = ...'."),
                           weir_message_get_text (names), name);
          g_array_set_size (atoms, 0);
        }
      if (equation != NULL)
        g_array_append_val (atoms, equation->left);
      last = variable;
      last_depth = depth;
    }
}

void
weir_initialisation_order (WeirInitialisation *self, GPtrArray *blocks)
{
  WeirEquationsBuilder *builder = self->builder;
  g_autoptr (GArray) unknowns = g_array_new (FALSE, FALSE, sizeof (WeirUnknown));
  g_autoptr (GArray) equations = g_array_new (FALSE, FALSE, sizeof (WeirScalarEquation));
  g_autoptr (GArray) kept = g_array_new (FALSE, FALSE, sizeof (WeirScalarEquation));
  g_autoptr (GArray) order = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (GArray) ends = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autofree guint *unknown_of = NULL;
  g_autofree guint *equation_of = NULL;
  WeirIncidence incidence;
  guint n_firm = 0, n_pairs, begin = 0;

  collect_system (self, unknowns, equations);
  weir_builder_sort_equations (builder, equations);
  weir_builder_sort_unknowns (builder, unknowns);
  unknown_of = g_new (guint, equations->len + 1);
  equation_of = g_new (guint, unknowns->len + 1);
  for (guint i = 0; i < equations->len; i++)
    n_firm += !g_array_index (equations, WeirScalarEquation, i).is_default;
  weir_builder_find_incidence (builder, equations, unknowns, &incidence);
  weir_incidence_match (&incidence, n_firm, unknown_of, equation_of);

  /* What contradicts a condition goes: another condition, to be looked at again when the rest is
   * solved, or a default. */
  for (guint i = 0; i < equations->len; i++)
    {
      const WeirScalarEquation *equation = &g_array_index (equations, WeirScalarEquation, i);

      if (unknown_of[i] == WEIR_UNMATCHED)
        {
          if (!equation->is_default)
            g_array_append_val (self->surplus, *equation);
          continue;
        }
      g_array_append_val (kept, *equation);
    }
  warn_of_defaults (self, kept);
  if (self->surplus->len > 0)
    self->surplus_names = name_surplus_conditions (self, equations, unknowns, &incidence,
                                                   unknown_of, equation_of);
  weir_incidence_clear (&incidence);
  weir_builder_find_incidence (builder, kept, unknowns, &incidence);
  n_pairs = weir_incidence_match (&incidence, kept->len, unknown_of, equation_of);
  if (n_pairs < unknowns->len)
    {
      report_missing_conditions (self, unknowns, equation_of);
      weir_incidence_clear (&incidence);
      return;
    }
  weir_incidence_find_blocks (&incidence, unknown_of, equation_of, order, ends);
  weir_incidence_clear (&incidence);
  g_array_set_size (builder->result->starts, unknowns->len);
  for (guint i = 0; i < ends->len; i++)
    {
      guint end = g_array_index (ends, guint, i);
      const guint *rows = &g_array_index (order, guint, begin);
      WeirGroup group = { kept, unknowns, unknown_of, rows, end - begin };

      weir_builder_add_group (builder, &group, weir_phrase (N_ ("Initialization")), blocks);
      for (guint j = 0; j < end - begin; j++)
        note_start (self, g_array_index (unknowns, WeirUnknown, unknown_of[rows[j]]).atom,
                    unknown_of[rows[j]], &g_array_index (kept, WeirScalarEquation, rows[j]),
                    end - begin);
      begin = end;
    }
}

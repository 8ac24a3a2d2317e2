/* Systems of equations as tables for people. */
#include "equations/compile/equations.h"
#include "base/text.h"
#include "equations/programs/program.h"
#include "equations/expressions/simplify.h"

#include <math.h>
#include <string.h>

/* --- Columns --------------------------------------------------------------------------------- */

/* Rows of texts whose columns are to stand under each other. */
typedef struct {
  GPtrArray *cells; /* of char *, row after row */
  guint n_columns;
  const char *const *extended; /* of the equations */
} Table;

static void
table_init (Table *self, guint n_columns, const WeirEquations *equations)
{
  self->extended = (const char *const *) equations->extended;
  self->cells = g_ptr_array_new_with_free_func (g_free);
  self->n_columns = n_columns;
}

static void
add_cell (Table *self, const char *text)
{
  g_ptr_array_add (self->cells, g_strdup (text));
}

static void
add_number (Table *self, double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  add_cell (self, g_ascii_formatd (text, sizeof text, "%.10g", value));
}

static void
add_line (Table *self, int line)
{
  g_autofree char *text = line > 0 ? weir_extended_dup_line (self->extended, line) : g_strdup ("-");

  add_cell (self, text);
}

/* Appends the rows and frees them. The last column is not filled up. */
static void
table_end (Table *self, GString *text)
{
  g_autofree glong *widths = g_new0 (glong, self->n_columns);

  for (guint i = 0; i < self->cells->len; i++)
    widths[i % self->n_columns] = MAX (widths[i % self->n_columns],
                                       g_utf8_strlen (self->cells->pdata[i], -1));
  for (guint i = 0; i < self->cells->len; i++)
    {
      const char *cell = self->cells->pdata[i];
      glong fill = widths[i % self->n_columns] - g_utf8_strlen (cell, -1);

      g_string_append (text, cell);
      if (i % self->n_columns == self->n_columns - 1)
        {
          while (text->str[text->len - 1] == ' ')
            g_string_truncate (text, text->len - 1);
          g_string_append_c (text, '\n');
        }
      else
        g_string_append_printf (text, "%*s", (int) fill + 2, "");
    }
  g_ptr_array_unref (self->cells);
}

/* --- The compiled equations ------------------------------------------------------------------ */

/* Which block determines an atom. */
static GHashTable *
index_blocks (const GPtrArray *blocks)
{
  GHashTable *index = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < blocks->len; i++)
    {
      const WeirEquationBlock *block = g_ptr_array_index (blocks, i);

      for (guint j = 0; j < block->n; j++)
        g_hash_table_insert (index, GUINT_TO_POINTER (block->unknowns[j].i + 1),
                             GUINT_TO_POINTER (i + 1));
    }
  return index;
}

/* The line that determines the highest derivative of a state, or where it is first met. */
static int
find_line (const WeirEquations *self, const WeirVariable *variable, GHashTable *index)
{
  WeirExpr rate = variable->elements[0];
  guint found;

  for (guint i = 0; i < variable->order; i++)
    rate = weir_expr_make_1 (self->pool, WEIR_OP_DER, rate);
  found = GPOINTER_TO_UINT (g_hash_table_lookup (index, GUINT_TO_POINTER (rate.i + 1)));
  if (variable->order == 0 || found == 0)
    return variable->line;
  return ((WeirEquationBlock *) g_ptr_array_index (self->blocks, found - 1))->lines[0];
}

static char *
list_names (const WeirEquations *self, const WeirExpr *atoms, guint n)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < n && i < 10; i++)
    g_ptr_array_add (names, weir_expr_describe (self->pool, atoms[i]));
  if (n > 10)
    g_ptr_array_add (names, g_strdup_printf ("%u more", n - 10));
  g_ptr_array_add (names, NULL);
  return weir_text_enumerate ((const char *const *) names->pdata);
}

/* How the unknowns of a block are found, where that takes more than its expression.
 * (transfer full) */
static char *
describe_group (const WeirEquations *self, const GPtrArray *blocks, guint i)
{
  const WeirEquationBlock *block = g_ptr_array_index (blocks, i);
  const WeirEquationBlock *torn = g_ptr_array_index (blocks, i - block->place);
  const char *how = torn->is_linear ? "linear" : "by iteration";
  g_autofree char *names = list_names (self, torn->unknowns, torn->n);

  if (block->place > 0)
    return g_strdup_printf ("follows from %s", names);
  if (block->n_group > 0)
    {
      g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (WeirExpr));
      g_autofree char *together = NULL;

      g_array_append_vals (all, torn->unknowns, torn->n);
      for (guint j = 1; j <= block->n_group - block->n; j++)
        g_array_append_val (all,
                            ((WeirEquationBlock *) g_ptr_array_index (blocks, i + j))->unknowns[0]);
      together = list_names (self, (const WeirExpr *) all->data, all->len);
      return g_strdup_printf ("%s solved together, %s, torn at %s", together, how, names);
    }
  if (block->value.i != WEIR_NO_EXPR.i)
    return NULL;
  if (block->n == 1)
    return g_strdup (block->is_linear ? "solved, linear" : "solved by iteration");
  return g_strdup_printf ("%s solved together, %s", names, how);
}

static void
add_atom (Table *table, const WeirEquations *self, const WeirVariable *variable, WeirExpr atom,
          const char *role, const GPtrArray *blocks, GHashTable *index)
{
  guint found = GPOINTER_TO_UINT (g_hash_table_lookup (index, GUINT_TO_POINTER (atom.i + 1)));
  const WeirEquationBlock *block = found > 0 ? g_ptr_array_index (blocks, found - 1) : NULL;
  g_autofree char *name = weir_expr_describe (self->pool, atom);
  g_autofree char *order = block != NULL ? g_strdup_printf ("%u", found) : g_strdup ("-");
  g_autofree char *group = NULL;

  add_cell (table, name);
  add_cell (table, role);
  add_cell (table, variable->unit != NULL ? variable->unit : "-");
  add_line (table,
            block != NULL && block->n == 1 ? block->lines[0] : find_line (self, variable, index));
  add_cell (table, order);
  group = block != NULL ? describe_group (self, blocks, found - 1) : NULL;
  add_cell (table, group != NULL ? group : "");
}

/* How far tearing brings down what is iterated on. */
static void
append_torn (GString *text, const GPtrArray *blocks, const char *what)
{
  guint n_groups = 0, n_unknowns = 0, n_torn = 0;

  for (guint i = 0; i < blocks->len; i++)
    {
      const WeirEquationBlock *block = g_ptr_array_index (blocks, i);

      if (block->n_group == 0 || block->place > 0)
        continue;
      n_groups++;
      n_unknowns += block->n_group;
      n_torn += block->n;
    }
  if (n_groups > 0)
    g_string_append_printf (text, "torn%s: %u group%s of %u unknowns, solved for %u\n", what,
                            n_groups, n_groups == 1 ? "" : "s", n_unknowns, n_torn);
}

char *
weir_equations_to_table (const WeirEquations *self)
{
  static const char *const titles[] = { "variable", "role", "unit", "line", "order", "group" };
  GString *text = g_string_new (NULL);
  g_autoptr (GHashTable) index = index_blocks (self->blocks);
  g_autoptr (GHashTable) tick_index = index_blocks (self->tick_blocks);
  Table table;

  table_init (&table, G_N_ELEMENTS (titles), self);
  for (guint i = 0; i < G_N_ELEMENTS (titles); i++)
    add_cell (&table, titles[i]);
  for (guint i = 0; i < self->variables->len; i++)
    {
      const WeirVariable *variable = g_ptr_array_index (self->variables, i);
      const char *role = variable->is_bound    ? "bound parameter"
                         : variable->is_solved ? "solved parameter"
                         : variable->is_output && variable->role == WEIR_ROLE_UNKNOWN
                             ? "output"
                             : weir_role_get_name (variable->role);

      g_autofree char *from = variable->origin != NULL
                                  ? g_strdup_printf ("%s, from %s", role, variable->origin)
                                  : NULL;

      role = from != NULL ? from : role;
      for (guint j = 0; j < variable->size; j++)
        {
          WeirExpr shift[2] = { variable->elements[j], weir_expr_number (self->pool, 0.0) };

          if (variable->role == WEIR_ROLE_DISCRETE && variable->depth > 0)
            add_atom (&table, self, variable, weir_expr_make (self->pool, WEIR_OP_SHIFT, shift, 2),
                      role, self->tick_blocks, tick_index);
          else
            add_atom (&table, self, variable, variable->elements[j], role, self->blocks, index);
        }
    }
  for (guint i = 0; i < self->states->len; i++)
    {
      const WeirState *state = &g_array_index (self->states, WeirState, i);
      const WeirVariable *variable = g_ptr_array_index (self->variables, state->variable);

      add_atom (&table, self, variable, state->rate,
                state->order + 1 < variable->order ? "state" : "derivative", self->blocks, index);
    }
  for (guint i = 0; i < self->relations->len; i++)
    {
      g_autofree char *name = weir_expr_describe (
          self->pool, g_array_index (self->relations, WeirRelation, i).symbol);

      add_cell (&table, name);
      add_cell (&table, "relation");
      for (guint j = 2; j < G_N_ELEMENTS (titles) - 1; j++)
        add_cell (&table, "-");
      add_cell (&table, "holds between events");
    }
  table_end (&table, text);
  append_torn (text, self->blocks, "");
  append_torn (text, self->tick_blocks, " at ticks");
  return g_string_free (text, FALSE);
}

/* --- The equations, observed values substituted ---------------------------------------------- */

static void
append_equation (GString *text, const WeirEquations *self, const char *name, WeirExpr value,
                 int line)
{
  g_autofree char *right = weir_expr_describe (self->pool, value);
  g_autofree char *place = weir_extended_dup_line ((const char *const *) self->extended, line);

  /* Substitution can make a line longer than anyone reads. */
  if (strlen (right) > 2000)
    g_string_append_printf (text, "%s ~ ... (%" G_GSIZE_FORMAT " letters)", name, strlen (right));
  else
    g_string_append_printf (text, "%s ~ %s", name, right);
  g_string_append_printf (text, "  # line %s\n", place);
}

char *
weir_equations_to_full (const WeirEquations *self)
{
  GString *text = g_string_new (NULL);
  g_autoptr (GHashTable) values = g_hash_table_new (NULL, NULL);
  const GPtrArray *parts[] = { self->blocks, self->tick_blocks };

  for (guint p = 0; p < G_N_ELEMENTS (parts); p++)
    for (guint i = 0; i < parts[p]->len; i++)
      {
        const WeirEquationBlock *block = g_ptr_array_index (parts[p], i);

        for (guint j = 0; j < block->n; j++)
          {
            gboolean is_solved = block->value.i == WEIR_NO_EXPR.i;
            WeirExpr value = weir_expr_replace (self->pool,
                                                is_solved ? block->residuals[j] : block->value,
                                                weir_expr_look_up, values, weir_simplify_make);
            g_autofree char *name = weir_expr_describe (self->pool, block->unknowns[j]);

            append_equation (text, self, is_solved ? "0" : name, value, block->lines[j]);
            if (!is_solved)
              g_hash_table_insert (values, GUINT_TO_POINTER (block->unknowns[j].i + 1),
                                   GUINT_TO_POINTER (value.i + 1));
          }
      }
  return g_string_free (text, FALSE);
}

/* --- Values at the start --------------------------------------------------------------------- */

double *
weir_equations_dup_start_residuals (const WeirEquations *self)
{
  guint n = self->starts->len;
  g_autoptr (GArray) outputs = g_array_new (FALSE, FALSE, sizeof (WeirExpr));
  g_autoptr (GArray) atoms = g_array_new (FALSE, FALSE, sizeof (WeirExpr));
  g_autoptr (GHashTable) values = g_hash_table_new (NULL, NULL); /* atom + 1 to double * */
  g_autofree WeirProgram *program = NULL;
  g_autofree double *in = NULL;
  g_autofree double *work = NULL;
  double *out = g_new0 (double, n + 1);

  for (guint i = 0; i < n; i++)
    {
      WeirStart *start = &g_array_index (self->starts, WeirStart, i);
      WeirExpr residual = weir_simplify_make_2 (self->pool, WEIR_OP_SUB, start->left, start->right);

      g_array_append_val (outputs, residual);
      g_hash_table_insert (values, GUINT_TO_POINTER (start->atom.i + 1), &start->value);
    }
  for (guint i = 0; i < self->variables->len; i++)
    {
      const WeirVariable *variable = g_ptr_array_index (self->variables, i);

      for (guint j = 0; variable->value != NULL && j < variable->size; j++)
        if (!g_hash_table_contains (values, GUINT_TO_POINTER (variable->elements[j].i + 1)))
          g_hash_table_insert (values, GUINT_TO_POINTER (variable->elements[j].i + 1),
                               &variable->value[j]);
    }
  weir_expr_collect_atoms (self->pool, (WeirExpr *) outputs->data, n, atoms);
  program = weir_program_new (self->pool, (WeirExpr *) outputs->data, n, (WeirExpr *) atoms->data,
                              atoms->len);
  in = g_new0 (double, atoms->len + 1);
  work = g_new0 (double, weir_program_get_work_size (program));
  for (guint i = 0; i < atoms->len; i++)
    {
      WeirExpr atom = g_array_index (atoms, WeirExpr, i);
      const double *value;

      if (weir_expr_get_op (self->pool, atom) == WEIR_OP_INITIAL)
        atom = weir_expr_get_arg (self->pool, atom, 0);
      value = g_hash_table_lookup (values, GUINT_TO_POINTER (atom.i + 1));
      in[i] = value != NULL ? *value : 0.0; /* time, inputs without a default */
    }
  weir_program_execute (program, in, out, work);
  return out;
}

char *
weir_equations_to_start_table (const WeirEquations *self)
{
  static const char *const titles[] = { "value",    "given", "guess",   "solved",
                                        "residual", "line",  "together" };
  GString *text = g_string_new ("Initialization: ");
  g_autofree double *residuals = weir_equations_dup_start_residuals (self);
  guint n_missing = 0;
  Table table;

  for (guint i = 0; i < self->starts->len; i++)
    n_missing += g_array_index (self->starts, WeirStart, i).line == 0;
  if (self->n_surplus > 0)
    g_string_append_printf (text, "over-determined, %u condition%s too many, which agree%s",
                            self->n_surplus, self->n_surplus == 1 ? "" : "s",
                            self->n_surplus == 1 ? "s" : "");
  if (n_missing > 0)
    g_string_append_printf (text,
                            "%sunder-determined, %u condition%s too few, filled from guesses "
                            "or with 0",
                            self->n_surplus > 0 ? "; " : "", n_missing, n_missing == 1 ? "" : "s");
  if (n_missing == 0 && self->n_surplus == 0)
    g_string_append (text, "exactly determined");
  g_string_append_c (text, '\n');
  table_init (&table, G_N_ELEMENTS (titles), self);
  for (guint i = 0; i < G_N_ELEMENTS (titles); i++)
    add_cell (&table, titles[i]);
  for (guint i = 0; i < self->starts->len; i++)
    {
      const WeirStart *start = &g_array_index (self->starts, WeirStart, i);
      g_autofree char *name = weir_expr_describe (self->pool, start->atom);
      g_autofree char *own = start->has_own ? weir_expr_describe (self->pool, start->own) : NULL;
      g_autofree char *own_guess = start->has_own_guess
                                       ? weir_expr_describe (self->pool, start->own_guess)
                                       : NULL;
      g_autofree char *right = start->is_given ? weir_expr_describe (self->pool, start->right)
                                               : g_strdup ("-");
      g_autofree char *given = own != NULL ? g_strdup_printf ("%s, not %s", right, own)
                                           : g_steal_pointer (&right);
      g_autofree char *together = g_strdup_printf ("%u", start->n_together);

      add_cell (&table, name);
      add_cell (&table, given);
      if (own_guess != NULL)
        {
          char number[G_ASCII_DTOSTR_BUF_SIZE];
          g_autofree char *both = g_strdup_printf (
              "%s, not %s", g_ascii_formatd (number, sizeof number, "%.10g", start->guess),
              own_guess);

          add_cell (&table, both);
        }
      else if (start->is_guessed)
        add_number (&table, start->guess);
      else
        add_cell (&table, "-");
      add_number (&table, start->value);
      add_number (&table, residuals[i]);
      add_line (&table, start->line);
      add_cell (&table, together);
    }
  table_end (&table, text);
  return g_string_free (text, FALSE);
}

/* --- Equations without time ------------------------------------------------------------------ */

static void
refuse (const WeirReport *report, int line, const char *what)
{
  weir_report_add (
      report, WEIR_SEVERITY_ERROR, "EQ09", line,
      N_ ("Model: line %d: %s needs time, and only equations without time can be solved once and "
          "for all; run the model instead."),
      line, what);
}

static gboolean
reads_time (const WeirEquations *self, const WeirEquationBlock *block)
{
  g_autoptr (GArray) atoms = g_array_new (FALSE, FALSE, sizeof (WeirExpr));
  WeirExpr time = weir_expr_symbol (self->pool, "t");

  if (block->value.i != WEIR_NO_EXPR.i)
    weir_expr_collect_atoms (self->pool, &block->value, 1, atoms);
  else
    weir_expr_collect_atoms (self->pool, block->residuals, block->n, atoms);
  for (guint i = 0; i < atoms->len; i++)
    if (weir_expr_equal (g_array_index (atoms, WeirExpr, i), time))
      return TRUE;
  return FALSE;
}

gboolean
weir_equations_check_timeless (const WeirEquations *self, const WeirReport *report)
{
  gboolean is_timeless = TRUE;
  g_autoptr (GHashTable) index = index_blocks (self->blocks);

  for (guint i = 0; i < self->variables->len; i++)
    {
      const WeirVariable *variable = g_ptr_array_index (self->variables, i);
      g_autoptr (WeirMessage) what = NULL;

      if (variable->role == WEIR_ROLE_STATE)
        what = weir_message_new ("D(%s)", variable->name);
      else if (variable->role == WEIR_ROLE_DISCRETE && variable->depth > 0)
        what = weir_message_new (N_ ("the clocked variable %s(k)"), variable->name);
      else if (variable->role == WEIR_ROLE_BROWNIAN)
        what = weir_message_new ("brownian %s", variable->name);
      if (what == NULL)
        continue;
      refuse (report, find_line (self, variable, index), weir_message_get_text (what));
      is_timeless = FALSE;
    }
  for (guint i = 0; i < self->delays->len; i++)
    {
      refuse (report, g_array_index (self->delays, WeirDelay, i).line, "delay");
      is_timeless = FALSE;
    }
  for (guint i = 0; i < self->events->len; i++)
    {
      refuse (report, ((WeirEvent *) g_ptr_array_index (self->events, i))->line, "when");
      is_timeless = FALSE;
    }
  for (guint i = 0; i < self->blocks->len; i++)
    {
      const WeirEquationBlock *block = g_ptr_array_index (self->blocks, i);

      if (!reads_time (self, block))
        continue;
      refuse (report, block->lines[0], "t");
      is_timeless = FALSE;
    }
  return is_timeless;
}

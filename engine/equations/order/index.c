/* Constraints among states: a system of higher index made one of index 1.
 *
 * An equation in which nothing is unknown but states, and what follows from states by equations of
 * its own, holds for all times, so its derivatives by time vanish too. It is differentiated, with
 * the rates that are known put in, until something unknown appears (a tension, a constraint force);
 * that derivative takes its place. The equation itself and the derivatives before remain as
 * invariants: the start must satisfy them, and a run is brought back onto them when it has drifted
 * away. All states stay states, so that no choice among them can become singular later.
 */
#include "equations/declare/declare.h"
#include "base/text.h"
#include "equations/order/order.h"
#include "base/phrase.h"

#include <string.h>

#define MAX_DERIVATIVES 5

typedef struct {
  WeirEquationsBuilder *builder;
  GHashTable *is_state;   /* set of atoms + 1 */
  GHashTable *is_unknown; /* the same */
  GHashTable
      *definition;       /* unknown + 1 to what an equation says that it is + 1, followers put in */
  GHashTable *follower;  /* the same, of those that follow from states alone */
  guint8 *is_definition; /* of each equation: it says what something is */
} Reduction;

static gboolean
contains (GHashTable *set, WeirExpr atom)
{
  return g_hash_table_contains (set, GUINT_TO_POINTER (atom.i + 1));
}

static void
insert (GHashTable *table, WeirExpr key, guint32 value)
{
  g_hash_table_insert (table, GUINT_TO_POINTER (key.i + 1), GUINT_TO_POINTER (value + 1));
}

static gboolean
lookup (GHashTable *table, WeirExpr key, guint32 *value)
{
  gpointer found = g_hash_table_lookup (table, GUINT_TO_POINTER (key.i + 1));

  *value = GPOINTER_TO_UINT (found) - 1;
  return found != NULL;
}

/* --- What follows from states ---------------------------------------------------------------- */

static WeirExpr
replace_follower (WeirExprPool *pool, WeirExpr part, gpointer table)
{
  WeirExpr value;

  if (lookup (table, part, &value.i))
    return value;
  return weir_expr_is_atom (pool, part) ? part : WEIR_NO_EXPR;
}

static WeirExpr
put_in_followers (const Reduction *self, WeirExpr e)
{
  return weir_expr_replace (self->builder->pool, e, replace_follower, self->follower,
                            weir_simplify_make);
}

/* Notes that @equations[i] says what @atom is. */
static void
define (Reduction *self, guint i, WeirExpr atom, WeirExpr value)
{
  insert (self->definition, atom, value.i);
  self->is_definition[i] = TRUE;
}

static gboolean
has_number_as_slope (const Reduction *self, const WeirScalarEquation *equation, WeirExpr atom)
{
  WeirExpr residual = weir_simplify_make_2 (self->builder->pool, WEIR_OP_SUB, equation->left,
                                            equation->right);
  WeirExpr slope = weir_expr_derive (self->builder->pool, residual, atom);

  return weir_expr_get_op (self->builder->pool, slope) == WEIR_OP_NUMBER;
}

/* Equations that say what an unknown is: first those which have it alone on a side, then those
 * which contain just one and can be solved for it, whatever values the parameters have. */
static void
find_definitions (Reduction *self, const GArray *equations)
{
  WeirEquationsBuilder *builder = self->builder;
  g_autoptr (GArray) atoms = g_array_new (FALSE, FALSE, sizeof (WeirExpr));

  for (guint pass = 0; pass < 2; pass++)
    for (guint i = 0; i < equations->len; i++)
      {
        const WeirScalarEquation *equation = &g_array_index (equations, WeirScalarEquation, i);
        WeirExpr sides[2] = { equation->left, equation->right }, found = WEIR_NO_EXPR, value;
        guint n_found = 0;

        if (self->is_definition[i])
          continue;
        g_array_set_size (atoms, 0);
        weir_expr_collect_atoms (builder->pool, sides, 2, atoms);
        for (guint j = 0; j < atoms->len; j++)
          {
            WeirExpr atom = g_array_index (atoms, WeirExpr, j);

            if (!contains (self->is_unknown, atom)
                || (pass == 0 && !weir_expr_equal (atom, sides[0])
                    && !weir_expr_equal (atom, sides[1])))
              continue;
            found = n_found == 0 ? atom : found;
            n_found++;
          }
        if (n_found == 0 || (pass == 1 && n_found > 1) || contains (self->definition, found)
            || (pass == 1 && !has_number_as_slope (self, equation, found)))
          continue;
        if (weir_builder_solve_for (builder->pool, equation, found, &value))
          define (self, i, found, value);
      }
}

/* An equation whose unknowns are followers but for one says what that one is. */
static gboolean
find_follower (Reduction *self, const WeirScalarEquation *equation, WeirExpr unknown,
               WeirExpr *value)
{
  gboolean is_alone = weir_expr_equal (unknown, equation->left)
                      || weir_expr_equal (unknown, equation->right);

  if ((!is_alone && !has_number_as_slope (self, equation, unknown))
      || !weir_builder_solve_for (self->builder->pool, equation, unknown, value))
    return FALSE;
  *value = put_in_followers (self, *value);
  return TRUE;
}

/* The unknowns of each equation that are no followers yet; and where each unknown stands. */
typedef struct {
  GPtrArray *unknowns_of; /* of GArray of WeirExpr */
  GHashTable *readers;    /* atom + 1 to GArray of guint */
  guint *n_open;
  GArray *ready; /* of guint: equations with one open unknown */
} Following;

static void
following_init (Following *self, const Reduction *reduction, const GArray *equations)
{
  self->unknowns_of = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  self->readers = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_array_unref);
  self->n_open = g_new0 (guint, equations->len + 1);
  self->ready = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint i = 0; i < equations->len; i++)
    {
      const WeirScalarEquation *equation = &g_array_index (equations, WeirScalarEquation, i);
      WeirExpr sides[2] = { equation->left, equation->right };
      GArray *atoms = g_array_new (FALSE, FALSE, sizeof (WeirExpr));

      weir_expr_collect_atoms (reduction->builder->pool, sides, 2, atoms);
      for (guint j = atoms->len; j-- > 0;)
        if (!contains (reduction->is_unknown, g_array_index (atoms, WeirExpr, j)))
          g_array_remove_index (atoms, j);
      g_ptr_array_add (self->unknowns_of, atoms);
      for (guint j = 0; j < atoms->len; j++)
        {
          gpointer key = GUINT_TO_POINTER (g_array_index (atoms, WeirExpr, j).i + 1);
          GArray *list = g_hash_table_lookup (self->readers, key);

          if (list == NULL)
            {
              list = g_array_new (FALSE, FALSE, sizeof (guint));
              g_hash_table_insert (self->readers, key, list);
            }
          g_array_append_val (list, i);
        }
      self->n_open[i] = atoms->len;
      if (atoms->len == 1)
        g_array_append_val (self->ready, i);
    }
}

static void
following_clear (Following *self)
{
  g_ptr_array_unref (self->unknowns_of);
  g_hash_table_unref (self->readers);
  g_free (self->n_open);
  g_array_unref (self->ready);
}

static void
note_follower (Following *self, WeirExpr unknown)
{
  const GArray *list = g_hash_table_lookup (self->readers, GUINT_TO_POINTER (unknown.i + 1));

  for (guint j = 0; j < list->len; j++)
    {
      guint other = g_array_index (list, guint, j);

      if (--self->n_open[other] == 1)
        g_array_append_val (self->ready, other);
    }
}

/* Unknowns that an equation says in terms of states and other followers alone. Whichever of several
 * equations comes first, the others are constraints. */
static void
find_followers (Reduction *self, const GArray *equations)
{
  Following following;

  following_init (&following, self, equations);
  for (guint head = 0; head < following.ready->len; head++)
    {
      guint i = g_array_index (following.ready, guint, head);
      const GArray *atoms = g_ptr_array_index (following.unknowns_of, i);
      WeirExpr value;

      for (guint j = 0; j < atoms->len; j++)
        {
          WeirExpr unknown = g_array_index (atoms, WeirExpr, j);

          if (contains (self->follower, unknown))
            continue;
          if (find_follower (self, &g_array_index (equations, WeirScalarEquation, i), unknown,
                             &value))
            {
              define (self, i, unknown, value);
              insert (self->follower, unknown, value.i);
              note_follower (&following, unknown);
            }
          break;
        }
    }
  following_clear (&following);
}

static void
reduction_init (Reduction *self, WeirEquationsBuilder *builder, const GArray *equations,
                const GArray *unknowns)
{
  const GArray *states = builder->result->states;

  *self = (Reduction) {
    .builder = builder,
    .is_state = g_hash_table_new (NULL, NULL),
    .is_unknown = g_hash_table_new (NULL, NULL),
    .definition = g_hash_table_new (NULL, NULL),
    .follower = g_hash_table_new (NULL, NULL),
    .is_definition = g_new0 (guint8, equations->len + 1),
  };
  for (guint i = 0; i < states->len; i++)
    g_hash_table_add (self->is_state,
                      GUINT_TO_POINTER (g_array_index (states, WeirState, i).atom.i + 1));
  for (guint i = 0; i < unknowns->len; i++)
    g_hash_table_add (self->is_unknown,
                      GUINT_TO_POINTER (g_array_index (unknowns, WeirUnknown, i).atom.i + 1));
  find_followers (self, equations);
  find_definitions (self, equations);
}

static void
reduction_clear (Reduction *self)
{
  g_hash_table_unref (self->is_state);
  g_hash_table_unref (self->is_unknown);
  g_hash_table_unref (self->definition);
  g_hash_table_unref (self->follower);
  g_free (self->is_definition);
}

/* --- Derivatives ----------------------------------------------------------------------------- */

/* What D of a state is where an equation says so; else the D itself. */
static WeirExpr
get_rate (const Reduction *self, WeirExpr state)
{
  WeirExpr rate = weir_expr_make_1 (self->builder->pool, WEIR_OP_DER, state), value;

  return lookup (self->definition, rate, &value.i) ? put_in_followers (self, value) : rate;
}

static gboolean differentiate (const Reduction *self, WeirExpr e, WeirExpr *derivative);

/* The derivative of one atom: 0 of what holds between events. FALSE if nobody knows it. */
static gboolean
derive_atom (const Reduction *self, WeirExpr atom, WeirExpr *rate)
{
  WeirEquationsBuilder *builder = self->builder;
  const WeirVariable *variable = weir_builder_find_atom (builder, atom);
  const WeirDelay *delay;

  *rate = weir_expr_number (builder->pool, 0.0);
  if (weir_expr_equal (atom, weir_expr_symbol (builder->pool, "t")))
    *rate = weir_expr_number (builder->pool, 1.0);
  else if (contains (self->is_state, atom))
    *rate = get_rate (self, atom);
  else if (variable != NULL && variable->role == WEIR_ROLE_INPUT)
    return FALSE;
  else if (variable != NULL && variable->role == WEIR_ROLE_DELAYED)
    {
      delay = weir_builder_find_delay (builder, atom);
      if (delay == NULL || weir_expr_get_op (builder->pool, delay->time) != WEIR_OP_NUMBER
          || !differentiate (self, put_in_followers (self, delay->value), rate))
        return FALSE;
      weir_builder_derive_delay (builder, atom, rate);
    }
  return TRUE;
}

/* de/dt. FALSE if @e reads an input, or what an input was, whose derivative nobody knows, or a
 * delay whose time changes; or something unknown, which only happens within a delay. */
static gboolean
differentiate (const Reduction *self, WeirExpr e, WeirExpr *derivative)
{
  WeirExprPool *pool = self->builder->pool;
  g_autoptr (GArray) atoms = g_array_new (FALSE, FALSE, sizeof (WeirExpr));

  *derivative = weir_expr_number (pool, 0.0);
  weir_expr_collect_atoms (pool, &e, 1, atoms);
  for (guint i = 0; i < atoms->len; i++)
    {
      WeirExpr atom = g_array_index (atoms, WeirExpr, i), rate;

      if (contains (self->is_unknown, atom) || !derive_atom (self, atom, &rate))
        return FALSE;
      if (!weir_expr_is_number (pool, rate, 0.0))
        *derivative = weir_simplify_make_2 (self->builder->pool, WEIR_OP_ADD, *derivative,
                                            weir_simplify_make_2 (self->builder->pool, WEIR_OP_MUL,
                                                                  weir_expr_derive (pool, e, atom),
                                                                  rate));
    }
  return TRUE;
}

/* @has_unknown: also of what the equations determine. FALSE: not even a state. */
static gboolean
reads_state (const Reduction *self, WeirExpr e, gboolean *has_unknown)
{
  g_autoptr (GArray) atoms = g_array_new (FALSE, FALSE, sizeof (WeirExpr));
  gboolean has_state = FALSE;

  *has_unknown = FALSE;
  weir_expr_collect_atoms (self->builder->pool, &e, 1, atoms);
  for (guint i = 0; i < atoms->len; i++)
    {
      WeirExpr atom = g_array_index (atoms, WeirExpr, i);

      *has_unknown = *has_unknown || contains (self->is_unknown, atom);
      has_state = has_state || contains (self->is_state, atom);
    }
  return has_state;
}

/* FALSE if @equation is a constraint that this cannot deal with. */
static gboolean
reduce (const Reduction *self, WeirScalarEquation *equation, guint *n_derivatives)
{
  WeirEquationsBuilder *builder = self->builder;
  WeirExpr residual = put_in_followers (
      self,
      weir_simplify_make_2 (self->builder->pool, WEIR_OP_SUB, equation->left, equation->right));
  gboolean has_unknown;
  WeirScalarEquation at_start = { .left = weir_expr_number (builder->pool, 0.0),
                                  .line = equation->line };

  if (!reads_state (self, residual, &has_unknown) || has_unknown)
    return TRUE; /* no constraint among states */
  while (!has_unknown && *n_derivatives < MAX_DERIVATIVES)
    {
      WeirInvariant invariant = { residual, equation->line };
      WeirExpr derivative;

      if (!differentiate (self, residual, &derivative)
          || weir_expr_get_op (builder->pool, derivative) == WEIR_OP_NUMBER)
        break;
      g_array_append_val (builder->result->invariants, invariant);
      residual = derivative;
      at_start.right = residual;
      g_array_append_val (builder->reduced, at_start);
      ++*n_derivatives;
      reads_state (self, residual, &has_unknown);
    }
  if (!has_unknown)
    return FALSE;
  equation->left = weir_expr_number (builder->pool, 0.0);
  equation->right = residual;
  return TRUE;
}

/* Tells which constraints were differentiated @n times. */
static void
report_reduced (WeirEquationsBuilder *self, const GArray *equations, const guint *counts, guint n)
{
  g_autofree int *lines = g_new (int, equations->len + 1);
  g_autoptr (WeirMessage) where = NULL, times = NULL;
  guint n_lines = 0;
  int first = G_MAXINT;

  for (guint i = 0; i < equations->len; i++)
    if (counts[i] == n)
      {
        int line = g_array_index (equations, WeirScalarEquation, i).line;

        lines[n_lines++] = line;
        first = MIN (first, line);
      }
  if (n_lines == 0)
    return;
  where = weir_builder_enumerate_lines (lines, n_lines);
  times = weir_message_new (n == 1 ? N_ ("%u time") : N_ ("%u times"), n);
  weir_report_add (
      self->report, WEIR_SEVERITY_HINT, "EQ05", first,
      n_lines == 1 ? N_ ("Model: the constraint of %s was differentiated %s (the equations have "
                         "index %u); a run is kept on it.")
                   : N_ ("Model: the constraints of %s were differentiated %s (the equations have "
                         "index %u); a run is kept on them."),
      weir_message_get_text (where), weir_message_get_text (times), n + 1);
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
  Reduction reduction;

  reduction_init (&reduction, self, equations, unknowns);
  for (guint i = 0; i < equations->len && is_fine; i++)
    {
      guint n_derivatives = 0;

      if (!reduction.is_definition[i])
        is_fine = reduce (&reduction, &g_array_index (equations, WeirScalarEquation, i),
                          &n_derivatives);
      g_array_append_val (counts, n_derivatives);
    }
  reduction_clear (&reduction);
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
  for (guint n = 1; n <= MAX_DERIVATIVES; n++)
    report_reduced (self, equations, (const guint *) counts->data, n);
  weir_builder_sort_equations (self, equations);
  return TRUE;
}

/* delay(e, T): what e was the time T ago.
 *
 * Each such value becomes a symbol that is known at every instant, like an input; what it stands
 * for, how long ago and what held before the start are kept beside (WeirDelay). The symbol's name
 * is the delay's own text, so that equal delays are one, tables read as they were written, and
 * nothing depends on the order of the lines. At the start it is what the history says, or, without
 * one, the value of e itself.
 */
#include "equations/declare/declare.h"
#include "base/text.h"
#include "base/phrase.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  WeirEquationsBuilder *builder;
  GHashTable *known; /* delay + 1 to its index in the result + 1 */
  int line;
} Lowering;

static WeirExpr replace_delay (WeirExprPool *pool, WeirExpr part, gpointer data);

/* --- History --------------------------------------------------------------------------------- */

static const WeirScalarEquation *
find_history (const WeirEquationsBuilder *self, WeirExpr atom)
{
  for (guint i = 0; i < self->histories->len; i++)
    {
      const WeirScalarEquation *history = &g_array_index (self->histories, WeirScalarEquation, i);

      if (weir_expr_equal (history->left, atom))
        return history;
    }
  return NULL;
}

/* In a value that is delayed, what was before the start. */
static WeirExpr
replace_history (WeirExprPool *pool, WeirExpr part, gpointer data)
{
  const WeirEquationsBuilder *self = data;
  const WeirScalarEquation *history;
  const WeirVariable *variable;

  if (!weir_expr_is_atom (pool, part))
    return WEIR_NO_EXPR;
  history = find_history (self, part);
  if (history != NULL)
    return history->right;
  variable = weir_builder_find_atom (self, part);
  return variable != NULL && variable->role == WEIR_ROLE_UNKNOWN
                 && weir_expr_get_op (pool, part) != WEIR_OP_INITIAL
             ? weir_expr_make_1 (pool, WEIR_OP_INITIAL, part)
             : part;
}

/* WEIR_NO_EXPR if no history says anything about @value. */
static WeirExpr
make_history (WeirEquationsBuilder *self, WeirExpr value)
{
  g_autoptr (GArray) atoms = g_array_new (FALSE, FALSE, sizeof (WeirExpr));

  weir_expr_collect_atoms (self->pool, &value, 1, atoms);
  for (guint i = 0; i < atoms->len; i++)
    if (find_history (self, g_array_index (atoms, WeirExpr, i)) != NULL)
      return weir_expr_replace (self->pool, value, replace_history, self, weir_simplify_make);
  return WEIR_NO_EXPR;
}

typedef struct {
  WeirExpr from, to;
} Substitution;

static WeirExpr
substitute (WeirExprPool *pool, WeirExpr part, gpointer data)
{
  const Substitution *self = data;

  if (weir_expr_equal (part, self->from))
    return self->to;
  return weir_expr_is_atom (pool, part) ? part : WEIR_NO_EXPR;
}

/* @e at another time. */
static WeirExpr
move_in_time (WeirExprPool *pool, WeirExpr e, WeirExpr time)
{
  Substitution substitution = { weir_expr_symbol (pool, "t"), time };

  return weir_expr_replace (pool, e, substitute, &substitution, weir_simplify_make);
}

/* A history says where its variable starts, unless an initial condition says something else. */
static void
check_histories (WeirEquationsBuilder *self)
{
  for (guint i = 0; i < self->histories->len; i++)
    {
      const WeirScalarEquation *history = &g_array_index (self->histories, WeirScalarEquation, i);
      WeirScalarEquation guess = { .left = history->left, .line = history->line };
      g_autoptr (GArray) atoms = g_array_new (FALSE, FALSE, sizeof (WeirExpr));

      if (weir_expr_get_op (self->pool, history->left) != WEIR_OP_SYMBOL
          || weir_builder_find_atom (self, history->left) == NULL)
        {
          weir_builder_fail (
              self, "EQ08", history->line,
              N_ ("Model: line %d: a history is of a variable, as in history x = cos(t)."),
              history->line);
          continue;
        }
      if (find_history (self, history->left) != history)
        weir_builder_fail (self, "EQ04", history->line,
                           N_ ("Model: line %d: there is another history of %s before."),
                           history->line, weir_expr_get_name (self->pool, history->left));
      weir_expr_collect_atoms (self->pool, &history->right, 1, atoms);
      for (guint j = 0; j < atoms->len; j++)
        {
          WeirExpr atom = g_array_index (atoms, WeirExpr, j);
          const WeirVariable *variable = weir_builder_find_atom (self, atom);

          if (variable == NULL || (variable->role == WEIR_ROLE_PARAMETER && !variable->is_bound))
            continue;
          weir_builder_fail (
              self, "EQ08", history->line,
              N_ ("Model: line %d: a history is made of t, numbers, constants and parameters "
                  "with a value of their own; %s is none of these."),
              history->line, variable->name);
          break;
        }
      guess.right = move_in_time (self->pool, history->right, weir_expr_number (self->pool, 0.0));
      g_array_append_val (self->guesses, guess);
    }
}

/* --- Times ----------------------------------------------------------------------------------- */

/* What is wrong with the time of a delay without a longest time: a parameter or something else that
 * can change. */
static void
fail_unbounded (WeirEquationsBuilder *self, WeirExpr value, WeirExpr time, int line)
{
  g_autoptr (GArray) atoms = g_array_new (FALSE, FALSE, sizeof (WeirExpr));
  g_autofree char *of = weir_expr_describe (self->pool, value);
  g_autofree char *ago = weir_expr_describe (self->pool, time);
  g_autofree char *changing = NULL;
  const WeirVariable *variable = NULL;

  weir_expr_collect_atoms (self->pool, &time, 1, atoms);
  if (atoms->len > 0)
    {
      changing = weir_expr_describe (self->pool, g_array_index (atoms, WeirExpr, 0));
      variable = weir_builder_find_atom (self, g_array_index (atoms, WeirExpr, 0));
    }
  if (variable != NULL && variable->role == WEIR_ROLE_PARAMETER)
    weir_builder_fail (
        self, "EQ08", line,
        N_ ("Model: line %d: the time of delay(%s, %s) has no bound, as the parameter %s can "
            "change; make it a constant, or give the longest time, as in "
            "delay(%s, %s, 10)."),
        line, of, ago, variable->name, of, ago);
  else
    weir_builder_fail (
        self, "EQ08", line,
        N_ ("Model: line %d: the time of delay(%s, %s) has no bound, as %s changes; give the "
            "longest time, as in delay(%s, %s, 10)."),
        line, of, ago, changing != NULL ? changing : ago, of, ago);
}

/* A time of a delay, or its longest: a number of seconds above 0. FALSE after reporting. */
static gboolean
take_time (WeirEquationsBuilder *self, WeirExpr value, WeirExpr e, const char *what, int line,
           double *time)
{
  g_autofree char *of = NULL;
  g_autofree char *text = NULL;

  *time = weir_expr_get_op (self->pool, e) == WEIR_OP_NUMBER ? weir_expr_get_number (self->pool, e)
                                                             : (double) NAN;
  if (isfinite (*time) && *time > 0.0)
    return TRUE;
  of = weir_expr_describe (self->pool, value);
  text = weir_expr_describe (self->pool, e);
  if (isfinite (*time))
    weir_builder_fail (
        self, "EQ08", line,
        N_ ("Model: line %d: the %s of a delay must be more than 0 s, but that of %s "
            "is %s s%s."),
        line, what, of, text, *time < 0.0 ? weir_phrase (N_ ("; nobody knows the future")) : "");
  else
    weir_builder_fail (
        self, "EQ08", line,
        N_ ("Model: line %d: the %s of the delay of %s must be a finite time made of "
            "numbers and constants, but is %s."),
        line, what, of, text);
  return FALSE;
}

/* FALSE after reporting. */
static gboolean
find_longest (WeirEquationsBuilder *self, WeirExpr delay, WeirExpr time, int line, double *longest)
{
  WeirExpr value = weir_expr_get_arg (self->pool, delay, 0);
  gboolean is_fixed = weir_expr_get_op (self->pool, time) == WEIR_OP_NUMBER;
  gboolean has_bound = weir_expr_get_n_args (self->pool, delay) > 2;
  double fixed;

  if (has_bound
      && !take_time (self, value, weir_expr_get_arg (self->pool, delay, 2),
                     weir_phrase (N_ ("longest time")), line, longest))
    return FALSE;
  if (!is_fixed)
    {
      if (!has_bound)
        fail_unbounded (self, value, time, line);
      return has_bound;
    }
  if (!take_time (self, value, time, weir_phrase (N_ ("time")), line, &fixed))
    return FALSE;
  if (has_bound && !(fixed <= *longest))
    {
      g_autofree char *of = weir_expr_describe (self->pool, value);

      weir_builder_fail (
          self, "EQ08", line,
          N_ ("Model: line %d: the time of the delay of %s, %g s, is more than its "
              "longest time, %g s; leave the longest out, as the time does not change."),
          line, of, fixed, *longest);
      return FALSE;
    }
  *longest = fixed;
  return TRUE;
}

/* After roles are known: a time that changes is read before anything is solved. */
static void
check_times (WeirEquationsBuilder *self)
{
  for (guint i = 0; i < self->result->delays->len; i++)
    {
      const WeirDelay *delay = &g_array_index (self->result->delays, WeirDelay, i);
      g_autoptr (GArray) atoms = g_array_new (FALSE, FALSE, sizeof (WeirExpr));

      weir_expr_collect_atoms (self->pool, &delay->time, 1, atoms);
      for (guint j = 0; j < atoms->len; j++)
        {
          WeirExpr atom = g_array_index (atoms, WeirExpr, j);
          WeirOp op = weir_expr_get_op (self->pool, atom);
          const WeirVariable *variable = weir_builder_find_atom (self, atom);
          g_autofree char *name = NULL;

          if (op == WEIR_OP_INITIAL
              || (op == WEIR_OP_SYMBOL
                  && (variable == NULL || variable->role == WEIR_ROLE_INPUT
                      || variable->role == WEIR_ROLE_STATE || variable->role == WEIR_ROLE_DISCRETE
                      || (variable->role == WEIR_ROLE_PARAMETER && !variable->is_bound))))
            continue;
          name = weir_expr_describe (self->pool, atom);
          weir_builder_fail (
              self, "EQ08", delay->line,
              N_ ("Model: line %d: the time of a delay is made of t, inputs, states, discrete "
                  "variables and parameters with a value of their own; %s is none of "
                  "these."),
              delay->line, name);
        }
    }
}

/* --- Lowering -------------------------------------------------------------------------------- */

static void
check_noise (const Lowering *lowering, WeirExpr value)
{
  WeirEquationsBuilder *self = lowering->builder;
  g_autoptr (GArray) atoms = g_array_new (FALSE, FALSE, sizeof (WeirExpr));

  weir_expr_collect_atoms (self->pool, &value, 1, atoms);
  for (guint i = 0; i < atoms->len; i++)
    {
      const WeirVariable *variable = weir_builder_find_atom (self,
                                                             g_array_index (atoms, WeirExpr, i));

      if (variable != NULL && variable->role == WEIR_ROLE_BROWNIAN)
        weir_builder_fail (
            self, "EQ08", lowering->line,
            N_ ("Model: line %d: %s is white noise, which has no value at an instant; it "
                "cannot be delayed."),
            lowering->line, variable->name);
    }
}

/* The symbol of a delay. Nesting of expressions bounds the recursion. */
static WeirExpr
add_delay (Lowering *lowering, WeirExpr part)
{
  WeirEquationsBuilder *self = lowering->builder;
  g_autofree char *text = NULL;
  gpointer known = g_hash_table_lookup (lowering->known, GUINT_TO_POINTER (part.i + 1));
  WeirExpr time = weir_expr_replace (self->pool, weir_expr_get_arg (self->pool, part, 1),
                                     replace_delay, lowering, NULL);
  WeirDelay delay = { .written = part, .time = time, .line = lowering->line };

  if (known != NULL)
    {
      WeirDelay *first = &g_array_index (self->result->delays, WeirDelay,
                                         GPOINTER_TO_UINT (known) - 1);

      first->line = MIN (first->line, delay.line);
      return first->symbol;
    }
  text = weir_expr_describe (self->pool, part);
  if (!find_longest (self, part, time, lowering->line, &delay.longest))
    return weir_builder_add_symbol (self, text, 0);
  delay.value = weir_expr_replace (self->pool, weir_expr_get_arg (self->pool, part, 0),
                                   replace_delay, lowering, NULL);
  check_noise (lowering, delay.value);
  delay.history = make_history (self, delay.value);
  delay.symbol = weir_builder_add_symbol (self, text, self->result->delays->len + 1);
  g_array_append_val (self->result->delays, delay);
  g_hash_table_insert (lowering->known, GUINT_TO_POINTER (part.i + 1),
                       GUINT_TO_POINTER (self->result->delays->len));
  return delay.symbol;
}

static WeirExpr
replace_delay (WeirExprPool *pool, WeirExpr part, gpointer data)
{
  if (weir_expr_get_op (pool, part) == WEIR_OP_DELAY)
    return add_delay (data, part);
  return weir_expr_is_atom (pool, part) ? part : WEIR_NO_EXPR;
}

static void
lower (Lowering *self, WeirExpr *e, int line)
{
  self->line = line;
  if (e->i != WEIR_NO_EXPR.i && weir_expr_pool_has_op (self->builder->pool, WEIR_OP_DELAY))
    *e = weir_expr_replace (self->builder->pool, *e, replace_delay, self, NULL);
}

static int
compare_delays (gconstpointer a, gconstpointer b, gpointer pool)
{
  return weir_name_compare (weir_expr_get_name (pool, ((const WeirDelay *) a)->symbol),
                            weir_expr_get_name (pool, ((const WeirDelay *) b)->symbol));
}

static void
add_variable (WeirEquationsBuilder *self, WeirDelay *delay)
{
  const char *name = weir_expr_get_name (self->pool, delay->symbol);
  WeirVariable *variable = weir_builder_find_or_add (self, name, WEIR_ROLE_DELAYED, delay->line);

  variable->is_hidden = TRUE;
  variable->shape = (WeirShape) { 0, { 1, 1 } };
  variable->size = 1;
  variable->elements = g_new (WeirExpr, 1);
  variable->elements[0] = delay->symbol;
  delay->variable = self->result->variables->len - 1;
  g_hash_table_insert (self->by_atom, GUINT_TO_POINTER (delay->symbol.i + 1),
                       GUINT_TO_POINTER (delay->variable + 1));
}

void
weir_builder_lower_delays (WeirEquationsBuilder *self)
{
  GArray *lists[] = { self->equations, self->tick_equations, self->initials, self->guesses };
  g_autoptr (GHashTable) known = g_hash_table_new (NULL, NULL);
  Lowering lowering = { self, known, 0 };

  check_histories (self);
  for (guint k = 0; k < G_N_ELEMENTS (lists); k++)
    for (guint i = 0; i < lists[k]->len; i++)
      {
        WeirScalarEquation *equation = &g_array_index (lists[k], WeirScalarEquation, i);

        lower (&lowering, &equation->left, equation->line);
        lower (&lowering, &equation->right, equation->line);
      }
  for (guint i = 0; i < self->result->events->len; i++)
    {
      WeirEvent *event = g_ptr_array_index (self->result->events, i);

      lower (&lowering, &event->crossing, event->line);
      for (guint j = 0; j < event->assignments->len; j++)
        {
          WeirAssignment *assignment = &g_array_index (event->assignments, WeirAssignment, j);

          lower (&lowering, &assignment->value, assignment->line);
        }
    }
  for (guint i = 0; i < self->result->assertions->len; i++)
    {
      WeirAssertion *assertion = g_ptr_array_index (self->result->assertions, i);

      lower (&lowering, &assertion->condition, assertion->line);
    }
  g_array_sort_with_data (self->result->delays, compare_delays, self->pool);
  for (guint i = 0; i < self->result->delays->len; i++)
    add_variable (self, &g_array_index (self->result->delays, WeirDelay, i));
}

void
weir_builder_check_delays (WeirEquationsBuilder *self)
{
  check_times (self);
}

void
weir_builder_add_delayed_starts (const WeirEquationsBuilder *self, GArray *equations)
{
  for (guint i = 0; i < self->result->delays->len; i++)
    {
      const WeirDelay *delay = &g_array_index (self->result->delays, WeirDelay, i);
      WeirScalarEquation start = { .left = delay->symbol,
                                   .right = delay->value,
                                   .line = delay->line };

      if (delay->history.i != WEIR_NO_EXPR.i)
        start.right = move_in_time (
            self->pool, delay->history,
            weir_simplify_make (self->pool, WEIR_OP_SUB,
                                (WeirExpr[]) { weir_expr_symbol (self->pool, "t"), delay->time },
                                2));
      g_array_append_val (equations, start);
    }
}

/* --- Derivatives ----------------------------------------------------------------------------- */

const WeirDelay *
weir_builder_find_delay (const WeirEquationsBuilder *self, WeirExpr symbol)
{
  for (guint i = 0; i < self->result->delays->len; i++)
    {
      const WeirDelay *delay = &g_array_index (self->result->delays, WeirDelay, i);

      if (weir_expr_equal (delay->symbol, symbol))
        return delay;
    }
  return NULL;
}

void
weir_builder_derive_delay (WeirEquationsBuilder *self, WeirExpr symbol, WeirExpr *rate)
{
  WeirExprPool *pool = self->pool;
  WeirDelay delay = *weir_builder_find_delay (self, symbol);
  gboolean has_history = delay.history.i != WEIR_NO_EXPR.i;
  g_autofree char *text = NULL;

  /* Before the start everything was as it starts, unless a history says something else. */
  if (weir_expr_is_number (pool, *rate, 0.0) && !has_history)
    return;
  delay.written = weir_expr_make_2 (pool, WEIR_OP_DELAY, *rate, delay.time);
  delay.value = *rate;
  delay.history = has_history ? weir_expr_derive (pool, delay.history, weir_expr_symbol (pool, "t"))
                              : weir_expr_number (pool, 0.0);
  for (guint i = 0; i < self->result->delays->len; i++)
    {
      const WeirDelay *known = &g_array_index (self->result->delays, WeirDelay, i);

      if (weir_expr_equal (known->written, delay.written)
          && weir_expr_equal (known->history, delay.history))
        {
          *rate = known->symbol;
          return;
        }
    }
  text = weir_expr_describe (pool, delay.written);
  delay.symbol = weir_builder_add_symbol (self, text, self->result->delays->len + 1);
  add_variable (self, &delay);
  g_array_append_val (self->result->delays, delay);
  *rate = delay.symbol;
}

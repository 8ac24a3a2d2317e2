/* What is random, made of what is not: white noise and jumps become events, discrete variables and
 * numbers that are functions of a seed and a counter.
 *
 * White noise w is held over steps of length h. At the beginning of each, dD(x)/dw times a normal
 * number over sqrt (h) is put into a discrete variable, which is added to D(x) until the next. With
 * Euler's method of the same step this is the method of Euler and Maruyama to the bit; another
 * method solves the rest more exactly. The factor is that of the step's beginning: Ito's integral.
 *
 * A jump of rate r happens when the integral of r since the last one reaches a number of
 * exponential distribution, which is exact for any rate that depends on states (Gillespie's
 * reaction times).
 *
 * Streams are told apart by the names and texts that they belong to, so that the order of lines
 * changes nothing.
 */
#include "equations/declare/declare.h"
#include "base/text.h"
#include "base/phrase.h"

#include <math.h>
#include <string.h>

/* --- Numbers --------------------------------------------------------------------------------- */

/* A stream's own seed: 52 bits of the text's (Fowler, Noll and Vo's) hash and the model's seed. */
static WeirExpr
make_stream (const WeirEquationsBuilder *self, const char *text, guint part)
{
  guint64 hash = G_GUINT64_CONSTANT (0xcbf29ce484222325);

  for (; *text != '\0'; text++)
    hash = (hash ^ (guchar) *text) * G_GUINT64_CONSTANT (0x100000001b3);
  hash = weir_random_mix (hash + weir_random_mix (self->seed + part));
  return weir_expr_number (self->pool, (double) (hash >> 12));
}

static WeirExpr
make_uniform (const WeirEquationsBuilder *self, const char *text, guint part, WeirExpr n)
{
  return weir_expr_make_2 (self->pool, WEIR_OP_RANDOM, make_stream (self, text, part), n);
}

/* By Box and Muller. */
static WeirExpr
make_normal (const WeirEquationsBuilder *self, const char *text, WeirExpr n)
{
  WeirExpr radius = weir_simplify_make_1 (
      self->pool, WEIR_OP_SQRT,
      weir_simplify_make_2 (
          self->pool, WEIR_OP_MUL, weir_expr_number (self->pool, -2.0),
          weir_simplify_make_1 (self->pool, WEIR_OP_LOG, make_uniform (self, text, 0, n))));
  WeirExpr angle = weir_simplify_make_2 (self->pool, WEIR_OP_MUL,
                                         weir_expr_number (self->pool, 2.0 * M_PI),
                                         make_uniform (self, text, 1, n));

  return weir_simplify_make_2 (self->pool, WEIR_OP_MUL, radius,
                               weir_simplify_make_1 (self->pool, WEIR_OP_COS, angle));
}

/* --- Variables that nobody wrote ------------------------------------------------------------- */

/* A scalar that starts at 0. @name: taken over. */
static WeirExpr
add_hidden (WeirEquationsBuilder *self, char *name, int line)
{
  WeirVariable *variable = g_new0 (WeirVariable, 1);
  WeirScalarEquation start = { .right = weir_expr_number (self->pool, 0.0),
                               .line = line,
                               .is_initial = TRUE };

  variable->name = name;
  variable->role = WEIR_ROLE_UNKNOWN;
  variable->line = line;
  variable->is_hidden = TRUE;
  variable->shape = (WeirShape) { 0, { 1, 1 } };
  variable->size = 1;
  variable->elements = g_new (WeirExpr, 1);
  variable->elements[0] = start.left = weir_expr_symbol (self->pool, name);
  g_ptr_array_add (self->result->variables, variable);
  g_hash_table_insert (self->by_name, variable->name, variable);
  g_hash_table_insert (self->by_atom, GUINT_TO_POINTER (start.left.i + 1),
                       GUINT_TO_POINTER (self->result->variables->len));
  g_array_append_val (self->initials, start);
  return start.left;
}

static void
assign (WeirEvent *event, WeirExpr target, WeirExpr value)
{
  WeirAssignment assignment = { target, value, event->line };

  g_array_append_val (event->assignments, assignment);
}

/* @counter := pre (@counter) + 1; returns pre (@counter). */
static WeirExpr
count (const WeirEquationsBuilder *self, WeirEvent *event, WeirExpr counter)
{
  WeirExpr before = weir_expr_make_1 (self->pool, WEIR_OP_PRE, counter);

  assign (
      event, counter,
      weir_simplify_make_2 (self->pool, WEIR_OP_ADD, before, weir_expr_number (self->pool, 1.0)));
  return before;
}

/* --- Jumps ----------------------------------------------------------------------------------- */

/* "jump(2*x) of n": equal ones are told apart by a number. */
static char *
name_jump (const WeirEquationsBuilder *self, const WeirEvent *event)
{
  g_autofree char *rate = weir_expr_describe (self->pool, event->crossing);
  g_autoptr (GPtrArray) targets = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *list = NULL;
  char *name;

  for (guint i = 0; i < event->assignments->len; i++)
    g_ptr_array_add (
        targets, weir_expr_describe (self->pool,
                                     g_array_index (event->assignments, WeirAssignment, i).target));
  g_ptr_array_add (targets, NULL);
  list = g_strjoinv (", ", (char **) targets->pdata);
  name = g_strdup_printf ("jump(%s) of %s", rate, list);
  for (guint k = 2;; k++)
    {
      g_autofree char *taken = g_strconcat (name, ": number", NULL);

      if (!g_hash_table_contains (self->by_name, taken))
        return name;
      g_free (name);
      name = g_strdup_printf ("jump(%s) of %s, %u", rate, list, k);
    }
}

static void
lower_jump (WeirEquationsBuilder *self, WeirEvent *event)
{
  g_autofree char *name = name_jump (self, event);
  WeirExpr rate = event->crossing;
  WeirExpr number = add_hidden (self, g_strconcat (name, ": number", NULL), event->line);
  WeirExpr integral = add_hidden (self, g_strconcat (name, ": integral", NULL), event->line);
  WeirScalarEquation equation = { .left = weir_expr_make_1 (self->pool, WEIR_OP_DER, integral),
                                  .right = rate,
                                  .line = event->line };
  WeirAssertion *assertion = g_new0 (WeirAssertion, 1);
  WeirExpr threshold = weir_simplify_make_1 (
      self->pool, WEIR_OP_NEG,
      weir_simplify_make_1 (self->pool, WEIR_OP_LOG, make_uniform (self, name, 0, number)));

  g_array_append_val (self->equations, equation);
  assertion->condition = weir_simplify_make_2 (self->pool, WEIR_OP_GE, rate,
                                               weir_expr_number (self->pool, 0.0));
  assertion->line = event->line;
  g_ptr_array_add (self->result->assertions, assertion);
  count (self, event, number);
  assign (event, integral, weir_expr_number (self->pool, 0.0));
  event->kind = WEIR_EVENT_RISING;
  event->crossing = weir_simplify_make_2 (self->pool, WEIR_OP_SUB, integral, threshold);
}

/* --- White noise ----------------------------------------------------------------------------- */

static const WeirVariable *
find_noise (const WeirEquationsBuilder *self, WeirExpr atom)
{
  const WeirVariable *variable = weir_builder_find_atom (self, atom);

  return variable != NULL && variable->role == WEIR_ROLE_BROWNIAN ? variable : NULL;
}

static WeirExpr
replace_noise (WeirExprPool *pool, WeirExpr part, gpointer data)
{
  if (!weir_expr_is_atom (pool, part))
    return WEIR_NO_EXPR;
  return find_noise (data, part) != NULL ? weir_expr_number (pool, 0.0) : part;
}

/* The atoms of @e that are noise, by name; what else there is is told by @has_rate: a D. */
static GPtrArray *
list_noise (WeirEquationsBuilder *self, const WeirExpr *e, guint n, gboolean *has_rate)
{
  g_autoptr (GArray) atoms = g_array_new (FALSE, FALSE, sizeof (WeirExpr));
  GPtrArray *found = g_ptr_array_new ();

  *has_rate = FALSE;
  weir_expr_collect_atoms (self->pool, e, n, atoms);
  for (guint i = 0; i < atoms->len; i++)
    {
      WeirExpr atom = g_array_index (atoms, WeirExpr, i);
      guint k = found->len;

      *has_rate = *has_rate || weir_expr_get_op (self->pool, atom) == WEIR_OP_DER;
      if (find_noise (self, atom) == NULL)
        continue;
      g_ptr_array_add (found, GUINT_TO_POINTER (atom.i));
      for (; k > 0; k--)
        {
          WeirExpr before = { GPOINTER_TO_UINT (found->pdata[k - 1]) };
          g_autofree char *left = weir_expr_describe (self->pool, before);
          g_autofree char *right = weir_expr_describe (self->pool, atom);

          if (weir_name_compare (left, right) <= 0)
            break;
          found->pdata[k] = found->pdata[k - 1];
          found->pdata[k - 1] = GUINT_TO_POINTER (atom.i);
        }
    }
  return found;
}

/* Takes the noise out of an equation and puts what is held in its place. */
static void
lower_equation (WeirEquationsBuilder *self, WeirScalarEquation *equation, WeirEvent *event,
                WeirExpr step)
{
  WeirExpr sides[2] = { equation->left, equation->right };
  WeirExpr residual = weir_simplify_make_2 (self->pool, WEIR_OP_SUB, equation->left,
                                            equation->right);
  WeirExpr sum = weir_expr_number (self->pool, 0.0), held;
  gboolean has_rate, unused;
  g_autoptr (GPtrArray) noise = list_noise (self, sides, 2, &has_rate);
  g_autofree char *left = NULL;
  g_autofree char *right = NULL;

  if (noise->len == 0)
    return;
  if (!has_rate)
    {
      g_autofree char *name = weir_expr_describe (
          self->pool, (WeirExpr) { GPOINTER_TO_UINT (noise->pdata[0]) });

      weir_builder_fail (
          self, "EQ08", equation->line,
          N_ ("Model: line %d: %s is white noise, which has no value at an instant; it may only "
              "stand in equations of D(x)."),
          equation->line, name);
      return;
    }
  for (guint i = 0; i < noise->len; i++)
    {
      WeirExpr atom = { GPOINTER_TO_UINT (noise->pdata[i]) };
      WeirExpr factor = weir_expr_derive (self->pool, residual, atom);
      g_autofree char *name = weir_expr_describe (self->pool, atom);
      g_autoptr (GPtrArray) inner = list_noise (self, &factor, 1, &unused);

      if (inner->len > 0)
        {
          weir_builder_fail (
              self, "EQ08", equation->line,
              N_ ("Model: line %d: %s may only stand as a term with a factor, as in D(x) ~ -x + "
                  "2*%s."),
              equation->line, name, name);
          return;
        }
      sum = weir_simplify_make_2 (
          self->pool, WEIR_OP_SUB, sum,
          weir_simplify_make_2 (self->pool, WEIR_OP_MUL, factor, make_normal (self, name, step)));
    }
  left = weir_expr_describe (self->pool, equation->left);
  right = weir_expr_describe (self->pool, equation->right);
  held = add_hidden (self,
                     weir_expr_is_atom (self->pool, equation->left)
                         ? g_strdup_printf ("noise(%s)", left)
                         : g_strdup_printf ("noise(%s ~ %s)", left, right),
                     equation->line);
  assign (event, held,
          weir_simplify_make_2 (self->pool, WEIR_OP_DIV, sum,
                                weir_expr_number (self->pool, sqrt (event->period))));
  equation->left = weir_expr_replace (self->pool, equation->left, replace_noise, self,
                                      weir_simplify_make);
  equation->right = weir_simplify_make_2 (
      self->pool, WEIR_OP_ADD,
      weir_expr_replace (self->pool, equation->right, replace_noise, self, weir_simplify_make),
      held);
}

/* Where noise may not be. */
static void
refuse_noise (WeirEquationsBuilder *self, WeirExpr e, int line, const char *where)
{
  gboolean unused;
  g_autoptr (GPtrArray) noise = NULL;

  if (e.i == WEIR_NO_EXPR.i)
    return;
  noise = list_noise (self, &e, 1, &unused);
  if (noise->len > 0)
    {
      g_autofree char *name = weir_expr_describe (
          self->pool, (WeirExpr) { GPOINTER_TO_UINT (noise->pdata[0]) });

      weir_builder_fail (
          self, "EQ08", line,
          N_ ("Model: line %d: %s is white noise, which has no value at an instant; it may not "
              "stand in %s."),
          line, name, where);
    }
}

static void
refuse_elsewhere (WeirEquationsBuilder *self)
{
  static const char *const where[] = { N_ ("an equation in k"), N_ ("a condition at the start"),
                                       N_ ("a guess") };
  GArray *equations[] = { self->tick_equations, self->initials, self->guesses };

  for (guint k = 0; k < G_N_ELEMENTS (equations); k++)
    for (guint i = 0; i < equations[k]->len; i++)
      {
        const WeirScalarEquation *equation = &g_array_index (equations[k], WeirScalarEquation, i);

        refuse_noise (self, equation->left, equation->line, weir_phrase (where[k]));
        refuse_noise (self, equation->right, equation->line, weir_phrase (where[k]));
      }
  for (guint i = 0; i < self->result->events->len; i++)
    {
      const WeirEvent *event = g_ptr_array_index (self->result->events, i);

      refuse_noise (self, event->crossing, event->line, weir_phrase (N_ ("a when")));
      for (guint j = 0; j < event->assignments->len; j++)
        {
          const WeirAssignment *assignment = &g_array_index (event->assignments, WeirAssignment, j);

          refuse_noise (self, assignment->value, assignment->line,
                        weir_phrase (N_ ("an assignment")));
        }
    }
  for (guint i = 0; i < self->result->assertions->len; i++)
    {
      const WeirAssertion *assertion = g_ptr_array_index (self->result->assertions, i);

      refuse_noise (self, assertion->condition, assertion->line, weir_phrase (N_ ("an assertion")));
    }
}

static void
lower_noise (WeirEquationsBuilder *self, const WeirVariable *first)
{
  WeirEvent *event = g_new0 (WeirEvent, 1);
  WeirExpr step;

  event->kind = WEIR_EVENT_PERIODIC;
  event->crossing = WEIR_NO_EXPR;
  event->period = self->noise_step;
  event->line = first->line;
  event->assignments = g_array_new (FALSE, FALSE, sizeof (WeirAssignment));
  refuse_elsewhere (self);
  g_ptr_array_add (self->result->events, event);
  if (self->has_failed)
    return;
  if (event->period == 0.0)
    {
      weir_builder_fail (
          self, "EQ08", first->line,
          N_ ("Model: line %d: brownian %s needs steps; add a line such as 'noise 0.001'."),
          first->line, first->name);
      return;
    }
  step = count (self, event, add_hidden (self, g_strdup ("noise: step"), first->line));
  weir_builder_sort_equations (self, self->equations);
  for (guint i = 0; i < self->equations->len && !self->has_failed; i++)
    lower_equation (self, &g_array_index (self->equations, WeirScalarEquation, i), event, step);
}

void
weir_builder_lower_noise (WeirEquationsBuilder *self)
{
  const WeirVariable *first = NULL;
  guint n_events = self->result->events->len;

  for (guint i = 0; i < n_events; i++)
    {
      WeirEvent *event = g_ptr_array_index (self->result->events, i);

      if (event->kind == WEIR_EVENT_JUMP)
        lower_jump (self, event);
    }
  for (guint i = 0; i < self->result->variables->len; i++)
    {
      const WeirVariable *variable = g_ptr_array_index (self->result->variables, i);

      if (variable->role == WEIR_ROLE_BROWNIAN
          && (first == NULL || strcmp (variable->name, first->name) < 0))
        first = variable;
    }
  if (first != NULL)
    lower_noise (self, first);
}

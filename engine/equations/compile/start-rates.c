/* Derivatives at the start of what equations compute: "initial D(y) = 3" where y is no state.
 *
 * Nothing in the model determines D(y), so the equations of y are differentiated: an explicit y ~ f
 * gives D(y) ~ df/dt, and a group that is solved together gives as many equations as it has. What
 * their right sides read of other unknowns' derivatives follows in the same way, and so does
 * D(D(y)) from the equations of D(y). Comparisons hold at the start.
 */
#include "equations/compile/initial-private.h"
#include "base/text.h"

#define MAX_TIMES 8 /* differentiated: each time makes a group several times as long */

/* Equations that determine as many unknowns together: of the model, or made here. */
typedef struct {
  guint n;
  const WeirExpr *unknowns;
  const WeirExpr *values; /* each its unknown's; NULL: of residuals */
  const WeirExpr *residuals;
  const int *lines;
  guint n_times; /* differentiated */
  gboolean is_done;
} Group;

typedef struct {
  WeirExpr rate; /* D(y) */
  int line;      /* which reads it */
} Wanted;

typedef struct {
  WeirEquationsBuilder *builder;
  GArray *equations, *unknowns;
  GPtrArray *groups;     /* of Group */
  GHashTable *group_of;  /* atom + 1 to index of its group + 1 */
  GHashTable *relations; /* symbol + 1 to value + 1 */
  GArray *queue;         /* of Wanted */
} Rates;

/* de/dt in derivatives of atoms; those of unknowns are queued. */
static WeirExpr
differentiate (Rates *self, WeirExpr e, int line)
{
  WeirEquationsBuilder *builder = self->builder;
  WeirExprPool *pool = builder->pool;
  g_autoptr (GArray) atoms = g_array_new (FALSE, FALSE, sizeof (WeirExpr));
  WeirExpr time = weir_expr_symbol (pool, "t"), sum = weir_expr_number (pool, 0.0);

  e = weir_expr_replace (pool, e, weir_expr_look_up, self->relations, NULL);
  weir_expr_collect_atoms (pool, &e, 1, atoms);
  for (guint i = 0; i < atoms->len; i++)
    {
      WeirExpr atom = g_array_index (atoms, WeirExpr, i), term = weir_expr_derive (pool, e, atom);
      const WeirVariable *variable = weir_builder_find_atom (builder, atom);
      gboolean is_time = weir_expr_equal (atom, time);

      if (weir_expr_is_number (pool, term, 0.0)
          || (!is_time && variable != NULL && variable->role != WEIR_ROLE_STATE
              && variable->role != WEIR_ROLE_UNKNOWN && variable->role != WEIR_ROLE_INPUT))
        continue;
      if (variable != NULL && variable->role == WEIR_ROLE_INPUT)
        weir_builder_fail (
            builder, "INI03", line,
            N_ ("Initialization: a derivative at the start depends on that of the input %s, "
                "which line %d reads and nobody knows."),
            variable->name, line);
      if (!is_time)
        {
          Wanted wanted = { weir_expr_make_1 (pool, WEIR_OP_DER, atom), line };

          g_array_append_val (self->queue, wanted);
          term = weir_simplify_make_2 (self->builder->pool, WEIR_OP_MUL, term, wanted.rate);
        }
      sum = weir_simplify_make_2 (self->builder->pool, WEIR_OP_ADD, sum, term);
    }
  return sum;
}

static void
add_equation (Rates *self, WeirExpr left, WeirExpr right, int line)
{
  WeirScalarEquation equation = { .left = left, .right = right, .line = line };

  g_array_append_val (self->equations, equation);
}

static void
add_group (Rates *self, Group *group)
{
  for (guint i = 0; i < group->n; i++)
    g_hash_table_insert (self->group_of, GUINT_TO_POINTER (group->unknowns[i].i + 1),
                         GUINT_TO_POINTER (self->groups->len + 1));
  g_ptr_array_add (self->groups, group);
}

/* Adds the derivatives of a group's equations, which determine those of its unknowns. */
static void
differentiate_group (Rates *self, Group *group)
{
  WeirEquationsBuilder *builder = self->builder;
  WeirExprPool *pool = builder->pool;
  WeirExpr *rates = g_new (WeirExpr, group->n);
  WeirExpr *sides = g_new (WeirExpr, group->n);
  Group *made = g_new0 (Group, 1);

  group->is_done = TRUE;
  *made = (Group) { .n = group->n,
                    .unknowns = rates,
                    .values = group->values != NULL ? sides : NULL,
                    .residuals = group->values != NULL ? NULL : sides,
                    .lines = group->lines,
                    .n_times = group->n_times + 1 };
  for (guint i = 0; i < group->n; i++)
    {
      WeirUnknown unknown = { weir_expr_make_1 (pool, WEIR_OP_DER, group->unknowns[i]), 0 };

      g_ptr_array_find (builder->result->variables,
                        weir_builder_find_atom (builder, group->unknowns[i]), &unknown.variable);
      g_array_append_val (self->unknowns, unknown);
      rates[i] = unknown.atom;
      sides[i] = differentiate (
          self, group->values != NULL ? group->values[i] : group->residuals[i], group->lines[i]);
      add_equation (self, group->values != NULL ? rates[i] : weir_expr_number (pool, 0.0), sides[i],
                    group->lines[i]);
    }
  add_group (self, made);
}

/* Adds what determines a wanted derivative, from the lowest that is not determined up. */
static void
follow (Rates *self, Wanted wanted)
{
  WeirExprPool *pool = self->builder->pool;
  g_autoptr (GArray) chain = g_array_new (FALSE, FALSE, sizeof (WeirExpr));

  for (WeirExpr e = wanted.rate; weir_expr_get_op (pool, e) == WEIR_OP_DER;
       e = weir_expr_get_arg (pool, e, 0))
    g_array_append_val (chain, e);
  for (guint i = chain->len; i-- > 0;)
    {
      WeirExpr rate = g_array_index (chain, WeirExpr, i), of = weir_expr_get_arg (pool, rate, 0);
      guint place = GPOINTER_TO_UINT (
          g_hash_table_lookup (self->group_of, GUINT_TO_POINTER (of.i + 1)));
      Group *group = place > 0 ? g_ptr_array_index (self->groups, place - 1) : NULL;

      if (group == NULL || group->is_done)
        continue;
      if (group->n_times == MAX_TIMES)
        {
          weir_builder_fail (
              self->builder, "INI03", wanted.line,
              N_ ("Initialization: line %d: a condition at the start reads a derivative "
                  "that is more than %d above what the equations say; lower ones will "
                  "do."),
              wanted.line, MAX_TIMES);
          return;
        }
      differentiate_group (self, group);
    }
}

/* The derivatives that @e reads. */
static void
queue_rates (Rates *self, WeirExpr e, int line)
{
  WeirExprPool *pool = self->builder->pool;
  g_autoptr (GArray) atoms = g_array_new (FALSE, FALSE, sizeof (WeirExpr));

  weir_expr_collect_atoms (pool, &e, 1, atoms);
  for (guint i = 0; i < atoms->len; i++)
    {
      Wanted wanted = { g_array_index (atoms, WeirExpr, i), line };

      if (weir_expr_get_op (pool, wanted.rate) == WEIR_OP_DER)
        g_array_append_val (self->queue, wanted);
    }
}

static void
free_group (gpointer data)
{
  Group *self = data;

  if (self->n_times > 0) /* made here */
    {
      g_free ((gpointer) self->unknowns);
      g_free ((gpointer) (self->values != NULL ? self->values : self->residuals));
    }
  g_free (self);
}

void
weir_builder_add_start_rates (WeirEquationsBuilder *builder, GArray *equations, GArray *unknowns)
{
  g_autoptr (GHashTable) group_of = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) relations = g_hash_table_new (NULL, NULL);
  g_autoptr (GPtrArray) groups = g_ptr_array_new_with_free_func (free_group);
  g_autoptr (GArray) queue = g_array_new (FALSE, FALSE, sizeof (Wanted));
  Rates self = { builder, equations, unknowns, groups, group_of, relations, queue };
  const GPtrArray *blocks = builder->result->blocks;

  for (guint i = 0; i < builder->initials->len; i++)
    {
      const WeirScalarEquation *initial = &g_array_index (builder->initials, WeirScalarEquation, i);

      queue_rates (&self, initial->left, initial->line);
      queue_rates (&self, initial->right, initial->line);
    }
  if (queue->len == 0)
    return;
  for (guint i = 0; i < blocks->len; i++)
    {
      const WeirEquationBlock *block = g_ptr_array_index (blocks, i);
      Group *group = g_new0 (Group, 1);

      *group = (Group) { .n = block->n,
                         .unknowns = block->unknowns,
                         .values = block->value.i != WEIR_NO_EXPR.i ? &block->value : NULL,
                         .residuals = block->residuals,
                         .lines = block->lines };
      add_group (&self, group);
    }
  for (guint i = 0; i < builder->result->relations->len; i++)
    {
      const WeirRelation *relation = &g_array_index (builder->result->relations, WeirRelation, i);

      g_hash_table_insert (relations, GUINT_TO_POINTER (relation->symbol.i + 1),
                           GUINT_TO_POINTER (relation->value.i + 1));
    }
  for (guint head = 0; head < queue->len && !builder->has_failed; head++)
    follow (&self, g_array_index (queue, Wanted, head));
}

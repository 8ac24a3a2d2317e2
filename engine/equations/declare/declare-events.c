/* Statements with when: what passes 0 where the event happens, and what is assigned then. */
#include "equations/declare/declare.h"
#include "base/text.h"
#include "base/phrase.h"

static void
fail_condition (WeirEquationsBuilder *self, int line)
{
  weir_builder_fail (self, "EQ08", line,
                     N_ ("Model: line %d: the condition of when must be a comparison, rising(e), "
                         "falling(e) or every(period)."),
                     line);
}

/* Turns a condition into what passes 0, and how. */
static gboolean
find_crossing (WeirEquationsBuilder *self, WeirExpr condition, int line, WeirEvent *event)
{
  WeirOp op = weir_expr_get_op (self->pool, condition);
  WeirExpr left, right;

  if (op == WEIR_OP_EVERY)
    {
      event->kind = WEIR_EVENT_PERIODIC;
      return weir_builder_find_time (self, weir_expr_get_arg (self->pool, condition, 0), line,
                                     weir_phrase (N_ ("the period")), FALSE, &event->period)
             && (weir_expr_get_n_args (self->pool, condition) < 2
                 || weir_builder_find_time (self, weir_expr_get_arg (self->pool, condition, 1),
                                            line, weir_phrase (N_ ("the offset")), TRUE,
                                            &event->offset));
    }
  if (op == WEIR_OP_JUMP)
    {
      event->kind = WEIR_EVENT_JUMP;
      return weir_builder_expand_scalar (self, weir_expr_get_arg (self->pool, condition, 0), line,
                                         weir_phrase (N_ ("the rate")), &event->crossing);
    }
  if (op == WEIR_OP_RISING || op == WEIR_OP_FALLING)
    {
      event->kind = op == WEIR_OP_RISING ? WEIR_EVENT_RISING : WEIR_EVENT_FALLING;
      return weir_builder_expand_scalar (self, weir_expr_get_arg (self->pool, condition, 0), line,
                                         weir_phrase (N_ ("the condition")), &event->crossing);
    }
  if (op != WEIR_OP_LT && op != WEIR_OP_LE && op != WEIR_OP_GT && op != WEIR_OP_GE
      && op != WEIR_OP_EQ && op != WEIR_OP_AND && op != WEIR_OP_OR && op != WEIR_OP_NOT)
    {
      fail_condition (self, line);
      return FALSE;
    }
  if (op == WEIR_OP_AND || op == WEIR_OP_OR || op == WEIR_OP_NOT)
    {
      WeirExpr expanded;

      event->kind = WEIR_EVENT_RISING;
      if (!weir_builder_expand_scalar (self, condition, line, weir_phrase (N_ ("the condition")),
                                       &expanded))
        return FALSE;
      if (weir_expr_find_margin (self->pool, expanded, &event->crossing))
        return TRUE;
      fail_condition (self, line);
      return FALSE;
    }
  event->kind = op == WEIR_OP_EQ                       ? WEIR_EVENT_EITHER
                : op == WEIR_OP_LT || op == WEIR_OP_LE ? WEIR_EVENT_FALLING
                                                       : WEIR_EVENT_RISING;
  if (!weir_builder_expand_scalar (self, weir_expr_get_arg (self->pool, condition, 0), line,
                                   weir_phrase (N_ ("the condition")), &left)
      || !weir_builder_expand_scalar (self, weir_expr_get_arg (self->pool, condition, 1), line,
                                      weir_phrase (N_ ("the condition")), &right))
    return FALSE;
  event->crossing = weir_simplify_make_2 (self->pool, WEIR_OP_SUB, left, right);
  if (op == WEIR_OP_LE || op == WEIR_OP_GE)
    event->crossing = weir_expr_put_beside_zero (self->pool, event->crossing,
                                                 op == WEIR_OP_GE ? 1.0 : -1.0);
  return TRUE;
}

static gboolean
contains (WeirExprPool *pool, WeirExpr e, WeirExpr atom)
{
  g_autoptr (GArray) atoms = g_array_new (FALSE, FALSE, sizeof (WeirExpr));

  weir_expr_collect_atoms (pool, &e, 1, atoms);
  for (guint i = 0; i < atoms->len; i++)
    if (weir_expr_equal (g_array_index (atoms, WeirExpr, i), atom))
      return TRUE;
  return FALSE;
}

typedef struct {
  const WeirEvent *event;
  const WeirAssignment *assignment;
} Writing;

static void
add_assignments (WeirEquationsBuilder *self, const WeirStatement *s, WeirEvent *event)
{
  g_autoptr (GArray) equations = g_array_new (FALSE, FALSE, sizeof (WeirScalarEquation));

  weir_builder_add_equations (self, s, equations);
  for (guint i = 0; i < equations->len; i++)
    {
      const WeirScalarEquation *equation = &g_array_index (equations, WeirScalarEquation, i);
      WeirAssignment assignment = { equation->left, equation->right, s->line };
      WeirOp op = weir_expr_get_op (self->pool, equation->left);
      g_autofree char *name = weir_expr_describe (self->pool, equation->left);

      if (op != WEIR_OP_SYMBOL && op != WEIR_OP_DER)
        weir_builder_fail (self, "EQ08", s->line,
                           N_ ("Model: line %d: only a variable can be assigned to, not %s."),
                           s->line, name);
      else if (contains (self->pool, equation->right, equation->left))
        weir_builder_fail (
            self, "EQ08", s->line,
            N_ ("Model: line %d: %s is on both sides of an assignment; did you mean pre(%s)?"),
            s->line, name, name);
      else
        g_array_append_val (event->assignments, assignment);
    }
}

/* Do both happen at the same instants whatever the values are? Jumps do not, each has a time of its
 * own. */
static gboolean
is_same_occasion (const WeirEvent *a, const WeirEvent *b)
{
  if (a == b)
    return TRUE;
  if (a->kind != b->kind || a->kind == WEIR_EVENT_JUMP)
    return FALSE;
  return a->kind == WEIR_EVENT_PERIODIC ? a->period == b->period && a->offset == b->offset
                                        : weir_expr_equal (a->crossing, b->crossing);
}

/* Within one when each variable has one new value, and where two have the same condition they
 * agree. Others may meet at some instant: that is found when they do. */
void
weir_builder_check_events (WeirEquationsBuilder *self)
{
  g_autoptr (GHashTable)
      first = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_array_unref);

  for (guint i = 0; i < self->result->events->len; i++)
    {
      const WeirEvent *event = g_ptr_array_index (self->result->events, i);

      for (guint j = 0; j < event->assignments->len; j++)
        {
          const WeirAssignment *a = &g_array_index (event->assignments, WeirAssignment, j);
          gpointer key = GUINT_TO_POINTER (a->target.i + 1);
          GArray *others = g_hash_table_lookup (first, key);
          Writing writing = { event, a };

          if (others == NULL)
            {
              others = g_array_new (FALSE, FALSE, sizeof (Writing));
              g_hash_table_insert (first, key, others);
            }
          for (guint k = 0; k < others->len; k++)
            {
              const Writing *other = &g_array_index (others, Writing, k);
              g_autofree char *name = NULL;

              if (!is_same_occasion (other->event, event)
                  || (other->event != event
                      && weir_expr_equal (other->assignment->value, a->value)))
                continue;
              name = weir_expr_describe (self->pool, a->target);
              if (other->event == event)
                weir_builder_fail (
                    self, "EQ08", a->line,
                    N_ ("Model: line %d: %s is assigned to twice in one when; it has "
                        "one new value, so leave one of them out."),
                    a->line, name);
              else
                weir_builder_fail (
                    self, "EQ08", a->line,
                    N_ ("Model: lines %d and %d assign to %s under the same condition; "
                        "it has one new value, so leave one of them out."),
                    other->assignment->line, a->line, name);
              return;
            }
          g_array_append_val (others, writing);
        }
    }
}

void
weir_builder_add_event (WeirEquationsBuilder *self, const WeirStatement *s)
{
  WeirEvent *event = g_new0 (WeirEvent, 1);

  event->line = s->line;
  event->crossing = WEIR_NO_EXPR;
  event->assignments = g_array_new (FALSE, FALSE, sizeof (WeirAssignment));
  g_ptr_array_add (self->result->events, event);
  find_crossing (self, s->left, s->line, event);
  for (guint i = 0; s->body != NULL && i < s->body->len; i++)
    {
      const WeirStatement *inner = g_ptr_array_index (s->body, i);

      if (inner->kind == WEIR_STATEMENT_ASSIGN)
        add_assignments (self, inner, event);
    }
}

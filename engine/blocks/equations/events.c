/* The events of a system of equations: ticks, what `when` assigns, and relations.
 *
 * All conditions that are met in one direction share one witness, so that several of them may come
 * true at one instant: one handler carries out the assignments of each, all reading the values just
 * before. Relations are modes, changed by a handler of their own.
 */
#include "blocks/equations/compile-private.h"
#include "equations/expressions/simplify.h"

#include <string.h>

/* --- Discrete state -------------------------------------------------------------------------- */

void
weir_compiler_declare_modes (WeirCompiler *self)
{
  const GArray *relations = self->equations->relations;
  g_autofree double *initial = g_new0 (double, relations->len + 1);
  guint32 source;

  if (relations->len == 0)
    return;
  for (guint i = 0; i < relations->len; i++)
    initial[i] = g_array_index (relations, WeirRelation, i).initial;
  self->modes = weir_leaf_add_discrete_state (self->builder, WEIR_NAME_RELATIONS, initial,
                                              relations->len);
  source = weir_compiler_add_source (self, WEIR_OPERAND_DISCRETE, self->modes.i,
                                     weir_group_ticket (self->builder, self->modes));
  for (guint i = 0; i < relations->len; i++)
    weir_compiler_place_atom (self, g_array_index (relations, WeirRelation, i).symbol, source, i);
}

/* --- Ticks ----------------------------------------------------------------------------------- */

/* x(k) of every variable in k, and its past moved on by one. */
static void
make_ticks (WeirCompiler *self)
{
  const WeirEquations *equations = self->equations;
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (WeirExpr));
  g_autoptr (GArray) lines = g_array_new (FALSE, FALSE, sizeof (guint32));
  WeirComputation computation;
  WeirMaking making;

  if (equations->tick_blocks->len == 0)
    return;
  weir_making_init (&making, self, G_MAXUINT32);
  for (guint i = 0; i < equations->tick_blocks->len; i++)
    {
      const WeirEquationBlock *block = g_ptr_array_index (equations->tick_blocks, i);
      WeirExpr value = weir_expr_replace (self->pool, block->value, weir_making_get_inlined,
                                          &making, NULL);

      g_hash_table_insert (making.inlined, GUINT_TO_POINTER (block->unknowns[0].i + 1),
                           GUINT_TO_POINTER (value.i + 1));
    }
  for (guint i = 0; i < equations->variables->len; i++)
    {
      const WeirVariable *variable = g_ptr_array_index (equations->variables, i);

      for (guint d = 0; weir_is_tick_variable (variable) && d < variable->depth; d++)
        for (guint j = 0; j < variable->size; j++)
          {
            WeirExpr shift[2] = { variable->elements[j],
                                  weir_expr_number (self->pool, d == 0 ? 0.0 : -(double) d) };
            WeirExpr value = weir_expr_make (self->pool, WEIR_OP_SHIFT, shift, 2);

            if (d == 0)
              value = weir_making_get_inlined (self->pool, value, &making);
            g_array_append_val (values, value);
            g_array_append_val (lines, variable->line);
          }
    }
  weir_making_add_explicit (&making, values, lines, 0);
  computation = weir_making_end (&making);
  g_array_unref (making.depends);
  weir_leaf_add_periodic_update (self->builder, self->ticks, equations->period, equations->offset,
                                 weir_equations_update);
  g_array_append_val (self->event_computations, computation);
}

/* --- Assignments ----------------------------------------------------------------------------- */

static WeirExpr
replace_pre (WeirExprPool *pool, WeirExpr part, gpointer data)
{
  if (weir_expr_get_op (pool, part) == WEIR_OP_PRE)
    return weir_expr_get_arg (pool, part, 0);
  return weir_making_get_inlined (pool, part, data);
}

/* The assignments of @event as a part: carried out where element @element of the
 * witness crosses. */
static void
add_assignments (WeirMaking *making, const WeirEvent *event, guint32 element)
{
  WeirCompiler *self = making->compiler;
  WeirPart part = { .kind = WEIR_PART_ASSIGNED, .first = element, .n = event->assignments->len };
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (WeirExpr));
  g_autoptr (GArray) targets = g_array_new (FALSE, FALSE, sizeof (WeirOperand));
  g_autoptr (GArray) lines = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GString) names = g_string_new (NULL);

  g_hash_table_remove_all (making->inlined);
  for (guint i = 0; i < event->assignments->len; i++)
    {
      const WeirAssignment *assignment = &g_array_index (event->assignments, WeirAssignment, i);
      const WeirPlace *place = weir_compiler_get_place (self, assignment->target);
      const WeirOperandSource *source = &g_array_index (self->sources, WeirOperandSource,
                                                        place->source);
      WeirOperand target = { source->kind, source->index, place->element };
      WeirExpr value = weir_expr_replace (self->pool, assignment->value, replace_pre, making, NULL);
      g_autofree char *name = weir_expr_describe (self->pool, assignment->target);

      g_hash_table_insert (making->inlined, GUINT_TO_POINTER (assignment->target.i + 1),
                           GUINT_TO_POINTER (value.i + 1));
      g_array_append_val (values, value);
      g_array_append_val (targets, target);
      g_array_append_val (lines, assignment->line);
      g_string_append_len (names, name, (gssize) strlen (name) + 1);
    }
  if (values->len == 0)
    return;
  part.rows = weir_compiler_append_array (self, targets);
  part.lines = weir_compiler_append_array (self, lines);
  part.text = weir_compiler_append_data (self, names->str, names->len);
  weir_making_set_program (making, &part, (WeirExpr *) values->data, values->len, NULL, 0);
  g_array_append_val (making->parts, part);
}

/* A witness of its own for each element of @crossings. */
static WeirCached
add_witness (WeirCompiler *self, const char *name, const GArray *crossings, const GArray *lines)
{
  g_autoptr (GArray) depends = NULL;
  WeirComputation computation = weir_compiler_make_simple (self, crossings, lines, FALSE, &depends);
  WeirCached entry = weir_leaf_add_cache_entry (self->builder, name, crossings->len,
                                                weir_equations_calc, (WeirTicket *) depends->data);

  weir_compiler_name_elements (self, weir_cached_ticket (self->builder, entry), NULL,
                               (const guint32 *) lines->data, lines->len);
  g_array_append_val (self->entry_computations, computation);
  return entry;
}

/* @is_either: the events of either direction, else those of one. */
static void
make_crossings (WeirCompiler *self, gboolean is_either)
{
  const GPtrArray *events = self->equations->events;
  g_autoptr (GArray) crossings = g_array_new (FALSE, FALSE, sizeof (WeirExpr));
  g_autoptr (GArray) lines = g_array_new (FALSE, FALSE, sizeof (guint32));
  WeirComputation computation;
  WeirTrigger trigger;
  WeirCached witness;
  WeirMaking making;

  weir_making_init (&making, self, G_MAXUINT32);
  if (!is_either)
    weir_making_add_projection (&making, crossings, lines);
  for (guint i = 0; i < events->len; i++)
    {
      const WeirEvent *event = g_ptr_array_index (events, i);
      WeirExpr crossing = event->crossing;

      if (event->kind == WEIR_EVENT_PERIODIC || (event->kind == WEIR_EVENT_EITHER) != is_either)
        continue;
      /* One witness has one direction. */
      if (event->kind == WEIR_EVENT_RISING)
        crossing = weir_expr_make_1 (self->pool, WEIR_OP_NEG, crossing);
      add_assignments (&making, event, crossings->len);
      g_array_append_val (crossings, crossing);
      g_array_append_val (lines, event->line);
    }
  computation = weir_making_end (&making);
  g_array_unref (making.depends);
  if (crossings->len == 0)
    return;
  witness = add_witness (self, is_either ? WEIR_NAME_PASSAGES : WEIR_NAME_CONDITIONS, crossings,
                         lines);
  trigger = is_either ? weir_on_crossing (witness, WEIR_CROSSES)
                      : weir_on_change_of_sign (witness, WEIR_FALLING);
  if (!self->equations->has_restarts) /* states may begin where they cannot stay */
    trigger = weir_at_edge (trigger);
  weir_leaf_add_unrestricted_update (self->builder, trigger, weir_equations_assign_values);
  g_array_append_val (self->event_computations, computation);
}

static void
make_periodic (WeirCompiler *self, const WeirEvent *event)
{
  WeirComputation computation;
  WeirMaking making;

  weir_making_init (&making, self, G_MAXUINT32);
  add_assignments (&making, event, G_MAXUINT32);
  computation = weir_making_end (&making);
  g_array_unref (making.depends);
  weir_leaf_add_unrestricted_update (self->builder, weir_every (event->period, event->offset),
                                     weir_equations_assign_values);
  g_array_append_val (self->event_computations, computation);
}

/* --- Relations and kinks --------------------------------------------------------------------- */

static void
make_relations (WeirCompiler *self)
{
  const GArray *relations = self->equations->relations;
  g_autoptr (GArray) crossings = g_array_new (FALSE, FALSE, sizeof (WeirExpr));
  g_autoptr (GArray) lines = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GArray) ops = g_array_new (FALSE, FALSE, sizeof (guint32));
  WeirPart part = { .kind = WEIR_PART_DECIDED, .n = relations->len };
  WeirCached witness;

  if (relations->len == 0)
    return;
  for (guint i = 0; i < relations->len; i++)
    {
      const WeirRelation *relation = &g_array_index (relations, WeirRelation, i);
      guint32 op = relation->op, line = 0;

      g_array_append_val (crossings, relation->crossing);
      g_array_append_val (ops, op);
      g_array_append_val (lines, line);
    }
  for (guint i = 0; i < relations->len; i++)
    {
      const WeirRelation *relation = &g_array_index (relations, WeirRelation, i);
      guint32 line = 0;

      if (relation->op != WEIR_OP_FLOOR)
        continue;
      g_array_append_val (crossings, relation->beyond);
      g_array_append_val (lines, line);
    }
  witness = add_witness (self, WEIR_NAME_DIFFERENCES, crossings, lines);
  part.operands = witness.i;
  part.rows = weir_compiler_append_array (self, ops);
  /* At the start there is no mode yet that could be kept. */
  for (part.first = 0; part.first < 2; part.first++)
    {
      WeirComputation computation = { weir_compiler_append_data (self, &part, sizeof part), 1 };

      weir_leaf_add_update (self->builder,
                            part.first == 0 ? weir_on_initialization ()
                                            : weir_on_change_of_sign (witness, WEIR_CROSSES),
                            self->modes, weir_equations_decide);
      g_array_append_val (self->event_computations, computation);
    }
}

static void
make_kinks (WeirCompiler *self)
{
  const GArray *kinks = self->equations->kinks;
  g_autoptr (GArray) lines = g_array_new (FALSE, TRUE, sizeof (guint32));
  WeirComputation nothing = { 0 };

  if (kinks->len == 0)
    return;
  g_array_set_size (lines, kinks->len);
  weir_leaf_add_break (
      self->builder,
      weir_on_crossing (add_witness (self, WEIR_NAME_KINKS, kinks, lines), WEIR_CROSSES));
  g_array_append_val (self->event_computations, nothing);
}

void
weir_compiler_make_events (WeirCompiler *self)
{
  const GPtrArray *events = self->equations->events;

  make_ticks (self);
  for (guint i = 0; i < events->len; i++)
    {
      const WeirEvent *event = g_ptr_array_index (events, i);

      if (event->kind == WEIR_EVENT_PERIODIC)
        make_periodic (self, event);
    }
  make_crossings (self, FALSE);
  make_crossings (self, TRUE);
  make_relations (self);
  make_kinks (self);
}

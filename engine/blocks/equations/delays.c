/* The delays of a system of equations: values that are read the same time ago share one past, a
 * discrete group that is written on both sides of each step (family.h). What is read from
 * it is a cache entry of time and the past. Steps end where breaks come back, and are no longer
 * than the longest time divided by the number of points.
 */
#include "blocks/equations/compile-private.h"

static const WeirDelay *
get_delay (const WeirCompiler *self, guint i)
{
  return &g_array_index (self->equations->delays, WeirDelay, i);
}

static gboolean
is_fixed (const WeirCompiler *self, const WeirDelay *delay)
{
  return weir_expr_get_op (self->pool, delay->time) == WEIR_OP_NUMBER;
}

/* The delays of a past, by their numbers. */
static const GArray *
get_delays (const WeirCompiler *self, guint past)
{
  return g_ptr_array_index (self->delays_of, past);
}

/* The delays of one past have one longest time, and that changes or not. */
static void
find_pasts (WeirCompiler *self)
{
  /* The longest time to the number of the past + 1. */
  g_autoptr (GHashTable) fixed = g_hash_table_new (g_double_hash, g_double_equal);
  g_autoptr (GHashTable) changing = g_hash_table_new (g_double_hash, g_double_equal);

  for (guint i = 0; i < self->equations->delays->len; i++)
    {
      const WeirDelay *delay = get_delay (self, i);
      GHashTable *alike = is_fixed (self, delay) ? fixed : changing;
      guint found = GPOINTER_TO_UINT (g_hash_table_lookup (alike, &delay->longest));

      if (found == 0)
        {
          WeirEquationsPast past = { .past.delay = delay->longest,
                                     .is_fixed = is_fixed (self, delay) };

          g_array_append_val (self->pasts, past);
          g_ptr_array_add (self->delays_of, g_array_new (FALSE, FALSE, sizeof (guint)));
          found = self->pasts->len;
          g_hash_table_insert (alike, (gpointer) &delay->longest, GUINT_TO_POINTER (found));
        }
      g_array_append_val ((GArray *) g_ptr_array_index (self->delays_of, found - 1), i);
    }
  for (guint p = 0; p < self->pasts->len; p++)
    {
      WeirEquationsPast *past = &g_array_index (self->pasts, WeirEquationsPast, p);

      past->past = weir_past_make (past->past.delay, get_delays (self, p)->len,
                                   WEIR_PAST_DEFAULT_POINTS);
    }
}

/* Is all that @value is made of known before anything is computed, here or in other blocks? */
static gboolean
is_known_now (const WeirCompiler *self, WeirExpr value)
{
  g_autoptr (GArray) atoms = g_array_new (FALSE, FALSE, sizeof (WeirExpr));

  weir_expr_collect_atoms (self->pool, &value, 1, atoms);
  for (guint i = 0; i < atoms->len; i++)
    {
      WeirExpr atom = g_array_index (atoms, WeirExpr, i);
      const WeirPlace *place = g_hash_table_lookup (self->places, GUINT_TO_POINTER (atom.i + 1));
      WeirOperandKind kind;

      if (place == NULL || place->is_unknown)
        return FALSE;
      kind = g_array_index (self->sources, WeirOperandSource, place->source).kind;
      if (kind == WEIR_OPERAND_CACHED || kind == WEIR_OPERAND_INPUT)
        return FALSE;
    }
  return TRUE;
}

/* Which of the values are known now. */
static GArray *
list_known (const WeirCompiler *self, const GArray *list)
{
  GArray *flags = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (guint i = 0; i < list->len; i++)
    {
      guint32 flag = is_known_now (self, get_delay (self, g_array_index (list, guint, i))->value);

      g_array_append_val (flags, flag);
    }
  return flags;
}

/* The values as they are, for times ago so short that no row is that late. */
static void
add_now (WeirMaking *making, const GArray *list, const GArray *known, guint p)
{
  WeirCompiler *self = making->compiler;
  WeirPart now = { .kind = WEIR_PART_NOW, .n = list->len, .past = p };
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (WeirExpr));

  for (guint i = 0; i < list->len; i++)
    {
      WeirExpr value = g_array_index (known, guint32, i)
                           ? get_delay (self, g_array_index (list, guint, i))->value
                           : weir_expr_number (self->pool, 0.0);

      g_array_append_val (values, value);
    }
  weir_making_set_program (making, &now, (WeirExpr *) values->data, values->len, NULL, 0);
  g_array_append_val (making->parts, now);
}

/* The programs that tell how long ago and what was before the start. */
static void
add_reading (WeirMaking *making, WeirPartKind kind, const GArray *list, guint p)
{
  WeirCompiler *self = making->compiler;
  const WeirEquationsPast *past = &g_array_index (self->pasts, WeirEquationsPast, p);
  WeirPart reading = { .kind = kind, .n = list->len, .past = p };
  WeirPart before = { .kind = WEIR_PART_BEFORE, .n = list->len, .past = p };
  g_autoptr (GArray) lines = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (WeirExpr));
  g_autoptr (GArray) histories = g_array_new (FALSE, FALSE, sizeof (WeirExpr));
  g_autoptr (GArray) flags = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GArray) starts = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) known = list_known (self, list);
  WeirExpr t = weir_expr_symbol (self->pool, "t");

  for (guint i = 0; i < list->len; i++)
    {
      const WeirDelay *delay = get_delay (self, g_array_index (list, guint, i));
      const WeirVariable *variable = g_ptr_array_index (self->equations->variables,
                                                        delay->variable);
      guint32 line = (guint32) delay->line, flag = delay->history.i != WEIR_NO_EXPR.i;
      WeirExpr history = flag ? delay->history : weir_expr_number (self->pool, 0.0);

      g_array_append_val (lines, line);
      g_array_append_val (times, delay->time);
      g_array_append_val (histories, history);
      g_array_append_val (flags, flag);
      g_array_append_val (starts, variable->value[0]);
    }
  reading.lines = weir_compiler_append_array (self, lines);
  reading.rows = weir_compiler_append_array (self, known);
  if (!past->is_fixed)
    weir_making_set_program (making, &reading, (WeirExpr *) times->data, times->len, NULL, 0);
  before.rows = weir_compiler_append_array (self, flags);
  before.guess = weir_compiler_append_array (self, starts);
  weir_making_set_program (making, &before, (WeirExpr *) histories->data, histories->len, &t, 1);
  weir_making_add_ticket (making, WEIR_TIME);
  weir_making_add_ticket (making,
                          weir_group_ticket (self->builder, (WeirGroup) { (guint16) past->group }));
  g_array_append_val (making->parts, reading);
  g_array_append_val (making->parts, before);
  if (kind == WEIR_PART_DELAYED && !past->is_fixed)
    add_now (making, list, known, p);
}

static WeirCached
add_entry (WeirCompiler *self, WeirPartKind kind, const GArray *list, guint p)
{
  g_autofree char *name = kind == WEIR_PART_NEAREST ? g_strdup_printf (WEIR_NAME_BREAKS, p + 1)
                                                    : g_strdup_printf (WEIR_NAME_DELAYED, p + 1);
  WeirComputation computation;
  WeirMaking making;
  WeirCached entry;

  weir_making_init (&making, self, G_MAXUINT32);
  add_reading (&making, kind, list, p);
  computation = weir_making_end (&making);
  entry = weir_leaf_add_cache_entry (self->builder, name, list->len, weir_equations_calc,
                                     (WeirTicket *) making.depends->data);
  g_array_append_val (self->entry_computations, computation);
  g_array_unref (making.depends);
  return entry;
}

void
weir_compiler_declare_delays (WeirCompiler *self)
{
  find_pasts (self);
  for (guint p = 0; p < self->pasts->len; p++)
    {
      WeirEquationsPast *past = &g_array_index (self->pasts, WeirEquationsPast, p);
      const GArray *list = get_delays (self, p);
      gsize n = weir_past_get_n_numbers (&past->past);
      g_autofree double *zeros = g_new0 (double, n);
      g_autofree char *name = g_strdup_printf (WEIR_NAME_PAST, p + 1);
      WeirCached entry;
      guint32 source;

      past->group = weir_leaf_add_discrete_state (self->builder, name, zeros, (guint) n).i;
      entry = add_entry (self, WEIR_PART_DELAYED, list, p);
      source = weir_compiler_add_source (self, WEIR_OPERAND_CACHED, entry.i,
                                         weir_cached_ticket (self->builder, entry));
      for (guint i = 0; i < list->len; i++)
        weir_compiler_place_atom (self, get_delay (self, g_array_index (list, guint, i))->symbol,
                                  source, i);
    }
}

/* --- Events ---------------------------------------------------------------------------------- */

static void
add_event_part (WeirCompiler *self, const WeirPart *part)
{
  WeirComputation computation = { weir_compiler_append_data (self, part, sizeof *part), 1 };

  g_array_append_val (self->event_computations, computation);
}

static void
make_keeping (WeirCompiler *self, const GArray *list, guint p)
{
  const WeirEquationsPast *past = &g_array_index (self->pasts, WeirEquationsPast, p);
  WeirPart part = { .kind = WEIR_PART_KEPT, .n = list->len, .past = p };
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (WeirExpr));
  WeirComputation computation;
  WeirMaking making;

  weir_making_init (&making, self, G_MAXUINT32);
  for (guint i = 0; i < list->len; i++)
    g_array_append_val (values, get_delay (self, g_array_index (list, guint, i))->value);
  weir_making_set_program (&making, &part, (WeirExpr *) values->data, values->len, NULL, 0);
  g_array_append_val (making.parts, part);
  computation = weir_making_end (&making);
  g_array_unref (making.depends);
  /* The first row is there before the events of the start, which read it. */
  weir_leaf_add_update (self->builder, weir_after_modes (weir_on_initialization ()),
                        (WeirGroup) { (guint16) past->group }, weir_equations_keep);
  g_array_append_val (self->event_computations, computation);
  weir_leaf_add_update (self->builder, weir_on_both_sides (), (WeirGroup) { (guint16) past->group },
                        weir_equations_keep);
  g_array_append_val (self->event_computations, computation);
}

void
weir_compiler_make_delays (WeirCompiler *self)
{
  for (guint p = 0; p < self->pasts->len; p++)
    {
      const WeirEquationsPast *past = &g_array_index (self->pasts, WeirEquationsPast, p);
      const GArray *list = get_delays (self, p);
      WeirPart part = { .kind = WEIR_PART_DELAYED, .past = p };

      make_keeping (self, list, p);
      weir_leaf_add_break (
          self->builder,
          past->is_fixed
              ? weir_at_times (weir_equations_find_break)
              : weir_on_crossing (add_entry (self, WEIR_PART_NEAREST, list, p), WEIR_CROSSES));
      add_event_part (self, &part);
      weir_leaf_add_publish (self->builder,
                             weir_every_point (past->past.delay, past->past.n_points),
                             weir_past_end_step);
      add_event_part (self, &part);
      weir_leaf_add_publish (self->builder, weir_at_times (weir_equations_find_row),
                             weir_past_end_step);
      add_event_part (self, &part);
      if (past->is_fixed)
        continue;
      weir_leaf_add_publish (self->builder, weir_at_times (weir_equations_find_short_step),
                             weir_past_end_step);
      add_event_part (self, &part);
    }
}

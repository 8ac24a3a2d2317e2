/* Solving algebraic loops: what the entries of their leaves compute. See shape-private.h.
 *
 * r (z) = u (z) - z is zero at a solution (numerics/root.h). Between tries, the solution counts as
 * up to date and the members as out of date; afterwards all of them are out of date, as before.
 */
#include "system/structure/shape-private.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "system/observation/observation-private.h"
#include "system/evaluation/evaluator-private.h"
#include "numerics/number.h"
#include "numerics/root.h"

#define SMALL_LOOP 6 /* unknowns solved for without allocating */

G_STATIC_ASSERT (WEIR_LOOP_ROWS == WEIR_ROOT_ROWS && WEIR_LOOP_MATRICES == WEIR_ROOT_MATRICES);

typedef struct {
  WeirRoot root;
  const WeirCalc *c;
  const WeirLoop *loop;
  gboolean is_noted; /* who the members are, in the log */
} Search;

#define N_TOLD 3 /* signals that a message names */

/* --- One try --------------------------------------------------------------------------------- */

/* What the calculation may not change for those outside: flags of the solution and of the members,
 * and where it is computed beside the cache, their values. */
typedef struct {
  gboolean was_stale, was_disabled;
  GArray *values; /* double: of all that was up to date */
} Kept;

static void
set_members_stale (const Search *self)
{
  for (guint i = 0; i < self->loop->members->len; i++)
    weir_bit_set (self->c->context->stale, g_array_index (self->loop->members, guint32, i));
}

/* A replay of what is logged is told of the flags that each try sets. */
static void
note_try (Search *self)
{
  WeirContext *context = self->c->context;

  if (G_LIKELY (!weir_context_is (context, WEIR_MODE_LOGGED))
      || weir_context_is (context, WEIR_MODE_FROZEN))
    return;
  for (guint i = 0; i < self->loop->members->len && !self->is_noted; i++)
    weir_log_ring_note_inner (context, WEIR_LOG_MEMBER,
                              g_array_index (self->loop->members, guint32, i), self->loop->entry);
  self->is_noted = TRUE;
  weir_log_ring_note_inner (context, WEIR_LOG_TRY, self->loop->entry, self->loop->entry);
}

/* r = u (z) - z. FALSE: a member has no value there. */
static gboolean
try_at (gpointer data, const double *z, double *r)
{
  const Search *self = data;
  const WeirCalc *c = self->c;
  WeirContext *context = c->context;
  const WeirLayout *layout = c->evaluator->layout;
  guint32 at = 0;

  memcpy (context->arena + layout->value_offset[self->loop->entry], z, self->root.n * sizeof *z);
  weir_bit_clear (context->stale, self->loop->entry);
  set_members_stale (self);
  note_try (data);
  for (guint i = 0; i < c->node->shape->inputs->len; i++)
    {
      WeirOrigin origin = weir_context_trace (context, c->node_index, i);
      guint32 size = weir_shape_input (c->node->shape, i)->size;
      const double *u;

      if (origin.kind == WEIR_ORIGIN_ENTRY
          && weir_evaluator_request_nested (c->evaluator, context, origin.index) != WEIR_OK)
        return FALSE;
      u = weir_context_resolve (context, weir_layout_address (layout, origin));
      for (guint32 k = 0; k < size; k++, at++)
        {
          r[at] = u[k] - z[at];
          if (!isfinite (r[at]))
            return FALSE;
        }
    }
  return TRUE;
}

static Kept
keep (const Search *self)
{
  const WeirCalc *c = self->c;
  WeirContext *context = c->context;
  const WeirLayout *layout = c->evaluator->layout;
  guint32 entry = self->loop->entry;
  Kept kept = { weir_bit (context->stale, entry), weir_bit (context->disabled, entry), NULL };

  weir_bit_clear (context->disabled, entry);
  if (kept.was_stale)
    return kept;
  kept.values = g_array_new (FALSE, FALSE, sizeof (double));
  g_array_append_vals (kept.values, context->arena + layout->value_offset[entry], self->root.n);
  for (guint i = 0; i < self->loop->members->len; i++)
    {
      guint32 e = g_array_index (self->loop->members, guint32, i);
      double is_stale = weir_bit (context->stale, e);

      g_array_append_val (kept.values, is_stale);
      g_array_append_vals (kept.values, context->arena + layout->value_offset[e],
                           weir_layout_decl (layout, e)->size);
    }
  return kept;
}

static void
give_back (const Search *self, Kept *kept)
{
  const WeirCalc *c = self->c;
  WeirContext *context = c->context;
  const WeirLayout *layout = c->evaluator->layout;
  guint32 entry = self->loop->entry;
  const double *from;

  if (kept->was_disabled)
    weir_bit_set (context->disabled, entry);
  set_members_stale (self);
  if (kept->was_stale)
    {
      weir_bit_set (context->stale, entry);
      return;
    }
  from = (const double *) (gpointer) kept->values->data;
  memcpy (context->arena + layout->value_offset[entry], from, self->root.n * sizeof *from);
  from += self->root.n;
  for (guint i = 0; i < self->loop->members->len; i++)
    {
      guint32 e = g_array_index (self->loop->members, guint32, i);

      if (*from++ == 0)
        weir_bit_clear (context->stale, e);
      memcpy (context->arena + layout->value_offset[e], from,
              weir_layout_decl (layout, e)->size * sizeof *from);
      from += weir_layout_decl (layout, e)->size;
    }
  g_array_unref (kept->values);
}

/* --- What people are told -------------------------------------------------------------------- */

static const char *
loop_path (const WeirCalc *c)
{
  return (const char *) weir_calc_data (c) + 1;
}

/* "Sum1.y", or "Sum1.y[2]", of the signal that unknown @i belongs to. (transfer full) */
static char *
dup_signal_name (const WeirCalc *c, guint32 i)
{
  const char *name = loop_path (c) + strlen (loop_path (c)) + 1;
  guint input = 0;

  for (; i >= weir_shape_input (c->node->shape, input)->size; input++)
    {
      i -= weir_shape_input (c->node->shape, input)->size;
      name += strlen (name) + 1;
    }
  return weir_shape_input (c->node->shape, input)->size == 1 ? g_strdup (name)
                                                             : g_strdup_printf ("%s[%u]", name, i);
}

/* "residual 0.5 at Sum1.y = 3, residual ...": the largest first. (transfer full) */
static WeirMessage *
tell_residuals (Search *self)
{
  WeirMessage *text = NULL;
  const double *z = self->root.z;
  double *r = self->root.r;

  for (guint told = 0; told < MIN (self->root.n, N_TOLD); told++)
    {
      char residual[G_ASCII_DTOSTR_BUF_SIZE], value[G_ASCII_DTOSTR_BUF_SIZE];
      g_autofree char *name = NULL;
      WeirMessage *one;
      guint32 worst = 0;

      for (guint32 i = 1; i < self->root.n; i++)
        if (fabs (r[i]) > fabs (r[worst]))
          worst = i;
      if (told > 0 && r[worst] == 0)
        break;
      name = dup_signal_name (self->c, worst);
      g_ascii_formatd (residual, sizeof residual, "%.3g", r[worst]);
      g_ascii_formatd (value, sizeof value, "%.6g", z[worst]);
      one = weir_message_new (N_ ("residual %s at %s = %s"), residual, name, value);
      text = text != NULL ? weir_message_join (text, ", ", one) : one;
      r[worst] = 0;
    }
  return text;
}

static WeirStatus
explain (Search *self, WeirRootOutcome outcome)
{
  const WeirCalc *c = self->c;
  WeirOrigin cut = weir_context_trace (c->context, c->node_index, 0);
  g_autoptr (WeirMessage) why = weir_message_ref (c->context->failure);
  g_autoptr (WeirMessage) residuals = NULL;
  char time[WEIR_TIME_TEXT_SIZE];

  weir_time_to_text (c->context->now, NAN, time);
  if (outcome != WEIR_ROOT_NO_VALUE || why == NULL)
    {
      weir_context_forget_failure (c->context); /* with its place: of tries */
      weir_context_set_failure (c->context, "not solved");
      weir_context_set_failure_place (
          c->context, (WeirFailurePlace) {
                          .node = { cut.node },
                          .entry = { cut.kind == WEIR_ORIGIN_ENTRY ? cut.index : WEIR_NO_INDEX } });
    }
  c->context->failure_place.kind = WEIR_FAILURE_LOOP;
  if (outcome == WEIR_ROOT_NO_VALUE)
    {
      g_autoptr (WeirMessage) what = weir_message_new (
          N_ ("the algebraic loop %s has no value at t = %s, where its solution is looked for"),
          loop_path (c), time);

      return why == NULL ? weir_calc_fail (c, "%s", weir_message_get_text (what))
                         : weir_calc_fail (c, "%s: %s", weir_message_get_text (what),
                                           weir_message_get_text (why));
    }
  if (outcome == WEIR_ROOT_FLAT)
    return weir_calc_fail (c,
                           "the algebraic loop %s does not determine its signals at t = %s: it has "
                           "no solution, or many",
                           loop_path (c), time);
  residuals = tell_residuals (self);
  return weir_calc_fail (c,
                         "the algebraic loop %s did not converge at t = %s: %s; give it another "
                         "start with a Guess block in the loop, or break it with a Unit delay",
                         loop_path (c), time, weir_message_get_text (residuals));
}

/* --- The search ------------------------------------------------------------------------------ */

static const WeirLoop *
find_loop (const WeirLayout *layout, guint32 entry)
{
  for (guint i = 0; i < layout->loops->len; i++)
    if (g_array_index (layout->loops, WeirLoop, i).entry == entry)
      return &g_array_index (layout->loops, WeirLoop, i);
  g_assert_not_reached ();
}

static WeirStatus
calc_solution (const WeirCalc *c, double *solution)
{
  const WeirLayout *layout = c->evaluator->layout;
  Search self = { .c = c, .loop = find_loop (layout, c->entry) };
  guint32 n = weir_layout_decl (layout, c->entry)->size;
  double room[WEIR_ROOT_ROOM (SMALL_LOOP)], *memory = room;
  guint32 small_pivots[SMALL_LOOP], *pivots = small_pivots;
  WeirRootOutcome outcome;
  Kept kept;

  if (n > SMALL_LOOP)
    {
      memory = g_new (double, WEIR_ROOT_ROOM (n));
      pivots = g_new (guint32, n);
    }
  weir_root_init (&self.root, n, memory, pivots);
  self.root.try_at = try_at;
  self.root.data = &self;

  kept = keep (&self);
  outcome = weir_root_search (&self.root, weir_calc_discrete (c, (WeirGroup) { 0 }),
                              weir_shape_group (c->node->shape, 0)->value,
                              *(const char *) weir_calc_data (c) == WEIR_LOOP_HAS_GUESS);
  give_back (&self, &kept);
  if (outcome == WEIR_ROOT_SOLVED)
    {
      for (guint32 i = 0; i < n; i++)
        solution[i] = self.root.z[i] + self.root.correction[i];
      weir_context_forget_failure (c->context); /* of tries that had no value */
    }
  else
    explain (&self, outcome);
  if (memory != room)
    {
      g_free (memory);
      g_free (pivots);
    }
  return outcome == WEIR_ROOT_SOLVED ? WEIR_OK : WEIR_FAILED;
}

/* --- The entries ----------------------------------------------------------------------------- */

/* y_i, a part of the solution: outputs follow the solution among the leaf's entries. */
static WeirStatus
calc_part (const WeirCalc *c, double *y)
{
  const double *solution = weir_calc_cached (c, (WeirCached) { 0 });
  guint i = c->evaluator->layout->local_of[c->entry] - 1;

  for (guint k = 0; k < i; k++)
    solution += weir_shape_input (c->node->shape, k)->size;
  memcpy (y, solution, weir_shape_input (c->node->shape, i)->size * sizeof *y);
  return WEIR_OK;
}

const WeirEntryCode *
weir_loop_get_code (guint32 local)
{
  static const WeirEntryCode solution = { .calc = calc_solution }, part = { .calc = calc_part };

  return local == 0 ? &solution : &part;
}

/* Solving an algebraic loop. See loop-private.h.
 *
 * Damped Newton on r (z) = u (z) - z with a full Jacobian of differences, which is kept while it serves:
 * a linear loop takes one correction. Between tries, the solution counts as up to date and the members
 * as out of date; afterwards all of them are out of date, as before.
 */
#include "system/loop.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "system/evaluator-private.h"
#include "system/loop-private.h"

#define MAX_ITERATIONS 60
#define MAX_HALVINGS 12
#define CLOSE 1e-13  /* a correction this small beside the solution ends the iteration */
#define FLOOR 1e-9   /* the same where rounding keeps the iteration from getting nearer */
#define SLOW 0.1     /* less progress than this, and the Jacobian is renewed */
#define FLAT 1e-7    /* a pivot this small beside the slopes is nothing but rounding */
#define SMALL_LOOP 6 /* unknowns solved for without allocating */

typedef struct {
  const WeirCalc *c;
  const WeirLoop *loop;
  guint32 n;
  double *z, *r, *correction, *tried_z, *tried_r, *jacobian; /* n each; the last n * n by rows */
  guint32 *pivots;
} Newton;

#define N_VECTORS 5

/* --- One try --------------------------------------------------------------------------------------- */

/* What the calculation may not change for those outside: flags of the solution and of the members, and
 * where it is computed beside the cache, their values. */
typedef struct {
  gboolean was_stale, was_disabled;
  GArray *values; /* double: of all that was up to date */
} Kept;

static void
set_members_stale (const Newton *self)
{
  for (guint i = 0; i < self->loop->members->len; i++)
    weir_bit_set (self->c->context->stale, g_array_index (self->loop->members, guint32, i));
}

/* r = u (z) - z. FALSE: a member has no value there. */
static gboolean
try_at (const Newton *self, const double *z, double *r)
{
  const WeirCalc *c = self->c;
  WeirContext *context = c->context;
  const WeirLayout *layout = c->evaluator->layout;
  guint32 at = 0;

  memcpy (context->arena + layout->value_offset[self->loop->entry], z, self->n * sizeof *z);
  weir_bit_clear (context->stale, self->loop->entry);
  set_members_stale (self);
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
keep (const Newton *self)
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
  g_array_append_vals (kept.values, context->arena + layout->value_offset[entry], self->n);
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
give_back (const Newton *self, Kept *kept)
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
  memcpy (context->arena + layout->value_offset[entry], from, self->n * sizeof *from);
  from += self->n;
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

/* --- Newton ---------------------------------------------------------------------------------------- */

/* The Jacobian of r at z as factors. FALSE: the loop has no value nearby, or (*@is_flat) does not
 * determine its unknowns. */
static gboolean
factorise (Newton *self, gboolean *is_flat)
{
  guint32 n = self->n;
  double *a = self->jacobian;

  *is_flat = FALSE;
  memcpy (self->tried_z, self->z, n * sizeof *self->z);
  for (guint32 j = 0; j < n; j++)
    {
      /* Beside what comes back too: rounding of that must not drown the difference. */
      double size = fmax (fmax (fabs (self->z[j]), fabs (self->r[j])), 1e-3);
      double moved = self->z[j] + sqrt (DBL_EPSILON) * size, h;

      h = moved - self->z[j];
      self->tried_z[j] = moved;
      if (!try_at (self, self->tried_z, self->tried_r))
        {
          self->tried_z[j] = self->z[j] - h; /* at the edge of where there is a value */
          h = self->tried_z[j] - self->z[j];
          if (!try_at (self, self->tried_z, self->tried_r))
            return FALSE;
        }
      self->tried_z[j] = self->z[j];
      for (guint32 i = 0; i < n; i++)
        a[i * n + j] = (self->tried_r[i] - self->r[i]) / h;
    }
  for (guint32 j = 0; j < n; j++)
    {
      double largest = 1;
      guint32 pivot = j;

      for (guint32 i = 0; i < n; i++)
        largest = fmax (largest, fabs (a[i * n + j]));
      for (guint32 i = j + 1; i < n; i++)
        if (fabs (a[i * n + j]) > fabs (a[pivot * n + j]))
          pivot = i;
      if (!(fabs (a[pivot * n + j]) > FLAT * largest))
        {
          *is_flat = TRUE;
          return FALSE;
        }
      self->pivots[j] = pivot;
      for (guint32 k = 0; pivot != j && k < n; k++)
        {
          double kept = a[j * n + k];

          a[j * n + k] = a[pivot * n + k];
          a[pivot * n + k] = kept;
        }
      for (guint32 i = j + 1; i < n; i++)
        {
          double factor = a[i * n + j] /= a[j * n + j];

          for (guint32 k = j + 1; k < n; k++)
            a[i * n + k] -= factor * a[j * n + k];
        }
    }
  return TRUE;
}

/* correction = -J^-1 r */
static void
solve (Newton *self)
{
  guint32 n = self->n;
  const double *a = self->jacobian;
  double *x = self->correction;

  for (guint32 i = 0; i < n; i++)
    x[i] = -self->r[i];
  for (guint32 i = 0; i < n; i++)
    {
      double kept = x[self->pivots[i]];

      x[self->pivots[i]] = x[i];
      x[i] = kept;
    }
  for (guint32 i = 0; i < n; i++)
    for (guint32 k = 0; k < i; k++)
      x[i] -= a[i * n + k] * x[k];
  for (guint32 i = n; i-- > 0;)
    {
      for (guint32 k = i + 1; k < n; k++)
        x[i] -= a[i * n + k] * x[k];
      x[i] /= a[i * n + i];
    }
}

static double
norm (const double *v, guint32 n)
{
  double largest = 0;

  for (guint32 i = 0; i < n; i++)
    largest = fmax (largest, fabs (v[i]));
  return largest;
}

static gboolean
is_close (const Newton *self, double share)
{
  double size = fmax (norm (self->z, self->n), 1e-6);

  return norm (self->correction, self->n) <= share * size;
}

/* One damped step along the correction; FALSE if none gets nearer. *@ratio: of the residuals. */
static gboolean
step (Newton *self, double *ratio)
{
  double before = norm (self->r, self->n), factor = 1;

  for (guint k = 0; k <= MAX_HALVINGS; k++, factor /= 2)
    {
      double after;

      for (guint32 i = 0; i < self->n; i++)
        self->tried_z[i] = self->z[i] + factor * self->correction[i];
      if (!try_at (self, self->tried_z, self->tried_r))
        continue;
      after = norm (self->tried_r, self->n);
      if (!(after <= (1 - 1e-4 * factor) * before))
        continue;
      memcpy (self->z, self->tried_z, self->n * sizeof *self->z);
      memcpy (self->r, self->tried_r, self->n * sizeof *self->r);
      *ratio = before > 0 ? after / before : 0;
      return TRUE;
    }
  return FALSE;
}

typedef enum {
  SOLVED,
  NO_VALUE, /* a member has none at the start */
  FLAT_LOOP,
  STUCK,
} Outcome;

static Outcome
iterate (Newton *self)
{
  gboolean is_fresh = FALSE, is_flat;
  double ratio = 1;

  if (!try_at (self, self->z, self->r))
    return NO_VALUE;
  for (guint k = 0; k < MAX_ITERATIONS; k++)
    {
      if (ratio > SLOW)
        {
          if (!factorise (self, &is_flat))
            return is_flat && k == 0 ? FLAT_LOOP : STUCK;
          is_fresh = TRUE;
        }
      solve (self);
      if (is_close (self, CLOSE))
        return SOLVED;
      if (!step (self, &ratio))
        {
          if (is_close (self, FLOOR))
            {
              memset (self->correction, 0, self->n * sizeof *self->correction);
              return SOLVED;
            }
          if (is_fresh)
            return STUCK;
          ratio = 1; /* perhaps the Jacobian is to blame */
          continue;
        }
      is_fresh = FALSE;
    }
  return STUCK;
}

/* From @start, or where it is NULL from @everywhere. */
static Outcome
iterate_from (Newton *self, const double *start, double everywhere)
{
  for (guint32 i = 0; i < self->n; i++)
    self->z[i] = start != NULL ? start[i] : everywhere;
  return iterate (self);
}

static WeirStatus
explain (Newton *self, Outcome outcome)
{
  const WeirCalc *c = self->c;
  const char *path = weir_calc_data (c);
  g_autofree char *why = g_strdup (c->context->failure);
  char residual[G_ASCII_DTOSTR_BUF_SIZE], value[G_ASCII_DTOSTR_BUF_SIZE];
  guint32 worst = 0;

  if (outcome == NO_VALUE)
    return weir_calc_fail (
        c, "the algebraic loop %s has no value where its solution is looked for%s%s", path,
        why != NULL ? ": " : "", why != NULL ? why : "");
  if (outcome == FLAT_LOOP)
    return weir_calc_fail (c,
                           "the algebraic loop %s does not determine its signals: it has no "
                           "solution, or many",
                           path);
  for (guint32 i = 1; i < self->n; i++)
    if (fabs (self->r[i]) > fabs (self->r[worst]))
      worst = i;
  g_ascii_formatd (residual, sizeof residual, "%.3g", self->r[worst]);
  g_ascii_formatd (value, sizeof value, "%.6g", self->z[worst]);
  return weir_calc_fail (c,
                         "the algebraic loop %s did not converge: residual %s at the value %s; "
                         "give it another start, or break it with a Unit delay",
                         path, residual, value);
}

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
  Newton newton = { .c = c, .loop = find_loop (layout, c->entry) };
  guint32 n = newton.n = weir_layout_decl (layout, c->entry)->size;
  double room[N_VECTORS * SMALL_LOOP + SMALL_LOOP * SMALL_LOOP], *memory = room;
  guint32 pivots[SMALL_LOOP];
  static const double starts[] = { 0, 1, -1 };
  Outcome outcome = STUCK;
  Kept kept;

  newton.pivots = pivots;
  if (n > SMALL_LOOP)
    {
      memory = g_new (double, (gsize) n *(N_VECTORS + (gsize) n));
      newton.pivots = g_new (guint32, n);
    }
  newton.z = memory;
  newton.r = memory + n;
  newton.correction = memory + 2 * (gsize) n;
  newton.tried_z = memory + 3 * (gsize) n;
  newton.tried_r = memory + 4 * (gsize) n;
  newton.jacobian = memory + N_VECTORS * (gsize) n;

  kept = keep (&newton);
  outcome = iterate_from (&newton, weir_calc_discrete (c, (WeirGroup) { 0 }), 0);
  /* Zero is often where a quotient or a root has no value or no slope. */
  for (guint k = 0; k < G_N_ELEMENTS (starts) && outcome != SOLVED; k++)
    outcome = iterate_from (&newton, NULL, starts[k]);
  if (outcome != SOLVED) /* what is told about is the declared start */
    outcome = iterate_from (&newton, weir_calc_discrete (c, (WeirGroup) { 0 }), 0);
  give_back (&newton, &kept);
  if (outcome == SOLVED)
    {
      for (guint32 i = 0; i < n; i++)
        solution[i] = newton.z[i] + newton.correction[i];
      g_clear_pointer (&c->context->failure, g_free); /* of tries that had no value */
    }
  else
    explain (&newton, outcome);
  if (memory != room)
    {
      g_free (memory);
      g_free (newton.pivots);
    }
  return outcome == SOLVED ? WEIR_OK : WEIR_FAILED;
}

/* --- The leaf ---------------------------------------------------------------------------------------- */

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

WeirSystem *
weir_loop_leaf_new (const guint *sizes, guint n, const char *path)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Algebraic loop");
  g_autofree double *start = NULL;
  WeirSystem *leaf;
  WeirGroup group;
  WeirCached solution;
  guint size = 0;

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *name = g_strdup_printf ("u%u", i + 1);

      weir_leaf_add_input (b, name, sizes[i]);
      size += sizes[i];
    }
  start = g_new0 (double, MAX (size, 1));
  group = weir_leaf_add_discrete_state (b, "start", start, size);
  solution = weir_leaf_add_cache_entry (b, "solution", size, calc_solution,
                                        WEIR_DEPENDS (weir_group_ticket (b, group)));
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *name = g_strdup_printf ("y%u", i + 1);

      weir_leaf_add_output (b, name, sizes[i], calc_part,
                            WEIR_DEPENDS (weir_cached_ticket (b, solution)));
    }
  weir_leaf_set_data (b, path, strlen (path) + 1);
  leaf = weir_leaf_builder_build (b);
  leaf->shape->is_loop = TRUE;
  return leaf;
}

/* --- Runs -------------------------------------------------------------------------------------------- */

guint
weir_layout_get_n_loops (const WeirLayout *self)
{
  return self->loops->len;
}

WeirStatus
weir_context_move_loop_starts (WeirSystem *root, WeirContext *context)
{
  const GArray *loops = context->layout->loops;
  WeirGroup group = { 0 };

  /* All are solved before any start moves: a move puts what lies downstream out of date. */
  for (guint i = 0; i < loops->len; i++)
    if (weir_eval_entry (root, context, (WeirEntry) { g_array_index (loops, WeirLoop, i).entry })
        == NULL)
      return WEIR_FAILED;
  weir_context_begin_change (context);
  for (guint i = 0; i < loops->len; i++)
    {
      const WeirLoop *loop = &g_array_index (loops, WeirLoop, i);
      const double *z = context->arena + context->layout->value_offset[loop->entry];
      gsize size = weir_layout_decl (context->layout, loop->entry)->size * sizeof *z;

      if (memcmp (z, weir_context_get_discrete (context, (WeirNode) { loop->node }, group), size)
          != 0)
        weir_context_set_discrete (context, (WeirNode) { loop->node }, group, z);
    }
  weir_context_end_change (context);
  return WEIR_OK;
}

guint
weir_layout_get_n_loop_unknowns (const WeirLayout *self)
{
  guint n = 0;

  for (guint i = 0; i < self->loops->len; i++)
    n += weir_layout_decl (self, g_array_index (self->loops, WeirLoop, i).entry)->size;
  return n;
}

void
weir_context_get_loop_starts (const WeirContext *context, double *z)
{
  const GArray *loops = context->layout->loops;
  WeirGroup group = { 0 };

  for (guint i = 0; i < loops->len; i++)
    {
      const WeirLoop *loop = &g_array_index (loops, WeirLoop, i);
      guint32 size = weir_layout_decl (context->layout, loop->entry)->size;

      memcpy (z, weir_context_get_discrete (context, (WeirNode) { loop->node }, group),
              size * sizeof *z);
      z += size;
    }
}

/* An event at time, state and the starts of all loops, so that whatever follows from their solutions is
 * out of date. */
static void
note_all (WeirContext *context, double time)
{
  const GArray *loops = context->layout->loops;

  context->now = time;
  weir_context_note (context, (WeirSource) { WEIR_SOURCE_TIME_STATE });
  for (guint i = 0; i < loops->len; i++)
    weir_context_note (context, weir_layout_group_source (
                                    context->layout, g_array_index (loops, WeirLoop, i).node, 0));
}

/* r = u - z of one loop. */
static WeirStatus
calc_residual (const WeirEvaluator *evaluator, WeirContext *context, const WeirLoop *loop,
               const double *z, double *r)
{
  const WeirLayout *layout = context->layout;
  const WeirShape *shape = layout->nodes[loop->node].shape;

  for (guint i = 0; i < shape->inputs->len; i++)
    {
      WeirOrigin origin = weir_context_trace (context, loop->node, i);
      const double *u;

      if (origin.kind == WEIR_ORIGIN_ENTRY
          && weir_evaluator_request (evaluator, context, origin.index, NULL) != WEIR_OK)
        return WEIR_FAILED;
      u = weir_context_resolve (context, weir_layout_address (layout, origin));
      for (guint32 k = 0; k < weir_shape_input (shape, i)->size; k++, r++, z++)
        {
          *r = *u++ - *z;
          if (!isfinite (*r))
            return WEIR_FAILED;
        }
    }
  return WEIR_OK;
}

WeirStatus
weir_eval_open_loops (WeirSystem *root, WeirContext *context, double time, const double *x,
                      const double *z, double *xdot, double *r)
{
  const WeirEvaluator *evaluator = weir_system_get_evaluator (root);
  const WeirLayout *layout = context->layout;
  const GArray *loops = layout->loops;
  WeirStatus status = WEIR_OK;

  if (loops->len == 0)
    return weir_eval_rhs (root, context, time, x, xdot);
  if (evaluator->derivatives == WEIR_NO_INDEX)
    return WEIR_OK;
  if (G_UNLIKELY (context->frozen))
    {
      weir_context_set_failure (context, "the context is frozen: no trial state can be tried");
      return WEIR_FAILED;
    }
  context->x = x;
  note_all (context, time);
  weir_evaluator_begin (evaluator, context);
  for (guint i = 0, at = 0; i < loops->len; i++)
    {
      const WeirLoop *loop = &g_array_index (loops, WeirLoop, i);
      guint32 size = weir_layout_decl (layout, loop->entry)->size;

      memcpy (context->arena + layout->value_offset[loop->entry], z + at, size * sizeof *z);
      weir_bit_clear (context->stale, loop->entry);
      at += size;
    }
  status = weir_evaluator_request (evaluator, context, evaluator->derivatives, evaluator->plan);
  for (guint i = 0, at = 0; i < loops->len && status == WEIR_OK; i++)
    {
      const WeirLoop *loop = &g_array_index (loops, WeirLoop, i);

      status = calc_residual (evaluator, context, loop, z + at, r + at);
      at += weir_layout_decl (layout, loop->entry)->size;
    }
  if (status == WEIR_OK)
    memcpy (xdot, context->arena + layout->arena.xdot, layout->n_states * sizeof *xdot);
  for (guint32 i = 0; i < layout->n_states && status == WEIR_OK; i++)
    if (!isfinite (xdot[i]))
      {
        weir_context_set_failure (context, "the derivatives are not finite");
        status = WEIR_FAILED;
      }
  context->x = context->arena + layout->arena.state;
  note_all (context, context->arena[WEIR_ARENA_TIME]);
  return status;
}

/* Declared patterns and slopes against what moves. See audit.h.
 *
 * One state after the other is moved, each element alone, and each element of the inputs of leaves
 * that have patterns. What every entry with a pattern makes of it is held against its own pattern,
 * given what changed of that which it reads: so an entry downstream of a guilty one is not blamed.
 * Slopes are held against small moves to both sides; where these do not agree with each other there
 * is a kink, and nothing is said.
 */
#include "analysis/audit-private.h"

#include <math.h>

#include "system/evaluation/eval.h"
#include "system/evaluation/pattern.h"
#include "numerics/number.h"

#define MOST_STATES 100 /* that are moved at an instant, evenly spread */
#define LARGE 0.37      /* of a move, relative, plus as much */
#define SMALL 1e-5
#define AGREEMENT 1e-3 /* of the slopes and of the moves to both sides */
#define NOISE 1e-9     /* relative, of a value, that no slope has to explain */

typedef struct {
  WeirAudit *audit;
  WeirContext *base, *up, *down;
  const char *moved; /* what is moved, for people */
} Moves;

static WeirAuditFinding *
add_once (Moves *self, WeirAuditKind kind, WeirEntry entry, guint element)
{
  WeirNode node = weir_layout_get_entry (self->audit->layout, entry).node;
  WeirAuditFinding *finding = weir_audit_find (self->audit, kind, entry, node, WEIR_NOTHING);

  if (finding != NULL)
    {
      finding->n_more++;
      return NULL;
    }
  finding = weir_audit_add (self->audit, kind, entry, node, WEIR_NOTHING);
  finding->source = g_strdup (self->moved);
  finding->before = g_strdup_printf ("%u", element);
  finding->time = weir_context_get_time (self->base);
  return finding;
}

static void
check_slope (Moves *self, WeirEntry entry, guint element, const WeirPatternView *up)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  const double *value = weir_eval_entry (self->audit->root, self->base, entry);
  WeirPatternView down;
  WeirAuditFinding *finding;
  double size, noise;

  if (value == NULL
      || !weir_pattern_view (self->audit->root, self->base, self->down, entry, element, &down))
    return;
  noise = NOISE * (fabs (value[element]) + 1);
  size = fabs (up->change) + fabs (up->expected) + fabs (down.change);
  if (!isfinite (size) || fabs (up->change + down.change) > AGREEMENT * size + noise
      || fabs (up->change - up->expected) <= 10 * (AGREEMENT * size + noise))
    return;
  finding = add_once (self, WEIR_AUDIT_WRONG_SLOPE, entry, element);
  if (finding == NULL)
    return;
  finding->cached = g_strdup (weir_number_to_text (up->expected, number));
  finding->recomputed = g_strdup (weir_number_to_text (up->change, number));
}

/* Up was moved, and down where the move is small. */
static void
check_all (Moves *self, gboolean is_small)
{
  WeirAudit *audit = self->audit;

  for (guint32 e = 0; e < audit->n_entries; e++)
    for (guint i = 0; i < weir_layout_get_pattern_size (audit->layout, (WeirEntry) { e }); i++)
      {
        WeirPatternView view;

        if (audit->is_impure[e]
            || !weir_pattern_view (audit->root, self->base, self->up, (WeirEntry) { e }, i, &view))
          break;
        if (!is_small && view.change != 0 && !view.may_change)
          add_once (self, WEIR_AUDIT_OUTSIDE_PATTERN, (WeirEntry) { e }, i);
        else if (is_small && view.may_change && view.has_slopes && isfinite (view.expected))
          check_slope (self, (WeirEntry) { e }, i, &view);
      }
}

static gboolean
has_patterns (const WeirAudit *self, WeirNode node)
{
  for (guint32 e = 0; e < self->n_entries; e++)
    if (weir_layout_get_entry (self->layout, (WeirEntry) { e }).node.i == node.i
        && weir_layout_get_pattern_size (self->layout, (WeirEntry) { e }) > 0)
      return TRUE;
  return FALSE;
}

static gboolean
has_any_pattern (const WeirAudit *self)
{
  for (guint32 e = 0; e < self->n_entries; e++)
    if (weir_layout_get_pattern_size (self->layout, (WeirEntry) { e }) > 0)
      return TRUE;
  return FALSE;
}

static void
move_states (Moves *self)
{
  guint n = weir_layout_get_n_states (self->audit->layout);
  g_autofree double *x = g_memdup2 (weir_context_get_state (self->base), n * sizeof (double));

  for (guint i = 0; i < n; i += n / MOST_STATES + 1)
    {
      g_autofree char *name = weir_layout_dup_state_name (self->audit->layout, i);
      double kept = x[i];

      self->moved = name;
      x[i] = kept + LARGE * (fabs (kept) + 1);
      weir_context_set_state (self->up, x);
      check_all (self, FALSE);
      x[i] = kept + SMALL * (fabs (kept) + 1);
      weir_context_set_state (self->up, x);
      x[i] = kept - SMALL * (fabs (kept) + 1);
      weir_context_set_state (self->down, x);
      check_all (self, TRUE);
      x[i] = kept;
      weir_context_set_state (self->up, x);
      weir_context_set_state (self->down, x);
    }
}

static void
move_input (Moves *self, WeirNode node, WeirInput in, guint size)
{
  const double *value = weir_eval_input (self->audit->root, self->base, node, in);
  g_autofree double *u = value != NULL ? g_memdup2 (value, size * sizeof *u) : NULL;
  g_autofree char *path = weir_layout_dup_path (self->audit->layout, node);
  g_autofree char *name = g_strdup_printf (
      "%s.%s", path, weir_layout_get_input_name (self->audit->layout, node, in));

  self->moved = *path == '\0' ? name + 1 : name;
  for (guint i = 0; u != NULL && i < size; i++)
    {
      double kept = u[i];

      u[i] = kept + LARGE * (fabs (kept) + 1);
      weir_context_fix_input (self->up, node, in, u);
      check_all (self, FALSE);
      u[i] = kept + SMALL * (fabs (kept) + 1);
      weir_context_fix_input (self->up, node, in, u);
      u[i] = kept - SMALL * (fabs (kept) + 1);
      weir_context_fix_input (self->down, node, in, u);
      check_all (self, TRUE);
      u[i] = kept;
    }
  weir_context_free (self->up);
  weir_context_free (self->down);
  self->up = weir_context_clone (self->base);
  self->down = weir_context_clone (self->base);
}

void
weir_audit_check_patterns (WeirAudit *self, const WeirContext *sample)
{
  Moves moves = { .audit = self };

  if (!has_any_pattern (self))
    return;
  moves.base = weir_context_clone (sample);
  weir_context_set_frozen (moves.base, FALSE);
  moves.up = weir_context_clone (moves.base);
  moves.down = weir_context_clone (moves.base);
  move_states (&moves);
  for (guint n = 0; n < weir_layout_get_n_nodes (self->layout) && n < MOST_STATES; n++)
    if (has_patterns (self, (WeirNode) { n }))
      for (guint16 in = 0; in < weir_layout_get_n_inputs (self->layout, (WeirNode) { n }); in++)
        {
          guint size = weir_layout_get_input_size (self->layout, (WeirNode) { n },
                                                   (WeirInput) { in });

          if (size > 0)
            move_input (&moves, (WeirNode) { n }, (WeirInput) { in }, size);
        }
  weir_context_free (moves.base);
  weir_context_free (moves.up);
  weir_context_free (moves.down);
}

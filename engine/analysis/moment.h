/* Moments of a context: time, states and the value of every entry at one moment.
 *
 * What weir_verify() compares. A WeirMomentShape says where things lie in the moments of one
 * system; it is immutable once made and shared by all of them. An entry that cannot be computed has
 * no value. For an abstract value stands one number, the same for the same bytes.
 *
 * Thread: *owner*.
 */
#pragma once

#include "sim/simulator.h"
#include "system/evaluation/event.h"

G_BEGIN_DECLS

typedef struct {
  WeirSystem *root;   /* borrowed */
  WeirLayout *layout; /* borrowed */
  guint n_states, n_entries;
  gsize n_discrete, n_values;
  gsize *first_value;        /* by entry, in values; one more at the end */
  WeirDeclaredEvent *groups; /* updates, one per discrete group: other groups never change */
  guint n_groups;
} WeirMomentShape;

/* How many numbers of a moment's states a group has: of an abstract value, whose size is 0, one. */
static inline guint
weir_moment_group_size (const WeirDeclaredEvent *group)
{
  return MAX (group->size, 1);
}

typedef struct {
  WeirPhase phase;
  double time;
  double *states;      /* continuous, then the discrete groups */
  double *values;      /* of all entries, in plan order */
  guint8 *has_value;   /* by entry */
  GPtrArray *abstract; /* GVariant, owned: of groups of abstract values, in their order */
} WeirMoment;

/* What moments of @root hold, and where. Borrows @root. */
void weir_moment_shape_init (WeirMomentShape *self, WeirSystem *root);
void weir_moment_shape_clear (WeirMomentShape *self);
/* "plant: continuous state [1]": what lies at @i of a moment's states. (transfer full) */
char *weir_moment_shape_dup_state_path (const WeirMomentShape *self, gsize i);

/* An empty moment of that shape. */
void weir_moment_init (WeirMoment *self, const WeirMomentShape *shape);
void weir_moment_clear (WeirMoment *self);
/* Evaluates everything in @context. */
void weir_moment_take (WeirMoment *self, const WeirMomentShape *shape, WeirContext *context,
                       WeirPhase phase);
/* The first entry in plan order that differs, or WEIR_NO_INDEX; @at: which value of it. Entries
 * without value on both sides are equal. */
guint32 weir_moment_find_difference (const WeirMomentShape *shape, const WeirMoment *a,
                                     const WeirMoment *b, gsize *at);

/* Equal as bytes: NaN equals itself, -0 differs from 0. */
gboolean weir_same_bits (double a, double b);
/* How many doubles lie from one to the other: 1 = neighbours, 0 = equal or zeros of either sign,
 * G_MAXUINT64 = one of them is NaN. */
guint64 weir_ulp_distance (double a, double b);

G_END_DECLS

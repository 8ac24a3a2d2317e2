/* One examined state of an audit: sources are changed in it (audit-change.c), it is seen what
 * changes with them (audit-perturb.c) and who is to blame (audit-blame.c).
 */
#pragma once

#include "analysis/audit-private.h"
#include "analysis/audit-values.h"

G_BEGIN_DECLS

/* How a source is changed. The last is for hints only: what not even NaN shows in was not read. */
enum {
  WEIR_AUDIT_CHANGE_NEGATE,
  WEIR_AUDIT_CHANGE_ADD_ONE,
  WEIR_AUDIT_CHANGE_ZERO,
  WEIR_AUDIT_CHANGE_A_LITTLE,
  WEIR_AUDIT_CHANGE_LARGE,
  WEIR_AUDIT_CHANGE_SMALL_NEGATIVE,
  WEIR_AUDIT_CHANGE_RANDOM,
  WEIR_AUDIT_CHANGE_RANDOM_AGAIN,
  WEIR_AUDIT_CHANGE_NAN,
  WEIR_AUDIT_N_CHANGES,
};

typedef struct {
  WeirAudit *audit;
  WeirContext *work;
  WeirContext *reference; /* as evaluated before any change */
  WeirAuditValue *base;   /* values in it, by entry */
  WeirAuditValue *now;    /* scratch, by entry */
  gboolean *has_changed;  /* by entry: among what the present change put out of date */
  guint64 *stale;         /* flags right after the present change */
  gboolean is_varied;     /* the state examined is made from one of the run, see try_jointly() */
} WeirTrial;

/* From -3 to 3. */
double weir_audit_next_random (WeirAudit *self);
void weir_audit_keep_source (WeirAuditValue *value, const WeirContext *context,
                             const WeirSourceInfo *source);
void weir_audit_put_source (WeirContext *context, const WeirSourceInfo *source,
                            const WeirAuditValue *value);
/* FALSE if there is no such change of this value. */
gboolean weir_audit_make_change (WeirAudit *self, const WeirSourceInfo *source, guint change,
                                 const WeirAuditValue *old, WeirAuditValue *new);

/* Evaluates what is out of date, entries already named excepted: they keep the value that they
 * have. */
void weir_trial_evaluate (WeirTrial *self);
/* @was_fixed: the input had been before it was changed. */
void weir_trial_take_back (WeirTrial *self, const WeirSourceInfo *source, const WeirAuditValue *old,
                           gboolean was_fixed);

/* audit-handlers.c: calls every event handler at the state examined; adds what it finds. */
void weir_trial_call_handlers (WeirTrial *self);

/* @e came out as now[e] after the change of @source, though nothing that it declares had changed.
 */
void weir_trial_blame (WeirTrial *self, guint32 e, const WeirSourceInfo *source,
                       const WeirAuditValue *old, const WeirAuditValue *new, gboolean was_fixed);
/* @e came out as @recomputed from what gave another value before. @source: NULL for no change. */
void weir_trial_blame_memory (WeirTrial *self, guint32 e, const WeirSourceInfo *source,
                              const WeirAuditValue *old, const WeirAuditValue *new,
                              const WeirAuditValue *recomputed);

G_END_DECLS

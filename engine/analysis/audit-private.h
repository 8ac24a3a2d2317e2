/* What the files of the audit share: one audit under way. See audit.h. */
#pragma once

#include "analysis/audit.h"
#include "base/bits.h"
#include "system/observation/observe.h"
#include "system/layout/sources.h"
#include "system/evaluation/eval.h"

G_BEGIN_DECLS

typedef struct {
  WeirSystem *root;
  WeirLayout *layout;
  WeirObserver *observer;
  GArray *sources; /* WeirSourceInfo */
  guint n_entries;
  guint max_size;           /* of any value, doubles */
  guint64 **moved;          /* by entry: tickets of its leaf whose change changed it, as bits */
  gboolean *has_value;      /* by entry: it could be computed at some instant of the run */
  gboolean *is_impure;      /* by entry: already named; calculated no more */
  GPtrArray *retired;       /* WeirContext: calculations may keep pointers into them */
  guint64 random;           /* state of the generator */
  guint64 max_calculations; /* at one instant */
  const gint *cancel;
  WeirAuditResult *result;
} WeirAudit;

/* audit-perturb.c: changes each source of @sample, which it takes, and adds what it finds. FALSE if
 * cancelled. @is_varied: the run was never there. @varied: (nullable) takes states made from
 * @sample by changing many sources at once. */
gboolean weir_audit_perturb (WeirAudit *self, WeirContext *sample, gboolean is_varied,
                             GPtrArray *varied);
/* audit-patterns.c: moves one element after the other. */
void weir_audit_check_patterns (WeirAudit *self, const WeirContext *sample);
/* audit-declared.c: compares what was read with what is declared. */
void weir_audit_compare_reads (WeirAudit *self);

/* audit-report.c */
void weir_audit_result_init (WeirAuditResult *self);
void weir_audit_result_finish (WeirAuditResult *self); /* sorts and counts */
/* A finding with everything but evidence filled in, valid until the next one is added. */
WeirAuditFinding *weir_audit_add (WeirAudit *self, WeirAuditKind kind, WeirEntry entry,
                                  WeirNode node, WeirTicket ticket);
/* The same of the handler of an event (event.h). */
WeirAuditFinding *weir_audit_add_handler (WeirAudit *self, WeirAuditKind kind, guint event,
                                          WeirNode node, WeirTicket ticket);
WeirAuditFinding *weir_audit_find_handler (WeirAudit *self, WeirAuditKind kind, guint event);
/* One finding for each misuse that the observer has listed. */
void weir_audit_list_misuses (WeirAudit *self);
/* The source or entry that weir_context_dup_first_difference() names. */
WeirTicket weir_audit_find_named (const WeirAudit *self, const char *name, WeirNode *node);
/* The one there is already for this entry and ticket; past the block's border all tickets
 * are one. */
WeirAuditFinding *weir_audit_find (WeirAudit *self, WeirAuditKind kind, WeirEntry entry,
                                   WeirNode node, WeirTicket ticket);
gboolean weir_audit_has_error (const WeirAudit *self, WeirEntry entry);
char *weir_audit_dup_numbers (const double *values, guint n);

/* --- Values ---------------------------------------------------------------------------------- */

/* The values of all entries of a tree at one moment, doubles and abstract ones alike, for
 * comparing. audit-values.c */
typedef struct {
  gboolean has; /* FALSE: it could not be computed */
  guint size;   /* doubles; 0 if abstract */
  double *doubles;
  GVariant *variant;
} WeirAuditValue;

WeirAuditValue *
weir_audit_values_new (const WeirLayout *layout); /* one per entry, without values */
void weir_audit_values_free (WeirAuditValue *self, guint n_entries);
/* Frees what one holds. */
void weir_audit_value_clear (WeirAuditValue *self);

/* Through the cache, or afresh. @self must have been made for this entry. */
void weir_audit_value_eval (WeirAuditValue *self, WeirSystem *root, WeirContext *context,
                            WeirEntry entry);
void weir_audit_value_calc (WeirAuditValue *self, WeirSystem *root, WeirContext *context,
                            WeirEntry entry);

/* To the bit; two values that could not be computed are the same. */
gboolean weir_audit_value_is_same (const WeirAuditValue *a, const WeirAuditValue *b);
void weir_audit_value_copy (WeirAuditValue *to, const WeirAuditValue *from);
/* "[1, 2.5]", "'text'", "nothing (why)". (transfer full) */
char *weir_audit_value_to_string (const WeirAuditValue *self);

/* --- Trials ---------------------------------------------------------------------------------- */

/* One examined state of an audit: sources are changed in it (audit-change.c), it is seen what
 * changes with them (audit-perturb.c) and who is to blame (audit-blame.c). */

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

/* What the files of the audit share: one audit under way. See audit.h. */
#pragma once

#include "analysis/audit.h"
#include "base/bits.h"
#include "system/observation/observe.h"
#include "system/layout/sources.h"

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

G_END_DECLS

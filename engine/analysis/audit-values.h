/* The values of all entries of a tree at one moment, doubles and abstract ones alike, for
 * comparing. */
#pragma once

#include "system/evaluation/eval.h"

G_BEGIN_DECLS

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

G_END_DECLS

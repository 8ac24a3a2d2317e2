/* Corrected declarations: what an audit proposes, entry by entry, as text; and a run that proves
 * them on a copy.
 *
 * Reads that were not declared are added; what was declared and never read is left out. What no
 * declaration can mend (memory, writing, reads past the block's border) has no correction. Thread:
 * *owner*.
 */
#pragma once

#include "analysis/audit.h"
#include "analysis/verify.h"

G_BEGIN_DECLS

typedef struct {
  WeirEntry entry;
  char *path; /* of the entry: "Total:y" */
  GArray
      *tickets;   /* guint16 of its leaf: what it is to declare; may be WEIR_TICKET_NOTHING alone */
  gboolean adds;  /* a read that was missing: without it results are wrong */
  char *declared; /* "input in1" */
  char *corrected; /* "input in1, input in2" */
  char *code; /* as a block's author writes it: "WEIR_DEPENDS (weir_input_ticket (b, in1), ...)" */
} WeirCorrection;

/* WeirCorrection, in plan order; empty where there is nothing to correct. (transfer full) */
GArray *weir_list_corrections (WeirSystem *root, const WeirAuditResult *audit);

typedef struct {
  WeirVerifyResult before, after; /* cached against uncached, as it is and corrected */
  guint64 calculations_before, calculations_after; /* of entries in a cached run */
} WeirConfirmation;

/* Verifies @root as it is and a copy with all @corrections. FALSE and @error if they cannot be
 * applied (redeclare.h) or a run failed; @result then has nothing to clear. @cancel: may be NULL.
 */
gboolean weir_confirm_corrections (WeirSystem *root, const GArray *corrections,
                                   const WeirSimulatorOptions *options, double stop_time,
                                   gint *cancel, WeirConfirmation *result, GError **error);
void weir_confirmation_clear (WeirConfirmation *self);

G_END_DECLS

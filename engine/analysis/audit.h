/* Auditing declarations: what every calculation reads against what it declares.
 *
 * Two kinds of evidence. Observation: during a run, and during the perturbations below, each read
 * through an accessor is noted. Perturbation: at several instants of the run each source is changed
 * on a copy of the context; an entry that the change leaves up to date, but that comes out with
 * other bits when it is calculated again, misses a declaration, whichever way it reads.
 * Calculations that give other bits from the same sources, or change anything but their own value,
 * are named too, and so are event handlers that do, or that keep what calculations read elsewhere
 * than in declared state. Whoever reads by a handle that his block does not have, or writes beside
 * his result, is stopped there and named. A prerequisite that was never read and never mattered is
 * a hint, with the calculations that it cost.
 *
 * Thread: *owner*; all contexts live within the call.
 */
#pragma once

#include "base/diagnostic.h"
#include "base/visibility.h"
#include "sim/simulator.h"

WEIR_BEGIN_DECLS

typedef enum {
  WEIR_AUDIT_UNDECLARED,      /* AUD01, error: reads what it does not declare */
  WEIR_AUDIT_KEEPS_MEMORY,    /* AUD02, error: other bits from the same sources */
  WEIR_AUDIT_WRITES_SOURCE,   /* AUD03, error: changes something beside its own value */
  WEIR_AUDIT_SUPERFLUOUS,     /* AUD04, hint: declares what it never reads */
  WEIR_AUDIT_MISREADS,        /* AUD05, error: reads what its block does not have */
  WEIR_AUDIT_MISWRITES,       /* AUD06, error: writes beside its result, or not all of it */
  WEIR_AUDIT_OUTSIDE_PATTERN, /* AUD07, error: depends on an element that its pattern leaves out */
  WEIR_AUDIT_WRONG_SLOPE,     /* AUD08, error: a slope that is none */
} WeirAuditKind;

/* One thing that an audit found. */
typedef struct {
  WeirAuditKind kind;
  WeirSeverity severity;
  const char *code;  /* static */
  WeirEntry entry;   /* WEIR_NO_INDEX: it is about an event handler */
  guint event;       /* then: which (event.h); else WEIR_NO_INDEX */
  char *path;        /* block of the entry; "" for the root */
  char *what;        /* "output y", "time derivatives", "update of discrete state g (every 1 s)" */
  WeirNode node;     /* of the ticket; the entry's own but for reads past the block's border */
  WeirTicket ticket; /* read, written or superfluous; WEIR_TICKET_NOTHING for memory */
  char *ticket_name; /* "time", "input u", "plant: parameter k"; NULL for memory */
  gboolean is_observed; /* read through an accessor */
  gboolean is_proven;   /* the following is a counter-example */
  gboolean
      is_varied; /* at an instant whose sources had all been varied first, to take more branches */
  double time;   /* of the instant examined, s */
  char *source; /* what was changed, or NULL where nothing was; of a handler's memory: who reads it;
                   of a misuse: what it does */
  char *before, *after;      /* its value, in full */
  char *cached, *recomputed; /* the entry's value, in full */
  guint n_more;              /* further sources that show the same */
  guint64 cost;   /* superfluous: calculations that only it caused in the run, all values looked
                 at after each step */
  GArray *used;   /* superfluous: guint16, what of a composite was read; NULL: nothing of it */
  char *proposal; /* "declare time as a prerequisite of output y" */
} WeirAuditFinding;

/* What an audit found, and how much it looked at. */
typedef struct {
  GArray *findings; /* WeirAuditFinding: errors first, then in plan order */
  guint n_errors, n_hints;
  guint n_entries, n_sources, n_instants;
  guint n_failed;         /* entries that could be computed at no instant of the run */
  guint64 n_calculations; /* made to compare */
  char *failure; /* why the run failed, where what it came to is enough to find errors; else NULL */
  gboolean is_exhaustive; /* FALSE: the model is so large that a source was tried on nearby entries
                             only */
  guint64 reserved[8];    /* 0: what is to come */
} WeirAuditResult;

/* @cancel: checked at every source, may be NULL. FALSE and @error if the run failed
 * and what it came to shows no fault; @result then has nothing to clear. */
gboolean weir_audit (WeirSystem *root, const WeirSimulatorOptions *options, double stop_time,
                     gint *cancel, WeirAuditResult *result, GError **error);
void weir_audit_result_clear (WeirAuditResult *result);
/* One of the findings, as programs look at them, since they may grow; NULL beyond the last.
 * (transfer none) */
const WeirAuditFinding *weir_audit_result_get (const WeirAuditResult *result, guint i);

/* One sentence, without the block's path. (transfer full) */
char *weir_audit_finding_to_string (const WeirAuditFinding *finding);
/* One diagnostic for each finding. */
void weir_audit_result_list (const WeirAuditResult *result, WeirDiagnostics *diagnostics);
/* "declarations hold: 12 entries, 9 sources, 6 instants, 4 120 values compared", or how many
 * errors. (transfer full) */
char *weir_audit_result_to_string (const WeirAuditResult *result);

WEIR_END_DECLS

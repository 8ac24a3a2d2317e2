/* What is left of a run: its counters and what was recorded of it, to be compared with another's.
 *
 * Entries and signals are matched by name, so that runs of edited models, with other solvers, or
 * with corrected declarations can be set side by side. Immutable and reference-counted; thread
 * *any* once made.
 */
#pragma once

#include "sim/session.h"

G_BEGIN_DECLS

typedef struct _WeirRunRecord WeirRunRecord;

/* Of @session as its newest snapshot has it; what it records later is part of it. @title: what to
 * call it. Thread: *main*. */
WeirRunRecord *weir_run_record_new (WeirSession *session, const char *title);
WeirRunRecord *weir_run_record_ref (WeirRunRecord *self);
void weir_run_record_unref (WeirRunRecord *self);
const char *weir_run_record_get_title (const WeirRunRecord *self);

/* One entry in two runs. */
typedef struct {
  char *entry;              /* "Gain:y" */
  gboolean is_in[2];        /* of A and B */
  WeirCounters counters[2]; /* 0 where it is not */
  double spent_ns[2];       /* all calculations, from samples */
} WeirRunRow;

/* In plan order of @a, then what only @b has. (transfer full) */
GArray *weir_run_compare_counters (const WeirRunRecord *a, const WeirRunRecord *b);
/* "entry,hits_a,hits_b,..." and a line each. (transfer full) */
char *weir_run_rows_to_csv (const GArray *rows);

typedef struct {
  gboolean is_identical;
  guint64 n_compared;      /* values of 8 bytes, times included */
  guint n_signals;         /* in both */
  guint n_only[2];         /* signals that only one has */
  gboolean has_difference; /* the following; else one has more rows than the other */
  gsize row;
  double time;        /* of A's row, s */
  const char *signal; /* of A; "time" */
  double values[2];
  guint64 n_ulps;
  gsize n_rows[2];
} WeirRunDifference;

/* Row by row and bit by bit, the first difference in the order of time. */
WeirRunDifference weir_run_compare_recorded (const WeirRunRecord *a, const WeirRunRecord *b);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirRunRecord, weir_run_record_unref)

G_END_DECLS

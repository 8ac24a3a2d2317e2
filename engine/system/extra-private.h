/* The side table of a context's extra entries, as context.c and eval.c see it. */
#pragma once

#include "system/extra.h"

G_BEGIN_DECLS

typedef struct _WeirExtras WeirExtras;

typedef struct {
  WeirNode node;
  char *name;
  guint size;
  WeirCalcFunc calc;
  GBytes *data;     /* nullable */
  guint64 *sources; /* bits: the sources that invalidate it */
  double *value;
  gboolean is_stale;
  guint64 last_event; /* that reached it */
  WeirCounters counters;
} WeirExtraEntry;

/* All accept NULL, for no extra entries. */
WeirExtras *weir_extras_copy (const WeirExtras *self); /* (transfer full) */
void weir_extras_free (WeirExtras *self);
void weir_extras_note (WeirExtras *self, WeirSource source, guint64 event);
void weir_extras_set_all_out_of_date (WeirExtras *self);
WeirExtraEntry *weir_extras_get (WeirExtras *self, WeirExtra extra);

G_END_DECLS

/* Breakpoints on invalidation: what is to happen to a value, or to a source, for a run to pause.
 *
 * A WeirBreakpoint is a description in names, which a model keeps as text; it may name what a model
 * does not have. A WeirBreakpoints is a list of them made ready for one structure, which watches a
 * context (watch.h) and counts; when one is met and its condition holds, it calls whoever owns the
 * run, after the sweep or the request is over, so that the context is consistent. It reads and
 * changes nothing that a result depends on.
 *
 * Thread: descriptions *any*; a WeirBreakpoints belongs to the context's *owner* from when it
 * watches.
 */
#pragma once

#include "system/observation/change-log.h"
#include "system/observation/watch.h"

G_BEGIN_DECLS

typedef enum {
  WEIR_BREAK_COMPUTED, /* a value is computed */
  WEIR_BREAK_REUSED, /* a request, or a calculation that declares to read it, finds it up to date */
  WEIR_BREAK_OUT_OF_DATE, /* a change event puts it out of date */
  WEIR_BREAK_UNUSED, /* a change event finds it out of date already: nobody has asked since the last
                      */
  WEIR_BREAK_EVENT,  /* a source changes */
  WEIR_BREAK_RATE,   /* of the last `at_least` requests that needed a value, less than `number` per
                        cent were   answered without computing it; met when that begins */
  WEIR_N_BREAK_KINDS,
} WeirBreakKind;

/* Of the value just computed or reused. */
typedef enum {
  WEIR_BREAK_ALWAYS,
  WEIR_BREAK_ABOVE, /* greater than the number given */
  WEIR_BREAK_BELOW,
  WEIR_BREAK_EQUAL,
  WEIR_BREAK_NOT_FINITE,
  WEIR_BREAK_SAME, /* the same bytes as when it was computed before: the computation was not needed
                    */
  WEIR_BREAK_CHANGED,
  WEIR_N_BREAK_TESTS,
} WeirBreakTest;

typedef struct {
  WeirBreakKind kind;
  char *what; /* the entry, "Gain:y"; of an event the source, as for weir_explainer_find(), "" = any
               */
  char *by;   /* of an invalidation: only by events that reach this; NULL or "" = any */
  WeirBreakTest test;
  guint element;  /* of the value that is tested */
  double number;  /* to compare with; of a rate: per cent */
  guint at_least; /* of an event: values that it puts out of date; 0 = any number; of a rate:
                     requests */
  int phase;      /* WeirLogPhase in which alone it is met; -1 = any */
  guint64 skips;  /* pauses only from then on: so many are let pass */
  gboolean is_disabled;
  gboolean only_counts; /* never pauses */
  gboolean is_once;     /* pauses once in a run */
} WeirBreakpoint;

void weir_breakpoint_clear (WeirBreakpoint *self); /* for g_array_set_clear_func() too */
WeirBreakpoint weir_breakpoint_copy (const WeirBreakpoint *self); /* (transfer full) */
GArray *weir_breakpoint_list_new (void); /* WeirBreakpoint, cleared with it. (transfer full) */
GArray *weir_breakpoint_list_copy (const GArray *list); /* (transfer full) */
/* A list as text and back: what a model keeps. Text that is none gives an empty list and @error.
 * (transfer full) */
char *weir_breakpoint_list_to_text (const GArray *list);
GArray *weir_breakpoint_list_parse (const char *text, GError **error);

/* What was met. */
typedef struct {
  guint index;   /* in the list; G_MAXUINT: a held entry had to be computed */
  guint64 count; /* how often, this time included */
  double time;   /* in force, s */
  WeirLogPhase phase;
  guint64 event;     /* number of the last change event; 0 = none */
  WeirSource source; /* of an event or invalidation: its source; i WEIR_NO_INDEX for a joint one */
  WeirEntry entry;   /* concerned; i WEIR_NO_INDEX of an event */
  WeirEntry requested; /* what was asked for; of an event i WEIR_NO_INDEX */
  guint n_newly;       /* of an event: values that it put out of date */
  gboolean has_value, has_before;
  double value, before; /* the element tested; before: as computed the time before */
} WeirBreakHit;

typedef struct _WeirBreakpoints WeirBreakpoints;

typedef void (*WeirBreakFunc) (WeirContext *context, const WeirBreakHit *hit, gpointer data);

/* @list: copied. What it names and @layout does not have is never met. @errors: (nullable), one
 * sentence or NULL for each, in order; owned by the array. (transfer full) */
WeirBreakpoints *weir_breakpoints_new (WeirLayout *layout, const GArray *list, GPtrArray *errors);
void weir_breakpoints_free (WeirBreakpoints *self);
guint weir_breakpoints_get_n (const WeirBreakpoints *self);
/* How often each was met, in order: whether or not that paused. */
const guint64 *weir_breakpoints_get_counts (const WeirBreakpoints *self);
/* Takes over what was counted under equal descriptions. */
void weir_breakpoints_take_counts (WeirBreakpoints *self, const WeirBreakpoints *from);
/* Begins to watch in place of whoever did; @func is called where a run is to pause. Where nothing
 * is to be watched for and no entry is held, nobody watches: call it again when that changes.
 * @releases: is a held entry to be computed? Both may replace the list, which then must stay until
 * they have returned. */
void weir_breakpoints_watch (WeirBreakpoints *self, WeirContext *context, WeirBreakFunc func,
                             gboolean (*releases) (WeirContext *context, const WeirBreakHit *hit,
                                                   gpointer data),
                             gpointer data);
/* It counts and calls no more. */
void weir_breakpoints_retire (WeirBreakpoints *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirBreakpoints, weir_breakpoints_free)

G_END_DECLS

/* Breakpoints and what was met at them, in words for people. All strings are translated.
 *
 * Thread: *main*.
 */
#pragma once

#include "cache/cache-model.h"
#include "sim/breakpoint.h"

G_BEGIN_DECLS

/* "a value is computed": a kind of breakpoint, and a test of it, to choose from. */
const char *weir_break_kind_get_title (WeirBreakKind kind);
const char *weir_break_test_get_title (WeirBreakTest test);
/* "solver's trial" */
const char *weir_break_phase_get_title (WeirLogPhase phase);

/* "Gain:y is put out of date by time". (transfer full) */
char *weir_break_describe (const WeirBreakpoint *breakpoint);
/* "from the 4th time on, only in publishing", or NULL where nothing narrows it down. (transfer
 * full) */
char *weir_break_describe_limits (const WeirBreakpoint *breakpoint);

/* Why the run is paused, in a sentence: what was met, when, in which phase, and by what. @list:
 * that of the session. (transfer full) */
char *weir_break_describe_hit (WeirCacheModel *model, const GArray *list, const WeirBreakHit *hit);

G_END_DECLS

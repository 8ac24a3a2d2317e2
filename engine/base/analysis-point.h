/* What is done to a signal where it is looked at by linear analysis (analysis/loop.h): kinds, and
 * the words that stand for them in a model file. In the order in which a signal passes them: it is
 * measured, opened, added to, measured again. Thread: *any*.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
  WEIR_POINT_INPUT = 1 << 0,  /* something is added */
  WEIR_POINT_OUTPUT = 1 << 1, /* measured before it */
  WEIR_POINT_AFTER = 1 << 2,  /* measured after it */
  WEIR_POINT_BREAK = 1 << 3,  /* what comes from before does not pass */
} WeirPointKinds;

/* Of one wire: L with its sign flipped, S, and T with its sign flipped. */
#define WEIR_POINT_LOOP (WEIR_POINT_OUTPUT | WEIR_POINT_BREAK | WEIR_POINT_INPUT)
#define WEIR_POINT_SENSITIVITY (WEIR_POINT_INPUT | WEIR_POINT_AFTER)
#define WEIR_POINT_COMPLEMENTARY (WEIR_POINT_OUTPUT | WEIR_POINT_INPUT)

#define WEIR_N_POINT_KINDS 4

/* From the words input, output, after, break, parted by blanks. FALSE at any other, or at none. */
gboolean weir_point_kinds_parse (const char *words, WeirPointKinds *kinds);
/* The words, in the order of the signal; NULL for none. (transfer full) */
char *weir_point_kinds_dup_words (WeirPointKinds kinds);

G_END_DECLS

/* Whether two models describe the same thing, and where they differ if not.
 *
 * Ids, the order of elements and layout (positions, sizes, bends, colours) do not count; neither
 * does how a number is written, whether a default is written out, or in which order the lines of a
 * text of several lines stand. Blocks are the same if they have the same path; a block that has
 * another name but is otherwise the only one of its kind that is missing is told as renamed.
 * Equality found here is not a proof of equal behaviour, as a difference is none of the contrary: a
 * model is only certainly equal to itself. Thread: *any*.
 */
#pragma once

#include "model/tree/model.h"

G_BEGIN_DECLS

typedef enum {
  WEIR_DIFFERENCE_ONLY_IN_A,
  WEIR_DIFFERENCE_ONLY_IN_B,
  WEIR_DIFFERENCE_CHANGED,
} WeirDifferenceKind;

typedef struct {
  WeirDifferenceKind kind;
  char *path; /* of the block in A, or in B if it is only there; "" = the model */
  char *text; /* what differs: "gain: 2 -> 3" */
} WeirDifference;

/* In order of path; empty if the models are equal so far. (transfer full), of
 * WeirDifference. */
GPtrArray *weir_model_list_differences (WeirModel *a, WeirModel *b);

/* "~ plant.Gain: gain: 2 -> 3"; "-" for what only A has, "+" for what only B has.
 * (transfer full) */
char *weir_difference_to_string (const WeirDifference *self);

G_END_DECLS

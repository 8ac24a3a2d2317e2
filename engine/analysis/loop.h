/* Linear systems between points on the wires of a model.
 *
 * A point is on the signal of an output port, for all that read it, or on an input port, for that
 * one alone. There a perturbation is added (INPUT), the signal measured before it (OUTPUT) or after
 * it (AFTER), and the wire opened (BREAK); what runs is not affected. With negative feedback, of
 * one wire:
 *
 *   INPUT | AFTER = S = 1 / (1 + L)      OUTPUT | INPUT = -T      OUTPUT | BREAK | INPUT = -L
 *
 * The model is linearised with every point cut and joined again as matrices. Discrete states that
 * periodic updates write move: between updates the continuous states go on exactly (matrix
 * exponential), over the time after which all rates repeat ("lifting"). A perturbation of a sampled
 * model is held from tick to tick; one on a held signal, and measuring it, is when that signal
 * changes: after the updates of the tick, or where a delay brings it in between; on any other
 * signal before them, as the model's own samplers see it. Transport delays stay exact: in the
 * result of a continuous model as delays, of held signals in a sampled one as memories.
 *
 * Thread: *owner*.
 */
#pragma once

#include "analysis/operating-point.h"
#include "base/analysis-point.h"
#include "linear/state-space.h"

G_BEGIN_DECLS

typedef struct {
  const char *path; /* "Motor.speed" */
  WeirPointKinds kinds;
} WeirAnalysisPoint;

typedef struct {
  WeirLinear *linear;           /* from all perturbations to all measurements */
  GPtrArray *inputs, *outputs;  /* char *: names, in the order of the points */
  GPtrArray *states;            /* char *: names; of a sampled model the discrete ones last, then
                                   what delays hold */
  GPtrArray *notes;             /* char *: what was held or cut, what is odd */
  double *input_at, *output_at; /* of a sampled model: by input and output, how many seconds after a
                                   tick it is taken; below 0: before the updates. Else NULL */
  double *input_values, *output_values; /* by input and output: what they are at the point */
  double error; /* the largest estimated error of a number, relative to its row */
} WeirLoop;

/* At @context's time and values. NULL and @error: no such port; no value at the point; an algebraic
 * loop through the points without a solution; a delay of a moving signal in a sampled model.
 * (transfer full) */
WeirLoop *weir_loop_new (WeirSystem *root, const WeirContext *context,
                         const WeirAnalysisPoint *points, guint n_points, GError **error);
void weir_loop_free (WeirLoop *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirLoop, weir_loop_free)

G_END_DECLS

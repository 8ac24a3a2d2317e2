/* The inside of the page Analysis: analysis-page.c asks and shows, analysis-charts.c makes pictures
 * of answers, analysis-figures.c tables and sentences, analysis-tuning.c PID controllers,
 * analysis-design.c those of states, analysis-check.c runs of the model. Thread: *main*. */
#pragma once

#include "analysis/analyst.h"
#include "linear/design.h"
#include "model/tree/patch.h"
#include "paint/plots/chart.h"

G_BEGIN_DECLS

typedef enum {
  WEIR_PICTURE_BODE,
  WEIR_PICTURE_NYQUIST,
  WEIR_PICTURE_NICHOLS,
  WEIR_PICTURE_ROOTS,
  WEIR_PICTURE_LOCUS,
  WEIR_PICTURE_STEP,
  WEIR_PICTURE_IMPULSE,
  WEIR_N_PICTURES,
} WeirPicture;

/* "bode": as it is kept with a model. */
const char *weir_picture_get_name (WeirPicture picture);
const char *weir_picture_get_title (WeirPicture picture); /* translated */
/* What of an answer it takes besides: 1 << WEIR_STAGE_.... */
guint weir_picture_get_wanted (WeirPicture picture);

/* --- Runs of the model beside it (analysis-check.c) --------------------------------------------
 */

typedef struct _WeirCheckQuestion WeirCheckQuestion;

/* What simulation gave, without the gain of an answer. */
typedef struct {
  gboolean is_step;          /* of a step; else of sines */
  double size;               /* of what was added */
  GArray *x;                 /* double: s, or rad/s */
  GArray *values, *expected; /* double complex: simulated, linear */
  double worst, worst_at; /* the largest deviation: of a sine's value as a part of it, of a step's
                             as a part of the largest */
} WeirCheck;

/* Of what @asked was answered by @answer: @is_of_loop if it is L, S or T of its only point. NULL
 * and
 * @why (a sentence, translated, static) where runs do not tell. (transfer full) */
WeirCheckQuestion *weir_check_question_new (WeirModel *model, const WeirLinearQuestion *asked,
                                            gboolean is_of_loop, const WeirLinearAnswer *answer,
                                            gboolean is_step, const char **why);
void weir_check_question_free (WeirCheckQuestion *self);
/* Runs the model. Thread: any. (transfer full) */
WeirCheck *weir_check_new (const WeirCheckQuestion *question, const gint *cancel, GError **error);
void weir_check_free (WeirCheck *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirCheck, weir_check_free)

/* --- Pictures (analysis-charts.c) --------------------------------------------------------------
 */

/* What a picture shows besides an answer. */
typedef struct {
  const WeirLinearAnswer *former; /* paler beneath; nullable */
  const WeirCheck *check;         /* nullable */
} WeirBeside;

/* Fills @chart anew. FALSE: there is no such picture of it; @why: (out) a sentence, translated,
 * static. */
gboolean weir_picture_fill (WeirPicture picture, WeirChart *chart, const WeirLinearAnswer *answer,
                            WeirBeside beside, const char **why);
/* What stands beside the cursor on curve @curve of that chart. (transfer full) */
char *weir_picture_dup_text (WeirPicture picture, const WeirLinearAnswer *answer, guint curve,
                             guint i, double x, double y);
/* The gain at which the closed loop has a pole as near as can be to @x + i @y. */
double weir_locus_find_gain (const WeirLocus *locus, double x, double y);

/* One row of the table: its cells as people read them, and the number in full. */
typedef struct {
  char *name, *value, *at; /* owned; @at: nullable */
  char *full;              /* the numbers with all their digits; nullable */
  gboolean is_head;        /* only a name, over the rows that follow */
} WeirFigure;

/* @check: nullable. (element-type WeirFigure) (transfer full) */
GArray *weir_answer_list_figures (const WeirLinearAnswer *answer, const WeirCheck *check);
/* What was held or cut, what is odd, what has no value: sentences. (element-type utf8) (transfer
 * full) */
GPtrArray *weir_answer_list_notes (const WeirLinearAnswer *answer, gboolean is_flipped);
/* The table as lines of cells parted by tabs, for the clipboard. (transfer full) */
char *weir_figures_dup_text (const GArray *figures);
/* A, B, C and D as lines of numbers, each under its name. (transfer full) */
char *weir_linear_dup_csv (const WeirLinear *linear);
/* "(s + 1)/(s^2 + 2 s)": the polynomials of its zeros and poles, with its gain; NULL: there are
 * delays. (transfer full) */
char *weir_answer_dup_transfer_function (const WeirLinearAnswer *answer);

/* --- Controllers (analysis-tuning.c) -----------------------------------------------------------
 */

/* A way to tune a PID block: a rule, from what of the model. */
typedef enum {
  WEIR_TUNING_SIMC_PI, /* by the linear system between the block's output and its input */
  WEIR_TUNING_SIMC_PID,
  WEIR_TUNING_AMIGO_PI,
  WEIR_TUNING_AMIGO_PID,
  WEIR_TUNING_MARGIN_PI, /* by the same, so that the loop is as it is asked for */
  WEIR_TUNING_MARGIN_PID,
  WEIR_TUNING_RELAY_PI, /* by a run of the model with a relay in its place */
  WEIR_TUNING_RELAY_PID,
  WEIR_N_TUNINGS,
} WeirTuning;

/* What is asked of the loop, where a way asks for something. */
typedef struct {
  double margin;    /* of the phase, degrees */
  double crossover; /* rad/s */
} WeirTarget;

gboolean weir_tuning_has_target (WeirTuning tuning);
/* "simc-pi"; FALSE: there is none of that name. */
gboolean weir_tuning_find (const char *name, WeirTuning *tuning);
/* The PID block to tune, continuous or sampled: @selected if it is one, else the only one of the
 * model; 0: neither. */
guint32 weir_tuning_find_block (WeirModel *model, guint32 selected);
/* Thread: any; @model is only read. FALSE and @error: the rule has no answer for such a plant. */
gboolean weir_tuning_compute (WeirTuning tuning, WeirModel *model, guint32 block,
                              const WeirTarget *target, const gint *cancel, WeirPid *pid,
                              GError **error);
/* The block with those factors, as an edit. (transfer full) */
WeirPatch *weir_tuning_make_patch (WeirModel *model, guint32 block, const WeirPid *pid);

/* --- Controllers of states (analysis-design.c) -------------------------------------------------
 */

/* As typed. */
typedef struct {
  gboolean by_poles;
  const char *states, *inputs;      /* weights; or the first: poles of the loop */
  const char *disturbances, *noise; /* of the estimator; or the first: poles of the observer */
  double period;                    /* s; 0: as the model is */
} WeirDesignTexts;

/* The states that are fed back, parted by commas. (transfer full) */
char *weir_design_dup_states (const WeirLoop *loop);
/* Observer and gains for what is between the points that were @asked for, wired to them, as an
 * edit. NULL and @error: a text says something else, there is no such controller, or no place for
 * it. (transfer full) */
WeirPatch *weir_design_make_patch (WeirModel *model, const WeirLinearAnswer *answer,
                                   const WeirLinearQuestion *asked, const WeirDesignTexts *texts,
                                   GError **error);

G_END_DECLS

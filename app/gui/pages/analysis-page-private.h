/* The inside of the page Analysis: analysis-page.c asks and shows, analysis-figures.c makes tables
 * and sentences, analysis-trim.c says what is fixed at rest, analysis-tuning.c makes PID
 * controllers, analysis-design.c those of states, analysis-check.c runs of the model. Thread:
 * *main*. */
#pragma once

#include "analysis/relay.h"
#include "charts/analysis-chart.h"
#include "linear/controller.h"
#include "model/document/document.h"
#include "model/tree/patch.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* --- Runs of the model beside it (analysis-check.c) ------------------------------------------ */

typedef struct _WeirCheckQuestion WeirCheckQuestion;

/* Of what @asked was answered by @answer: @is_of_loop if it is L, S or T of its only point. NULL
 * and @why (a sentence, translated, static) where runs do not tell. (transfer full) */
WeirCheckQuestion *weir_check_question_new (WeirModel *model, const WeirLinearQuestion *asked,
                                            gboolean is_of_loop, const WeirLinearAnswer *answer,
                                            gboolean is_step, const char **why);
void weir_check_question_free (WeirCheckQuestion *self);
/* Runs the model. Thread: any. (transfer full) */
WeirCheck *weir_check_new (const WeirCheckQuestion *question, const gint *cancel, GError **error);
void weir_check_free (WeirCheck *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirCheck, weir_check_free)

/* --- Tables and sentences (analysis-figures.c) ----------------------------------------------- */

/* One row of the table: its cells as people read them, and the number in full. */
typedef struct {
  char *name, *value, *at; /* owned; @at: nullable */
  char *full;              /* the numbers with all their digits; nullable */
  gboolean is_head;        /* only a name, over the rows that follow */
} WeirFigure;

/* What the table tells of besides an answer. */
typedef struct {
  const WeirCheck *check;             /* nullable */
  const WeirPid *pid;                 /* that is previewed; nullable */
  const WeirOscillation *oscillation; /* that it was found by; nullable */
  const WeirController *controller;   /* that would be put in; nullable */
  double omega; /* rad/s: where the response is read; 0: nowhere in particular */
} WeirFigureSources;

/* (element-type WeirFigure) (transfer full) */
GArray *weir_answer_list_figures (const WeirLinearAnswer *answer, WeirFigureSources sources);
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

/* --- At rest (analysis-trim.c) ------------------------------------------------------------------
 */

/* What the model keeps of what is fixed and what is free there. (element-type WeirTrimWish)
 * (transfer full) */
GArray *weir_trim_list_wishes (WeirModel *model);
/* A table that changes it. @system: that of the document's model. @answer: (nullable): its values
 * stand where none are typed. */
GtkWidget *weir_trim_table_new (WeirDocument *document, WeirSystem *system,
                                const WeirLinearAnswer *answer);

/* --- Controllers (analysis-tuning.c) -----------------------------------------------------------
 */

/* A way to tune a PID block: a rule, from what of the model. */
typedef enum {
  WEIR_TUNING_SIMC_PI, /* by the linear system between the block's output and its input */
  WEIR_TUNING_SIMC_PID,
  WEIR_TUNING_AMIGO_PI,
  WEIR_TUNING_AMIGO_PID,
  WEIR_TUNING_ZN_PI, /* Ziegler and Nichols, from a lag and a delay */
  WEIR_TUNING_ZN_PID,
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
/* Thread: any; @model is only read. @oscillation: what the experiment found; its period is 0 where
 * none was made. FALSE and @error: the rule has no answer for such a plant. */
gboolean weir_tuning_compute (WeirTuning tuning, WeirModel *model, guint32 block,
                              const WeirTarget *target, const gint *cancel, WeirPid *pid,
                              WeirOscillation *oscillation, GError **error);
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

/* The states that are fed back. (element-type utf8) (transfer full) */
GPtrArray *weir_design_list_states (const WeirLoop *loop);
/* What would be put in. NULL and @error: a text says something else, or there is no such
 * controller. (transfer full) */
WeirController *weir_design_make_controller (const WeirLoop *loop, const WeirDesignTexts *texts,
                                             GError **error);
/* Observer and gains for what is between the points that were @asked for, wired to them, as an
 * edit. NULL and @error: a text says something else, there is no such controller, or no place for
 * it. (transfer full) */
WeirPatch *weir_design_make_patch (WeirModel *model, const WeirLinearAnswer *answer,
                                   const WeirLinearQuestion *asked, const WeirDesignTexts *texts,
                                   GError **error);

G_END_DECLS

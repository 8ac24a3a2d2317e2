/* What a study is about: its model, completed; where its parameters live; what is recorded of a
 * run, and what a run follows from.
 *
 * A *plan* is that for one structure. Where a parameter shapes its block, the points that give
 * another structure have plans of their own.
 *
 * What is kept of a run is worked out in one way only, from what was recorded of it: kept signals
 * that are algebra after the run (layout/reach.h) are not recorded but computed from their edge.
 * So a run that is found in the cache and one that was just made give the same bits.
 *
 * Thread: *immutable* once made, but for workers, which belong to one thread each.
 */
#pragma once

#include "ensemble/ensemble.h"
#include "model/tree/model.h"
#include "model/tree/patch.h"
#include "study/measured.h"
#include "study/study.h"
#include "system/layout/reach.h"

G_BEGIN_DECLS

#define WEIR_RUN_KEY_SIZE 32 /* SHA-256 */

typedef struct {
  guint8 run[WEIR_RUN_KEY_SIZE];   /* of the run and what is recorded of it */
  guint8 whole[WEIR_RUN_KEY_SIZE]; /* of all that is kept of it as well */
  guint64 point;                   /* of what varies alone: finds the run that was before */
} WeirRunKey;

/* The parts of a run's key, beside the values that points vary; each comes before those it decides.
 */
typedef enum {
  WEIR_RUN_PART_PROGRAM,
  WEIR_RUN_PART_PROCESSOR,
  WEIR_RUN_PART_STRUCTURE,
  WEIR_RUN_PART_SETTINGS,
  WEIR_RUN_PART_SIGNALS, /* what is recorded */
  WEIR_RUN_PART_VALUES,  /* of the model, that do not vary */
  WEIR_N_RUN_PARTS,
} WeirRunPart;

typedef struct _WeirStudySubject WeirStudySubject;
typedef struct _WeirRunPlan WeirRunPlan;
typedef struct _WeirRunDigester WeirRunDigester;

/* Opens the model of @study beside its file, and fills in what the model says: the middles of
 * parameters. NULL and diagnostics with file and line. (transfer full) */
WeirStudySubject *weir_study_subject_new (WeirStudy *study, WeirDiagnostics *diagnostics);
/* The same of @model, as it is being edited, in place of that of the file. */
WeirStudySubject *weir_study_subject_new_for_model (WeirStudy *study, WeirModel *model,
                                                    WeirDiagnostics *diagnostics);
void weir_study_subject_free (WeirStudySubject *self);

const WeirRunPlan *weir_study_subject_get_plan (const WeirStudySubject *self);
const WeirEnsembleOptions *weir_study_subject_get_options (const WeirStudySubject *self);
/* What was measured, of a fit; else NULL. */
const WeirMeasured *weir_study_subject_get_measured (const WeirStudySubject *self);
/* Does the study's signal @i stay between its rows? */
gboolean weir_study_subject_is_signal_held (const WeirStudySubject *self, guint i);
const char *weir_study_subject_get_model_path (const WeirStudySubject *self);
/* Are the bytes of the model's file still those that were read? */
gboolean weir_study_subject_is_model_unchanged (const WeirStudySubject *self);
/* Why every point completes the model anew; NULL: values are set in a context. */
const char *weir_study_subject_get_rebuild_reason (const WeirStudySubject *self);
/* Why runs are not cached, to be translated; NULL: they are. Static. */
const char *weir_study_subject_get_uncached_reason (const WeirStudySubject *self);

/* The context that the point begins with. @plan: (out) of its structure: the subject's, or one that
 * is to be freed with weir_run_plan_free(). NULL and @error: what of the point makes no sense.
 * (transfer full) Thread: *any*. */
WeirContext *weir_study_subject_create_context (const WeirStudySubject *self, const double *values,
                                                WeirRunPlan **plan, GError **error);
/* The same in a context that is there, which fits the subject's plan; only without a reason to
 * rebuild. */
void weir_study_subject_set_values (const WeirStudySubject *self, WeirContext *context,
                                    const double *values);

/* What gives parameter @i of a point its value in @model. NULL and @error: there is no such
 * parameter any more. (transfer full) */
WeirPatch *weir_study_subject_create_edit (const WeirStudySubject *self, guint i,
                                           const double *values, WeirModel *model, GError **error);

/* The model of a point, with the settings that it is run with: an ordinary one. NULL and @error:
 * what of the point makes no sense. (transfer full) */
WeirModel *weir_study_subject_create_model (const WeirStudySubject *self, const double *values,
                                            GError **error);

void weir_run_plan_free (WeirRunPlan *self);
WeirEnsemble *weir_run_plan_create_ensemble (const WeirRunPlan *self,
                                             const WeirEnsembleOptions *options, GError **error);
guint weir_run_plan_get_n_recorded (const WeirRunPlan *self);

/* For tests of what finds wrong keys: the leaf at @path is left out of the keys. */
gboolean weir_run_plan_forget_leaf (WeirRunPlan *self, const char *path);
WeirRunPlan *weir_study_subject_change_plan (WeirStudySubject *self);

/* What the run that begins with @context follows from. @values: the point's, as expressions of
 * figures see them. */
void weir_run_plan_calc_key (const WeirRunPlan *self, const WeirContext *context,
                             const double *values, WeirRunKey *key);

/* The parts of the keys of @self's runs: a line each, "NAME SUM", those of values last with their
 * own names. Two such tell why a run that was known is not known any more. */
const char *weir_study_subject_get_parts (const WeirStudySubject *self);
/* The first part in which they differ; N: in none. @values: (out) (nullable) which values of the
 * model do, if it is those. (transfer full) */
WeirRunPart weir_run_parts_compare (const char *before, const char *now, char **values);

/* --- What is kept ---------------------------------------------------------------------------- */

/* Works out figures and kept signals; of one thread. */
WeirRunDigester *weir_run_digester_new (const WeirStudySubject *subject, const WeirRunPlan *plan);
void weir_run_digester_free (WeirRunDigester *self);
/* @start: the context that the run began with. @figures: (out) one each, NAN where the run has
 * none.
 * @kept: (out) (nullable) the rows of the study's signals, as weir_rows_to_bytes() has them; NULL
 * where it keeps none. FALSE and @error: a kept signal has no value. */
gboolean weir_run_digester_calc (WeirRunDigester *self, const WeirContext *start,
                                 const WeirRunRows *rows, const double *values, double *figures,
                                 GBytes **kept, GError **error);

/* Numbers of rows and signals, times, signals one after the other; little-endian. */
GBytes *weir_run_rows_to_bytes (const WeirRunRows *rows);
/* FALSE: it is no such thing. @pointers: n_signals places that @rows->values is to be; the numbers
 * stay @bytes'. */
gboolean weir_run_rows_from_bytes (WeirRunRows *rows, const guint8 *bytes, gsize size,
                                   const double **pointers, guint n_pointers);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirStudySubject, weir_study_subject_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirRunPlan, weir_run_plan_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirRunDigester, weir_run_digester_free)

G_END_DECLS

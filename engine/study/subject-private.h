/* What the files of a study's subject share. See subject.h. */
#pragma once

#include "equations/programs/program.h"
#include "model/completion/parameters.h"
#include "study/subject.h"
#include "system/evaluation/value-list.h"

G_BEGIN_DECLS

/* A kept signal: an element of a port. */
typedef struct {
  char *path; /* of the port */
  guint element;
  gboolean is_held;
} WeirKeptSignal;

/* Where a parameter of the study is. */
typedef struct {
  char *path;    /* of the whole parameter */
  guint element; /* of it */
  guint size;
  double *value;      /* as the model has it: @size */
  gboolean is_global; /* a variable of the model */
  gboolean has_slot;
  WeirNode node;
  WeirParameter slot;
} WeirBinding;

struct _WeirStudySubject {
  WeirStudy *study; /* borrowed */
  char *model_path, *model_sum;
  WeirModel *model;
  WeirEnsembleOptions options;
  char *rebuild_reason;
  const char *uncached_reason; /* translatable */
  WeirMeasured *measured;      /* of a fit; else NULL */
  GArray *bindings;            /* WeirBinding, by parameter */
  GArray *kept;                /* WeirKeptSignal: those of the study's signals, then of figures */
  guint *of_figure;            /* by figure: place in @kept; G_MAXUINT = an expression */
  WeirProgram *program;        /* of all expressions; NULL = there are none */
  char *figures_text;          /* what the figures are, for keys */
  WeirRunPlan *plan;
  char *parts; /* of keys */
};

/* Signals that come from one place. */
typedef struct {
  gboolean is_after;
  guint column; /* of what is recorded; of one that is after: of what is worked out */
} WeirKeptPlace;

struct _WeirRunPlan {
  const WeirStudySubject *subject;
  WeirSystem *system;
  WeirLayout *layout;
  WeirContext *context; /* as the model begins */
  WeirReach *reach;
  GArray *sources; /* WeirSourceInfo: those of leaves in the run, then of those after it */
  guint n_run_sources;
  GPtrArray *recorded;   /* char *: paths of ports; ends in NULL */
  GArray *first_columns; /* guint: by recorded port */
  guint n_columns;
  GArray *edges;       /* WeirEdge */
  guint *edge_columns; /* by edge: its first column; of doubles that of the first */
  GArray *after;       /* WeirPort: what is worked out */
  guint n_after_columns;
  guint *after_sizes;        /* by port */
  WeirValueList *after_list; /* their values */
  WeirKeptPlace *places;     /* by kept signal */
  guint8 run_structure[WEIR_RUN_KEY_SIZE], after_structure[WEIR_RUN_KEY_SIZE];
};

/* NULL and @error: a port does not exist. (transfer full) */
WeirRunPlan *weir_run_plan_new (const WeirStudySubject *subject, WeirSystem *system,
                                const WeirContext *context, GError **error);
/* Fills in what is kept, before the first plan. FALSE, @line and @error: there is no such port. */
gboolean weir_study_subject_find_signals (WeirStudySubject *self, WeirLayout *layout, int *line,
                                          GError **error);
/* What get_parts() gives, once it is known whether points complete the model anew. (transfer full)
 */
char *weir_study_subject_dup_parts (const WeirStudySubject *self);
/* Compiles the expressions of figures. FALSE and diagnostics: they make no sense. */
gboolean weir_study_subject_compile (WeirStudySubject *self, WeirDiagnostics *diagnostics);

G_END_DECLS

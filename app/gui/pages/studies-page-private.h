/* The inside of the page Studies: studies-page.c asks for runs and lists points, studies-form.c is
 * where a study is put together, studies-files.c opens and saves it, studies-charts.c draws what
 * came of it and says it in words.
 *
 * The *draft* is the study that the form shows, a value that is changed in place (study/study.h).
 * Thread: *main*.
 */
#pragma once

#include "gui/host/page.h"
#include "gui/pages/study-job.h"
#include "scopes/chart-view.h"

G_BEGIN_DECLS

/* --- Pictures (studies-charts.c) -------------------------------------------------------------- */

typedef enum {
  WEIR_STUDY_HISTOGRAM,
  WEIR_STUDY_OVER_TIME,
  WEIR_STUDY_PERCENTILES,
  WEIR_STUDY_SENSITIVITY,
  WEIR_STUDY_CONVERGENCE,
  WEIR_STUDY_MAP,
  WEIR_STUDY_FRONT,
  WEIR_STUDY_CLOUD, /* over a parameter */
} WeirStudyView;

typedef struct {
  WeirStudyJob *job; /* with rows */
  WeirStudyView view;
  guint figure;
  guint across, up;           /* parameters; of a FRONT up is the other figure */
  const char *const *figures; /* what each is called */
  const gboolean *chosen;     /* by row: which are lit up; NULL: none is */
} WeirStudyPicture;

/* Which make sense for this study. */
gboolean weir_study_view_is_of (WeirStudyView view, const WeirStudy *study);
const char *weir_study_view_get_title (WeirStudyView view); /* translated */
/* Fills @chart, which is empty, and says what is in it. (transfer full) */
char *weir_study_picture_draw (const WeirStudyPicture *self, WeirChart *chart);

/* --- The page --------------------------------------------------------------------------------- */

#define WEIR_TYPE_STUDIES_PAGE (weir_studies_page_get_type ())
G_DECLARE_FINAL_TYPE (WeirStudiesPage, weir_studies_page, WEIR, STUDIES_PAGE, WeirPage)

struct _WeirStudiesPage {
  WeirPage parent;
  GtkWidget *run, *apply, *progress, *results, *keeps, *add_figure;
  GtkMenuButton *add;
  GtkGrid *variations, *figures;
  GtkDropDown *methods, *views, *shown, *across, *up;
  GtkSpinButton *points;
  GtkLabel *name, *status, *words;
  WeirChartView *chart;
  GtkColumnView *table;

  WeirStudy *draft;
  GFile *file;         /* of the draft; or NULL */
  GBytes *saved;       /* the draft as it is there */
  gboolean is_filling; /* widgets from the draft, not the other way round */
  GPtrArray *varied;   /* Variation, of studies-form.c: by parameter */
  GPtrArray *kept;     /* likewise: by figure */
  GStrv recorded;      /* paths of the ports that are offered */

  gboolean uses_cache;
  WeirStudyJob *job;  /* under way, or NULL */
  WeirStudyJob *done; /* the last with results, or NULL */
  GStrv titles;       /* of its figures */
  guint source;       /* that shows how far it is */
  GListStore *rows;
  GtkMultiSelection *selection;
  GArray *view_kinds; /* WeirStudyView, as they are offered */
};

/* Below the form. */
void weir_studies_page_say (WeirStudiesPage *self, const char *text);

/* --- The form (studies-form.c) ---------------------------------------------------------------- */

void weir_studies_form_init (WeirStudiesPage *self);
void weir_studies_form_clear (WeirStudiesPage *self);
/* A new draft in place of the present one. @draft: (transfer full) */
void weir_studies_form_set_draft (WeirStudiesPage *self, WeirStudy *draft);
/* What is typed becomes the draft's. @complains: what makes no sense is said. FALSE: something
 * makes none, or is missing. */
gboolean weir_studies_form_enter (WeirStudiesPage *self, gboolean complains);
/* The signals that are offered follow the model. */
void weir_studies_form_offer_ports (WeirStudiesPage *self);
/* "Maximum of x". (transfer full) */
char *weir_studies_form_dup_figure_title (WeirStudiesPage *self, const WeirStudyFigure *figure);

/* --- Files (studies-files.c) ------------------------------------------------------------------ */

void weir_studies_files_init (WeirStudiesPage *self);
/* FALSE: it is no study. */
gboolean weir_studies_files_open (WeirPage *page, GFile *file);
gboolean weir_studies_files_has_unsaved (WeirPage *page);
void weir_studies_files_ask_about_loss (WeirPage *page);
/* What the draft is called, and whether it was changed. */
void weir_studies_files_update_name (WeirStudiesPage *self);

G_END_DECLS

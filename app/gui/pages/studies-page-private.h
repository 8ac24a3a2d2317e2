/* The inside of the page Studies: studies-page.c asks for runs and lists points, studies-form.c is
 * where a study is put together, studies-choose.c takes what is varied from the diagram and what
 * is kept from plots, studies-history.c takes edits back, studies-preview.c shows the points before
 * they are run, studies-table.c lists them, studies-files.c opens and saves it, studies-export.c
 * writes its points for other programs, studies-charts.c draws what came of it and says it in
 * words, by what studies-columns.c knows of its columns, studies-many.c draws what stands over many
 * of them at once, studies-search.c what a search found, studies-picture.c is a picture with its
 * choices.
 *
 * The *draft* is the study that the form shows, a value that is changed in place (study/study.h).
 * Thread: *main*; pictures are drawn by any.
 */
#pragma once

#include "gui/host/page.h"
#include "gui/pages/study-job.h"
#include "scopes/chart-view.h"

G_BEGIN_DECLS

/* --- Pictures (studies-charts.c) --------------------------------------------------------------
 *
 * The columns of a study are its parameters, then its figures.
 */

typedef enum {
  WEIR_STUDY_HISTOGRAM,
  WEIR_STUDY_OVER_TIME,
  WEIR_STUDY_PERCENTILES,
  WEIR_STUDY_SENSITIVITY,
  WEIR_STUDY_CONVERGENCE,
  WEIR_STUDY_MAP,
  WEIR_STUDY_FRONT,
  WEIR_STUDY_MATRIX,
  WEIR_STUDY_PARALLEL,
  WEIR_STUDY_CLOUD, /* over a parameter */
  WEIR_STUDY_FITTED,
  WEIR_STUDY_RESIDUALS,
  WEIR_N_STUDY_VIEWS
} WeirStudyView;

typedef struct {
  WeirStudyJob *job; /* with rows */
  guint n;           /* of them: what it is of */
  WeirStudyView view;
  guint figure;
  guint across, up;           /* parameters; of a FRONT up is the other figure */
  const char *const *figures; /* what each is called */
  const gboolean *chosen;     /* by row: which are lit up; NULL: none is */
  const gint *cancel;         /* atomic: nobody waits for it any more; NULL: somebody does */
} WeirStudyPicture;

static inline const WeirStudy *
weir_study_picture_get_study (const WeirStudyPicture *self)
{
  return weir_study_job_get_study (self->job);
}

/* Its rows. */
static inline guint
weir_study_picture_get_n (const WeirStudyPicture *self)
{
  return self->n;
}

/* Which make sense for this study. */
gboolean weir_study_view_is_of (WeirStudyView view, const WeirStudy *study);
const char *weir_study_view_get_title (WeirStudyView view); /* translated */
/* Fills @chart, which is empty, and says what is in it. (transfer full) */
char *weir_study_picture_draw (const WeirStudyPicture *self, WeirChart *chart);
/* @rows: (inout) by row of the job: is made TRUE for those that are in @box of the picture. */
void weir_study_picture_find (const WeirStudyPicture *self, const WeirChartBox *box,
                              gboolean *rows);
/* How many are lit up, and between which values. Empty where none is. (transfer full) */
char *weir_study_picture_say_chosen (const WeirStudyPicture *self);

/* For who draws (studies-columns.c). */
guint weir_study_picture_get_n_columns (const WeirStudyPicture *self);
double weir_study_picture_get_number (const WeirStudyPicture *self, guint row, guint column);
const char *weir_study_picture_get_name (const WeirStudyPicture *self, guint column);
gboolean weir_study_picture_is_chosen (const WeirStudyPicture *self, guint row);
gboolean weir_study_picture_has_chosen (const WeirStudyPicture *self);
guint weir_study_picture_count_chosen (const WeirStudyPicture *self);
/* Rows to draw, @n of them: at most about @most that are not lit up, evenly, then as many that are.
 * (transfer full) */
guint *weir_study_picture_dup_rows (const WeirStudyPicture *self, guint most, guint *n);
/* "Point 3: gain 2, Maximum of x 1.5". (transfer full) */
char *weir_study_picture_say_point (const WeirStudyPicture *self, guint row, guint n,
                                    const guint *columns);
/* "Point 3"; "1.5". (transfer full) */
char *weir_study_say_number (guint64 point);
char *weir_study_say_value (double value);
/* @format: with a %s for each of the numbers, of which the first @n_counts are numbers of things.
 * (transfer full) */
char *weir_study_say (const char *format, guint n_counts, guint n, const double *numbers);
#define WEIR_STUDY_COUNT(n_counts, format, ...)                                                    \
  weir_study_say (format, n_counts, sizeof ((double[]) { __VA_ARGS__ }) / sizeof (double),         \
                  (double[]) { __VA_ARGS__ })
#define WEIR_STUDY_SAY(format, ...) WEIR_STUDY_COUNT (0, format, __VA_ARGS__)

#define WEIR_STUDY_MOST_SOLID 50 /* lines that can be told from each other */
#define WEIR_STUDY_MOST_BINS 50

/* How many points have a column between two values: @n bins, evenly; 0: none has it. */
typedef struct {
  guint n;
  double edges[WEIR_STUDY_MOST_BINS + 1];
  double counts[WEIR_STUDY_MOST_BINS], lit[WEIR_STUDY_MOST_BINS];
} WeirStudyBins;

void weir_study_picture_count (const WeirStudyPicture *self, guint column, guint most,
                               WeirStudyBins *bins);
/* Makes those @rows TRUE that are in bins between @ends. */
void weir_study_picture_find_bins (const WeirStudyPicture *self, guint column, guint most,
                                   const double ends[2], gboolean *rows);
char *weir_study_bins_say (const WeirStudyBins *self, guint bin);

/* (studies-many.c) */
char *weir_study_draw_matrix (const WeirStudyPicture *self, WeirChart *chart);
void weir_study_find_in_matrix (const WeirStudyPicture *self, const WeirChartBox *box,
                                gboolean *rows);
char *weir_study_draw_parallel (const WeirStudyPicture *self, WeirChart *chart);
void weir_study_find_in_parallel (const WeirStudyPicture *self, const WeirChartBox *box,
                                  gboolean *rows);

/* (studies-search.c) */
char *weir_study_draw_fit (const WeirStudyPicture *self, WeirChart *chart);
char *weir_study_draw_residuals (const WeirStudyPicture *self, WeirChart *chart);
/* What a search found and how well that is known, @figures as pictures have them. Empty where there
 * is none. (transfer full) */
char *weir_study_say_search (const WeirStudyJob *job, const char *const *figures);

/* --- A picture with its choices (studies-picture.c) -------------------------------------------
 *
 * Signals: "brushed" (const WeirChartBox *box, WeirChartBrush how), as a chart's; "drawn" (): it
 * shows something else.
 */

#define WEIR_TYPE_STUDY_PICTURE_VIEW (weir_study_picture_view_get_type ())
G_DECLARE_FINAL_TYPE (WeirStudyPictureView, weir_study_picture_view, WEIR, STUDY_PICTURE_VIEW,
                      AdwBin)

/* What it offers is that of @job from here on; what it shows is what the study is usually looked at
 * by: first, or @is_second. @titles: of figures, copied. */
void weir_study_picture_view_set_job (WeirStudyPictureView *self, WeirStudyJob *job,
                                      const char *const *titles, gboolean is_second);
/* By row: which are lit up; copied. */
void weir_study_picture_view_set_chosen (WeirStudyPictureView *self, const gboolean *chosen);
void weir_study_picture_view_find (WeirStudyPictureView *self, const WeirChartBox *box,
                                   gboolean *rows);
/* What is seen. (transfer none) */
const char *weir_study_picture_view_get_words (WeirStudyPictureView *self);
/* How many are lit up, and between which values. (transfer none) */
const char *weir_study_picture_view_get_chosen_words (WeirStudyPictureView *self);
/* It shows what was asked for before; "drawn" follows. */
gboolean weir_study_picture_view_is_busy (WeirStudyPictureView *self);

/* --- The table of points (studies-table.c) ------------------------------------------------------
 */

#define WEIR_TYPE_STUDY_POINT (weir_study_point_get_type ())
G_DECLARE_FINAL_TYPE (WeirStudyPoint, weir_study_point, WEIR, STUDY_POINT, GObject)

WeirStudyJob *weir_study_point_get_job (const WeirStudyPoint *self);
guint weir_study_point_get_row (const WeirStudyPoint *self); /* of the job */

/* A list of a job's rows, each a WeirStudyPoint, of which any may be selected. */
#define WEIR_TYPE_STUDY_POINTS (weir_study_points_get_type ())
G_DECLARE_FINAL_TYPE (WeirStudyPoints, weir_study_points, WEIR, STUDY_POINTS, GObject)

/* Those of @job in place of others, or in another order. */
void weir_study_points_show (WeirStudyPoints *self, WeirStudyJob *job);
/* Others are there besides. */
void weir_study_points_follow (WeirStudyPoints *self);
/* By row of the job: is it selected? Until it shows another, or more. (transfer none) */
const gboolean *weir_study_points_get_chosen (const WeirStudyPoints *self);
void weir_study_points_choose (WeirStudyPoints *self, const gboolean *chosen);
/* The position of the first that is selected; -1: none is. */
gint64 weir_study_points_find_chosen (const WeirStudyPoints *self);

/* --- The points before they are run (studies-preview.c) ----------------------------------------
 */

#define WEIR_TYPE_STUDY_PREVIEW (weir_study_preview_get_type ())
G_DECLARE_FINAL_TYPE (WeirStudyPreview, weir_study_preview, WEIR, STUDY_PREVIEW, AdwBin)

/* Those of @draft, or why there are none; what it leaves as it is has the values of @model. */
void weir_study_preview_show (WeirStudyPreview *self, const WeirStudy *draft, WeirModel *model);
/* "Overshoot", translated; of no expression. */
const char *weir_study_figure_get_title (WeirFigureKind kind);

/* --- The page --------------------------------------------------------------------------------- */

#define WEIR_TYPE_STUDIES_PAGE (weir_studies_page_get_type ())
G_DECLARE_FINAL_TYPE (WeirStudiesPage, weir_studies_page, WEIR, STUDIES_PAGE, WeirPage)

struct _WeirStudiesPage {
  WeirPage parent;
  GtkWidget *run, *apply, *open, *all, *progress, *results, *keeps, *add_figure;
  GtkMenuButton *add;
  GtkGrid *variations, *figures;
  GtkDropDown *methods;
  GtkSpinButton *points;
  GtkLabel *name, *status, *words;
  WeirStudyPictureView *picture, *beside;
  GtkToggleButton *two, *previews;
  WeirStudyPreview *preview;
  GtkColumnView *table;

  WeirStudy *draft;
  GFile *file;         /* of the draft; or NULL */
  GBytes *saved;       /* the draft as it is there */
  gboolean is_filling; /* widgets from the draft, not the other way round */
  GPtrArray *varied;   /* Variation, of studies-form.c: by parameter */
  GPtrArray *kept;     /* likewise: by figure */
  GStrv recorded;      /* paths of the ports that are offered */
  GStrv wanted;        /* paths of what the list of numbers is asked for next; NULL: the selected */
  GQueue before, after; /* WeirStudy: drafts that edits led away from, and that were taken back */
  gpointer editing;     /* what the last edit was made by, if it goes on; never followed */
  guint preview_source; /* that shows other points */

  gboolean uses_cache, is_exporting;
  WeirStudyJob *job;  /* under way, or NULL */
  WeirStudyJob *done; /* the last with results, also while it is under way; or NULL */
  GStrv titles;       /* of its figures */
  guint source;       /* that shows how far it is */
  gint64 next_look;   /* us: at what a job under way has */
  WeirStudyPoints *rows;
};

/* Its columns are those of the job that is done; its rows the page's. */
void weir_studies_table_init (WeirStudiesPage *self);
void weir_studies_table_fill_columns (WeirStudiesPage *self);

/* Below the form. */
void weir_studies_page_say (WeirStudiesPage *self, const char *text);
/* The points may be others, where they are looked at. */
void weir_studies_page_preview (WeirStudiesPage *self);

/* --- Taking back (studies-history.c) ---------------------------------------------------------- */

void weir_studies_history_init (WeirStudiesPage *self);
/* Before an edit of the draft. @by: (nullable) a widget whose edits on end are one. */
void weir_studies_history_begin (WeirStudiesPage *self, gpointer by);
/* There is nothing to take back. */
void weir_studies_history_clear (WeirStudiesPage *self);

/* --- Out of the diagram and the plots (studies-choose.c) -------------------------------------- */

void weir_studies_choose_init (WeirStudiesPage *self);
/* All pages are there. */
void weir_studies_choose_ready (WeirPage *page);

/* --- The form (studies-form.c) ---------------------------------------------------------------- */

void weir_studies_form_init (WeirStudiesPage *self);
void weir_studies_form_clear (WeirStudiesPage *self);
/* A new draft in place of the present one. @draft: (transfer full) */
void weir_studies_form_set_draft (WeirStudiesPage *self, WeirStudy *draft);
/* What is typed becomes the draft's. @complains: what makes no sense is said. FALSE: something
 * makes none, or is missing. */
gboolean weir_studies_form_enter (WeirStudiesPage *self, gboolean complains);
/* Between ends about @value. FALSE: it varies already. */
gboolean weir_studies_form_vary (WeirStudiesPage *self, const char *path, double value);
/* One figure more. */
void weir_studies_form_keep (WeirStudiesPage *self, WeirFigureKind kind, const char *port);
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

/* --- Points for other programs (studies-export.c) --------------------------------------------- */

void weir_studies_export_init (WeirStudiesPage *self);
/* There is something to write, and nobody at it. */
void weir_studies_export_update (WeirStudiesPage *self);

G_END_DECLS

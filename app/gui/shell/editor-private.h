/* The inside of WeirEditor, for its files. */
#pragma once

#include "cache/cache-overlay.h"
#include "gui/shell/window.h"
#include "gui/shell/editor.h"
#include "lab/lab-panel.h"
#include "lessons/lesson.h"
#include "paint/drawing/picture.h"

G_BEGIN_DECLS

typedef struct _WeirLessonGuide WeirLessonGuide;
typedef struct _WeirLessonStudio WeirLessonStudio;
typedef struct _WeirPresenting WeirPresenting;
typedef struct _WeirSlow WeirSlow;
typedef struct _WeirEditorTimeline WeirEditorTimeline;
typedef struct _WeirEditorValues WeirEditorValues;

struct _WeirEditor {
  AdwBin parent;

  /* Owned. */
  WeirDocument *document;
  WeirRunner *runner;
  GtkFileChooserNative *chooser; /* while one is open */
  GSimpleActionGroup *actions;   /* "win" */
  GtkWidget *header;             /* shown by the window */
  char *shown_title;
  guint number; /* of a model without a file, among those open; from 1 on */
  guint serial; /* of the tab, among all there ever were; from 1 on */

  /* Borrowed from the widget tree. */
  WeirCanvas *canvas;
  AdwToast *undo_toast; /* that offers to take back the last edit; weak */
  GtkWidget *toasts, *title, *bar, *bar_text, *bar_button;
  GtkWidget *pages;                 /* "editor" and, once it was asked for, "welcome" */
  GtkWidget *left, *right, *bottom; /* panes that can be hidden */
  GtkWidget *left_stack, *palette, *outline, *inspector, *breadcrumb;
  GtkWidget *stack, *scopes, *cache, *explain, *lab, *breaks, *timeline, *runs, *problems;
  GtkWidget *left_paned, *right_paned, *bottom_paned;
  GtkWidget *undo_button, *redo_button;
  GtkWidget *run_button, *verify_button, *verify_icon, *verify_spinner, *verify_text;
  GtkWidget *status, *progress, *cache_status;
  GtkWidget *lesson_panel, *lesson_editor, *slow_bar;
  GtkWidget *key_display; /* shown while presenting */
  GtkWidget *stage;       /* canvas and lesson panel */

  /* Views of the cache; owned. */
  WeirCacheModel *cache_model;
  WeirCacheOverlay *overlay; /* NULL while nothing is shown */
  GArray *explored; /* WeirStepTaken: what a change of what is pointed at would reach, or NULL */
  char *explored_caption;
  guint explore_soon; /* source that shows what the parameter pointed at reaches */
  guint32 pointed_block;
  const char *pointed_parameter; /* interned; NULL: the pointer is on none */
  gboolean is_alt_held;
  gboolean is_following_rows; /* the canvas selects what was selected in the table */
  GArray *path;               /* WeirStepTaken: what is being explained, or NULL */
  gboolean
      is_following_panel;  /* the canvas selects what was asked for in the panel of dependencies */
  WeirBreakHit break_told; /* the pause that the banner tells */
  gboolean is_break_told;
  WeirSession *compared; /* the run that the page of runs has taken, or NULL; only compared */
  guint n_runs;          /* so far */
  char *(*dup_table) (WeirEditor *self); /* of the export whose dialog is open */
  char *plot_key;                        /* of the plot to be saved; NULL: none was */
  GMenu *runs_menu;                      /* the runs to compare with */
  guint verify_progress;                 /* source that shows how far verification has come */
  gint *studies[WEIR_N_LAB_TESTS];       /* switches that stop those that go on: study.h */

  WeirEditorTimeline *recorded; /* editor-timeline.c */
  WeirEditorValues *values;     /* editor-values.c */
  WeirLessonGuide *lesson;      /* editor-lesson.c; NULL while there is none */
  WeirLessonStudio *studio;     /* editor-record.c; NULL while none is recorded or edited */
  WeirSlow *slow;               /* editor-slow.c */
  WeirPresenting *presenting;   /* editor-present.c; NULL while nobody does */

  int width;             /* of the window, when it was laid out last */
  guint fold_soon;       /* source that hides or shows the panes at the sides */
  gboolean is_narrow[2]; /* no room for the left pane; for the right one */
  gboolean is_folded[2]; /* those hidden for that */

  void (*then) (WeirEditor *self); /* what follows the dialog that is open */
  guint check;                     /* source that completes the model after an edit */
  char *verify_result;             /* the last one in a sentence, or NULL */
  gboolean may_close;              /* its tab, unasked */
  gboolean is_file_told;           /* the banner tells what others did to the file */
  gboolean is_running;             /* as told last */
  gint64 run_began;                /* us, monotonic */
  const WeirSession *failed;       /* whose failure has been told; only compared */

  WeirDiagnostics *model_problems; /* or NULL */
  guint n_model_problems;          /* listed; those of the run follow */
  GPtrArray *troubles;             /* WeirTrouble of the newest run */
};

/* editor-actions.c */
void weir_editor_add_actions (WeirEditor *self);
void weir_editor_update_actions (WeirEditor *self);

/* commands.c */
void weir_editor_show_commands (WeirEditor *self);

/* editor-notice.c */

/* A run began or ended: is_running has changed. */
void weir_editor_note_running (WeirEditor *self);

/* editor-files.c */
void weir_editor_choose_file (WeirEditor *self);
void weir_editor_save (WeirEditor *self, gboolean as, void (*then) (WeirEditor *self));
/* Asks where a copy is to go; the document stays with its file. */
void weir_editor_save_copy (WeirEditor *self);
/* FALSE after saying why not. */
gboolean weir_editor_save_copy_to (WeirEditor *self, GFile *file);
/* TRUE: nothing to lose. FALSE: asks, and calls @then when the user saved or discarded. */
gboolean weir_editor_confirm_loss (WeirEditor *self, void (*then) (WeirEditor *self));
/* "Save Changes?", without its body: answers "save", "discard" (titled so) and "cancel". Owned by
 * itself, as windows are. */
GtkWidget *weir_gui_save_question_new (GtkWindow *parent, const char *discard);

/* Whether closing would lose anything; what is typed but not entered counts. */
gboolean weir_editor_has_unsaved (WeirEditor *self);
/* Shows the tab where @file is open; else opens it here if there is nothing here yet, else in a new
 * tab. */
void weir_editor_open_beside (WeirEditor *self, GFile *file);

/* Reads the file again after another program wrote it; undo gives back what was here. */
void weir_editor_reload (WeirEditor *self);
/* Where it was opened: here if there was nothing here, else in a new tab; NULL if it
 * was refused. */
WeirEditor *weir_editor_open_template (WeirEditor *self, GFile *file);
void weir_editor_recover (WeirEditor *self, WeirRecovery *recovery);

/* editor-lesson.c */
/* The lesson in @file and the @model (transfer full) that it is about. NULL after telling why it
 * cannot be read; @model stays as it is then. (transfer full) */
WeirLesson *weir_editor_read_lesson (WeirEditor *self, GFile *file, GFile **model);
void weir_editor_open_lesson (WeirEditor *self, GFile *file);
void weir_editor_close_lesson (WeirEditor *self);
void weir_editor_lesson_back (WeirEditor *self);
void weir_editor_lesson_next (WeirEditor *self);
void weir_editor_lesson_check (WeirEditor *self);
/* Leads through @lesson (transfer full) on the model that is open. @file: of the lesson,
 * or NULL. */
void weir_editor_lead (WeirEditor *self, WeirLesson *lesson, GFile *file);
/* The blocks of the root that both models have are again those of @original, in one edit named
 * @label. */
void weir_editor_revert_blocks (WeirEditor *self, WeirModel *original, const char *label);
void weir_editor_add_lesson (WeirEditor *self);

/* editor-prediction.c */
/* The blocks selected against those that a change along @steps (WeirStepTaken) reaches, in a
 * sentence. @model: that names them. (transfer full) */
char *weir_editor_judge_prediction (WeirEditor *self, WeirModel *model, const GArray *steps,
                                    gboolean *is_right);

/* editor-quiz.c */
/* Questions about what changes of the model reach, one after the other. */
void weir_editor_quiz (WeirEditor *self);

/* editor-record.c */
void weir_editor_add_record (WeirEditor *self);
void weir_editor_remove_record (WeirEditor *self);
/* Begins to record a lesson of the model, which is saved first. */
void weir_editor_record_lesson (WeirEditor *self);
/* Opens a lesson's model with the lesson in the editor. */
void weir_editor_edit_lesson (WeirEditor *self, GFile *file);
void weir_editor_save_lesson (WeirEditor *self, GFile *file);
gboolean weir_editor_has_unsaved_lesson (WeirEditor *self);
/* Asks about it, and goes on with weir_editor_confirm_loss() when the user discarded it. */
void weir_editor_confirm_lesson_loss (WeirEditor *self, void (*then) (WeirEditor *self));

/* editor-present.c */
void weir_editor_add_present (WeirEditor *self);
void weir_editor_remove_present (WeirEditor *self);
void weir_editor_present (WeirEditor *self, gboolean on);

/* editor-trouble.c */
void weir_editor_add_troubles (WeirEditor *self);
void weir_editor_remove_troubles (WeirEditor *self);
/* The problems of the model; those of the run are listed behind them. */
void weir_editor_set_problems (WeirEditor *self, WeirDiagnostics *diagnostics);
/* Lists and tells what the run's snapshot says went wrong, if that is news. */
void weir_editor_update_troubles (WeirEditor *self, WeirSession *session);
/* WeirListFixesFunc; @data: the editor. */
char **weir_editor_list_fixes (guint problem, const WeirDiagnostic *diagnostic, guint **fixes,
                               gpointer data);
/* Does what may help against a problem of the run. FALSE: it is one of the model. */
gboolean weir_editor_remedy (WeirEditor *self, guint problem, guint fix);

/* editor-help.c */
void weir_editor_add_help (WeirEditor *self);
/* A block of equations with this text, below what is shown, as one undo step. */
void weir_editor_insert_equations (WeirEditor *self, const char *text);

/* editor-slow.c */
void weir_editor_add_slow (WeirEditor *self);
void weir_editor_remove_slow (WeirEditor *self);
/* Whether the canvas shows slow motion. */
gboolean weir_editor_is_slow (WeirEditor *self);
/* Opens slow motion and plays a change of the source that a path names ("Gain.gain"). @run: as it
 * was when the change would be made (weir_session_save()), NULL: as it is. */
void weir_editor_watch (WeirEditor *self, const char *source, GBytes *run);
gboolean weir_editor_can_watch (WeirEditor *self, const char *source);
/* Opens slow motion and plays the recording that is shown, from the event looked at on. */
void weir_editor_watch_recorded (WeirEditor *self);

/* recovery.c */
/* Asks about what a crash left behind, if anything. */
void weir_editor_offer_recovery (WeirEditor *self);

/* welcome.c */
GtkWidget *weir_welcome_new (void);
/* Paths of what comes with the program: "examples" or "templates", sorted. (transfer full) */
GPtrArray *weir_gui_list_models (const char *kind);
/* Models opened lately that still exist, the newest first: GtkRecentInfo. (transfer full) */
GList *weir_gui_list_recent (void);

/* editor-explain.c */
void weir_editor_add_explain (WeirEditor *self);
void weir_editor_remove_explain (WeirEditor *self);

/* editor-breadcrumb.c */
void weir_editor_update_breadcrumb (WeirEditor *self);

/* editor-breakpoints.c */
void weir_editor_add_breakpoints (WeirEditor *self);
void weir_editor_remove_breakpoints (WeirEditor *self);

/* editor-plots.c */
void weir_editor_add_plots (WeirEditor *self);
void weir_editor_remove_plots (WeirEditor *self);
/* The page of runs has others now, or the present run is another. */
void weir_editor_refresh_compared (WeirEditor *self);
/* The plot chosen last; a picture by the suffix. FALSE, and it is told, if that failed. */
gboolean weir_editor_export_plot (WeirEditor *self, GFile *file);
/* What was recorded, as CSV. */
gboolean weir_editor_export_results (WeirEditor *self, GFile *file);

/* editor-runs.c */
void weir_editor_add_runs (WeirEditor *self);
void weir_editor_remove_runs (WeirEditor *self);

/* editor-lab.c */
void weir_editor_add_lab (WeirEditor *self);
void weir_editor_remove_lab (WeirEditor *self);
/* Selects a block by its path, or that of an entry by its, "block:what". */
void weir_editor_go_to_path (WeirEditor *self, const char *path);

/* editor-timeline.c */
void weir_editor_add_timeline (WeirEditor *self);
void weir_editor_remove_timeline (WeirEditor *self);

/* editor-status.c */
/* The runner's state or snapshot has changed. */
void weir_editor_update_status (WeirEditor *self);

/* editor-tape.c */
/* Shows the recording in @file in place of the one that is shown. */
void weir_editor_open_recording (WeirEditor *self, GFile *file);
gboolean weir_editor_save_recording (WeirEditor *self, GFile *file);

/* editor-export.c */
/* Says that the file @name was written, or what stood in the way; @error: NULL if a picture has no
 * local path. Returns @is_written. */
gboolean weir_editor_tell_exported (WeirEditor *self, const char *name, gboolean is_written,
                                    const GError *error);
void weir_editor_choose_export (WeirEditor *self);
/* By the suffix of the name; without one as SVG. */
gboolean weir_editor_export (WeirEditor *self, GFile *file);
void weir_editor_copy_picture (WeirEditor *self); /* to the clipboard, as SVG and PNG */
/* The same of what @draw draws, in points. */
void weir_editor_copy_drawing (WeirEditor *self, double width, double height, WeirPictureFunc draw,
                               gpointer data);
/* The model's name without its suffix. (transfer full) */
char *weir_editor_dup_stem (WeirEditor *self);
void weir_editor_print (WeirEditor *self);
GtkPrintOperation *weir_editor_print_new (WeirEditor *self); /* (transfer full) */

/* editor-layout.c */
/* Where there is little room the panes at the sides go, until there is more. */
void weir_editor_note_width (WeirEditor *self, int width);
void weir_window_restore_size (WeirWindow *self);
void weir_editor_restore_layout (WeirEditor *self);
/* The panes lie as those of @other. */
void weir_editor_adopt_layout (WeirEditor *self, WeirEditor *other);
void weir_editor_store_layout (WeirEditor *self);

/* editor-menu.c */
GMenuModel *weir_editor_menu_new (WeirEditor *self); /* (transfer full) */

/* editor-outline.c */
void weir_editor_add_outline (WeirEditor *self);
/* Its rows show what is selected on the canvas. */
void weir_editor_update_outline (WeirEditor *self);

/* editor-values.c */
void weir_editor_add_values (WeirEditor *self);
void weir_editor_remove_values (WeirEditor *self);

/* editor-verify.c */
void weir_editor_add_verify (WeirEditor *self);
void weir_editor_remove_verify (WeirEditor *self);

/* editor-views.c */
void weir_editor_add_views (WeirEditor *self);
/* Emphasises the WeirStepTaken of an explanation on the canvas until the next one; NULL = nothing.
 * @steps: (transfer full). */
void weir_editor_emphasize (WeirEditor *self, GArray *steps);
void weir_editor_remove_views (WeirEditor *self);
/* The rows of the cache table, as CSV. */
void weir_editor_choose_cache_export (WeirEditor *self);
/* What there is to write, or NULL, as a file; tells the user of it. */
gboolean weir_editor_export_bytes (WeirEditor *self, GFile *file, GBytes *bytes);
/* A table as a file: @dup_table gives its text, or NULL if there is none yet. */
void weir_editor_choose_table_export (WeirEditor *self, const char *title, const char *name,
                                      char *(*dup_table) (WeirEditor *self));
gboolean weir_editor_export_table (WeirEditor *self, GFile *file,
                                   char *(*dup_table) (WeirEditor *self));
gboolean weir_editor_export_cache (WeirEditor *self, GFile *file);
void weir_editor_refresh_overlay (WeirEditor *self);
/* Shows what a change of a tracker would reach; WEIR_NO_INDEX: nothing any more. */
void weir_editor_explore_tracker (WeirEditor *self, guint32 tracker);
/* Shows what a change of a parameter would reach; NULL: nothing any more. */
void weir_editor_explore_parameter (WeirEditor *self, guint32 block, const char *parameter);

/* editor-widgets.c */
void weir_editor_build (WeirEditor *self);

/* editor.c */
/* The name of its file, or "Untitled 2". (transfer full) */
char *weir_editor_dup_name (WeirEditor *self);
gboolean weir_editor_is_welcome (WeirEditor *self); /* the welcome page is shown here */
void weir_editor_note_saved (WeirEditor *self);     /* what was told of the file is over */
void weir_editor_set_number (WeirEditor *self, guint number);
/* Says something that stays until it is closed or something better is known. NULL hides it. */
void weir_editor_set_banner (WeirEditor *self, GtkMessageType type, const char *text);
/* The same with a button that activates @action of the editor. */
void weir_editor_set_offer (WeirEditor *self, GtkMessageType type, const char *text,
                            const char *label, const char *action);
/* "~/Models" for what lies within the home folder; NULL for a file without one. (transfer full) */
char *weir_gui_dup_folder_name (GFile *file);
/* All problems are marked, those of blocks made just now too: a run was asked for, or the model was
 * saved or is another one. */
void weir_editor_end_building (WeirEditor *self);
void weir_editor_toast (WeirEditor *self, const char *text);
/* The same with a button that takes the last edit back, until the next one. */
void weir_editor_offer_undo (WeirEditor *self, const char *text);
void weir_editor_show_page (WeirEditor *self, const char *name); /* "plots", "cache", "problems" */
/* What is listed, and marked on the diagram. */
void weir_editor_show_problems (WeirEditor *self, WeirDiagnostics *diagnostics);

G_END_DECLS

/* The inside of WeirWindow, for its files. */
#pragma once

#include "cache/cache-overlay.h"
#include "gui/shell.h"
#include "gui/window.h"
#include "lessons/lesson.h"

G_BEGIN_DECLS

typedef struct _WeirLessonGuide WeirLessonGuide;
typedef struct _WeirLessonStudio WeirLessonStudio;
typedef struct _WeirPresenting WeirPresenting;
typedef struct _WeirSlow WeirSlow;
typedef struct _WeirWindowTimeline WeirWindowTimeline;

/* Analyses of the model in threads of their own: study.h. */
typedef enum {
  WEIR_STUDY_SEARCH,  /* for the entries to blame */
  WEIR_STUDY_AUDIT,
  WEIR_STUDY_CONFIRM, /* that corrections suffice */
  WEIR_N_STUDIES,
} WeirStudyKind;

struct _WeirWindow {
  AdwBin parent;

  /* Owned. */
  WeirDocument *document;
  WeirRunner *runner;
  GtkFileChooserNative *chooser; /* while one is open */
  GSimpleActionGroup *actions;   /* "win" */
  GtkWidget *header;             /* shown by the shell */
  char *shown_title;
  guint number;                  /* of a model without a file, among those open; from 1 on */

  /* Borrowed from the widget tree. */
  WeirCanvas *canvas;
  GtkWidget *toasts, *title, *bar, *bar_text, *bar_button;
  GtkWidget *pages; /* "editor" and, once it was asked for, "welcome" */
  GtkWidget *left, *right, *bottom; /* panes that can be hidden */
  GtkWidget *left_stack, *palette, *outline, *inspector, *breadcrumb;
  GtkWidget *stack, *scopes, *cache, *explain, *lab, *breaks, *timeline, *runs, *problems;
  GtkWidget *left_paned, *right_paned, *bottom_paned;
  GtkWidget *undo_button, *redo_button;
  GtkWidget *run_button, *verify_button, *verify_icon, *verify_spinner, *verify_text;
  GtkWidget *status, *progress, *cache_status;
  GtkWidget *lesson_panel, *lesson_editor, *slow_bar;
  GtkWidget *stage; /* canvas and lesson panel */

  /* Views of the cache; owned. */
  WeirCacheModel *cache_model;
  WeirCacheOverlay *overlay; /* NULL while nothing is shown */
  GArray *explored;          /* WeirStepTaken: what a change of what is pointed at would reach, or NULL */
  char *explored_caption;
  guint explore_soon;        /* source that shows what the parameter pointed at reaches */
  guint32 pointed_block;
  const char *pointed_parameter; /* interned */
  gboolean is_following_rows; /* the canvas selects what was selected in the table */
  GArray *path;              /* WeirStepTaken: what is being explained, or NULL */
  gboolean is_following_panel; /* the canvas selects what was asked for in the panel of dependencies */
  WeirBreakHit break_told;   /* the pause that the banner tells */
  gboolean is_break_told;
  WeirSession *compared;     /* the run that the page of runs has taken, or NULL; only compared */
  guint n_runs;              /* so far */
  char *(*dup_table) (WeirWindow *self); /* of the export whose dialog is open */
  guint verify_progress;     /* source that shows how far verification has come */
  gint *studies[WEIR_N_STUDIES]; /* switches that stop those that are on; borrowed from their tasks */

  WeirWindowTimeline *recorded; /* window-timeline.c */
  WeirLessonGuide *lesson; /* window-lesson.c; NULL while there is none */
  WeirLessonStudio *studio; /* window-record.c; NULL while none is recorded or edited */
  WeirSlow *slow;          /* window-slow.c */
  WeirPresenting *presenting; /* window-present.c; NULL while nobody does */

  void (*then) (WeirWindow *self); /* what follows the dialog that is open */
  guint check; /* source that completes the model after an edit */
  char *verify_result; /* the last one in a sentence, or NULL */
  gboolean may_close;  /* its tab, unasked */
  gboolean is_running; /* as told last */
  const WeirSession *failed; /* whose failure has been told; only compared */
};

/* window-actions.c */
void weir_window_add_actions (WeirWindow *self);
void weir_window_update_actions (WeirWindow *self);

/* commands.c */
void weir_window_show_commands (WeirWindow *self);

/* window-files.c */
void weir_window_choose_file (WeirWindow *self);
void weir_window_save (WeirWindow *self, gboolean as, void (*then) (WeirWindow *self));
/* Asks where a copy is to go; the document stays with its file. */
void weir_window_save_copy (WeirWindow *self);
/* FALSE after saying why not. */
gboolean weir_window_save_copy_to (WeirWindow *self, GFile *file);
/* TRUE: nothing to lose. FALSE: asks, and calls @then when the user saved or discarded. */
gboolean weir_window_confirm_loss (WeirWindow *self, void (*then) (WeirWindow *self));

/* Whether closing would lose anything; what is typed but not entered counts. */
gboolean weir_window_has_unsaved (WeirWindow *self);
/* Shows the tab where @file is open; else opens it here if there is nothing here yet, else in a new tab. */
void weir_window_open_beside (WeirWindow *self, GFile *file);

/* Reads the file again after another program wrote it; undo gives back what was here. */
void weir_window_reload (WeirWindow *self);
/* Where it was opened: here if there was nothing here, else in a new tab; NULL if it was refused. */
WeirWindow *weir_window_open_template (WeirWindow *self, GFile *file);
void weir_window_recover (WeirWindow *self, WeirRecovery *recovery);

/* window-lesson.c */
void weir_window_open_lesson (WeirWindow *self, GFile *file);
void weir_window_close_lesson (WeirWindow *self);
void weir_window_lesson_back (WeirWindow *self);
void weir_window_lesson_next (WeirWindow *self);
void weir_window_lesson_check (WeirWindow *self);
/* Leads through @lesson (transfer full) on the model that is open. @file: of the lesson, or NULL. */
void weir_window_lead (WeirWindow *self, WeirLesson *lesson, GFile *file);
/* The blocks of the root that both models have are again those of @original, in one edit named @label. */
void weir_window_revert_blocks (WeirWindow *self, WeirModel *original, const char *label);
void weir_window_add_lesson (WeirWindow *self);

/* window-quiz.c */
/* Questions about what changes of the model reach, one after the other. */
void weir_window_quiz (WeirWindow *self);

/* window-record.c */
void weir_window_add_record (WeirWindow *self);
void weir_window_remove_record (WeirWindow *self);
/* Begins to record a lesson of the model, which is saved first. */
void weir_window_record_lesson (WeirWindow *self);
/* Opens a lesson's model with the lesson in the editor. */
void weir_window_edit_lesson (WeirWindow *self, GFile *file);
void weir_window_save_lesson (WeirWindow *self, GFile *file);
gboolean weir_window_has_unsaved_lesson (WeirWindow *self);
/* Asks about it, and goes on with weir_window_confirm_loss() when the user discarded it. */
void weir_window_confirm_lesson_loss (WeirWindow *self, void (*then) (WeirWindow *self));

/* window-present.c */
void weir_window_add_present (WeirWindow *self);
void weir_window_remove_present (WeirWindow *self);
void weir_window_present (WeirWindow *self, gboolean on);

/* window-slow.c */
void weir_window_add_slow (WeirWindow *self);
void weir_window_remove_slow (WeirWindow *self);
/* Whether the canvas shows slow motion. */
gboolean weir_window_is_slow (WeirWindow *self);
/* Opens slow motion and plays a change of the source that a path names ("Gain.gain"). @run: as it was when the
 * change would be made (weir_session_save()), NULL: as it is. */
void weir_window_watch (WeirWindow *self, const char *source, GBytes *run);
gboolean weir_window_can_watch (WeirWindow *self, const char *source);

/* recovery.c */
/* Asks about what a crash left behind, if anything. */
void weir_window_offer_recovery (WeirWindow *self);

/* welcome.c */
GtkWidget *weir_welcome_new (void);
/* Paths of what comes with the program: "examples" or "templates", sorted. (transfer full) */
GPtrArray *weir_gui_list_models (const char *kind);
/* Models opened lately that still exist, the newest first: GtkRecentInfo. (transfer full) */
GList *weir_gui_list_recent (void);

/* window-explain.c */
void weir_window_add_explain (WeirWindow *self);
void weir_window_remove_explain (WeirWindow *self);

/* Starts an audit of the declarations, or stops the one that is on. */
void weir_window_audit (WeirWindow *self, gboolean on);

/* window-breakpoints.c */
void weir_window_add_breakpoints (WeirWindow *self);
void weir_window_remove_breakpoints (WeirWindow *self);

/* window-runs.c */
void weir_window_add_runs (WeirWindow *self);
void weir_window_remove_runs (WeirWindow *self);

/* window-lab.c */
void weir_window_add_lab (WeirWindow *self);
void weir_window_remove_lab (WeirWindow *self);
/* Selects a block by its path, or that of an entry by its, "block:what". */
void weir_window_go_to_path (WeirWindow *self, const char *path);

/* window-timeline.c */
void weir_window_add_timeline (WeirWindow *self);
void weir_window_remove_timeline (WeirWindow *self);
/* Shows the recording in @file in place of the one that is shown. */
void weir_window_open_recording (WeirWindow *self, GFile *file);
gboolean weir_window_save_recording (WeirWindow *self, GFile *file);

/* window-export.c */
void weir_window_choose_export (WeirWindow *self);
/* By the suffix of the name; without one as SVG. */
gboolean weir_window_export (WeirWindow *self, GFile *file);
void weir_window_copy_picture (WeirWindow *self); /* to the clipboard, as SVG and PNG */
void weir_window_print (WeirWindow *self);
GtkPrintOperation *weir_window_print_new (WeirWindow *self); /* (transfer full) */

/* window-layout.c */
void weir_shell_restore_size (WeirShell *self);
void weir_window_restore_layout (WeirWindow *self);
/* The panes lie as those of @other. */
void weir_window_adopt_layout (WeirWindow *self, WeirWindow *other);
void weir_window_store_layout (WeirWindow *self);

/* window-menu.c */
GMenuModel *weir_window_menu_new (WeirWindow *self); /* (transfer full) */

/* window-outline.c */
void weir_window_add_outline (WeirWindow *self);
/* Its rows show what is selected on the canvas. */
void weir_window_update_outline (WeirWindow *self);

/* window-views.c */
void weir_window_add_views (WeirWindow *self);
/* Emphasises the WeirStepTaken of an explanation on the canvas until the next one; NULL = nothing. @steps:
 * (transfer full). */
void weir_window_emphasize (WeirWindow *self, GArray *steps);
void weir_window_remove_views (WeirWindow *self);
/* The rows of the cache table, as CSV. */
void weir_window_choose_cache_export (WeirWindow *self);
/* A table as a file: @dup_table gives its text, or NULL if there is none yet. */
void weir_window_choose_table_export (WeirWindow *self, const char *title, const char *name,
                                      char *(*dup_table) (WeirWindow *self));
gboolean weir_window_export_table (WeirWindow *self, GFile *file, char *(*dup_table) (WeirWindow *self));
gboolean weir_window_export_cache (WeirWindow *self, GFile *file);
void weir_window_refresh_overlay (WeirWindow *self);
/* Shows what a change of a tracker would reach; WEIR_NO_INDEX: nothing any more. */
void weir_window_explore_tracker (WeirWindow *self, guint32 tracker);
/* Shows what a change of a parameter would reach; NULL: nothing any more. */
void weir_window_explore_parameter (WeirWindow *self, guint32 block, const char *parameter);

/* window-widgets.c */
void weir_window_build (WeirWindow *self);

/* window.c */
/* The name of its file, or "Untitled 2". (transfer full) */
char *weir_window_dup_name (WeirWindow *self);
void weir_window_set_number (WeirWindow *self, guint number);
/* Says something that stays until it is closed or something better is known. NULL hides it. */
void weir_window_set_banner (WeirWindow *self, GtkMessageType type, const char *text);
/* The same with a button that activates @action of the window. */
void weir_window_set_offer (WeirWindow *self, GtkMessageType type, const char *text,
                            const char *label, const char *action);
/* "Save Changes?", without its body: answers "save", "discard" (titled so) and "cancel". Owned by itself, as windows are. */
GtkWidget *weir_gui_save_question_new (GtkWindow *parent, const char *discard);
/* "~/Models" for what lies within the home folder; NULL for a file without one. (transfer full) */
char *weir_gui_dup_folder_name (GFile *file);
void weir_window_toast (WeirWindow *self, const char *text);
void weir_window_show_page (WeirWindow *self, const char *name); /* "plots", "cache", "problems" */
void weir_window_set_problems (WeirWindow *self, WeirDiagnostics *diagnostics);

G_END_DECLS

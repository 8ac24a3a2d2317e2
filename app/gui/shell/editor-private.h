/* The inside of WeirEditor, for its files. */
#pragma once

#include "gui/shell/editor.h"
#include "gui/host/host.h"
#include "gui/shell/window.h"

G_BEGIN_DECLS

/* How a window lies in a perspective. */
typedef struct {
  gboolean is_shown[WEIR_N_DOCKS];
  int canvas_height; /* pixels */
  char *page;        /* at the bottom */
  char *overlay;
} WeirEditorLayout;

struct _WeirEditor {
  AdwBin parent;

  /* Owned. */
  WeirDocument *document;
  WeirRunner *runner;
  WeirCacheModel *cache_model;
  GSimpleActionGroup *actions; /* "win" */
  GPtrArray *parts;            /* WeirPart, one of each kind (parts.h) */
  GPtrArray *pages;            /* WeirPage, one of each kind (pages.h); borrowed from the docks */
  GPtrArray *widgets;          /* those that parts have added */
  char *shown_title;

  /* Of the template. */
  WeirCanvas *canvas; /* added to it */
  GtkWidget *header;  /* shown by the window */
  GtkWidget *title, *undo_button, *redo_button, *header_end, *run_buttons;
  GtkWidget *overlay, *toasts, *bar, *bar_text, *bar_button;
  GtkWidget *content;                   /* "editor" and, once it was asked for, "welcome" */
  GtkWidget *left, *right, *bottom;     /* docks, which can be hidden */
  GtkWidget *left_stack, *bottom_stack; /* their pages */
  GtkWidget *perspectives;              /* in the header: where there is room */
  GtkWidget *analysis_toggle;           /* one of these */
  GtkWidget *switcher;                  /* of those at the bottom */
  GtkWidget *left_paned, *right_paned, *bottom_paned;
  GtkWidget *breadcrumb, *above_canvas, *stage; /* where the canvas is, what is said about it */
  GtkWidget *status_bar, *status, *progress;
  GMenu *recent_menu, *examples_menu, *overlay_menu;

  guint number;         /* of a model without a file, among those open; from 1 on */
  guint serial;         /* of the tab, among all there ever were; from 1 on */
  AdwToast *undo_toast; /* that offers to take back the last edit; weak */
  AdwToast *run_toast;  /* that says what needs a run; weak */

  WeirPerspective perspective;
  WeirEditorLayout layouts[WEIR_N_PERSPECTIVES]; /* of those that are not shown */
  int width;                                     /* of the window, when it was laid out last */
  int inspector_width;   /* that it gets once it is shown; 0: it has got it */
  guint fold_soon;       /* source that hides or shows the panes at the sides */
  guint pages_soon;      /* source that makes the pages */
  gboolean has_pages;    /* all of them, as they lie */
  gboolean is_narrow[2]; /* no room for the left pane; for the right one */
  gboolean is_folded[2]; /* those hidden for that */
  gboolean is_bare;      /* nothing but the stage is shown; then the docks that were: */
  gboolean was_visible[WEIR_N_DOCKS];

  void (*then) (WeirEditor *self); /* what follows the dialog that is open */
  guint check;                     /* source that asks for completion after an edit */
  struct _WeirOpening *opening;    /* the file that is being read; NULL = none (editor-files.c) */
  gboolean may_close;              /* its tab, unasked */
  gboolean is_file_told;           /* the banner tells what others did to the file */
  gboolean is_running;             /* as told last */
  gint64 run_began;                /* us, monotonic */
};

/* editor-actions.c */
void weir_editor_add_actions (WeirEditor *self);

/* commands.c */
void weir_editor_show_commands (WeirEditor *self);

/* editor-files.c */
void weir_editor_choose_file (WeirEditor *self);
void weir_editor_save (WeirEditor *self, gboolean as, void (*then) (WeirEditor *self));
/* Asks where a copy is to go; the document stays with its file. */
void weir_editor_save_copy (WeirEditor *self);
/* FALSE after saying why not. */
gboolean weir_editor_save_copy_to (WeirEditor *self, GFile *file);
/* TRUE: nothing to lose. FALSE: asks, and calls @then when the user saved or discarded. */
gboolean weir_editor_confirm_loss (WeirEditor *self, void (*then) (WeirEditor *self));
/* Whether closing would lose anything; what is typed but not entered counts. */
gboolean weir_editor_has_unsaved (WeirEditor *self);
/* Shows the tab where @file is open; else opens it here if there is nothing here yet, else in a new
 * tab. */
void weir_editor_open_beside (WeirEditor *self, GFile *file);
/* The file that is being read here; NULL: none. */
GFile *weir_editor_get_opening (WeirEditor *self);
void weir_editor_cancel_opening (WeirEditor *self);

/* Reads the file again after another program wrote it; undo gives back what was here. */
void weir_editor_reload (WeirEditor *self);
/* Begins a new model from @file: here if there is nothing here, else in a new tab, which comes in
 * a while. @then: (nullable) as for weir_host_open(); so below. */
void weir_editor_open_template (WeirEditor *self, GFile *file, WeirHostThen then, gpointer data,
                                GDestroyNotify free_data);
/* Begins a new model, a copy of @model, in a new tab, which is returned. */
WeirEditor *weir_editor_open_model (WeirEditor *self, WeirModel *model);
/* Opens what a crash left behind. */
void weir_editor_recover (WeirEditor *self, WeirRecovery *recovery, WeirHostThen then,
                          gpointer data, GDestroyNotify free_data);
/* The model that something else needs, as weir_host_open() says. */
void weir_editor_open_for (WeirEditor *self, GFile *file, gboolean as_template, WeirHostThen then,
                           gpointer data, GDestroyNotify free_data);

/* recovery.c */
/* Asks about what a crash left behind, if anything. */
void weir_editor_offer_recovery (WeirEditor *self);

/* welcome.c */
GtkWidget *weir_welcome_new (void);
/* Paths of what comes with the program: "examples" or "templates", sorted. (transfer full) */
GPtrArray *weir_gui_list_models (const char *kind);
/* The path of a file or folder that comes with the program, "examples/pendulum.weir". (transfer
 * full) */
char *weir_gui_find_data (const char *name);
/* "~/Models" for what lies within the home folder; NULL for a file without one. (transfer full) */
char *weir_gui_dup_folder_name (GFile *file);
/* Models opened lately that still exist, the newest first: GtkRecentInfo. (transfer full) */
GList *weir_gui_list_recent (void);

/* editor-breadcrumb.c */
void weir_editor_update_breadcrumb (WeirEditor *self);

/* editor-status.c */
/* What can be done has changed. */
void weir_editor_update_actions (WeirEditor *self);
/* The runner's state or snapshot has changed. */
void weir_editor_update_status (WeirEditor *self);
/* Selects the block that ended the run. Returns TRUE. */
gboolean weir_editor_show_end (WeirEditor *self);

/* editor-help.c */
/* Of the one block that is selected; without one, where the help was left, or its first page. */
void weir_editor_show_help (WeirEditor *self);
/* A block of equations with this text, below what is shown, as one undo step. */
void weir_editor_insert_equations (WeirEditor *self, const char *text);

/* editor-export.c */
void weir_editor_choose_export (WeirEditor *self);
/* By the suffix of the name; without one as SVG. */
gboolean weir_editor_export (WeirEditor *self, GFile *file);
void weir_editor_copy_picture (WeirEditor *self); /* to the clipboard, as SVG and PNG */
void weir_editor_print (WeirEditor *self);
GtkPrintOperation *weir_editor_print_new (WeirEditor *self); /* (transfer full) */

/* editor-host.c */
void weir_editor_host_init (WeirHostInterface *iface);
/* Pages come and go with the perspective. */
void weir_editor_update_pages (WeirEditor *self);
/* One part of each kind. */
void weir_editor_make_parts (WeirEditor *self);
/* One page of each kind, unless they are there. */
void weir_editor_make_pages (WeirEditor *self);
/* Makes one of them, for who does not want to wait for all. FALSE: all are there, which
 * weir_editor_make_pages() is to complete. */
gboolean weir_editor_make_next_page (WeirEditor *self);
void weir_editor_close_parts (WeirEditor *self);

/* editor-layout.c */
GtkWidget *weir_editor_get_dock (WeirEditor *self, WeirDock dock);
/* The name of the page that is shown at the bottom stays in view. */
void weir_editor_reveal_tab (WeirEditor *self);
/* As weir_host_set_perspective() says. */
void weir_editor_set_perspective (WeirEditor *self, WeirPerspective perspective);
void weir_editor_ask_room (WeirEditor *self, WeirDock dock, int size);
void weir_editor_set_bare (WeirEditor *self, gboolean bare);
/* Where there is little room the panes at the sides go, until there is more. */
void weir_editor_note_width (WeirEditor *self, int width);
void weir_window_restore_size (WeirWindow *self);
void weir_editor_restore_layout (WeirEditor *self);
/* Once the panes are there. */
void weir_editor_follow_handles (WeirEditor *self);
/* The panes lie as those of @other. */
void weir_editor_adopt_layout (WeirEditor *self, WeirEditor *other);
void weir_editor_store_layout (WeirEditor *self);
void weir_editor_clear_layouts (WeirEditor *self);

/* editor-menu.c */
/* What of the menus is no fixed list. */
void weir_editor_fill_menus (WeirEditor *self);

/* editor.c */
/* The name of its file, or "Untitled 2". (transfer full) */
char *weir_editor_dup_name (WeirEditor *self);
gboolean weir_editor_is_welcome (WeirEditor *self); /* the welcome page is shown here */
void weir_editor_note_saved (WeirEditor *self);     /* what was told of the file is over */
void weir_editor_set_number (WeirEditor *self, guint number);

G_END_DECLS

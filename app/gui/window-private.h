/* The inside of WeirWindow, for its files. */
#pragma once

#include "gui/window.h"

G_BEGIN_DECLS

struct _WeirWindow {
  AdwApplicationWindow parent;

  /* Owned. */
  WeirDocument *document;
  WeirRunner *runner;
  GtkFileChooserNative *chooser; /* while one is open */

  /* Borrowed from the widget tree. */
  WeirCanvas *canvas;
  GtkWidget *toasts, *title, *bar, *bar_text;
  GtkWidget *left, *right, *bottom; /* panes that can be hidden */
  GtkWidget *left_stack, *palette, *outline, *inspector, *breadcrumb;
  GtkWidget *stack, *scopes, *cache, *problems;
  GtkWidget *left_paned, *right_paned, *bottom_paned;
  GtkWidget *undo_button, *redo_button;
  GtkWidget *run_button, *verify_button, *verify_icon, *verify_spinner, *verify_text;
  GtkWidget *status, *progress, *cache_status;

  void (*then) (WeirWindow *self); /* what follows the dialog that is open */
  guint check; /* source that completes the model after an edit */
  char *verify_result; /* the last one in a sentence, or NULL */
  gboolean may_close;
  const WeirSession *failed; /* whose failure has been told; only compared */
};

/* window-actions.c */
void weir_window_add_actions (WeirWindow *self);
void weir_window_update_actions (WeirWindow *self);

/* window-files.c */
void weir_window_choose_file (WeirWindow *self);
void weir_window_save (WeirWindow *self, gboolean as, void (*then) (WeirWindow *self));
/* TRUE: nothing to lose. FALSE: asks, and calls @then when the user saved or discarded. */
gboolean weir_window_confirm_loss (WeirWindow *self, void (*then) (WeirWindow *self));

void weir_window_accept_files (WeirWindow *self);
/* Opens @file here if there is nothing here yet, else in another window. */
void weir_window_open_beside (WeirWindow *self, GFile *file);

/* window-layout.c */
void weir_window_restore_layout (WeirWindow *self);
void weir_window_store_layout (WeirWindow *self);

/* window-menu.c */
GMenuModel *weir_window_menu_new (WeirWindow *self); /* (transfer full) */

/* window-widgets.c */
void weir_window_build (WeirWindow *self);

/* window.c */
/* Says something that stays until it is closed or something better is known. NULL hides it. */
void weir_window_set_banner (WeirWindow *self, GtkMessageType type, const char *text);
void weir_window_toast (WeirWindow *self, const char *text);
void weir_window_show_page (WeirWindow *self, const char *name); /* "plots", "cache", "problems" */
void weir_window_set_problems (WeirWindow *self, WeirDiagnostics *diagnostics);

G_END_DECLS

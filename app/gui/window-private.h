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
  GtkWidget *palette, *inspector, *breadcrumb;
  GtkWidget *stack, *scopes, *cache, *problems;
  GtkWidget *run_button, *verify_button, *verify_icon, *verify_spinner;
  GtkWidget *status, *progress, *cache_status;

  void (*then) (WeirWindow *self); /* what follows the dialog that is open */
  guint check; /* idle that completes the model after an edit */
  gboolean may_close;
};

/* window-actions.c */
void weir_window_add_actions (WeirWindow *self);
void weir_window_update_actions (WeirWindow *self);

/* window-files.c */
void weir_window_choose_file (WeirWindow *self);
void weir_window_save (WeirWindow *self, gboolean as, void (*then) (WeirWindow *self));
/* TRUE: nothing to lose. FALSE: asks, and calls @then when the user saved or discarded. */
gboolean weir_window_confirm_loss (WeirWindow *self, void (*then) (WeirWindow *self));

/* window.c */
void weir_window_toast (WeirWindow *self, const char *text);
void weir_window_show_page (WeirWindow *self, const char *name); /* "plots", "cache", "problems" */
void weir_window_set_problems (WeirWindow *self, WeirDiagnostics *diagnostics);

G_END_DECLS

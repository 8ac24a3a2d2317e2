/* The inside of WeirScopes, for its files: scopes.c has the plots of a run, scopes-windows.c where
 * they are, scopes-measuring.c the cursors that they share and the figures beside them,
 * scopes-units.c the units of signals, scopes-uses.c what curves can be used for. */
#pragma once

#include "scopes/figures-panel.h"
#include "scopes/plot-card.h"
#include "scopes/plot-window.h"
#include "scopes/scopes.h"

G_BEGIN_DECLS

struct _WeirScopes {
  GtkWidget parent;
  GtkWidget *stack; /* "empty", "unrecorded", "plots" or "apart" */
  GtkWidget *box;   /* plots side by side */
  WeirSession *session;
  WeirModel *model;
  WeirRecorder *results; /* in place of the session's; NULL = they are those */
  WeirRecorder *earlier; /* run to compare with; NULL = none */
  char *earlier_name;
  GMenuModel *runs, *uses; /* NULL: there are none */
  gboolean asks;           /* for a curve to be used */
  double cursor;           /* s; where none of the plots has the pointer; NAN = nowhere */
  GHashTable *cards;       /* path of a Scope, or CHOSEN -> WeirPlotCard, borrowed from the box */
  GHashTable *xy_views;    /* path of an XY Scope -> WeirXyView, borrowed from the box */
  WeirModel *looks;        /* where looks are kept; NULL = none are */
  guint n_signals;         /* taken up so far */
  gulong changed_handler;
  GtkWidget *ticking; /* whose frames are followed; NULL: none are */
  guint tick;
  gboolean is_large; /* one plot is shown alone */
  GHashTable *units; /* path of a port -> unit, owned; NULL: not known yet */

  /* scopes-measuring.c */
  gboolean is_linked;               /* all plots show the same time */
  double measuring[WEIR_N_CURSORS]; /* s; NAN: nowhere */
  GtkWidget *paned, *figures;       /* WeirFiguresPanel; NULL while it goes */
  char *measuring_look;             /* as it is kept; NULL: as plots begin */

  /* scopes-windows.c */
  GPtrArray *plots;                  /* WeirPlotCard, WeirXyView, as they came; borrowed */
  GHashTable *windows;               /* key of a plot -> WeirPlotWindow, owned */
  GActionGroup *actions;             /* "win", for windows; NULL: none */
  char *model_name;                  /* for their titles; NULL: none */
  void (*follow) (WeirScopes *self); /* other windows see them */
};

/* scopes.c */

/* Emits "look-changed", "measuring-changed", "asking-ended". */
void weir_scopes_tell_look (WeirScopes *self, const char *name, const char *text);
void weir_scopes_tell_measuring (WeirScopes *self);
void weir_scopes_tell_asking (WeirScopes *self);

/* scopes-measuring.c */

/* Adds the widgets: stack, table, buttons. */
void weir_scopes_add_measuring (WeirScopes *self);
/* A new plot has the cursors too, and moves them, and time where that is linked. */
void weir_scopes_watch_measuring (WeirScopes *self, WeirPlotCard *card);
/* There are other samples, curves, ranges or cursors: for figures and spectra. */
void weir_scopes_refresh_figures (WeirScopes *self);
/* The model, which keeps where the cursors are and what figures are shown, is another. */
void weir_scopes_take_measuring_look (WeirScopes *self);

/* It has a table of figures of its own. */
void weir_scopes_watch_window (WeirScopes *self, WeirPlotWindow *window);

/* scopes-windows.c */

void weir_scopes_init_windows (WeirScopes *self, void (*follow) (WeirScopes *self));
/* With all that they show. */
void weir_scopes_close_windows (WeirScopes *self);
/* A new plot goes where that of the run before was, or where its @look has it. @look_name: what
 * that is kept under; NULL: it is not. */
void weir_scopes_place (WeirScopes *self, GtkWidget *plot, const char *key, const char *look_name,
                        const char *look);
void weir_scopes_remove (WeirScopes *self, GtkWidget *plot);
/* Their windows stay, for those of the next run... */
void weir_scopes_remove_all (WeirScopes *self);
/* ... and go if it has none for them. */
void weir_scopes_close_empty (WeirScopes *self);
/* Alone beside the windows; NULL: all are. */
void weir_scopes_show_alone (WeirScopes *self, GtkWidget *plot);
/* What the stack shows is what there is. */
void weir_scopes_show_places (WeirScopes *self);
/* Into a window of its own, or back. */
void weir_scopes_toggle_apart (WeirScopes *self, GtkWidget *plot);
void weir_scopes_bring_all_back (WeirScopes *self);
/* In which somebody may see plots; NULL: nobody does. */
GtkWidget *weir_scopes_find_seen (WeirScopes *self);

/* scopes-uses.c */

/* Of a new plot @uses is the submenu of uses; and of its last curve. */
void weir_scopes_watch_uses (WeirScopes *self, WeirPlotCard *card, GMenu *uses);
void weir_scopes_add_use (WeirScopes *self, WeirPlotCard *card, const char *name,
                          const char *signal);

/* scopes-units.c */

/* Of the model that runs, which is another. */
void weir_scopes_find_units (WeirScopes *self);
/* Of a curve that is new, as far as it is known. */
void weir_scopes_show_unit (WeirScopes *self, WeirPlotCard *card, guint curve);

G_END_DECLS

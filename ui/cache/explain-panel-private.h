/* What the files of the panel of dependencies share: explain-panel.c has the subject and follows
 * the run, explain-panel-widgets.c puts the widgets together.
 */
#pragma once

#include "cache/explain-panel.h"

G_BEGIN_DECLS

struct _WeirExplainPanel {
  GtkWidget parent;
  GtkWidget *stack; /* "empty" or "shown" */
  GtkWidget *sentence, *crumbs, *crumbs_scrolled;
  GtkWidget *previous, *latest, *copy, *break_here, *composites, *observe, *observe_spinner;
  GtkWidget *graph_stack; /* "graph" or "too-large" */
  GtkWidget *lanes, *too_large;
  WeirCacheModel *model;
  gboolean is_shown; /* there is a subject */
  WeirNode node;     /* whose graph it is */
  gboolean has_entry;
  WeirEntry entry;
  guint64 before;     /* the event shown is the last one before this; G_MAXUINT64 = the newest */
  WeirWhy why;        /* path NULL = none */
  GArray *findings;   /* WeirAuditFinding without their texts, or NULL */
  gint64 last_update; /* us, monotonic */

  /* The subject, to be found again in another structure. */
  guint32 block;
  char *entry_name; /* NULL = the block as a whole */
  gboolean is_lost; /* it is to be looked for */
  guint restore;    /* source that does */
};

/* explain-panel-why.c */

/* Explains the chosen value as things are. @snapshot: (nullable). */
void weir_explain_panel_update_why (WeirExplainPanel *self, const WeirSnapshot *snapshot);
/* Lights up the way in the graph. */
void weir_explain_panel_mark_path (WeirExplainPanel *self);
void weir_explain_panel_connect_why (WeirExplainPanel *self);

/* explain-panel-widgets.c: all of it within a stack; what they do is connected by the panel. */
GtkWidget *weir_explain_panel_build (WeirExplainPanel *self);

G_END_DECLS

/* What the actions of the canvas do; which they are and their keys stand in canvas-actions.c. */
#pragma once

#include "canvas/widget/canvas-ground.h"

G_BEGIN_DECLS

#define WEIR_CANVAS_ACTION(name)                                                                   \
  void name (GtkWidget *widget, const char *action, GVariant *parameter)

/* canvas-edit-actions.c */
WEIR_CANVAS_ACTION (weir_canvas_on_delete);
WEIR_CANVAS_ACTION (weir_canvas_on_duplicate);
WEIR_CANVAS_ACTION (weir_canvas_on_rotate);
WEIR_CANVAS_ACTION (weir_canvas_on_flip);
WEIR_CANVAS_ACTION (weir_canvas_on_rename);
WEIR_CANVAS_ACTION (weir_canvas_on_set_mode);
WEIR_CANVAS_ACTION (weir_canvas_on_group);
WEIR_CANVAS_ACTION (weir_canvas_on_expand);
WEIR_CANVAS_ACTION (weir_canvas_on_align);
WEIR_CANVAS_ACTION (weir_canvas_on_distribute);
WEIR_CANVAS_ACTION (weir_canvas_on_match_size);
WEIR_CANVAS_ACTION (weir_canvas_on_tidy);
WEIR_CANVAS_ACTION (weir_canvas_on_tint);
WEIR_CANVAS_ACTION (weir_canvas_on_add_note);
WEIR_CANVAS_ACTION (weir_canvas_on_add_frame);
WEIR_CANVAS_ACTION (weir_canvas_on_straighten);
WEIR_CANVAS_ACTION (weir_canvas_on_analysis_point);
WEIR_CANVAS_ACTION (weir_canvas_on_disconnect);

/* canvas-clipboard.c */
WEIR_CANVAS_ACTION (weir_canvas_on_cut);
WEIR_CANVAS_ACTION (weir_canvas_on_copy);
WEIR_CANVAS_ACTION (weir_canvas_on_paste);

/* canvas-go-actions.c */
WEIR_CANVAS_ACTION (weir_canvas_on_select_all);
WEIR_CANVAS_ACTION (weir_canvas_on_select_none);
WEIR_CANVAS_ACTION (weir_canvas_on_select_inverse);
WEIR_CANVAS_ACTION (weir_canvas_on_zoom);
WEIR_CANVAS_ACTION (weir_canvas_on_zoom_fit);
WEIR_CANVAS_ACTION (weir_canvas_on_zoom_selection);
WEIR_CANVAS_ACTION (weir_canvas_on_enter);
WEIR_CANVAS_ACTION (weir_canvas_on_leave);
WEIR_CANVAS_ACTION (weir_canvas_on_back);
WEIR_CANVAS_ACTION (weir_canvas_on_quick_insert);
WEIR_CANVAS_ACTION (weir_canvas_on_plot_port);
WEIR_CANVAS_ACTION (weir_canvas_on_plot_value);
WEIR_CANVAS_ACTION (weir_canvas_on_connect);
WEIR_CANVAS_ACTION (weir_canvas_on_next_wire);
WEIR_CANVAS_ACTION (weir_canvas_on_next_note);
WEIR_CANVAS_ACTION (weir_canvas_on_find_next);

/* canvas-overlay.c */
WEIR_CANVAS_ACTION (weir_canvas_on_cycle_overlay);
WEIR_CANVAS_ACTION (weir_canvas_on_clear);
WEIR_CANVAS_ACTION (weir_canvas_on_view_command);

/* canvas-problems.c */
WEIR_CANVAS_ACTION (weir_canvas_on_fix);

#undef WEIR_CANVAS_ACTION

/* canvas-clipboard.c */
/* FALSE if the file is no model and no FMU; a "message" says so. @point: diagram units. */
gboolean weir_canvas_import_file (WeirCanvas *self, GFile *file, WeirPoint point);

/* canvas-actions.c */
void weir_canvas_class_install_actions (GtkWidgetClass *widget_class);
void weir_canvas_update_actions (WeirCanvas *self);

/* canvas-keys.c */
/* TRUE if the key did something. */
gboolean weir_canvas_handle_shortcut (WeirCanvas *self, guint keyval, GdkModifierType state);

G_END_DECLS

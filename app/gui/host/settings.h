/* What the user has chosen for all windows: one GSettings object, and the window to change it in.
 *
 * The program also runs where its schema is not installed; it then has the schema's defaults and
 * keeps nothing. Thread: *main*.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* NULL if the schema is not installed. (transfer none) */
GSettings *weir_settings_get (void);
/* A value, or the default that the schema names, without it. */
guint weir_settings_get_autosave_interval (void); /* s */
guint weir_settings_get_steps_at_once (void);
/* Whether curves follow edited values at once. Kept only where the schema is installed. */
gboolean weir_settings_get_instant (void);
void weir_settings_set_instant (gboolean is_instant);

/* The colour scheme that was chosen, and whether runs use machine code, from now on. */
void weir_settings_apply (void);

/* (transfer full) */
GtkWidget *weir_preferences_new (void);

G_END_DECLS

/* A popover with a search field over a short list: type, choose with the arrows, Return.
 *
 * What can be chosen is asked for at every change of the text, so that ten thousand candidates cost
 * no more than the fifty best of them. Thread: *main*.
 */
#pragma once

#include <gtk/gtk.h>

#include "canvas/edits/choices.h"

G_BEGIN_DECLS

/* Adds the choices that answer @text to @choices, the best first. */
typedef void (*WeirPickerSearch) (const char *text, GPtrArray *choices, gpointer data);
/* @choice: NULL = the popover was closed without one. Called once. */
typedef void (*WeirPickerChosen) (const WeirChoice *choice, gpointer data);

/* @data: freed with @free_data (nullable) with the popover. */
GtkWidget *weir_picker_new (const char *label, WeirPickerSearch search, WeirPickerChosen chosen,
                            gpointer data, GDestroyNotify free_data);
/* Ctrl+G, F3 and with Shift back go from one choice to the next while typing goes on; @glance then
 * shows it without choosing it. */
void weir_picker_set_glance (GtkWidget *picker, WeirPickerChosen glance);
/* After it is popped up. */
void weir_picker_grab_focus (GtkWidget *picker);

G_END_DECLS

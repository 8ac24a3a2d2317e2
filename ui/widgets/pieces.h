/* Pieces that pages, panels and lists are put together from, each made by one call. Thread: *main*.
 */
#pragma once

#include <gtk/gtk.h>

#include "base/diagnostic.h"

G_BEGIN_DECLS

/* Room around a widget: at either side, and above and below, in pixels. */
void weir_set_margins (GtkWidget *widget, int sides, int ends);

/* A button with an icon only: what it does is its tooltip, and its name for screen readers.
 * @action: (nullable) what it activates. */
GtkWidget *weir_icon_button_new (const char *icon, const char *action, const char *text);

/* What a page says while it has nothing to show: a title and how to come to something. @text:
 * (nullable). @below: (nullable) (transfer full): what is under the text. */
GtkWidget *weir_empty_page_new (const char *title, const char *text, GtkWidget *below);

/* @child, which scrolls sideways where it needs more room than there is. (transfer none) of @child,
 * which is floating. */
GtkWidget *weir_sideways_new (GtkWidget *child);

/* Makes @label one of lines of @chars characters that asks for the height that they need. A popover
 * measures what is in it at a width that includes its own shadow, and cuts the last line off one
 * that only wraps. */
void weir_label_wrap_at (GtkLabel *label, int chars);
/* Sets it where it is another; a label that may shorten it says it in full in its tooltip. */
void weir_label_set_text (GtkLabel *label, const char *text);
/* Where a form says what is wrong with it, not seen until then; of such lines. */
GtkWidget *weir_problem_label_new (int chars);

/* A drop-down whose button may be narrower than its text, which it then shortens; the list shows
 * all of it. @strings: (nullable) (transfer full). @label: for a tooltip and assistive technology.
 */
GtkWidget *weir_drop_down_new (GtkStringList *strings, const char *label);
/* The same of one of a template, whose model has strings. */
void weir_drop_down_make_narrow (GtkDropDown *choice);

/* The pictogram of a type of block, as lists have it. @type: its name, or NULL: nothing yet. Size
 * in pixels. */
GtkWidget *weir_block_icon_new (const char *type, int width, int height);
void weir_block_icon_set_type (GtkWidget *icon, const char *type);

/* How severe problems are called, translated, and look, in every list. */
const char *weir_severity_get_name (WeirSeverity severity);
/* Makes @image the sign of @severity. */
void weir_severity_show (GtkImage *image, WeirSeverity severity);

G_END_DECLS

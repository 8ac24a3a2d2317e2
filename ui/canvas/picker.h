/* A popover with a search field over a short list: type, choose with the arrows, Return.
 *
 * What can be chosen is asked for at every change of the text, so that ten thousand candidates cost
 * no more than the fifty best of them. Thread: *main*.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define WEIR_PICKER_MAX_CHOICES 200

typedef struct {
  char *title;      /* owned */
  char *detail;     /* owned; nullable */
  char *keys;       /* owned; nullable: an accelerator to show */
  gboolean is_off;  /* it is only shown; @detail says why it cannot be chosen */
  const char *icon; /* of a block type to draw, or NULL; static */
  guint32 id;
  gconstpointer data; /* the caller's */
  const char *target; /* the caller's; static */
} WeirChoice;

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

GPtrArray *weir_choices_new (void); /* (transfer full) */
/* Adds a choice; its other fields can then be set. (transfer none) */
WeirChoice *weir_choices_add (GPtrArray *choices, const char *title, const char *detail);
/* How well a text answers what was typed; 0 = not at all. @rest: less telling text, or NULL. */
int weir_choice_rate (const char *wanted, const char *title, const char *rest);

G_END_DECLS

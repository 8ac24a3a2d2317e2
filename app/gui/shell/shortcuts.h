/* The table of shortcuts: accelerators, the shortcuts window and the tests are made from it. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef struct {
  const char *group;  /* translatable */
  const char *title;  /* translatable */
  const char *action; /* detailed name; NULL: the canvas or a widget handles the key itself */
  const char *keys; /* accelerators separated by spaces, as in GtkShortcutsShortcut; NULL: none, but
                       a command all the same */
  guint order;      /* within the table */
} WeirShortcut;

const WeirShortcut *weir_shortcuts_get (guint *n);
void weir_shortcuts_apply (GtkApplication *application);
/* (transfer full) */
GtkWidget *weir_shortcuts_window_new (void);

G_END_DECLS

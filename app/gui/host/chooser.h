/* Asking the user: for a file, where to open from or where to save to; and whether to save what
 * would be lost. Thread: *main*. */
#pragma once

#include "gui/host/host.h"

G_BEGIN_DECLS

/* Files of one kind: what they are called, translated, and the endings of their names. */
typedef struct {
  const char *title; /* NULL ends a list */
  const char *const *suffixes;
} WeirFileFilter;

/* Texts are translated; NULL where there is none. All borrowed during the call. */
typedef struct {
  GtkFileChooserAction action; /* open or save */
  const char *title, *accept;
  const char *kind; /* what is offered; NULL: all files */
  const char *suffixes[4];
  const WeirFileFilter *kinds; /* where there are several to choose from; or NULL */
  GFile *file;                 /* the chooser begins at it */
  GFile *folder;               /* else within it */
  const char *name;            /* proposed */
} WeirFileQuestion;

/* @answer is called with the file that was chosen, and not at all if none was. An editor asks one
 * question at a time; a question is gone with its editor. @free: (nullable) of @data. */
void weir_ask_for_file (WeirHost *host, const WeirFileQuestion *question,
                        void (*answer) (gpointer data, GFile *file), gpointer data,
                        GDestroyNotify free);

/* @heading, such as "Save Changes?", without its body: answers "save", "discard" (titled so) and
 * "cancel". Owned by itself, as windows are. */
GtkWidget *weir_save_question_new (GtkWindow *parent, const char *heading, const char *discard);

G_END_DECLS

/* What can be chosen from by typing: titles with what they stand for, and how well each answers.
 *
 * Who searches adds choices to a list, the best first; who shows them (picker.h) knows no more of
 * them than this. Thread: *owner*.
 */
#pragma once

#include "canvas/edits/edits.h"

G_BEGIN_DECLS

#define WEIR_MAX_CHOICES 200 /* that are listed */

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

void weir_choice_free (WeirChoice *choice);
GPtrArray *weir_choices_new (void); /* (transfer full) */
/* Adds a choice; its other fields can then be set. (transfer none) */
WeirChoice *weir_choices_add (GPtrArray *choices, const char *title, const char *detail);
/* How well a text answers what was typed; 0 = not at all. @rest: less telling text, or NULL. */
int weir_choice_rate (const char *wanted, const char *title, const char *rest);

/* Finding elements in all levels of a model: blocks by name, type and parameters, labels, notes.
 * Adds what answers @text to @choices, the best first: its path, what it is, its id, and its
 * WeirSelectKind as data (GUINT_TO_POINTER). */
void weir_find_elements (WeirModel *model, const char *text, GPtrArray *choices);

G_END_DECLS

/* Reading a page of the help. Thread: *any*. */
#pragma once

#include "help/help.h"

G_BEGIN_DECLS

/* A page that is being read, and afterwards what owns it. */
typedef struct {
  WeirHelpPage page; /* first */
  GArray *blocks;    /* of WeirHelpBlock; spans are made when all are there */
  GArray *spans;     /* of WeirHelpSpan */
  GArray *children;  /* of guint */
  GPtrArray *guides; /* ids of the pages that list it */
} WeirHelpOwnedPage;

void weir_help_owned_page_free (gpointer page);

/* @name: of the file, for messages. NULL and @error. (transfer full) */
WeirHelpOwnedPage *weir_help_read_page (const char *id, const char *name, const char *text,
                                        gsize length, GStringChunk *chunk,
                                        WeirHelpTranslate translate, GError **error);

G_END_DECLS

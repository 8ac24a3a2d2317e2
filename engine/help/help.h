/* The program's help: pages of Mallard as lists of blocks, which the window, a terminal, a browser
 * and man show.
 *
 * A page is one file, its id the file's name without ".page". The part of Mallard that is
 * understood: page (guide, topic), info with desc and links to guides, title, section with an id,
 * p, code, list, steps, terms, table (thead, tr, td), note, and within text code, em, em
 * style="strong", gui, key, link with xref or href. Anything else refuses the page, with its line.
 * An href "weir:examples/NAME" or "weir:lessons/NAME" is a file that comes with the program.
 *
 * Texts are translated as they are looked up in the catalogue: by paragraph, markup included, as
 * gettext and itstool extract them. Examples in <code> stay as they are.
 *
 * Thread: made by one thread (*owner*), then *immutable*.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define WEIR_HELP_FILE "weir:" /* before a path within the folder of the program's data */

typedef struct _WeirHelp WeirHelp;

typedef enum {
  WEIR_HELP_TEXT,
  WEIR_HELP_CODE_SPAN,
  WEIR_HELP_EMPHASIS,
  WEIR_HELP_STRONG,
  WEIR_HELP_GUI,  /* a label in the window, a key */
  WEIR_HELP_LINK, /* to @target: "page", "page#section", a file or an address on the web */
} WeirHelpSpanKind;

/* A stretch of text of one kind. */
typedef struct {
  WeirHelpSpanKind kind;
  int cell;           /* column in a HEAD or ROW, else 0 */
  const char *text;   /* blanks collapsed, but in a CODE block */
  const char *target; /* of a LINK, else NULL */
} WeirHelpSpan;

typedef enum {
  WEIR_HELP_TITLE, /* level 0: the page's; 1, 2, ...: of a section */
  WEIR_HELP_PARAGRAPH,
  WEIR_HELP_CODE, /* one span of kind TEXT, its lines kept */
  WEIR_HELP_ITEM, /* begins an entry of a list, with a bullet; more blocks of its indent may follow
                   */
  WEIR_HELP_STEP, /* the same with its number */
  WEIR_HELP_TERM, /* is explained by the blocks of a greater indent behind it */
  WEIR_HELP_HEAD, /* the first row of a table */
  WEIR_HELP_ROW,
  WEIR_HELP_NOTE, /* a paragraph set off */
} WeirHelpBlockKind;

typedef struct {
  WeirHelpBlockKind kind;
  int level;      /* of a TITLE */
  int indent;     /* how deep in lists; 0 = in none */
  int number;     /* of a STEP, from 1 */
  int line;       /* of the file */
  const char *id; /* of a TITLE of a section: where links lead; else NULL */
  const WeirHelpSpan *spans;
  guint n_spans;
} WeirHelpBlock;

typedef struct {
  const char *id, *title, *summary; /* plain text */
  const WeirHelpBlock *blocks;
  guint n_blocks;
  gboolean is_guide; /* its children are listed behind its blocks */
  const guint *children;
  guint n_children;
} WeirHelpPage;

/* The translation of a paragraph, or itself. */
typedef const char *(*WeirHelpTranslate) (const char *text);

/* Reads every page of @folder, a folder "C" of pages; NULL: where the program keeps them.
 * @translate: may be NULL. NULL and @error for a page that cannot be understood, a link that leads
 * nowhere, or if there is no page "index". (transfer full) */
WeirHelp *weir_help_open (const char *folder, WeirHelpTranslate translate, GError **error);
void weir_help_free (WeirHelp *self);

/* Page 0 is "index"; the others come by id. */
guint weir_help_get_n_pages (const WeirHelp *self);
const WeirHelpPage *weir_help_get_page (const WeirHelp *self, guint i);
/* The page of "page" or "page#section"; NULL = there is none. */
const WeirHelpPage *weir_help_find_page (const WeirHelp *self, const char *target);
/* The block of @page at which "page#section" begins; 0 = the top. */
guint weir_help_find_section (const WeirHelpPage *page, const char *target);

typedef struct {
  const WeirHelpPage *page;
  guint block;   /* where the section begins */
  char *title;   /* "Page: Section" */
  char *excerpt; /* around the first word that was found */
} WeirHelpHit;

void weir_help_hit_free (WeirHelpHit *hit);

/* The sections in which every word of @words begins some word, whatever the case and accents: those
 * with all of them in the title first. Empty for no words. (transfer full), of WeirHelpHit */
GPtrArray *weir_help_search (const WeirHelp *self, const char *words);

/* Text without markup. (transfer full) */
char *weir_help_block_dup_text (const WeirHelpBlock *block);

/* --- Written out (transfer full) ------------------------------------------------------------- */

/* For a terminal of @width columns. */
char *weir_help_page_to_text (const WeirHelp *self, const WeirHelpPage *page, guint width);
/* A whole file of HTML; links lead to PAGE.html. @language: as in "de". */
char *weir_help_page_to_html (const WeirHelp *self, const WeirHelpPage *page, const char *language);
/* The blocks of a page as the middle of a manual page (troff's macros man). */
char *weir_help_page_to_man (const WeirHelpPage *page);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirHelp, weir_help_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirHelpHit, weir_help_hit_free)

G_END_DECLS

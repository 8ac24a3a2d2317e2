/* The state of the parser, shared by parse-expression.c and parse-statement.c.
 *
 * The first problem of a statement sets has_failed, and every function returns at once from then
 * on; the statement's reader reports nothing more and goes on with the next line.
 */
#pragma once

#include "equations/text/lexer-private.h"
#include "equations/text/syntax.h"

G_BEGIN_DECLS

typedef struct {
  WeirExprPool *pool;
  const WeirReport *report;
  GArray *tokens;
  guint at;
  guint start;  /* where the statement begins */
  guint n_open; /* brackets: while any is open, lines do not end statements */
  guint depth;  /* of nested expressions */
  gboolean has_failed;
} WeirParser;

#define WEIR_PARSER_MAX_DEPTH 200

static inline const WeirToken *
weir_parser_token (const WeirParser *self)
{
  return &g_array_index (self->tokens, WeirToken, self->at);
}

/* Has the statement ended? */
gboolean weir_parser_at_end (const WeirParser *self);
/* Is the next token this, within the statement? */
gboolean weir_parser_sees (const WeirParser *self, const char *symbol_or_word);
/* Takes it if it is. */
gboolean weir_parser_accept (WeirParser *self, const char *symbol_or_word);
/* Takes it, or reports that @what is missing. */
gboolean weir_parser_expect (WeirParser *self, const char *symbol_or_word, const char *what);
/* Reports "line, column: expected @what, but found ...", once a statement. */
void weir_parser_fail_expected (WeirParser *self, const char *what);
void weir_parser_fail (WeirParser *self, const WeirToken *token, const char *format, ...)
    G_GNUC_PRINTF (3, 4);
/* The same for what can be read but is a problem of another kind: EQ09. */
void weir_parser_refuse (WeirParser *self, const WeirToken *token, const char *format, ...)
    G_GNUC_PRINTF (3, 4);

WeirExpr weir_parser_read_expression (WeirParser *self);
/* A word that may name a variable. */
WeirExpr weir_parser_read_name (WeirParser *self, const char *what);

G_END_DECLS

/* Tokens, and the state of the parser, shared by parse-expression.c and parse-statement.c.
 *
 * The first problem of a statement sets has_failed, and every function returns at once from then
 * on; the statement's reader reports nothing more and goes on with the next line.
 */
#pragma once

#include "equations/text/syntax.h"

G_BEGIN_DECLS

/* --- Tokens of the equation language ---------------------------------------------------------- */

typedef enum {
  WEIR_TOKEN_END,
  WEIR_TOKEN_NUMBER,
  WEIR_TOKEN_NAME,   /* also keywords */
  WEIR_TOKEN_TEXT,   /* in double quotes */
  WEIR_TOKEN_SYMBOL, /* an operator or a mark: one to three characters */
  WEIR_TOKEN_BAD,    /* what belongs to no token */
} WeirTokenKind;

/* Before what is given to a text from outside; no file has that character. Its lines are told apart
 * by numbers beyond this one: people read "1 of what is given at the start". */
#define WEIR_GIVEN_MARK '\f'
#define WEIR_LINES_BEFORE_GIVEN 900000

typedef struct {
  WeirTokenKind kind;
  const char *start; /* in the text that was split; borrowed */
  gsize length;
  double number;
  int line, column;     /* from 1; columns in characters */
  gboolean begins_line; /* first of its line, where the line before did not end in an operator */
  gboolean is_first;    /* first of its line */
} WeirToken;

/* Elements: WeirToken, the last of kind END. @text: valid UTF-8; it must outlive the tokens.
 * (transfer full) */
GArray *weir_tokens_new (const char *text);

gboolean weir_token_is (const WeirToken *token, const char *symbol_or_word);
/* For messages: '"sin"', 'the end of the line'. (transfer full) */
WeirMessage *weir_token_describe (const WeirToken *token);

/* --- The parser ------------------------------------------------------------------------------- */

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
/* Takes it, or reports that @what is missing: words that are marked N_(), here and below. */
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

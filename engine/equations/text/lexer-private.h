/* Tokens of the equation language. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

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
char *weir_token_describe (const WeirToken *token);

G_END_DECLS

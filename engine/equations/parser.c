/* What parsers of expressions and of statements share: looking at tokens, taking them, and telling
 * what was expected.
 */
#include "equations/parser-private.h"

#include <string.h>

gboolean
weir_parser_at_end (const WeirParser *self)
{
  const WeirToken *token = weir_parser_token (self);

  if (token->kind == WEIR_TOKEN_END)
    return TRUE;
  return self->n_open == 0 && (token->begins_line || weir_token_is (token, ";"));
}

gboolean
weir_parser_sees (const WeirParser *self, const char *symbol_or_word)
{
  return !self->has_failed && !weir_parser_at_end (self)
         && weir_token_is (weir_parser_token (self), symbol_or_word);
}

gboolean
weir_parser_accept (WeirParser *self, const char *symbol_or_word)
{
  if (!weir_parser_sees (self, symbol_or_word))
    return FALSE;
  self->at++;
  return TRUE;
}

/* The first problem of a statement alone is reported. @place: "Line 3". */
static void
add_problem (WeirParser *self, const WeirToken *token, const char *code, const char *place,
             const char *format, va_list args)
{
  g_autofree char *text = NULL;

  if (self->has_failed)
    return;
  self->has_failed = TRUE;
  text = g_strdup_vprintf (format, args);
  weir_report_add (self->report, WEIR_SEVERITY_ERROR, code, token->line, "%s: %s", place, text);
}

void
weir_parser_fail (WeirParser *self, const WeirToken *token, const char *format, ...)
{
  g_autofree char *place = g_strdup_printf ("Line %d, column %d", token->line, token->column);
  va_list args;

  va_start (args, format);
  add_problem (self, token, "EQ01", place, format, args);
  va_end (args);
}

void
weir_parser_refuse (WeirParser *self, const WeirToken *token, const char *format, ...)
{
  g_autofree char *place = g_strdup_printf ("Line %d", token->line);
  va_list args;

  va_start (args, format);
  add_problem (self, token, "EQ09", place, format, args);
  va_end (args);
}

void
weir_parser_fail_expected (WeirParser *self, const char *what)
{
  const WeirToken *token = weir_parser_token (self);
  gboolean is_end = weir_parser_at_end (self);
  g_autofree char *found = is_end && token->kind != WEIR_TOKEN_END
                               ? g_strdup ("the end of the line")
                               : weir_token_describe (token);

  /* The place to look at is behind the last word of the line that ended too early. */
  if (is_end && self->at > 0)
    {
      WeirToken last = g_array_index (self->tokens, WeirToken, self->at - 1);

      last.column += (int) g_utf8_strlen (last.start, (gssize) last.length);
      weir_parser_fail (self, &last, "expected %s, but found %s.", what, found);
    }
  else
    weir_parser_fail (self, token, "expected %s, but found %s.", what, found);
}

gboolean
weir_parser_expect (WeirParser *self, const char *symbol_or_word, const char *what)
{
  if (weir_parser_accept (self, symbol_or_word))
    return TRUE;
  weir_parser_fail_expected (self, what);
  return FALSE;
}

gboolean
weir_word_is_reserved (const char *word)
{
  static const char *const reserved[] = {
    "and",       "assert", "brownian", "constant", "else",  "end",  "false", "for",      "guess",
    "if",        "in",     "inf",      "initial",  "input", "nan",  "not",   "or",       "output",
    "parameter", "pi",     "sample",   "solve",    "t",     "then", "true",  "variable", "when"
  };

  for (guint i = 0; i < G_N_ELEMENTS (reserved); i++)
    if (strcmp (word, reserved[i]) == 0)
      return TRUE;
  return FALSE;
}

WeirExpr
weir_parser_read_name (WeirParser *self, const char *what)
{
  const WeirToken *token = weir_parser_token (self);
  g_autofree char *name = NULL;

  if (self->has_failed)
    return WEIR_NO_EXPR;
  if (weir_parser_at_end (self) || token->kind != WEIR_TOKEN_NAME)
    {
      weir_parser_fail_expected (self, what);
      return WEIR_NO_EXPR;
    }
  name = g_strndup (token->start, token->length);
  if (weir_word_is_reserved (name))
    {
      weir_parser_fail (self, token, "expected %s, but '%s' is a word of the language.", what,
                        name);
      return WEIR_NO_EXPR;
    }
  self->at++;
  return weir_expr_symbol (self->pool, name);
}

/* What parsers of expressions and of statements share: looking at tokens, taking them, and telling
 * what was expected.
 */
#include "equations/text/parser.h"

#include "base/phrase.h"
#include "base/text.h"

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

/* The first problem of a statement alone is reported. @place: "Model: line 3". */
static void
add_problem (WeirParser *self, const WeirToken *token, const char *code, WeirMessage *place,
             const char *format, va_list args)
{
  if (self->has_failed)
    {
      weir_message_unref (place);
      return;
    }
  self->has_failed = TRUE;
  weir_report_add_message (self->report, WEIR_SEVERITY_ERROR, code, token->line,
                           weir_message_join (place, ": ", weir_message_new_valist (format, args)));
}

void
weir_parser_fail (WeirParser *self, const WeirToken *token, const char *format, ...)
{
  WeirMessage *place = weir_message_new (N_ ("Model: line %d, column %d"), token->line,
                                         token->column);
  va_list args;

  va_start (args, format);
  add_problem (self, token, "EQ01", place, format, args);
  va_end (args);
}

void
weir_parser_refuse (WeirParser *self, const WeirToken *token, const char *format, ...)
{
  WeirMessage *place = weir_message_new (N_ ("Model: line %d"), token->line);
  va_list args;

  va_start (args, format);
  add_problem (self, token, "EQ09", place, format, args);
  va_end (args);
}

/* The bracket that is open behind the tokens read so far, or NULL. */
static const WeirToken *
find_open_bracket (const WeirParser *self)
{
  guint depth = 0;

  for (guint i = self->at; i-- > self->start;)
    {
      const WeirToken *token = &g_array_index (self->tokens, WeirToken, i);

      if (weir_token_is (token, ")") || weir_token_is (token, "]"))
        depth++;
      else if ((weir_token_is (token, "(") || weir_token_is (token, "[")) && depth-- == 0)
        return token;
    }
  return NULL;
}

/* The word of the language that begins a statement and is most like @token, or NULL. */
static const char *
find_similar_word (const WeirToken *token)
{
  static const char *const words[] = { "assert",   "brownian",  "constant", "extends", "guess",
                                       "history",  "initial",   "input",    "noise",   "output",
                                       "override", "parameter", "sample",   "solve",   "variable" };
  g_autofree char *word = g_strndup (token->start, token->length);

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (token->length >= 3
        && (g_str_has_prefix (words[i], word) || weir_text_distance (words[i], word) == 1
            || (g_str_has_prefix (word, words[i]) && token->length <= strlen (words[i]) + 1)))
      return words[i];
  return NULL;
}

/* What is likely behind it that @token was not expected, as the rest of a sentence. (transfer
 * full) */
static WeirMessage *
describe_cause (const WeirParser *self, const WeirToken *token)
{
  const WeirToken *first = &g_array_index (self->tokens, WeirToken, self->start);
  const WeirToken *before = self->at > self->start
                                ? &g_array_index (self->tokens, WeirToken, self->at - 1)
                                : NULL;
  const WeirToken *open = find_open_bracket (self);
  const char *word;

  if (open != NULL && (token->line > open->line || token->kind == WEIR_TOKEN_END))
    return weir_message_new (N_ ("; the '%.*s' of line %d, column %d is still open"),
                             (int) open->length, open->start, open->line, open->column);
  if (before == NULL || weir_parser_at_end (self))
    return weir_message_new_literal ("");
  if (before->kind == WEIR_TOKEN_NUMBER && token->kind == WEIR_TOKEN_NAME)
    return weir_message_new (N_ ("; a product is written with '*'"));
  if (before->kind == WEIR_TOKEN_NUMBER && open == NULL && weir_token_is (token, ","))
    return weir_message_new (N_ ("; the decimal sign is '.'"));
  if (before->is_first && before != first && self->n_open == 0)
    return weir_message_new (
        N_ ("; the line before ends in an operator, so that line %d continues it"), before->line);
  if (before == first && token->kind == WEIR_TOKEN_NAME
      && (word = find_similar_word (first)) != NULL)
    return weir_message_new (N_ ("; did you mean '%s'?"), word);
  return weir_message_new_literal ("");
}

void
weir_parser_fail_expected (WeirParser *self, const char *what)
{
  const WeirToken *token = weir_parser_token (self);
  gboolean is_end = weir_parser_at_end (self);
  g_autoptr (WeirMessage) found = is_end && token->kind != WEIR_TOKEN_END
                                      ? weir_message_new (N_ ("the end of the line"))
                                      : weir_token_describe (token);
  g_autoptr (WeirMessage) why = describe_cause (self, token);
  const char *cause = weir_message_get_text (why);
  const char *stop = g_str_has_suffix (cause, "?") ? "" : ".";

  /* The place to look at is behind the last word of the line that ended too early. */
  if (is_end && self->at > 0)
    {
      WeirToken last = g_array_index (self->tokens, WeirToken, self->at - 1);

      last.column += (int) g_utf8_strlen (last.start, (gssize) last.length);
      weir_parser_fail (self, &last, N_ ("expected %s, but found %s%s%s"), weir_phrase (what),
                        weir_message_get_text (found), cause, stop);
    }
  else
    weir_parser_fail (self, token, N_ ("expected %s, but found %s%s%s"), weir_phrase (what),
                      weir_message_get_text (found), cause, stop);
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
      weir_parser_fail (self, token, N_ ("expected %s, but '%s' is a word of the language."),
                        weir_phrase (what), name);
      return WEIR_NO_EXPR;
    }
  self->at++;
  return weir_expr_symbol (self->pool, name);
}

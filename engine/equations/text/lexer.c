/* The lexer: text to tokens. It never fails: what it cannot read becomes a token of its own
 * kind, which the parser reports where it meets it. */
#include "equations/text/parser.h"
#include "base/text.h"

#include <string.h>

/* Longest first. */
static const char *const symbols[] = {
  "<=", ">=", "==", "!=", ":=", ".*", "./", ".^", "(", ")", "[", "]", ",",
  ";",  ":",  "~",  "=",  "+",  "-",  "*",  "/",  "^", "<", ">", "'",
};

/* A line that ends in one of these goes on in the next. */
static const char *const open_ended[] = {
  "<=", ">=", "==", "!=", ":=", ".*", "./", ".^", ",",   "~",  "=",    "+",
  "-",  "*",  "/",  "^",  "<",  ">",  "(",  "[",  "and", "or", "then", "else",
};

gboolean
weir_token_is (const WeirToken *token, const char *symbol_or_word)
{
  return (token->kind == WEIR_TOKEN_SYMBOL || token->kind == WEIR_TOKEN_NAME)
         && strlen (symbol_or_word) == token->length
         && memcmp (token->start, symbol_or_word, token->length) == 0;
}

WeirMessage *
weir_token_describe (const WeirToken *token)
{
  if (token->kind == WEIR_TOKEN_END)
    return weir_message_new (N_ ("the end of the text"));
  if (token->kind == WEIR_TOKEN_TEXT)
    return weir_message_new (N_ ("a text in quotes"));
  if (token->kind == WEIR_TOKEN_BAD && *token->start == '"')
    return weir_message_new (N_ ("a text whose closing quote is missing"));
  return weir_message_new ("'%.*s'", (int) MIN (token->length, 40), token->start);
}

static gboolean
is_name_start (gunichar c)
{
  return c == '_' || g_unichar_isalpha (c) || g_unichar_type (c) == G_UNICODE_PRIVATE_USE;
}

static const char *
skip_name (const char *at)
{
  for (;;)
    {
      gunichar c = g_utf8_get_char (at);

      if (is_name_start (c) || g_unichar_isdigit (c) || g_unichar_ismark (c))
        at = g_utf8_next_char (at);
      /* A path such as plant.theta; ".*" after a name is an operator. */
      else if (c == '.' && is_name_start (g_utf8_get_char (at + 1)))
        at++;
      else
        return at;
    }
}

static gboolean
starts_number (const char *at)
{
  return g_ascii_isdigit (*at) || (*at == '.' && g_ascii_isdigit (at[1]));
}

/* Digits, point, exponent; not what else strtod takes (hexadecimal, names). */
static const char *
skip_number (const char *at)
{
  const char *mantissa;

  while (g_ascii_isdigit (*at))
    at++;
  /* "2.*x" is an element-wise product. */
  if (*at == '.' && at[1] != '*' && at[1] != '/' && at[1] != '^')
    at++;
  while (g_ascii_isdigit (*at))
    at++;
  mantissa = at;
  if (*at == 'e' || *at == 'E')
    {
      at++;
      if (*at == '+' || *at == '-')
        at++;
      if (!g_ascii_isdigit (*at))
        return mantissa;
      while (g_ascii_isdigit (*at))
        at++;
    }
  return at;
}

static void
read_token (WeirToken *token)
{
  const char *at = token->start;
  const char *end;

  if (starts_number (at))
    {
      g_autofree char *copy = NULL;

      end = skip_number (at);
      copy = g_strndup (at, (gsize) (end - at));
      token->kind = WEIR_TOKEN_NUMBER;
      token->number = g_ascii_strtod (copy, NULL);
    }
  else if (is_name_start (g_utf8_get_char (at)))
    {
      end = skip_name (at);
      token->kind = WEIR_TOKEN_NAME;
    }
  else if (*at == '"')
    {
      end = at + 1 + strcspn (at + 1, "\"\n");
      token->kind = *end == '"' ? WEIR_TOKEN_TEXT : WEIR_TOKEN_BAD;
      end += *end == '"';
    }
  else
    {
      end = g_utf8_next_char (at);
      token->kind = WEIR_TOKEN_BAD;
      for (guint i = 0; i < G_N_ELEMENTS (symbols); i++)
        if (g_str_has_prefix (at, symbols[i]))
          {
            end = at + strlen (symbols[i]);
            token->kind = WEIR_TOKEN_SYMBOL;
            break;
          }
    }
  token->length = (gsize) (end - at);
}

static gboolean
is_open_ended (const WeirToken *token)
{
  for (guint i = 0; i < G_N_ELEMENTS (open_ended); i++)
    if (weir_token_is (token, open_ended[i]))
      return TRUE;
  return FALSE;
}

GArray *
weir_tokens_new (const char *text)
{
  GArray *tokens = g_array_new (FALSE, FALSE, sizeof (WeirToken));
  const char *at = text;
  int line = 1, column = 1;
  gboolean is_first = TRUE;

  for (;;)
    {
      WeirToken token = { .kind = WEIR_TOKEN_END };

      while (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n' || *at == '#'
             || *at == WEIR_GIVEN_MARK)
        {
          if (*at == WEIR_GIVEN_MARK && line <= WEIR_LINES_BEFORE_GIVEN)
            line = WEIR_LINES_BEFORE_GIVEN + 1;
          if (*at == '#')
            {
              while (*at != '\0' && *at != '\n')
                at++;
              continue;
            }
          column++;
          if (*at == '\n')
            {
              line++;
              column = 1;
              is_first = TRUE;
            }
          at++;
        }
      token.start = at;
      token.line = line;
      token.column = column;
      token.is_first = is_first;
      token.begins_line = is_first
                          && (tokens->len == 0
                              || !is_open_ended (
                                  &g_array_index (tokens, WeirToken, tokens->len - 1)));
      if (*at != '\0')
        read_token (&token);
      g_array_append_val (tokens, token);
      if (token.kind == WEIR_TOKEN_END)
        return tokens;
      at += token.length;
      column += (int) g_utf8_strlen (token.start, (gssize) token.length);
      is_first = FALSE;
    }
}

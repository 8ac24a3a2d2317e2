/* Edits of a text of equations that leave all but one place as it was written. */
#include "equations/equations.h"
#include "equations/lexer-private.h"

#include <string.h>

char *
weir_equations_declare (const char *text, const char *name, WeirRole role)
{
  return g_strdup_printf (role == WEIR_ROLE_PARAMETER ? "parameter %s = 1\n%s" : "input %s\n%s",
                          name, text);
}

static const WeirToken *
get (const GArray *tokens, guint i)
{
  return &g_array_index (tokens, WeirToken, MIN (i, tokens->len - 1));
}

static gboolean
is_end (const WeirToken *token)
{
  return token->kind == WEIR_TOKEN_END || token->begins_line || weir_token_is (token, ";");
}

/* From behind a name to "=", over sizes and unit; 0 if something else follows. */
static guint
skip_to_value (const GArray *tokens, guint i)
{
  guint depth = 0;

  for (; !is_end (get (tokens, i)); i++)
    {
      const WeirToken *token = get (tokens, i);

      if (depth == 0 && weir_token_is (token, "="))
        return i + 1;
      if (weir_token_is (token, "["))
        depth++;
      else if (weir_token_is (token, "]") && depth > 0)
        depth--;
      else if (depth == 0 && token->kind != WEIR_TOKEN_TEXT)
        return 0;
    }
  return 0;
}

/* The end of a value: a comma outside of brackets, or the end of the statement. */
static guint
skip_value (const GArray *tokens, guint i)
{
  guint depth = 0;

  for (; get (tokens, i)->kind != WEIR_TOKEN_END; i++)
    {
      const WeirToken *token = get (tokens, i);

      if (depth == 0 && (is_end (token) || weir_token_is (token, ",")))
        break;
      if (weir_token_is (token, "[") || weir_token_is (token, "("))
        depth++;
      else if ((weir_token_is (token, "]") || weir_token_is (token, ")")) && depth > 0)
        depth--;
    }
  return i;
}

char *
weir_equations_assign (const char *text, const char *name, const char *value)
{
  g_autoptr (GArray) tokens = NULL;

  if (!g_utf8_validate (text, -1, NULL))
    return NULL;
  tokens = weir_tokens_new (text);
  for (guint i = 0; i < tokens->len; i++)
    {
      if (!(i == 0 || is_end (get (tokens, i)) || is_end (get (tokens, i - 1))))
        continue;
      if (!weir_token_is (get (tokens, i), "parameter")
          && !weir_token_is (get (tokens, i), "constant"))
        continue;
      do
        {
          const WeirToken *declared = get (tokens, ++i);
          guint from = skip_to_value (tokens, i + 1), to;
          const WeirToken *last;

          if (from == 0)
            break;
          to = skip_value (tokens, from);
          if (to > from && weir_token_is (declared, name))
            {
              gsize start = (gsize) (get (tokens, from)->start - text);

              last = get (tokens, to - 1);
              if (last->kind == WEIR_TOKEN_TEXT && to - from > 1) /* the unit stays */
                last = get (tokens, to - 2);
              return g_strdup_printf ("%.*s%s%s", (int) start, text, value,
                                      last->start + last->length);
            }
          i = to;
        }
      while (weir_token_is (get (tokens, i), ","));
      i--;
    }
  return NULL;
}

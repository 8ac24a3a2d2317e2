/* Edits of a text of equations that leave all but one place as it was written. */
#include "equations/compile/equations.h"
#include "equations/text/parser.h"
#include "equations/text/syntax.h"

#include <string.h>

char *
weir_equations_declare (const char *text, const char *name, WeirRole role)
{
  return g_strdup_printf (role == WEIR_ROLE_PARAMETER ? "parameter %s = 1\n%s" : "input %s\n%s",
                          name, text);
}

char *
weir_equations_redeclare (const char *text, const char *name, WeirRole role, const char *value)
{
  return g_strdup_printf ("%s\n%s %s = %s", text,
                          role == WEIR_ROLE_CONSTANT ? "constant" : "parameter", name, value);
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

/* The value of "initial ATOM = value", from the token behind "initial"; 0 if another is meant. */
static guint
skip_to_initial_value (const GArray *tokens, guint i, const GArray *atom)
{
  for (guint j = 0; j + 1 < atom->len; j++, i++) /* but the end */
    if (get (tokens, i)->length != get (atom, j)->length || is_end (get (tokens, i))
        || memcmp (get (tokens, i)->start, get (atom, j)->start, get (atom, j)->length) != 0)
      return 0;
  return weir_token_is (get (tokens, i), "=") ? i + 1 : 0;
}

static gboolean
has_name (const GArray *tokens, const WeirToken *name)
{
  for (guint i = 0; i < tokens->len; i++)
    if (get (tokens, i)->kind == WEIR_TOKEN_NAME && get (tokens, i)->length == name->length
        && memcmp (get (tokens, i)->start, name->start, name->length) == 0)
      return TRUE;
  return FALSE;
}

/* @inner: "x" or "D(x[2])". A condition or guess (@word) of just that is replaced where there is
 * one; else one is added that wins over what is said of a whole array or an element of it. */
static char *
assign_start (const char *text, const char *word, const char *inner, const char *value)
{
  g_autoptr (GArray) tokens = weir_tokens_new (text);
  g_autoptr (GArray) atom = weir_tokens_new (inner);

  for (guint i = 0; i + 1 < tokens->len; i++)
    {
      guint from, to;

      if (!weir_token_is (get (tokens, i), word))
        continue;
      from = skip_to_initial_value (tokens, i + 1, atom);
      if (from == 0)
        continue;
      to = skip_value (tokens, from);
      if (to > from)
        return g_strdup_printf ("%.*s%s%s", (int) (get (tokens, from)->start - text), text, value,
                                get (tokens, to - 1)->start + get (tokens, to - 1)->length);
    }
  for (guint i = 0; i < atom->len; i++)
    if (get (atom, i)->kind == WEIR_TOKEN_NAME && !weir_token_is (get (atom, i), "D")
        && !has_name (tokens, get (atom, i)))
      return NULL;
  return g_strdup_printf ("%s\noverride %s %s = %s", text, word, inner, value);
}

/* What stands in the brackets of "Initial(x)". NULL if it is not that @function. (transfer full) */
static char *
dup_inner (const char *name, const char *function)
{
  gsize length = strlen (function), n = strlen (name);

  if (strncmp (name, function, length) != 0 || name[length] != '(' || name[n - 1] != ')')
    return NULL;
  return g_strndup (name + length + 1, n - length - 2);
}

char *
weir_equations_override (const char *text, const char *name, const char *value, gboolean is_outside)
{
  static const char mark[] = { WEIR_GIVEN_MARK, '\0' };
  g_autofree char *initial = dup_inner (name, "Initial"), *guess = dup_inner (name, "Guess");

  if (initial == NULL && guess == NULL)
    return NULL;
  return g_strdup_printf ("%s\n%soverride %s %s = %s", text, is_outside ? mark : "",
                          initial != NULL ? "initial" : "guess", initial != NULL ? initial : guess,
                          value);
}

char *
weir_equations_assign (const char *text, const char *name, const char *value)
{
  g_autoptr (GArray) tokens = NULL;
  g_autofree char *inner = NULL;

  if (!g_utf8_validate (text, -1, NULL))
    return NULL;
  inner = dup_inner (name, "Initial");
  if (inner != NULL)
    return assign_start (text, "initial", inner, value);
  inner = dup_inner (name, "Guess");
  if (inner != NULL)
    return assign_start (text, "guess", inner, value);
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

/* --- Comparing ------------------------------------------------------------------------------- */

static GPtrArray *
parse (WeirExprPool *pool, const char *text)
{
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  WeirReport report = { .diagnostics = diagnostics, .path = "", .first_line = 1 };
  GPtrArray *statements = weir_statements_parse (pool, text, &report);

  if (weir_diagnostics_has_errors (diagnostics))
    g_clear_pointer (&statements, g_ptr_array_unref);
  return statements;
}

/* Numbers, and how many: of 2, -2, [1, 2]; 0 for anything else. */
static guint
count_numbers (const WeirExprPool *pool, WeirExpr e)
{
  guint n = 0;

  switch ((int) weir_expr_get_op (pool, e))
    {
    case WEIR_OP_NUMBER:
      return 1;
    case WEIR_OP_NEG:
      return weir_expr_get_op (pool, weir_expr_get_arg (pool, e, 0)) == WEIR_OP_NUMBER;
    case WEIR_OP_ROW:
      for (guint i = 0; i < weir_expr_get_n_args (pool, e); i++)
        {
          guint more = count_numbers (pool, weir_expr_get_arg (pool, e, i));

          if (more != 1)
            return 0;
          n += more;
        }
      return n;
    default:
      return 0;
    }
}

static gboolean
differs_in_value (WeirExprPool *pool, const WeirStatement *a, const WeirStatement *b)
{
  WeirStatement same = *b;
  g_autofree char *text = NULL;
  g_autofree char *other = NULL;
  guint n;

  if (a->kind != b->kind || a->line != b->line)
    return FALSE;
  if (a->kind == WEIR_STATEMENT_PARAMETER && a->right.i != WEIR_NO_EXPR.i
      && b->right.i != WEIR_NO_EXPR.i)
    {
      n = count_numbers (pool, a->right);
      if (n > 0 && n == count_numbers (pool, b->right))
        same.right = a->right;
    }
  text = weir_statement_to_string (pool, a);
  other = weir_statement_to_string (pool, &same);
  return strcmp (text, other) == 0;
}

gboolean
weir_equations_differ_in_values (const char *a, const char *b)
{
  g_autoptr (WeirExprPool) pool = weir_expr_pool_new ();
  g_autoptr (GPtrArray) of_a = parse (pool, a);
  g_autoptr (GPtrArray) of_b = parse (pool, b);

  if (of_a == NULL || of_b == NULL || of_a->len != of_b->len)
    return FALSE;
  for (guint i = 0; i < of_a->len; i++)
    if (!differs_in_value (pool, g_ptr_array_index (of_a, i), g_ptr_array_index (of_b, i)))
      return FALSE;
  return TRUE;
}

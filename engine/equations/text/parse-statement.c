/* The parser of statements. See syntax.h for the language.
 *
 * After a problem reading goes on with the next line that begins a statement: the one in which
 * the problem was met, if that is not the statement's own first line, since the usual cause is a
 * bracket that was never closed.
 */
#include "equations/text/parser.h"
#include "base/text.h"

#include <string.h>

static void read_statements (WeirParser *self, GPtrArray *statements, gboolean is_body);

void
weir_statement_free (WeirStatement *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->body, g_ptr_array_unref);
  g_free (self);
}

static void
free_statement (gpointer data)
{
  weir_statement_free (data);
}

static WeirStatement *
statement_new (const WeirParser *self, WeirStatementKind kind)
{
  const WeirToken *token = weir_parser_token (self);
  WeirStatement *statement = g_new0 (WeirStatement, 1);

  statement->kind = kind;
  statement->line = token->line;
  statement->column = token->column;
  statement->left = statement->right = statement->unit = WEIR_NO_EXPR;
  return statement;
}

/* --- Declarations ---------------------------------------------------------------------------- */

static void
read_sizes (WeirParser *self, WeirStatement *statement)
{
  if (!weir_parser_accept (self, "["))
    return;
  self->n_open++;
  do
    statement->sizes[statement->n_sizes++] = weir_parser_read_expression (self);
  while (statement->n_sizes < 2 && weir_parser_accept (self, ","));
  if (!self->has_failed)
    weir_parser_expect (self, "]", N_ ("an operator, ',' or ']'"));
  self->n_open--;
}

static void
read_unit (WeirParser *self, WeirStatement *statement)
{
  const WeirToken *token = weir_parser_token (self);
  g_autofree char *text = NULL;

  if (self->has_failed || weir_parser_at_end (self) || token->kind != WEIR_TOKEN_TEXT)
    return;
  text = g_strndup (token->start + 1, token->length - 2);
  statement->unit = weir_expr_text (self->pool, text);
  self->at++;
}

/* The unit of `p = 5 "N"` is that of the parameter as well as of the number. */
static void
take_unit_of_value (WeirParser *self, WeirStatement *statement)
{
  if (statement->unit.i != WEIR_NO_EXPR.i || self->has_failed
      || weir_expr_get_op (self->pool, statement->right) != WEIR_OP_QUANTITY)
    return;
  statement->unit = weir_expr_get_arg (self->pool, statement->right, 1);
  statement->right = weir_expr_get_arg (self->pool, statement->right, 0);
}

static void
read_declarations (WeirParser *self, WeirStatementKind kind, GPtrArray *statements)
{
  gboolean needs_value = kind == WEIR_STATEMENT_PARAMETER || kind == WEIR_STATEMENT_CONSTANT;
  gboolean takes_value = needs_value || kind == WEIR_STATEMENT_INPUT;

  self->at++;
  do
    {
      WeirStatement *statement = statement_new (self, kind);

      g_ptr_array_add (statements, statement);
      statement->left = weir_parser_read_name (self, N_ ("a name"));
      read_sizes (self, statement);
      read_unit (self, statement);
      if (takes_value && weir_parser_accept (self, "="))
        {
          statement->right = weir_parser_read_expression (self);
          read_unit (self, statement);
          take_unit_of_value (self, statement);
        }
      else if (needs_value && !weir_parser_at_end (self) && !weir_parser_sees (self, ","))
        weir_parser_fail_expected (self, N_ ("'=' and a value"));
    }
  while (weir_parser_accept (self, ","));
}

/* --- Equations and the rest ------------------------------------------------------------------ */

static void
read_equation (WeirParser *self, WeirStatement *statement)
{
  statement->left = weir_parser_read_expression (self);
  if (self->has_failed)
    return;
  if (weir_parser_sees (self, "="))
    weir_parser_fail (self, weir_parser_token (self),
                      N_ ("an equation is written with '~', not '='."));
  else if (weir_parser_sees (self, ":="))
    weir_parser_fail (
        self, weir_parser_token (self),
        N_ ("':=' assigns at an event, within when; an equation is written with '~'."));
  else if (weir_parser_expect (self, "~", N_ ("an operator or '~'")))
    statement->right = weir_parser_read_expression (self);
}

static void
read_condition_at_start (WeirParser *self, WeirStatement *statement)
{
  self->at++;
  statement->left = weir_parser_read_expression (self);
  if (self->has_failed)
    return;
  if (!weir_parser_accept (self, "=")
      && !(statement->kind == WEIR_STATEMENT_INITIAL && weir_parser_accept (self, "~")))
    weir_parser_fail_expected (self, N_ ("an operator or '='"));
  else
    statement->right = weir_parser_read_expression (self);
}

static void
read_assignment (WeirParser *self, GPtrArray *statements)
{
  WeirStatement *statement = statement_new (self, WEIR_STATEMENT_ASSIGN);

  g_ptr_array_add (statements, statement);
  statement->left = weir_parser_read_expression (self);
  if (self->has_failed)
    return;
  if (weir_parser_sees (self, "~") || weir_parser_sees (self, "="))
    weir_parser_fail (self, weir_parser_token (self),
                      N_ ("at an event values are assigned with ':=', as in v := -pre(v)."));
  else if (weir_parser_expect (self, ":=", N_ ("an operator or ':='")))
    statement->right = weir_parser_read_expression (self);
}

/* Without a ":" at the end of the line, what follows up to an "end" is taken for the body, so that
 * not each of its lines is a problem. */
static void
skip_body (WeirParser *self)
{
  guint at = self->at;

  if (!weir_parser_token (self)->is_first)
    return;
  while (weir_parser_token (self)->kind != WEIR_TOKEN_END
         && !weir_token_is (weir_parser_token (self), "end"))
    self->at++;
  if (weir_parser_token (self)->kind == WEIR_TOKEN_END)
    self->at = at;
  else
    self->at++;
}

/* What follows ":": the rest of the line, or the lines up to "end". @is_when: assignments. */
static void
read_body (WeirParser *self, WeirStatement *statement, gboolean is_when)
{
  const WeirToken *first;

  if (!weir_parser_expect (self, ":", N_ ("an operator or ':'")))
    {
      skip_body (self);
      return;
    }
  if (++self->depth > WEIR_PARSER_MAX_DEPTH)
    {
      weir_parser_fail (self, weir_parser_token (self), N_ ("loops may be nested %d deep."),
                        WEIR_PARSER_MAX_DEPTH);
      self->depth--;
      return;
    }
  statement->body = g_ptr_array_new_with_free_func (free_statement);
  first = weir_parser_token (self);
  if (!weir_parser_at_end (self))
    {
      if (is_when)
        do
          read_assignment (self, statement->body);
        while (weir_parser_accept (self, ","));
      else
        {
          WeirStatement *inner = statement_new (self, WEIR_STATEMENT_EQUATION);

          g_ptr_array_add (statement->body, inner);
          read_equation (self, inner);
        }
    }
  else if (first->kind != WEIR_TOKEN_END && !weir_token_is (first, ";"))
    {
      read_statements (self, statement->body, TRUE);
      if (weir_token_is (weir_parser_token (self), "end"))
        self->at++;
      else
        weir_parser_fail (self, weir_parser_token (self),
                          N_ ("expected 'end' for the 'when' or 'for' of line %d."),
                          statement->line);
      for (guint i = 0; is_when && i < statement->body->len; i++)
        {
          const WeirStatement *inner = g_ptr_array_index (statement->body, i);

          if (inner->kind != WEIR_STATEMENT_ASSIGN)
            weir_report_add (
                self->report, WEIR_SEVERITY_ERROR, "EQ01", inner->line,
                N_ ("Model: line %d, column %d: within when there are assignments only, such as "
                    "v := -pre(v)."),
                inner->line, inner->column);
        }
    }
  else
    weir_parser_fail_expected (self, is_when ? N_ ("an assignment") : N_ ("an equation"));
  self->depth--;
}

static void
read_for (WeirParser *self, WeirStatement *statement)
{
  WeirExpr from, to;

  self->at++;
  statement->left = weir_parser_read_name (self, N_ ("a name"));
  weir_parser_expect (self, "in", "'in'");
  from = weir_parser_read_expression (self);
  weir_parser_expect (self, ":", N_ ("an operator or ':'"));
  to = weir_parser_read_expression (self);
  if (self->has_failed)
    return;
  statement->right = weir_expr_make_2 (self->pool, WEIR_OP_RANGE, from, to);
  read_body (self, statement, FALSE);
}

static void
read_assertion (WeirParser *self, WeirStatement *statement)
{
  const WeirToken *token;

  self->at++;
  statement->left = weir_parser_read_expression (self);
  weir_parser_expect (self, ",", N_ ("an operator or ',' and a message in quotes"));
  token = weir_parser_token (self);
  if (self->has_failed)
    return;
  if (token->kind == WEIR_TOKEN_TEXT)
    {
      g_autofree char *text = g_strndup (token->start + 1, token->length - 2);

      statement->right = weir_expr_text (self->pool, text);
      self->at++;
    }
  else
    weir_parser_fail_expected (self, N_ ("a message in quotes"));
}

/* Does ":=" come before the statement ends? */
static gboolean
is_assignment (WeirParser *self)
{
  guint start = self->at;
  gboolean found = FALSE;

  for (; !found && !weir_parser_at_end (self); self->at++)
    {
      found = weir_parser_sees (self, ":=");
      if (self->at > start && weir_parser_token (self)->is_first)
        break;
    }
  self->at = start;
  return found;
}

/* A name by itself is one: only a word followed by an operand is meant as a word. */
static gboolean
is_followed_by_operand (const WeirParser *self)
{
  const WeirToken *next = weir_parser_token (self) + 1;

  return !next->begins_line
         && (next->kind == WEIR_TOKEN_NAME || next->kind == WEIR_TOKEN_NUMBER
             || next->kind == WEIR_TOKEN_TEXT);
}

/* Words that begin statements of other languages, for problems of other kinds. TRUE if one
 * was met. */
static gboolean
refuse_other_problem (WeirParser *self)
{
  static const struct {
    const char *word;
    gboolean is_boundary;
  } words[] = {
    { "minimize", FALSE }, { "minimise", FALSE },  { "maximize", FALSE }, { "maximise", FALSE },
    { "cost", FALSE },     { "objective", FALSE }, { "subject", FALSE },  { "constraint", FALSE },
    { "final", TRUE },     { "terminal", TRUE },   { "boundary", TRUE },
  };
  const WeirToken *token = weir_parser_token (self);

  if (!is_followed_by_operand (self))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      if (!weir_token_is (token, words[i].word))
        continue;
      if (words[i].is_boundary)
        weir_parser_refuse (
            self, token,
            N_ ("'%s' gives a value at the end: this is a boundary-value problem, which "
                "Weir does not solve. Conditions at the start are written initial x = ..."),
            words[i].word);
      else
        weir_parser_refuse (
            self, token,
            N_ ("'%s' belongs to an optimisation problem, which Weir does not solve; it "
                "solves equations, such as that the derivative of a cost is 0."),
            words[i].word);
      return TRUE;
    }
  return FALSE;
}

/* Names of blocks: words, with dots between those of Subsystems, or anything in quotes. */
static void
read_extended (WeirParser *self, GPtrArray *statements)
{
  self->at++;
  do
    {
      WeirStatement *statement = statement_new (self, WEIR_STATEMENT_EXTENDS);
      const WeirToken *token = weir_parser_token (self);
      guint quotes = token->kind == WEIR_TOKEN_TEXT;
      g_autofree char *name = NULL;

      g_ptr_array_add (statements, statement);
      if (token->kind != WEIR_TOKEN_NAME && token->kind != WEIR_TOKEN_TEXT)
        {
          weir_parser_fail_expected (self, N_ ("the name of a block"));
          return;
        }
      name = g_strndup (token->start + quotes, token->length - 2 * quotes);
      statement->left = weir_expr_text (self->pool, name);
      self->at++;
    }
  while (weir_parser_accept (self, ","));
}

/* "override initial", "override guess"; elsewhere override is a name like any other. */
static gboolean
is_overriding (const WeirParser *self)
{
  const WeirToken *tokens = weir_parser_token (self);

  return weir_token_is (tokens, "override")
         && (weir_token_is (&tokens[1], "initial") || weir_token_is (&tokens[1], "guess"))
         && !tokens[1].begins_line;
}

/* The kind of statement that the word at hand begins; an equation needs none. */
static WeirStatementKind
find_kind (const WeirParser *self)
{
  static const struct {
    const char *word;
    WeirStatementKind kind;
    gboolean may_be_name; /* of a variable, unless an operand follows */
  } starts[] = {
    { "parameter", WEIR_STATEMENT_PARAMETER, FALSE },
    { "constant", WEIR_STATEMENT_CONSTANT, FALSE },
    { "input", WEIR_STATEMENT_INPUT, FALSE },
    { "output", WEIR_STATEMENT_OUTPUT, FALSE },
    { "variable", WEIR_STATEMENT_VARIABLE, FALSE },
    { "solve", WEIR_STATEMENT_SOLVE, FALSE },
    { "brownian", WEIR_STATEMENT_BROWNIAN, FALSE },
    { "initial", WEIR_STATEMENT_INITIAL, FALSE },
    { "guess", WEIR_STATEMENT_GUESS, FALSE },
    { "sample", WEIR_STATEMENT_SAMPLE, FALSE },
    { "when", WEIR_STATEMENT_WHEN, FALSE },
    { "for", WEIR_STATEMENT_FOR, FALSE },
    { "assert", WEIR_STATEMENT_ASSERT, FALSE },
    { "noise", WEIR_STATEMENT_NOISE, TRUE },
    { "history", WEIR_STATEMENT_HISTORY, TRUE },
    { "extends", WEIR_STATEMENT_EXTENDS, TRUE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (starts); i++)
    if (weir_token_is (weir_parser_token (self), starts[i].word)
        && (!starts[i].may_be_name || is_followed_by_operand (self)))
      return starts[i].kind;
  return WEIR_STATEMENT_EQUATION;
}

/* One expression or, after a comma, two. */
static void
read_sides (WeirParser *self, WeirStatement *statement)
{
  self->at++;
  statement->left = weir_parser_read_expression (self);
  if (weir_parser_accept (self, ","))
    statement->right = weir_parser_read_expression (self);
}

static void
read_when (WeirParser *self, WeirStatement *statement)
{
  self->at++;
  statement->left = weir_parser_read_expression (self);
  /* "when x ~ 0" is how a crossing in either direction is written. */
  if (weir_parser_accept (self, "~"))
    {
      WeirExpr right = weir_parser_read_expression (self);

      if (!self->has_failed)
        statement->left = weir_expr_make_2 (self->pool, WEIR_OP_EQ, statement->left, right);
    }
  read_body (self, statement, TRUE);
}

/* What is a statement of its own from the first word to the last. */
static void
read_single (WeirParser *self, WeirStatement *statement)
{
  switch (statement->kind)
    {
    case WEIR_STATEMENT_INITIAL:
    case WEIR_STATEMENT_GUESS:
    case WEIR_STATEMENT_HISTORY:
      read_condition_at_start (self, statement);
      break;
    case WEIR_STATEMENT_SAMPLE:
    case WEIR_STATEMENT_NOISE:
      read_sides (self, statement);
      break;
    case WEIR_STATEMENT_WHEN:
      read_when (self, statement);
      break;
    case WEIR_STATEMENT_FOR:
      read_for (self, statement);
      break;
    case WEIR_STATEMENT_ASSERT:
      read_assertion (self, statement);
      break;
    case WEIR_STATEMENT_EQUATION:
    case WEIR_STATEMENT_ASSIGN: /* read_assignment(), and the rest read_declarations() */
    case WEIR_STATEMENT_PARAMETER:
    case WEIR_STATEMENT_CONSTANT:
    case WEIR_STATEMENT_INPUT:
    case WEIR_STATEMENT_OUTPUT:
    case WEIR_STATEMENT_VARIABLE:
    case WEIR_STATEMENT_SOLVE:
    case WEIR_STATEMENT_EXTENDS:
    case WEIR_STATEMENT_BROWNIAN:
    default:
      read_equation (self, statement);
      break;
    }
}

static void
read_statement (WeirParser *self, GPtrArray *statements, gboolean is_body)
{
  gboolean is_override = is_overriding (self);
  WeirStatementKind kind;
  WeirStatement *statement;

  self->at += is_override;
  kind = find_kind (self);
  switch (kind)
    {
    case WEIR_STATEMENT_PARAMETER:
    case WEIR_STATEMENT_CONSTANT:
    case WEIR_STATEMENT_INPUT:
    case WEIR_STATEMENT_OUTPUT:
    case WEIR_STATEMENT_VARIABLE:
    case WEIR_STATEMENT_SOLVE:
    case WEIR_STATEMENT_BROWNIAN:
      read_declarations (self, kind, statements);
      return;
    case WEIR_STATEMENT_EXTENDS:
      read_extended (self, statements);
      return;
    case WEIR_STATEMENT_EQUATION:
      if (refuse_other_problem (self))
        return;
      if (is_body && is_assignment (self))
        {
          read_assignment (self, statements);
          return;
        }
      break;
    case WEIR_STATEMENT_INITIAL:
    case WEIR_STATEMENT_GUESS:
    case WEIR_STATEMENT_HISTORY:
    case WEIR_STATEMENT_SAMPLE:
    case WEIR_STATEMENT_NOISE:
    case WEIR_STATEMENT_WHEN:
    case WEIR_STATEMENT_ASSIGN:
    case WEIR_STATEMENT_FOR:
    case WEIR_STATEMENT_ASSERT:
    default:
      break;
    }
  statement = statement_new (self, kind);
  statement->is_override = is_override;
  g_ptr_array_add (statements, statement);
  read_single (self, statement);
}

/* Goes to where the next statement may begin. */
static void
recover (WeirParser *self, guint start)
{
  self->n_open = 0;
  while (weir_parser_token (self)->kind != WEIR_TOKEN_END
         && !(self->at > start && weir_parser_token (self)->begins_line)
         && !weir_token_is (weir_parser_token (self), ";"))
    self->at++;
  self->has_failed = FALSE;
}

/* @is_body: up to "end", which is left. */
static void
read_statements (WeirParser *self, GPtrArray *statements, gboolean is_body)
{
  for (;;)
    {
      guint start, n_before = statements->len;

      while (weir_token_is (weir_parser_token (self), ";"))
        self->at++;
      start = self->start = self->at;
      if (weir_parser_token (self)->kind == WEIR_TOKEN_END
          || (is_body && weir_token_is (weir_parser_token (self), "end")))
        return;
      /* at_end() looks at the first token of a statement as at any other. */
      g_array_index (self->tokens, WeirToken, start).begins_line = FALSE;
      if (weir_token_is (weir_parser_token (self), "end"))
        weir_parser_fail (
            self, weir_parser_token (self),
            N_ ("this 'end' closes nothing: a when or for that has something behind its "
                "':' ends with that line."));
      else
        read_statement (self, statements, is_body);
      if (!self->has_failed && !weir_parser_at_end (self))
        weir_parser_fail_expected (self, N_ ("an operator or the end of the line"));
      if (self->has_failed)
        {
          g_ptr_array_set_size (statements, (int) n_before);
          recover (self, start);
        }
    }
}

GPtrArray *
weir_statements_parse (WeirExprPool *pool, const char *text, const WeirReport *report)
{
  GPtrArray *statements = g_ptr_array_new_with_free_func (free_statement);
  WeirParser self = { .pool = pool, .report = report };

  if (!g_utf8_validate (text, -1, NULL))
    {
      weir_report_add (report, WEIR_SEVERITY_ERROR, "EQ01", 1, N_ ("The text is not valid UTF-8."));
      return statements;
    }
  self.tokens = weir_tokens_new (text);
  read_statements (&self, statements, FALSE);
  g_array_unref (self.tokens);
  return statements;
}

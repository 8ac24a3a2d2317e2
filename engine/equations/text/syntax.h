/* The equation language, as statements of expressions. What can be written, and what it means, is
 * in the help: data/help/C/equations.page, whose examples tests/help reads and completes.
 *
 * A statement ends with its line or with ";", unless brackets are open or the line ends in an
 * operator. The functions are those that weir_op_find_function() knows.
 *
 * Thread: *owner*.
 */
#pragma once

#include "equations/expressions/expression.h"
#include "equations/expressions/report.h"

G_BEGIN_DECLS

typedef enum {
  WEIR_STATEMENT_EQUATION,  /* left ~ right */
  WEIR_STATEMENT_INITIAL,   /* left = right, or left ~ right */
  WEIR_STATEMENT_GUESS,     /* left = right */
  WEIR_STATEMENT_HISTORY,   /* left = right: before the start */
  WEIR_STATEMENT_PARAMETER, /* left = right; unit, sizes */
  WEIR_STATEMENT_CONSTANT,
  WEIR_STATEMENT_INPUT, /* left; right: default or WEIR_NO_EXPR */
  WEIR_STATEMENT_OUTPUT,
  WEIR_STATEMENT_VARIABLE,
  WEIR_STATEMENT_SOLVE,    /* left */
  WEIR_STATEMENT_EXTENDS,  /* left: a TEXT: path of a block of equations */
  WEIR_STATEMENT_BROWNIAN, /* left */
  WEIR_STATEMENT_SAMPLE,   /* left: period; right: offset or WEIR_NO_EXPR */
  WEIR_STATEMENT_NOISE,    /* left: step; right: seed or WEIR_NO_EXPR */
  WEIR_STATEMENT_WHEN,     /* left: condition; body: assignments */
  WEIR_STATEMENT_ASSIGN,   /* left := right; only in WHEN */
  WEIR_STATEMENT_FOR,      /* left: name; right: RANGE; body */
  WEIR_STATEMENT_ASSERT,   /* left: condition; right: text */
} WeirStatementKind;

#define WEIR_N_STATEMENTS (WEIR_STATEMENT_ASSERT + 1)

typedef struct {
  WeirStatementKind kind;
  int line, column;
  WeirExpr left, right;
  guint n_sizes;
  WeirExpr sizes[2];    /* of a declared array: elements, or rows and columns */
  WeirExpr unit;        /* a TEXT, or WEIR_NO_EXPR */
  GPtrArray *body;      /* of WeirStatement, owned; NULL = none */
  gboolean is_override; /* INITIAL, GUESS: wins over others of the same value */
} WeirStatement;

void weir_statement_free (WeirStatement *self);

/* Every statement that could be read, in order. Every problem is reported (EQ01), one a statement;
 * reading goes on with the next line. (transfer full) Elements: WeirStatement, owned. */
GPtrArray *weir_statements_parse (WeirExprPool *pool, const char *text, const WeirReport *report);

/* One expression alone; WEIR_NO_EXPR after a problem. */
WeirExpr weir_expr_parse (WeirExprPool *pool, const char *text, const WeirReport *report);

/* Text that parses to the same expression. (transfer full) */
char *weir_expr_to_string (const WeirExprPool *pool, WeirExpr e);
/* For people, and for what was computed: a part that is shared is written wherever it stands, so
 * that a product of 40 matrices would fill any memory. What is longer than this is its beginning
 * and " ...". (transfer full) */
#define WEIR_EXPR_MAX_DESCRIPTION 10000
char *weir_expr_describe (const WeirExprPool *pool, WeirExpr e);
/* Text that parses to the same statement, in one line but for bodies. (transfer full) */
char *weir_statement_to_string (const WeirExprPool *pool, const WeirStatement *statement);

/* Is this a word that cannot name a variable ("if", "t")? */
gboolean weir_word_is_reserved (const char *word);

G_END_DECLS

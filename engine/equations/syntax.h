/* The equation language: what is written, as statements of expressions.
 *
 *   # a comment
 *   parameter m = 2 "kg", k = 5 "N/m"      constants of the block that can change while it runs
 *   constant g = 9.81 "m/s^2"              constants that cannot
 *   input u[3] "N"                         comes from outside; "= 0" gives what an open input has
 *   output y                               shown outside; without any, every variable is
 *   variable x "m", A[2, 2]                declares size and unit
 *   D(D(x)) ~ -k/m*x + sum(u)/m            an equation; D is the time derivative, t is time
 *   0 ~ x^2 + y^2 - 1                      any equation may be implicit
 *   initial x = 1                          must hold at the start
 *   initial 0 ~ D(x) + D(y)                so must this
 *   z ~ x - Initial(x)                     Initial (x) is the value of x at the start
 *   guess y = 0.5                          where a solution is sought first
 *   override initial x[2] = 3              wins over what else is given for that element; also a
 * guess; of two the later one D(y) ~ -delay(y, 1)                    what y was 1 s ago; delay(y,
 * T, 5): at most 5 s history y = cos(t)                     before the start; without, y was what
 * it starts at solve k                                found so that the initial equations hold when
 * x < 0: v := -0.8*pre(v), n := pre(n) + 1 when rising(x - 1):                    also falling(x -
 * 1), every(0.1), every(0.1, 0.05) v := 0 end sample 0.1                             ticks of the
 * equations in k: period, offset z(k) ~ 0.5*z(k-1) + y                  a discrete variable extends
 * Spring                         begins with the statements of that block, or of "a b" for i in
 * 2:9: D(T[i]) ~ T[i-1] - 2*T[i] + T[i+1] assert x > -10, "x has left its range" brownian w white
 * noise: D(x) ~ -x + 0.3*w noise 0.001, 7                         its steps (s), and the seed of
 * all that is random when jump(2*x): x := pre(x) - 1        at random, with this rate (1/s)
 *
 * A statement ends with its line or with ";", unless brackets are open or the line ends in an
 * operator. Operators, weakest first: if-then-else; or; and; not; comparisons; + -; * / .* ./;
 * unary -; ^ .^; transpose ' and indices. Between arrays * is the matrix product, the ones with
 * a dot work element by element; a scalar works on every element. The functions are those
 * that weir_op_find_function() knows.
 *
 * The condition of when is a comparison, joined by and, or, not; it is met where it becomes true,
 * not where it is true at the start. What is assigned to is discrete, or a state; pre (x) is the
 * value just before. A comparison or sign in an equation holds between events and changes where its
 * sides meet, so that no step of a solver meets a jump.
 *
 * Thread: *owner*.
 */
#pragma once

#include "equations/expression.h"
#include "equations/report.h"

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

/* --- Equations ------------------------------------------------------------------------------- */

/* Programs are functions here, which their number tells. */
static void weir_program_run (guint program, const double *in, double *out);

static inline G_GNUC_UNUSED void
weir_program_execute (const WeirProgram *self, const double *in, double *out, double *work)
{
  (void) work;
  weir_program_run (self->reserved, in, out);
}

static inline G_GNUC_UNUSED gboolean
weir_program_find_invalid (const WeirProgram *self, const double *in, double *work, WeirOp *op,
                           double *a, double *b)
{
  (void) self;
  (void) in;
  (void) work;
  *op = WEIR_OP_MUL;
  *a = *b = (double) NAN;
  return TRUE;
}

/* Nothing is compiled while it runs: all is. */
#define weir_equations_run_native(...) FALSE
#define weir_equations_find_native(...) NULL
#define weir_op_get_name(op) "an operation"
#define weir_equations_get_scratch(c, size) ((void) (size), (c)->context->scratch)
#define weir_equations_fail(c, data, element, ...)                                                 \
  ((void) (data), (void) (element), weir_calc_fail (c, __VA_ARGS__))
#define weir_newton_outcome_to_string(outcome) ((void) (outcome), "no solution")
#define weir_equations_fail_asserted(c, data, part)                                                \
  weir_equations_fail (c, data, G_MAXUINT, "%s (the assertion of line %u does not hold).",         \
                       (part)->text != 0 ? (const char *) weir_equations_at (data, (part)->text)   \
                                         : "The rate of a jump is negative",                       \
                       *(const guint32 *) weir_equations_at (data, (part)->lines))
#define weir_equations_fail_unsolved(c, data, part, outcome, initial, worst, off, holds)           \
  ((holds) && (outcome) == WEIR_NEWTON_STALLED                                                     \
       ? weir_equations_fail (                                                                     \
           c, data, (part)->first + (worst),                                                       \
           "The equations for %s (line %u) hold to %.6g, but do not determine them, where the "    \
           "first unknown is %.6g.",                                                               \
           (const char *) weir_equations_at (data, (part)->text),                                  \
           *(const guint32 *) weir_equations_at (data, (part)->lines), fabs (off), initial)        \
       : weir_equations_fail (                                                                     \
           c, data, (part)->first + (worst),                                                       \
           "The equations for %s (line %u) could not be solved: %s, where the first unknown is "   \
           "%.6g and line %u is off by %.6g.",                                                     \
           (const char *) weir_equations_at (data, (part)->text),                                  \
           *(const guint32 *) weir_equations_at (data, (part)->lines),                             \
           weir_newton_outcome_to_string (outcome), initial,                                       \
           ((const guint32 *) weir_equations_at (data, (part)->lines))[worst], off))
/* Names of parts are not there. */
#define weir_equations_fail_undetermined(c, data, part)                                            \
  weir_equations_fail (c, data, (part)->first,                                                     \
                       "its parts leave something open at this moment, as where all of them "      \
                       "block or all conduct without resistance")

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
/* Names of parts are not there. */
#define weir_equations_fail_undetermined(c, data, part)                                            \
  weir_equations_fail (c, data, (part)->first,                                                     \
                       "its parts leave something open at this moment, as where all of them "      \
                       "block or all conduct without resistance")

/* Assertion: a condition that must hold of a signal while the model runs.
 *
 * The condition is an expression over the input u and time t, compiled once; of a vector it must
 * hold for every element. Accepted steps are checked: there the block tells (warn) or ends the run
 * (stop). A step ends where the condition ceases to hold, so none is passed over between two ends,
 * if comparisons by size tell how far it is from that. Rejecting goes further: the output, which is
 * the input, has no value where the condition does not hold, so that a solver that tries such a
 * step takes a shorter one; what depends on the assertion must be wired to its output.
 */
#include "blocks/library/registry.h"
#include "blocks/types/family.h"

#include <string.h>

#include "base/error.h"
#include "base/phrase.h"
#include "equations/builder/array.h"
#include "equations/expressions/simplify.h"
#include "equations/programs/program.h"

#define MAX_WORK 512 /* doubles, on the stack */

static const WeirInput U = { 0 };
static const WeirGroup BROKEN = { 0 };

/* Of the program. */
enum { HOLDS, MARGIN, N_OUTPUTS };

static const char *const actions[] = { "warn", "stop", "reject", NULL };

/* The data of the leaf: this, the program, the message. */
typedef struct {
  guint32 is_warning;
  guint32 reads_time; /* the condition does */
  guint32 message;    /* bytes from here */
  guint32 unused;     /* the program begins at 8 bytes */
} Data;

const guint32 weir_assertion_program_place = sizeof (Data);

static const WeirProgram *
get_program (const Data *data)
{
  return (const WeirProgram *) (gconstpointer) (data + 1);
}

/* Does the condition hold of @u? */
static gboolean
holds (const WeirCalc *c, double u)
{
  const Data *data = weir_calc_data (c);
  double in[2] = { u, data->reads_time ? weir_calc_time (c) : 0.0 }, work[MAX_WORK];
  double out[N_OUTPUTS];

  weir_program_execute (get_program (data), in, out, work);
  return out[HOLDS] != 0.0 && !isnan (out[HOLDS]);
}

/* Of each element how far it is from not holding. */
static WeirStatus
calc_margins (const WeirCalc *c, double *margin)
{
  const Data *data = weir_calc_data (c);
  const double *u = weir_calc_input (c, U);
  double in[2] = { 0.0, data->reads_time ? weir_calc_time (c) : 0.0 }, work[MAX_WORK];
  double out[N_OUTPUTS];

  for (guint i = 0; i < weir_calc_input_size (c, U); i++)
    {
      in[0] = u[i];
      weir_program_execute (get_program (data), in, out, work);
      margin[i] = out[MARGIN];
    }
  return WEIR_OK;
}

static WeirStatus
calc_y (const WeirCalc *c, double *y)
{
  const Data *data = weir_calc_data (c);
  const double *u = weir_calc_input (c, U);
  guint n = weir_calc_input_size (c, U);

  for (guint i = 0; i < n; i++)
    if (!holds (c, u[i]))
      return weir_calc_fail (c, "%s (u = %.9g)", (const char *) data + data->message, u[i]);
  memcpy (y, u, n * sizeof *y);
  return WEIR_OK;
}

static WeirStatus
calc_y_tangent (const WeirCalc *c, const WeirCalc *d, double *y)
{
  memcpy (y, weir_calc_input (d, U), weir_calc_input_size (c, U) * sizeof *y);
  return WEIR_OK;
}

/* On both sides of each step. Tells where it ceases to hold, not as long as it does not. */
static WeirStatus
check_sides (const WeirCalc *c, G_GNUC_UNUSED gint64 n_events, double *next)
{
  const Data *data = weir_calc_data (c);
  const double *u = weir_calc_input (c, U), *broken = weir_calc_discrete (c, BROKEN);
  gboolean is_same = TRUE, is_told = FALSE;

  for (guint i = 0; i < weir_calc_input_size (c, U); i++)
    {
      next[i] = holds (c, u[i]) ? 0 : 1;
      is_same = is_same && next[i] == broken[i];
      if (next[i] == 0 || is_told)
        continue;
      if (!data->is_warning)
        return weir_calc_fail (c, "%s (u = %.9g)", (const char *) data + data->message, u[i]);
      if (broken[i] == 0)
        weir_calc_warn (c, "%s (u = %.9g)", (const char *) data + data->message, u[i]);
      is_told = broken[i] == 0;
    }
  return is_same ? WEIR_DID_NOTHING : WEIR_OK;
}

/* --- Compiling ------------------------------------------------------------------------------- */

static gboolean
refuse_conversion (G_GNUC_UNUSED gpointer data, G_GNUC_UNUSED WeirExpr e,
                   G_GNUC_UNUSED const char *unit, G_GNUC_UNUSED int line,
                   G_GNUC_UNUSED double *factor, G_GNUC_UNUSED double *offset)
{
  return FALSE;
}

/* NULL and @error if the text is no condition over u and t. (transfer full) */
static WeirProgram *
compile (const char *text, gboolean *reads_time, gboolean *has_margin, GError **error)
{
  g_autoptr (WeirExprPool) pool = weir_expr_pool_new ();
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (GHashTable) none = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable)
      arrays = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, weir_array_free);
  g_autoptr (GArray) atoms = g_array_new (FALSE, FALSE, sizeof (WeirExpr));
  WeirReport report = { .diagnostics = diagnostics, .path = "", .first_line = 1 };
  WeirExpander expander = { .pool = pool,
                            .report = &report,
                            .shapes = none,
                            .values = none,
                            .arrays = arrays,
                            .convert = refuse_conversion };
  const WeirExpr inputs[] = { weir_expr_symbol (pool, "u"), weir_expr_symbol (pool, "t") };
  WeirProgram *program = NULL;
  WeirArray value;
  WeirExpr e = weir_expr_parse (pool, text, &report), outputs[N_OUTPUTS];

  if (weir_expr_equal (e, WEIR_NO_EXPR) || !weir_expander_expand (&expander, e, 1, &value))
    {
      weir_error_set (error, WEIR_ERROR_INVALID, "Parameter condition is \"%s\". %s", text,
                      weir_diagnostics_get_size (diagnostics) > 0
                          ? weir_diagnostics_get (diagnostics, 0)->text
                          : weir_phrase (N_ ("Units cannot be converted here.")));
      return NULL;
    }
  e = value.elements[0];
  weir_expr_collect_atoms (pool, &e, 1, atoms);
  if (value.shape.n_dims > 0)
    weir_error_set (
        error, WEIR_ERROR_INVALID,
        "Parameter condition is \"%s\", which has several values; it is asked of each element of "
        "u.",
        text);
  *reads_time = *has_margin = FALSE;
  for (guint i = 0; i < atoms->len && (error == NULL || *error == NULL); i++)
    {
      WeirExpr atom = g_array_index (atoms, WeirExpr, i);
      g_autofree char *name = weir_expr_describe (pool, atom);

      if (weir_expr_equal (atom, inputs[1]))
        *reads_time = TRUE;
      else if (!weir_expr_equal (atom, inputs[0]))
        weir_error_set (
            error, WEIR_ERROR_INVALID,
            "Parameter condition is \"%s\", but there is no %s here; use u, the input, and t, the "
            "time.",
            text, name);
    }
  if (error == NULL || *error == NULL)
    {
      outputs[HOLDS] = outputs[MARGIN] = e;
      *has_margin = weir_expr_find_margin (pool, e, &outputs[MARGIN]);
      program = weir_program_new (pool, outputs, N_OUTPUTS, inputs, G_N_ELEMENTS (inputs));
    }
  if (program != NULL && weir_program_get_work_size (program) > MAX_WORK)
    {
      g_clear_pointer (&program, g_free);
      weir_error_set (error, WEIR_ERROR_INVALID,
                      "Parameter condition is too long; compute a part of it in blocks.");
    }
  weir_array_clear (&value);
  return program;
}

static void
check (const WeirArguments *arguments, WeirDiagnostics *diagnostics, const char *path,
       guint32 block, int line)
{
  g_autoptr (GError) error = NULL;
  gboolean reads_time, has_margin;
  g_autofree WeirProgram *program = compile (weir_arguments_get_text (arguments, "condition"),
                                             &reads_time, &has_margin, &error);

  if (program == NULL)
    weir_diagnostics_add (diagnostics, WEIR_SEVERITY_ERROR, "PAR02", path, block, 0, line, "%s",
                          weir_error_get_text (error));
}

/* --- The block ------------------------------------------------------------------------------- */

static WeirSystem *
build (const WeirArguments *arguments, const guint *sizes, GError **error)
{
  const char *message = weir_arguments_get_text (arguments, "message");
  const char *action = weir_arguments_get_text (arguments, "action");
  g_autoptr (GError) compile_error = NULL;
  gboolean reads_time, has_margin;
  g_autofree WeirProgram *program = compile (weir_arguments_get_text (arguments, "condition"),
                                             &reads_time, &has_margin, &compile_error);
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autofree double *unbroken = g_new0 (double, sizes[0]);
  Data data = { .is_warning = strcmp (action, "warn") == 0 };
  WeirLeafBuilder *b;
  WeirTicket u;

  if (program == NULL)
    {
      g_propagate_error (error, g_steal_pointer (&compile_error));
      return NULL;
    }
  data.reads_time = reads_time;
  data.message = (guint32) (sizeof data + weir_program_get_size (program));
  g_byte_array_append (bytes, (const guint8 *) &data, sizeof data);
  g_byte_array_append (bytes, (const guint8 *) program, (guint) weir_program_get_size (program));
  g_byte_array_append (bytes, (const guint8 *) message, (guint) strlen (message) + 1);

  b = weir_leaf_builder_new ("Assertion");
  u = weir_input_ticket (b, weir_leaf_add_input (b, "u", sizes[0]));
  weir_leaf_set_data (b, bytes->data, bytes->len);
  if (strcmp (action, "reject") == 0 && reads_time)
    weir_leaf_add_output (b, "y", sizes[0], calc_y, WEIR_DEPENDS (u, WEIR_TIME));
  else if (strcmp (action, "reject") == 0)
    weir_leaf_add_output (b, "y", sizes[0], calc_y, WEIR_DEPENDS (u));
  else
    weir_leaf_add_output_kernel (b, "y", sizes[0], weir_kernel_copy, 0, WEIR_DEPENDS (u));
  if (has_margin)
    weir_leaf_add_break (
        b, weir_on_crossing (weir_leaf_add_cache_entry (b, "margin", sizes[0], calc_margins,
                                                        reads_time ? WEIR_DEPENDS (u, WEIR_TIME)
                                                                   : WEIR_DEPENDS (u)),
                             WEIR_FALLING));
  weir_leaf_add_discrete_state (b, "broken", unbroken, sizes[0]);
  weir_leaf_add_update (b, weir_on_both_sides (), BROKEN, check_sides);
  return weir_leaf_builder_build (b);
}

static const WeirParameterSpec parameters[] = {
  {
      .name = "condition",
      .label = N_ ("Condition"),
      .kind = WEIR_VALUE_TEXT,
      .default_text = "u >= 0",
      WEIR_ANY,
      .help = N_ ("What must hold of the input u, at every time t: \"u > 0 and u < 10\"."),
  },
  {
      .name = "message",
      .label = N_ ("Message"),
      .kind = WEIR_VALUE_TEXT,
      .default_text = "The condition does not hold.",
      WEIR_ANY,
      .help = N_ ("What is told where it does not."),
  },
  {
      .name = "action",
      .label = N_ ("Action"),
      .kind = WEIR_VALUE_CHOICE,
      .default_text = "warn",
      .choices = actions,
      .help = N_ (
          "Warn and go on, stop the run, or reject the step: the solver tries a shorter one."),
  },
};

static const WeirBlockType assertion_type = {
  .name = "Assertion",
  .title = N_ ("Assertion"),
  .category = N_ ("Logic"),
  .summary = N_ ("Passes its input on and sees to it that a condition holds."),
  WEIR_PARAMETERS (parameters),
  .list_inputs = weir_list_u,
  .list_outputs = weir_list_y,
  .build = build,
  .check = check,
  .units = WEIR_UNITS_SAME,
  WEIR_POSITIONS (WEIR_POSITION (U, "u"), WEIR_POSITION (BROKEN, "broken")),
};

WEIR_FAMILY (assertion, &assertion_type);

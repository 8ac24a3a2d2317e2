/* `weir linearize`: A, B, C, D and the poles of a model at an operating point.
 *
 * The point is where the model begins, or where a run is at --at T; --trim moves it to an
 * equilibrium near there.
 */
#include "cli/cli-private.h"

#include <math.h>
#include <string.h>

#include "analysis/linearize.h"
#include "analysis/trim.h"
#include "base/number.h"
#include "base/status.h"
#include "blocks/registry.h"
#include "system/event.h"

typedef struct {
  WeirRunOptions run;
  char **inputs, **outputs, **hold, **free, **moving;
  char *at;
  gboolean trim, all_states, json, csv;
} Options;

static void
options_clear (Options *self)
{
  weir_run_options_clear (&self->run);
  g_strfreev (self->inputs);
  g_strfreev (self->outputs);
  g_strfreev (self->hold);
  g_strfreev (self->free);
  g_strfreev (self->moving);
  g_free (self->at);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, options_clear)

/* --- Results --------------------------------------------------------------------------------- */

typedef struct {
  const char *file;
  const WeirOperatingPoint *point;
  const WeirLinearization *result;
  GPtrArray *notes;
} Report;

typedef struct {
  const char *name;
  const double *values;
  guint rows, columns;
} MatrixView;

static void
list_matrices (const Report *report, MatrixView views[4])
{
  const WeirLinearization *r = report->result;

  views[0] = (MatrixView) { "A", r->a, r->n_states, r->n_states };
  views[1] = (MatrixView) { "B", r->b, r->n_states, r->n_inputs };
  views[2] = (MatrixView) { "C", r->c, r->n_outputs, r->n_states };
  views[3] = (MatrixView) { "D", r->d, r->n_outputs, r->n_inputs };
}

static char *
dup_state_name (const Report *report, guint i)
{
  return weir_operating_point_dup_state_name (report->point, report->result->states[i]);
}

/* The name of row or column @i of a matrix. (transfer full) */
static char *
dup_index_name (const Report *report, gboolean is_state, gboolean is_input, guint i)
{
  if (is_state)
    return dup_state_name (report, i);
  return g_strdup (is_input ? weir_operating_point_get_input_name (report->point, i)
                            : weir_operating_point_get_output_name (report->point, i));
}

/* A pole as people speak of it: natural frequency and damping. */
static double
frequency_of (const WeirLinearization *r, guint i)
{
  return hypot (r->poles_re[i], r->poles_im[i]);
}

static void
print_signals (const Report *report)
{
  const WeirLinearization *r = report->result;
  const double *x = weir_operating_point_get_state (report->point);
  const double *u = weir_operating_point_get_input (report->point);

  for (guint i = 0; i < r->n_states; i++)
    {
      g_autofree char *name = dup_state_name (report, i);

      g_print ("%s%-4u  %16.10g  derivative %16.10g  %s\n", i == 0 ? "\nstates\n" : "", i + 1,
               x[r->states[i]], r->xdot[i], name);
    }
  for (guint i = 0; i < r->n_inputs; i++)
    g_print ("%s%-4u  %16.10g  %s\n", i == 0 ? "\ninputs\n" : "", i + 1, u[i],
             weir_operating_point_get_input_name (report->point, i));
  for (guint i = 0; i < r->n_outputs; i++)
    g_print ("%s%-4u  %16.10g  %s\n", i == 0 ? "\noutputs\n" : "", i + 1, r->y[i],
             weir_operating_point_get_output_name (report->point, i));
}

static void
print_matrix (const MatrixView *view)
{
  if (view->rows == 0 || view->columns == 0)
    return;
  g_print ("\n%s\n", view->name);
  for (guint i = 0; i < view->rows; i++)
    for (guint j = 0; j < view->columns; j++)
      g_print ("%16.10g%s", view->values[(gsize) i * view->columns + j],
               j + 1 < view->columns ? "  " : "\n");
}

static void
print_poles (const Report *report)
{
  const WeirLinearization *r = report->result;

  for (guint i = 0; i < r->n_states; i++)
    {
      double frequency = frequency_of (r, i);

      g_print ("%s%16.10g  %16.10g  %16.10g  %10.6g\n",
               i == 0 ? "\npoles (1/s)         imaginary         rad/s           damping\n" : "",
               r->poles_re[i], r->poles_im[i], frequency,
               frequency > 0 ? -r->poles_re[i] / frequency : 0);
    }
}

static void
print_table (const Report *report)
{
  const WeirLinearization *r = report->result;
  g_autofree double *gain = g_new0 (double, (gsize) r->n_outputs * r->n_inputs + 1);
  char time[G_ASCII_DTOSTR_BUF_SIZE];
  MatrixView views[4];

  g_print ("%s at t = %s s: %u state%s, %u input%s, %u output%s\n", report->file,
           weir_number_to_text (weir_operating_point_get_time (report->point), time), r->n_states,
           r->n_states == 1 ? "" : "s", r->n_inputs, r->n_inputs == 1 ? "" : "s", r->n_outputs,
           r->n_outputs == 1 ? "" : "s");
  if (r->n_left_out > 0)
    g_print (
        "%u state%s on no way from an input to an output %s left out; --all-states keeps them\n",
        r->n_left_out, r->n_left_out == 1 ? "" : "s", r->n_left_out == 1 ? "is" : "are");
  print_signals (report);
  list_matrices (report, views);
  for (guint i = 0; i < G_N_ELEMENTS (views); i++)
    print_matrix (&views[i]);
  if (r->n_inputs > 0 && r->n_outputs > 0 && weir_linearization_get_gain (r, gain))
    print_matrix (
        &(MatrixView) { "gain in the long run (D - C A^-1 B)", gain, r->n_outputs, r->n_inputs });
  print_poles (report);
  g_print ("\nlargest estimated relative error of a row: %.1e\n", r->error);
}

/* One number a line: what it belongs to, the names of its row and column, the number. */
static void
print_csv (const Report *report)
{
  const WeirLinearization *r = report->result;
  MatrixView views[4];
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  g_print ("matrix,row,column,value\n");
  list_matrices (report, views);
  for (guint m = 0; m < G_N_ELEMENTS (views); m++)
    for (guint i = 0; i < views[m].rows; i++)
      for (guint j = 0; j < views[m].columns; j++)
        {
          g_autofree char *row = dup_index_name (report, m < 2, FALSE, i);
          g_autofree char *column = dup_index_name (report, m % 2 == 0, TRUE, j);

          g_print ("%s,\"%s\",\"%s\",%s\n", views[m].name, row, column,
                   weir_number_to_text (views[m].values[(gsize) i * views[m].columns + j], text));
        }
  for (guint i = 0; i < r->n_states; i++)
    {
      g_print ("pole,%u,real,%s\n", i + 1, weir_number_to_text (r->poles_re[i], text));
      g_print ("pole,%u,imaginary,%s\n", i + 1, weir_number_to_text (r->poles_im[i], text));
    }
}

static void
append_numbers (GString *json, const char *name, const double *values, guint rows, guint columns)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append_printf (json, ",\n  \"%s\": [", name);
  for (guint i = 0; i < rows; i++)
    {
      g_string_append (json, i > 0 ? ", [" : "[");
      for (guint j = 0; j < columns; j++)
        g_string_append_printf (json, "%s%s", j > 0 ? ", " : "",
                                weir_number_to_text (values[(gsize) i * columns + j], text));
      g_string_append_c (json, ']');
    }
  g_string_append_c (json, ']');
}

static void
append_text (GString *json, const char *text)
{
  g_string_append_c (json, '"');
  for (; *text != '\0'; text++)
    if (*text == '"' || *text == '\\')
      g_string_append_printf (json, "\\%c", *text);
    else if ((guchar) *text < 0x20)
      g_string_append_printf (json, "\\u%04x", (guint) *text);
    else
      g_string_append_c (json, *text);
  g_string_append_c (json, '"');
}

static void
append_names (const Report *report, GString *json, const char *name, guint n, gboolean is_state,
              gboolean is_input, const double *values)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append_printf (json, ",\n  \"%s\": [", name);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *own = dup_index_name (report, is_state, is_input, i);
      guint place = is_state ? report->result->states[i] : i;

      g_string_append (json, i > 0 ? ", {\"name\": " : "{\"name\": ");
      append_text (json, own);
      g_string_append_printf (json, ", \"value\": %s", weir_number_to_text (values[place], text));
      if (is_state)
        g_string_append_printf (json, ", \"derivative\": %s",
                                weir_number_to_text (report->result->xdot[i], text));
      g_string_append_c (json, '}');
    }
  g_string_append_c (json, ']');
}

static void
print_json (const Report *report)
{
  const WeirLinearization *r = report->result;
  g_autoptr (GString) json = g_string_new ("{\n  \"file\": ");
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  MatrixView views[4];

  append_text (json, report->file);
  g_string_append_printf (
      json, ",\n  \"time\": %s",
      weir_number_to_text (weir_operating_point_get_time (report->point), text));
  append_names (report, json, "states", r->n_states, TRUE, FALSE,
                weir_operating_point_get_state (report->point));
  append_names (report, json, "inputs", r->n_inputs, FALSE, TRUE,
                weir_operating_point_get_input (report->point));
  append_names (report, json, "outputs", r->n_outputs, FALSE, FALSE, r->y);
  g_string_append_printf (json, ",\n  \"states_left_out\": %u", r->n_left_out);
  list_matrices (report, views);
  for (guint i = 0; i < G_N_ELEMENTS (views); i++)
    append_numbers (json, views[i].name, views[i].values, views[i].rows, views[i].columns);
  g_string_append (json, ",\n  \"poles\": [");
  for (guint i = 0; i < r->n_states; i++)
    {
      g_string_append_printf (json, "%s[%s, ", i > 0 ? ", " : "",
                              weir_number_to_text (r->poles_re[i], text));
      g_string_append_printf (json, "%s]", weir_number_to_text (r->poles_im[i], text));
    }
  g_string_append_printf (json, "],\n  \"estimated_error\": %s",
                          weir_number_to_text (r->error, text));
  g_string_append (json, ",\n  \"notes\": [");
  for (guint i = 0; i < report->notes->len; i++)
    {
      g_string_append (json, i > 0 ? ", " : "");
      append_text (json, report->notes->pdata[i]);
    }
  g_string_append (json, "]\n}\n");
  g_print ("%s", json->str);
}

/* --- The operating point --------------------------------------------------------------------- */

static gboolean
parse_number (const char *option, const char *text, double *value)
{
  guint size = 0;
  g_autofree double *number = weir_value_parse (text, &size, NULL);

  if (number != NULL && size == 1 && isfinite (number[0]))
    {
      *value = number[0];
      return TRUE;
    }
  weir_cli_complain ("%s: \"%s\" is not a number", option, text);
  return FALSE;
}

/* The ports that --trim is about, beside those chosen for the result: those of --free
 * and --hold. */
static void
add_ports (WeirLayout *layout, char **paths, GPtrArray *inputs, GPtrArray *outputs)
{
  for (; paths != NULL && *paths != NULL; paths++)
    {
      const char *equals = strrchr (*paths, '=');
      g_autofree char *path = equals != NULL ? g_strndup (*paths, (gsize) (equals - *paths))
                                             : g_strdup (*paths);
      g_autofree char *owner = g_strdup (path);
      char *bracket = strrchr (path, '['), *dot = strrchr (owner, '.');
      GPtrArray *ports = inputs;
      WeirOutput out;
      WeirNode node;
      guint state;

      if (weir_layout_find_state (layout, path, &state))
        continue;
      if (bracket != NULL)
        *bracket = '\0';
      if (dot != NULL)
        *dot = '\0';
      bracket = dot != NULL ? strrchr (dot + 1, '[') : NULL;
      if (bracket != NULL)
        *bracket = '\0';
      if (equals != NULL && weir_layout_find_node (layout, dot != NULL ? owner : "", &node)
          && weir_layout_find_output (layout, node, dot != NULL ? dot + 1 : path, &out))
        ports = outputs;
      if (!g_ptr_array_find_with_equal_func (ports, path, g_str_equal, NULL)
          && !g_ptr_array_find_with_equal_func (inputs, path, g_str_equal, NULL))
        g_ptr_array_add (ports, g_steal_pointer (&path));
    }
}

static GPtrArray *
dup_list (char **strings)
{
  GPtrArray *list = g_ptr_array_new_null_terminated (0, g_free, TRUE);

  for (; strings != NULL && *strings != NULL; strings++)
    g_ptr_array_add (list, g_strdup (*strings));
  return list;
}

typedef struct {
  gboolean *held_states, *moving_states, *free_inputs;
  double *outputs, *x, *u;
} Conditions;

static void
conditions_clear (Conditions *self)
{
  g_free (self->held_states);
  g_free (self->moving_states);
  g_free (self->free_inputs);
  g_free (self->outputs);
  g_free (self->x);
  g_free (self->u);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Conditions, conditions_clear)

static gboolean
hold (WeirOperatingPoint *point, const char *assignment, Conditions *conditions)
{
  const char *equals = strrchr (assignment, '=');
  g_autofree char *name = g_strndup (assignment,
                                     equals != NULL ? (gsize) (equals - assignment) : 0);
  double value;
  guint i;

  if (equals == NULL)
    {
      weir_cli_complain (
          "--hold %s: a state or port and its value are needed, such as Motor.speed=2", assignment);
      return FALSE;
    }
  if (!parse_number ("--hold", equals + 1, &value))
    return FALSE;
  if (weir_layout_find_state (weir_operating_point_get_layout (point), name, &i))
    {
      conditions->held_states[i] = TRUE;
      conditions->x[i] = value;
    }
  else if (weir_operating_point_find_input (point, name, &i))
    conditions->u[i] = value;
  else if (weir_operating_point_find_output (point, name, &i))
    conditions->outputs[i] = value;
  else
    {
      weir_cli_complain ("--hold %s: the model has no state and no port element \"%s\"", assignment,
                         name);
      return FALSE;
    }
  return TRUE;
}

/* Is @name @path itself or a part of it, which goes on with one of @separators? */
static gboolean
is_part_of (const char *name, const char *path, const char *separators)
{
  gsize length = strlen (path);

  return strncmp (name, path, length) == 0
         && (name[length] == '\0' || strchr (separators, name[length]) != NULL);
}

static gboolean
set_free (const WeirOperatingPoint *point, const char *path, gboolean *free_inputs)
{
  gboolean any = FALSE;

  for (guint i = 0; i < weir_operating_point_get_n_inputs (point); i++)
    if (is_part_of (weir_operating_point_get_input_name (point, i), path, "["))
      any = free_inputs[i] = TRUE;
  if (!any)
    weir_cli_complain ("--free %s: this is no input", path);
  return any;
}

/* @path: of a state, or of a block with states. */
static gboolean
set_moving (const WeirLayout *layout, const char *path, gboolean *moving_states)
{
  gboolean any = FALSE;

  for (guint i = 0; i < weir_layout_get_n_states (layout); i++)
    {
      g_autofree char *name = weir_layout_dup_state_name (layout, i);

      if (is_part_of (name, path, ".["))
        any = moving_states[i] = TRUE;
    }
  if (!any)
    weir_cli_complain ("--moving %s: this is no state and no block with states", path);
  return any;
}

/* Moves @context to an equilibrium. */
static WeirExit
trim (const char *file, const Options *options, WeirSystem *system, WeirContext *context,
      GPtrArray *notes)
{
  WeirLayout *layout = weir_system_get_layout (system);
  g_autoptr (GPtrArray) inputs = dup_list (options->inputs);
  g_autoptr (GPtrArray) outputs = dup_list (NULL);
  g_autoptr (WeirOperatingPoint) point = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (Conditions) conditions = { 0 };
  guint n, m, p;

  add_ports (layout, options->free, inputs, outputs);
  add_ports (layout, options->hold, inputs, outputs);
  point = weir_operating_point_new (system, context, (const char *const *) inputs->pdata,
                                    (const char *const *) outputs->pdata, &error);
  if (point == NULL)
    {
      weir_cli_complain ("--trim: %s", error->message);
      return WEIR_EXIT_USAGE;
    }
  n = weir_operating_point_get_n_states (point);
  m = weir_operating_point_get_n_inputs (point);
  p = weir_operating_point_get_n_outputs (point);
  conditions.held_states = g_new0 (gboolean, n + 1);
  conditions.moving_states = g_new0 (gboolean, n + 1);
  conditions.free_inputs = g_new0 (gboolean, m + 1);
  conditions.outputs = g_new0 (double, p + 1);
  conditions.x = g_memdup2 (weir_operating_point_get_state (point), (n + 1) * sizeof (double));
  conditions.u = g_memdup2 (weir_operating_point_get_input (point), (m + 1) * sizeof (double));
  for (guint k = 0; k < p; k++)
    conditions.outputs[k] = (double) NAN;
  for (guint k = 0; options->free != NULL && options->free[k] != NULL; k++)
    if (!set_free (point, options->free[k], conditions.free_inputs))
      return WEIR_EXIT_USAGE;
  for (guint k = 0; options->moving != NULL && options->moving[k] != NULL; k++)
    if (!set_moving (layout, options->moving[k], conditions.moving_states))
      return WEIR_EXIT_USAGE;
  for (guint k = 0; options->hold != NULL && options->hold[k] != NULL; k++)
    if (!hold (point, options->hold[k], &conditions))
      return WEIR_EXIT_USAGE;
  weir_operating_point_move (point, conditions.x, conditions.u);
  if (!weir_trim (point,
                  &(WeirTrimConditions) { conditions.held_states, conditions.moving_states,
                                          conditions.free_inputs, conditions.outputs },
                  notes, &error))
    {
      weir_cli_complain ("%s: --trim: %s", file, error->message);
      return WEIR_EXIT_RUN;
    }
  weir_operating_point_apply (point, context);
  return WEIR_EXIT_OK;
}

/* The ports of the whole model, where none are chosen. */
static GPtrArray *
choose_ports (WeirLayout *layout, char **chosen, gboolean of_inputs)
{
  GPtrArray *ports = dup_list (chosen);
  WeirNode root = { 0 };
  guint n = of_inputs ? weir_layout_get_n_inputs (layout, root)
                      : weir_layout_get_n_outputs (layout, root);

  for (guint16 i = 0; i < n && chosen == NULL; i++)
    if ((of_inputs ? weir_layout_get_input_size (layout, root, (WeirInput) { i })
                   : weir_layout_get_output_size (layout, root, (WeirOutput) { i }))
        > 0)
      g_ptr_array_add (
          ports,
          g_strdup (of_inputs ? weir_layout_get_input_name (layout, root, (WeirInput) { i })
                              : weir_layout_get_output_name (layout, root, (WeirOutput) { i })));
  return ports;
}

static gboolean
has_discrete_updates (WeirSystem *system)
{
  for (guint i = 0; i < weir_system_get_n_events (system); i++)
    {
      WeirDeclaredEvent event = weir_system_get_event (system, i);

      if (event.trigger == WEIR_TRIGGER_PERIODIC && event.action != WEIR_ACTION_PUBLISH)
        return TRUE;
    }
  return FALSE;
}

static WeirExit
linearize (const char *file, const Options *options, WeirModel *model, WeirSystem *system)
{
  WeirLayout *layout = weir_system_get_layout (system);
  WeirSimulatorOptions simulator_options;
  g_autoptr (WeirContext) context = weir_system_create_context (system);
  g_autoptr (WeirSimulator) simulator = NULL;
  g_autoptr (WeirOperatingPoint) point = NULL;
  g_autoptr (WeirLinearization) result = NULL;
  g_autoptr (GPtrArray) inputs = choose_ports (layout, options->inputs, TRUE);
  g_autoptr (GPtrArray) outputs = choose_ports (layout, options->outputs, FALSE);
  g_autoptr (GPtrArray) notes = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GError) error = NULL;
  double until, at = 0;
  Report report;

  if (!weir_run_options_resolve (&options->run, model, &simulator_options, &until, NULL)
      || (options->at != NULL && !parse_number ("--at", options->at, &at)))
    return WEIR_EXIT_USAGE;
  simulator = weir_simulator_new (system, context, &simulator_options, &error);
  if (simulator == NULL || at < 0)
    {
      weir_cli_complain ("%s: %s", file,
                         error != NULL ? error->message : "--at is before the start");
      return WEIR_EXIT_USAGE;
    }
  if (!weir_simulator_initialize (simulator, &error)
      || (at > 0 && !weir_simulator_advance_to (simulator, at, &error)))
    {
      weir_cli_complain ("%s: %s", file, error->message);
      return WEIR_EXIT_RUN;
    }
  if (options->trim)
    {
      WeirExit code = trim (file, options, system, context, notes);

      if (code != WEIR_EXIT_OK)
        return code;
    }
  point = weir_operating_point_new (system, context, (const char *const *) inputs->pdata,
                                    (const char *const *) outputs->pdata, &error);
  if (point == NULL)
    {
      weir_cli_complain ("%s: %s", file, error->message);
      return g_error_matches (error, WEIR_ERROR, WEIR_ERROR_FAILED) ? WEIR_EXIT_RUN
                                                                    : WEIR_EXIT_USAGE;
    }
  result = weir_linearize (point, options->all_states, &error);
  if (result == NULL)
    {
      weir_cli_complain ("%s: %s", file, error->message);
      return WEIR_EXIT_RUN;
    }
  for (guint i = 0; i < result->notes->len; i++)
    g_ptr_array_add (notes, g_strdup (result->notes->pdata[i]));
  if (has_discrete_updates (system))
    g_ptr_array_add (notes,
                     g_strdup ("the model has discrete states; they are held at their values"));
  for (guint i = 0; i < notes->len; i++)
    g_printerr ("%s: %s\n", file, (const char *) notes->pdata[i]);
  report = (Report) { file, point, result, notes };
  if (options->json)
    print_json (&report);
  else if (options->csv)
    print_csv (&report);
  else
    print_table (&report);
  return WEIR_EXIT_OK;
}

static const char description[] =
    "Prints A, B, C and D of dx' = A dx + B du, dy = C dx + D du, and the poles, at the beginning "
    "of\n"
    "the model, at --at T of a run, or at an equilibrium near there (--trim). A chosen input is "
    "cut\n"
    "from what drives it; the output of a source may be chosen as input too. States that lie on "
    "no\n"
    "way from the inputs to the outputs are left out. Without --input and --output, the model's "
    "own\n"
    "inputs and outputs are chosen.\n"
    "Exit status: 0 fine, 1 the model has errors, 2 wrong usage, 3 there is no such point.";

WeirExit
weir_cli_linearize (int argc, char **argv)
{
  g_auto (Options) options = { 0 };
  const GOptionEntry more[] = {
    { "input", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options.inputs,
      "An input of the result, such as Motor.voltage; may be repeated", "PATH" },
    { "output", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options.outputs,
      "An output of the result, such as Motor.speed; may be repeated", "PATH" },
    { "at", 0, 0, G_OPTION_ARG_STRING, &options.at, "Run to this simulated time first, in seconds",
      "T" },
    { "trim", 0, 0, G_OPTION_ARG_NONE, &options.trim,
      "Move to where all derivatives are zero, beginning here", NULL },
    { "hold", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options.hold,
      "With --trim: a state, input or output that has this value; may be repeated", "PATH=VALUE" },
    { "free", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options.free,
      "With --trim: an input whose value is to be found; may be repeated", "PATH" },
    { "moving", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options.moving,
      "With --trim: a state or block whose derivatives need not be zero; may be repeated", "PATH" },
    { "all-states", 0, 0, G_OPTION_ARG_NONE, &options.all_states, "Keep every state", NULL },
    { "json", 0, 0, G_OPTION_ARG_NONE, &options.json, "Print JSON", NULL },
    { "csv", 0, 0, G_OPTION_ARG_NONE, &options.csv, "Print one number a line", NULL },
    { 0 },
  };
  g_autofree GOptionEntry *entries = weir_run_options_get_entries (&options.run, more);
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (WeirModel) read = NULL;
  g_autoptr (WeirModel) model = NULL;
  g_autoptr (WeirSystem) system = NULL;

  if (!weir_cli_parse (&argc, &argv, "FILE", description, entries, 1, 1))
    return WEIR_EXIT_USAGE;
  if (options.json && options.csv)
    {
      weir_cli_complain ("--json and --csv exclude each other");
      return WEIR_EXIT_USAGE;
    }
  if (!options.trim && (options.hold != NULL || options.free != NULL || options.moving != NULL))
    {
      weir_cli_complain ("--hold, --free and --moving say what --trim looks for; add --trim");
      return WEIR_EXIT_USAGE;
    }
  read = weir_cli_read (argv[1], diagnostics);
  if (read == NULL)
    return WEIR_EXIT_MODEL;
  model = weir_run_options_apply (&options.run, read);
  if (model == NULL)
    return WEIR_EXIT_USAGE;
  system = weir_cli_complete (model, argv[1]);
  if (system == NULL)
    return WEIR_EXIT_MODEL;
  return linearize (argv[1], &options, model, system);
}

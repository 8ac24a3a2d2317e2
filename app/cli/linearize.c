/* `weir linearize`: A, B, C, D and the poles of a model at an operating point.
 *
 * The point is where the model begins, or where a run is at --at T; --trim moves it to an
 * equilibrium near there.
 */
#include "cli/cli-private.h"

#include <math.h>
#include <string.h>

#include "analysis/operating-point.h"
#include "base/file.h"
#include "base/status.h"
#include "blocks/library/registry.h"
#include "model/completion/completion.h"
#include "system/evaluation/event.h"
#include "system/evaluation/eval.h"

typedef struct {
  WeirRunOptions run;
  char **inputs, **outputs, **hold, **free, **moving;
  char *at;
  char **breaks, **perturb, **after;
  char *loop, *sensitivity, *complementary, *frequencies, *lqr, *kalman, *place, *weight, *tune;
  char *closed, *crossover, *phase_margin, *filter;
  char *sampled, *sampling, *prewarp;
  gboolean trim, all_states, json, csv, dark;
  gboolean margins, bode, nyquist, nichols, rlocus, poles, step, impulse, norms, transfer_function;
  gboolean matrices, pi;

  WeirLinearTask task;
  gboolean is_analysis; /* not only the matrices */
  char *out;            /* the file to write to; NULL: standard output */
  GArray *points;       /* WeirAnalysisPoint */
  GArray *omega;        /* double */
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
  g_free (self->out);
  g_strfreev (self->breaks);
  g_strfreev (self->perturb);
  g_strfreev (self->after);
  g_free (self->loop);
  g_free (self->sensitivity);
  g_free (self->complementary);
  g_free (self->frequencies);
  g_free (self->lqr);
  g_free (self->kalman);
  g_free (self->place);
  g_free (self->weight);
  g_free (self->tune);
  g_free (self->closed);
  g_free (self->crossover);
  g_free (self->phase_margin);
  g_free (self->filter);
  g_free (self->sampled);
  g_free (self->sampling);
  g_free (self->prewarp);
  g_clear_pointer (&self->points, g_array_unref);
  g_clear_pointer (&self->omega, g_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, options_clear)

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

static GPtrArray *
dup_list (char **strings)
{
  GPtrArray *list = g_ptr_array_new_null_terminated (0, g_free, TRUE);

  for (; strings != NULL && *strings != NULL; strings++)
    g_ptr_array_add (list, g_strdup (*strings));
  return list;
}

/* "Motor.speed=2"; the path is @owner's. */
static gboolean
parse_hold (const char *assignment, GPtrArray *owner, WeirTrimWish *wish)
{
  const char *equals = strrchr (assignment, '=');

  if (equals == NULL)
    {
      weir_cli_complain (
          "--hold %s: a state or port and its value are needed, such as Motor.speed=2", assignment);
      return FALSE;
    }
  wish->kind = WEIR_TRIM_HOLD;
  wish->path = g_strndup (assignment, (gsize) (equals - assignment));
  g_ptr_array_add (owner, (gpointer) wish->path);
  return parse_number ("--hold", equals + 1, &wish->value);
}

static void
add_wishes (GArray *wishes, WeirTrimKind kind, char **paths)
{
  for (; paths != NULL && *paths != NULL; paths++)
    {
      const WeirTrimWish wish = { kind, *paths, 0 };

      g_array_append_val (wishes, wish);
    }
}

/* Moves @context to an equilibrium. */
static WeirExit
trim (const char *file, const Options *options, WeirSystem *system, WeirContext *context,
      GPtrArray *notes)
{
  g_autoptr (GArray) wishes = g_array_new (FALSE, FALSE, sizeof (WeirTrimWish));
  g_autoptr (GPtrArray) owner = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GError) error = NULL;

  add_wishes (wishes, WEIR_TRIM_FREE, options->free);
  add_wishes (wishes, WEIR_TRIM_MOVE, options->moving);
  for (guint k = 0; options->hold != NULL && options->hold[k] != NULL; k++)
    {
      WeirTrimWish wish;

      if (!parse_hold (options->hold[k], owner, &wish))
        return WEIR_EXIT_USAGE;
      g_array_append_val (wishes, wish);
    }
  if (weir_trim_context (system, context, (const char *const *) options->inputs,
                         (const WeirTrimWish *) (gconstpointer) wishes->data, wishes->len, notes,
                         &error))
    return WEIR_EXIT_OK;
  if (g_error_matches (error, WEIR_ERROR, WEIR_ERROR_FAILED))
    {
      weir_cli_complain ("%s: --trim: %s", file, error->message);
      return WEIR_EXIT_RUN;
    }
  weir_cli_complain ("--trim: %s", error->message);
  return WEIR_EXIT_USAGE;
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

/* --- Points and what is asked of them -------------------------------------------------------- */

static void
add_points (Options *self, char **paths, WeirPointKinds kinds)
{
  for (; paths != NULL && *paths != NULL; paths++)
    {
      WeirAnalysisPoint point = { *paths, kinds };

      g_array_append_val (self->points, point);
    }
}

static void
collect_points (Options *self)
{
  const struct {
    const char *path;
    WeirPointKinds kinds;
  } loops[] = {
    { self->loop, WEIR_POINT_LOOP },
    { self->sensitivity, WEIR_POINT_SENSITIVITY },
    { self->complementary, WEIR_POINT_COMPLEMENTARY },
  };

  self->points = g_array_new (FALSE, FALSE, sizeof (WeirAnalysisPoint));
  for (guint i = 0; i < G_N_ELEMENTS (loops); i++)
    if (loops[i].path != NULL)
      {
        WeirAnalysisPoint point = { loops[i].path, loops[i].kinds };

        g_array_append_val (self->points, point);
      }
  add_points (self, self->inputs, WEIR_POINT_INPUT | WEIR_POINT_BREAK);
  add_points (self, self->perturb, WEIR_POINT_INPUT);
  add_points (self, self->outputs, WEIR_POINT_OUTPUT);
  add_points (self, self->after, WEIR_POINT_AFTER);
  add_points (self, self->breaks, WEIR_POINT_BREAK);
  self->task.is_flipped = self->loop != NULL || self->complementary != NULL;
  self->task.is_loop = self->loop != NULL;
}

/* FALSE after saying what of --sampled, --sampling and --prewarp makes no sense. */
static gboolean
parse_sampling (Options *self)
{
  static const char *const names[WEIR_N_SAMPLINGS] = {
    [WEIR_SAMPLING_HOLD] = "hold",
    [WEIR_SAMPLING_RAMP] = "ramp",
    [WEIR_SAMPLING_TUSTIN] = "tustin",
  };
  WeirLinearTask *task = &self->task;
  guint i = 0;

  if (self->sampled == NULL && (self->sampling != NULL || self->prewarp != NULL))
    {
      weir_cli_complain ("%s says how --sampled H makes steps; add it",
                         self->sampling != NULL ? "--sampling" : "--prewarp");
      return FALSE;
    }
  while (self->sampling != NULL && i < WEIR_N_SAMPLINGS && strcmp (names[i], self->sampling) != 0)
    i++;
  if (i == WEIR_N_SAMPLINGS)
    {
      weir_cli_complain ("--sampling %s: the ways are hold, ramp and tustin", self->sampling);
      return FALSE;
    }
  task->sampling = (WeirSampling) i;
  if ((self->sampled != NULL && !parse_number ("--sampled", self->sampled, &task->period))
      || (self->prewarp != NULL && !parse_number ("--prewarp", self->prewarp, &task->prewarp)))
    return FALSE;
  if (self->sampled != NULL && !(task->period > 0))
    {
      weir_cli_complain ("--sampled %s: a time above 0 is needed, in seconds", self->sampled);
      return FALSE;
    }
  if (self->prewarp != NULL
      && (task->sampling != WEIR_SAMPLING_TUSTIN || !(task->prewarp > 0)
          || task->prewarp * task->period >= G_PI))
    {
      weir_cli_complain ("--prewarp %s: it is of --sampling tustin, above 0 and below half the "
                         "rate, pi / %s rad/s",
                         self->prewarp, self->sampled);
      return FALSE;
    }
  return TRUE;
}

/* What --tune is to come to. */
static gboolean
parse_targets (Options *self)
{
  const struct {
    const char *option, *typed;
    double *value, otherwise;
  } targets[] = {
    { "--closed", self->closed, &self->task.closed, 0 },
    { "--crossover", self->crossover, &self->task.crossover, NAN },
    { "--phase-margin", self->phase_margin, &self->task.phase_margin, NAN },
    { "--filter", self->filter, &self->task.filter, 100 }, /* as a PID block has it */
  };

  for (guint i = 0; i < G_N_ELEMENTS (targets); i++)
    {
      *targets[i].value = targets[i].otherwise;
      if (targets[i].typed == NULL)
        continue;
      if (self->tune == NULL)
        {
          weir_cli_complain ("%s says what --tune is to come to; add --tune RULE",
                             targets[i].option);
          return FALSE;
        }
      if (!parse_number (targets[i].option, targets[i].typed, targets[i].value))
        return FALSE;
    }
  return TRUE;
}

/* FALSE after saying what a picture or a MAT file is not of. */
static gboolean
check_picture (const Options *self)
{
  gboolean is_drawn = self->is_analysis && weir_linear_analysis_draws (self->task.what);
  const char *what = NULL;

  if (self->dark && self->task.picture == NULL)
    what = "--dark is how a picture looks: --out F.svg, F.pdf or F.png draws one";
  else if (self->task.picture != NULL && !is_drawn)
    what = "pictures are of --bode, --nyquist, --nichols, --rlocus, --poles, --step-response and "
           "--impulse-response";
  else if (self->task.picture != NULL && self->frequencies != NULL)
    what = "--frequencies are of numbers; a picture has its own, by poles and zeros";
  else if (self->task.mat != NULL && self->is_analysis && self->task.what != WEIR_LINEAR_MATRICES)
    what = "a MAT file is of the matrices alone: what else is found goes to .csv or .json";
  if (what != NULL)
    weir_cli_complain ("%s", what);
  return what == NULL;
}

/* FALSE after saying what does not go together. */
static gboolean
choose_task (Options *self)
{
  const struct {
    gboolean is_asked;
    WeirLinearWhat what;
  } asked[] = {
    { self->margins, WEIR_LINEAR_MARGINS },
    { self->bode, WEIR_LINEAR_BODE },
    { self->nyquist, WEIR_LINEAR_NYQUIST },
    { self->nichols, WEIR_LINEAR_NICHOLS },
    { self->rlocus, WEIR_LINEAR_LOCUS },
    { self->poles, WEIR_LINEAR_POLES },
    { self->step, WEIR_LINEAR_STEP },
    { self->impulse, WEIR_LINEAR_IMPULSE },
    { self->transfer_function, WEIR_LINEAR_TRANSFER_FUNCTION },
    { self->norms, WEIR_LINEAR_NORMS },
    { self->lqr != NULL, WEIR_LINEAR_LQR },
    { self->kalman != NULL, WEIR_LINEAR_KALMAN },
    { self->place != NULL, WEIR_LINEAR_PLACE },
    { self->tune != NULL, WEIR_LINEAR_TUNE },
    { self->matrices, WEIR_LINEAR_MATRICES },
  };
  guint n_asked = 0, size = 0;
  g_autofree double *values = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (asked); i++)
    if (asked[i].is_asked)
      {
        self->task.what = asked[i].what;
        n_asked++;
      }
  if (n_asked > 1
      || (self->loop != NULL) + (self->sensitivity != NULL) + (self->complementary != NULL) > 1)
    {
      weir_cli_complain (n_asked > 1 ? "one result at a time: --margins, --bode, --nyquist, "
                                       "--nichols, --rlocus, --poles, --step-response, "
                                       "--impulse-response, --norms, --transfer-function, "
                                       "--matrices, --lqr, --kalman, --place or --tune"
                                     : "--loop, --sensitivity and --complementary exclude each "
                                       "other");
      return FALSE;
    }
  self->is_analysis = n_asked == 1;
  if (!self->is_analysis
      && (self->sampled != NULL || self->loop != NULL || self->sensitivity != NULL
          || self->complementary != NULL || self->breaks != NULL || self->perturb != NULL
          || self->after != NULL))
    {
      self->task.what = WEIR_LINEAR_POLES;
      self->is_analysis = TRUE;
    }
  if (!parse_targets (self) || !parse_sampling (self) || !check_picture (self))
    return FALSE;
  if (self->frequencies != NULL)
    {
      values = weir_value_parse (self->frequencies, &size, NULL);
      if (values == NULL)
        {
          weir_cli_complain ("--frequencies: \"%s\" are no numbers, such as [1, 10]",
                             self->frequencies);
          return FALSE;
        }
      self->omega = g_array_new (FALSE, FALSE, sizeof (double));
      g_array_append_vals (self->omega, values, size);
    }
  self->task.frequencies = self->omega;
  self->task.weights[0] = self->lqr != NULL      ? self->lqr
                          : self->kalman != NULL ? self->kalman
                          : self->place != NULL  ? self->place
                                                 : self->tune;
  self->task.weights[1] = self->weight != NULL ? self->weight : "1";
  self->task.as_json = self->json;
  self->task.as_csv = self->csv;
  self->task.is_pi = self->pi;
  collect_points (self);
  return TRUE;
}

/* Those that are saved with the model, where the command line names none. Of a single one that is
 * measured before what is added, the sign is flipped: L or T. FALSE after saying what is wrong. */
static gboolean
take_saved_points (const GArray *saved, const char *file, GArray *points, WeirLinearTask *task)
{
  for (guint i = 0; i < saved->len; i++)
    {
      const WeirSavedPoint *from = &g_array_index (saved, WeirSavedPoint, i);
      WeirAnalysisPoint point = { from->path, 0 };

      if (!weir_point_kinds_parse (from->words, &point.kinds))
        {
          weir_cli_complain ("%s: the analysis point at %s is \"%s\"; the words are input, output, "
                             "after and break",
                             file, from->path, from->words);
          return FALSE;
        }
      g_array_append_val (points, point);
      task->is_flipped = saved->len == 1 && (point.kinds & WEIR_POINT_INPUT) != 0
                         && (point.kinds & WEIR_POINT_OUTPUT) != 0;
      task->is_loop = task->is_flipped && (point.kinds & WEIR_POINT_BREAK) != 0;
    }
  if (points->len > 0)
    return TRUE;
  weir_cli_complain ("%s: no points are chosen, and none are saved with the model: --loop, --input "
                     "and --output, ...",
                     file);
  return FALSE;
}

static WeirExit
analyse (const WeirCliModel *opened, Options *options, const WeirContext *context)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (WeirLoop) loop = NULL;
  g_autoptr (GArray) saved = weir_model_list_points (opened->model);

  if (options->points->len == 0
      && !take_saved_points (saved, opened->file, options->points, &options->task))
    return WEIR_EXIT_USAGE;
  loop = weir_loop_new (opened->system, context,
                        (const WeirAnalysisPoint *) (gconstpointer) options->points->data,
                        options->points->len, &error);
  if (loop != NULL)
    return weir_linear_analysis_print (opened->file, loop, &options->task);
  weir_cli_complain ("%s: %s", opened->file, error->message);
  return g_error_matches (error, WEIR_ERROR, WEIR_ERROR_FAILED) ? WEIR_EXIT_RUN : WEIR_EXIT_USAGE;
}

static WeirExit
write_mat (const WeirLinearization *result, const char *path)
{
  guint n = result->n_states, m = result->n_inputs, p = result->n_outputs;
  g_autoptr (WeirLinear) linear = weir_linear_new (
      weir_matrix_from (n, n, result->a), weir_matrix_from (n, m, result->b),
      weir_matrix_from (p, n, result->c), weir_matrix_from (p, m, result->d), 0, NULL);

  return weir_linear_write_mat (linear, path);
}

static WeirExit
linearize (const WeirCliModel *opened, Options *options)
{
  const char *file = opened->file;
  WeirSystem *system = opened->system;
  WeirLayout *layout = weir_system_get_layout (system);
  g_autoptr (WeirContext) context = weir_system_create_context (system);
  g_autoptr (WeirSimulator) simulator = NULL;
  g_autoptr (WeirOperatingPoint) point = NULL;
  g_autoptr (WeirLinearization) result = NULL;
  g_autoptr (GPtrArray) inputs = choose_ports (layout, options->inputs, TRUE);
  g_autoptr (GPtrArray) outputs = choose_ports (layout, options->outputs, FALSE);
  g_autoptr (GPtrArray) notes = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GError) error = NULL;
  double at = 0;
  WeirLinearReport report;

  if (options->at != NULL && !parse_number ("--at", options->at, &at))
    return WEIR_EXIT_USAGE;
  simulator = weir_simulator_new (system, context, &opened->simulator_options, &error);
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
  if (options->is_analysis)
    return analyse (opened, options, context);
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
    weir_cli_tell ("%s: %s\n", file, (const char *) notes->pdata[i]);
  if (options->task.mat != NULL)
    return write_mat (result, options->task.mat);
  report = (WeirLinearReport) { file, point, result, notes };
  if (options->json)
    weir_linear_report_print_json (&report);
  else if (options->csv)
    weir_linear_report_print_csv (&report);
  else
    weir_linear_report_print_table (&report);
  return WEIR_EXIT_OK;
}

/* --- To a file -------------------------------------------------------------------------------- */

/* By the ending of a file, or by an option. FALSE after saying what does not go together. */
static gboolean
choose_form (Options *self)
{
  gboolean is_csv = self->out != NULL && g_str_has_suffix (self->out, ".csv");
  gboolean is_json = self->out != NULL && g_str_has_suffix (self->out, ".json");

  gboolean is_picture = self->out != NULL && weir_cli_is_picture (self->out);
  gboolean is_mat = self->out != NULL && g_str_has_suffix (self->out, ".mat");

  if ((self->json && self->csv) || ((is_picture || is_mat) && (self->json || self->csv)))
    {
      weir_cli_complain (is_picture ? "--out %s is a picture: it is not of --csv or --json"
                         : is_mat   ? "--out %s is a MAT file: it is not of --csv or --json"
                                    : "--json and --csv exclude each other%s",
                         is_picture || is_mat ? self->out : "");
      return FALSE;
    }
  if (self->out != NULL && !is_csv && !is_json && !is_picture && !is_mat && !self->csv
      && !self->json)
    {
      weir_cli_complain (
          "--out %s: the name is to end in .csv, .json, .mat, .svg, .pdf or .png, or "
          "--csv or --json is to say which it is",
          self->out);
      return FALSE;
    }
  self->task.picture = is_picture ? self->out : NULL;
  self->task.mat = is_mat ? self->out : NULL;
  self->task.is_dark = self->dark;
  self->csv |= is_csv && !self->json;
  self->json |= is_json && !self->csv;
  return TRUE;
}

static GString *printed;

static void
collect (const char *text)
{
  g_string_append (printed, text);
}

/* What would be printed, whole or not at all. */
static WeirExit
linearize_to_file (const WeirCliModel *opened, Options *options)
{
  GPrintFunc before;
  WeirExit status;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;

  printed = g_string_new (NULL);
  before = g_set_print_handler (collect);
  status = linearize (opened, options);
  g_set_print_handler (before);
  bytes = g_string_free_to_bytes (g_steal_pointer (&printed));
  if (status != WEIR_EXIT_OK || weir_file_write (options->out, bytes, 0666, &error))
    return status;
  weir_cli_complain ("%s", error->message);
  return WEIR_EXIT_RUN;
}

static const char description[] =
    "Prints A, B, C and D of dx' = A dx + B du, dy = C dx + D du, and the poles, at the\n"
    "beginning of the model, at --at T of a run, or at an equilibrium near there (--trim). A\n"
    "chosen input is cut from what drives it; the output of a source may be chosen as input\n"
    "too. States that lie on no way from the inputs to the outputs are left out. Without\n"
    "--input and --output, the model's own inputs and outputs are chosen.\n"
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
    { "loop", 0, 0, G_OPTION_ARG_STRING, &options.loop,
      "Open the loop at this port: L, with the sign that 1 + L has", "PATH" },
    { "sensitivity", 0, 0, G_OPTION_ARG_STRING, &options.sensitivity,
      "What a perturbation of this signal leaves there: S = 1 / (1 + L)", "PATH" },
    { "complementary", 0, 0, G_OPTION_ARG_STRING, &options.complementary,
      "What comes back of a perturbation there: T = L / (1 + L)", "PATH" },
    { "perturb", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options.perturb,
      "An input that adds to this signal, which is not cut; may be repeated", "PATH" },
    { "after", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options.after,
      "An output that measures this signal with what is added to it; may be repeated", "PATH" },
    { "break", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options.breaks,
      "Open the wire at this port; may be repeated", "PATH" },
    { "margins", 0, 0, G_OPTION_ARG_NONE, &options.margins,
      "Print margins with all crossings, peaks, whether the closed loop is stable", NULL },
    { "bode", 0, 0, G_OPTION_ARG_NONE, &options.bode, "Print magnitude and phase (degrees)", NULL },
    { "nyquist", 0, 0, G_OPTION_ARG_NONE, &options.nyquist, "Print real and imaginary part", NULL },
    { "nichols", 0, 0, G_OPTION_ARG_NONE, &options.nichols, "Print phase and decibels", NULL },
    { "rlocus", 0, 0, G_OPTION_ARG_NONE, &options.rlocus, "Print the roots of 1 + k L over k",
      NULL },
    { "poles", 0, 0, G_OPTION_ARG_NONE, &options.poles, "Print poles and zeros", NULL },
    { "step-response", 0, 0, G_OPTION_ARG_NONE, &options.step,
      "Print figures and curve of a step response; with --loop that of the closed loop", NULL },
    { "impulse-response", 0, 0, G_OPTION_ARG_NONE, &options.impulse,
      "Print the curve of an impulse response; with --loop that of the closed loop", NULL },
    { "norms", 0, 0, G_OPTION_ARG_NONE, &options.norms,
      "Print the largest gain (hinf), h2, and Hankel's singular values", NULL },
    { "transfer-function", 0, 0, G_OPTION_ARG_NONE, &options.transfer_function,
      "Print the coefficients of numerator and denominator, in s or in z", NULL },
    { "matrices", 0, 0, G_OPTION_ARG_NONE, &options.matrices,
      "Print A, B, C and D between the points", NULL },
    { "sampled", 0, 0, G_OPTION_ARG_STRING, &options.sampled,
      "Look at a continuous system in steps of H seconds", "H" },
    { "sampling", 0, 0, G_OPTION_ARG_STRING, &options.sampling,
      "With --sampled: hold (the default: exact for inputs held from step to step), ramp (exact "
      "for straight ones), tustin",
      "WAY" },
    { "prewarp", 0, 0, G_OPTION_ARG_STRING, &options.prewarp,
      "With --sampling tustin: where the response is to be exact, in rad/s", "W" },
    { "frequencies", 0, 0, G_OPTION_ARG_STRING, &options.frequencies,
      "Of a response, in rad/s: \"[1, 10]\"; by poles and zeros otherwise", "NUMBERS" },
    { "lqr", 0, 0, G_OPTION_ARG_STRING, &options.lqr,
      "Print K of u = -K x for these weights of the states, --weight of the inputs", "Q" },
    { "kalman", 0, 0, G_OPTION_ARG_STRING, &options.kalman,
      "Print the estimator's gain L for this noise on the states, --weight on the outputs", "W" },
    { "place", 0, 0, G_OPTION_ARG_STRING, &options.place,
      "Print K for these poles of A - B K: n numbers, or n pairs of real and imaginary part",
      "POLES" },
    { "weight", 0, 0, G_OPTION_ARG_STRING, &options.weight, "With --lqr and --kalman", "NUMBERS" },
    { "tune", 0, 0, G_OPTION_ARG_STRING, &options.tune,
      "Print a PID controller for what is between input and output: zn-pid, simc, amigo-pid, ..., "
      "margin-pid",
      "RULE" },
    { "pi", 0, 0, G_OPTION_ARG_NONE, &options.pi, "With --tune simc: without derivative part",
      NULL },
    { "closed", 0, 0, G_OPTION_ARG_STRING, &options.closed,
      "With --tune simc: time constant of the closed loop, in seconds", "T" },
    { "crossover", 0, 0, G_OPTION_ARG_STRING, &options.crossover,
      "With --tune margin-pi and margin-pid: where the loop's gain is to fall to 1, in rad/s",
      "W" },
    { "phase-margin", 0, 0, G_OPTION_ARG_STRING, &options.phase_margin,
      "With the same: the phase margin that the loop is to have there, in degrees", "DEGREES" },
    { "filter", 0, 0, G_OPTION_ARG_STRING, &options.filter,
      "With --tune margin-pid: up to where the derivative part is to be one, at least; by default "
      "100 rad/s, as of a PID block",
      "N" },
    { "all-states", 0, 0, G_OPTION_ARG_NONE, &options.all_states, "Keep every state", NULL },
    { "json", 0, 0, G_OPTION_ARG_NONE, &options.json, "Print JSON", NULL },
    { "csv", 0, 0, G_OPTION_ARG_NONE, &options.csv, "Print one number a line", NULL },
    { "out", 'o', 0, G_OPTION_ARG_FILENAME, &options.out,
      "Write the result to this file, by its ending as CSV or JSON, matrices as MAT, or as a "
      "picture: .svg, .pdf or "
      ".png",
      "FILE" },
    { "dark", 0, 0, G_OPTION_ARG_NONE, &options.dark, "A picture of light lines on a dark page",
      NULL },
    { 0 },
  };
  g_autofree GOptionEntry *entries = weir_run_options_get_entries (&options.run, more);
  g_auto (WeirCliModel) opened = { 0 };
  WeirExit status;

  if (!weir_cli_parse (&argc, &argv, "FILE", description, entries, 1, 1))
    return WEIR_EXIT_USAGE;
  if (!options.trim && (options.hold != NULL || options.free != NULL || options.moving != NULL))
    {
      weir_cli_complain ("--hold, --free and --moving say what --trim looks for; add --trim");
      return WEIR_EXIT_USAGE;
    }
  if (!choose_form (&options) || !choose_task (&options))
    return WEIR_EXIT_USAGE;
  if (!weir_cli_check_outputs (
          (const WeirCliFile[]) { { "the model", argv[1], FALSE }, { "--out", options.out, TRUE } },
          2))
    return WEIR_EXIT_USAGE;
  status = weir_cli_model_open (&opened, argv[1], &options.run);
  if (status == WEIR_EXIT_OK && opened.has_units)
    weir_cli_tell (
        "%s: units of co-simulation only change at instants, so that they are linearised as "
        "what they give there, held\n",
        opened.file);
  if (status != WEIR_EXIT_OK)
    return status;
  return options.out != NULL && options.task.picture == NULL && options.task.mat == NULL
             ? linearize_to_file (&opened, &options)
             : linearize (&opened, &options);
}

/* Models as C, by two compilers at all levels: they have nothing to say to it, and runs of what
 * they make are the model's own to the bit, with a fixed step and with step control. Many models
 * are one program, so that many can be tried.
 *
 * WEIR_DIAGRAMS: how many random diagrams, for a longer look (`tests/run generated N`), which all
 * compilers and levels take part in. */
#include "diagrams.h"

#include <math.h>

#include "cli/cli-private.h"
#include "generate/generate-private.h"
#include "model/completion/completion.h"
#include "model/files/xml.h"
#include "../folders.h"

#define STEP 0.01
#define MOST_MODELS 32 /* of one program */

static const char *const solvers[] = { "rk4", "euler", "dormand-prince" };

/* How a way is taken. */
typedef enum {
  WAY_USUAL,
  WAY_LONG,  /* only in long looks */
  WAY_OTHER, /* another processor's */
  WAY_MOVED, /* this one's with another mathematics library: to compare the other's with */
} WayKind;

/* A way from C to what it prints. */
typedef struct {
  const char *name, *compiler, *flags;
  WayKind kind;
  const char *runner;
} Way;

/* clang-format off */
static const Way ways[] = {
  { "gcc-0", "gcc", "-O0", WAY_USUAL, "" },
  { "gcc-1", "gcc", "-O1", WAY_LONG, "" },
  { "gcc-2", "gcc", "-O2", WAY_USUAL, "" },
  { "gcc-3", "gcc", "-O3", WAY_LONG, "" },
  { "clang-0", "clang", "-O0", WAY_LONG, "" },
  { "clang-1", "clang", "-O1", WAY_LONG, "" },
  { "clang-2", "clang", "-O2", WAY_LONG, "" },
  { "clang-3", "clang", "-O3", WAY_USUAL, "" },
  { "moved", "gcc", "-O1", WAY_MOVED, "" },
  { "arm", "arm-linux-gnueabihf-gcc", "-O1 -static", WAY_OTHER, "qemu-arm" },
};
/* clang-format on */

/* Functions that may round otherwise elsewhere, with one argument or two. */
static const char *const functions[] = { "sin",  "cos",   "tan",   "asin",  "acos",  "atan",
                                         "sinh", "cosh",  "tanh",  "asinh", "acosh", "atanh",
                                         "exp",  "expm1", "log",   "log10", "log1p", "log2",
                                         "cbrt", "erf",   "atan2", "pow",   "hypot" };
#define N_OF_ONE (G_N_ELEMENTS (functions) - 3)

typedef struct {
  char *origin; /* a file, or the number of a diagram */
  char *name;   /* in C */
  double until; /* s */
  gboolean calls_libm;
  char *expected[G_N_ELEMENTS (solvers)];
  gboolean grows[G_N_ELEMENTS (solvers)]; /* from last bits of functions, to more than is close */
} Case;

typedef struct {
  char *folder;
  GPtrArray *cases;   /* of the program in hand */
  gboolean *has_type; /* by type of block: was it run? */
  gboolean is_other;  /* by another processor */
  gboolean is_strict; /* compilers must have nothing to say */
  guint n_tried, n_invalid, n_refused, n_models;
  guint n_runs[G_N_ELEMENTS (ways)], n_same[G_N_ELEMENTS (ways)], n_different[G_N_ELEMENTS (ways)];
  guint n_set_aside; /* of those of another processor */
} Look;

static void
case_free (gpointer data)
{
  Case *self = data;

  g_free (self->origin);
  g_free (self->name);
  for (guint s = 0; s < G_N_ELEMENTS (solvers); s++)
    g_free (self->expected[s]);
  g_free (self);
}

/* How many diagrams are asked for; 0 = not by hand. */
static guint
get_n_asked (void)
{
  const char *asked = g_getenv ("WEIR_DIAGRAMS");

  return asked != NULL ? (guint) g_ascii_strtoull (asked, NULL, 10) : 0;
}

static gboolean
has_program (const char *name)
{
  g_autofree char *found = g_find_program_in_path (name);

  return found != NULL;
}

static gboolean
has_way (const Way *way, gboolean is_other)
{
  if (is_other != (way->kind >= WAY_OTHER) || !has_program (way->compiler)
      || (*way->runner != '\0' && !has_program (way->runner)))
    return FALSE;
  return way->kind != WAY_LONG || get_n_asked () > 0;
}

static void
write_file (const Look *self, const char *name, const char *text)
{
  g_autofree char *path = g_build_filename (self->folder, name, NULL);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

/* --- Models ---------------------------------------------------------------------------------- */

static gboolean
calls_libm (const char *text)
{
  gboolean has_any = FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (functions) && !has_any; i++)
    {
      g_autofree char *call = g_strdup_printf ("\\b%s \\(", functions[i]);

      has_any = g_regex_match_simple (call, text, 0, 0);
    }
  return has_any;
}

/* What all models share is written once. */
static void
write_sources (const Look *self, const WeirGenerated *files)
{
  for (guint i = 0; i < weir_generated_get_n_files (files); i++)
    {
      const char *name = weir_generated_get_name (files, i);
      g_autofree char *path = g_build_filename (self->folder, name, NULL);

      if (strcmp (name, "main.c") != 0 && strcmp (name, "Makefile") != 0
          && (!g_str_has_prefix (name, "weir") || !g_file_test (path, G_FILE_TEST_EXISTS)))
        write_file (self, name, weir_generated_get_text (files, i));
    }
}

/* To the model's own end or to @until, whichever comes first. FALSE: the model of @path is none, or
 * cannot be written as C. */
static gboolean
add_model (Look *self, const char *path, const char *origin, double until)
{
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (WeirModel) model = weir_model_read_file (file, diagnostics);
  g_autoptr (WeirSystem) system = NULL;
  g_auto (WeirRunOptions) given = { 0 };
  WeirSimulatorOptions options;
  g_auto (GStrv) ports = NULL;
  g_autoptr (WeirGenerated) files = NULL;
  Case *made;
  double stop_time, rate;

  self->n_tried++;
  g_assert_nonnull (model);
  system = weir_model_complete (model, diagnostics);
  if (system == NULL)
    {
      self->n_invalid++;
      return FALSE;
    }
  g_assert_cmpint (weir_run_options_resolve (&given, model, &options, &stop_time, &rate), ==,
                   WEIR_EXIT_OK);
  options.solver = solvers[0];
  options.step = STEP;
  ports = weir_cli_list_ports (model, system, NULL);
  made = g_new0 (Case, 1);
  made->origin = g_strdup (origin);
  made->name = g_strdup_printf ("m%u", self->cases->len);
  made->until = MIN (until, stop_time);
  files = weir_generate (system, made->name, &options, (const char *const *) ports, diagnostics);
  if (files == NULL)
    {
      g_test_message ("%s: %s", origin, weir_diagnostics_get (diagnostics, 0)->text);
      self->n_refused++;
      case_free (made);
      return FALSE;
    }
  for (guint s = 0; s < G_N_ELEMENTS (solvers); s++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GBytes) own = NULL;

      options.solver = solvers[s];
      own = weir_generate_run (system, &options, (const char *const *) ports, made->until, &error);
      g_assert_no_error (error);
      made->expected[s] = g_strndup (g_bytes_get_data (own, NULL), g_bytes_get_size (own));
    }
  made->calls_libm = calls_libm (weir_generated_get_text (files, 1));
  write_sources (self, files);
  g_ptr_array_add (self->cases, made);
  self->n_models++;
  return TRUE;
}

/* --- The program ----------------------------------------------------------------------------- */

static const char driver_head[] =
    "#include \"weir-simulator.h\"\n#include <stdio.h>\n#include <stdlib.h>\n"
    "static WeirStatus\nprint_row (WeirContext *context, void *data)\n{\n"
    "  double *values = data;\n  char text[40];\n\n"
    "  if (context->system->record (context, values) != WEIR_OK)\n    return WEIR_FAILED;\n"
    "  *weir_write_number (context->now, text) = '\\0';\n  fputs (text, stdout);\n"
    "  for (guint i = 0; i < context->system->n_columns; i++)\n    {\n"
    "      *weir_write_number (values[i], text) = '\\0';\n      printf (\",%s\", text);\n    }\n"
    "  putchar ('\\n');\n  return WEIR_OK;\n}\n\n"
    "static void\nrun (WeirContext *context, WeirRunSettings settings, const char *solver, double "
    "until)\n{\n"
    "  double *values = calloc (context->system->n_columns + 1u, sizeof *values);\n"
    "  WeirSimulator *simulator;\n\n  settings.solver = solver;\n"
    "  simulator = weir_simulator_make (context, &settings, print_row, values);\n"
    "  printf (\"time\");\n  for (guint i = 0; i < context->system->n_columns; i++)\n"
    "    printf (\",%s\", context->system->columns[i]);\n  printf (\"\\n\");\n"
    "  if (weir_simulator_begin (simulator))\n    weir_simulator_advance (simulator, until);\n"
    "  printf (\"=\");\n  weir_simulator_destroy (simulator);\n  free (values);\n}\n\n";

/* Runs all models with all solvers, and prints a = behind each run. */
static void
write_driver (const Look *self)
{
  g_autoptr (GString) text = g_string_new (driver_head), calls = g_string_new (NULL);

  for (guint i = 0; i < self->cases->len; i++)
    {
      const Case *made = self->cases->pdata[i];

      g_string_append_printf (text, "#include \"%s.h\"\nstatic M%s model_%u;\n", made->name,
                              made->name + 1, i);
      for (guint s = 0; s < G_N_ELEMENTS (solvers); s++)
        g_string_append_printf (calls,
                                "  %s_init (&model_%u);\n"
                                "  run (&model_%u.context, %s_settings, \"%s\", %.17g);\n",
                                made->name, i, i, made->name, solvers[s], made->until);
    }
  g_string_append_printf (text, "int\nmain (void)\n{\n%s  return 0;\n}\n", calls->str);
  write_file (self, "driver.c", text->str);
}

/* Functions whose results are one up, one down, or as they are, by their bits; whole numbers have
 * no other bits elsewhere. (transfer full) what the linker is told about them. */
static char *
write_moved (const Look *self)
{
  g_autoptr (GString)
      text = g_string_new ("#include <math.h>\n#include <stdint.h>\n#include <string.h>\n"
                           "static double\nmove (double y)\n{\n  uint64_t bits;\n"
                           "  memcpy (&bits, &y, sizeof bits);\n"
                           "  if (!isfinite (y) || y == round (y))\n    return y;\n"
                           "  switch (bits * UINT64_C (0x9E3779B97F4A7C15) >> 62)\n    {\n"
                           "    case 0:\n      return nextafter (y, (double) INFINITY);\n"
                           "    case 1:\n      return nextafter (y, -(double) INFINITY);\n"
                           "    default:\n      return y;\n    }\n}\n");
  GString *flags = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (functions); i++)
    {
      const char *name = functions[i], *more = i < N_OF_ONE ? "" : ", double";

      g_string_append_printf (text,
                              "double __real_%s (double%s);\ndouble __wrap_%s (double%s);\n"
                              "double __wrap_%s (double a%s%s)\n"
                              "{ return move (__real_%s (a%s)); }\n",
                              name, more, name, more, name, more, i < N_OF_ONE ? "" : " b", name,
                              i < N_OF_ONE ? "" : ", b");
      g_string_append_printf (flags, " -Wl,--wrap=%s", name);
    }
  write_file (self, "moved.c", text->str);
  return g_string_free (flags, FALSE);
}

static void
write_build (const Look *self)
{
  g_autofree char *wraps = write_moved (self);
  g_autoptr (GString)
      text = g_string_new ("rule link\n  command = $compiler -o $out $in -lm $flags\n"
                           "rule run\n  command = $runner $in > $out.part && mv $out.part $out\n"
                           "rule compile\n  command = $compiler $exact $strict $flags -c -o $out "
                           "$in\n"
                           "exact = " WEIR_GENERATE_EXACT "\n");

  if (self->is_strict)
    g_string_append (text, "strict = -Wall -Wextra -Wconversion -pedantic -Werror\n");

  for (guint w = 0; w < G_N_ELEMENTS (ways); w++)
    {
      const Way *way = &ways[w];
      const char *const others[] = { "driver", "weir-simulator", "moved" };
      g_autoptr (GString) objects = g_string_new (NULL);
      gboolean is_moved = way->kind == WAY_MOVED;

      if (!has_way (way, self->is_other))
        continue;
      for (guint i = 0; i < self->cases->len + (is_moved ? 3 : 2); i++)
        {
          const char *source = i < self->cases->len ? ((Case *) self->cases->pdata[i])->name
                                                    : others[i - self->cases->len];

          g_string_append_printf (text,
                                  "build %s/%s.o: compile %s.c\n  compiler = %s\n  flags = %s\n",
                                  way->name, source, source, way->compiler, way->flags);
          g_string_append_printf (objects, " %s/%s.o", way->name, source);
        }
      g_string_append_printf (text,
                              "build %s/run: link%s\n  compiler = %s\n  flags = %s%s\n"
                              "build %s/out: run %s/run\n  runner = %s\n",
                              way->name, objects->str, way->compiler, way->flags,
                              is_moved ? wraps : "", way->name, way->name, way->runner);
    }
  write_file (self, "build.ninja", text->str);
}

static void
make (const Look *self)
{
  g_autofree char *output = NULL;
  g_autoptr (GError) error = NULL;
  int status = 0;

  g_spawn_sync (NULL,
                (char *[]) { (char *) "ninja", (char *) "-C", self->folder, (char *) "-j2", NULL },
                NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &output, NULL, &status, &error);
  g_assert_no_error (error);
  if (status != 0)
    g_test_message ("%s", output);
  g_assert_cmpint (status, ==, 0);
}

/* --- Comparing ------------------------------------------------------------------------------- */

/* (transfer full) the first lines that are not alike. */
static char *
dup_difference (const char *a, const char *b)
{
  g_auto (GStrv) own = g_strsplit (a, "\n", -1), other = g_strsplit (b, "\n", -1);
  guint i = 0;

  while (own[i] != NULL && g_strcmp0 (own[i], other[i]) == 0)
    i++;
  return g_strdup_printf ("%s\n%s\n%s", own[0], own[i], other[i]);
}

/* How steep a column is about a row, by the rows beside it. */
static double
get_slope (gchar ***rows, guint n, guint row, guint column)
{
  double slope = 0;

  for (guint i = row > 0 ? row - 1 : 0; i + 1 < n && i <= row; i++)
    {
      double t[2], y[2];

      for (guint k = 0; k < 2; k++)
        {
          t[k] = g_ascii_strtod (rows[i + k][0], NULL);
          y[k] = g_ascii_strtod (rows[i + k][column], NULL);
        }
      if (t[1] > t[0])
        slope = fmax (slope, fabs ((y[1] - y[0]) / (t[1] - t[0])));
    }
  return slope;
}

static gchar ***
split_rows (const char *text, guint *n)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  gchar ***rows;

  *n = g_strv_length (lines);
  *n -= *n > 0 && *lines[*n - 1] == '\0';
  rows = g_new0 (gchar **, *n + 1);
  for (guint i = 0; i < *n; i++)
    rows[i] = g_strsplit (lines[i], ",", -1);
  return rows;
}

static void
free_rows (gchar ***rows)
{
  for (guint i = 0; rows[i] != NULL; i++)
    g_strfreev (rows[i]);
  g_free (rows);
}

/* Numbers of the mathematics library's functions may have another last bit; and so have the times
 * that step control makes of its powers and that crossings are found at, with the values there. */
static gboolean
is_close (const char *a, const char *b)
{
  guint n, n_other;
  gchar ***own = split_rows (a, &n), ***other = split_rows (b, &n_other);
  gboolean ok = n == n_other && n > 0 && g_str_equal (own[0][0], "time");

  for (guint i = 1; i < n && ok; i++)
    {
      double late = fabs (g_ascii_strtod (own[i][0], NULL) - g_ascii_strtod (other[i][0], NULL));

      ok = late <= 1e-12 && g_strv_length (own[i]) == g_strv_length (other[i]);
      for (guint k = 1; ok && own[i][k] != NULL; k++)
        {
          double x = g_ascii_strtod (own[i][k], NULL), y = g_ascii_strtod (other[i][k], NULL);

          ok = g_str_equal (own[i][k], other[i][k])
               || fabs (x - y) <= 1e-12 * fmax (fabs (x), 1)
                                      + 2 * late * get_slope (own + 1, n - 1, i - 1, k);
        }
    }
  free_rows (own);
  free_rows (other);
  return ok;
}

/* Is the run of another processor what it may be? Where last bits of functions move the results
 * here too, as where steps or crossings follow them, it is not told what it should be. */
static gboolean
may_differ (Look *self, const Case *made, guint solver, const char *run)
{
  gboolean may_round = made->calls_libm || strcmp (solvers[solver], "dormand-prince") == 0;

  if (may_round && is_close (made->expected[solver], run))
    return TRUE;
  self->n_set_aside += may_round && made->grows[solver];
  return may_round && made->grows[solver];
}

static void
compare (Look *self, guint way)
{
  g_autofree char *path = g_build_filename (self->folder, ways[way].name, "out", NULL);
  g_autofree char *text = NULL;
  g_auto (GStrv) runs = NULL;
  guint n_solvers = G_N_ELEMENTS (solvers);

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  runs = g_strsplit (text, "=", -1);
  g_assert_cmpuint (g_strv_length (runs), ==, n_solvers * self->cases->len + 1);
  for (guint i = 0; i < n_solvers * self->cases->len; i++)
    {
      Case *made = self->cases->pdata[i / n_solvers];
      guint solver = i % n_solvers;
      const char *own = made->expected[solver];
      gboolean is_same = strcmp (own, runs[i]) == 0;

      self->n_runs[way]++;
      self->n_same[way] += is_same;
      if (ways[way].kind == WAY_MOVED)
        made->grows[solver] = !is_close (own, runs[i]);
      else if (!is_same && !(self->is_other && may_differ (self, made, solver, runs[i])))
        {
          g_autofree char *difference = dup_difference (own, runs[i]);

          self->n_different[way]++;
          g_test_message ("%s, %s, %s: %s", ways[way].name, made->origin, solvers[solver],
                          difference);
        }
    }
}

/* The models of the program in hand, by all ways; there is none in hand after it. */
static void
try_all (Look *self)
{
  if (self->cases->len == 0)
    return;
  write_driver (self);
  write_build (self);
  make (self);
  for (guint w = 0; w < G_N_ELEMENTS (ways); w++)
    if (has_way (&ways[w], self->is_other))
      compare (self, w);
  g_ptr_array_set_size (self->cases, 0);
  g_test_message ("%u models so far", self->n_models);
}

static void
look_begin (Look *self, gboolean is_other)
{
  *self = (Look) { .is_other = is_other,
                   .folder = g_dir_make_tmp ("weir-XXXXXX", NULL),
                   .cases = g_ptr_array_new_with_free_func (case_free),
                   .has_type = g_new0 (gboolean, weir_registry_get_n_types ()) };
}

static void
look_end (Look *self)
{
  guint n_different = 0;

  try_all (self);
  g_test_message ("%u tried: %u are no models, %u cannot be written, %u were run", self->n_tried,
                  self->n_invalid, self->n_refused, self->n_models);
  for (guint w = 0; w < G_N_ELEMENTS (ways); w++)
    {
      if (self->n_runs[w] == 0)
        continue;
      g_test_message ("%s: %u runs, %u the same to the bit, %u different", ways[w].name,
                      self->n_runs[w], self->n_same[w], self->n_different[w]);
      n_different += self->n_different[w];
      if (ways[w].kind == WAY_OTHER)
        {
          g_test_message ("%u set aside, as last bits of functions move them here too",
                          self->n_set_aside);
          g_assert_cmpuint (20 * self->n_set_aside, <=, self->n_runs[w]);
        }
    }
  remove_folder (self->folder);
  g_free (self->folder);
  g_free (self->has_type);
  g_ptr_array_unref (self->cases);
  g_assert_cmpuint (n_different, ==, 0);
}

/* --- Tests ----------------------------------------------------------------------------------- */

/* Also leaves a test where all compilers are missing. */
static gboolean
has_compilers (gboolean is_other)
{
  gboolean has_any = FALSE;

  for (guint w = 0; w < G_N_ELEMENTS (ways); w++)
    has_any |= has_way (&ways[w], is_other) && ways[w].kind != WAY_MOVED;
#ifdef __SANITIZE_ADDRESS__
  g_test_skip ("what compilers make has no sanitizer in it");
  return FALSE;
#endif
  if (!has_any || !has_program ("ninja"))
    g_test_skip (is_other ? "there is no compiler for arm, no qemu-arm or no ninja"
                          : "there is no compiler, or no ninja");
  return has_any && has_program ("ninja");
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* Models of a folder of the data. */
static void
add_folder (Look *self, const char *folder)
{
  double until = self->is_other ? 0.2 : 1; /* others are slower */
  g_autofree char *path = g_build_filename (g_getenv ("WEIR_DATA"), folder, NULL);
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_free);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, ".weir"))
      g_ptr_array_add (files, g_build_filename (path, name, NULL));
  g_ptr_array_sort (files, compare_names);
  for (guint i = 0; i < files->len; i++)
    {
      add_model (self, files->pdata[i], files->pdata[i], until);
      if (self->cases->len == MOST_MODELS)
        try_all (self);
    }
}

static void
look_at_examples (gboolean is_other)
{
  Look look;

  if (!has_compilers (is_other))
    return;
  look_begin (&look, is_other);
  look.is_strict = !is_other && get_n_asked () == 0; /* other levels see what is not there */
  add_folder (&look, "examples");
  add_folder (&look, "lessons");
  g_assert_cmpuint (look.n_models, >, 40);
  look_end (&look);
}

static void
test_examples (void)
{
  look_at_examples (FALSE);
}

/* On a processor of 32 bits: the same, but for the last bits of what the mathematics library gives.
 */
static void
test_arm (void)
{
  look_at_examples (TRUE);
}

/* Every type, where there are many. */
static void
count_types (const Look *self)
{
  guint n_run = 0, n_all = 0;

  for (guint i = 0; i < weir_registry_get_n_types (); i++)
    {
      const WeirBlockType *type = weir_registry_get_type (i);

      n_run += self->has_type[i];
      n_all += is_taken (type);
      if (get_n_asked () >= n_all && is_taken (type) && !self->has_type[i])
        g_test_message ("no model had a %s", type->name);
    }
  g_test_message ("%u of %u types were run", n_run, n_all);
}

/* Blocks wired at random; what cannot be wired so is no model. */
static void
test_random (void)
{
  guint n = get_n_asked () > 0 ? get_n_asked () : 4;
  guint32 seed = get_test_seed (31);
  guint n_types = weir_registry_get_n_types ();
  Look look;

  if (!has_compilers (FALSE))
    return;
  look_begin (&look, FALSE);
  while (look.n_models < n)
    {
      g_autofree gboolean *has = g_new0 (gboolean, n_types);
      g_autofree char *path = NULL, *origin = g_strdup_printf ("diagram %u", look.n_tried);
      gboolean is_model;

      g_rand_set_seed (test_rand, seed + look.n_tried);
      path = write_random_diagram (find_taken (look.n_tried), has);
      is_model = add_model (&look, path, origin, 0.5);
      for (guint i = 0; i < n_types && is_model; i++)
        look.has_type[i] |= has[i];
      g_unlink (path);
      if (look.cases->len == MOST_MODELS)
        try_all (&look);
    }
  count_types (&look);
  look_end (&look);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/generate/compilers/examples", test_examples);
  g_test_add_func ("/generate/compilers/arm", test_arm);
  g_test_add_func ("/generate/compilers/random", test_random);
  return g_test_run ();
}

/* Models as C: runs of the generated code are the model's own to the bit, for a diagram that has
 * every block type (test-compilers.c has examples and random ones); names, refusals and failures.
 * The expected numbers are those of the program's own run, which other tests compare with closed
 * forms: what is tested here is that nothing differs. */
#include "../cli/program.h"

#include "diagrams.h"
#include "../folders.h"

/* Also leaves this test where there is no compiler. */
static gboolean
has_compiler (void)
{
  g_autofree char *compiler = g_find_program_in_path ("cc");

  if (compiler == NULL)
    g_test_skip ("there is no C compiler");
  return compiler != NULL;
}

static void
assert_identical (const char *file, const char *solver, const char *until)
{
  g_auto (Outcome) outcome = weir_with (NULL, NULL,
                                        ARGUMENTS ("verify", "--generated", file, "--solver",
                                                   solver, "--step", "0.01", "--until", until));

  g_test_message ("%s, %s: %s%s", file, solver, outcome.out, outcome.err);
  g_assert_cmpint (outcome.status, ==, 0);
  g_assert_nonnull (strstr (outcome.out, "identical as C with"));
}

/* --- Every block type ------------------------------------------------------------------------ */

/* (transfer full) the path of a model with a block of each type. */
static char *
write_every_block (guint *n_types, guint *n_all)
{
  Diagram diagram = { g_string_new (NULL), g_string_new (NULL), 0, NULL };

  for (guint i = 0; i < weir_registry_get_n_types (); i++)
    *n_all += weir_registry_get_type (i)->build != NULL; /* others are structure, or of networks */
  for (guint i = 0; i < weir_registry_get_n_types (); i++)
    if (is_taken (weir_registry_get_type (i)))
      {
        add_block (&diagram, weir_registry_get_type (i));
        ++*n_types;
      }
  return write_diagram (&diagram);
}

static void
test_every_block (void)
{
  guint n_types = 0, n_all = 0;
  g_autofree char *path = write_every_block (&n_types, &n_all);

  if (!has_compiler ())
    return;
  g_test_message ("%u of %u types", n_types, n_all);
  g_assert_cmpuint (10 * n_types, >=, 9 * n_all);
  assert_identical (path, "rk4", "3");
  assert_identical (path, "dormand-prince", "3");
  g_unlink (path);
}

/* Equations that are solved from where the last step ended: two folds, and diodes of one's own. */
static const char sought[] =
    "<block id=\"1\" type=\"Equations\" name=\"Fold\" x=\"0\" y=\"0\">"
    "<parameter name=\"equations\" value=\"u ~ sin(t)&#10;x^3 - x ~ u&#10;guess x = -1&#10;"
    "D(s) ~ x&#10;initial s = 0&#10;output x, s\"/></block>"
    "<block id=\"2\" type=\"Equations\" name=\"Rectifier\" x=\"0\" y=\"0\">"
    "<parameter name=\"equations\" value=\"parameter Is = 1e-14, Vt = 0.02585&#10;"
    "0.001*D(c) ~ i - c/100&#10;i ~ (100*sin(3*t) - v - c)/0.1&#10;i ~ Is*(exp(v/Vt) - 1)&#10;"
    "guess v = 0&#10;initial c = 0&#10;output c, i\"/></block>"
    "<block id=\"3\" type=\"Display\" name=\"A\" x=\"0\" y=\"0\"/>"
    "<block id=\"4\" type=\"Display\" name=\"B\" x=\"0\" y=\"0\"/>"
    "<block id=\"5\" type=\"Display\" name=\"C\" x=\"0\" y=\"0\"/>"
    "<wire id=\"20\" from=\"1.x\" to=\"3.u\"/><wire id=\"21\" from=\"1.s\" to=\"4.u\"/>"
    "<wire id=\"22\" from=\"2.c\" to=\"5.u\"/>";

static void
test_sought (void)
{
  g_autofree char *path = write_model (sought);

  if (!has_compiler ())
    return;
  assert_identical (path, "dormand-prince", "7");
  assert_identical (path, "rk4", "2");
  g_unlink (path);
}

static void
assert_type_refused (const char *table, const WeirBlockType *type)
{
  const char *why = weir_generate_find_obstacle (type->name);
  g_autofree char *name = g_strdup_printf ("<code>%s</code>", type->name);
  const char *row = strstr (table, name);
  g_autofree char *reason = NULL;
  const char *end;

  if (why == NULL)
    {
      g_assert_null (row);
      return;
    }
  g_assert_nonnull (row);
  end = strstr (row, "</tr>");
  reason = g_strdup_printf ("<td><p>%s</p></td>", why);
  g_assert_nonnull (g_strstr_len (row, end - row, reason));
}

/* The table in the help is that by which types are refused. */
static void
test_table (void)
{
  g_autofree char *page = g_build_filename (g_getenv ("WEIR_DATA"), "help", "C", "run-options.page",
                                            NULL);
  g_autofree char *text = NULL;
  char *table, *end;

  g_assert_true (g_file_get_contents (page, &text, NULL, NULL));
  table = strstr (strstr (text, "<section id=\"generate\">"), "<table");
  end = strstr (table, "</table>");
  *end = '\0';
  for (guint i = 0; i < weir_registry_get_n_types (); i++)
    assert_type_refused (table, weir_registry_get_type (i));
}

/* --- Long runs ------------------------------------------------------------------------------- */

/* Three rates, crossings, a delay. */
static const char hybrid[] =
    "<block id=\"1\" type=\"Sine\" name=\"Drive\" x=\"0\" y=\"0\">"
    "<parameter name=\"frequency\" value=\"0.37\"/></block>"
    "<block id=\"2\" type=\"ZeroOrderHold\" name=\"Fast\" x=\"0\" y=\"0\">"
    "<parameter name=\"period\" value=\"0.02\"/></block>"
    "<block id=\"3\" type=\"UnitDelay\" name=\"Middle\" x=\"0\" y=\"0\">"
    "<parameter name=\"period\" value=\"0.03\"/></block>"
    "<block id=\"4\" type=\"DiscreteIntegrator\" name=\"Slow\" x=\"0\" y=\"0\">"
    "<parameter name=\"period\" value=\"0.07\"/></block>"
    "<block id=\"5\" type=\"TransportDelay\" name=\"Pipe\" x=\"0\" y=\"0\">"
    "<parameter name=\"delay\" value=\"0.11\"/></block>"
    "<block id=\"6\" type=\"Relay\" name=\"Switch\" x=\"0\" y=\"0\"/>"
    "<block id=\"7\" type=\"Integrator\" name=\"Sum\" x=\"0\" y=\"0\"/>"
    "<block id=\"8\" type=\"Display\" name=\"A\" x=\"0\" y=\"0\"/>"
    "<block id=\"9\" type=\"Display\" name=\"B\" x=\"0\" y=\"0\"/>"
    "<block id=\"10\" type=\"Display\" name=\"C\" x=\"0\" y=\"0\"/>"
    "<wire id=\"20\" from=\"1.y\" to=\"2.u\"/><wire id=\"21\" from=\"2.y\" to=\"3.u\"/>"
    "<wire id=\"22\" from=\"3.y\" to=\"4.u\"/><wire id=\"23\" from=\"1.y\" to=\"5.u\"/>"
    "<wire id=\"24\" from=\"5.y\" to=\"6.u\"/><wire id=\"25\" from=\"5.y\" to=\"7.u\"/>"
    "<wire id=\"26\" from=\"4.y\" to=\"8.u\"/><wire id=\"27\" from=\"7.y\" to=\"9.u\"/>"
    "<wire id=\"28\" from=\"6.y\" to=\"10.u\"/>";

/* A main of one's own: prints each row, and at the end what was allocated on the way, what is left
 * of all that ever was, and how often each rate came, at n times its period; such products are as
 * near as their roundings. */
static const char own_main[] =
    "#include \"hybrid.h\"\n#include <stdio.h>\n#include <stdlib.h>\n"
    "static unsigned long n_allocated, n_freed, n_rows;\n"
    "static const double periods[3] = { 0.02, 0.03, 0.07 };\nstatic long n[3];\n"
    "void *__real_malloc (size_t size);\nvoid *__real_calloc (size_t n, size_t size);\n"
    "void *__real_realloc (void *old, size_t size);\nvoid __real_free (void *memory);\n"
    "void *__wrap_malloc (size_t size);\nvoid *__wrap_calloc (size_t count, size_t size);\n"
    "void *__wrap_realloc (void *old, size_t size);\nvoid __wrap_free (void *memory);\n"
    "void *__wrap_malloc (size_t size) { n_allocated++; return __real_malloc (size); }\n"
    "void *__wrap_calloc (size_t count, size_t size)\n"
    "{ n_allocated++; return __real_calloc (count, size); }\n"
    "void *__wrap_realloc (void *old, size_t size)\n"
    "{ n_allocated += old == NULL; return __real_realloc (old, size); }\n"
    "void __wrap_free (void *memory) { n_freed += memory != NULL; __real_free (memory); }\n"
    "static WeirStatus row (WeirContext *context, void *data)\n{\n  double values[3];\n"
    "  char line[160], *end = weir_write_number (context->now, line);\n  (void) data;\n"
    "  if (context->system->record (context, values) != WEIR_OK)\n    return WEIR_FAILED;\n"
    "  for (int i = 0; i < 3; i++)\n    {\n      double due = (double) n[i] * periods[i];\n"
    "      if (fabs (context->now - due) <= 4 * DBL_EPSILON * due)\n        n[i]++;\n"
    "      *end++ = ',';\n      end = weir_write_number (values[i], end);\n    }\n"
    "  *end++ = '\\n';\n  fwrite (line, 1, (size_t) (end - line), stdout);\n  n_rows++;\n"
    "  return WEIR_OK;\n}\n"
    "int main (int argc, char **argv)\n{\n  static Hybrid model;\n"
    "  unsigned long before;\n  WeirSimulator *run;\n  hybrid_init (&model);\n"
    "  run = weir_simulator_make (&model.context, &hybrid_settings, row, NULL);\n"
    "  before = n_allocated;\n  printf (\"time,Slow.y,Sum.y,Switch.y\\n\");\n"
    "  if (argc != 2 || !weir_simulator_begin (run)\n"
    "      || !weir_simulator_advance (run, strtod (argv[1], NULL)))\n    return 1;\n"
    "  before = n_allocated - before;\n  weir_simulator_destroy (run);\n"
    "  fprintf (stderr, \"%lu allocated, %lu left, %ld %ld %ld instants, %lu rows\\n\",\n"
    "           before, n_allocated - n_freed, n[0], n[1], n[2], n_rows);\n  return 0;\n}\n";

/* Each row of both, as they come: what runs is as long as one likes. What the C says of itself is
 * printed last. */
static const char compare_script[] =
    "cd \"$1\" && cc -O1 -ffp-contract=off -Wl,--wrap=malloc -Wl,--wrap=calloc -Wl,--wrap=realloc "
    "-Wl,--wrap=free -o own own.c hybrid.c weir-simulator.c -lm && mkfifo rows || exit 1\n"
    "./own \"$3\" >rows 2>told &\n"
    "\"$WEIR_PROGRAM\" run \"$2\" --solver rk4 --step 0.01 --until \"$3\" | cmp - rows || exit 1\n"
    "wait $! && cat told";

/* Nothing is allocated once the run is made, nothing is left of what was, and nothing drifts.
 * WEIR_UNTIL: whole seconds, for longer runs; the delay makes 582 steps of one, and instants and
 * crossings some more. */
static void
test_long_run (void)
{
  const char *until = g_getenv ("WEIR_UNTIL") != NULL ? g_getenv ("WEIR_UNTIL") : "20";
  g_autofree char *model = write_model (hybrid);
  g_autofree char *folder = g_dir_make_tmp ("weir-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "own.c", NULL);
  g_autofree char *found = NULL, *expected = NULL;
  g_auto (Outcome) made = { 0 };
  gint64 hundredths = 100 * g_ascii_strtoll (until, NULL, 10);
  int status = 0;

  if (!has_compiler ())
    return;
  made = weir_with (NULL, NULL,
                    ARGUMENTS ("generate", model, "--out", folder, "--prefix", "hybrid", "--solver",
                               "rk4", "--step", "0.01"));
  g_assert_cmpint (made.status, ==, 0);
  g_assert_true (g_file_set_contents (path, own_main, -1, NULL));
  g_assert_true (g_spawn_sync (NULL,
                               (char *[]) { (char *) "sh", (char *) "-c", (char *) compare_script,
                                            (char *) "sh", folder, model, (char *) until, NULL },
                               NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &found, NULL, &status, NULL));
  g_test_message ("%s", found);
  g_assert_cmpint (status, ==, 0);
  expected = g_strdup_printf ("0 allocated, 0 left, %" G_GINT64_FORMAT " %" G_GINT64_FORMAT
                              " %" G_GINT64_FORMAT " instants, ",
                              hundredths / 2 + 1, hundredths / 3 + 1, hundredths / 7 + 1);
  g_assert_true (g_str_has_prefix (found, expected));
  g_unlink (model);
  remove_folder (folder);
}

/* --- Names, refusals, failures --------------------------------------------------------------- */

/* What a compiler would take for something else, or for each other. */
static void
test_names (void)
{
  g_autofree char *path = write_model (
      "<block id=\"1\" type=\"Sine\" name=\"int\" x=\"0\" y=\"0\"/>"
      "<block id=\"2\" type=\"Gain\" name=\"a b\" x=\"0\" y=\"0\"/>"
      "<block id=\"3\" type=\"Gain\" name=\"a_b\" x=\"0\" y=\"0\"/>"
      "<block id=\"4\" type=\"Integrator\" name=\"1 */ #define x\" x=\"0\" y=\"0\"/>"
      "<block id=\"5\" type=\"Sum\" name=\"größe\" x=\"0\" y=\"0\"/>"
      "<block id=\"6\" type=\"Display\" name=\"x\" x=\"0\" y=\"0\"/>"
      "<block id=\"7\" type=\"Gain\" name=\"G\" x=\"0\" y=\"0\"/>"
      "<block id=\"8\" type=\"Gain\" name=\"WEIR_OK\" x=\"0\" y=\"0\"/>"
      "<block id=\"9\" type=\"Gain\" name=\"_a\" x=\"0\" y=\"0\"/>"
      "<wire id=\"16\" from=\"4.y\" to=\"7.u\"/><wire id=\"17\" from=\"7.y\" to=\"8.u\"/>"
      "<wire id=\"18\" from=\"8.y\" to=\"9.u\"/>"
      "<wire id=\"10\" from=\"1.y\" to=\"2.u\"/><wire id=\"11\" from=\"1.y\" to=\"3.u\"/>"
      "<wire id=\"12\" from=\"2.y\" to=\"5.in1\"/><wire id=\"13\" from=\"3.y\" to=\"5.in2\"/>"
      "<wire id=\"14\" from=\"5.y\" to=\"4.u\"/><wire id=\"15\" from=\"4.y\" to=\"6.u\"/>");

  if (has_compiler ())
    assert_identical (path, "rk4", "1");
  g_unlink (path);
}

static void
assert_refused (const char *const *arguments, int status, const char *sentence)
{
  g_auto (Outcome) outcome = weir_with (NULL, NULL, arguments);

  g_test_message ("%s%s", outcome.out, outcome.err);
  g_assert_cmpint (outcome.status, ==, status);
  g_assert_true (strstr (outcome.out, sentence) != NULL || strstr (outcome.err, sentence) != NULL);
}

static void
test_refusals (void)
{
  g_autofree char *pendulum = g_build_filename (g_getenv ("WEIR_DATA"), "examples", "pendulum.weir",
                                                NULL);
  g_autofree char *faulty = write_model (
      "<block id=\"1\" type=\"Clock\" name=\"T\" x=\"0\" y=\"0\"/>"
      "<block id=\"2\" type=\"ForgetfulSum\" name=\"Total\" x=\"0\" y=\"0\"/>"
      "<block id=\"3\" type=\"Display\" name=\"D\" x=\"0\" y=\"0\"/>"
      "<wire id=\"10\" from=\"1.y\" to=\"2.in1\"/><wire id=\"11\" from=\"1.y\" to=\"2.in2\"/>"
      "<wire id=\"12\" from=\"2.y\" to=\"3.u\"/>");
  g_autofree char *taken = g_build_filename (faulty, "folder", NULL);
  g_autofree char *nowhere = g_build_filename (faulty, "x.fmu", NULL);

  assert_refused (
      ARGUMENTS ("generate", faulty, "--out", "/nonesuch"), 1,
      "Total: A block of kind ForgetfulSum cannot be written as C: it breaks the rules");
  assert_refused (ARGUMENTS ("generate", pendulum, "--out", taken, "--solver", "cvode-bdf"), 1,
                  "Generated code has no solver \"cvode-bdf\"");
  assert_refused (ARGUMENTS ("generate", pendulum, "--out", taken), 3, "cannot be made");
  assert_refused (ARGUMENTS ("generate", pendulum), 2, "generate needs --out");
  assert_refused (ARGUMENTS ("export", pendulum, "--out", "x.fmu"), 2, "export needs --fmu");
  assert_refused (ARGUMENTS ("export", pendulum, "--fmu", "2", "--out", nowhere), 3,
                  "cannot be written: Not a directory");
  g_unlink (faulty);
}

static void
test_no_compiler (void)
{
  g_autofree char *pendulum = g_build_filename (g_getenv ("WEIR_DATA"), "examples", "pendulum.weir",
                                                NULL);
  g_auto (Outcome) outcome = weir_with (ARGUMENTS ("CC", "no-such-compiler"), NULL,
                                        ARGUMENTS ("verify", "--generated", pendulum));

  g_assert_cmpint (outcome.status, ==, 3);
  g_assert_nonnull (strstr (outcome.err, "the C compiler \"no-such-compiler\" cannot be started"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/generate/code/every-block", test_every_block);
  g_test_add_func ("/generate/code/sought", test_sought);
  g_test_add_func ("/generate/code/table", test_table);
  g_test_add_func ("/generate/code/long-run", test_long_run);
  g_test_add_func ("/generate/code/names", test_names);
  g_test_add_func ("/generate/code/refusals", test_refusals);
  g_test_add_func ("/generate/code/no-compiler", test_no_compiler);
  return g_test_run ();
}

/* Models as C: runs of the generated code are the model's own to the bit, for the examples and for
 * a diagram that has every block type; names, refusals and failures. The expected numbers are those
 * of the program's own run, which other tests compare with closed forms: what is tested here is
 * that nothing differs. */
#include "../cli/program.h"

#include <glib/gstdio.h>

#include "blocks/library/registry.h"
#include "generate/generate.h"

/* Also leaves this test where there is no compiler. */
static gboolean
has_compiler (void)
{
  g_autofree char *compiler = g_find_program_in_path ("cc");

  if (compiler == NULL)
    g_test_skip ("there is no C compiler");
  return compiler != NULL;
}

/* FALSE: the model has units, which make steps of their own, and is refused by their names. */
static gboolean
assert_identical (const char *file, const char *solver, const char *until)
{
  g_auto (Outcome) outcome = weir_with (NULL, NULL,
                                        ARGUMENTS ("verify", "--generated", file, "--solver",
                                                   solver, "--step", "0.01", "--until", until));

  g_test_message ("%s, %s: %s%s", file, solver, outcome.out, outcome.err);
  if (outcome.status == 1
      && strstr (outcome.out, "written as C: it makes steps of its own") != NULL)
    return FALSE;
  g_assert_cmpint (outcome.status, ==, 0);
  g_assert_nonnull (strstr (outcome.out, "identical as C with"));
  return TRUE;
}

/* --- Examples -------------------------------------------------------------------------------- */

static int
compare_names (const char *const *a, const char *const *b)
{
  return strcmp (*a, *b);
}

static void
test_examples (void)
{
  static const char *const solvers[] = { "rk4", "dormand-prince", "euler", "heun" };
  g_autofree char *folder = g_build_filename (g_getenv ("WEIR_DATA"), "examples", NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  const char *name;
  guint n = 0;

  if (!has_compiler ())
    return;
  while ((name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, ".weir"))
      g_ptr_array_add (names, g_build_filename (folder, name, NULL));
  g_assert_cmpuint (names->len, >, 10);
  g_ptr_array_sort (names, (GCompareFunc) compare_names);
  for (guint i = 0; i < names->len; i++)
    n += assert_identical (g_ptr_array_index (names, i), solvers[i % G_N_ELEMENTS (solvers)], "1");
  g_assert_cmpuint (n + 5, >=, names->len);
}

/* --- Every block type ------------------------------------------------------------------------ */

typedef struct {
  GString *blocks, *wires;
  guint n_ids;
  GPtrArray *signals; /* char *, of one number each; NULL: blocks are not wired to each other */
} Diagram;

/* Others are structure, or parts of networks. */
static gboolean
can_be_generated (const WeirBlockType *type)
{
  return type->build != NULL && weir_generate_find_obstacle (type->name) == NULL;
}

/* A signal of @size numbers that no two inputs share. Returns its block. */
static guint
add_source (Diagram *self, guint size)
{
  guint sine = ++self->n_ids, vector, sum;

  g_string_append_printf (self->blocks,
                          "<block id=\"%u\" type=\"Sine\" name=\"Source %u\" x=\"0\" y=\"0\">"
                          "<parameter name=\"amplitude\" value=\"1.5\"/>"
                          "<parameter name=\"bias\" value=\"0.25\"/>"
                          "<parameter name=\"frequency\" value=\"0.%u\"/></block>\n",
                          sine, sine, 2 + sine % 7);
  if (size <= 1)
    return sine;
  vector = ++self->n_ids;
  sum = ++self->n_ids;
  g_string_append_printf (self->blocks,
                          "<block id=\"%u\" type=\"Constant\" name=\"Vector %u\" x=\"0\" y=\"0\">"
                          "<parameter name=\"value\" value=\"[",
                          vector, vector);
  for (guint i = 0; i < size; i++)
    g_string_append_printf (self->blocks, "%s%u", i > 0 ? ", " : "", i + 1);
  g_string_append_printf (self->blocks,
                          "]\"/></block>\n<block id=\"%u\" type=\"Sum\" name=\"Both %u\" x=\"0\" "
                          "y=\"0\"/>\n",
                          sum, sum);
  g_string_append_printf (self->wires, "<wire id=\"%u\" from=\"%u.y\" to=\"%u.in1\"/>\n",
                          ++self->n_ids, sine, sum);
  g_string_append_printf (self->wires, "<wire id=\"%u\" from=\"%u.y\" to=\"%u.in2\"/>\n",
                          ++self->n_ids, vector, sum);
  return sum;
}

/* (transfer full) an output of @size numbers; in a random diagram often that of a block before. */
static char *
dup_signal (Diagram *self, guint size)
{
  if (self->signals != NULL && self->signals->len > 0 && size <= 1
      && g_test_rand_int_range (0, 4) > 0)
    return g_strdup (self->signals->pdata[g_test_rand_int_range (0, (gint32) self->signals->len)]);
  return g_strdup_printf ("%u.y", add_source (self, size));
}

static const char *
get_default (const char *parameter, gpointer data)
{
  const WeirBlockType *type = data;

  return weir_block_type_find_parameter (type, parameter)->default_text;
}

static void
add_block (Diagram *self, const WeirBlockType *type)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (WeirArguments)
      arguments = weir_arguments_new (type, get_default, (gpointer) type, &error);
  g_autoptr (GArray) inputs = NULL, outputs = NULL;
  guint block = ++self->n_ids;

  g_assert_no_error (error);
  inputs = weir_arguments_list_inputs (arguments);
  outputs = weir_arguments_list_outputs (arguments);
  g_string_append_printf (self->blocks,
                          "<block id=\"%u\" type=\"%s\" name=\"The %s %u\" x=\"0\" y=\"0\"/>\n",
                          block, type->name, type->name, block);
  for (guint i = 0; i < inputs->len; i++)
    {
      const WeirPortSpec *port = &g_array_index (inputs, WeirPortSpec, i);
      guint size = strcmp (type->name, "MatrixGain") == 0 ? 2 : port->size;
      g_autofree char *signal = dup_signal (self, size);

      g_string_append_printf (self->wires, "<wire id=\"%u\" from=\"%s\" to=\"%u.%s\"/>\n",
                              ++self->n_ids, signal, block, port->name);
    }
  for (guint i = 0; i < outputs->len; i++)
    {
      const WeirPortSpec *port = &g_array_index (outputs, WeirPortSpec, i);
      guint display = ++self->n_ids;

      g_string_append_printf (self->blocks,
                              "<block id=\"%u\" type=\"Display\" name=\"Shown %u\" x=\"0\" "
                              "y=\"0\"/>\n",
                              display, display);
      g_string_append_printf (self->wires, "<wire id=\"%u\" from=\"%u.%s\" to=\"%u.u\"/>\n",
                              ++self->n_ids, block, port->name, display);
      if (self->signals != NULL && port->size == 1)
        g_ptr_array_add (self->signals, g_strdup_printf ("%u.%s", block, port->name));
    }
}

/* (transfer full) the path of a model with these elements. */
static char *
write_model (const char *elements)
{
  g_autofree char *text = g_strdup_printf ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                                           "<weir version=\"1\"><diagram>\n%s</diagram></weir>\n",
                                           elements);
  g_autoptr (GError) error = NULL;
  char *path = NULL;

  g_close (g_file_open_tmp ("weir-XXXXXX.weir", &path, &error), NULL);
  g_assert_no_error (error);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  return path;
}

/* Those that runs of any solver here come through. */
static gboolean
is_taken (const WeirBlockType *type)
{
  return can_be_generated (type) && strcmp (type->name, "Stop") != 0
         && strcmp (type->name, "Robertson") != 0; /* too stiff for rk4 */
}

/* (transfer full) the path of the model, which is done with then. */
static char *
write_diagram (Diagram *self)
{
  g_autofree char *elements = g_strconcat (self->blocks->str, self->wires->str, NULL);

  g_string_free (self->blocks, TRUE);
  g_string_free (self->wires, TRUE);
  g_clear_pointer (&self->signals, g_ptr_array_unref);
  return write_model (elements);
}

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
  g_assert_true (assert_identical (path, "rk4", "3"));
  g_assert_true (assert_identical (path, "dormand-prince", "3"));
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

/* Blocks wired at random. WEIR_DIAGRAMS: how many, for a longer look. */
static void
test_random (void)
{
  static const char *const solvers[] = { "rk4", "euler", "dormand-prince" };
  const char *asked = g_getenv ("WEIR_DIAGRAMS");
  guint n = asked != NULL ? (guint) g_ascii_strtoull (asked, NULL, 10) : 2, n_run = 0;

  if (!has_compiler ())
    return;
  for (guint i = 0; i < n; i++)
    {
      Diagram diagram = { g_string_new (NULL), g_string_new (NULL), 0,
                          g_ptr_array_new_with_free_func (g_free) };
      guint n_blocks = (guint) g_test_rand_int_range (5, 30);
      g_autofree char *path = NULL;
      g_auto (Outcome) outcome = { 0 };

      while (n_blocks > 0)
        {
          const WeirBlockType *type = weir_registry_get_type (
              (guint) g_test_rand_int_range (0, (gint32) weir_registry_get_n_types ()));

          if (!is_taken (type))
            continue;
          add_block (&diagram, type);
          n_blocks--;
        }
      path = write_diagram (&diagram);
      outcome = weir (ARGUMENTS ("verify", "--generated", path, "--solver",
                                 solvers[i % G_N_ELEMENTS (solvers)], "--step", "0.01", "--until",
                                 "0.5"));
      if (outcome.status != 0)
        g_test_message ("%s: %s%s", path, outcome.out, outcome.err);
      /* What cannot be wired so is no model: it is checked before anything is written. */
      g_assert_true (outcome.status == 0
                     || (outcome.status == 1 && strstr (outcome.out, "error[GEN") == NULL
                         && strstr (outcome.out, "error[") != NULL));
      n_run += outcome.status == 0;
      g_unlink (path);
    }
  g_test_message ("%u of %u were run", n_run, n);
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

/* A main of one's own: prints what is recorded at the end, and what was allocated on the way. */
static const char own_main[] =
    "#include \"hybrid.h\"\n#include <stdio.h>\n#include <stdlib.h>\n"
    "static unsigned long n;\n"
    "void *__real_malloc (size_t size);\nvoid *__real_calloc (size_t n, size_t size);\n"
    "void *__wrap_malloc (size_t size);\nvoid *__wrap_calloc (size_t count, size_t size);\n"
    "void *__wrap_malloc (size_t size) { n++; return __real_malloc (size); }\n"
    "void *__wrap_calloc (size_t count, size_t size) { n++; return __real_calloc (count, size); }\n"
    "int main (int argc, char **argv)\n{\n  static Hybrid model;\n  double values[3];\n"
    "  char text[40];\n  unsigned long before;\n  WeirSimulator *run;\n  hybrid_init (&model);\n"
    "  run = weir_simulator_make (&model.context, &hybrid_settings, NULL, NULL);\n  before = n;\n"
    "  if (argc != 2 || !weir_simulator_begin (run)\n"
    "      || !weir_simulator_advance (run, strtod (argv[1], NULL))\n"
    "      || hybrid_outputs (&model, values) != 0)\n    return 1;\n  before = n - before;\n"
    "  *weir_write_number (model.context.now, text) = 0;\n  printf (\"%s\", text);\n"
    "  for (int i = 0; i < 3; i++)\n    {\n      *weir_write_number (values[i], text) = 0;\n"
    "      printf (\",%s\", text);\n    }\n  printf (\"\\n%lu allocated\\n\", before);\n"
    "  weir_simulator_destroy (run);\n  return 0;\n}\n";

/* Nothing is allocated once the run is made, and nothing drifts. WEIR_UNTIL: s, for longer runs. */
static void
test_long_run (void)
{
  const char *until = g_getenv ("WEIR_UNTIL") != NULL ? g_getenv ("WEIR_UNTIL") : "20";
  g_autofree char *model = write_model (hybrid);
  g_autofree char *folder = g_dir_make_tmp ("weir-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "own.c", NULL);
  g_autofree char *command = g_strdup_printf (
      "cd %s && cc -O1 -ffp-contract=off -Wl,--wrap=malloc -Wl,--wrap=calloc -o own own.c hybrid.c "
      "weir-simulator.c -lm && ./own %s",
      folder, until);
  g_autofree char *found = NULL, *expected = NULL;
  g_auto (Outcome) made = { 0 }, own = { 0 };
  int status = 0;

  if (!has_compiler ())
    return;
  made = weir_with (NULL, NULL,
                    ARGUMENTS ("generate", model, "--out", folder, "--prefix", "hybrid", "--solver",
                               "rk4", "--step", "0.01"));
  g_assert_cmpint (made.status, ==, 0);
  g_assert_true (g_file_set_contents (path, own_main, -1, NULL));
  own = weir_with (NULL, "| tail -n 1",
                   ARGUMENTS ("run", model, "--solver", "rk4", "--step", "0.01", "--until", until));
  g_assert_true (g_spawn_sync (NULL, (char *[]) { (char *) "sh", (char *) "-c", command, NULL },
                               NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &found, NULL, &status, NULL));
  g_assert_cmpint (status, ==, 0);
  expected = g_strconcat (own.out, "0 allocated\n", NULL);
  g_assert_cmpstr (found, ==, expected);
  g_unlink (model);
  g_assert_true (g_spawn_sync (NULL, (char *[]) { (char *) "rm", (char *) "-rf", folder, NULL },
                               NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL, NULL));
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
    g_assert_true (assert_identical (path, "rk4", "1"));
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
  g_test_add_func ("/generate/code/examples", test_examples);
  g_test_add_func ("/generate/code/every-block", test_every_block);
  g_test_add_func ("/generate/code/table", test_table);
  g_test_add_func ("/generate/code/random", test_random);
  g_test_add_func ("/generate/code/long-run", test_long_run);
  g_test_add_func ("/generate/code/names", test_names);
  g_test_add_func ("/generate/code/refusals", test_refusals);
  g_test_add_func ("/generate/code/no-compiler", test_no_compiler);
  return g_test_run ();
}

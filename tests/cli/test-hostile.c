/* The real program on files that are made to end it, to keep it for ever, or to have it say wrong
 * things: each has its exit code, and its sentence where it is refused. */
#include "program.h"

#include <glib/gstdio.h>
#include <sys/stat.h>

typedef struct {
  char *folder; /* with all of tests/data/hostile, and a pipe that nobody writes to */
} Place;

static void
set_up (Place *place, G_GNUC_UNUSED gconstpointer data)
{
  g_autofree char *from = g_test_build_filename (G_TEST_DIST, "data", "hostile", NULL);
  g_autofree char *pipe = NULL;
  g_autoptr (GDir) dir = g_dir_open (from, 0, NULL);
  const char *name;

  g_assert_nonnull (dir);
  place->folder = g_dir_make_tmp ("weir-XXXXXX", NULL);
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *target = g_build_filename (from, name, NULL);
      g_autofree char *link = g_build_filename (place->folder, name, NULL);

      g_assert_cmpint (symlink (target, link), ==, 0);
    }
  pipe = g_build_filename (place->folder, "fifo", NULL);
  g_assert_cmpint (mkfifo (pipe, 0600), ==, 0);
}

static void
tear_down (Place *place, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr (GDir) dir = g_dir_open (place->folder, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (place->folder, name, NULL);

      g_remove (path);
    }
  g_rmdir (place->folder);
  g_free (place->folder);
}

static void
assert_outcome (const char *what, const Outcome *outcome, int status, const char *sentence)
{
  if (outcome->status != status)
    g_error ("%s: expected the status %d, found %d and \"%.400s\" \"%.400s\"", what, status,
             outcome->status, outcome->err, outcome->out);
  if (sentence != NULL && strstr (outcome->out, sentence) == NULL
      && strstr (outcome->err, sentence) == NULL)
    g_error ("%s: expected \"%s\", found \"%.400s\" \"%.400s\"", what, sentence, outcome->err,
             outcome->out);
}

/* --- Models ---------------------------------------------------------------------------------- */

#define WIDE "of memory, but 1 GiB is the limit; give the delay fewer "
#define LOST "s is lost in its rounding; leave out whole periods."
#define SHORT "is too short for a run of 0.1 s, which would get nowhere; give it at least 1e-19 s"
/* 0.1 s times the rounding of numbers, 2^-52. */
#define LEAST "is too short for a run of 0.1 s, which would get nowhere; give it at least 2.2e-17 s"

static const struct {
  const char *file;
  int check, run; /* exit codes */
  const char *sentence;
} models[] = {
  /* Sizes. */
  { "Delay-wide2", 1, 1, WIDE "periods" },
  { "Delay-wide3", 1, 1, WIDE "periods" },
  { "TransportDelay-wide2", 1, 1, WIDE "points" },
  { "TransportDelay-wide3", 1, 1, WIDE "points" },
  { "mux3", 0, 0, NULL },

  /* Matrices of zeros, and none. */
  { "TransferFunction-numerator0", 0, 0, NULL },
  { "zero-TransferFunction-numerator-denominator", 0, 0, NULL },
  { "zero-DiscreteTransferFunction-numerator", 0, 0, NULL },
  { "StateSpace-a0-b0", 0, 0, NULL },
  { "StateSpace-c-zero", 0, 0, NULL },
  { "zero-StateSpace-a-b-c", 0, 0, NULL },
  { "zero-StateSpace-c-a-b", 0, 0, NULL },
  { "DiscreteStateSpace-a0-b0", 0, 0, NULL },
  { "DiscreteStateSpace-c-zero", 0, 0, NULL },
  { "zero-DiscreteStateSpace-c-d-period", 0, 0, NULL },
  { "StateSpace-a-empty", 1, 1, "\"[]\" is not a matrix" },

  /* A loop that passes its own value on within its limits, y = sat (y + sin (2 pi t)): at 0.5 s the
   * solution jumps from 1 to -1, and between them the residual has no slope to go by. */
  { "loop-saturation", 0, 3, "the algebraic loop b1.u -> b1.y -> b2.in2 -> b2.y -> b1.u did not" },

  /* Times that numbers cannot tell apart. */
  { "TransportDelay-1e-322", 1, 1, "s is too short to be divided into 64 points" },
  { "VariableDelay-1e-320", 0, 3, "b1: a delay of " },
  { "eqn-de-1e_322", 1, 1, "Model: line 1: A delay of 9.88131e-323 s is too short" },
  { "eqn-de-5e_324", 1, 1, "Model: line 1: A delay of 4.94066e-324 s is too short" },
  { "DiscreteStateSpace-period-tiny", 0, 3, SHORT },
  { "FirstOrderHold-period-tiny", 0, 3, SHORT },
  { "TappedDelay-period-tiny", 0, 3, SHORT },
  { "Delay-period-tiny-unwatched", 0, 3, "b1: a period of 1e-300 s " LEAST },
  { "Pulse-period-tiny", 0, 3, "b1: an interval between its instants of 5e-301 s " SHORT },
  { "Pulse-period-tiny-unwatched", 0, 3,
    "b1: an interval between its instants of 5e-301 s " LEAST },
  { "interval-tiny", 0, 1,
    "an interval of recording of 1e-300 s gives 1e+299 rows until t = 0.1 s" },
  { "interval-tiny-unwatched", 0, 1, "an interval of recording of 1e-300 s gives 1e+299 rows" },
  { "Pulse-delay-1e17", 1, 1, "Parameter delay is -1e+17 s, so much that a period of 1 " LOST },
  { "Pulse-delay1e17", 0, 0, NULL },
  { "Sawtooth-delay-1e17", 1, 1, LOST },
  { "Sawtooth-delay1e16", 1, 1, LOST },
  { "Sawtooth-delay1e17-period10", 1, 1, LOST },
  { "Sawtooth-delay1e8-period1e-9", 1, 1, LOST },
  { "Sawtooth-delay-2to64", 1, 1, LOST },
  { "Sawtooth-delay-1e308", 1, 1, LOST },
  { "Triangle-delay1e17", 1, 1, LOST },

  /* Tables. What they give is compared below. */
  { "FromFile-bom", 0, 0, NULL },
  { "FromFile-cr", 0, 0, NULL },
  { "FromFile-comma", 0, 0,
    "comma.csv was read as 2 rows of 2 numbers parted by semicolons, with decimal commas." },
  { "FromFile-hdr", 1, 1, "hdr.csv, line 1, column 3: \"1.5x\" is not a number" },
  { "FromFile-hex", 1, 1, "hex.csv, line 1, column 1: \"0x0\" is hexadecimal" },
  { "FromFile-inf", 1, 1, "inf.csv, line 1, column 3: \"inf\" is not a finite number" },
  { "FromFile-nan", 1, 1, "nan.csv, line 1, column 3: \"nan\" is not a finite number" },
  { "FromFile-nul", 1, 1, "nul.csv, line 2, column 4: a byte is 0" },
  { "FromFile-nul2", 1, 1, "nul2.csv, line 2, column 1: a byte is 0" },
  { "FromFile-ragged", 1, 1, "ragged.csv, line 2, column 4: there are 2 numbers where" },
  { "file-dev_random", 1, 1, "/dev/random cannot be read: it is a device, not a file." },
  { "file-dev_zero", 1, 1, "/dev/zero cannot be read: it is a device, not a file." },
  { "file-proc_kmsg", 1, 1, "/proc/kmsg cannot be read: " },
  { "file-fifo", 1, 1, "fifo cannot be read: it is a pipe, not a file." },
};

static void
test_models (Place *place, G_GNUC_UNUSED gconstpointer data)
{
  for (guint i = 0; i < G_N_ELEMENTS (models); i++)
    {
      g_autofree char *name = g_strconcat (models[i].file, ".weir", NULL);
      g_autofree char *file = g_build_filename (place->folder, name, NULL);
      g_auto (Outcome) check = weir (ARGUMENTS ("check", file));
      g_auto (Outcome) run = weir (ARGUMENTS ("run", file));

      assert_outcome (name, &check, models[i].check,
                      models[i].check != 0 ? models[i].sentence : NULL);
      assert_outcome (name, &run, models[i].run, models[i].sentence);
    }
}

/* Every file there has its line above. */
static void
test_all_are_listed (Place *place, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr (GDir) dir = g_dir_open (place->folder, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      gboolean is_listed = !g_str_has_suffix (name, ".weir");

      for (guint i = 0; i < G_N_ELEMENTS (models) && !is_listed; i++)
        is_listed = g_str_has_prefix (name, models[i].file)
                    && strlen (name) == strlen (models[i].file) + strlen (".weir");
      if (!is_listed)
        g_error ("%s is not in the list", name);
    }
}

/* What tables give at the end of 0.1 s: lines between what stands in them, so 1 + t and 2. */
static void
test_tables (Place *place, G_GNUC_UNUSED gconstpointer data)
{
  static const struct {
    const char *file;
    double start, end;
  } cases[] = {
    { "FromFile-bom.weir", 1, 1.1 },
    { "FromFile-cr.weir", 1, 1.1 },
    { "FromFile-comma.weir", 1.5, 1.6 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *file = g_build_filename (place->folder, cases[i].file, NULL);
      g_auto (Outcome) run = weir (ARGUMENTS ("run", file));
      g_auto (Csv) csv = csv_parse (run.out);

      g_assert_cmpfloat (csv_value (&csv, 0, 1), ==, cases[i].start);
      g_assert_cmpfloat_with_epsilon (csv_value (&csv, csv.rows->len - 1, 1), cases[i].end, 1e-12);
    }
}

/* An interval that is asked for with an option, of a model that is good and of two that are not. */
static void
test_short_intervals (Place *place, G_GNUC_UNUSED gconstpointer data)
{
  static const char *const names[] = { "Pulse-delay1e17", "Pulse-period-tiny-unwatched",
                                       "interval-tiny" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *name = g_strconcat (names[i], ".weir", NULL);
      g_autofree char *file = g_build_filename (place->folder, name, NULL);
      g_auto (Outcome) every = weir (ARGUMENTS ("run", file, "--every", "1e-300"));

      assert_outcome (name, &every, 2,
                      "an interval of recording of 1e-300 s gives 1e+299 rows until t = 0.1 s");
    }
}

/* --- Files that are large -------------------------------------------------------------------- */

static void
test_large (Place *place, G_GNUC_UNUSED gconstpointer data)
{
  g_autofree char *file = g_build_filename (place->folder, "large.weir", NULL);
  g_autoptr (GString) text = g_string_new ("<weir version=\"1\"><diagram>");
  g_auto (Outcome) names = { 0 };
  g_auto (Outcome) attributes = { 0 };

  for (guint i = 1; i <= 20000; i++)
    g_string_append_printf (text, "<block id=\"%u\" type=\"Constant\" name=\"b\" x=\"0\" y=\"0\"/>",
                            i);
  g_string_append (text, "</diagram></weir>");
  g_assert_true (g_file_set_contents (file, text->str, -1, NULL));
  names = weir (ARGUMENTS ("check", file));
  assert_outcome ("equal names", &names, 1, "b: The same is to be said 19989 times more.");
  g_assert_cmpuint (strlen (names.out), <, 3000);

  g_string_assign (text, "<weir version=\"1\"");
  for (guint i = 0; i < 200000; i++)
    g_string_append_printf (text, " a%u=\"1\"", i);
  g_string_append (text, "/>");
  g_assert_true (g_file_set_contents (file, text->str, -1, NULL));
  attributes = weir (ARGUMENTS ("check", file));
  assert_outcome ("attributes", &attributes, 1, "An element has more than 1000 attributes.");
}

/* A wide signal through @n gains. */
static GString *
write_gains (guint n)
{
  GString *text = g_string_new ("<weir version=\"1\"><diagram>"
                                "<block id=\"1\" type=\"Constant\" name=\"one\" x=\"0\" y=\"0\"/>");
  guint id = 5;

  for (guint level = 2; level <= 4; level++)
    {
      g_string_append_printf (text,
                              "<block id=\"%u\" type=\"Mux\" name=\"mux%u\" x=\"0\" y=\"0\">"
                              "<parameter name=\"inputs\" value=\"64\"/></block>",
                              level, level);
      for (guint i = 1; i <= 64; i++)
        g_string_append_printf (text, "<wire id=\"%u\" from=\"%u.y\" to=\"%u.in%u\"/>", id++,
                                level - 1, level, i);
    }
  for (guint i = 0, from = 4; i < n; i++, from = id - 2)
    {
      g_string_append_printf (text,
                              "<block id=\"%u\" type=\"Gain\" name=\"gain%u\" x=\"0\" y=\"0\"/>"
                              "<wire id=\"%u\" from=\"%u.y\" to=\"%u.u\"/>",
                              id, i, id + 1, from, id);
      id += 2;
    }
  return text;
}

/* Each block is of a size that may be, all together are not. */
static void
test_too_wide (Place *place, G_GNUC_UNUSED gconstpointer data)
{
  g_autofree char *file = g_build_filename (place->folder, "wide.weir", NULL);
  g_autoptr (GString) text = write_gains (600);
  g_auto (Outcome) outcome = { 0 };

  g_string_append (text, "</diagram></weir>");
  g_assert_true (g_file_set_contents (file, text->str, -1, NULL));
  outcome = weir (ARGUMENTS ("run", file));
  assert_outcome ("wide", &outcome, 1,
                  "error[NET10]: gain511: This block's values and those before would need 1 GiB of "
                  "memory, but 1 GiB is the limit; ");
}

/* Gains that leave room for 6 more, of 2 MiB each, and a Subsystem whose table of what feeds
 * through, a byte for each of 6000 inputs with each of 4000 outputs, is larger. */
static void
test_feedthrough (Place *place, G_GNUC_UNUSED gconstpointer data)
{
  g_autofree char *file = g_build_filename (place->folder, "ports.weir", NULL);
  g_autoptr (GString) text = write_gains (505);
  g_autoptr (GString) wires = g_string_new (NULL);
  g_auto (Outcome) outcome = { 0 };
  guint id = 10000;

  g_string_append (text, "<block id=\"9999\" type=\"Subsystem\" name=\"sub\" x=\"0\" y=\"0\">"
                         "<diagram>");
  for (guint i = 0; i < 6000; i++, id += 2)
    {
      g_string_append_printf (text, "<block id=\"%u\" type=\"In\" name=\"i%u\" x=\"0\" y=\"0\"/>",
                              id, i);
      g_string_append_printf (wires, "<wire id=\"%u\" from=\"1.y\" to=\"9999.i%u\"/>", id + 1, i);
    }
  for (guint i = 0; i < 4000; i++, id += 2)
    g_string_append_printf (text,
                            "<block id=\"%u\" type=\"Out\" name=\"o%u\" x=\"0\" y=\"0\"/>"
                            "<wire id=\"%u\" from=\"10000.y\" to=\"%u.u\"/>",
                            id, i, id + 1, id);
  g_string_append_printf (text, "</diagram></block>%s</diagram></weir>", wires->str);
  g_assert_true (g_file_set_contents (file, text->str, -1, NULL));
  outcome = weir (ARGUMENTS ("check", file));
  assert_outcome ("feedthrough", &outcome, 1,
                  "error[NET10]: sub: This block's values and those before would need 1.01 GiB of "
                  "memory, but 1 GiB is the limit; give the model narrower signals, shorter delays "
                  "or blocks of fewer ports");
}

/* A few rows of which one column is chosen 100 000 times: what is kept is 2^30 bytes after 2^30 /
 * (6 * 8 * 100 001), about 223.7 of them. */
static void
test_wide_table (Place *place, G_GNUC_UNUSED gconstpointer data)
{
  g_autofree char *file = g_build_filename (place->folder, "table.weir", NULL);
  g_autofree char *table = g_build_filename (place->folder, "table.csv", NULL);
  g_autoptr (GString) rows = g_string_new (NULL), text = g_string_new (NULL);
  g_auto (Outcome) outcome = { 0 };

  for (guint i = 0; i < 240; i++)
    g_string_append_printf (rows, "%u,1\n", i);
  g_assert_true (g_file_set_contents (table, rows->str, -1, NULL));
  g_string_append (text, "<weir version=\"1\"><diagram>"
                         "<block id=\"1\" type=\"FromFile\" name=\"f\" x=\"0\" y=\"0\">"
                         "<parameter name=\"file\" value=\"table.csv\"/>"
                         "<parameter name=\"columns\" value=\"[1");
  for (guint i = 1; i < 100000; i++)
    g_string_append (text, ",1");
  g_string_append (text, "]\"/></block></diagram></weir>");
  g_assert_true (g_file_set_contents (file, text->str, -1, NULL));
  outcome = weir (ARGUMENTS ("check", file));
  assert_outcome ("wide table", &outcome, 1,
                  "table.csv, line 224, column 1: The table up to here would need 1 GiB of memory, "
                  "but 1 GiB is the limit; choose fewer columns, or make the file shorter.");
}

/* A loop of 64 * 64 * 3 = 12288 numbers, whose full matrix is more than may be. */
static void
test_wide_loop (Place *place, G_GNUC_UNUSED gconstpointer data)
{
  static const guint n_inputs[] = { 64, 64, 3 };
  g_autofree char *file = g_build_filename (place->folder, "loop.weir", NULL);
  g_autoptr (GString)
      text = g_string_new ("<weir version=\"1\"><diagram>"
                           "<block id=\"1\" type=\"Constant\" name=\"one\" x=\"0\" y=\"0\"/>");
  g_auto (Outcome) outcome = { 0 };
  guint id = 10;

  for (guint i = 0; i < G_N_ELEMENTS (n_inputs); i++)
    {
      g_string_append_printf (text,
                              "<block id=\"%u\" type=\"Mux\" name=\"mux%u\" x=\"0\" y=\"0\">"
                              "<parameter name=\"inputs\" value=\"%u\"/></block>",
                              i + 2, i, n_inputs[i]);
      for (guint k = 1; k <= n_inputs[i]; k++)
        g_string_append_printf (text, "<wire id=\"%u\" from=\"%u.y\" to=\"%u.in%u\"/>", id++, i + 1,
                                i + 2, k);
    }
  g_string_append (text, "<block id=\"5\" type=\"Sum\" name=\"sum\" x=\"0\" y=\"0\"/>"
                         "<block id=\"6\" type=\"Gain\" name=\"gain\" x=\"0\" y=\"0\"/>"
                         "<wire id=\"7\" from=\"4.y\" to=\"5.in1\"/>"
                         "<wire id=\"8\" from=\"6.y\" to=\"5.in2\"/>"
                         "<wire id=\"9\" from=\"5.y\" to=\"6.u\"/></diagram></weir>");
  g_assert_true (g_file_set_contents (file, text->str, -1, NULL));
  outcome = weir (ARGUMENTS ("run", file));
  assert_outcome ("wide loop", &outcome, 1, "Algebraic loop with 12288 unknowns: ");
  assert_outcome ("wide loop", &outcome, 1,
                  "Solving it would need 3.38 GiB of memory, but 1 GiB is the limit; ");
}

/* What the numbering of ports cannot hold, and names that stand for two of them. */
static void
test_ports (Place *place, G_GNUC_UNUSED gconstpointer data)
{
  g_autofree char *file = g_build_filename (place->folder, "ports.weir", NULL);
  g_autoptr (GString) ones = g_string_new ("[1");
  g_autofree char *text = NULL;
  g_auto (Outcome) many = { 0 };
  g_auto (Outcome) equal = { 0 };

  for (guint i = 1; i < 40000; i++)
    g_string_append (ones, ",1");
  g_string_append_c (ones, ']');
  text = g_strdup_printf ("<weir version=\"1\"><diagram>"
                          "<block id=\"1\" type=\"Constant\" name=\"c\" x=\"0\" y=\"0\">"
                          "<parameter name=\"value\" value=\"%s\"/></block>"
                          "<block id=\"2\" type=\"Demux\" name=\"d\" x=\"0\" y=\"0\">"
                          "<parameter name=\"sizes\" value=\"%s\"/></block>"
                          "<wire id=\"3\" from=\"1.y\" to=\"2.u\"/></diagram></weir>",
                          ones->str, ones->str);
  g_assert_true (g_file_set_contents (file, text, -1, NULL));
  many = weir (ARGUMENTS ("check", file));
  assert_outcome ("ports", &many, 1, "There are more than 60000 ports, outputs counted twice.");

  g_assert_true (g_file_set_contents (
      file,
      "<weir version=\"1\"><diagram><block id=\"1\" type=\"Subsystem\" name=\"s\" x=\"0\" y=\"0\" "
      "mode=\"commented-out\"><diagram>"
      "<block id=\"2\" type=\"In\" name=\"a\" x=\"0\" y=\"0\"/>"
      "<block id=\"3\" type=\"In\" name=\"a\" x=\"0\" y=\"0\"/>"
      "</diagram></block></diagram></weir>",
      -1, NULL));
  equal = weir (ARGUMENTS ("run", file));
  assert_outcome ("commented out", &equal, 0, NULL);
}

/* --- What is no file ------------------------------------------------------------------------- */

static void
test_no_files (Place *place, G_GNUC_UNUSED gconstpointer data)
{
  g_autofree char *pipe = g_build_filename (place->folder, "fifo", NULL);
  const char *const paths[] = { pipe, "/dev/zero", "/dev/random", place->folder, "/proc/kmsg" };
  static const char *const commands[] = { "check", "run", "lesson", "info" };
  g_autofree char *model = example ("counter.weir");

  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      g_auto (Outcome) restore = weir (ARGUMENTS ("run", model, "--restore", paths[i]));

      for (guint k = 0; k < G_N_ELEMENTS (commands); k++)
        {
          g_auto (Outcome) outcome = weir (ARGUMENTS (commands[k], paths[i]));

          assert_outcome (paths[i], &outcome, 1, "cannot be read: ");
        }
      g_assert_cmpint (restore.status, !=, 0);
      g_assert_nonnull (strstr (restore.err, "cannot be read: "));
    }
}

#define ADD(path, function)                                                                        \
  g_test_add ("/cli/hostile/" path, Place, NULL, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("models", test_models);
  ADD ("all-are-listed", test_all_are_listed);
  ADD ("tables", test_tables);
  ADD ("short-intervals", test_short_intervals);
  ADD ("large", test_large);
  ADD ("too-wide", test_too_wide);
  ADD ("feedthrough", test_feedthrough);
  ADD ("wide-table", test_wide_table);
  ADD ("wide-loop", test_wide_loop);
  ADD ("ports", test_ports);
  ADD ("no-files", test_no_files);
  return g_test_run ();
}

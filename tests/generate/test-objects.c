/* What compilers make of models as C: how large it is, which functions of the mathematics library
 * it calls, and that a program of one's own steps it, without this program's simulator. */
#include "../cli/program.h"

#include <glib/gstdio.h>
#include <string.h>

#define MOST_BYTES 8192 /* of a PID loop with a plant of second order, code and constants */

static const char *const compilers[] = { "gcc", "clang" };

/* What a shell says, of a script that must succeed. (transfer full) */
static char *
run_script (const char *folder, const char *script)
{
  g_autofree char *command = g_strdup_printf ("cd %s && %s", folder, script);
  g_autofree char *complaint = NULL;
  g_autoptr (GError) error = NULL;
  char *output = NULL;
  int status = 0;

  g_spawn_sync (NULL, (char *[]) { (char *) "sh", (char *) "-c", command, NULL }, NULL,
                G_SPAWN_SEARCH_PATH, NULL, NULL, &output, &complaint, &status, &error);
  g_assert_no_error (error);
  if (status != 0)
    g_test_message ("%s: %s", script, complaint);
  g_assert_cmpint (status, ==, 0);
  return output;
}

/* (transfer full) a folder with the model's C. */
static char *
generate (const char *model)
{
  char *folder = g_dir_make_tmp ("weir-XXXXXX", NULL);
  g_auto (Outcome) made = { 0 };

  made = weir (ARGUMENTS ("generate", model, "--out", folder, "--prefix", "plant", "--solver",
                          "rk4", "--step", "0.01"));
  g_test_message ("%s%s", made.out, made.err);
  g_assert_cmpint (made.status, ==, 0);
  return folder;
}

/* The same of a model of @elements. */
static char *
generate_of (const char *elements)
{
  g_autofree char *text = g_strdup_printf ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                                           "<weir version=\"1\"><diagram>\n%s</diagram></weir>\n",
                                           elements);
  g_autofree char *path = NULL;
  char *folder;

  g_close (g_file_open_tmp ("weir-XXXXXX.weir", &path, NULL), NULL);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  folder = generate (path);
  g_unlink (path);
  return folder;
}

/* Frees its name too. */
static void
remove_folder (char *folder)
{
  g_autofree char *script = g_strdup_printf ("rm -rf %s", folder);
  g_autofree char *said = run_script ("/", script);

  g_assert_cmpstr (said, ==, "");
  g_free (folder);
}

static gboolean
has_program (const char *name)
{
  g_autofree char *found = g_find_program_in_path (name);

  return found != NULL;
}

/* --- Size ------------------------------------------------------------------------------------ */

/* Reference, error, a controller @type, 1 / (s^2 + 0.4 s + 1). */
static char *
generate_loop (const char *type)
{
  g_autofree char *elements = g_strdup_printf (
      "<block id=\"1\" type=\"In\" name=\"Reference\" x=\"0\" y=\"0\"/>"
      "<block id=\"2\" type=\"Sum\" name=\"Error\" x=\"0\" y=\"0\">"
      "<parameter name=\"signs\" value=\"+-\"/></block>"
      "<block id=\"3\" type=\"%s\" name=\"Controller\" x=\"0\" y=\"0\">"
      "<parameter name=\"p\" value=\"2\"/><parameter name=\"i\" value=\"1\"/>"
      "<parameter name=\"d\" value=\"0.5\"/></block>"
      "<block id=\"4\" type=\"TransferFunction\" name=\"Mass\" x=\"0\" y=\"0\">"
      "<parameter name=\"denominator\" value=\"[1, 0.4, 1]\"/></block>"
      "<block id=\"5\" type=\"Out\" name=\"Position\" x=\"0\" y=\"0\"/>"
      "<wire id=\"10\" from=\"1.y\" to=\"2.in1\"/><wire id=\"11\" from=\"4.y\" to=\"2.in2\"/>"
      "<wire id=\"12\" from=\"2.y\" to=\"3.u\"/><wire id=\"13\" from=\"3.y\" to=\"4.u\"/>"
      "<wire id=\"14\" from=\"4.y\" to=\"5.u\"/>",
      type);

  return generate_of (elements);
}

static void
test_size (gconstpointer type)
{
  static const char *const levels[] = { "-Os", "-O2", "-O3" };
  char *folder;

  if (!has_program ("cc") || !has_program ("size"))
    {
      g_test_skip ("there is no C compiler, or no size");
      return;
    }
  folder = generate_loop (type);
  for (guint c = 0; c < G_N_ELEMENTS (compilers); c++)
    for (guint l = 0; l < G_N_ELEMENTS (levels) && has_program (compilers[c]); l++)
      {
        g_autofree char *script = g_strdup_printf (
            "%s -std=c11 %s -c -o plant.o plant.c && size plant.o | tail -n 1 | awk '{ print $4 }'",
            compilers[c], levels[l]);
        g_autofree char *said = run_script (folder, script);

        g_test_message ("%s, %s %s: %s bytes", (const char *) type, compilers[c], levels[l],
                        g_strchomp (said));
        g_assert_cmpint (g_ascii_strtoll (said, NULL, 10), >, 0);
        g_assert_cmpint (g_ascii_strtoll (said, NULL, 10), <=, MOST_BYTES);
      }
  remove_folder (folder);
}

/* --- Calls ----------------------------------------------------------------------------------- */

/* What is in a model's equations: no other function of the mathematics library is called. Those
 * with one exact result, the larger of two errors where equations are solved, are instructions of
 * some compilers and calls of others. */
static void
test_calls (void)
{
  static const struct {
    const char *model, *calls;
  } cases[] = {
    { "pendulum.weir", "sin " },      { "lorenz.weir", "" },
    { "van-der-pol.weir", "" },       { "dc-motor.weir", "" },
    { "sampled.weir", "" },           { "bouncing-ball.weir", "" },
    { "predator-prey.weir", "log " }, { "mass-spring-damper.weir", "" },
    { "op-amp-filter.weir", "" },     { "house-with-heating.weir", "sin " },
  };

  if (!has_program ("cc") || !has_program ("nm"))
    {
      g_test_skip ("there is no C compiler, or no nm");
      return;
    }
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *model = example (cases[i].model);
      char *folder = generate (model);

      for (guint c = 0; c < G_N_ELEMENTS (compilers); c++)
        {
          g_autofree char *script = g_strdup_printf (
              "%s -std=c11 -O2 -c -o plant.o plant.c && nm -u plant.o | awk '{ print $2 }' | sort "
              "| grep -vxE "
              "'mem(cpy|set|move|cmp)|bcmp|v?snprintf|_GLOBAL_OFFSET_TABLE_|fmax|fmin|floor' | tr "
              "'\\n' "
              "' '",
              compilers[c]);
          g_autofree char *said = has_program (compilers[c]) ? run_script (folder, script) : NULL;

          if (said != NULL)
            g_assert_cmpstr (said, ==, cases[i].calls);
        }
      remove_folder (folder);
    }
}

/* --- A program of one's own ------------------------------------------------------------------- */

/* Two instances side by side, each with its own parameters. */
static const char controller_main[] =
    "#include \"plant.h\"\n#include <stdio.h>\n"
    "int main (void)\n{\n  static Plant one, other;\n  PlantOutputs a, b;\n  plant_init (&one);\n"
    "  plant_init (&other);\n  other.row.p.Controller_p = 3;\n"
    "  for (int n = 0; n < 100; n++)\n    {\n"
    "      one.context.now = other.context.now = n * 0.01;\n"
    "      one.row.u.Reference = other.row.u.Reference = 1.5;\n"
    "      one.row.u.Measured = other.row.u.Measured = 0.5;\n"
    "      if (plant_step_0 (&one, n) != 0 || plant_step_0 (&other, n) != 0\n"
    "          || plant_outputs (&one, &a) != 0 || plant_outputs (&other, &b) != 0)\n        "
    "return "
    "1;\n"
    "      printf (\"%.17g %.17g\\n\", a.Command, b.Command);\n    }\n  return 0;\n}\n";

/* The error is 1 all the time: at the n-th instant p + n T i, with i = 5 and T = 0.01 s. */
static void
test_own_steps (void)
{
  g_autofree char *path = NULL, *said = NULL;
  g_auto (GStrv) lines = NULL;
  char *folder;

  if (!has_program ("cc"))
    {
      g_test_skip ("there is no C compiler");
      return;
    }
  folder = generate_of ("<block id=\"1\" type=\"In\" name=\"Reference\" x=\"0\" y=\"0\"/>"
                        "<block id=\"2\" type=\"In\" name=\"Measured\" x=\"0\" y=\"0\"/>"
                        "<block id=\"3\" type=\"Sum\" name=\"Error\" x=\"0\" y=\"0\">"
                        "<parameter name=\"signs\" value=\"+-\"/></block>"
                        "<block id=\"4\" type=\"DiscretePID\" name=\"Controller\" x=\"0\" y=\"0\">"
                        "<parameter name=\"p\" value=\"2\"/><parameter name=\"i\" value=\"5\"/>"
                        "<parameter name=\"period\" value=\"0.01\"/></block>"
                        "<block id=\"5\" type=\"Out\" name=\"Command\" x=\"0\" y=\"0\"/>"
                        "<wire id=\"10\" from=\"1.y\" to=\"3.in1\"/>"
                        "<wire id=\"11\" from=\"2.y\" to=\"3.in2\"/>"
                        "<wire id=\"12\" from=\"3.y\" to=\"4.u\"/>"
                        "<wire id=\"13\" from=\"4.y\" to=\"5.u\"/>");
  path = g_build_filename (folder, "own.c", NULL);
  g_assert_true (g_file_set_contents (path, controller_main, -1, NULL));
  said = run_script (folder, "cc -std=c11 -O1 -Wall -Wextra -Wconversion -pedantic -Werror "
                             "-o own own.c plant.c -lm && ./own");
  lines = g_strsplit (said, "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, 101);
  for (guint n = 0; n < 100; n++)
    {
      char *end;
      double one = g_ascii_strtod (lines[n], &end), other = g_ascii_strtod (end, NULL);

      g_assert_cmpfloat_with_epsilon (one, 2 + n * 0.05, 1e-13);
      g_assert_cmpfloat_with_epsilon (other, 3 + n * 0.05, 1e-13);
    }
  remove_folder (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/generate/objects/size/continuous", "PID", test_size);
  g_test_add_data_func ("/generate/objects/size/sampled", "DiscretePID", test_size);
  g_test_add_func ("/generate/objects/calls", test_calls);
  g_test_add_func ("/generate/objects/own-steps", test_own_steps);
  return g_test_run ();
}

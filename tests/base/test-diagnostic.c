/* Lists of problems and how a problem reads as a line. */
#include "base/diagnostic.h"

static void
test_line (void)
{
  static const struct {
    const char *file, *path;
    int line;
    WeirSeverity severity;
    const char *expected;
  } cases[] = {
    { "a.weir", "plant.sum", 12, WEIR_SEVERITY_ERROR,
      "a.weir:12: error[NET01]: plant.sum: Wired twice." },
    { "a.weir", "", 0, WEIR_SEVERITY_WARNING, "a.weir: warning[NET01]: Wired twice." },
    { NULL, "sum", 0, WEIR_SEVERITY_HINT, "hint[NET01]: sum: Wired twice." },
    { NULL, NULL, 7, WEIR_SEVERITY_ERROR, "7: error[NET01]: Wired twice." },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (WeirDiagnostics) list = weir_diagnostics_new ();
      g_autofree char *line = NULL;

      weir_diagnostics_add (list, cases[i].severity, "NET01", cases[i].path, 3, 4, cases[i].line,
                            "Wired %s.", "twice");
      if (cases[i].file != NULL)
        weir_diagnostics_set_file (list, cases[i].file);
      line = weir_diagnostic_to_string (weir_diagnostics_get (list, 0));
      g_assert_cmpstr (line, ==, cases[i].expected);
      g_assert_cmpint (weir_diagnostics_has_errors (list), ==,
                       cases[i].severity == WEIR_SEVERITY_ERROR);
      g_assert_cmpuint (weir_diagnostics_get (list, 0)->block, ==, 3);
      g_assert_cmpuint (weir_diagnostics_get (list, 0)->wire, ==, 4);
    }
}

static void
test_file_is_kept (void)
{
  g_autoptr (WeirDiagnostics) list = weir_diagnostics_new ();

  weir_diagnostics_add (list, WEIR_SEVERITY_ERROR, "A", "", 0, 0, 0, "One.");
  weir_diagnostics_set_file (list, "first");
  weir_diagnostics_add (list, WEIR_SEVERITY_ERROR, "B", "", 0, 0, 0, "Two.");
  weir_diagnostics_set_file (list, "second");
  g_assert_cmpuint (weir_diagnostics_get_size (list), ==, 2);
  g_assert_cmpstr (weir_diagnostics_get (list, 0)->file, ==, "first");
  g_assert_cmpstr (weir_diagnostics_get (list, 1)->file, ==, "second");
}

/* What would flood a reader is counted. */
static void
test_many (void)
{
  g_autoptr (WeirDiagnostics) equal = weir_diagnostics_new (), many = weir_diagnostics_new ();
  const WeirDiagnostic *last;

  for (guint i = 0; i < 10000; i++)
    {
      weir_diagnostics_add (equal, WEIR_SEVERITY_ERROR, "A", "b", i + 1, 0, 0, "One.");
      weir_diagnostics_set_subject (equal, "u");
      weir_diagnostics_add (many, i % 2 ? WEIR_SEVERITY_ERROR : WEIR_SEVERITY_HINT, "A", "", 0, 0,
                            0, "Number %u.", i);
    }
  g_assert_cmpuint (weir_diagnostics_get_size (equal), ==, 11);
  g_assert_cmpuint (weir_diagnostics_get_n_errors (equal), ==, 10000);
  g_assert_cmpuint (weir_diagnostics_get (equal, 9)->block, ==, 10);
  g_assert_cmpstr (weir_diagnostics_get (equal, 9)->subject, ==, "u");
  last = weir_diagnostics_get (equal, 10);
  g_assert_cmpstr (last->text, ==, "The same is to be said 9990 times more.");
  g_assert_cmpstr (last->path, ==, "b");
  g_assert_null (last->subject);

  g_assert_cmpuint (weir_diagnostics_get_size (many), ==, 2002);
  g_assert_cmpuint (weir_diagnostics_get_n_errors (many), ==, 5000);
  last = weir_diagnostics_get (many, 2001);
  g_assert_cmpstr (last->text, ==, "There are 4000 more errors, which are not listed.");
  g_assert_cmpint (last->severity, ==, WEIR_SEVERITY_ERROR);

  /* Those that come when the list is full are not told of one by one, either. */
  for (guint i = 0; i < 1000; i++)
    weir_diagnostics_add (many, WEIR_SEVERITY_ERROR, "A", "", 0, 0, 0, "Late %u.", i % 50);
  g_assert_cmpuint (weir_diagnostics_get_size (many), ==, 2002);
  g_assert_cmpstr (weir_diagnostics_get (many, 2001)->text, ==,
                   "There are 5000 more errors, which are not listed.");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/diagnostic/line", test_line);
  g_test_add_func ("/base/diagnostic/file-is-kept", test_file_is_kept);
  g_test_add_func ("/base/diagnostic/many", test_many);
  return g_test_run ();
}

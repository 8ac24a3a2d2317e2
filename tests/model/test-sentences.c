/* Problems in another language: all words of a sentence are translated, those in its places too,
 * and names stay. The other language here is English in capitals, so that no catalogue is needed.
 */
#include "helpers.h"

#include "base/budget.h"
#include "base/error.h"
#include "base/file.h"
#include "equations/expressions/unit.h"

#include "shout.h"

/* What is to be said of the first problem that completing a model with @code finds; @expected: with
 * "*" for anything. */
static void
check (const char *head, const char *inside, const char *code, const char *expected)
{
  g_autofree char *text = g_strconcat ("<weir version='1'>", head, "<diagram>", inside,
                                       "</diagram></weir>", NULL);
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (WeirModel) model = weir_model_read_bytes (bytes, "test", diagnostics);
  g_autoptr (WeirSystem) system = weir_model_complete (model, diagnostics);

  for (guint i = 0; i < weir_diagnostics_get_size (diagnostics); i++)
    {
      const WeirDiagnostic *d = weir_diagnostics_get (diagnostics, i);
      g_autofree char *said = NULL;

      g_test_message ("%s", d->text);
      if (!g_str_equal (d->code, code))
        continue;
      weir_set_translator (shout);
      said = weir_message_translate (d->message);
      weir_set_translator (NULL);
      if (!g_pattern_match_simple (expected, said))
        g_error ("\"%s\" is not \"%s\"", said, expected);
      return;
    }
  g_error ("%s is missing.", code);
}

#define EQUATIONS(id, name, text)                                                                  \
  "<block id='" id "' type='Equations' name='" name "' x='0' y='0'><parameter name='equations' "   \
  "value='" text "'/></block>"

static void
test_equations (void)
{
  static const struct {
    const char *text, *code, *expected;
  } cases[] = {
    { "x + y + z ~ 1", "EQ03",
      "MODEL: 2 EQUATIONS TOO FEW (1 FOR 3 UNKNOWNS): x, y AND z ARE NOT DETERMINED." },
    { "x ~ 1 + y&#10;y ~ 2*x&#10;x + y ~ 5", "EQ03",
      "MODEL: 1 EQUATION TOO MANY: LINES 1, 2 AND 3 DETERMINE x AND y MORE THAN ONCE." },
    { "parameter k = 1&#10;k ~ 2", "EQ03",
      "MODEL: LINE 2 CONTAINS NO UNKNOWN: IT IS A CONDITION ON PARAMETERS." },
    { "input u[2]&#10;y ~ cross(u, u)", "EQ07",
      "MODEL: LINE 2: cross TAKES TWO VECTORS OF SIZE 3." },
    { "input u&#10;x[2] ~ [u, 2]&#10;y ~ x + [1, 2, 3]", "EQ07",
      "MODEL: LINE 3: THE OPERANDS OF '+' HAVE SIZE 2 AND SIZE 3." },
    { "parameter k = 1&#10;y ~ D(k)", "EQ08",
      "MODEL: LINE 2: k IS A PARAMETER; IT HAS NO DERIVATIVE AND NO PAST." },
    { "sample -1&#10;x(k) ~ x(k-1)", "EQ08",
      "MODEL: LINE 1: THE PERIOD MUST BE A TIME IN SECONDS, MORE THAN 0, MADE OF NUMBERS AND "
      "CONSTANTS." },
    { "x ~ 2 y", "EQ01",
      "MODEL: LINE 1, COLUMN 7: EXPECTED AN OPERATOR OR THE END OF THE LINE, BUT FOUND 'y'; A "
      "PRODUCT IS WRITTEN WITH '*'." },
    { "x ~ sin(1, 2)", "EQ01", "MODEL: LINE 1, COLUMN 5: sin TAKES 1 ARGUMENT, BUT 2 ARE GIVEN." },
    { "extends Nothing&#10;x ~ 1", "EQ10",
      "MODEL: LINE 1: EXTENDS Nothing: THERE IS NO BLOCK 'Nothing' IN THE MODEL." },
    { "extends Base&#10;x ~ 2", "EQ04",
      "MODEL: x IS DEFINED TWICE: IN LINE 2 AND IN LINE 2 OF Base." },
    { "parameter k = 1, m = 2*k&#10;x ~ m&#10;solve m", "INI03",
      "INITIALIZATION: LINE 3: SOLVE m NEEDS A PARAMETER WITH A VALUE TO START FROM, AS IN "
      "PARAMETER m = 1; THIS ONE IS COMPUTED FROM OTHERS." },
    { "extends Wrong&#10;x ~ 2", "EQ10",
      "MODEL: LINE 1: Wrong, WHICH IS EXTENDED HERE, CANNOT BE READ: LINE 1, COLUMN 5: EXPECTED A "
      "VALUE, BUT FOUND '~'." },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *inside = g_strconcat (
          "<block id='1' type='Equations' name='E' x='0' y='0'><parameter name='equations' value='",
          cases[i].text, "'/></block>", EQUATIONS ("2", "Base", "y ~ 1&#10;x ~ 1"),
          EQUATIONS ("3", "Wrong", "y ~ ~"), NULL);

      check ("", inside, cases[i].code, cases[i].expected);
    }
}

/* What checks of the whole model say. */
static void
test_models (void)
{
  check ("<settings><setting name='colour' value='1'/></settings>", "", "SET02",
         "THERE IS NO SETTING 'colour', SO THAT IT CHANGES NOTHING. THE SETTINGS ARE stop-time, "
         "solver, "
         "relative-tolerance, * AND max-stalled-steps.");
  check (
      "<assertions><assertion text='Kp.y must not depend on r.value'/></assertions>",
      "<block id='1' type='Constant' name='r' x='0' y='0'/>"
      "<block id='2' type='Gain' name='Kp' x='0' y='0'/><wire id='3' from='1.y' to='2.u'/>",
      "DEP01",
      "\"Kp.y must not depend on r.value\": IT DOES, BY WAY OF r:PARAMETER value -> r:y_0 (y) -> "
      "Kp:u_0 (u) -> Kp:CACHE y.");
  check ("<assertions><assertion text='Kp.z must not depend on r.value'/></assertions>",
         "<block id='1' type='Constant' name='r' x='0' y='0'/>"
         "<block id='2' type='Gain' name='Kp' x='0' y='0'/><wire id='3' from='1.y' to='2.u'/>",
         "DEP02",
         "\"Kp.z must not depend on r.value\": THERE IS NO \"z\" (FROM \"Kp.z\") IN Kp; INPUTS u; "
         "OUTPUTS y; PARAMETERS gain.");
  check ("",
         "<block id='1' type='Constant' name='a' x='0' y='0'><meta name='unit' of='y' value='kg'/>"
         "</block><block id='2' type='Pendulum' name='p' x='0' y='0'/>"
         "<wire id='3' from='1.y' to='2.torque'/>",
         "UNI03",
         "INPUT 'torque' TAKES N*m, BUT OUTPUT 'y' OF a IS IN kg; THESE MEASURE DIFFERENT THINGS, "
         "AND NOTHING CONVERTS ONE TO THE OTHER.");
}

/* What is said of what has no room. */
static void
test_budget (void)
{
  g_autoptr (WeirMessage)
      what = weir_message_new (N_ ("The Jacobian that %s keeps of %u states"), "radau", 7u);
  g_autoptr (GError) error = NULL;

  g_assert_false (weir_budget_allows (G_GUINT64_CONSTANT (1) << 40, 8, weir_message_get_text (what),
                                      N_ ("choose cvode-bdf"), &error));
  weir_set_translator (shout);
  g_assert_cmpstr (
      weir_error_say (error), ==,
      "THE JACOBIAN THAT radau KEEPS OF 7 STATES WOULD NEED 8 TiB OF MEMORY, BUT 1 GIB "
      "IS THE LIMIT; CHOOSE CVODE-BDF.");
  weir_set_translator (NULL);
}

/* What is said of files that cannot be read. */
static void
test_files (void)
{
  static const char *const texts[][2] = {
    { "<weir version='1'><diagram><note id='0' x='0' y='0'/></diagram></weir>",
      "THE FILE BREAKS THE SCHEMA OF MODELS: 'id' OF <note> IS '0', WHERE A WHOLE NUMBER FROM 1 TO "
      "1073741823 IS EXPECTED." },
    { "<weir version='1'><diagram/><notes/></weir>",
      "THE FILE BREAKS THE SCHEMA OF MODELS: <notes> STANDS IN <weir>, WHERE NOTHING MORE MAY "
      "FOLLOW." },
    { "<model/>", "THE FILE BREAKS THE SCHEMA OF MODELS: THE OUTERMOST ELEMENT IS <model>, BUT "
                  "MUST BE <weir>." },
  };
  g_autoptr (GError) folder = NULL, unit = NULL, name = NULL;
  g_autoptr (WeirModel) model = weir_model_new (), renamed = NULL;
  g_autoptr (WeirPatch) patch = weir_patch_new ();
  WeirUnit found;

  weir_set_translator (shout);
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GBytes) bytes = g_bytes_new_static (texts[i][0], strlen (texts[i][0]));
      g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
      g_autofree char *said = NULL;

      g_assert_null (weir_model_read_bytes (bytes, "test", diagnostics));
      said = weir_message_translate (weir_diagnostics_get (diagnostics, 0)->message);
      g_assert_cmpstr (said, ==, texts[i][1]);
    }
  g_assert_null (weir_file_read ("/", WEIR_FILE_MODEL, &folder));
  g_assert_cmpstr (weir_error_say (folder), ==, "/ CANNOT BE READ: IT IS A FOLDER");
  g_assert_cmpstr (folder->message, ==, "/ cannot be read: it is a folder");
  g_assert_false (weir_unit_parse ("m/furlong", &found, &unit));
  g_assert_cmpstr (weir_error_say (unit), ==, "\"m/furlong\" IS NO UNIT: 'furlong' IS NOT KNOWN.");
  weir_patch_set_setting (patch, "a\tb\x01", "1");
  renamed = weir_model_apply (model, patch, NULL, &name);
  g_assert_null (renamed);
  g_assert_cmpstr (weir_error_say (name), ==, "'a\tb\x01' CANNOT BE THE NAME OF A SETTING.");
  weir_set_translator (NULL);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/model/sentences/equations", test_equations);
  g_test_add_func ("/model/sentences/models", test_models);
  g_test_add_func ("/model/sentences/budget", test_budget);
  g_test_add_func ("/model/sentences/files", test_files);
  return g_test_run ();
}

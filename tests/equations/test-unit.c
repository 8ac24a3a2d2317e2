/* Units: text, arithmetic, conversion, and their use in equations. Factors are those of the SI
 * brochure and of NIST SP 811. */
#include "equations/compile/equations.h"
#include "equations/expressions/unit.h"

#include <math.h>
#include <string.h>

static WeirUnit
parse (const char *text)
{
  g_autoptr (GError) error = NULL;
  WeirUnit unit;

  weir_unit_parse (text, &unit, &error);
  g_assert_no_error (error);
  return unit;
}

static void
test_conversions (void)
{
  static const struct {
    const char *from, *to;
    double value, expected;
  } cases[] = {
    { "km/h", "m/s", 36.0, 10.0 },
    { "degC", "K", 20.0, 293.15 },
    { "degF", "degC", 212.0, 100.0 },
    { "K", "degF", 233.15, -40.0 },
    { "deg", "rad", 180.0, G_PI },
    { "rpm", "rad/s", 60.0, 2.0 * G_PI },
    { "kWh", "J", 1.0, 3.6e6 },
    { "in", "cm", 1.0, 2.54 },
    { "psi", "Pa", 1.0, 6894.757293168 },
    { "hp", "W", 1.0, 745.699871582 },
    { "%", "1", 50.0, 0.5 },
    { "L/min", "m^3/s", 60000.0, 1.0 },
    { "N*m", "J", 3.0, 3.0 },
    { "mN.m", "kg*m2/s2", 1000.0, 1.0 },
    { "V/Hz^(1/2)", "kg*m^2*s^(-5/2)/A", 2.0, 2.0 },
    { "\xc2\xb5m", "m", 1.0, 1e-6 },
    { "k\xce\xa9", "V/A", 1.0, 1e3 },
    { "m s^-2", "m/s/s", 1.0, 1.0 },
    { "kn", "km/h", 1.0, 1.852 },
    { "W/(m^2*K)", "W/m^2/K", 1.0, 1.0 },
    { "1/s", "Hz", 1.0, 1.0 },
    { "m/s\u00b2", "m/s^2", 1.0, 1.0 },
    { "kN\u00b7m", "J", 1.0, 1000.0 },
    { "\u00b0C", "K", 20.0, 293.15 },
    { "kg m\u00b2 s\u207b\u00b2", "J", 1.0, 1.0 },
    { "m\u00b9\u00b2 m\u207b\u00b9\u2070", "m^2", 1.0, 1.0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      WeirUnit from = parse (cases[i].from), to = parse (cases[i].to);
      double factor, offset, found;

      g_assert_true (weir_unit_convert (&from, &to, &factor, &offset));
      found = factor * cases[i].value + offset;
      if (!(fabs (found - cases[i].expected) <= 1e-11 * (1.0 + fabs (cases[i].expected))))
        g_error ("%g %s is %.15g %s, expected %.15g", cases[i].value, cases[i].from, found,
                 cases[i].to, cases[i].expected);
    }
}

static void
test_text (void)
{
  static const char *const pairs[][2] = {
    { "kg*m/s^2", "N" },      { "J/s", "W" },       { "m*kg", "kg*m" },
    { "m^2/s^2", "m^2/s^2" }, { "rad/s", "1/s" },   { "1", "1" },
    { "mV", "mV" },           { "g", "g" },         { "m^(1/2)", "m^(1/2)" },
    { "km/h", "km/h" },       { "1/m/K", "1/m/K" }, { "kN*m/(kg*m)", "1000 m/s^2" },
    { "mol/min", "mol/min" }, { "kat", "mol/s" },   { "ohm*A", "V" },
    { "kJ/h", "kJ/h" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (pairs); i++)
    {
      WeirUnit unit = parse (pairs[i][0]), again;
      g_autofree char *text = weir_unit_to_string (&unit);

      g_assert_cmpstr (text, ==, pairs[i][1]);
      again = parse (text);
      g_assert_true (weir_unit_equal (&unit, &again));
    }
}

static void
test_errors (void)
{
  static const char *const pairs[][2] = {
    { "furlong", "\"furlong\" is no unit: 'furlong' is not known." },
    { "m/", "\"m/\" is no unit: a unit is missing at its end." },
    { "", "\"\" is no unit: a unit is missing at its end." },
    { "m^x", "\"m^x\" is no unit: a power must be a whole number or a fraction such as (1/2)." },
    { "(m", "\"(m\" is no unit: a ')' is missing." },
    { "m)", "\"m)\" is no unit: a bracket is closed that was not opened." },
    { "kkg", "\"kkg\" is no unit: 'kkg' is not known." },
    { "m^(1/7)", "\"m^(1/7)\" is no unit: this root of it cannot be kept." },
  };

  for (guint i = 0; i < G_N_ELEMENTS (pairs); i++)
    {
      g_autoptr (GError) error = NULL;
      WeirUnit unit;

      g_assert_false (weir_unit_parse (pairs[i][0], &unit, &error));
      g_assert_cmpstr (error->message, ==, pairs[i][1]);
    }
}

/* Equations: warnings, once each, with both units. */
static void
test_equations (void)
{
  static const struct {
    const char *text, *problems;
  } cases[] = {
    { "parameter m = 2 \"kg\", k = 5 \"N/m\"\nvariable x \"m\"\nD(D(x)) ~ -k/m*x\n"
      "initial x = 1; initial D(x) = 0",
      "" },
    { "parameter m = 2 \"kg\", k = 5 \"N/m\"\ninput x \"m\"\ny ~ k*x + m",
      "Model: line 3: here are added N and kg, which are of different kinds." },
    { "input v \"km/h\" = 0\nvariable x \"m\"\nD(x) ~ v\ninitial x = 0",
      "Model: line 3: the sides are in m/s and km/h, which differ by a factor of "
      "0.277778; write convert(..., \"m/s\")." },
    { "input v \"km/h\" = 0\nvariable x \"m\"\nD(x) ~ convert(v, \"m/s\")\ninitial x = 0", "" },
    { "parameter a = 30 \"deg\"\ny ~ sin(a)",
      "Model: line 2: sin takes a plain number, but is given deg; write convert(..., \"rad\")." },
    { "parameter a = 30 \"deg\"\ny ~ sin(convert(a, \"rad\"))", "" },
    { "y ~ exp(3 \"m\")", "Model: line 1: exp takes a plain number, but is given m." },
    /* What follows: F in N, so that the last line is wrong. */
    { "parameter m = 2 \"kg\"\nconstant g = 9.81 \"m/s^2\"\nF ~ m*g\nz ~ 2*F\nw ~ z + m",
      "Model: line 5: here are added N and kg, which are of different kinds." },
    { "parameter c = 1 \"furlong\"\ny ~ c",
      "Model: line 1: \"furlong\" is no unit: 'furlong' is not known." },
    { "parameter c = 1\ny ~ convert(c, \"m\")",
      "Model: line 2: the unit of c is not known, so that it cannot be converted to m." },
    { "parameter c = 1 \"s\"\ny ~ convert(c, \"m\")",
      "Model: line 2: c is in s and cannot be converted to m." },
    { "parameter p = 4 \"m^2\"\nvariable y \"m\"\ny ~ sqrt(p) + abs(-2)", "" },
    { "parameter c = 1 \"m\"\ny ~ if c > 2 \"s\" then c else 2*c",
      "Model: line 2: here are compared m and s, which are of different kinds." },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
      WeirReport report = { .diagnostics = diagnostics, .path = "plant", .first_line = 1 };
      g_autoptr (WeirEquations) equations = weir_equations_new (cases[i].text, NULL, &report);
      g_autoptr (GString) problems = g_string_new (NULL);

      for (guint j = 0; j < weir_diagnostics_get_size (diagnostics); j++)
        {
          const WeirDiagnostic *d = weir_diagnostics_get (diagnostics, j);

          if (strcmp (d->code, "EQ06") != 0)
            g_error ("%s: %s", cases[i].text, d->text);
          g_string_append_printf (problems, "%s%s", j > 0 ? "\n" : "", d->text);
        }
      g_assert_cmpstr (problems->str, ==, cases[i].problems);
    }
}

static void
test_values (void)
{
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  WeirReport report = { .diagnostics = diagnostics, .path = "plant", .first_line = 1 };
  g_autoptr (WeirEquations)
      equations = weir_equations_new ("parameter v = 36 \"km/h\", T = 20 \"degC\", m = 2 \"kg\"\n"
                                      "a ~ convert(v, \"m/s\")\nb ~ convert(T, \"K\")\n"
                                      "E ~ m*a^2/2\n",
                                      NULL, &report);

  g_assert_cmpuint (weir_diagnostics_get_size (diagnostics), ==, 0);
  g_assert_cmpfloat (fabs (weir_equations_find (equations, "a")->value[0] - 10.0), <=, 1e-14);
  g_assert_cmpfloat (fabs (weir_equations_find (equations, "b")->value[0] - 293.15), <=, 1e-12);
  g_assert_cmpstr (weir_equations_find (equations, "E")->unit, ==, "J");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/equations/unit/conversions", test_conversions);
  g_test_add_func ("/equations/unit/text", test_text);
  g_test_add_func ("/equations/unit/errors", test_errors);
  g_test_add_func ("/equations/unit/equations", test_equations);
  g_test_add_func ("/equations/unit/values", test_values);
  return g_test_run ();
}

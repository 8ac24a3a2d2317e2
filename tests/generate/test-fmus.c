/* FMUs of models, taken back: as a block of another model they give the bits of the model's own
 * run, by model exchange and in co-simulation, in both versions; their states; events within
 * steps. What the ball does is known: from 1 m it meets the floor at sqrt (2 / 9.81) s. */
#include "../cli/program.h"

#include <glib/gstdio.h>

#include "base/status.h"
#include "fmi/archive.h"
#include "fmi/description.h"
#include "fmi/instance.h"
#include "../folders.h"

/* A folder with an FMU, a model around it, a configuration and a cache. */
typedef struct {
  char *folder, *own, *fmu, *model;
  WeirFmuDescription *description;
} Place;

static void
place_clear (Place *self)
{
  remove_folder (self->folder);
  g_clear_pointer (&self->description, weir_fmu_description_unref);
  g_free (self->folder);
  g_free (self->own);
  g_free (self->fmu);
  g_free (self->model);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Place, place_clear)

/* Of the model @own (transfer full). FALSE where there is no compiler, of which the test is told.
 */
static gboolean
place_init_of (Place *self, char *own, const char *version)
{
  const char *const quick[] = { "CFLAGS", "-O0 -Wall -Wextra -Wconversion -pedantic -Werror",
                                NULL };
  g_autofree char *compiler = g_find_program_in_path ("cc");
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (WeirFmuArchive) archive = NULL;
  g_auto (Outcome) made = { 0 }, checked = { 0 };

  *self = (Place) { .folder = g_dir_make_tmp ("weir-XXXXXX", NULL) };
  self->own = own;
  self->fmu = g_build_filename (self->folder, "part.fmu", NULL);
  self->model = g_build_filename (self->folder, "m.weir", NULL);
  if (compiler == NULL)
    {
      g_test_skip ("there is no C compiler");
      return FALSE;
    }
  made = weir_in (quick, ARGUMENTS ("export", self->own, "--fmu", version, "--solver", "rk4",
                                    "--step", "0.01", "--out", self->fmu));
  g_test_message ("%s%s", made.out, made.err);
  g_assert_cmpint (made.status, ==, 0);
  g_assert_null (strstr (made.err, "no library"));
  checked = weir (ARGUMENTS ("check", self->fmu));
  g_assert_cmpstr (checked.out, ==, "");
  g_assert_cmpint (checked.status, ==, 0);
  archive = weir_fmu_archive_open (self->fmu, NULL);
  self->description = weir_fmu_description_read (archive, diagnostics);
  g_assert_nonnull (self->description);
  return TRUE;
}

static gboolean
place_init (Place *self, const char *name, const char *version)
{
  return place_init_of (self, example (name), version);
}

static Outcome
weir_at (const Place *self, const char *const *arguments)
{
  return weir_in (ARGUMENTS ("XDG_CONFIG_HOME", self->folder, "XDG_CACHE_HOME", self->folder,
                             "XDG_STATE_HOME", self->folder),
                  arguments);
}

/* --- As blocks ------------------------------------------------------------------------------- */

/* The model around the FMU shows all its outputs, in their order. */
static void
write_model (const Place *self, const char *mode)
{
  GString *text = g_string_new ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<weir version=\"1\">\n"
                                "<diagram>\n");

  g_string_append_printf (text,
                          "<block id=\"1\" type=\"FMU\" name=\"Part\" x=\"0\" y=\"0\">"
                          "<parameter name=\"file\" value=\"part.fmu\"/>"
                          "<parameter name=\"mode\" value=\"%s\"/></block>\n",
                          mode);
  for (guint i = 0; i < self->description->n_variables; i++)
    if (self->description->variables[i].causality == WEIR_FMU_OUTPUT)
      g_string_append_printf (text,
                              "<block id=\"%u\" type=\"Display\" name=\"D%u\" x=\"0\" y=\"0\"/>"
                              "<wire id=\"%u\" from=\"1.%s\" to=\"%u.u\"/>\n",
                              2 * i + 2, i, 2 * i + 3, self->description->variables[i].name,
                              2 * i + 2);
  g_string_append (text, "</diagram></weir>\n");
  g_assert_true (g_file_set_contents (self->model, text->str, -1, NULL));
  g_string_free (text, TRUE);
}

/* What is behind the names. */
static const char *
skip_header (const Outcome *outcome)
{
  const char *end = strchr (outcome->out, '\n');

  g_assert_nonnull (end);
  return end;
}

static void
test_taken_back (gconstpointer version)
{
  static const char *const modes[] = { "exchange", "co-simulation" };
  g_auto (Place) place = { 0 };
  g_auto (Outcome) own = { 0 };

  if (!place_init (&place, "thermostat.weir", version))
    return;
  own = weir (ARGUMENTS ("run", place.own, "--until", "1", "--solver", "rk4", "--step", "0.01"));
  for (guint i = 0; i < G_N_ELEMENTS (modes); i++)
    {
      g_auto (Outcome) run = { 0 }, verified = { 0 };

      write_model (&place, modes[i]);
      run = weir_at (&place, ARGUMENTS ("run", "--trust", "all", place.model, "--until", "1",
                                        "--solver", "rk4", "--step", "0.01"));
      g_assert_cmpstr (run.err, ==, "");
      g_assert_cmpstr (skip_header (&run), ==, skip_header (&own));
      verified = weir_at (&place, ARGUMENTS ("verify", "--trust", "all", place.model, "--until",
                                             "1", "--solver", "rk4", "--step", "0.01"));
      g_test_message ("%s: %s", modes[i], verified.out);
      g_assert_cmpint (verified.status, ==, 0);
      g_assert_nonnull (strstr (verified.out, ": identical, "));
    }
}

/* What a pattern finds is called by the FMU's name first; it is not written as C again. */
static void
assert_logged (const Place *self, const char *pattern)
{
  g_auto (Outcome) run = weir_at (
      self, ARGUMENTS ("run", "--trust", "all", self->model, "--until", "0", "--log", pattern));
  g_auto (Outcome) refused = weir_at (
      self, ARGUMENTS ("generate", "--trust", "all", self->model, "--out", self->folder));

  g_assert_true (g_str_has_prefix (
      run.out, "time,Part.Reference.y,Part.Gears.y,Part.Angle.y,Part.Turns.count\n"));
  g_assert_cmpint (refused.status, ==, 1);
  g_assert_nonnull (
      strstr (refused.out, "kind FMU cannot be written as C: its program is another"));
}

/* At the instants that both have. */
static void
assert_close (const Outcome *own, const Outcome *run, double tolerance)
{
  g_auto (Csv) a = csv_parse (own->out), b = csv_parse (run->out);
  guint n_common = 0;

  for (guint i = 0, k = 0; i < a.rows->len && k < b.rows->len;)
    {
      double t = csv_value (&a, i, 0), other = csv_value (&b, k, 0);

      for (guint c = 1; c < g_strv_length (a.header) && t == other; c++)
        g_assert_cmpfloat_with_epsilon (csv_value (&a, i, c), csv_value (&b, k, c), tolerance);
      n_common += t == other;
      i += t <= other;
      k += other <= t;
    }
  g_assert_cmpuint (n_common, >=, 1001);
}

/* A value that leaves zero does not cross it, also where somebody else integrates: the gears of
 * this model begin to turn from there, no step ends there, and no turn is counted. Up to where
 * their play is taken up all is the same. There the rate has a kink, to which the program makes a
 * step; whoever integrates cannot know that it is none of a mode, makes a step across it and finds
 * it in between. So what follows is as near as such a step is right: by 1e-6. */
static void
test_leaves_zero (void)
{
  g_auto (Place) place = { 0 };
  g_auto (Outcome) run = { 0 }, own = { 0 }, whole = { 0 }, exchanged = { 0 };

  if (!place_init (&place, "servo-backlash.weir", "2"))
    return;
  write_model (&place, "exchange");
  own = weir (ARGUMENTS ("run", place.own, "--until", "0.2", "--solver", "rk4", "--step", "0.01"));
  run = weir_at (&place, ARGUMENTS ("run", "--trust", "all", place.model, "--until", "0.2",
                                    "--solver", "rk4", "--step", "0.01"));
  g_assert_nonnull (strstr (run.out, ",Part.Turns.count\n"));
  g_assert_true (g_str_has_suffix (run.out, ",0\n"));
  g_assert_cmpstr (skip_header (&run), ==, skip_header (&own));
  whole = weir (ARGUMENTS ("run", place.own, "--until", "10", "--solver", "rk4", "--step", "0.01"));
  exchanged = weir_at (&place, ARGUMENTS ("run", "--trust", "all", place.model, "--until", "10",
                                          "--solver", "rk4", "--step", "0.01"));
  assert_close (&whole, &exchanged, 5e-6);
  assert_logged (&place, "Part.*");
  assert_logged (&place, "*");
}

/* What is delayed needs the point just before a jump: the step that ends there is told to be done.
 * The events of the start are part of the start, so that the first row is after them. */
static void
test_delayed (void)
{
  g_auto (Place) place = { 0 };
  g_auto (Outcome) run = { 0 }, own = { 0 };

  if (!place_init (&place, "computing-delay.weir", "2"))
    return;
  write_model (&place, "exchange");
  own = weir (ARGUMENTS ("run", place.own, "--until", "0.2", "--solver", "rk4", "--step", "0.01"));
  run = weir_at (&place, ARGUMENTS ("run", "--trust", "all", place.model, "--until", "0.2",
                                    "--solver", "rk4", "--step", "0.01"));
  g_assert_true (g_str_has_prefix (skip_header (&own), "\n0,0,0\n"));
  g_assert_true (g_str_has_prefix (skip_header (&run), "\n0,0,1.5\n"));
  g_assert_cmpstr (strstr (skip_header (&run), "\n0.0"), ==, strstr (skip_header (&own), "\n0.0"));
}

/* What a lag of 1 s has left after 0.5 s, exp (-0.5), is sampled there. A run has a row from before
 * that; a step without event mode ends before it too, one with event mode after it. */
static void
test_sampled (gconstpointer version)
{
  g_auto (Place) place = { 0 };
  g_auto (Outcome) run = { 0 }, own = { 0 };
  g_autofree char *after = NULL;
  const char *row;

  if (!place_init (&place, "sampled.weir", version))
    return;
  write_model (&place, "co-simulation");
  own = weir (ARGUMENTS ("run", place.own, "--until", "0.6", "--solver", "rk4", "--step", "0.01"));
  run = weir_at (&place, ARGUMENTS ("run", "--trust", "all", place.model, "--until", "0.6",
                                    "--solver", "rk4", "--step", "0.01"));
  row = strrchr (strstr (own.out, "\n0.5,"), ',') + 1;
  g_assert_cmpfloat_with_epsilon (g_ascii_strtod (row, NULL), exp (-0.5), 1e-9);
  after = g_strndup (row, strcspn (row, "\n"));
  g_assert_true (g_str_has_prefix (strchr (strstr (own.out, "\n0.5,") + 5, ','), ",1\n"));
  row = strchr (strstr (run.out, "\n0.5,") + 5, ',') + 1;
  g_assert_true (g_str_has_prefix (row, place.description->version == 3 ? after : "1\n"));
  g_assert_cmpstr (strstr (run.out, "\n0.51,"), ==, strstr (own.out, "\n0.51,"));
}

/* --- What they say of themselves ------------------------------------------------------------- */

/* "Pendulum.theta Pendulum.mass": in the order of the file. (transfer full) */
static char *
dup_dependencies (const WeirFmuDescription *d, WeirFmuUnknowns list, const char *name)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < d->n_unknowns[list]; i++)
    {
      const WeirFmuUnknown *unknown = &d->unknowns[list][i];

      if (strcmp (d->variables[unknown->variable].name, name) != 0)
        continue;
      g_assert_nonnull (unknown->dependencies);
      for (guint k = 0; k < unknown->n_dependencies; k++)
        g_string_append_printf (text, "%s%s", k > 0 ? " " : "",
                                d->variables[unknown->dependencies[k]].name);
    }
  return g_string_free (text, FALSE);
}

static void
assert_depends (const WeirFmuDescription *d, WeirFmuUnknowns list, const char *name,
                const char *expected)
{
  g_autofree char *found = dup_dependencies (d, list, name);

  g_assert_cmpstr (found, ==, expected);
}

/* Of an FMU of @model, of which nothing is run: it needs no library. (transfer full) */
static WeirFmuDescription *
describe (const char *model, const char *version)
{
  g_autofree char *folder = g_dir_make_tmp ("weir-XXXXXX", NULL);
  g_autofree char *fmu = g_build_filename (folder, "m.fmu", NULL);
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (WeirFmuArchive) archive = NULL;
  g_auto (Outcome) made = { 0 };
  WeirFmuDescription *d;

  made = weir_in (ARGUMENTS ("CC", "no-such-compiler"),
                  ARGUMENTS ("export", model, "--fmu", version, "--out", fmu));
  g_assert_cmpint (made.status, ==, 0);
  archive = weir_fmu_archive_open (fmu, NULL);
  d = weir_fmu_description_read (archive, diagnostics);
  g_assert_nonnull (d);
  g_assert_cmpuint (weir_diagnostics_get_size (diagnostics), ==, 0);
  g_unlink (fmu);
  g_rmdir (folder);
  return d;
}

static void
assert_unit (const WeirFmuDescription *d, const char *name, const char *unit, const char *quantity)
{
  guint i = 0;

  while (strcmp (d->variables[i].name, name) != 0)
    g_assert_cmpuint (++i, <, d->n_variables);
  g_assert_cmpstr (d->variables[i].traits.unit, ==, unit);
  g_assert_cmpstr (d->variables[i].traits.quantity, ==, quantity);
  g_assert_cmpuint (d->variables[i].declared_type, !=, WEIR_FMU_NONE);
}

/* m g l (1 - cos theta) is the potential energy, in J = kg m2/s2. */
static void
test_description (gconstpointer version)
{
  g_autofree char *model = example ("pendulum.weir");
  g_autoptr (WeirFmuDescription) d = describe (model, version);
  const WeirFmuUnit *joule, *acceleration;
  guint n = 0;

  assert_depends (d, WEIR_FMU_OUTPUTS, "Pendulum.potential", "Pendulum.q[0]");
  assert_depends (d, WEIR_FMU_INITIAL_UNKNOWNS, "Pendulum.potential",
                  "Pendulum.q[0] Pendulum.mass Pendulum.length Pendulum.gravity");
  assert_depends (d, WEIR_FMU_DERIVATIVES, "der(Pendulum.v[0])",
                  "Pendulum.q[0] Pendulum.v[0] Pendulum.torque");
  joule = &d->units[weir_fmu_description_find_unit (d, "J")];
  g_assert_cmpint (joule->exponents[0], ==, 1); /* kg, m, s */
  g_assert_cmpint (joule->exponents[1], ==, 2);
  g_assert_cmpint (joule->exponents[2], ==, -2);
  acceleration = &d->units[weir_fmu_description_find_unit (d, "m/s\u00b2")];
  g_assert_cmpint (acceleration->exponents[1], ==, 1);
  g_assert_cmpint (acceleration->exponents[2], ==, -2);
  for (guint i = 0; i < d->n_variables; i++)
    n += g_strcmp0 (d->variables[i].name, "time") == 0 && d->time == i;
  g_assert_cmpuint (n, ==, 1);
  assert_unit (d, "time", "s", "Time");
  assert_unit (d, "Pendulum.q[0]", "rad", "Angle");
  assert_unit (d, "Pendulum.v[0]", "rad/s", "AngularVelocity");
  assert_unit (d, "der(Pendulum.q[0])", "rad/s", "AngularVelocity");
  assert_unit (d, "der(Pendulum.v[0])", "rad/s^2", "AngularAcceleration");
  assert_unit (d, "Total.y", "J", "Energy");
  assert_unit (d, "Pendulum.torque", "N*m", "Torque");
}

/* What a network keeps and what its parts are set to: a motor's current, a shaft's speed and angle.
 */
static void
test_network_units (gconstpointer version)
{
  g_autofree char *model = example ("motor-drive.weir");
  g_autoptr (WeirFmuDescription) d = describe (model, version);

  assert_unit (d, "L1.i", "A", "ElectricCurrent");
  assert_unit (d, "J1.w", "rad/s", "AngularVelocity");
  assert_unit (d, "Gears.a.phi", "rad", "Angle");
  assert_unit (d, "der(J1.w)", "rad/s^2", "AngularAcceleration");
  assert_unit (d, "der(Gears.a.phi)", "rad/s", "AngularVelocity");
  assert_unit (d, "network1.R1.R", "ohm", "Resistance");
  assert_unit (d, "network1.J1.J", "kg*m^2", "Inertia");
}

typedef struct {
  WeirFmuUnknowns list;
  const char *unknown, *known;
  WeirFmuDependencyKind kind;
} KindCase;

static void
assert_kind (const WeirFmuDescription *d, const KindCase *wanted)
{
  guint n_found = 0;

  for (guint i = 0; i < d->n_unknowns[wanted->list]; i++)
    {
      const WeirFmuUnknown *unknown = &d->unknowns[wanted->list][i];

      for (guint k = 0; k < unknown->n_dependencies; k++)
        if (strcmp (d->variables[unknown->variable].name, wanted->unknown) == 0
            && strcmp (d->variables[unknown->dependencies[k]].name, wanted->known) == 0)
          {
            g_assert_cmpint (unknown->kinds[k], ==, wanted->kind);
            n_found++;
          }
    }
  g_assert_cmpuint (n_found, ==, 1);
}

/* v' = (F (t) - c v - k x) / m by gains that can be tuned, x' = v: what the factors change with. */
static void
test_kinds (gconstpointer version)
{
  static const KindCase cases[] = {
    { WEIR_FMU_OUTPUTS, "Position.y", "Position", WEIR_FMU_CONSTANT_KIND },
    { WEIR_FMU_DERIVATIVES, "der(Position)", "Velocity", WEIR_FMU_CONSTANT_KIND },
    { WEIR_FMU_DERIVATIVES, "der(Velocity)", "Velocity", WEIR_FMU_TUNABLE_KIND },
    { WEIR_FMU_DERIVATIVES, "der(Velocity)", "Position", WEIR_FMU_TUNABLE_KIND },
    { WEIR_FMU_DERIVATIVES, "der(Velocity)", "time", WEIR_FMU_DEPENDENT_KIND },
    { WEIR_FMU_INITIAL_UNKNOWNS, "der(Velocity)", "Position", WEIR_FMU_DEPENDENT_KIND },
    { WEIR_FMU_INITIAL_UNKNOWNS, "der(Velocity)", "Spring.gain", WEIR_FMU_DEPENDENT_KIND },
  };
  g_autofree char *model = example ("mass-spring-damper.weir");
  g_autoptr (WeirFmuDescription) d = describe (model, version);

  for (guint c = 0; c < G_N_ELEMENTS (cases); c++)
    assert_kind (d, &cases[c]);
}

/* x' = h x by a held h: the factor changes at its samples only; at the start nothing is apart. */
static void
test_discrete_kind (gconstpointer version)
{
  static const char text[] =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<weir version=\"1\"><diagram>"
      "<block id=\"1\" type=\"Sine\" name=\"S\" x=\"0\" y=\"0\"/>"
      "<block id=\"2\" type=\"ZeroOrderHold\" name=\"H\" x=\"0\" y=\"0\"/>"
      "<block id=\"3\" type=\"Product\" name=\"P\" x=\"0\" y=\"0\"/>"
      "<block id=\"4\" type=\"Integrator\" name=\"X\" x=\"0\" y=\"0\"/>"
      "<block id=\"5\" type=\"Scope\" name=\"Seen\" x=\"0\" y=\"0\"/>"
      "<wire id=\"10\" from=\"1.y\" to=\"2.u\"/><wire id=\"11\" from=\"2.y\" to=\"3.in1\"/>"
      "<wire id=\"12\" from=\"4.y\" to=\"3.in2\"/><wire id=\"13\" from=\"3.y\" to=\"4.u\"/>"
      "<wire id=\"14\" from=\"3.y\" to=\"5.in1\"/></diagram></weir>";
  static const KindCase cases[] = {
    { WEIR_FMU_DERIVATIVES, "der(X)", "X", WEIR_FMU_DISCRETE_KIND },
    { WEIR_FMU_OUTPUTS, "P.y", "X", WEIR_FMU_DISCRETE_KIND },
    { WEIR_FMU_INITIAL_UNKNOWNS, "der(X)", "X", WEIR_FMU_DEPENDENT_KIND },
  };
  g_autoptr (WeirFmuDescription) d = NULL;
  g_autofree char *model = NULL;

  g_close (g_file_open_tmp ("weir-XXXXXX.weir", &model, NULL), NULL);
  g_assert_true (g_file_set_contents (model, text, -1, NULL));
  d = describe (model, version);
  for (guint c = 0; c < G_N_ELEMENTS (cases); c++)
    assert_kind (d, &cases[c]);
  g_unlink (model);
}

/* The elements of a vector are told to belong together, in 3.0. */
static void
test_terminals (void)
{
  static const char text[] =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<weir version=\"1\"><diagram>"
      "<block id=\"1\" type=\"Constant\" name=\"Three\" x=\"0\" y=\"0\">"
      "<parameter name=\"value\" value=\"[1, 2, 3]\"/></block>"
      "<block id=\"2\" type=\"Integrator\" name=\"Sum\" x=\"0\" y=\"0\"/>"
      "<block id=\"3\" type=\"Scope\" name=\"Seen\" x=\"0\" y=\"0\">"
      "<parameter name=\"inputs\" value=\"2\"/></block>"
      "<block id=\"4\" type=\"Sine\" name=\"One\" x=\"0\" y=\"0\"/>"
      "<wire id=\"5\" from=\"1.y\" to=\"2.u\"/><wire id=\"6\" from=\"2.y\" to=\"3.in1\"/>"
      "<wire id=\"7\" from=\"4.y\" to=\"3.in2\"/></diagram></weir>";
  g_autoptr (WeirFmuDescription) d = NULL;
  g_autofree char *model = NULL;

  g_close (g_file_open_tmp ("weir-XXXXXX.weir", &model, NULL), NULL);
  g_assert_true (g_file_set_contents (model, text, -1, NULL));
  d = describe (model, "3");
  g_assert_cmpuint (d->n_terminals, ==, 1);
  g_assert_cmpstr (d->terminals[0].name, ==, "Sum.y");
  g_assert_cmpstr (d->terminals[0].matching_rule, ==, "sequence");
  g_assert_cmpuint (d->terminals[0].n_members, ==, 3);
  for (guint i = 0; i < 3; i++)
    {
      g_autofree char *name = g_strdup_printf ("Sum.y[%u]", i);

      g_assert_cmpstr (d->variables[d->terminals[0].members[i].variable].name, ==, name);
    }
  g_unlink (model);
}

/* --- Instances ------------------------------------------------------------------------------- */

static const WeirFmuOptions here = { .place = WEIR_FMU_IN_PROCESS };

/* Of co-simulation, ready to step. @token: NULL = the FMU's. NULL: it is not to be had so. */
static WeirFmuInstance *
start (const Place *place, const char *token, gboolean has_event_mode)
{
  const WeirFmuDescription *description = place->description;
  g_autoptr (WeirFmuArchive) archive = weir_fmu_archive_open (place->fmu, NULL);
  g_autofree char *folder = weir_fmu_archive_unpack (archive, NULL);
  WeirFmuBinary binary = {
    .folder = folder,
    .name = "part.fmu",
    .identifier = description->modes[WEIR_FMU_CO_SIMULATION].identifier,
    .token = token != NULL ? token : description->token,
    .version = description->version,
    .mode = WEIR_FMU_CO_SIMULATION,
    .can_save = TRUE,
    .can_serialize = TRUE,
    .can_differentiate = description->modes[WEIR_FMU_CO_SIMULATION].has_directional_derivatives,
    .event_mode_used = has_event_mode,
    .early_return_allowed = has_event_mode
  };
  g_autoptr (GError) error = NULL;
  WeirFmuInstance *instance = weir_fmu_instance_new (&binary, &here, &error);
  WeirFmuUpdate update = { 0 };

  if (instance == NULL)
    {
      g_assert_error (error, WEIR_ERROR, WEIR_ERROR_FAILED);
      return NULL;
    }
  g_assert_true (weir_fmu_instance_enter_initialization (instance, 0, INFINITY, 0, &error));
  g_assert_true (weir_fmu_instance_exit_initialization (instance, &error));
  if (has_event_mode)
    {
      g_assert_true (weir_fmu_instance_update_discrete (instance, &update, &error));
      g_assert_false (update.is_update_needed);
      g_assert_true (weir_fmu_instance_enter_step_mode (instance, &error));
    }
  return instance;
}

static void
assert_bits (double a, double b)
{
  g_assert_cmpmem (&a, sizeof a, &b, sizeof b);
}

/* The first output after steps of 0.01 s. */
static double
step (WeirFmuInstance *instance, const Place *place, guint begin, guint end)
{
  guint i = 0;
  double value = NAN;
  WeirFmuValues got = { WEIR_FMU_FLOAT64, NULL, 1, &value, 1 };
  g_autoptr (GError) error = NULL;

  while (place->description->variables[i].causality != WEIR_FMU_OUTPUT)
    i++;
  got.refs = &place->description->variables[i].reference;
  for (guint k = begin; k < end; k++)
    {
      WeirFmuStep at = { .time = k * 0.01, .step = 0.01, .got = &got, .n_got = 1 };
      WeirFmuStepEnd reached;

      g_assert_cmpint (weir_fmu_instance_do_step (instance, &at, &reached, &error), ==,
                       WEIR_FMU_DONE);
      /* However its end is rounded. */
      g_assert_false (reached.returned_early);
      assert_bits (reached.last_time, at.time + at.step);
    }
  return value;
}

/* A step of 3 s ends where the ball meets the floor, for who allows it. */
static void
assert_returns_early (const Place *place)
{
  g_autoptr (WeirFmuInstance) instance = start (place, NULL, TRUE);
  g_autoptr (GError) error = NULL;
  const WeirFmuStep all = { .time = 0, .step = 3 };
  WeirFmuStepEnd end = { 0 };
  WeirFmuUpdate update = { 0 };

  g_assert_cmpint (weir_fmu_instance_do_step (instance, &all, &end, &error), ==, WEIR_FMU_DONE);
  g_assert_true (end.returned_early && end.event_needed && !end.terminates);
  g_assert_cmpfloat_with_epsilon (end.last_time, sqrt (2 * 10 / 9.81), 1e-9);
  g_assert_true (weir_fmu_instance_enter_event_mode (instance, &error));
  g_assert_true (weir_fmu_instance_update_discrete (instance, &update, &error));
  g_assert_false (update.is_update_needed);
  g_assert_true (weir_fmu_instance_enter_step_mode (instance, &error));
}

/* Saved before the ball meets the floor, and gone back to from after that; also by another
 * instance. */
static void
test_states (gconstpointer version)
{
  g_auto (Place) place = { 0 };
  g_autoptr (WeirFmuInstance) instance = NULL, other = NULL;
  g_autoptr (WeirFmuState) state = NULL, copy = NULL;
  g_autoptr (GBytes) bytes = NULL, wrong = NULL;
  g_autoptr (GError) error = NULL;
  double height;

  if (!place_init (&place, "bouncing-ball.weir", version))
    return;
  instance = start (&place, NULL, FALSE);
  step (instance, &place, 0, 40);
  state = weir_fmu_instance_save (instance, &error);
  g_assert_no_error (error);
  bytes = weir_fmu_instance_serialize (instance, state, &error);
  g_assert_no_error (error);
  height = step (instance, &place, 40, 400);
  g_assert_true (weir_fmu_instance_restore (instance, state, &error));
  assert_bits (step (instance, &place, 40, 400), height);

  other = start (&place, NULL, FALSE);
  step (other, &place, 0, 3);
  copy = weir_fmu_instance_deserialize (other, bytes, &error);
  g_assert_no_error (error);
  g_assert_true (weir_fmu_instance_restore (other, copy, &error));
  assert_bits (step (other, &place, 40, 400), height);

  wrong = g_bytes_new_from_bytes (bytes, 0, g_bytes_get_size (bytes) - 8);
  g_assert_null (weir_fmu_instance_deserialize (other, wrong, &error));
  g_clear_error (&error);
  /* An instance more, once the others and with them the library are gone. */
  g_clear_pointer (&state, weir_fmu_state_unref);
  g_clear_pointer (&copy, weir_fmu_state_unref);
  g_clear_pointer (&instance, weir_fmu_instance_free);
  g_clear_pointer (&other, weir_fmu_instance_free);
  instance = start (&place, NULL, FALSE);
  assert_bits (step (instance, &place, 0, 400), height);
  g_assert_null (start (&place, "{of another}", FALSE));
  if (place.description->version == 3)
    assert_returns_early (&place);
}

/* --- Directions ------------------------------------------------------------------------------ */

static const WeirFmuVariable *
find_variable (const Place *place, const char *name)
{
  guint i = 0;

  while (g_strcmp0 (place->description->variables[i].name, name) != 0)
    g_assert_cmpuint (++i, <, place->description->n_variables);
  return &place->description->variables[i];
}

static guint32
find_reference (const Place *place, const char *name)
{
  return find_variable (place, name)->reference;
}

static double
differentiate (WeirFmuInstance *instance, guint32 unknown, guint32 known)
{
  double seed = 1, slope = NAN;
  g_autoptr (GError) error = NULL;

  weir_fmu_instance_differentiate (instance, &unknown, 1, &known, 1, &seed, 1, &slope, 1, &error);
  g_assert_no_error (error);
  return slope;
}

static double
get_value (WeirFmuInstance *instance, const Place *place, const char *name)
{
  guint32 ref = find_reference (place, name);
  double value = NAN;
  const WeirFmuValues group = { WEIR_FMU_FLOAT64, &ref, 1, &value, 1 };
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (weir_fmu_instance_get (instance, &group, 1, &error), ==, WEIR_FMU_DONE);
  return value;
}

/* omega' = (tau - b omega) / (m l^2) - g / l sin theta, of the block's own calculations; m = l = 1,
 * g = 9.81, b = 0. */
static void
test_directions (gconstpointer version)
{
  g_auto (Place) place = { 0 };
  g_autoptr (WeirFmuInstance) instance = NULL;
  double theta, omega, g = 9.81;

  if (!place_init (&place, "pendulum.weir", version))
    return;
  g_assert_true (place.description->modes[WEIR_FMU_MODEL_EXCHANGE].has_directional_derivatives);
  instance = start (&place, NULL, FALSE);
  step (instance, &place, 0, 50);
  theta = get_value (instance, &place, "Pendulum.theta");
  omega = get_value (instance, &place, "Pendulum.omega");
  g_assert_cmpfloat (theta, <, 0.5);
  const struct {
    const char *unknown, *known;
    double slope;
  } cases[] = {
    { "der(Pendulum.v[0])", "Pendulum.q[0]", -g * cos (theta) },
    { "der(Pendulum.v[0])", "Pendulum.v[0]", 0 },
    { "der(Pendulum.v[0])", "Pendulum.torque", 1 },
    { "der(Pendulum.v[0])", "Pendulum.damping", -omega },
    { "der(Pendulum.v[0])", "Pendulum.mass", 0 },
    { "der(Pendulum.v[0])", "Pendulum.length", g * sin (theta) },
    { "der(Pendulum.v[0])", "Pendulum.gravity", -sin (theta) },
    { "der(Pendulum.q[0])", "Pendulum.v[0]", 1 },
    { "Total.y", "Pendulum.q[0]", g * sin (theta) },
    { "Total.y", "Pendulum.v[0]", omega },
    { "Pendulum.kinetic", "Pendulum.length", omega * omega },
    { "Pendulum.potential", "Pendulum.mass", g * (1 - cos (theta)) },
    { "Pendulum.potential", "Pendulum.v[0]", 0 },
    { "Pendulum.theta", "Pendulum.q[0]", 1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpfloat_with_epsilon (differentiate (instance,
                                                   find_reference (&place, cases[i].unknown),
                                                   find_reference (&place, cases[i].known)),
                                    cases[i].slope, 1e-13);
}

/* A state may be recorded under its own name, so that it has another; its derivative has one. */
static const WeirFmuVariable *
find_derivative (const Place *place, const char *state)
{
  g_autofree char *name = g_strdup_printf ("der(%s)", state);

  return find_variable (place, name);
}

/* Row by row, as the model's own linearisation by differences has it: kernels, equations, solved
 * ones among them, and networks. It is printed with ten digits. */
static void
test_linearization (gconstpointer name)
{
  g_auto (Place) place = { 0 };
  g_auto (Outcome) own = { 0 };
  g_auto (GStrv) lines = NULL;
  g_autoptr (GPtrArray) states = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (WeirFmuInstance) instance = NULL;
  guint at = 0;

  if (!place_init (&place, name, "3"))
    return;
  instance = start (&place, NULL, FALSE);
  own = weir (ARGUMENTS ("linearize", place.own, "--all-states"));
  lines = g_strsplit (own.out, "\n", -1);
  while (strcmp (lines[at++], "states") != 0)
    ;
  for (; *lines[at] != '\0'; at++)
    g_ptr_array_add (states, g_strdup (strrchr (lines[at], ' ') + 1));
  g_assert_cmpuint (states->len, >, 2);
  g_assert_cmpstr (lines[at + 1], ==, "A");
  for (guint i = 0; i < states->len; i++)
    {
      const char *rest = lines[at + 2 + i];

      for (guint j = 0; j < states->len; j++)
        {
          const WeirFmuVariable *unknown = find_derivative (&place, states->pdata[i]);
          const WeirFmuVariable *known = find_derivative (&place, states->pdata[j]);
          double expected = g_ascii_strtod (rest, (char **) &rest);
          double found = differentiate (
              instance, unknown->reference,
              place.description->variables[known->derivative_of].reference);

          g_assert_cmpfloat_with_epsilon (found, expected, 1e-9 * fmax (fabs (expected), 1));
        }
    }
}

/* x' = s, s = x - g sin s, an algebraic loop: with x the output moves by 1 / (1 + g cos s), with g
 * by
 * - sin s / (1 + g cos s). It is declared to depend on the state that the loop reads elsewhere. */
static void
test_loop (gconstpointer version)
{
  static const char text[] =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<weir version=\"1\"><diagram>"
      "<block id=\"1\" type=\"Integrator\" name=\"I\" x=\"0\" y=\"0\">"
      "<parameter name=\"initial\" value=\"0.7\"/></block>"
      "<block id=\"2\" type=\"Sum\" name=\"S\" x=\"0\" y=\"0\">"
      "<parameter name=\"signs\" value=\"+-\"/></block>"
      "<block id=\"3\" type=\"Function\" name=\"F\" x=\"0\" y=\"0\">"
      "<parameter name=\"function\" value=\"sin\"/></block>"
      "<block id=\"4\" type=\"Gain\" name=\"G\" x=\"0\" y=\"0\">"
      "<parameter name=\"gain\" value=\"0.5\"/></block>"
      "<block id=\"5\" type=\"Scope\" name=\"Seen\" x=\"0\" y=\"0\"/>"
      "<wire id=\"10\" from=\"1.y\" to=\"2.in1\"/><wire id=\"11\" from=\"2.y\" to=\"3.u\"/>"
      "<wire id=\"12\" from=\"3.y\" to=\"4.u\"/><wire id=\"13\" from=\"4.y\" to=\"2.in2\"/>"
      "<wire id=\"14\" from=\"2.y\" to=\"1.u\"/><wire id=\"15\" from=\"3.y\" to=\"5.in1\"/>"
      "</diagram></weir>";
  g_auto (Place) place = { 0 };
  g_autoptr (WeirFmuInstance) instance = NULL;
  char *model = NULL;
  double s, slope;
  guint32 state, gain, rate, output;

  g_close (g_file_open_tmp ("weir-XXXXXX.weir", &model, NULL), NULL);
  g_assert_true (g_file_set_contents (model, text, -1, NULL));
  if (!place_init_of (&place, model, version))
    return;
  assert_depends (place.description, WEIR_FMU_OUTPUTS, "F.y", "I");
  instance = start (&place, NULL, FALSE);
  state = find_reference (&place, "I");
  gain = find_reference (&place, "G.gain");
  rate = find_reference (&place, "der(I)");
  output = find_reference (&place, "F.y");
  s = get_value (instance, &place, "der(I)");
  g_assert_cmpfloat_with_epsilon (s + 0.5 * sin (s), 0.7, 1e-12);
  slope = 1 / (1 + 0.5 * cos (s));
  g_assert_cmpfloat_with_epsilon (differentiate (instance, rate, state), slope, 1e-12);
  g_assert_cmpfloat_with_epsilon (differentiate (instance, output, state), cos (s) * slope, 1e-12);
  g_assert_cmpfloat_with_epsilon (differentiate (instance, rate, gain), -sin (s) * slope, 1e-12);
  g_unlink (place.own);
}

/* A delay's past is not differentiated, and the FMU does not say so. */
static void
test_no_directions (void)
{
  g_autofree char *model = example ("computing-delay.weir");
  g_autoptr (WeirFmuDescription) d = describe (model, "2");

  g_assert_false (d->modes[WEIR_FMU_MODEL_EXCHANGE].has_directional_derivatives);
  g_assert_false (d->modes[WEIR_FMU_CO_SIMULATION].has_directional_derivatives);
}

int
main (int argc, char **argv)
{
  g_autofree char *cache = g_dir_make_tmp ("weir-XXXXXX", NULL);
  int status;

  g_setenv ("XDG_CACHE_HOME", cache, TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/generate/fmus/taken-back-2", "2", test_taken_back);
  g_test_add_data_func ("/generate/fmus/taken-back-3", "3", test_taken_back);
  g_test_add_func ("/generate/fmus/leaves-zero", test_leaves_zero);
  g_test_add_func ("/generate/fmus/delayed", test_delayed);
  g_test_add_data_func ("/generate/fmus/sampled-2", "2", test_sampled);
  g_test_add_data_func ("/generate/fmus/sampled-3", "3", test_sampled);
  g_test_add_data_func ("/generate/fmus/description-2", "2", test_description);
  g_test_add_data_func ("/generate/fmus/description-3", "3", test_description);
  g_test_add_data_func ("/generate/fmus/network-units-2", "2", test_network_units);
  g_test_add_data_func ("/generate/fmus/network-units-3", "3", test_network_units);
  g_test_add_data_func ("/generate/fmus/kinds-2", "2", test_kinds);
  g_test_add_data_func ("/generate/fmus/kinds-3", "3", test_kinds);
  g_test_add_data_func ("/generate/fmus/discrete-kind-2", "2", test_discrete_kind);
  g_test_add_data_func ("/generate/fmus/discrete-kind-3", "3", test_discrete_kind);
  g_test_add_func ("/generate/fmus/terminals", test_terminals);
  g_test_add_data_func ("/generate/fmus/states-2", "2", test_states);
  g_test_add_data_func ("/generate/fmus/states-3", "3", test_states);
  g_test_add_data_func ("/generate/fmus/directions", "2", test_directions);
  g_test_add_data_func ("/generate/fmus/linearization/equations", "inverted-pendulum.weir",
                        test_linearization);
  g_test_add_data_func ("/generate/fmus/linearization/network", "motor-drive.weir",
                        test_linearization);
  g_test_add_data_func ("/generate/fmus/loop", "3", test_loop);
  g_test_add_func ("/generate/fmus/no-directions", test_no_directions);
  status = g_test_run ();
  remove_folder (cache);
  return status;
}

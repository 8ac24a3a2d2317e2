/* Texts between units of co-simulation: when they arrive, by schedule; rounds at the start, and
 * repeated steps, until they come out the same; units that break the rules. */
#include <string.h>

#include "counters.h"

#define H 0.25

typedef enum {
  GROWS,   /* what it hears, and an x more */
  SETTLES, /* "go", and "done" once it has heard either */
  COPIES,
  LIES, /* gives a number */
} Deed;

typedef struct {
  Deed deed;
  gboolean is_direct; /* also at the start */
  gboolean is_numb;   /* knows nothing of texts */
} EchoData;

typedef struct {
  const EchoData *data;
  char *heard, *said;
} Echo;

static gpointer
echo_make (gpointer data, G_GNUC_UNUSED GError **error)
{
  Echo *self = g_new0 (Echo, 1);

  self->data = data;
  self->heard = g_strdup ("");
  self->said = g_strdup ("");
  return self;
}

static void
echo_free (gpointer instance)
{
  Echo *self = instance;

  g_free (self->heard);
  g_free (self->said);
  g_free (self);
}

static void
echo_hear (gpointer instance, GVariant *const *values)
{
  Echo *self = instance;

  g_free (self->heard);
  self->heard = g_variant_dup_string (values[0], NULL);
}

static void
echo_tell (gpointer instance, GVariant **values)
{
  const Echo *self = instance;

  values[0] = self->data->deed == LIES ? g_variant_new_int32 (1)
                                       : g_variant_new_string (self->said);
}

static void
speak (Echo *self)
{
  g_free (self->said);
  self->said = self->data->deed == GROWS     ? g_strconcat (self->heard, "x", NULL)
               : self->data->deed == SETTLES ? g_strdup (*self->heard != '\0' ? "done" : "go")
                                             : g_strdup (self->heard);
}

static gboolean
echo_initialize (gpointer instance, G_GNUC_UNUSED double t, G_GNUC_UNUSED const double *u,
                 G_GNUC_UNUSED double *y, G_GNUC_UNUSED GError **error)
{
  speak (instance);
  return TRUE;
}

static gboolean
echo_step (gpointer instance, G_GNUC_UNUSED double t, G_GNUC_UNUSED double end,
           G_GNUC_UNUSED const double *u, G_GNUC_UNUSED double *y, G_GNUC_UNUSED double *reached,
           G_GNUC_UNUSED GError **error)
{
  speak (instance);
  return TRUE;
}

static gboolean
echo_starts_with (gpointer data, guint in, guint out)
{
  g_assert_cmpuint (in + out, ==, 0); /* there are no numbers before them */
  return ((EchoData *) data)->is_direct;
}

static GBytes *
echo_save (gpointer instance, G_GNUC_UNUSED GError **error)
{
  const Echo *self = instance;

  return g_bytes_new (self->said, strlen (self->said) + 1);
}

static gboolean
echo_restore (gpointer instance, GBytes *bytes, G_GNUC_UNUSED GError **error)
{
  Echo *self = instance;

  g_free (self->said);
  self->said = g_strdup (g_bytes_get_data (bytes, NULL));
  return TRUE;
}

#define ECHO_CLASS(NAME, ...)                                                                      \
  {                                                                                                \
    .name = (NAME),                                                                                \
    .abilities = WEIR_UNIT_RESTORES | WEIR_UNIT_REPEATS_BITS | WEIR_UNIT_VARIABLE_STEP             \
                 | WEIR_UNIT_ANY_THREAD,                                                           \
    .starts_with = echo_starts_with, .make = echo_make, .initialize = echo_initialize,             \
    .step = echo_step, .save = echo_save, .restore = echo_restore, .free = echo_free, __VA_ARGS__  \
  }

static const WeirUnitClass echo_class = ECHO_CLASS ("Echo", .set_abstract_inputs = echo_hear,
                                                    .get_abstract_outputs = echo_tell);
static const WeirUnitClass numb_class = ECHO_CLASS ("Numb", .set_abstract_inputs = NULL);

static WeirSystem *
echo_new (const EchoData *data)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Echo");
  WeirInput in;

  weir_leaf_set_unit (b, data->is_numb ? &numb_class : &echo_class, (gpointer) data, NULL, 1, 0);
  in = weir_leaf_add_abstract_input (b, "u", G_VARIANT_TYPE_STRING);
  weir_leaf_set_abstract_input_default (b, in, g_variant_new_string ("a"));
  weir_leaf_add_abstract_unit_output (b, "y", g_variant_new_string (""));
  return weir_leaf_builder_build (b);
}

static WeirStatus
calc_upper (const WeirCalc *c, GVariant **out)
{
  GVariant *text = weir_calc_abstract_input (c, (WeirInput) { 0 });
  g_autofree char *upper = g_ascii_strup (g_variant_get_string (text, NULL), -1);

  *out = g_variant_new_string (upper);
  return WEIR_OK;
}

static WeirSystem *
upper_new (void)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Upper");

  weir_leaf_add_abstract_input (b, "u", G_VARIANT_TYPE_STRING);
  weir_leaf_add_abstract_output (b, "y", G_VARIANT_TYPE_STRING, calc_upper,
                                 WEIR_DEPENDS (WEIR_ALL_INPUTS));
  return weir_leaf_builder_build (b);
}

/* One that hears itself. */
static WeirSystem *
ring_new (const EchoData *data)
{
  WeirDiagramBuilder *b = weir_diagram_builder_new ();
  g_autoptr (WeirSystem) echo = echo_new (data);
  GError *error = NULL;
  WeirSystem *root;

  weir_diagram_builder_add (b, "E", echo);
  weir_diagram_builder_connect_by_name (b, "E", "y", "E", "u");
  root = weir_diagram_builder_build (b, &error);
  g_assert_no_error (error);
  return root;
}

static const char *
get_text (Run *run, const char *path)
{
  WeirNode node;

  g_assert_true (weir_layout_find_node (weir_system_get_layout (run->root), path, &node));
  return g_variant_get_string (
      weir_eval_abstract_output (run->root, run->context, node, (WeirOutput) { 0 }), NULL);
}

static void
assert_fails (const EchoData *data, WeirStepSchedulingType schedule, const char *text)
{
  g_autoptr (GError) error = NULL;
  Run run;

  run_begin (&run, ring_new (data), H, schedule, 1);
  g_assert_false (weir_simulator_advance_to (run.simulator, 1, &error));
  g_assert_cmpstr (error->message, ==, text);
  run_end (&run);
}

/* --- When they arrive ------------------------------------------------------------------------ */

/* A grows by hearing itself; B hears A in capitals, through algebra: in a cascade, or repeated, in
 * the same step. */
static void
test_through_algebra (void)
{
  static const EchoData grows = { .deed = GROWS }, copies = { .deed = COPIES };

  for (guint schedule = 0; schedule <= WEIR_STEP_SCHEDULING_CASCADING_PARALLEL; schedule++)
    {
      gboolean is_cascade = schedule == WEIR_STEP_SCHEDULING_CASCADING_PARALLEL;
      WeirDiagramBuilder *b = weir_diagram_builder_new ();
      g_autoptr (WeirSystem) first = echo_new (&grows), second = echo_new (&copies);
      g_autoptr (WeirSystem) upper = upper_new ();
      g_autoptr (GBytes) saved = NULL;
      GError *error = NULL;
      WeirSystem *root;
      Run run;

      weir_diagram_builder_add (b, "A", first);
      weir_diagram_builder_add (b, "B", second);
      weir_diagram_builder_add (b, "U", upper);
      weir_diagram_builder_connect_by_name (b, "A", "y", "A", "u");
      weir_diagram_builder_connect_by_name (b, "A", "y", "U", "u");
      weir_diagram_builder_connect_by_name (b, "U", "y", "B", "u");
      root = weir_diagram_builder_build (b, &error);
      g_assert_no_error (error);
      run_begin (&run, root, H, (WeirStepSchedulingType) schedule, 2);
      run_to (&run, 3 * H);
      g_assert_cmpstr (get_text (&run, "A"), ==, "xxxx"); /* at the start, and in three steps */
      g_assert_cmpstr (get_text (&run, "B"), ==, is_cascade ? "XXXX" : "XXX");
      saved = weir_simulator_save (run.simulator, &error);
      g_assert_no_error (error);
      run_to (&run, 5 * H);
      g_assert_true (weir_simulator_load (run.simulator, saved, &error));
      g_assert_cmpstr (get_text (&run, "A"), ==, "xxxx");
      run_to (&run, 4 * H);
      g_assert_cmpstr (get_text (&run, "A"), ==, "xxxxx");
      g_assert_cmpstr (get_text (&run, "B"), ==, is_cascade ? "XXXXX" : "XXXX");
      run_end (&run);
    }
}

/* --- Until they come out the same ------------------------------------------------------------ */

static void
test_settles (void)
{
  static const EchoData direct = { .deed = SETTLES, .is_direct = TRUE }, late = { .deed = SETTLES };
  Run run;

  run_begin (&run, ring_new (&direct), H, WEIR_STEP_SCHEDULING_FULL_PARALLEL, 1);
  run_to (&run, 0);
  g_assert_cmpstr (get_text (&run, "E"), ==, "done");
  run_end (&run);
  run_begin (&run, ring_new (&late), H, WEIR_STEP_SCHEDULING_FULL_PARALLEL, 1);
  run_to (&run, 0);
  g_assert_cmpstr (get_text (&run, "E"), ==, "go");
  run_to (&run, H);
  g_assert_cmpstr (get_text (&run, "E"), ==, "done");
  run_end (&run);
  run_begin (&run, ring_new (&late), H, WEIR_STEP_SCHEDULING_ITERATED, 1);
  run_to (&run, H);
  g_assert_cmpstr (get_text (&run, "E"), ==, "done");
  run_end (&run);
}

static void
test_never_settles (void)
{
  static const EchoData direct = { .deed = GROWS, .is_direct = TRUE }, late = { .deed = GROWS };

  assert_fails (&direct, WEIR_STEP_SCHEDULING_FULL_PARALLEL,
                "the outputs of the units E depend on each other at the start, and their texts or "
                "bytes never settle");
  assert_fails (
      &late, WEIR_STEP_SCHEDULING_ITERATED,
      "E: the units do not agree on its texts or bytes at t = 0.25 s after 60 repetitions "
      "of the step");
}

/* --- Rules ----------------------------------------------------------------------------------- */

static void
test_wrong_type (void)
{
  static const EchoData lies = { .deed = LIES };

  assert_fails (&lies, WEIR_STEP_SCHEDULING_FULL_PARALLEL,
                "E: its output y is of type \"i\", but \"s\" was declared");
}

static void
test_numb (void)
{
  static const EchoData numb = { .is_numb = TRUE };
  g_autoptr (WeirSystem) root = ring_new (&numb);
  g_autoptr (WeirContext) context = weir_system_create_context (root);
  g_autoptr (GError) error = NULL;
  WeirSimulatorOptions options;

  weir_cosim_provide ();
  weir_simulator_options_init (&options);
  options.communication_step = H;
  g_assert_null (weir_simulator_new (root, context, &options, &error));
  g_assert_cmpstr (
      error->message, ==,
      "E: a unit of this kind (Numb) exchanges numbers alone, and not all of its ports "
      "carry those");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cosim/abstract/through-algebra", test_through_algebra);
  g_test_add_func ("/cosim/abstract/settles", test_settles);
  g_test_add_func ("/cosim/abstract/never-settles", test_never_settles);
  g_test_add_func ("/cosim/abstract/wrong-type", test_wrong_type);
  g_test_add_func ("/cosim/abstract/numb", test_numb);
  return g_test_run ();
}

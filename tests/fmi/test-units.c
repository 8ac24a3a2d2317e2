/* FMU blocks that are units of co-simulation: they are so from the first, with a place in the list
 * and wires that come late, whether they have settings or not. */
#include <gio/gio.h>
#include <string.h>

#include "cosim/order.h"
#include "system/evaluation/eval.h"
#include "model/completion/completion.h"
#include "model/files/xml.h"
#include "model/tree/settings.h"
#include "model/tree/unit-settings.h"
#include "zip.h"

/* A folder with "both.fmu", which offers both modes, and "alone.fmu", which only co-simulates. */
typedef struct {
  GFile *folder;
} Place;

static void
put (const Place *self, const char *name, const void *bytes, gsize size)
{
  g_autoptr (GFile) file = g_file_get_child (self->folder, name);

  g_assert_true (g_file_replace_contents (file, bytes, size, NULL, FALSE, 0, NULL, NULL, NULL));
}

static void
place_init (Place *self)
{
  g_autofree char *folder = g_dir_make_tmp ("weir-units-XXXXXX", NULL);
  g_autofree char *fmu = g_test_build_filename (G_TEST_BUILT, "fmi", "fmus", "adder-2.fmu", NULL);
  g_autofree char *described = g_test_build_filename (G_TEST_BUILT, "fmi", "fmus", "adder-2",
                                                      "modelDescription.xml", NULL);
  g_autofree char *bytes = NULL, *text = NULL;
  g_autoptr (GBytes) alone = NULL;
  ZipFile file = { .name = "modelDescription.xml" };
  char *mode;
  gsize size;

  self->folder = g_file_new_for_path (folder);
  g_assert_true (g_file_get_contents (fmu, &bytes, &size, NULL));
  put (self, "both.fmu", bytes, size);
  g_assert_true (g_file_get_contents (described, &text, NULL, NULL));
  mode = strstr (text, "<ModelExchange");
  g_assert_nonnull (mode);
  while (*mode != '>')
    *mode++ = ' ';
  *mode = ' ';
  file.text = text;
  alone = zip_make (&file, 1, &(ZipEnd) { 0 });
  put (self, "alone.fmu", g_bytes_get_data (alone, NULL), g_bytes_get_size (alone));
}

static void
place_clear (Place *self)
{
  static const char *const names[] = { "both.fmu", "alone.fmu", "m.weir" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (GFile) file = g_file_get_child (self->folder, names[i]);

      g_assert_true (g_file_delete (file, NULL, NULL));
    }
  g_assert_true (g_file_delete (self->folder, NULL, NULL));
  g_object_unref (self->folder);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Place, place_clear)

#define FMU(id, name, file, rest)                                                                  \
  "<block id=\"" id "\" type=\"FMU\" name=\"" name                                                 \
  "\" x=\"0\" y=\"0\"><parameter name=\"file\" value=\"" file "\"/>" rest "</block>\n"
#define MODE(mode) "<parameter name=\"mode\" value=\"" mode "\"/>"

static WeirModel *
read_model (const Place *self, const char *schedule, const char *blocks)
{
  g_autofree char *text = g_strdup_printf (
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<weir version=\"3\">\n<settings><setting "
      "name=\"schedule\" value=\"%s\"/><setting name=\"communication-step\" "
      "value=\"1\"/></settings>\n<diagram>\n%s</diagram>\n</weir>\n",
      schedule, blocks);
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (GFile) file = g_file_get_child (self->folder, "m.weir");
  WeirModel *model;

  put (self, "m.weir", text, strlen (text));
  model = weir_model_read_file (file, diagnostics);
  g_assert_nonnull (model);
  return model;
}

static gboolean
is_unit (WeirModel *model, const char *name)
{
  return weir_block_is_unit (weir_model_find_path (model, name));
}

/* By the mode, and what the file offers. */
static void
test_modes (void)
{
  g_auto (Place) place = { 0 };
  g_autoptr (WeirModel) model = NULL;

  place_init (&place);
  model = read_model (&place, "full",
                      FMU ("1", "A", "both.fmu", "") FMU ("2", "B", "alone.fmu", "")
                          FMU ("3", "C", "both.fmu", MODE ("co-simulation"))
                              FMU ("4", "D", "both.fmu", MODE ("exchange"))
                                  FMU ("5", "E", "none.fmu", "")
                                      FMU ("6", "F", "none.fmu", MODE ("co-simulation"))
                                          FMU ("7", "G", "both.fmu",
                                               MODE ("exchange") "<unit name=\"place\" "
                                                                 "value=\"1\"/>"));
  g_assert_false (is_unit (model, "A"));
  g_assert_true (is_unit (model, "B"));
  g_assert_true (is_unit (model, "C"));
  g_assert_false (is_unit (model, "D"));
  g_assert_false (is_unit (model, "E"));
  g_assert_true (is_unit (model, "F"));
  g_assert_false (is_unit (model, "G"));
}

/* @list: of the units' names. @late: whose input comes late. */
static void
check_list (WeirModel *model, const char *list, const char *late)
{
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (WeirSystem) system = weir_model_complete (model, diagnostics);
  g_autoptr (WeirContext) context = NULL;
  g_autoptr (WeirSimulator) simulator = NULL;
  g_autoptr (GString) names = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) inputs = NULL;
  g_autofree char *path = NULL;
  WeirSimulatorOptions options;
  WeirInputPlace input;
  WeirCosim *cosim;

  g_assert_nonnull (system);
  context = weir_system_create_context (system);
  weir_simulator_options_init (&options);
  options.communication_step = 1;
  options.schedule = WEIR_STEP_SCHEDULING_CASCADING_PARALLEL;
  simulator = weir_simulator_new (system, context, &options, &error);
  g_assert_no_error (error);
  cosim = weir_cosim_get (simulator);
  g_assert_nonnull (cosim);
  for (guint k = 0; k <= weir_cosim_get_n_units (cosim); k++)
    if (weir_cosim_get_at (cosim, k) != WEIR_COSIM_REST)
      g_string_append (names, weir_cosim_get_path (cosim, weir_cosim_get_at (cosim, k)));
  g_assert_cmpstr (names->str, ==, list);
  inputs = weir_cosim_list_late_inputs (cosim);
  g_assert_cmpuint (inputs->len, ==, 1);
  input = g_array_index (inputs, WeirInputPlace, 0);
  path = weir_layout_dup_path (weir_system_get_layout (system), input.node);
  g_assert_cmpstr (path, ==, late);
}

static WeirModel *
with_place (WeirModel *model, const char *name, const char *text)
{
  WeirBlock *block = weir_model_find_path (model, name);
  g_autoptr (WeirBlock) changed = weir_block_with_unit_setting (block, "place", text);
  g_autoptr (WeirPatch) patch = weir_patch_new ();
  g_autoptr (GError) error = NULL;
  WeirModel *other;

  weir_patch_set_block (patch, (WeirPlace) { NULL, 0 }, changed);
  other = weir_model_apply (model, patch, NULL, &error);
  g_assert_no_error (error);
  return other;
}

/* Two that feed each other: in the order of the model, until they have places. */
static void
test_list (void)
{
  g_auto (Place) place = { 0 };
  g_autoptr (WeirModel) model = NULL, placed = NULL, swapped = NULL;

  weir_cosim_provide ();
  place_init (&place);
  model = read_model (&place, "cascading",
                      FMU ("1", "A", "both.fmu", MODE ("co-simulation"))
                          FMU ("2", "B", "alone.fmu", "") "<wire id=\"3\" from=\"1.y\" "
                                                          "to=\"2.u1\"/><wire id=\"4\" "
                                                          "from=\"2.y\" to=\"1.u1\"/>");
  check_list (model, "AB", "A");
  placed = with_place (model, "A", "2");
  swapped = with_place (placed, "B", "1");
  check_list (swapped, "BA", "B");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/fmi/units/modes", test_modes);
  g_test_add_func ("/fmi/units/list", test_list);
  return g_test_run ();
}

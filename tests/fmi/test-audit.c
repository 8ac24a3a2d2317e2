/* What audits of FMUs find: each liar among the tests' FMUs, and nothing of the others. */
#include <math.h>

#include "fmi/leaf.h"
#include "system/evaluation/eval.h"
#include "system/layout/layout.h"

#include "../shout.h"

static const guint versions[] = { 2, 3 };

typedef struct {
  WeirFmuDescription *description;
  char *name, *folder;
} Part;

static void
part_init (Part *self, const char *model, guint version)
{
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (WeirFmuArchive) archive = NULL;
  g_autofree char *file = NULL, *path = NULL;

  self->name = g_strdup_printf ("%s-%u", model, version);
  file = g_strconcat (self->name, ".fmu", NULL);
  path = g_test_build_filename (G_TEST_BUILT, "fmi", "fmus", file, NULL);
  self->folder = g_test_build_filename (G_TEST_BUILT, "fmi", "fmus", self->name, NULL);
  archive = weir_fmu_archive_open (path, NULL);
  self->description = weir_fmu_description_read (archive, diagnostics);
  g_assert_nonnull (self->description);
}

static void
part_clear (Part *self)
{
  weir_fmu_description_unref (self->description);
  g_free (self->name);
  g_free (self->folder);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Part, part_clear)

static void
test_liars (void)
{
  static const struct {
    double lie;
    const char *text; /* NULL: nothing is found */
  } cases[] = {
    { 0, NULL },
    { 1, "y depends on u2, which the file does not say" },
    { 2, "der(x1) depends on u2, which the file does not say" },
    { 5, "the same time, states and inputs give other values when they are set again, so that "
         "nothing of it is cached" },
    { 7, "its saved state does not bring back what it was, and is not used" },
  };

  for (guint k = 0; k < G_N_ELEMENTS (versions); k++)
    for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
      {
        WeirFmuStart start = { "lie", &cases[i].lie, 1 };
        g_autoptr (WeirFmuVerdict) verdict = NULL;
        g_autoptr (GError) error = NULL;
        g_autoptr (WeirMessage) text = NULL;
        g_auto (Part) part = { 0 };

        part_init (&part, "liar", versions[k]);
        verdict = weir_fmu_audit (part.description, part.folder, part.name, &start, 1, &error);
        g_assert_no_error (error);
        g_assert_cmpuint (verdict->n_points, ==, 6);
        text = weir_fmu_verdict_describe (verdict, part.description);
        g_assert_cmpstr (text != NULL ? weir_message_get_text (text) : NULL, ==, cases[i].text);
        g_assert_cmpint (verdict->repeats_steps, ==, cases[i].lie != 7);
        if (cases[i].lie == 1)
          {
            g_autofree char *said = NULL;

            weir_set_translator (shout);
            said = weir_message_translate (text);
            weir_set_translator (NULL);
            g_assert_cmpstr (said, ==, "y DEPENDS ON u2, WHICH THE FILE DOES NOT SAY");
          }
      }
}

static void
test_honest (void)
{
  static const char *const models[] = { "ball", "oscillator", "stiff", "stairs", "feedthrough" };

  for (guint k = 0; k < G_N_ELEMENTS (versions); k++)
    for (guint i = 0; i < G_N_ELEMENTS (models); i++)
      {
        g_autoptr (WeirFmuVerdict) verdict = NULL;
        g_autoptr (GError) error = NULL;
        g_autoptr (WeirMessage) text = NULL;
        g_auto (Part) part = { 0 };

        part_init (&part, models[i], versions[k]);
        verdict = weir_fmu_audit (part.description, part.folder, part.name, NULL, 0, &error);
        g_assert_no_error (error);
        text = weir_fmu_verdict_describe (verdict, part.description);
        g_assert_null (text);
        g_assert_cmpuint (verdict->n_points, ==, 6);
        g_assert_true (verdict->repeats_steps);
      }
}

/* With what was proven, cached and uncached are the same to the bit; what does not repeat itself
 * starts uncached. */
static void
test_mended (void)
{
  for (guint lie = 1; lie <= 5; lie += lie == 1 ? 1 : 3)
    {
      const double value = lie;
      WeirFmuStart start = { "lie", &value, 1 };
      g_autoptr (WeirFmuVerdict) verdict = NULL;
      g_autoptr (WeirSystem) leaf = NULL;
      g_autoptr (GError) error = NULL;
      g_auto (Part) part = { 0 };
      WeirFmuLeafOptions options;
      WeirLayout *layout;
      WeirEntry entry;

      part_init (&part, "liar", 3);
      verdict = weir_fmu_audit (part.description, part.folder, part.name, &start, 1, &error);
      g_assert_no_error (error);
      options = (WeirFmuLeafOptions) { .folder = part.folder,
                                       .name = part.name,
                                       .instance = weir_fmu_default_options,
                                       .starts = &start,
                                       .n_starts = 1,
                                       .verdict = verdict };
      leaf = weir_fmu_leaf_new (part.description, &options, &error);
      g_assert_no_error (error);
      layout = weir_system_get_layout (leaf);
      g_assert_true (weir_layout_find_output_entry (layout, WEIR_ROOT, (WeirOutput) { 0 }, &entry));
      if (lie == 1)
        g_assert_true (
            weir_system_has_direct_feedthrough (leaf, (WeirInput) { 1 }, (WeirOutput) { 0 }));
      if (lie == 5)
        {
          g_autoptr (WeirContext) context = weir_system_create_context (leaf);

          g_assert_false (weir_context_get_entry_caching (context, entry));
        }
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/fmi/audit/liars", test_liars);
  g_test_add_func ("/fmi/audit/honest", test_honest);
  g_test_add_func ("/fmi/audit/mended", test_mended);
  return g_test_run ();
}

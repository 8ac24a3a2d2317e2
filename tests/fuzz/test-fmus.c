/* FMUs that nobody would make: whatever they are, there is an answer. See one-fmu.h and
 * test-models.c. */
#include "../seeds.h"
#include "mutate.h"
#include "one-fmu.h"

typedef struct {
  const char *path, *folder;
  gboolean (*fuzz_one) (gconstpointer data, gsize size);
  guint n; /* mutations in a quick test */
  const char *const *pieces;
} Kind;

static const char *const description_pieces[] = {
  "<Real start=\"1\"/>",
  "<Unknown index=\"2\" dependencies=\"1 2\"/>",
  "<Dimension start=\"4294967296\"/>",
  "<Dimension valueReference=\"1\"/>",
  "<Clock name=\"c\" valueReference=\"3\"/>",
  "<Item name=\"i\" value=\"3\"/>",
  "derivative=\"1\"",
  "dependencies=\"\"",
  "dependenciesKind=\"fixed\"",
  "clocks=\"17\"",
  "valueReference=\"4294967295\"",
  "start=\"1e999 nan\"",
  "18446744073709551615",
  "-1",
  "NaN",
  "INF",
  "</ModelVariables>",
  "<ModelVariables>",
  "<",
  ">",
  "/>",
  "\"",
  "&amp;",
  "<!--",
  "\xff",
  NULL,
};

static const char *const archive_pieces[] = {
  "PK\003\004",
  "PK\001\002",
  "PK\005\006",
  "\377\377",
  "\377\377\377\377",
  "\x01",
  "\x08",
  "\xff",
  "../",
  "/",
  "\\",
  "\x01\x01\x01\x01\x01\x01\x01\x01",
  NULL,
};

static const Kind kinds[] = {
  { "/fuzz/fmus/archives", "archives", fuzz_one_archive, 50000, archive_pieces },
  { "/fuzz/fmus/descriptions", "../fmi/descriptions", fuzz_one_description, 10000,
    description_pieces },
};

static void
test_mutations (gconstpointer data)
{
  const Kind *kind = data;
  g_autoptr (GRand) rand = g_rand_new_with_seed (get_test_seed (7));
  GPtrArray *seeds = load_seeds (kind->folder);
  guint n = kind->n * (g_test_quick () ? 1 : 50), n_accepted = 0;

  for (guint i = 0; i < seeds->len; i++)
    {
      const GString *seed = g_ptr_array_index (seeds, i);

      n_accepted += kind->fuzz_one (seed->str, seed->len);
    }
  g_assert_cmpuint (n_accepted, >, 0);
  for (guint i = 0; i < n; i++)
    {
      GString *text = mutate (rand, seeds, kind->pieces, g_strv_length ((char **) kind->pieces));

      n_accepted += kind->fuzz_one (text->str, text->len);
      g_string_free (text, TRUE);
    }
  free_seeds (seeds);
  g_test_message ("%u of %u files are accepted", n_accepted, n);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    g_test_add_data_func (kinds[i].path, &kinds[i], test_mutations);
  return g_test_run ();
}

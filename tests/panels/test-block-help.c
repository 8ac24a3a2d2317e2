/* Pages about block types, over the whole registry: what they say is there, and what they lead to.
 */
#include <string.h>

#include "blocks/library/registry.h"
#include "panels/block-help.h"

static GPtrArray *
list_examples (void)
{
  g_autofree char *folder = g_build_filename (g_getenv ("WEIR_DATA"), "examples", NULL);
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);
  GDir *dir = g_dir_open (folder, 0, NULL);
  const char *name;

  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, ".weir"))
      g_ptr_array_add (paths, g_build_filename (folder, name, NULL));
  g_dir_close (dir);
  return paths;
}

/* All that it says. (transfer full) */
static char *
dup_text (const WeirHelpPage *page)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < page->n_blocks; i++, g_string_append_c (text, '\n'))
    for (guint k = 0; k < page->blocks[i].n_spans; k++)
      g_string_append_printf (text, "%s%s", page->blocks[i].spans[k].cell > 0 ? "|" : "",
                              page->blocks[i].spans[k].text);
  return g_string_free (text, FALSE);
}

static guint
count_examples (const WeirHelpPage *page, const char *type)
{
  guint n = 0;

  for (guint i = 0; i < page->n_blocks; i++)
    for (guint k = 0; k < page->blocks[i].n_spans; k++)
      {
        const char *target = page->blocks[i].spans[k].target;
        g_autofree char *path = NULL, *text = NULL,
                        *wanted = g_strdup_printf (" type=\"%s\"", type);

        if (target == NULL || !g_str_has_prefix (target, WEIR_HELP_FILE))
          continue;
        path = g_test_build_filename (G_TEST_DIST, "..", "data", target + strlen (WEIR_HELP_FILE),
                                      NULL);
        g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
        g_assert_nonnull (strstr (text, wanted));
        n++;
      }
  return n;
}

static void
check_links (const WeirHelpPage *page)
{
  for (guint i = 0; i < page->n_blocks; i++)
    for (guint k = 0; k < page->blocks[i].n_spans; k++)
      {
        const char *target = page->blocks[i].spans[k].target;
        g_autoptr (WeirBlockHelp) other = NULL;

        if (target == NULL || g_str_has_prefix (target, WEIR_HELP_FILE)
            || g_str_equal (target, "equations"))
          continue;
        other = weir_block_help_new (target, NULL);
        g_assert_nonnull (other);
      }
}

static void
test_all (void)
{
  g_autoptr (GPtrArray) examples = list_examples ();
  guint n = weir_registry_get_n_types (), n_equations = 0, n_prerequisites = 0, n_examples = 0,
        n_related = 0;

  for (guint i = 0; i < n; i++)
    {
      const WeirBlockType *type = weir_registry_get_type (i);
      g_autofree char *id = g_strconcat (WEIR_BLOCK_HELP_PREFIX, type->name, NULL);
      g_autoptr (WeirBlockHelp) help = weir_block_help_new (id, examples);
      g_autoptr (WeirArguments) arguments = weir_arguments_new (type, NULL, NULL, NULL);
      g_autoptr (GArray) outputs = arguments != NULL ? weir_arguments_list_outputs (arguments)
                                                     : NULL;
      const WeirHelpPage *page;
      g_autofree char *text = NULL;

      g_test_message ("%s", type->name);
      g_assert_nonnull (help);
      page = weir_block_help_get_page (help);
      text = dup_text (page);
      g_assert_cmpstr (page->id, ==, id);
      g_assert_nonnull (strstr (text, type->title));
      g_assert_nonnull (strstr (text, type->summary));
      for (guint k = 0; k < type->n_parameters; k++)
        {
          g_assert_nonnull (strstr (text, type->parameters[k].label));
          g_assert_nonnull (strstr (text, type->parameters[k].name));
        }
      for (guint k = 0; outputs != NULL && k < outputs->len; k++)
        {
          g_autofree char *row = g_strdup_printf ("\n%s|output|",
                                                  g_array_index (outputs, WeirPortSpec, k).name);

          g_assert_nonnull (strstr (text, row));
        }
      check_links (page);
      n_prerequisites += strstr (text, "\nPrerequisites\n") != NULL;
      n_equations += strstr (text, "\nEquations\n") != NULL;
      g_assert_true (type->part == NULL || type->n_parameters == 0
                     || strstr (text, "\nEquations\n") != NULL);
      n_related += strstr (text, "\nRelated Blocks\n") != NULL;
      n_examples += count_examples (page, type->name) > 0;
    }
  g_test_message ("of %u types %u tell equations, %u prerequisites, %u have examples, %u related "
                  "blocks",
                  n, n_equations, n_prerequisites, n_examples, n_related);
  g_assert_cmpuint (n_equations + n_prerequisites, >, n * 3 / 4);
  g_assert_cmpuint (n_examples, >, n / 4);
  g_assert_cmpuint (n_related, >, n - 10);
}

/* What is computed anew after what, as the blocks declare it: an integrator passes nothing on. */
static void
test_prerequisites (void)
{
  g_autoptr (WeirBlockHelp) gain = weir_block_help_new ("block:Gain", NULL);
  g_autoptr (WeirBlockHelp) integrator = weir_block_help_new ("block:Integrator", NULL);
  g_autofree char *a = dup_text (weir_block_help_get_page (gain));
  g_autofree char *b = dup_text (weir_block_help_get_page (integrator));

  g_test_message ("%s%s", a, b);
  g_assert_nonnull (strstr (a, "\ncache entry y|parameter gain, input u\n"));
  g_assert_nonnull (strstr (b, "\nxcdot|input u\n"));
  g_assert_null (strstr (b, "\ncache entry y|"));
}

static void
test_part (void)
{
  g_autoptr (WeirBlockHelp) resistor = weir_block_help_new ("block:Resistor", NULL);
  g_autofree char *text = dup_text (weir_block_help_get_page (resistor));

  g_test_message ("%s", text);
  g_assert_nonnull (strstr (text, "through i: p -> n\nacross v: p - n\n"));
  g_assert_nonnull (strstr (text, "v ~ R*i"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/panels/block-help/all", test_all);
  g_test_add_func ("/panels/block-help/prerequisites", test_prerequisites);
  g_test_add_func ("/panels/block-help/part", test_part);
  return g_test_run ();
}

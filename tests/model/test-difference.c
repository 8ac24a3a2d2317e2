/* Approximate equality: what counts and what does not, and how a difference is told. */
#include "../seeds.h"
#include "../shout.h"
#include "model/tree/difference.h"

#include "helpers.h"

/* The differences as lines. (transfer full) */
static char *
tell (WeirModel *a, WeirModel *b)
{
  g_autoptr (GPtrArray) differences = weir_model_list_differences (a, b);
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < differences->len; i++)
    {
      g_autofree char *line = weir_difference_to_string (g_ptr_array_index (differences, i));

      g_string_append_printf (text, "%s\n", line);
    }
  return g_string_free (text, FALSE);
}

static const char base[] =
    "<block id='1' type='Gain' name='g' x='0' y='0'><parameter name='gain' value='2'/></block>"
    "<block id='2' type='Subsystem' name='plant' x='9' y='9'><diagram>"
    "<block id='3' type='In' name='u' x='0' y='0'/>"
    "<block id='4' type='Equations' name='e' x='0' y='0'>"
    "<parameter name='equations' value='D(x) ~ -x&#10;initial x = 1&#10;output x'/></block>"
    "</diagram></block>"
    "<wire id='5' from='1.y' to='2.u'/>"
    "<note id='6' x='0' y='0'>why</note>";

/* The same in other words: ids, order, places, colours, numbers, lines of a text, a written
 * default. */
static const char reworded[] =
    "<note id='1' x='70' y='0' tint='red'>why</note>"
    "<wire id='2' from='9.y' to='7.u'><bend x='4' y='4'/></wire>"
    "<block id='7' type='Subsystem' name='plant' x='-9' y='9' rotation='90'><diagram>"
    "<block id='8' type='Equations' name='e' x='5' y='0'>"
    "<parameter name='equations' value='  initial x = 1&#10;output x&#10;&#10;D(x) ~ -x'/></block>"
    "<block id='12' type='In' name='u' x='0' y='0'/>"
    "</diagram></block>"
    "<block id='9' type='Gain' name='g' x='1' y='1' tint='blue'><parameter name='gain' "
    "value='2.00'/></block>";

static void
test_reworded (void)
{
  g_autoptr (WeirModel) a = model_from_xml (base);
  g_autoptr (WeirModel) b = model_from_xml (reworded);
  g_autoptr (WeirModel) unset = model_from_xml ("<block id='1' type='Gain' name='g' x='0' y='0'/>");
  g_autoptr (WeirModel) set = model_from_xml (
      "<block id='1' type='Gain' name='g' x='0' y='0'><parameter name='gain' value='1'/></block>");

  g_autofree char *there = tell (a, b);
  g_autofree char *back = tell (b, a);
  g_autofree char *written = tell (unset, set);

  g_assert_cmpstr (there, ==, "");
  g_assert_cmpstr (back, ==, "");
  g_assert_false (weir_model_equal (a, b)); /* not the same value */
  g_assert_cmpstr (written, ==, "");        /* the default gain is 1 */
}

static void
test_each (void)
{
  static const struct {
    const char *old, *new; /* in the text of the base model */
    const char *told;
  } cases[] = {
    { "value='2'", "value='3'", "~ g: gain: 2 -> 3\n" },
    { "type='Gain'", "type='Abs'", "~ g: type: Gain -> Abs\n" },
    { "x='9' y='9'", "x='9' y='9' mode='commented-out'", "~ plant: active -> commented out\n" },
    { "name='g'", "name='k'", "~ g: is called k\n" },
    { "D(x) ~ -x&#10;", "D(x) ~ -2*x&#10;",
      "- plant.e: equations: D(x) ~ -x\n"
      "+ plant.e: equations: D(x) ~ -2*x\n" },
    { "&#10;initial x = 1", "", "- plant.e: equations: initial x = 1\n" },
    { "<block id='3' type='In' name='u' x='0' y='0'/>", "", "- plant.u: In\n" },
    { "<wire id='5' from='1.y' to='2.u'/>", "", "- wire g.y -> plant.u\n" },
    { "to='2.u'", "to-x='1' to-y='1'", "- wire g.y -> plant.u\n+ wire g.y -> nothing\n" },
    { ">why<", ">because<", "- note why\n+ note because\n" },
    { "<parameter name='gain' value='2'/>",
      "<meta name='unit' of='y' value='N'/>"
      "<parameter name='gain' value='2'/>",
      "+ g: metadata y.unit = N\n" },
    { "<note", "<block id='20' type='Scope' name='s' x='0' y='0'/><note", "+ s: Scope\n" },
  };
  g_autoptr (WeirModel) a = model_from_xml (base);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GString) text = g_string_new (base);
      g_autoptr (WeirModel) b = NULL;
      g_autofree char *told = NULL;

      g_assert_cmpuint (g_string_replace (text, cases[i].old, cases[i].new, 1), ==, 1);
      b = model_from_xml (text->str);
      told = tell (a, b);
      g_assert_cmpstr (told, ==, cases[i].told);
    }
}

/* Two blocks of a kind that are missing and two that came: nothing says which is which. */
static void
test_ambiguous_names (void)
{
  g_autoptr (WeirModel) a = model_from_xml ("<block id='1' type='Abs' name='a' x='0' y='0'/>"
                                            "<block id='2' type='Abs' name='b' x='0' y='0'/>");
  g_autoptr (WeirModel) b = model_from_xml ("<block id='1' type='Abs' name='c' x='0' y='0'/>"
                                            "<block id='2' type='Abs' name='d' x='0' y='0'/>");
  g_autofree char *told = tell (a, b);

  g_assert_cmpstr (told, ==, "- a: Abs\n- b: Abs\n+ c: Abs\n+ d: Abs\n");
}

static void
test_head (void)
{
  g_autoptr (WeirModel) a = weir_model_new ();
  g_autoptr (WeirModel) b = NULL;
  g_autofree char *told = NULL;
  WeirPatch *patch = weir_patch_new ();

  weir_patch_set_title (patch, "T");
  weir_patch_set_setting (patch, "stop-time", "3");
  weir_patch_set_variable (patch, "g", "9.81");
  weir_patch_set_assertion (patch, "a must not depend on b", "it is so");
  weir_patch_set_metadata (patch, "", weir_key_author, "N. N.");
  b = apply (weir_model_ref (a), patch, NULL);
  told = tell (a, b);
  g_assert_cmpstr (
      told, ==,
      "+ title: T\n+ metadata author = N. N.\n+ setting stop-time: 3\n+ variable g: 9.81\n"
      "+ assertion a must not depend on b: it is so\n");
  g_free (g_steal_pointer (&told));
  weir_set_translator (shout); /* names and values stay */
  told = tell (a, b);
  weir_set_translator (NULL);
  g_assert_cmpstr (
      told, ==,
      "+ TITLE: T\n+ METADATA author = N. N.\n+ SETTING stop-time: 3\n+ VARIABLE g: 9.81\n"
      "+ ASSERTION a must not depend on b: it is so\n");
}

/* Whatever a random edit of layout does, nothing differs; whatever another edit does, the
 * difference is told from both sides alike. */
static void
test_random (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (get_test_seed (23));
  guint n_differing = 0;

  for (guint round = 0; round < 100; round++)
    {
      RandomEditor e = { rand, random_model (rand, 30),
                         g_array_new (FALSE, FALSE, sizeof (guint32)) };

      for (guint i = 0; i < 20; i++)
        {
          g_autoptr (WeirModel) before = weir_model_ref (e.model);
          g_autoptr (GPtrArray) there = NULL;
          g_autoptr (GPtrArray) back = NULL;
          WeirAspects aspects;

          e.model = apply (e.model, random_patch (&e), &aspects);
          there = weir_model_list_differences (before, e.model);
          back = weir_model_list_differences (e.model, before);
          g_assert_cmpuint (there->len, ==, back->len);
          if (aspects == 0)
            g_assert_cmpuint (there->len, ==, 0);
          n_differing += there->len > 0;
        }
      weir_model_unref (e.model);
      g_array_unref (e.place);
    }
  g_test_message ("%u of 2000 edits tell a difference", n_differing);
  g_assert_cmpuint (n_differing, >, 500);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/model/difference/reworded", test_reworded);
  g_test_add_func ("/model/difference/each", test_each);
  g_test_add_func ("/model/difference/ambiguous-names", test_ambiguous_names);
  g_test_add_func ("/model/difference/head", test_head);
  g_test_add_func ("/model/difference/random", test_random);
  return g_test_run ();
}

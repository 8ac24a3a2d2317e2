/* Texts that nobody would write: whatever they are, there is an answer, it is finite in time and
 * memory, and what is accepted prints, reads again alike and compiles.
 *
 * Mutations of good texts, the same ones in every run; fuzz-equations.c does the same with
 * libFuzzer's choice of texts.
 */
#include "../seeds.h"
#include "mutate.h"
#include "one-text.h"

/* What mutations put in. */
static const char *const pieces[] = {
  "(",
  ")",
  "[",
  "]",
  ";",
  ",",
  "\n",
  "~",
  "=",
  ":=",
  ":",
  "'",
  "\"",
  "^",
  "-",
  "*",
  ".*",
  "1e308",
  "0",
  "D(",
  "pre(",
  "x",
  "x[",
  "t",
  "if ",
  " then ",
  " else ",
  "when ",
  "for i in 1:3:",
  "end\n",
  "k",
  "(k-1)",
  "parameter ",
  "initial ",
  "guess ",
  "input ",
  "sample ",
  "nan",
  "inf",
  "99999999999",
  "\xc3\xa9",
  "\xff",
  "zeros(1000)",
  "every(",
  "\"m\"",
  "not ",
  "and ",
  "table(",
  "solve ",
  "constant n = 3\n",
};

static void
test_mutations (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (get_test_seed (1));
  GPtrArray *seeds = load_seeds ("equations");
  guint n = g_test_quick () ? 20000 : 1000000, n_accepted = 0;

  for (guint i = 0; i < seeds->len; i++)
    {
      const GString *seed = g_ptr_array_index (seeds, i);

      fuzz_one (seed->str);
    }
  for (guint i = 0; i < n; i++)
    {
      GString *text = mutate (rand, seeds, pieces, G_N_ELEMENTS (pieces));

      n_accepted += fuzz_one (text->str);
      g_string_free (text, TRUE);
    }
  free_seeds (seeds);
  g_test_message ("%u of %u texts make a system", n_accepted, n);
  g_assert_cmpuint (n_accepted, >, n / 200);
}

/* What is small to write and large to hold is refused. */
static void
test_large (void)
{
  static const char *const texts[] = {
    "for i in 1:1000000000: x[i] ~ 1",
    "for i in 1:2000: for j in 1:2000: x[i, j] ~ 1\n",
    "for i in 1:2000:\nfor j in 1:2000: x[i, j] ~ 1\nend\n",
    "y ~ zeros(100000, 100000)",
    "x[1000000000] ~ 1",
    "variable x[100000, 100000]\ny ~ 1",
    "y ~ sum(1:1000000000)",
    "y ~ k[200000, 6] + 1",
    "y ~ (ones(9000))*ones(9000)'",
    "constant a = ones(100, 100)\nconstant i = ones(9000)\ny ~ a[i, i]",
    "constant a = ones(9000)\ny ~ [a, a, a, a]",
    "constant a = ones(9000)\ny ~ interpolate(a, 1:9000, a)",
    "variable A[99, 99]\nD(A) ~ A*A*A*A",
    "variable x[9000]\nD(x) ~ sum(x) - x",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    g_assert_false (fuzz_one (texts[i]));
}

/* A part that is used often is held once; it is not written out as often as it is used. */
static void
test_shared (void)
{
  g_autoptr (GString) text = g_string_new ("variable A[2, 2]\nD(A) ~ A");

  for (guint i = 0; i < 60; i++)
    g_string_append (text, "*A");
  g_assert_true (fuzz_one (text->str));
  g_string_append (text, "\nwhen sum(A) > sum(");
  for (guint i = 0; i < 60; i++)
    g_string_append (text, i > 0 ? "*A" : "A");
  g_string_append (text, "): A := pre(A) end\n");
  fuzz_one (text->str);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/fuzz/equations/mutations", test_mutations);
  g_test_add_func ("/fuzz/equations/large", test_large);
  g_test_add_func ("/fuzz/equations/shared", test_shared);
  return g_test_run ();
}

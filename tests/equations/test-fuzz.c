/* Texts that nobody would write: whatever they are, there is an answer, it is finite in time and
 * memory, and what is accepted prints, reads again alike and compiles.
 *
 * Mutations of good texts, the same ones in every run; fuzz-equations.c does the same with
 * libFuzzer's choice of texts.
 */
#include "fuzz-one.h"

#include <string.h>

static const char *const seeds[] = {
  "parameter m = 2 \"kg\", k[3] = [1, 2, 3]\ninput u[3] \"N\" = 0, v\noutput y; variable A[2, 2]\n"
  "D(D(x)) ~ -k[1]/m*x + sum(u)/m\n0 ~ sin(x + 1) - y\ninitial x = 1; initial 0 ~ D(x) + y\n",
  "guess y = 0.5\nwhen x < 0: v := -0.8*pre(v), n := pre(n) + 1\nwhen every(0.1, 0.05):\n  v := 0\n"
  "end\nfor i in 2:9: D(T[i]) ~ T[i-1] - T[i]*2\nT[1] ~ 3\n",
  "sample 0.1, 0.05\nz(k) ~ 0.5*z(k-1) + z(k-2)\ninitial z = 2\nassert x > -10, \"left\"\nx ~ "
  "3*t\n",
  "constant A = [1, 2; 3, 4]\nv ~ A*[5, 6]\nw ~ [1, 2, 3]' .* 2\nM ~ A*A' + identity(2) ./ ones(2, "
  "2)\n"
  "s ~ v[1:2] .^ 2\ny ~ table(1.5, [0, 1, 2], [0, 10, 15]) + norm(v) + cross([1, 0, 0], [0, 1, "
  "0])[3]\n",
  "a ~ b + 1\nb ~ c/2\nc ~ a - 3 + 2*b\nx^2 + y^2 ~ 25\nx*y ~ 12\nguess x = 3.5\nguess y = 2.5\n",
  "y ~ if a > 1 and not b or c then min(a, b, c) else if b then -a^2 else convert(3 \"km/h\", "
  "\"m/s\")\n"
  "parameter a = 1, b = a + 1, c = 2*b\n",
};

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

static char *
mutate (GRand *rand)
{
  GString *text = g_string_new (seeds[g_rand_int_range (rand, 0, G_N_ELEMENTS (seeds))]);
  guint n = (guint) g_rand_int_range (rand, 1, 8);

  for (guint i = 0; i < n; i++)
    {
      gssize at = g_rand_int_range (rand, 0, (gint32) text->len + 1);
      gssize length = g_rand_int_range (rand, 0, 12);

      length = MIN (length, (gssize) text->len - at);
      switch (g_rand_int_range (rand, 0, 5))
        {
        case 0:
          g_string_erase (text, at, length);
          break;
        case 1:
          g_string_insert (text, at, pieces[g_rand_int_range (rand, 0, G_N_ELEMENTS (pieces))]);
          break;
        case 2:
          {
            const char *other = seeds[g_rand_int_range (rand, 0, G_N_ELEMENTS (seeds))];
            gssize from = g_rand_int_range (rand, 0, (gint32) strlen (other));
            gssize most = g_rand_int_range (rand, 1, 40);

            g_string_insert_len (text, at, other + from,
                                 MIN (most, (gssize) strlen (other) - from));
            break;
          }
        case 3:
          if ((gsize) at < text->len)
            text->str[at] = (char) g_rand_int_range (rand, 1, 256);
          break;
        default:
          {
            g_autofree char *copy = g_strndup (text->str + at, (gsize) length);

            g_string_insert (text, at, copy);
            break;
          }
        }
    }
  return g_string_free (text, FALSE);
}

static void
test_mutations (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  guint n = g_test_quick () ? 20000 : 1000000, n_accepted = 0;

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *text = mutate (rand);

      n_accepted += fuzz_one (text);
    }
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
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    g_assert_false (fuzz_one (texts[i]));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/equations/fuzz/mutations", test_mutations);
  g_test_add_func ("/equations/fuzz/large", test_large);
  return g_test_run ();
}

/* Tearing: groups of equations that come down to fewer unknowns, with the same solutions. */
#include "../seeds.h"
#include "equations/compile/equations.h"
#include "numerics/newton.h"
#include "equations/order/structure.h"

#include <math.h>

static WeirEquations *
make (const char *text)
{
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  WeirReport report = { diagnostics, "plant", 3, 1 };
  WeirEquations *equations = weir_equations_new (text, NULL, &report);

  if (equations == NULL)
    g_error ("%s\n%s", text, weir_diagnostics_get (diagnostics, 0)->text);
  return equations;
}

/* How many unknowns are iterated on, of how many in groups. */
static guint
count_torn (const WeirEquations *equations, guint *n_unknowns)
{
  guint n_torn = 0;

  *n_unknowns = 0;
  for (guint i = 0; i < equations->blocks->len; i++)
    {
      const WeirEquationBlock *block = g_ptr_array_index (equations->blocks, i);

      if (block->residuals == NULL)
        continue;
      n_torn += block->n;
      *n_unknowns += MAX (block->n_group, block->n);
    }
  return n_torn;
}

/* What is torn where, and to what solution. */
static void
test_groups (void)
{
  static const struct {
    const char *text, *torn;
    guint n_torn, n_unknowns;
    const char *name;
    double expected, tolerance;
  } cases[] = {
    { "a ~ b + 1; b ~ c/2; c ~ a - 3 + 2*b", "b", 1, 3, "a", 3.0, 1e-15 },
    /* A voltage divider between 12 V and a load: v = 12/(1 + 1000/2000 + 1000/2000). */
    { "i*1000 ~ 12 - v; i1*2000 ~ v; i2*2000 ~ v; i ~ i1 + i2", "v", 1, 4, "v", 6.0, 1e-14 },
    /* z = y^2, y = (2 - z)/1: y^2 + y - 2 = 0; from 0.5 the root 1. */
    { "guess y = 0.5; z ~ y^2; y ~ 2 - z", "y", 1, 2, "z", 1.0, 1e-15 },
    { "guess y = -3; z ~ y^2; y ~ 2 - z", "y", 1, 2, "y", -2.0, 1e-15 },
    /* What has a guess iterates, although the other would do. */
    { "guess z = 4.1; z ~ y^2; y ~ 2 - z", "z", 1, 2, "y", -2.0, 1e-15 },
    /* Nothing follows from anything: both are in products. */
    { "guess x = 3.5; guess y = 2.5; x^2 + y^2 ~ 25; x*y ~ 12", "x", 2, 2, "x", 4.0, 1e-14 },
    /* k may be 0, so nothing is divided by it. */
    { "parameter k = 0; y*k ~ z - 1; z*k ~ y - 2", "y", 1, 2, "z", 1.0, 1e-15 },
    /* What floor gives holds between events: nothing is solved for z. */
    { "y ~ 2*floor(z) + 0.5*w + 1; z ~ 2.6 + 0.1*w; w ~ 0.25*y", "w", 1, 2, "w", 5.0 / 3.5, 1e-14 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (WeirEquations) equations = NULL;
      const WeirEquationBlock *first = NULL;
      g_autofree char *name = NULL;
      guint n_unknowns;
      double value;

      equations = make (cases[i].text);
      first = g_ptr_array_index (equations->blocks, 0);
      g_test_message ("%s", cases[i].text);
      g_assert_cmpuint (count_torn (equations, &n_unknowns), ==, cases[i].n_torn);
      g_assert_cmpuint (n_unknowns, ==, cases[i].n_unknowns);
      name = weir_expr_to_string (equations->pool, first->unknowns[0]);
      g_assert_cmpstr (name, ==, cases[i].torn);
      value = weir_equations_find (equations, cases[i].name)->value[0];
      g_assert_cmpfloat_with_epsilon (value, cases[i].expected, cases[i].tolerance);
    }
}

/* A rod: each node is as warm as its neighbours make it. Eliminating from one end magnifies errors
 * by 2 a node, 2^200 in all, so one unknown is not enough. */
static void
test_growth (void)
{
  WeirIncidence incidence;
  g_autoptr (GArray) slopes = g_array_new (FALSE, FALSE, sizeof (double));
  gboolean is_kept[200] = { FALSE };
  guint equations[200], unknowns[200], n_torn;

  weir_incidence_init (&incidence, 200);
  for (guint i = 0; i < 200; i++)
    {
      for (guint j = i - (i > 0); j <= MIN (i + 1, 199); j++)
        {
          double slope = j == i ? 2.5 : -1;

          weir_incidence_add (&incidence, j);
          g_array_append_val (slopes, slope);
        }
      weir_incidence_end_equation (&incidence);
    }
  n_torn = weir_incidence_tear (&incidence, (double *) slopes->data, is_kept, 200, equations,
                                unknowns);
  g_assert_cmpuint (n_torn, >=, 10);
  g_assert_cmpuint (n_torn, <=, 100);
  g_assert_cmpuint (weir_incidence_tear (&incidence, (double *) slopes->data, is_kept, n_torn - 1,
                                         equations, unknowns),
                    ==, 200);
  weir_incidence_clear (&incidence);
}

/* So the rod is left whole, three numbers a row; the solution is 2 - 2 (2^-i + 2^-(n+1-i)) to
 * rounding, also where the nodes are numbered at random. */
static void
test_rod (void)
{
  g_autoptr (WeirEquations) equations = make ("x[1]*2.5 ~ 1 + x[2]\n"
                                              "for i in 2:199: 2.5*x[i] ~ 1 + x[i-1] + x[i+1]\n"
                                              "2.5*x[200] ~ 1 + x[199]\n");
  const WeirVariable *x = weir_equations_find (equations, "x");
  const WeirEquationBlock *block = g_ptr_array_index (equations->blocks, 0);
  g_autoptr (GString) mixed = g_string_new (NULL);
  g_autoptr (WeirEquations) shuffled = NULL;
  const WeirVariable *y;
  guint n_unknowns;

  g_assert_cmpuint (count_torn (equations, &n_unknowns), ==, 200);
  g_assert_cmpuint (block->band.lower, ==, 1);
  g_assert_cmpuint (block->band.upper, ==, 1);
  /* Node i is called i * 71 modulo 199, so that neighbours are far apart by name. */
  for (guint i = 1; i < 199; i++)
    g_string_append_printf (mixed, "2.5*y[%u] ~ 1 + y[%u]%s%.0u%s\n", (i * 71) % 199 + 1,
                            ((i - 1) * 71) % 199 + 1, i < 198 ? " + y[" : "",
                            i < 198 ? ((i + 1) * 71) % 199 + 1 : 0, i < 198 ? "]" : "");
  g_string_append (mixed, "2.5*y[1] ~ 1 + y[72]\nvariable y[199]");
  shuffled = make (mixed->str);
  block = g_ptr_array_index (shuffled->blocks, 0);
  g_assert_cmpuint (block->n, ==, 199);
  g_assert_cmpuint (block->band.lower, ==, 1);
  g_assert_cmpuint (block->band.upper, ==, 1);
  y = weir_equations_find (shuffled, "y");
  for (int i = 1; i <= 200; i++)
    g_assert_cmpfloat_with_epsilon (x->value[i - 1],
                                    2.0 - 2.0 * (ldexp (1, -i) + ldexp (1, i - 201)), 1e-12);
  for (int i = 1; i <= 199; i++)
    g_assert_cmpfloat_with_epsilon (y->value[((i - 1) * 71) % 199],
                                    2.0 - 2.0 * (ldexp (1, -i) + ldexp (1, i - 200)), 1e-12);
}

#define N 12

/* Random sparse linear systems, against elimination of the whole matrix. */
static void
test_random (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (get_test_seed (11));
  WeirBand dense = weir_band_dense (N);
  guint n_groups = 0, n_smaller = 0;

  for (guint k = 0; k < 300; k++)
    {
      g_autoptr (GString) text = g_string_new (NULL);
      g_autoptr (WeirEquations) equations = NULL;
      const WeirVariable *x;
      double matrix[N * N] = { 0 }, solution[N];
      guint n_unknowns, n_torn;

      for (guint i = 0; i < N; i++)
        {
          solution[i] = g_rand_int_range (rand, -9, 10);
          matrix[i * N + i] = g_rand_int_range (rand, 0, 4) == 0 ? 7 : 1;
          for (guint j = 0; j < 2; j++)
            matrix[i * N + (guint) g_rand_int_range (rand, 0, N)] += g_rand_double_range (rand, -1,
                                                                                          1);
          g_string_append (text, "0");
          for (guint j = 0; j < N; j++)
            if (matrix[i * N + j] != 0.0)
              g_string_append_printf (text, " + (%.17g)*x[%u]", matrix[i * N + j], j + 1);
          g_string_append_printf (text, " ~ %g\n", solution[i]);
        }
      equations = make (text->str);
      n_torn = count_torn (equations, &n_unknowns);
      n_groups += n_unknowns > 0;
      n_smaller += n_torn < n_unknowns;
      g_assert_true (weir_band_solve (&dense, matrix, solution));
      x = weir_equations_find (equations, "x");
      for (guint i = 0; i < N; i++)
        g_assert_cmpfloat_with_epsilon (x->value[i], solution[i], 1e-8 * (1 + fabs (solution[i])));
    }
  g_test_message ("%u systems with groups, %u of them torn", n_groups, n_smaller);
  g_assert_cmpuint (n_groups, >, 200);
  g_assert_cmpuint (n_smaller, >, 200);
}

/* The choice itself: pairs in an order in which each can be computed, and the rest ascending. */
static void
test_order (void)
{
  /* A ring: equation i contains unknowns i and i - 1. */
  WeirIncidence incidence;
  double slopes[10];
  gboolean is_kept[5] = { FALSE };
  guint equations[5], unknowns[5], n_torn;
  gboolean is_known[5] = { FALSE };

  weir_incidence_init (&incidence, 5);
  for (guint i = 0; i < 5; i++)
    {
      weir_incidence_add (&incidence, i);
      weir_incidence_add (&incidence, (i + 4) % 5);
      weir_incidence_end_equation (&incidence);
      slopes[2 * i] = slopes[2 * i + 1] = 1;
    }
  n_torn = weir_incidence_tear (&incidence, slopes, is_kept, 5, equations, unknowns);
  g_assert_cmpuint (n_torn, ==, 1);
  is_known[unknowns[4]] = TRUE;
  for (guint i = 0; i < 4; i++)
    {
      guint other = unknowns[i] == equations[i] ? (equations[i] + 4) % 5 : equations[i];

      g_assert_true (is_known[other]);
      g_assert_false (is_known[unknowns[i]]);
      is_known[unknowns[i]] = TRUE;
    }
  /* Without slopes everything iterates. */
  for (guint i = 0; i < 10; i++)
    slopes[i] = NAN;
  g_assert_cmpuint (weir_incidence_tear (&incidence, slopes, is_kept, 5, equations, unknowns), ==,
                    5);
  for (guint i = 0; i < 5; i++)
    {
      g_assert_cmpuint (equations[i], ==, i);
      g_assert_cmpuint (unknowns[i], ==, i);
    }
  weir_incidence_clear (&incidence);
}

static void
test_table (void)
{
  g_autoptr (WeirEquations) equations = make ("guess y = 0.5; z ~ y^2; y ~ 2 - z");
  g_autofree char *table = weir_equations_to_table (equations);

  g_assert_cmpstr (
      table, ==,
      "variable  role     unit  line  order  group\n"
      "y         unknown  -     1     1      y and z solved together, by iteration, torn "
      "at y\n"
      "z         unknown  -     1     2      follows from y\n"
      "torn: 1 group of 2 unknowns, solved for 1\n");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/equations/tearing/groups", test_groups);
  g_test_add_func ("/equations/tearing/growth", test_growth);
  g_test_add_func ("/equations/tearing/rod", test_rod);
  g_test_add_func ("/equations/tearing/random", test_random);
  g_test_add_func ("/equations/tearing/order", test_order);
  g_test_add_func ("/equations/tearing/table", test_table);
  return g_test_run ();
}

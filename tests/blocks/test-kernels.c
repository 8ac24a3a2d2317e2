/* Every kernel of the library gives the same bits with every kind of vector instructions, for any
 * number of entries, any strides and any numbers.
 *
 * A result that is not a number is only compared for being none: of two such operands the machine
 * hands on the one that the compiler names first.
 */
#include "../seeds.h"
#include "block-fixture.h"
#include "every-block.h"
#include "system/structure/shape-private.h"

#define MOST 70 /* entries */
#define MAX_STRIDE 3
#define ROOM (MAX_STRIDE * (MOST + 1))
#define MAX_IN 16
#define N_TRIALS 6 /* of strides, for each number of entries */

static const double special[] = { 0.0,          -0.0,          1,         -1,
                                  DBL_TRUE_MIN, -DBL_TRUE_MIN, DBL_MIN,   DBL_MAX,
                                  -DBL_MAX,     INFINITY,      -INFINITY, NAN,
                                  -NAN,         0x1p-1030,     0.5,       1e-300 };

static double
random_number (void)
{
  return g_rand_int_range (test_rand, 0, 3) > 0
             ? g_rand_double_range (test_rand, -4, 4)
             : special[g_rand_int_range (test_rand, 0, G_N_ELEMENTS (special))];
}

static void
check_same (const char *name, const double *a, const double *b, gsize n)
{
  for (gsize i = 0; i < n; i++)
    if (memcmp (&a[i], &b[i], sizeof *a) != 0 && !(isnan (a[i]) && isnan (b[i])))
      g_error ("%s: element %" G_GSIZE_FORMAT " is %.17g and %.17g", name, i, a[i], b[i]);
}

static void
check_kernel (const char *name, WeirKernel kernel, guint n_in, guint64 variant)
{
  static double in[MAX_IN][ROOM], out[2][ROOM];
  WeirStream streams[MAX_IN] = { { NULL, 0 } };

  g_assert_cmpuint (n_in, <=, MAX_IN);
  for (gsize n = 0; n <= MOST; n++)
    for (guint trial = 0; trial < N_TRIALS; trial++)
      {
        gssize step = trial < 2 ? 1 : g_rand_int_range (test_rand, 1, MAX_STRIDE + 1);

        for (guint k = 0; k < n_in; k++)
          {
            for (guint i = 0; i < ROOM; i++)
              in[k][i] = random_number ();
            streams[k].base = in[k];
            streams[k].stride = trial == 0 ? 1 : g_rand_int_range (test_rand, 0, MAX_STRIDE + 1);
          }
        for (guint i = 0; i < ROOM; i++)
          out[0][i] = out[1][i] = i; /* what lies between and behind the results stays */
        weir_simd = WEIR_SIMD_SSE2;
        kernel (streams, n_in, variant, out[0], step, n);
        weir_simd = weir_simd_get_best ();
        kernel (streams, n_in, variant, out[1], step, n);
        check_same (name, out[0], out[1], ROOM);
      }
}

static void
check_system (const char *name, const WeirSystem *system)
{
  for (guint e = 0; system->code != NULL && e < system->code->len; e++)
    {
      const WeirEntryCode *code = &g_array_index (system->code, WeirEntryCode, e);
      const WeirEntryDecl *decl = weir_shape_entry (system->shape, e);

      if (code->kernel == NULL)
        continue;
      check_kernel (name, code->kernel, decl->n_depends, decl->variant);
      check_kernel (name, code->kernel, decl->n_depends, decl->variant ^ 1);
    }
  for (guint c = 0; c < system->shape->n_children; c++)
    check_system (name, system->children[c]);
}

static void
test_kernels (gconstpointer data)
{
  const Case *c = data;
  g_autoptr (WeirSystem) system = fixture_build (c->type, c->pairs, c->sizes);

  get_test_seed (17);
  check_system (c->type, system);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  if (weir_simd_get_best () == WEIR_SIMD_SSE2)
    g_test_message ("this machine has one kind");
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strdup_printf ("/blocks/kernels/%s/%u", cases[i].type, i);

      g_test_add_data_func (path, &cases[i], test_kernels);
    }
  return g_test_run ();
}

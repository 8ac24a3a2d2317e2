/* Every kernel that says what it computes gives the same bits as the code that is made of it, for
 * any numbers, in both forms of instructions; and those of the library that should have code do.
 */
#include "../seeds.h"
#include "base/simd.h"
#include "block-fixture.h"
#include "every-block.h"
#include "native/native.h"
#include "system/evaluation/template.h"
#include "system/structure/shape-private.h"

#define MOST_IN 6
#define N_TRIES 300

static const guint64 special[] = {
  0x0000000000000000, 0x8000000000000000, 0x3ff0000000000000, 0xbff0000000000000,
  0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000001, 0xfff8000000000002,
  0x7ff0000000000003, 0x0000000000000001, 0x800fffffffffffff, 0x7fefffffffffffff,
};

static double
random_number (void)
{
  guint64 bits = special[g_rand_int_range (test_rand, 0, G_N_ELEMENTS (special))];
  double value;

  if (g_rand_boolean (test_rand))
    return g_rand_double_range (test_rand, -4, 4);
  memcpy (&value, &bits, sizeof value);
  return value;
}

static WeirNativeCode *
make_code (const WeirTemplate *template, guint n_in)
{
  WeirNativeBuilder *b = weir_native_builder_new ();
  WeirNativeValue operands[MOST_IN];
  WeirNativeCode *code;

  for (guint k = 0; k < n_in; k++)
    operands[k] = weir_native_load (b, 0, k);
  weir_native_store (b, 1, 0, weir_template_build (template, b, operands));
  code = weir_native_builder_end (b);
  g_assert_nonnull (code);
  weir_native_builder_free (b);
  return code;
}

static void
check_template (const char *name, const WeirTemplate *template, WeirKernel kernel, guint n_in,
                guint64 variant)
{
  WeirNativeCode *code = make_code (template, n_in);
  double in[MOST_IN], expected, found;
  WeirStream streams[MOST_IN];

  for (guint k = 0; k < n_in; k++)
    streams[k] = (WeirStream) { &in[k], 0 };
  for (guint i = 0; i < N_TRIES; i++)
    {
      for (guint k = 0; k < n_in; k++)
        in[k] = random_number ();
      expected = found = 0;
      kernel (streams, n_in, variant, &expected, 1, 1);
      weir_native_code_get_func (code) (in, &found, NULL, NULL, NULL);
      if (memcmp (&expected, &found, sizeof found) != 0)
        g_error ("%s of %u, variant %" G_GUINT64_FORMAT ": %.17g by its kernel, %.17g by code",
                 name, n_in, variant, expected, found);
    }
  weir_native_code_free (code);
}

/* --- All texts ------------------------------------------------------------------------------- */

typedef struct {
  guint n_texts, n_templates;
} Count;

static void
try_text (const WeirKernelText *text, gpointer data)
{
  Count *count = data;
  guint n_in = 1, most = 1;

  for (const char *at = text->operands; at != NULL && *at != '\0'; at++)
    n_in += *at == ',';
  most = text->operands != NULL ? n_in : MOST_IN;
  for (; n_in <= most; n_in++)
    for (guint64 variant = 0; variant < (text->functions != NULL ? 15
                                         : text->text != NULL    ? 1
                                                                 : 1u << n_in);
         variant++)
      {
        const WeirTemplate *template = weir_template_get (text->kernel, n_in, variant);

        count->n_texts++;
        if (template == NULL)
          {
            g_test_message ("no code: %s of %u, variant %" G_GUINT64_FORMAT,
                            text->text != NULL ? text->text : text->next[0], n_in, variant);
            continue;
          }
        count->n_templates++;
        check_template (text->text != NULL ? text->text : text->next[0], template, text->kernel,
                        n_in, variant);
      }
}

static void
test_texts (void)
{
  Count count = { 0, 0 };

  get_test_seed (11);
  weir_template_foreach_text (try_text, &count);
  g_test_message ("%u of %u have code", count.n_templates, count.n_texts);
  g_assert_cmpuint (count.n_texts, >, 100);
}

/* --- The library ----------------------------------------------------------------------------- */

/* Types whose kernels must have code: a text that nobody can read any more would go unnoticed. */
static const char *const with_code[] = {
  "Gain",   "Sum",  "Product", "Abs",        "Saturation",    "DeadZone", "Bias", "Function",
  "MinMax", "Step", "Ramp",    "Integrator", "FirstOrderLag", "Power",    NULL,
};

static void
test_block (gconstpointer data)
{
  const Case *c = data;
  g_autoptr (WeirSystem) system = fixture_build (c->type, c->pairs, c->sizes);

  for (guint e = 0; system->code != NULL && e < system->code->len; e++)
    {
      const WeirEntryCode *code = &g_array_index (system->code, WeirEntryCode, e);
      const WeirEntryDecl *decl = weir_shape_entry (system->shape, e);

      if (code->kernel != NULL)
        g_assert_nonnull (weir_template_get (code->kernel, decl->n_depends, decl->variant));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  if (!weir_native_is_on ())
    {
      g_test_message ("there is no code here");
      return g_test_run ();
    }
  g_test_add_func ("/blocks/templates/texts", test_texts);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    if (g_strv_contains (with_code, cases[i].type))
      {
        g_autofree char *path = g_strdup_printf ("/blocks/templates/%s/%u", cases[i].type, i);

        g_test_add_data_func (path, &cases[i], test_block);
      }
  return g_test_run ();
}

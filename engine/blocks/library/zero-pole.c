/* Linear systems given by zeros, poles and a gain, in s and in z; each element of the input has a
 * system of its own (sections.h).
 */
#include "blocks/library/sections.h"

#include <string.h>

#include "base/error.h"

#define CATEGORY N_ ("Continuous")
#define CATEGORY_DISCRETE N_ ("Discrete")
#define MAX_ROOTS 64

/* --- Roots as texts: [-1, -2+3i, -2-3i] ------------------------------------------------------ */

static const char *
skip_space (const char *p)
{
  while (*p == ' ')
    p++;
  return p;
}

/* "i" or "j", the imaginary unit. */
static gboolean
take_unit (const char **p)
{
  if (**p != 'i' && **p != 'j')
    return FALSE;
  *p = skip_space (*p + 1);
  return TRUE;
}

/* One number of a sum, with or without the unit. FALSE if there is none. */
static gboolean
take_part (const char **p, double *number, gboolean *is_imaginary)
{
  double sign = **p == '-' ? -1 : 1;
  const char *digits = skip_space (**p == '-' || **p == '+' ? *p + 1 : *p);
  char *end;

  *number = sign;
  *is_imaginary = take_unit (&digits);
  if (!*is_imaginary)
    {
      if (!g_ascii_isdigit (*digits) && *digits != '.')
        return FALSE;
      *number = sign * g_ascii_strtod (digits, &end);
      if (end == digits)
        return FALSE;
      digits = skip_space (end);
      *is_imaginary = take_unit (&digits);
    }
  *p = digits;
  return isfinite (*number);
}

/* "-2+3i". The real part comes first. */
static gboolean
take_root (const char **p, WeirFilterRoot *root)
{
  gboolean is_imaginary;
  double number;

  if (!take_part (p, &number, &is_imaginary))
    return FALSE;
  *root = is_imaginary ? (WeirFilterRoot) { 0, number } : (WeirFilterRoot) { number, 0 };
  if (is_imaginary || (**p != '+' && **p != '-'))
    return TRUE;
  return take_part (p, &root->im, &is_imaginary) && is_imaginary;
}

/* All of them, conjugates too. NULL if the text is no list of roots. (transfer full) */
static GArray *
parse_roots (const char *text)
{
  g_autoptr (GArray) roots = g_array_new (FALSE, FALSE, sizeof (WeirFilterRoot));
  const char *p = skip_space (text);
  gboolean is_list = *p == '[';

  if (is_list)
    p = skip_space (p + 1);
  while (*p != '\0' && *p != ']')
    {
      WeirFilterRoot root;

      if (!take_root (&p, &root))
        return NULL;
      g_array_append_val (roots, root);
      if (*p == ',')
        {
          p = skip_space (p + 1);
          if (*p == ']' || *p == '\0')
            return NULL;
        }
      else if (*p != ']' && *p != '\0')
        return NULL;
    }
  if (is_list != (*p == ']') || (!is_list && roots->len > 1))
    return NULL;
  return *(is_list ? skip_space (p + 1) : p) == '\0' ? g_steal_pointer (&roots) : NULL;
}

/* How many of the roots are @re + @im i. */
static guint
count_equal (const GArray *roots, double re, double im)
{
  guint n = 0;

  for (guint i = 0; i < roots->len; i++)
    {
      const WeirFilterRoot *root = &g_array_index (roots, WeirFilterRoot, i);

      n += root->re == re && root->im == im;
    }
  return n;
}

/* The roots that a parameter lists, by halves. @what: "zero", "pole". (transfer full) */
static GArray *
get_roots (const WeirArguments *arguments, const char *parameter, const char *what, GError **error)
{
  const char *text = weir_arguments_get_text (arguments, parameter);
  g_autoptr (GArray) all = parse_roots (text);
  g_autoptr (GArray) halves = g_array_new (FALSE, FALSE, sizeof (WeirFilterRoot));

  if (all == NULL || all->len > MAX_ROOTS)
    {
      weir_error_set (error, WEIR_ERROR_INVALID,
                      all == NULL ? N_ ("Parameter %s: \"%s\" is not a list of numbers such as "
                                        "[-1, -2+3i, -2-3i].")
                                  : N_ ("Parameter %s: \"%s\" has too many numbers."),
                      parameter, text);
      return NULL;
    }
  for (guint i = 0; i < all->len; i++)
    {
      const WeirFilterRoot *root = &g_array_index (all, WeirFilterRoot, i);

      if (count_equal (all, root->re, root->im) != count_equal (all, root->re, -root->im))
        {
          weir_error_set (error, WEIR_ERROR_INVALID,
                          "The %s %g%+gi has no conjugate %g%+gi; complex ones come in pairs.",
                          what, root->re, root->im, root->re, -root->im);
          return NULL;
        }
      if (root->im >= 0)
        g_array_append_val (halves, *root);
    }
  return g_steal_pointer (&halves);
}

/* --- Blocks ---------------------------------------------------------------------------------- */

static WeirSystem *
zero_pole_build (const WeirArguments *arguments, const guint *sizes, GError **error)
{
  g_autoptr (GArray) zeros = get_roots (arguments, "zeros", "zero", error);
  g_autoptr (GArray) poles = NULL;
  WeirZeroPole zero_pole;

  if (zeros == NULL)
    return NULL;
  poles = get_roots (arguments, "poles", "pole", error);
  if (poles == NULL)
    return NULL;
  if (poles->len == 0)
    {
      weir_error_set (error, WEIR_ERROR_INVALID,
                      "There is no pole, but one at least is needed; for a factor take a Gain.");
      return NULL;
    }
  if (weir_roots_count (zeros) > weir_roots_count (poles))
    {
      weir_error_set (error, WEIR_ERROR_INVALID,
                      "There are %u zeros, but only %u poles; such a block would look ahead.",
                      weir_roots_count (zeros), weir_roots_count (poles));
      return NULL;
    }
  zero_pole = (WeirZeroPole) { zeros, poles, 1 };
  return weir_sections_build (arguments, &zero_pole, sizes[0], error);
}

#define ROOTS(name_, label_, default_, help_)                                                      \
  {                                                                                                \
    .name = name_, .label = label_, .kind = WEIR_VALUE_TEXT, .default_text = default_,             \
    .help = help_,                                                                                 \
  }

#define ZERO_POLE_PARAMETERS(pole)                                                                 \
  ROOTS ("zeros", N_ ("Zeros"), "[]",                                                              \
         N_ ("Where the transfer function is 0: [-1, -2+3i, -2-3i]; conjugates are both given.")), \
      ROOTS ("poles", N_ ("Poles"), pole,                                                          \
             N_ ("Where the transfer function is infinite; at least as many as zeros.")),          \
      WEIR_TUNABLE_NUMBER ("gain", N_ ("Gain"), "1",                                               \
                           N_ ("The factor of the highest powers; what a constant input is "       \
                               "multiplied by differs."),                                          \
                           WEIR_ANY)

static const WeirParameterSpec zero_pole_parameters[] = { ZERO_POLE_PARAMETERS ("[-1]") };
static const WeirParameterSpec discrete_zero_pole_parameters[] = {
  ZERO_POLE_PARAMETERS ("[0.5]"),
  WEIR_PERIOD ("0.1"),
  WEIR_OFFSET,
};

static const WeirBlockType zero_pole_gain_type = {
  .name = "ZeroPoleGain",
  .title = N_ ("Zero-Pole-Gain"),
  .category = CATEGORY,
  .summary = N_ ("Is a linear system given by its zeros, poles and gain in s."),
  WEIR_PARAMETERS (zero_pole_parameters),
  .list_inputs = weir_list_u,
  .list_outputs = weir_list_y,
  .build = zero_pole_build,
  .positions = weir_sections_positions,
};

static const WeirBlockType discrete_zero_pole_gain_type = {
  .name = "DiscreteZeroPoleGain",
  .title = N_ ("Discrete Zero-Pole-Gain"),
  .category = CATEGORY_DISCRETE,
  .summary = N_ ("Is a linear system in steps given by its zeros, poles and gain in z."),
  .is_sequence = TRUE,
  WEIR_PARAMETERS (discrete_zero_pole_parameters),
  .list_inputs = weir_list_u,
  .list_outputs = weir_list_y,
  .build = zero_pole_build,
  .positions = weir_sections_sampled_positions,
};

WEIR_FAMILY (zero_pole, &zero_pole_gain_type, &discrete_zero_pole_gain_type);

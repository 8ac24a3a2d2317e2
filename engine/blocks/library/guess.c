/* Guess: where the solution of an algebraic loop is looked for.
 *
 * The block passes its input on. A loop through it is cut at its output
 * (system/structure/shape-private.h), and the guess is the initial value of the state that Newton's
 * method begins at, so caching changes nothing. Where no loop passes, the guess is of no effect.
 */
#include "blocks/types/family.h"

static const WeirParameterSpec parameters[] = {
  {
      .name = "value",
      .label = N_ ("Guess"),
      .kind = WEIR_VALUE_VECTOR,
      .default_text = "0",
      WEIR_ANY,
      .help = N_ (
          "Where the solution of an algebraic loop is looked for, as one value or one for each "
          "element."),
      .is_initial = TRUE,
  },
};

static guint
get_output_size (G_GNUC_UNUSED const WeirArguments *arguments, const guint *sizes,
                 G_GNUC_UNUSED guint out)
{
  return sizes[0];
}

static WeirSystem *
build (const WeirArguments *arguments, const guint *sizes, GError **error)
{
  g_autofree double *value = weir_arguments_dup_vector_of_size (arguments, "value", sizes[0],
                                                                error);
  WeirLeafBuilder *b;
  WeirInput u;
  WeirOutput y;

  if (value == NULL)
    return NULL;
  b = weir_leaf_builder_new ("Guess");
  u = weir_leaf_add_input (b, "u", sizes[0]);
  y = weir_leaf_add_output_kernel (b, "y", sizes[0], weir_kernel_copy, 0,
                                   WEIR_DEPENDS (weir_input_ticket (b, u)));
  weir_leaf_set_output_guess (b, y, value);
  return weir_leaf_builder_build (b);
}

static const WeirBlockType guess_type = {
  .name = "Guess",
  .title = N_ ("Guess"),
  .category = N_ ("Mathematics"),
  .summary = N_ ("Passes its input on; an algebraic loop through it is solved from a guess."),
  WEIR_PARAMETERS (parameters),
  .list_inputs = weir_list_u,
  .list_outputs = weir_list_y,
  .get_output_size = get_output_size,
  .build = build,
  .units = WEIR_UNITS_SAME,
};

WEIR_FAMILY (guess, &guess_type);

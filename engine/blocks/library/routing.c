/* Routing: blocks that choose and arrange values without changing them. */
#include "blocks/types/family.h"

#include <string.h>

#include "base/error.h"
#include "system/evaluation/calc-native.h"

#define CATEGORY N_ ("Routing")

static const WeirInput U = { 0 };
#define MAX_INPUTS 64

/* --- Mux: y = all inputs, one after the other ------------------------------------------------ */

static const WeirParameterSpec mux_parameters[] = {
  {
      .name = "inputs",
      .label = N_ ("Inputs"),
      .kind = WEIR_VALUE_INTEGER,
      .default_text = "2",
      WEIR_FROM_TO (1, MAX_INPUTS),
      .help = N_ ("How many inputs there are."),
  },
};

static void
list_inputs (const WeirArguments *arguments, GArray *ports)
{
  weir_list_numbered (ports, "in", (guint) weir_arguments_get_integer (arguments, "inputs"));
}

static guint
mux_output_size (const WeirArguments *arguments, const guint *sizes, G_GNUC_UNUSED guint out)
{
  gint64 n = weir_arguments_get_integer (arguments, "inputs");
  guint size = 0;

  for (gint64 i = 0; i < n; i++)
    {
      if (sizes[i] == 0)
        return 0;
      size += sizes[i];
    }
  return size;
}

/* The data is the number of inputs. */
static WeirStatus
mux (const WeirCalc *c, double *y)
{
  const guint *n = weir_calc_data (c);

  for (guint i = 0; i < *n; i++)
    {
      WeirInput in = { (guint16) i };
      guint size = weir_calc_input_size (c, in);

      memcpy (y, weir_calc_input (c, in), size * sizeof *y);
      y += size;
    }
  return WEIR_OK;
}

static WeirStatus
mux_tangent (G_GNUC_UNUSED const WeirCalc *c, const WeirCalc *d, double *y)
{
  return mux (d, y);
}

static gboolean
list_mux (WeirListing *l)
{
  const guint *n = weir_listing_get_data (l);

  for (guint i = 0, at = 0; i < *n; i++)
    for (guint k = 0; k < weir_listing_get_input_size (l, (WeirInput) { (guint16) i }); k++)
      weir_listing_store (l, at++, weir_listing_load_input (l, (WeirInput) { (guint16) i }, k));
  return TRUE;
}

static WeirSystem *
mux_build (const WeirArguments *arguments, const guint *sizes, G_GNUC_UNUSED GError **error)
{
  guint n = (guint) weir_arguments_get_integer (arguments, "inputs");
  WeirLeafBuilder *b = weir_leaf_builder_new ("Mux");

  for (guint i = 0; i < n; i++)
    weir_leaf_add_input (b, weir_numbered_name ("in", i), sizes[i]);
  weir_leaf_set_data (b, &n, sizeof n);
  weir_leaf_set_list (b, list_mux);
  weir_leaf_add_output (b, "y", mux_output_size (arguments, sizes, 0), mux,
                        WEIR_DEPENDS (WEIR_ALL_INPUTS));
  return weir_leaf_builder_build (b);
}

static const WeirBlockType mux_type = {
  .name = "Mux",
  .title = N_ ("Mux"),
  .category = CATEGORY,
  .summary = N_ ("Joins its inputs to one vector."),
  WEIR_PARAMETERS (mux_parameters),
  .list_inputs = list_inputs,
  .list_outputs = weir_list_y,
  .get_output_size = mux_output_size,
  .build = mux_build,
};

/* --- Demux: the parts of u, one after the other ---------------------------------------------- */

/* Where the part of an output begins and how long it is; outputs are in that order. */
typedef struct {
  guint begin, size;
} Part;

static WeirStatus
demux (const WeirCalc *c, double *y)
{
  const Part *part = (const Part *) weir_calc_data (c) + weir_calc_get_index (c);

  memcpy (y, weir_calc_input (c, U) + part->begin, part->size * sizeof *y);
  return WEIR_OK;
}

static WeirStatus
demux_tangent (G_GNUC_UNUSED const WeirCalc *c, const WeirCalc *d, double *y)
{
  return demux (d, y);
}

static gboolean
list_demux (WeirListing *l)
{
  const Part *part = (const Part *) weir_listing_get_data (l) + weir_listing_get_index (l);

  for (guint i = 0; i < part->size; i++)
    weir_listing_store (l, i, weir_listing_load_input (l, U, part->begin + i));
  return TRUE;
}

static const WeirParameterSpec demux_parameters[] = {
  {
      .name = "sizes",
      .label = N_ ("Sizes"),
      .kind = WEIR_VALUE_VECTOR,
      .default_text = "[1, 1]",
      WEIR_FROM_TO (1, 1e6),
      .help = N_ ("The sizes of the outputs; together they are the size of the input."),
  },
};

static void
demux_list_inputs (const WeirArguments *arguments, GArray *ports)
{
  guint n, total = 0;
  const double *sizes = weir_arguments_get_vector (arguments, "sizes", &n);

  for (guint i = 0; i < n; i++)
    total += (guint) sizes[i];
  weir_list_port (ports, "u", total);
}

static void
demux_list_outputs (const WeirArguments *arguments, GArray *ports)
{
  guint n;
  const double *sizes = weir_arguments_get_vector (arguments, "sizes", &n);

  for (guint i = 0; i < n; i++)
    weir_list_port (ports, weir_numbered_name ("out", i), (guint) sizes[i]);
}

static WeirSystem *
demux_build (const WeirArguments *arguments, const guint *sizes, GError **error)
{
  guint n, total = 0;
  const double *wanted = weir_arguments_get_vector (arguments, "sizes", &n);
  g_autofree Part *parts = g_new (Part, n);
  WeirLeafBuilder *b;
  WeirInput u;

  for (guint i = 0; i < n; i++)
    {
      parts[i] = (Part) { total, (guint) wanted[i] };
      total += parts[i].size;
      if (wanted[i] != floor (wanted[i]))
        {
          weir_error_set (error, WEIR_ERROR_INVALID, "Size %u is %g, but must be a whole number.",
                          i + 1, wanted[i]);
          return NULL;
        }
    }
  if (sizes[0] != total)
    {
      weir_error_set (error, WEIR_ERROR_MISMATCH, "Input u has size %u, but the outputs take %u.",
                      sizes[0], total);
      return NULL;
    }
  b = weir_leaf_builder_new ("Demux");
  u = weir_leaf_add_input (b, "u", total);
  weir_leaf_set_data (b, parts, n * sizeof *parts);
  weir_leaf_set_list (b, list_demux);
  for (guint i = 0; i < n; i++)
    weir_leaf_add_output (b, weir_numbered_name ("out", i), parts[i].size, demux,
                          WEIR_DEPENDS (weir_input_ticket (b, u)));
  return weir_leaf_builder_build (b);
}

static const WeirBlockType demux_type = {
  .name = "Demux",
  .title = N_ ("Demux"),
  .category = CATEGORY,
  .summary = N_ ("Takes a vector apart."),
  WEIR_PARAMETERS (demux_parameters),
  .list_inputs = demux_list_inputs,
  .list_outputs = demux_list_outputs,
  .build = demux_build,
  WEIR_POSITIONS (WEIR_POSITION (U, "u")),
};

/* --- Selector: y = the chosen elements of u -------------------------------------------------- */

typedef struct {
  guint n;
  guint elements[]; /* from 0 */
} Selection;

static const WeirParameterSpec selector_parameters[] = {
  {
      .name = "elements",
      .label = N_ ("Elements"),
      .kind = WEIR_VALUE_VECTOR,
      .default_text = "1",
      WEIR_FROM_TO (1, 1e6),
      .help = N_ ("Which elements of the input to give, counted from 1: a number or a vector."),
  },
};

static void
selector_list_outputs (const WeirArguments *arguments, GArray *ports)
{
  guint size;

  weir_arguments_get_vector (arguments, "elements", &size);
  weir_list_port (ports, "y", size);
}

static WeirStatus
selector (const WeirCalc *c, double *y)
{
  const Selection *selection = weir_calc_data (c);
  const double *u = weir_calc_input (c, U);

  for (guint i = 0; i < selection->n; i++)
    y[i] = u[selection->elements[i]];
  return WEIR_OK;
}

static WeirStatus
selector_tangent (G_GNUC_UNUSED const WeirCalc *c, const WeirCalc *d, double *y)
{
  return selector (d, y);
}

static WeirSystem *
selector_build (const WeirArguments *arguments, const guint *sizes, GError **error)
{
  guint n;
  const double *elements = weir_arguments_get_vector (arguments, "elements", &n);
  gsize data_size = sizeof (Selection) + n * sizeof (guint);
  g_autofree Selection *selection = g_malloc0 (data_size);
  WeirLeafBuilder *b;
  WeirInput u;

  selection->n = n;
  for (guint i = 0; i < n; i++)
    {
      if (elements[i] != floor (elements[i]) || elements[i] > sizes[0])
        {
          weir_error_set (error, WEIR_ERROR_MISMATCH,
                          "Element %g is chosen, but the input has elements 1 to %u.", elements[i],
                          sizes[0]);
          return NULL;
        }
      selection->elements[i] = (guint) elements[i] - 1;
    }

  b = weir_leaf_builder_new ("Selector");
  u = weir_leaf_add_input (b, "u", sizes[0]);
  weir_leaf_set_data (b, selection, data_size);
  weir_leaf_add_output (b, "y", n, selector, WEIR_DEPENDS (weir_input_ticket (b, u)));
  return weir_leaf_builder_build (b);
}

static const WeirBlockType selector_type = {
  .name = "Selector",
  .title = N_ ("Selector"),
  .category = CATEGORY,
  .summary = N_ ("Picks elements of a vector."),
  WEIR_PARAMETERS (selector_parameters),
  .list_inputs = weir_list_u,
  .list_outputs = selector_list_outputs,
  .build = selector_build,
  .units = WEIR_UNITS_SAME,
  WEIR_POSITIONS (WEIR_POSITION (U, "u")),
};

WEIR_FAMILY (routing, &mux_type, &demux_type, &selector_type);

/* Cascades of sections. See sections.h.
 *
 * A section of second order has the states x1' = r x2, x2' = r (v - a1 x1 - a2 x2), for its input
 * v, and gives c1 x1 + c2 x2 + d v to the next; one of first order leaves out x2. In continuous
 * time r is the natural frequency and numerators are scaled by it, so that all states are of the
 * size of the signal; in discrete time r = 1 and the next state stands for the derivative.
 */
#include "blocks/library/sections.h"

#include <string.h>

#include "base/budget.h"
#include "base/text.h"

static const WeirInput U = { 0 };
static const WeirGroup X = { 0 };
static const WeirParameter GAIN = { 0 };

typedef struct {
  double rate, a[2], c[2], d;
  guint32 order, n_zeros;
} Section;

typedef struct {
  double factor;
  guint32 size, n_states; /* elements; states of each */
  guint32 n_sections;
  guint32 first; /* the section that the output begins with: the last without a d */
  gboolean is_discrete, is_through; /* the output reads the input */
  /* What zeros cancel, and a pole at the origin, leave nothing of the state to be read. */
  gboolean output_reads_state, rates_read_state;
  Section sections[];
} Cascade;

/* NULL where nothing of it is read. */
static const double *
get_state (const WeirCalc *c, gboolean reads)
{
  const Cascade *cascade = weir_calc_data (c);

  return !reads ? NULL : cascade->is_discrete ? weir_calc_discrete (c, X) : weir_calc_z (c);
}

/* A factor times a state; what a factor of 0 leaves out is not looked at. */
static inline double
weigh (double factor, const double *x, guint i)
{
  return factor != 0 ? factor * x[i] : 0;
}

/* Of the section whose states begin at @at. */
static double
get_section_output (const Section *section, const double *x, guint at, double v)
{
  double sum = weigh (section->c[0], x, at);

  if (section->order == 2)
    sum += weigh (section->c[1], x, at + 1);
  return section->d != 0 ? sum + section->d * v : sum;
}

/* The derivatives, or the next states, of all elements. */
static void
compute_rates (const WeirCalc *c, double *rates)
{
  const Cascade *cascade = weir_calc_data (c);
  const double *u = weir_calc_input (c, U), *x = get_state (c, cascade->rates_read_state);
  guint at = 0;

  for (guint i = 0; i < cascade->size; i++)
    {
      double v = u[i];

      for (guint k = 0; k < cascade->n_sections; k++)
        {
          const Section *section = &cascade->sections[k];
          double sum = v - weigh (section->a[0], x, at);
          gboolean is_last = k + 1 == cascade->n_sections; /* what it gives is the output's alone */
          double next = is_last ? 0 : get_section_output (section, x, at, v);

          if (section->order == 2)
            {
              double second = x[at + 1];

              *rates++ = section->rate * second;
              sum -= section->a[1] * second;
            }
          *rates++ = section->rate * sum;
          at += section->order;
          v = next;
        }
    }
}

static WeirStatus
cascade_xcdot (const WeirCalc *c, double *xdot)
{
  compute_rates (c, xdot);
  return WEIR_OK;
}

static WeirStatus
cascade_xcdot_tangent (G_GNUC_UNUSED const WeirCalc *c, const WeirCalc *d, double *xdot)
{
  return cascade_xcdot (d, xdot);
}

static WeirStatus
cascade_update (const WeirCalc *c, G_GNUC_UNUSED gint64 n, double *next)
{
  compute_rates (c, next);
  return WEIR_OK;
}

/* The output for a gain; added to what is there, if @adds. */
static void
compute_output (const WeirCalc *c, double gain, gboolean adds, double *y)
{
  const Cascade *cascade = weir_calc_data (c);
  const double *x = get_state (c, cascade->output_reads_state);
  const double *u = cascade->is_through ? weir_calc_input (c, U) : NULL;
  double factor = gain * cascade->factor;

  for (guint i = 0; i < cascade->size; i++)
    {
      guint at = i * cascade->n_states;
      double v = u != NULL ? u[i] : 0;

      for (guint k = 0; k < cascade->n_sections; k++)
        {
          if (k >= cascade->first)
            v = get_section_output (&cascade->sections[k], x, at, v);
          at += cascade->sections[k].order;
        }
      y[i] = adds ? y[i] + factor * v : factor * v;
    }
}

static WeirStatus
cascade_y (const WeirCalc *c, double *y)
{
  compute_output (c, weir_calc_parameter (c, GAIN)[0], FALSE, y);
  return WEIR_OK;
}

static WeirStatus
cascade_y_tangent (const WeirCalc *c, const WeirCalc *d, double *y)
{
  compute_output (c, weir_calc_parameter (d, GAIN)[0], FALSE, y);
  compute_output (d, weir_calc_parameter (c, GAIN)[0], TRUE, y);
  return WEIR_OK;
}

/* --- From roots to sections ------------------------------------------------------------------ */

static const WeirFilterRoot *
get_root (const GArray *roots, guint i)
{
  return &g_array_index (roots, WeirFilterRoot, i);
}

guint
weir_roots_count (const GArray *roots)
{
  guint n = 0;

  for (guint i = 0; i < roots->len; i++)
    n += get_root (roots, i)->im > 0 ? 2 : 1;
  return n;
}

/* A monic polynomial of degree 2 or 1: p^2 + of[1] p + of[0], or p + of[0]. */
typedef struct {
  guint degree;
  double of[2];
} Polynomial;

static Polynomial
multiply (Polynomial p, double root)
{
  return p.degree == 0 ? (Polynomial) { 1, { -root, 0 } }
                       : (Polynomial) { 2, { -root * p.of[0], p.of[0] - root } };
}

static Polynomial
of_pair (const WeirFilterRoot *root)
{
  return (Polynomial) { 2, { root->re * root->re + root->im * root->im, -2 * root->re } };
}

/* Denominators: conjugate poles together, real ones two by two, and the one left over. */
static GArray *
list_denominators (const GArray *poles)
{
  GArray *list = g_array_new (FALSE, FALSE, sizeof (Polynomial));
  Polynomial open = { 0, { 0, 0 } };

  for (guint i = 0; i < poles->len; i++)
    if (get_root (poles, i)->im > 0)
      {
        Polynomial pair = of_pair (get_root (poles, i));

        g_array_append_val (list, pair);
      }
    else if ((open = multiply (open, get_root (poles, i)->re)).degree == 2)
      {
        g_array_append_val (list, open);
        open.degree = 0;
      }
  if (open.degree == 1)
    g_array_append_val (list, open);
  return list;
}

/* Gives each conjugate pair of zeros to a section of second order of its own, and spreads the real
 * ones over the room that is left, one to each in turn. There is always enough: half of the poles,
 * rounded down, is the number of sections of second order. */
static Polynomial *
share_zeros (const GArray *zeros, const GArray *denominators)
{
  Polynomial *numerators = g_new0 (Polynomial, denominators->len);
  guint k = 0;

  for (guint i = 0; i < zeros->len; i++)
    if (get_root (zeros, i)->im > 0)
      numerators[k++] = of_pair (get_root (zeros, i));
  for (guint i = 0; i < zeros->len; i++)
    if (get_root (zeros, i)->im == 0)
      {
        do
          k = (k + 1) % denominators->len;
        while (numerators[k].degree >= g_array_index (denominators, Polynomial, k).degree);
        numerators[k] = multiply (numerators[k], get_root (zeros, i)->re);
      }
  return numerators;
}

/* By which the states of a section are scaled: its natural frequency. */
static double
get_rate (const Polynomial *denominator)
{
  double rate = denominator->degree == 2 ? sqrt (fabs (denominator->of[0])) : 0;

  if (rate == 0)
    rate = fabs (denominator->of[denominator->degree - 1]);
  return rate > 0 ? rate : 1;
}

/* What the numerator is multiplied by goes out of @factor. */
static Section
make_section (const Polynomial *denominator, const Polynomial *numerator, gboolean is_discrete,
              double *factor)
{
  Section section = { .order = denominator->degree, .n_zeros = numerator->degree };
  double rate = is_discrete ? 1 : get_rate (denominator), scale = 1;
  double b[3] = { 0, 0, 0 };

  for (guint i = 0; i < numerator->degree; i++)
    b[i] = numerator->of[i];
  b[numerator->degree] = 1;
  for (guint i = numerator->degree; i < denominator->degree; i++)
    scale *= rate;
  *factor /= scale;
  section.rate = rate;
  section.d = numerator->degree == denominator->degree ? 1 : 0;
  for (guint i = 0; i < section.order; i++)
    {
      double power = section.order - i == 2 ? rate * rate : rate;

      section.a[i] = denominator->of[i] / power;
      section.c[i] = (b[i] - section.d * denominator->of[i]) / power * scale;
    }
  return section;
}

static Cascade *
make_cascade (const WeirZeroPole *zero_pole, guint size, gboolean is_discrete, gsize *bytes)
{
  g_autoptr (GArray) denominators = list_denominators (zero_pole->poles);
  g_autofree Polynomial *numerators = share_zeros (zero_pole->zeros, denominators);
  Cascade *cascade;

  *bytes = sizeof *cascade + denominators->len * sizeof (Section);
  cascade = g_malloc0 (*bytes);
  cascade->factor = zero_pole->factor;
  cascade->size = size;
  cascade->n_sections = denominators->len;
  cascade->is_discrete = is_discrete;
  cascade->is_through = TRUE;
  for (guint k = 0; k < denominators->len; k++)
    {
      Section *section = &cascade->sections[k];

      *section = make_section (&g_array_index (denominators, Polynomial, k), &numerators[k],
                               is_discrete, &cascade->factor);
      cascade->n_states += section->order;
      if (section->d == 0)
        {
          cascade->first = k;
          cascade->is_through = FALSE;
        }
    }
  return cascade;
}

/* --- The leaf -------------------------------------------------------------------------------- */

/* Does a section from @first to the one before @end put its state into what comes out? */
static gboolean
shows_state (const Cascade *cascade, guint first, guint end)
{
  for (guint k = first; k < end; k++)
    if (cascade->sections[k].c[0] != 0 || cascade->sections[k].c[1] != 0)
      return TRUE;
  return FALSE;
}

static gboolean
do_rates_read_state (const Cascade *cascade)
{
  for (guint k = 0; k < cascade->n_sections; k++)
    if (cascade->sections[k].order == 2 || cascade->sections[k].a[0] != 0)
      return TRUE;
  return shows_state (cascade, 0, cascade->n_sections - 1);
}

WeirSystem *
weir_sections_build (const WeirArguments *arguments, const WeirZeroPole *zero_pole, guint size,
                     GError **error)
{
  gboolean is_discrete = weir_arguments_is_sampled (arguments);
  gsize bytes;
  g_autofree Cascade *cascade = make_cascade (zero_pole, size, is_discrete, &bytes);
  guint n = cascade->n_states * size, n_read = 0;
  g_autofree double *zeros = NULL;
  WeirTicket u, x = WEIR_Z, read[4];
  WeirLeafBuilder *b;

  if (!weir_budget_allows (weir_budget_multiply (cascade->n_states, size), sizeof (double),
                           N_ ("The state"), N_ ("give it a lower order or a narrower input"),
                           error))
    return NULL;
  zeros = g_new0 (double, n);
  b = weir_leaf_builder_new (weir_arguments_get_type (arguments)->name);
  u = weir_input_ticket (b, weir_leaf_add_input (b, "u", size));
  cascade->output_reads_state = shows_state (cascade, cascade->first, cascade->n_sections);
  cascade->rates_read_state = do_rates_read_state (cascade);
  weir_leaf_set_data (b, cascade, bytes);
  read[n_read++] = weir_parameter_ticket (b, weir_leaf_add_tunable (b, arguments, "gain"));
  if (is_discrete)
    x = weir_group_ticket (b, weir_leaf_add_discrete_state (b, "x", zeros, n));
  else
    weir_leaf_set_continuous_state (b, 0, 0, n, zeros);
  if (cascade->is_through)
    read[n_read++] = u;
  if (cascade->output_reads_state)
    read[n_read++] = x;
  read[n_read] = (WeirTicket) { WEIR_TICKET_END };
  weir_leaf_add_output (b, "y", size, cascade_y, read);
  if (is_discrete)
    weir_leaf_add_update (b, weir_every_period (arguments), X, cascade_update);
  else
    weir_leaf_set_derivatives (b, cascade_xcdot,
                               cascade->rates_read_state ? WEIR_DEPENDS (u, x) : WEIR_DEPENDS (u));
  return weir_leaf_builder_build (b);
}

const WeirPosition weir_sections_positions[] = {
  WEIR_POSITION (U, "u"),
  WEIR_POSITION (GAIN, "gain"),
  { NULL },
};
const WeirPosition weir_sections_sampled_positions[] = {
  WEIR_POSITION (U, "u"),
  WEIR_POSITION (GAIN, "gain"),
  WEIR_POSITION (X, "x"),
  { NULL },
};

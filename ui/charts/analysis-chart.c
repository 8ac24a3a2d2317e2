/* Answers of linear analysis as charts. See analysis-chart.h. */
#include "charts/analysis-chart.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/error.h"
#include "paint/drawing/picture.h"

#define LARGE 4.0 /* a Nyquist curve is shown so far from the origin at first */
#define SHOWN 1.3 /* of the largest root, of a root locus at first */
#define N_CIRCLE 120

static const struct {
  const char *name, *title;
  guint wanted;
} pictures[WEIR_N_PICTURES] = {
  [WEIR_PICTURE_BODE] = { "bode", N_ ("Bode"), 0 },
  [WEIR_PICTURE_NYQUIST] = { "nyquist", N_ ("Nyquist"), 0 },
  [WEIR_PICTURE_NICHOLS] = { "nichols", N_ ("Nichols"), 0 },
  [WEIR_PICTURE_ROOTS] = { "poles", N_ ("Poles and Zeros"), 0 },
  [WEIR_PICTURE_LOCUS] = { "locus", N_ ("Root Locus"), 1u << WEIR_STAGE_LOCUS },
  [WEIR_PICTURE_STEP] = { "step", N_ ("Step"), 1u << WEIR_STAGE_STEP },
  [WEIR_PICTURE_IMPULSE] = { "impulse", N_ ("Impulse"), 1u << WEIR_STAGE_IMPULSE },
};

const char *
weir_picture_get_name (WeirPicture picture)
{
  return pictures[picture].name;
}

const char *
weir_picture_get_title (WeirPicture picture)
{
  return _ (pictures[picture].title);
}

guint
weir_picture_get_wanted (WeirPicture picture)
{
  return pictures[picture].wanted;
}

/* --- Frequency responses ---------------------------------------------------------------------- */

typedef struct {
  guint n;
  double *omega, *decibels, *phases, *re, *im; /* n each, the gain in them */
} Curves;

static void
curves_clear (Curves *self)
{
  g_free (self->decibels);
  g_free (self->phases);
  g_free (self->re);
  g_free (self->im);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Curves, curves_clear)

static void
find_curves (const WeirLinearAnswer *answer, Curves *curves)
{
  guint n = answer->frequencies->len;

  *curves = (Curves) { n,
                       (double *) (gpointer) answer->frequencies->data,
                       g_new (double, n + 1),
                       g_new (double, n + 1),
                       g_new (double, n + 1),
                       g_new (double, n + 1) };
  for (guint i = 0; i < n; i++)
    {
      double complex value = answer->values[i] * answer->gain;

      curves->decibels[i] = 20 * log10 (cabs (value));
      curves->phases[i] = answer->phases[i];
      curves->re[i] = creal (value);
      curves->im[i] = cimag (value);
    }
}

static WeirChartLook
get_look (gboolean is_former)
{
  return is_former ? WEIR_CHART_FORMER : WEIR_CHART_LINE;
}

/* The continuous phase at @omega, by its neighbours. */
static double
find_phase (const Curves *curves, double omega)
{
  for (guint i = 0; i + 1 < curves->n; i++)
    if (omega >= curves->omega[i] && omega <= curves->omega[i + 1])
      return curves->phases[i]
             + (curves->phases[i + 1] - curves->phases[i]) * log (omega / curves->omega[i])
                   / log (curves->omega[i + 1] / curves->omega[i]);
  return (double) NAN;
}

/* At a crossing the phase is known: 180 degrees beside a multiple of 360, or by its margin. */
static double
snap_phase (double exact, double near)
{
  return exact + 360 * rint ((near - exact) / 360);
}

static void
mark_crossings (WeirChart *chart, const WeirLinearAnswer *answer, const Curves *curves)
{
  const WeirMargins *m = answer->margins;

  for (guint i = 0; i < m->phase_crossings->len; i++)
    {
      const WeirCrossing *c = &g_array_index (m->phase_crossings, WeirCrossing, i);
      double decibels = -20 * log10 (c->gain_margin);
      g_autofree char *text = g_strdup_printf (_ ("Gain margin %.5g (%.4g dB) at %.5g rad/s"),
                                               c->gain_margin, -decibels, c->omega);

      if (!(c->omega > 0))
        continue;
      weir_chart_add_mark (chart, 0, WEIR_CHART_UPRIGHT, 1, c->omega, 0, NULL);
      weir_chart_add_mark (chart, 1, WEIR_CHART_UPRIGHT, 1, c->omega, 0, NULL);
      weir_chart_add_mark (chart, 0, WEIR_CHART_DOT, 1, c->omega, decibels, text);
      weir_chart_add_mark (chart, 1, WEIR_CHART_DOT, 1, c->omega,
                           snap_phase (-180, find_phase (curves, c->omega)), text);
    }
  for (guint i = 0; i < m->gain_crossings->len; i++)
    {
      const WeirCrossing *c = &g_array_index (m->gain_crossings, WeirCrossing, i);
      g_autofree char *text = g_strdup_printf (_ ("Phase margin %.5g° at %.5g rad/s, delay "
                                                  "margin %.4g s"),
                                               c->phase_margin, c->omega, c->delay_margin);

      weir_chart_add_mark (chart, 0, WEIR_CHART_UPRIGHT, 2, c->omega, 0, NULL);
      weir_chart_add_mark (chart, 1, WEIR_CHART_UPRIGHT, 2, c->omega, 0, NULL);
      weir_chart_add_mark (chart, 0, WEIR_CHART_DOT, 2, c->omega, 0, text);
      weir_chart_add_mark (chart, 1, WEIR_CHART_DOT, 2, c->omega,
                           snap_phase (c->phase_margin - 180, find_phase (curves, c->omega)), text);
    }
}

static void
add_level (WeirChart *chart, guint panel, const Curves *curves, double level)
{
  const double x[] = { curves->omega[0], curves->omega[curves->n - 1] };

  weir_chart_add_curve (chart, panel, WEIR_CHART_GUIDE, 0, NULL, 2, x,
                        (const double[]) { level, level });
}

static void
add_bode (WeirChart *chart, const WeirLinearAnswer *answer, gboolean is_former)
{
  g_auto (Curves) curves = { 0 };

  find_curves (answer, &curves);
  if (curves.n == 0)
    return;
  weir_chart_add_curve (chart, 0, get_look (is_former), 0, NULL, curves.n, curves.omega,
                        curves.decibels);
  weir_chart_add_curve (chart, 1, get_look (is_former), 0, NULL, curves.n, curves.omega,
                        curves.phases);
  if (is_former || answer->margins == NULL)
    return;
  add_level (chart, 0, &curves, 0);
  mark_crossings (chart, answer, &curves);
}

static void
add_nyquist (WeirChart *chart, const WeirLinearAnswer *answer, gboolean is_former)
{
  g_auto (Curves) curves = { 0 };
  g_autofree double *mirror = NULL;
  guint curve;

  find_curves (answer, &curves);
  curve = weir_chart_add_curve (chart, 0, get_look (is_former), 0, NULL, curves.n, curves.re,
                                curves.im);
  if (is_former)
    return;
  weir_chart_set_arrow (chart, curve, TRUE);
  mirror = g_new (double, curves.n + 1);
  for (guint i = 0; i < curves.n; i++)
    mirror[i] = -curves.im[i];
  curve = weir_chart_add_curve (chart, 0, WEIR_CHART_DASHED, 0, NULL, curves.n, curves.re, mirror);
  weir_chart_set_arrow (chart, curve, FALSE);
}

static void
add_circle (WeirChart *chart, double x, double y, double radius)
{
  double xs[N_CIRCLE + 1], ys[N_CIRCLE + 1];

  for (guint i = 0; i <= N_CIRCLE; i++)
    {
      xs[i] = x + radius * cos (2 * G_PI * i / N_CIRCLE);
      ys[i] = y + radius * sin (2 * G_PI * i / N_CIRCLE);
    }
  weir_chart_add_curve (chart, 0, WEIR_CHART_GUIDE, 0, NULL, N_CIRCLE + 1, xs, ys);
}

/* What grows without end is cut off at first; what is near -1 is seen. */
static void
choose_nyquist_range (WeirChart *chart, const WeirLinearAnswer *answer)
{
  g_auto (Curves) curves = { 0 };
  double ends[4] = { -1.4, .4, -.6, .6 };

  find_curves (answer, &curves);
  for (guint i = 0; i < curves.n; i++)
    if (hypot (curves.re[i], curves.im[i]) < LARGE)
      {
        ends[0] = MIN (ends[0], curves.re[i]);
        ends[1] = MAX (ends[1], curves.re[i]);
        ends[2] = MIN (ends[2], -fabs (curves.im[i]));
        ends[3] = MAX (ends[3], fabs (curves.im[i]));
      }
  if (answer->margins == NULL)
    ends[0] = MIN (ends[0], -.2);
  weir_chart_set_range (chart, 0, ends[0] - .1, ends[1] + .1, ends[2] * 1.1, ends[3] * 1.1);
}

/* --- Nichols ---------------------------------------------------------------------------------- */

/* |T| = M in the plane of phase and decibels of L = T / (1 - T). */
static void
add_closed_gain (WeirChart *chart, double decibels, double turn)
{
  double m = pow (10, decibels / 20), xs[N_CIRCLE + 1], ys[N_CIRCLE + 1];
  g_autofree char *name = turn == 0 ? g_strdup_printf ("%g dB", decibels) : NULL;

  for (guint i = 0; i <= N_CIRCLE; i++)
    {
      double angle = 2 * G_PI * (i + .5) / (N_CIRCLE + 1);
      double complex t = m * (cos (angle) + WEIR_I * sin (angle)), l = t / (1 - t);
      double phase = carg (l) * 180 / G_PI;

      xs[i] = (phase > 0 ? phase - 360 : phase) + turn;
      ys[i] = 20 * log10 (cabs (l));
      if (i > 0 && fabs (xs[i] - xs[i - 1]) > 180)
        ys[i] = (double) NAN;
    }
  weir_chart_add_curve (chart, 0, WEIR_CHART_GUIDE, 0, name, N_CIRCLE + 1, xs, ys);
}

static void
add_nichols (WeirChart *chart, const WeirLinearAnswer *answer, gboolean is_former)
{
  static const double levels[] = { 6, 3, 1, .25, -1, -3, -6, -12, -20 };
  g_auto (Curves) curves = { 0 };

  find_curves (answer, &curves);
  weir_chart_add_curve (chart, 0, get_look (is_former), 0, NULL, curves.n, curves.phases,
                        curves.decibels);
  if (is_former)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (levels); i++)
    for (double turn = -360; turn <= 360; turn += 360)
      add_closed_gain (chart, levels[i], turn);
  weir_chart_add_mark (chart, 0, WEIR_CHART_PLUS, 1, -180, 0, "−1");
}

static void
choose_nichols_range (WeirChart *chart, const WeirLinearAnswer *answer)
{
  g_auto (Curves) curves = { 0 };
  double left = -225, right = -45, bottom = -20, top = 20;

  find_curves (answer, &curves);
  for (guint i = 0; i < curves.n; i++)
    if (fabs (curves.decibels[i]) < 50)
      {
        left = MIN (left, curves.phases[i]);
        right = MAX (right, curves.phases[i]);
        bottom = MIN (bottom, curves.decibels[i]);
        top = MAX (top, curves.decibels[i]);
      }
  weir_chart_set_range (chart, 0, MAX (floor (left / 45) * 45, -1080), ceil (right / 45) * 45,
                        bottom - 3, top + 3);
}

/* --- What simulation gave --------------------------------------------------------------------- */

static void
add_simulated (WeirPicture picture, WeirChart *chart, const WeirLinearAnswer *answer,
               const WeirCheck *check)
{
  g_auto (Curves) curves = { 0 };

  find_curves (answer, &curves);
  for (guint i = 0; i < check->x->len; i++)
    {
      double omega = g_array_index (check->x, double, i);
      double complex value = g_array_index (check->values, double complex, i) * answer->gain;
      double decibels = 20 * log10 (cabs (value));
      double phase = snap_phase (carg (value) * 180 / G_PI, find_phase (&curves, omega));
      g_autofree char *text = g_strdup_printf (_ ("Simulated, %.5g rad/s: %.5g (%.5g dB), %.5g°"),
                                               omega, cabs (value), decibels, phase);

      if (picture == WEIR_PICTURE_BODE)
        {
          weir_chart_add_mark (chart, 0, WEIR_CHART_SQUARE, 3, omega, decibels, text);
          weir_chart_add_mark (chart, 1, WEIR_CHART_SQUARE, 3, omega, phase, text);
        }
      else if (picture == WEIR_PICTURE_NYQUIST)
        weir_chart_add_mark (chart, 0, WEIR_CHART_SQUARE, 3, creal (value), cimag (value), text);
      else
        weir_chart_add_mark (chart, 0, WEIR_CHART_SQUARE, 3, phase, decibels, text);
    }
}

static void
add_simulated_step (WeirChart *chart, const WeirCheck *check)
{
  g_autofree double *values = g_new (double, check->x->len + 1);

  for (guint i = 0; i < check->x->len; i++)
    values[i] = creal (g_array_index (check->values, double complex, i));
  weir_chart_add_curve (chart, 0, WEIR_CHART_DASHED, 3, _ ("Simulated"), check->x->len,
                        (const double *) (gconstpointer) check->x->data, values);
}

/* --- Roots ------------------------------------------------------------------------------------ */

static char *
describe_root (const char *what, double complex root, double period)
{
  double complex s = period > 0 ? clog (root) / period : root;
  double frequency = cabs (s);

  return g_strdup_printf (_ ("%s %.5g %+.5gi: ωn %.5g rad/s, ζ %.4g"), what, creal (root),
                          cimag (root), frequency, frequency > 0 ? -creal (s) / frequency : 0.);
}

static double
add_roots (WeirChart *chart, const GArray *roots, WeirChartSign sign, guint color, const char *what,
           double period)
{
  double largest = 0;

  for (guint i = 0; roots != NULL && i < roots->len; i++)
    {
      double complex root = g_array_index (roots, double complex, i);
      g_autofree char *text = what != NULL ? describe_root (what, root, period) : NULL;

      weir_chart_add_mark (chart, 0, sign, color, creal (root), cimag (root), text);
      largest = MAX (largest, cabs (root));
    }
  return largest;
}

static double
to_z (double complex s, double period, double *im)
{
  double complex z = period > 0 ? cexp (s * period) : s;

  *im = cimag (z);
  return creal (z);
}

/* Rays of equal damping; and arcs of equal frequency, of a sampled system up to half its rate. */
static void
add_damping_grid (WeirChart *chart, double radius, double period)
{
  static const double dampings[] = { .1, .2, .3, .5, .7, .9 };
  double most = period > 0 ? G_PI / period : radius;
  double xs[N_CIRCLE + 1], ys[N_CIRCLE + 1];

  for (guint k = 0; k < G_N_ELEMENTS (dampings); k++)
    for (int side = -1; side <= 1; side += 2)
      {
        double zeta = dampings[k];
        g_autofree char *name = side > 0 ? g_strdup_printf ("%g", zeta) : NULL;

        for (guint i = 0; i <= N_CIRCLE; i++)
          {
            double omega = most * i / N_CIRCLE / (period > 0 ? sqrt (1 - zeta * zeta) : 1);
            double complex s = omega * (-zeta + side * WEIR_I * sqrt (1 - zeta * zeta));

            xs[i] = to_z (s, period, &ys[i]);
          }
        weir_chart_add_curve (chart, 0, WEIR_CHART_GUIDE, 0, name, N_CIRCLE + 1, xs, ys);
      }
  for (guint k = 1; k <= (period > 0 ? 9u : 4u); k++)
    {
      double omega = most * k / (period > 0 ? 10 : 4);

      for (guint i = 0; i <= N_CIRCLE; i++)
        {
          double angle = G_PI / 2 + G_PI * i / N_CIRCLE;

          xs[i] = to_z (omega * (cos (angle) + WEIR_I * sin (angle)), period, &ys[i]);
        }
      weir_chart_add_curve (chart, 0, WEIR_CHART_GUIDE, 0, NULL, N_CIRCLE + 1, xs, ys);
    }
  if (period > 0)
    add_circle (chart, 0, 0, 1);
}

static void
add_root_map (WeirChart *chart, const WeirLinearAnswer *answer, const WeirLinearAnswer *former)
{
  double period = answer->linear->period, largest;

  largest = add_roots (chart, answer->poles, WEIR_CHART_CROSS, 0, _ ("Pole"), period);
  largest = MAX (largest, add_roots (chart, answer->zeros, WEIR_CHART_RING, 0, _ ("Zero"), period));
  largest = MAX (largest, add_roots (chart, answer->closed_poles, WEIR_CHART_CROSS, 1,
                                     _ ("Pole of the closed loop"), period));
  if (former != NULL)
    add_roots (chart, former->is_loop ? former->closed_poles : former->poles, WEIR_CHART_CROSS, 7,
               NULL, period);
  add_damping_grid (chart, largest > 0 ? largest : 1, period);
}

/* Of the closed loop as it is, whatever gain is looked at. */
static double
get_largest_at_one (const WeirLocus *locus)
{
  double largest = 0;
  guint at = 0;

  for (guint g = 1; g < locus->n_gains; g++)
    if (fabs (locus->gains[g] - 1) < fabs (locus->gains[at] - 1))
      at = g;
  for (guint k = 0; k < locus->n_roots && locus->n_gains > 0; k++)
    largest = MAX (largest, cabs (locus->roots[at * locus->n_roots + k]));
  return largest;
}

static void
add_locus (WeirChart *chart, const WeirLinearAnswer *answer)
{
  const WeirLocus *locus = answer->locus;
  double period = answer->linear->period, largest = 0, shown;
  g_autofree double *xs = g_new (double, locus->n_gains + 1);
  g_autofree double *ys = g_new (double, locus->n_gains + 1);

  for (guint k = 0; k < locus->n_roots; k++)
    {
      for (guint g = 0; g < locus->n_gains; g++)
        {
          double complex root = locus->roots[g * locus->n_roots + k];

          xs[g] = creal (root);
          ys[g] = cimag (root);
          largest = MAX (largest, cabs (root));
        }
      weir_chart_add_curve (chart, 0, WEIR_CHART_LINE, k, NULL, locus->n_gains, xs, ys);
    }
  shown = add_roots (chart, answer->poles, WEIR_CHART_CROSS, 0, _ ("Pole"), period);
  shown = MAX (shown, add_roots (chart, answer->zeros, WEIR_CHART_RING, 0, _ ("Zero"), period));
  for (guint i = 0; i < locus->breaks->len; i++)
    {
      const WeirLocusBreak *at = &g_array_index (locus->breaks, WeirLocusBreak, i);
      g_autofree char *text = g_strdup_printf (_ ("Branches meet at %.5g, gain %.5g"),
                                               creal (at->root), at->gain);

      weir_chart_add_mark (chart, 0, WEIR_CHART_DOT, 2, creal (at->root), cimag (at->root), text);
    }
  add_roots (chart, answer->closed_poles, WEIR_CHART_SQUARE, 1, _ ("Pole of the closed loop"),
             period);
  /* Branches go on without end: what they come from, go to and are at a gain of 1 is seen first. */
  shown = SHOWN * MAX (shown, get_largest_at_one (locus));
  if (shown > 0)
    weir_chart_set_range (chart, 0, -shown, shown, -shown, shown);
  add_damping_grid (chart, largest > 0 ? largest : 1, period);
}

double
weir_locus_find_gain (const WeirLocus *locus, double x, double y)
{
  double nearest = INFINITY, gain = 1;

  for (guint g = 0; g < locus->n_gains; g++)
    for (guint k = 0; k < locus->n_roots; k++)
      {
        double distance = cabs (locus->roots[g * locus->n_roots + k] - (x + WEIR_I * y));

        if (distance < nearest)
          {
            nearest = distance;
            gain = locus->gains[g];
          }
      }
  return gain;
}

/* --- Time ------------------------------------------------------------------------------------- */

static void
add_time (WeirChart *chart, const WeirTimeResponse *response, gboolean is_former)
{
  if (response != NULL)
    weir_chart_add_curve (chart, 0,
                          is_former           ? WEIR_CHART_FORMER
                          : response->is_held ? WEIR_CHART_STAIRS
                                              : WEIR_CHART_LINE,
                          0, NULL, response->n, response->times, response->values);
}

static double
get_end (const WeirTimeResponse *response)
{
  return response->times[response->n - 1];
}

static void
add_step_levels (WeirChart *chart, const WeirTimeResponse *step)
{
  const WeirLinearStepFigures *f = &step->figures;
  const double x[] = { 0, step->times[step->n - 1] };
  const double shares[] = { .1, .9, .98, 1, 1.02 };

  if (!f->is_settling)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (shares); i++)
    weir_chart_add_curve (chart, 0, WEIR_CHART_GUIDE, 0, NULL, 2, x,
                          (const double[]) { shares[i] * f->final, shares[i] * f->final });
  if (!isnan (f->peak_time))
    {
      g_autofree char *text = isnan (f->overshoot)
                                  ? g_strdup_printf (_ ("Peak %.5g at %.5g s"), f->peak,
                                                     f->peak_time)
                                  : g_strdup_printf (_ ("Peak %.5g at %.5g s, overshoot %.4g %%"),
                                                     f->peak, f->peak_time, f->overshoot);

      weir_chart_add_mark (chart, 0, WEIR_CHART_DOT, 1, f->peak_time, f->peak, text);
    }
  if (f->settling > 0)
    weir_chart_add_mark (chart, 0, WEIR_CHART_UPRIGHT, 2, f->settling, 0, NULL);
}

/* --- All of them ------------------------------------------------------------------------------ */

static void
fill_response (WeirPicture picture, WeirChart *chart, const WeirLinearAnswer *answer,
               WeirBeside beside)
{
  const WeirLinearAnswer *each[] = { answer, beside.former };

  if (picture == WEIR_PICTURE_BODE)
    {
      weir_chart_add_panel (chart, _ ("Frequency (rad/s)"), WEIR_CHART_LOG, _ ("Magnitude (dB)"),
                            WEIR_CHART_DECIBELS, TRUE, FALSE);
      weir_chart_add_panel (chart, _ ("Frequency (rad/s)"), WEIR_CHART_LOG, _ ("Phase (°)"),
                            WEIR_CHART_DEGREES, TRUE, FALSE);
    }
  else if (picture == WEIR_PICTURE_NYQUIST)
    {
      weir_chart_add_panel (chart, _ ("Real part"), WEIR_CHART_LINEAR, _ ("Imaginary part"),
                            WEIR_CHART_LINEAR, FALSE, TRUE);
      choose_nyquist_range (chart, answer);
    }
  else
    {
      weir_chart_add_panel (chart, _ ("Phase (°)"), WEIR_CHART_DEGREES, _ ("Magnitude (dB)"),
                            WEIR_CHART_DECIBELS, FALSE, FALSE);
      choose_nichols_range (chart, answer);
    }
  for (guint i = 0; i < G_N_ELEMENTS (each) && each[i] != NULL; i++)
    (picture == WEIR_PICTURE_BODE      ? add_bode
     : picture == WEIR_PICTURE_NYQUIST ? add_nyquist
                                       : add_nichols) (chart, each[i], i > 0);
  if (picture == WEIR_PICTURE_NYQUIST && answer->margins != NULL)
    {
      add_circle (chart, 0, 0, 1);
      add_circle (chart, -1, 0, 1 / answer->margins->sensitivity);
      weir_chart_add_mark (chart, 0, WEIR_CHART_PLUS, 1, -1, 0, "−1");
    }
  if (beside.check != NULL && !beside.check->is_step)
    add_simulated (picture, chart, answer, beside.check);
}

static const char *
why_not (WeirPicture picture, const WeirLinearAnswer *answer)
{
  if (picture == WEIR_PICTURE_LOCUS && !answer->is_loop)
    return _ ("A root locus is of an open loop: choose Open Loop L.");
  if (picture == WEIR_PICTURE_LOCUS && answer->locus == NULL)
    return _ ("There are delays or several rates in the loop, or no states: it has no locus of "
              "finitely many poles.");
  if (picture == WEIR_PICTURE_STEP && answer->step == NULL)
    return _ ("The closed loop is an algebraic loop without a solution: there is no step.");
  if (picture == WEIR_PICTURE_IMPULSE && answer->impulse == NULL)
    return _ ("An impulse passes straight through the delays: there is no curve of it.");
  return NULL;
}

gboolean
weir_picture_fill (WeirPicture picture, WeirChart *chart, const WeirLinearAnswer *answer,
                   WeirBeside beside, const char **why)
{
  const WeirLinearAnswer *former = beside.former;

  weir_chart_clear (chart);
  *why = why_not (picture, answer);
  if (*why != NULL)
    return FALSE;
  switch (picture)
    {
    case WEIR_PICTURE_ROOTS:
    case WEIR_PICTURE_LOCUS:
      weir_chart_add_panel (chart, _ ("Real part"), WEIR_CHART_LINEAR, _ ("Imaginary part"),
                            WEIR_CHART_LINEAR, FALSE, TRUE);
      if (picture == WEIR_PICTURE_ROOTS)
        add_root_map (chart, answer, former);
      else
        add_locus (chart, answer);
      return TRUE;
    case WEIR_PICTURE_STEP:
    case WEIR_PICTURE_IMPULSE:
      weir_chart_add_panel (chart, _ ("Time (s)"), WEIR_CHART_LINEAR,
                            answer->is_loop ? _ ("Closed loop L / (1 + L)") : _ ("Output"),
                            WEIR_CHART_LINEAR, FALSE, FALSE);
      /* What it was before may take far longer to come to rest: it has no say in the time. */
      weir_chart_set_range (chart, 0, 0,
                            get_end (picture == WEIR_PICTURE_STEP ? answer->step : answer->impulse),
                            (double) NAN, (double) NAN);
      add_time (chart, picture == WEIR_PICTURE_STEP ? answer->step : answer->impulse, FALSE);
      if (former != NULL)
        add_time (chart, picture == WEIR_PICTURE_STEP ? former->step : former->impulse, TRUE);
      if (picture == WEIR_PICTURE_STEP)
        add_step_levels (chart, answer->step);
      if (picture == WEIR_PICTURE_STEP && beside.check != NULL && beside.check->is_step)
        add_simulated_step (chart, beside.check);
      return TRUE;
    case WEIR_PICTURE_BODE:
    case WEIR_PICTURE_NYQUIST:
    case WEIR_PICTURE_NICHOLS:
    case WEIR_N_PICTURES:
    default:
      fill_response (picture, chart, answer, beside);
      return TRUE;
    }
}

char *
weir_picture_dup_text (WeirPicture picture, const WeirLinearAnswer *answer, guint curve, guint i,
                       double x, double y)
{
  double omega = i < answer->frequencies->len ? g_array_index (answer->frequencies, double, i) : 0;

  switch (picture)
    {
    case WEIR_PICTURE_BODE:
      if (i < answer->frequencies->len)
        return g_strdup_printf (
            _ ("%.5g rad/s: %.5g (%.5g dB), %.5g°"), x, cabs (answer->values[i]) * answer->gain,
            20 * log10 (cabs (answer->values[i]) * answer->gain), answer->phases[i]);
      break;
    case WEIR_PICTURE_NYQUIST:
      return g_strdup_printf (_ ("%.5g rad/s: %.5g %+.5gi, %.5g from −1"), omega, x, y,
                              hypot (x + 1, y));
    case WEIR_PICTURE_NICHOLS:
      return g_strdup_printf (_ ("%.5g rad/s: %.5g dB, %.5g°"), omega, y, x);
    case WEIR_PICTURE_LOCUS:
      if (answer->locus != NULL && i < answer->locus->n_gains)
        {
          g_autofree char *root = describe_root (_ ("Pole of the closed loop"), x + WEIR_I * y,
                                                 answer->linear->period);

          return g_strdup_printf (_ ("Gain %.5g\n%s"), answer->locus->gains[i], root);
        }
      break;
    case WEIR_PICTURE_STEP:
    case WEIR_PICTURE_IMPULSE:
      return g_strdup_printf (_ ("%.5g s: %.6g"), x, y);
    case WEIR_PICTURE_ROOTS:
    case WEIR_N_PICTURES:
    default:
      break;
    }
  return g_strdup_printf ("%.5g, %.5g", x, y);
}

/* --- Files ------------------------------------------------------------------------------------ */

#define PAGE_WIDTH 800.0
#define PAGE_HEIGHT 560.0

typedef struct {
  WeirChart *chart;
  const WeirPalette *palette;
} Page;

static void
draw_page (cairo_t *cr, double width, double height, gpointer data)
{
  const Page *page = data;

  weir_chart_draw (page->chart, cr, width, height, page->palette);
}

gboolean
weir_answer_write (const WeirLinearAnswer *answer, const char *picture, const char *path,
                   gboolean dark, GError **error)
{
  g_autoptr (WeirChart) chart = weir_chart_new ();
  Page page = { chart, weir_palette_find (dark, FALSE) };
  const char *why = NULL;
  guint i = 0;

  while (i < WEIR_N_PICTURES && !g_str_equal (pictures[i].name, picture))
    i++;
  g_return_val_if_fail (i < WEIR_N_PICTURES, FALSE);

  if (weir_picture_fill ((WeirPicture) i, chart, answer, (WeirBeside) { NULL, NULL }, &why))
    return weir_picture_write (path, PAGE_WIDTH, PAGE_HEIGHT, draw_page, &page, error);
  g_set_error_literal (error, WEIR_ERROR, WEIR_ERROR_FAILED, why);
  return FALSE;
}

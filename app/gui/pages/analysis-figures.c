/* Answers of linear analysis as a table and sentences. See analysis-page-private.h. */
#include "gui/pages/analysis-page-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "linear/transfer-function.h"

static void
clear_figure (gpointer data)
{
  WeirFigure *self = data;

  g_free (self->name);
  g_free (self->value);
  g_free (self->at);
  g_free (self->full);
}

/* --- Polynomials ----------------------------------------------------------------------------- */

static void
append_polynomial (GString *text, const double *p, guint degree, const char *format,
                   const char *variable)
{
  gboolean is_first = TRUE;
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  for (guint k = 0; k <= degree; k++)
    {
      double value = p[k];
      guint power = degree - k;

      if (value == 0 && degree > 0)
        continue;
      g_string_append (text, is_first ? (value < 0 ? "-" : "") : value < 0 ? " - " : " + ");
      if (fabs (value) != 1 || power == 0)
        g_string_append_printf (text, "%s%s",
                                g_ascii_formatd (number, sizeof number, format, fabs (value)),
                                power > 0 ? " " : "");
      if (power > 1)
        g_string_append_printf (text, "%s^%u", variable, power);
      else if (power == 1)
        g_string_append (text, variable);
      is_first = FALSE;
    }
}

static char *
dup_transfer_function (const WeirTransferFunction *function, const char *format,
                       const char *variable)
{
  GString *text = g_string_new ("(");

  append_polynomial (text, function->numerator, function->numerator_degree, format, variable);
  g_string_append (text, ")/(");
  append_polynomial (text, function->denominator, function->denominator_degree, format, variable);
  g_string_append_c (text, ')');
  return g_string_free (text, FALSE);
}

static const char *
get_variable (const WeirLinear *linear)
{
  return linear->period > 0 ? "z" : "s";
}

/* --- Rows ------------------------------------------------------------------------------------ */

static void
add_head (GArray *figures, const char *name)
{
  WeirFigure figure = { .name = g_strdup (name), .is_head = TRUE };

  g_array_append_val (figures, figure);
}

/* @value, @at: taken over. */
static void
add_row (GArray *figures, const char *name, char *value, char *at, char *full)
{
  WeirFigure figure = { g_strdup (name), value, at, full, FALSE };

  g_array_append_val (figures, figure);
}

static char *
format_number (double value)
{
  if (isnan (value))
    return g_strdup ("—");
  if (isinf (value))
    return g_strdup (value > 0 ? "∞" : "-∞");
  return g_strdup_printf ("%.6g", value + 0); /* no sign before a zero */
}

/* @unit: (nullable) after the number. @omega: NAN = nowhere. */
static void
add_figure (GArray *figures, const char *name, double value, const char *unit, double omega)
{
  g_autofree char *number = format_number (value);
  char *at = isnan (omega) ? NULL : g_strdup_printf (_ ("at %.6g rad/s"), omega);
  char *full = isnan (value)   ? NULL
               : isnan (omega) ? g_strdup_printf ("%.12g", value)
                               : g_strdup_printf ("%.12g; %.12g", value, omega);

  add_row (figures, name, isfinite (value) ? g_strconcat (number, unit, NULL) : g_strdup (number),
           at, full);
}

static void
add_gain_margin (GArray *figures, const char *name, const WeirCrossing *crossing)
{
  g_autofree char *decibels = isnan (crossing->gain_margin)
                                  ? NULL
                                  : g_strdup_printf (" (%.4g dB)",
                                                     20 * log10 (crossing->gain_margin));

  add_figure (figures, name, crossing->gain_margin, decibels, crossing->omega);
}

static void
add_margins (GArray *figures, const WeirMargins *m)
{
  const double none = (double) NAN;

  add_head (figures, _ ("Margins"));
  add_gain_margin (figures, _ ("Gain margin"), &m->gain);
  add_figure (figures, _ ("Phase margin"), m->phase.phase_margin, "°", m->phase.omega);
  add_figure (figures, _ ("Delay margin"), m->delay.delay_margin, " s", m->delay.omega);
  add_figure (figures, _ ("Modulus margin"), 1 / m->sensitivity, NULL, m->sensitivity_omega);
  add_figure (figures, _ ("Sensitivity peak"), m->sensitivity, NULL, m->sensitivity_omega);
  add_figure (figures, _ ("Complementary peak"), m->complementary, NULL, m->complementary_omega);
  add_figure (figures, _ ("Bandwidth (1/√2)"), m->bandwidth, " rad/s", none);
  add_figure (figures, _ ("Bandwidth (−3 dB)"), m->bandwidth_3db, " rad/s", none);
  if (m->is_counted)
    {
      add_row (figures, _ ("Closed loop"),
               g_strdup (m->n_unstable_closed == 0 ? _ ("stable") : _ ("unstable")), NULL, NULL);
      add_figure (figures, _ ("Turns about −1"), m->encirclements, NULL, none);
      add_figure (figures, _ ("Unstable poles, open"), m->n_unstable_open, NULL, none);
      add_figure (figures, _ ("Unstable poles, closed"), m->n_unstable_closed, NULL, none);
    }
  for (guint i = 0; i < m->phase_crossings->len && m->phase_crossings->len > 1; i++)
    add_gain_margin (figures, _ ("Phase crossing: gain margin"),
                     &g_array_index (m->phase_crossings, WeirCrossing, i));
  for (guint i = 0; i < m->gain_crossings->len && m->gain_crossings->len > 1; i++)
    {
      const WeirCrossing *c = &g_array_index (m->gain_crossings, WeirCrossing, i);

      add_figure (figures, _ ("Gain crossing: phase margin"), c->phase_margin, "°", c->omega);
    }
}

/* A pair of conjugate roots is one row. */
static void
add_roots (GArray *figures, const char *name, const char *pair_name, const GArray *roots,
           double period)
{
  for (guint i = 0; i < roots->len; i++)
    {
      double complex root = g_array_index (roots, double complex, i);
      double complex s = period > 0 ? clog (root) / period : root;
      double frequency = cabs (s), damping = frequency > 0 ? -creal (s) / frequency : 0;
      gboolean is_pair = cimag (root) != 0;

      if (cimag (root) < 0)
        continue;
      add_row (figures, is_pair ? pair_name : name,
               is_pair ? g_strdup_printf ("%.6g ± %.6gi", creal (root), cimag (root))
                       : format_number (creal (root)),
               g_strdup_printf (_ ("ωn %.5g rad/s, ζ %.4g"), frequency, damping),
               g_strdup_printf ("%.12g; %.12g; %.12g; %.12g", creal (root), cimag (root), frequency,
                                damping));
    }
}

static void
add_step (GArray *figures, const WeirLinearAnswer *answer)
{
  const WeirLinearStepFigures *f = &answer->step->figures;
  const double none = (double) NAN;

  add_head (figures, answer->is_loop ? _ ("Step of the closed loop") : _ ("Step"));
  if (!f->is_settling)
    {
      add_row (figures, _ ("Final value"), g_strdup (_ ("does not settle")), NULL, NULL);
      return;
    }
  add_figure (figures, _ ("Final value"), f->final, NULL, none);
  add_figure (figures, _ ("Rise time"), f->rise, " s", none);
  add_figure (figures, _ ("Settling time (2 %)"), f->settling, " s", none);
  add_figure (figures, _ ("Overshoot"), f->overshoot, " %", none);
  add_figure (figures, _ ("Undershoot"), f->undershoot, " %", none);
  if (!isnan (f->undershoot_time))
    add_figure (figures, _ ("Time of the undershoot"), f->undershoot_time, " s", none);
  add_figure (figures, _ ("Peak"), f->peak, NULL, none);
  add_figure (figures, _ ("Time of the peak"), f->peak_time, " s", none);
}

/* Sines one by one; of a step only how far it is off. */
static void
add_check (GArray *figures, const WeirCheck *check, double gain)
{
  g_autofree char *percent = g_strdup_printf ("%.3g %%", 100 * check->worst);
  char *at = check->is_step ? g_strdup_printf (_ ("at %.6g s"), check->worst_at)
                            : g_strdup_printf (_ ("at %.6g rad/s"), check->worst_at);

  add_head (figures, check->is_step ? _ ("Simulated step beside the linear one")
                                    : _ ("Simulated sines beside the linear ones"));
  add_row (figures, _ ("Largest deviation"), g_steal_pointer (&percent), at,
           g_strdup_printf ("%.12g; %.12g", 100 * check->worst, check->worst_at));
  add_figure (figures, _ ("Size of what was added"), check->size, NULL, (double) NAN);
  for (guint i = 0; i < check->x->len && !check->is_step; i++)
    {
      double omega = g_array_index (check->x, double, i);
      double complex value = g_array_index (check->values, double complex, i) * gain;
      double phase = carg (value) * 180 / G_PI;

      add_row (figures, _ ("Simulated"), g_strdup_printf ("%.5g, %.5g°", cabs (value), phase),
               g_strdup_printf (_ ("at %.6g rad/s"), omega),
               g_strdup_printf ("%.12g; %.12g; %.12g", cabs (value), phase, omega));
    }
}

/* Where one asks for it, though no point of the curve is there. */
static void
add_response (GArray *figures, const WeirLinearAnswer *answer, double omega)
{
  g_autoptr (WeirResponse) response = weir_response_new (answer->linear);
  double complex value;
  double phase = 0, gain;

  if (!weir_response_eval (response, omega, &value))
    value = (double) NAN;
  weir_linear_get_phases (answer->linear, 1, &omega, &value, &phase);
  gain = cabs (value) * answer->gain;
  add_head (figures, _ ("Frequency response"));
  add_row (figures, _ ("Value"),
           isfinite (gain)
               ? g_strdup_printf ("%.6g (%.4g dB), %.6g°", gain, 20 * log10 (gain), phase)
               : g_strdup ("—"),
           g_strdup_printf (_ ("at %.6g rad/s"), omega),
           g_strdup_printf ("%.12g; %.12g; %.12g", gain, phase, omega));
}

static void
add_norms (GArray *figures, const WeirLinearNorms *norms, double period)
{
  const double none = (double) NAN;

  add_head (figures, norms->is_whole ? _ ("All inputs and outputs") : _ ("Norms"));
  add_figure (figures, _ ("Largest gain, H∞"), norms->hinf, NULL, norms->hinf_omega);
  add_figure (figures, _ ("Norm H₂"), norms->h2, NULL, none);
  for (guint i = 0; i < norms->hankel->len; i++)
    add_figure (figures, _ ("Hankel singular value"), g_array_index (norms->hankel, double, i),
                NULL, none);
  if (norms->is_whole && norms->zeros != NULL)
    add_roots (figures, _ ("Transmission zero"), _ ("Transmission zeros"), norms->zeros, period);
}

static void
add_breaks (GArray *figures, const WeirLocus *locus)
{
  if (locus->breaks->len > 0)
    add_head (figures, _ ("Root Locus"));
  for (guint i = 0; i < locus->breaks->len; i++)
    {
      const WeirLocusBreak *at = &g_array_index (locus->breaks, WeirLocusBreak, i);
      double complex root = at->root;

      add_row (figures, _ ("Branches meet"),
               cimag (root) != 0 ? g_strdup_printf ("%.6g %+.6gi", creal (root), cimag (root))
                                 : format_number (creal (root)),
               g_strdup_printf (_ ("at gain %.6g"), at->gain),
               g_strdup_printf ("%.12g; %.12g; %.12g", creal (root), cimag (root), at->gain));
    }
}

static void
add_pid (GArray *figures, const WeirPid *pid, const WeirOscillation *oscillation)
{
  const double none = (double) NAN;

  if (oscillation != NULL)
    {
      add_head (figures, _ ("Oscillation with a relay"));
      add_figure (figures, _ ("Period"), oscillation->period, " s", none);
      add_figure (figures, _ ("Amplitude"), oscillation->amplitude, NULL, none);
      add_figure (figures, _ ("Ultimate gain Ku"), oscillation->gain, NULL, none);
    }
  add_head (figures,
            pid->is_series ? _ ("Previewed controller, in series") : _ ("Previewed controller"));
  add_figure (figures, "Kp", pid->kp, NULL, none);
  add_figure (figures, "Ti", pid->ti, " s", none);
  add_figure (figures, "Td", pid->td, " s", none);
}

/* Rows and columns by what they belong to. */
static void
add_controller (GArray *figures, const WeirController *controller, const WeirLoop *loop)
{
  g_autoptr (GPtrArray) states = weir_design_list_states (loop);
  const WeirMatrix *k = controller->k, *l = controller->l;

  add_head (figures, _ ("Controller of States"));
  for (guint i = 0; i < k->rows; i++)
    for (guint j = 0; j < k->columns; j++)
      {
        g_autofree char *name = g_strdup_printf ("K, %s ← %s", (char *) loop->inputs->pdata[i],
                                                 (char *) states->pdata[j]);

        add_figure (figures, name, weir_matrix_get (k, i, j), NULL, (double) NAN);
      }
  for (guint i = 0; i < l->rows; i++)
    for (guint j = 0; j < l->columns; j++)
      {
        g_autofree char *name = g_strdup_printf ("L, %s ← %s", (char *) states->pdata[i],
                                                 (char *) loop->outputs->pdata[j]);

        add_figure (figures, name, weir_matrix_get (l, i, j), NULL, (double) NAN);
      }
  for (guint i = 0; controller->x != NULL && i < states->len; i++)
    {
      g_autofree char *name = g_strdup_printf (_ ("Cost of a start at %s = 1"),
                                               (char *) states->pdata[i]);

      add_figure (figures, name, weir_matrix_get (controller->x, i, i), NULL, (double) NAN);
    }
}

/* A quotient of more could hardly be read, and its digits say little. */
#define MOST_POWERS 8

static void
add_transfer_function (GArray *figures, const WeirLinear *linear)
{
  g_autoptr (WeirTransferFunction) function = weir_transfer_function_new (linear);
  const char *variable = get_variable (linear);

  if (function != NULL && function->denominator_degree <= MOST_POWERS)
    add_row (figures, _ ("Transfer function"), dup_transfer_function (function, "%.6g", variable),
             NULL, dup_transfer_function (function, "%.10g", variable));
}

GArray *
weir_answer_list_figures (const WeirLinearAnswer *answer, WeirFigureSources sources)
{
  GArray *figures = g_array_new (FALSE, FALSE, sizeof (WeirFigure));
  double period = answer->linear->period;

  g_array_set_clear_func (figures, clear_figure);
  if (sources.omega > 0)
    add_response (figures, answer, sources.omega);
  if (sources.pid != NULL)
    add_pid (figures, sources.pid, sources.oscillation);
  if (sources.controller != NULL)
    add_controller (figures, sources.controller, answer->loop);
  if (sources.check != NULL)
    add_check (figures, sources.check, answer->gain);
  if (answer->margins != NULL)
    add_margins (figures, answer->margins);
  if (answer->step != NULL)
    add_step (figures, answer);
  if (answer->closed_poles != NULL && answer->closed_poles->len > 0)
    {
      add_head (figures, _ ("Poles of the closed loop"));
      add_roots (figures, _ ("Closed-loop pole"), _ ("Closed-loop poles"), answer->closed_poles,
                 period);
    }
  if (answer->norms != NULL)
    add_norms (figures, answer->norms, period);
  if (answer->locus != NULL)
    add_breaks (figures, answer->locus);
  add_head (figures, answer->is_loop ? _ ("Open loop") : _ ("Poles and zeros"));
  add_transfer_function (figures, answer->linear);
  add_roots (figures, _ ("Pole"), _ ("Poles"), answer->poles, period);
  if (answer->zeros != NULL)
    add_roots (figures, _ ("Zero"), _ ("Zeros"), answer->zeros, period);
  add_figure (figures,
              answer->is_loop ? _ ("Gain in the long run, closed") : _ ("Gain in the long run"),
              answer->dc_gain, NULL, (double) NAN);
  return figures;
}

char *
weir_figures_dup_text (const GArray *figures)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < figures->len; i++)
    {
      const WeirFigure *figure = &g_array_index (figures, WeirFigure, i);

      if (figure->is_head)
        g_string_append_printf (text, "%s\n", figure->name);
      else
        g_string_append_printf (text, "%s\t%s\t%s\n", figure->name, figure->value,
                                figure->at != NULL ? figure->at : "");
    }
  return g_string_free (text, FALSE);
}

/* --- Sentences ------------------------------------------------------------------------------- */

static void
note_margins (GPtrArray *notes, const WeirMargins *m)
{
  if (m->is_algebraic)
    {
      g_ptr_array_add (notes, g_strdup (_ ("1 + L has no inverse at once: the closed loop is an "
                                           "algebraic loop without a solution.")));
      return;
    }
  if (m->gain_crossings->len == 0)
    g_ptr_array_add (notes, g_strdup (_ ("|L| crosses 1 nowhere: there is no phase margin and no "
                                         "delay margin.")));
  if (m->phase_crossings->len == 0)
    g_ptr_array_add (notes, g_strdup (_ ("L crosses the negative real axis nowhere: there is no "
                                         "gain margin.")));
  if (m->gain.gain_margin < 1)
    g_ptr_array_add (notes, g_strdup_printf (_ ("The gain margin is below 1: the gain may fall to "
                                                "%.4g of what it is."),
                                             m->gain.gain_margin));
  if (!m->is_counted)
    g_ptr_array_add (notes, g_strdup (_ ("Unstable poles could not be counted: the margins alone "
                                         "do not say that the closed loop is stable.")));
  else if (m->n_unstable_closed > 0)
    g_ptr_array_add (
        notes, g_strdup_printf (ngettext ("The closed loop is unstable, with %u pole to the right: "
                                          "margins say how far it is from a change of that.",
                                          "The closed loop is unstable, with %u poles to the "
                                          "right: margins say how far it is from a change of that.",
                                          m->n_unstable_closed),
                                m->n_unstable_closed));
  else if (m->n_unstable_open > 0)
    g_ptr_array_add (
        notes,
        g_strdup_printf (ngettext ("The open loop is unstable, with %u pole to the right; the "
                                   "closed loop is stable.",
                                   "The open loop is unstable, with %u poles to the right; the "
                                   "closed loop is stable.",
                                   m->n_unstable_open),
                         m->n_unstable_open));
}

static gboolean
is_constant (const WeirLinearAnswer *answer)
{
  for (guint i = 0; i < answer->frequencies->len; i++)
    if (cabs (answer->values[i]) != 0)
      return FALSE;
  return TRUE;
}

GPtrArray *
weir_answer_list_notes (const WeirLinearAnswer *answer, gboolean is_flipped)
{
  GPtrArray *notes = g_ptr_array_new_with_free_func (g_free);
  const WeirLinear *linear = answer->linear;

  if (is_constant (answer))
    g_ptr_array_add (notes, g_strdup (_ ("What is added there does not reach what is measured: "
                                         "the signal is constant.")));
  else if (answer->margins != NULL)
    note_margins (notes, answer->margins);
  if (is_flipped)
    g_ptr_array_add (notes, g_strdup (_ ("The sign is flipped, as 1 + L decides of a loop with "
                                         "negative feedback.")));
  if (answer->is_resampled)
    g_ptr_array_add (notes, g_strdup_printf (_ ("The continuous system is looked at in steps of "
                                                "%.6g s."),
                                             linear->period));
  else if (linear->period > 0)
    g_ptr_array_add (notes, g_strdup_printf (_ ("Sampled, %u times in %.6g s; perturbations are "
                                                "held from tick to tick."),
                                             linear->n_slots, linear->period));
  if (linear->n_delays > 0)
    g_ptr_array_add (notes, g_strdup (_ ("There are delays: frequency responses are exact, and "
                                         "their poles, without number, are not listed.")));
  for (guint i = 0; i < answer->notes->len; i++)
    g_ptr_array_add (notes, g_strdup (answer->notes->pdata[i]));
  return notes;
}

/* --- Elsewhere ------------------------------------------------------------------------------- */

static void
append_matrix (GString *text, const char *name, const WeirMatrix *m)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append_printf (text, "%s\n", name);
  for (guint i = 0; i < m->rows; i++)
    for (guint j = 0; j < m->columns; j++)
      g_string_append_printf (text, "%s%s",
                              g_ascii_dtostr (number, sizeof number, weir_matrix_get (m, i, j)),
                              j + 1 < m->columns ? "," : "\n");
}

char *
weir_linear_dup_csv (const WeirLinear *linear)
{
  GString *text = g_string_new (NULL);

  append_matrix (text, "A", linear->a);
  append_matrix (text, "B", linear->b);
  append_matrix (text, "C", linear->c);
  append_matrix (text, "D", linear->d);
  return g_string_free (text, FALSE);
}

char *
weir_answer_dup_transfer_function (const WeirLinearAnswer *answer)
{
  g_autoptr (WeirTransferFunction) function = weir_transfer_function_new (answer->linear);

  return function != NULL ? dup_transfer_function (function, "%.10g", get_variable (answer->linear))
                          : NULL;
}

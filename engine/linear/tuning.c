/* Rules for PID controllers. See design.h.
 *
 * Ziegler & Nichols, Trans. ASME 64, 1942; Skogestad, J. Process Control 13, 2003; Astrom &
 * Hagglund, J. Process Control 14, 2004.
 */
#include "linear/design.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

static const char *const names[WEIR_N_TUNES] = {
  [WEIR_TUNE_ZN_P] = "zn-p",
  [WEIR_TUNE_ZN_PI] = "zn-pi",
  [WEIR_TUNE_ZN_PID] = "zn-pid",
  [WEIR_TUNE_ULTIMATE_P] = "ultimate-p",
  [WEIR_TUNE_ULTIMATE_PI] = "ultimate-pi",
  [WEIR_TUNE_ULTIMATE_PID] = "ultimate-pid",
  [WEIR_TUNE_SIMC] = "simc",
  [WEIR_TUNE_AMIGO_PI] = "amigo-pi",
  [WEIR_TUNE_AMIGO_PID] = "amigo-pid",
};

const char *
weir_tune_get_name (WeirTune rule)
{
  return names[rule];
}

gboolean
weir_tune_find (const char *name, WeirTune *rule)
{
  for (guint i = 0; i < WEIR_N_TUNES; i++)
    if (strcmp (names[i], name) == 0)
      {
        *rule = (WeirTune) i;
        return TRUE;
      }
  return FALSE;
}

gboolean
weir_tune_is_ultimate (WeirTune rule)
{
  return rule == WEIR_TUNE_ULTIMATE_P || rule == WEIR_TUNE_ULTIMATE_PI
         || rule == WEIR_TUNE_ULTIMATE_PID;
}

void
weir_tune_ultimate (WeirTune rule, double ku, double tu, WeirPid *pid)
{
  if (rule == WEIR_TUNE_ULTIMATE_P)
    *pid = (WeirPid) { 0.5 * ku, INFINITY, 0, FALSE };
  else if (rule == WEIR_TUNE_ULTIMATE_PI)
    *pid = (WeirPid) { 0.45 * ku, tu / 1.2, 0, FALSE };
  else
    *pid = (WeirPid) { 0.6 * ku, tu / 2, tu / 8, FALSE };
}

double
weir_tune_get_filter (double td)
{
  return td > 0 ? 10 / td : 0;
}

/* Of 1 / s at w = 1; or, in steps of @period, of the sum of what was there before. */
static double complex
get_integral (double period)
{
  return period > 0 ? period / (cexp (WEIR_I * period) - 1) : -WEIR_I;
}

/* Of n s / (s + n) there; or of the same difference in steps. */
static double complex
get_derivative (double n, double period)
{
  double complex z = cexp (WEIR_I * period);

  return period > 0 ? n * (z - 1) / (z - exp (-n * period)) : WEIR_I * n / (WEIR_I + n);
}

/* Of the controller with gain 1, at w = 1. */
static double complex
turn_phase (double td, double filter, double period)
{
  double n = fmax (filter, weir_tune_get_filter (td));

  return 1 + get_integral (period) / (4 * td) + td * get_derivative (n, period);
}

/* Td of the PID controller that turns the phase by @angle at w = 1: the least one. FALSE: none. */
static gboolean
find_derivative (double angle, double filter, double period, double *td)
{
  double low = 1e-4, high = low;

  while (carg (turn_phase (high, filter, period)) < angle)
    {
      low = high;
      high *= 1.05;
      if (high > 1e4)
        return FALSE;
    }
  for (guint i = 0; i < 100; i++)
    {
      *td = (low + high) / 2;
      if (carg (turn_phase (*td, filter, period)) < angle)
        low = *td;
      else
        high = *td;
    }
  return TRUE;
}

gboolean
weir_tune_margin (const WeirLinear *plant, double omega, double margin, gboolean with_derivative,
                  double filter, WeirPid *pid, const char **why)
{
  g_autoptr (WeirResponse) response = NULL;
  double period = plant->period;
  double complex value = 0, integral = get_integral (omega * period);
  double angle, td = 0;

  *why = N_ ("in a loop of several sample times a crossover does not say what the margin is");
  if (plant->n_slots > 1)
    return FALSE;
  response = weir_response_new (plant);
  *why = N_ ("the plant has no response at that frequency");
  if (!(omega > 0) || !weir_response_eval (response, omega, &value) || !(cabs (value) > 0)
      || !isfinite (cabs (value)))
    return FALSE;
  *why = N_ ("the crossover lies above half the sampling frequency");
  if (omega * period >= G_PI)
    return FALSE;
  *why = N_ ("at that crossover the controller would have to hold the phase back by more than its "
             "integral part does: choose a higher crossover or a larger margin");
  angle = remainder ((margin - 180) * G_PI / 180 - carg (value), 2 * G_PI);
  if (angle <= carg (integral))
    return FALSE;
  *why = with_derivative
             ? N_ ("at that crossover the controller would have to turn the phase forward by more "
                   "than it can: choose a lower crossover or a smaller margin")
             : N_ ("at that crossover a PI controller would have to turn the phase forward: choose "
                   "a lower crossover, a smaller margin, or PID");
  if (with_derivative ? !find_derivative (angle, filter / omega, omega * period, &td) : angle > 0)
    return FALSE;
  *why = NULL;
  if (with_derivative)
    *pid = (WeirPid) { 1 / cabs (value * turn_phase (td, filter / omega, omega * period)),
                       4 * td / omega, td / omega, FALSE };
  else
    {
      /* That part of the integral whose sum with 1 has the angle. */
      double x = sin (angle) / (cimag (integral) * cos (angle) - creal (integral) * sin (angle));

      *pid = (WeirPid) { 1 / cabs (value * (1 + x * integral)),
                         angle < 0 ? 1 / (omega * x) : (double) INFINITY, 0, FALSE };
    }
  return TRUE;
}

double
weir_tune_get_relay_gain (double d, double a)
{
  return 4 * d / (G_PI * a);
}

static gboolean
tune_simc (const WeirProcess *process, double closed, WeirPid *pid)
{
  double wait = (closed > 0 ? closed : process->delay) + process->delay;

  if (!(wait > 0))
    return FALSE;
  *pid = (WeirPid) { 0, 4 * wait, process->second, TRUE };
  if (process->is_integrating)
    pid->kp = 1 / (process->gain * wait);
  else
    {
      pid->kp = process->lag / (process->gain * wait);
      pid->ti = fmin (process->lag, 4 * wait);
    }
  return TRUE;
}

gboolean
weir_tune (WeirTune rule, const WeirProcess *process, double closed, WeirPid *pid)
{
  double k = process->gain, l = process->delay, t = process->lag;
  /* The slope of the step response times the delay: a. */
  double a = process->is_integrating ? k * l : k * l / t;

  if (rule == WEIR_TUNE_SIMC)
    return tune_simc (process, closed, pid);
  if (!(l > 0) || k == 0)
    return FALSE;
  switch (rule)
    {
    case WEIR_TUNE_ZN_P:
      *pid = (WeirPid) { 1 / a, INFINITY, 0, FALSE };
      return TRUE;
    case WEIR_TUNE_ZN_PI:
      *pid = (WeirPid) { 0.9 / a, l / 0.3, 0, FALSE };
      return TRUE;
    case WEIR_TUNE_ZN_PID:
      *pid = (WeirPid) { 1.2 / a, 2 * l, l / 2, FALSE };
      return TRUE;
    case WEIR_TUNE_AMIGO_PI:
      if (process->is_integrating)
        *pid = (WeirPid) { 0.35 / (k * l), 13.4 * l, 0, FALSE };
      else
        *pid = (WeirPid) { 0.15 / k + (0.35 - l * t / ((l + t) * (l + t))) * t / (k * l),
                           0.35 * l + 13 * l * t * t / (t * t + 12 * l * t + 7 * l * l), 0, FALSE };
      return TRUE;
    case WEIR_TUNE_AMIGO_PID:
      if (process->is_integrating)
        *pid = (WeirPid) { 0.45 / (k * l), 8 * l, 0.5 * l, FALSE };
      else
        *pid = (WeirPid) { (0.2 + 0.45 * t / l) / k, l * (0.4 * l + 0.8 * t) / (l + 0.1 * t),
                           0.5 * l * t / (0.3 * l + t), FALSE };
      return TRUE;
    case WEIR_TUNE_ULTIMATE_P:
    case WEIR_TUNE_ULTIMATE_PI:
    case WEIR_TUNE_ULTIMATE_PID:
    case WEIR_TUNE_SIMC:
    case WEIR_N_TUNES:
    default:
      return FALSE;
    }
}

/* --- Processes ------------------------------------------------------------------------------- */

static int
compare_falling (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return x > y ? -1 : x < y;
}

WeirProcess
weir_process_by_half_rule (double gain, guint n, const double *lags, double delay,
                           gboolean with_second)
{
  g_autofree double *sorted = g_memdup2 (lags, n * sizeof *lags);
  WeirProcess process = { .gain = gain, .delay = delay };
  guint kept = with_second ? 2 : 1;

  if (n > 1)
    qsort (sorted, n, sizeof *sorted, compare_falling);
  process.lag = n > 0 ? sorted[0] : 0;
  process.second = with_second && n > 1 ? sorted[1] : 0;
  if (n > kept)
    {
      double half = sorted[kept] / 2;

      process.delay += half;
      if (with_second)
        process.second += half;
      else
        process.lag += half;
    }
  for (guint i = kept + 1; i < n; i++)
    process.delay += sorted[i];
  return process;
}

/* Zeros of the left half plane cancel the nearest lag; those of the right one count as delay. */
static guint
cancel_zeros (const GArray *zeros, guint n, double *lags, double *delay)
{
  for (guint i = 0; i < zeros->len; i++)
    {
      double complex zero = g_array_index (zeros, double complex, i);
      double lead = -1 / creal (zero);
      guint nearest = 0;

      if (lead < 0)
        {
          *delay -= lead;
          continue;
        }
      for (guint k = 1; k < n; k++)
        if (fabs (log (lags[k] / lead)) < fabs (log (lags[nearest] / lead)))
          nearest = k;
      if (n > 0)
        lags[nearest] = lags[--n];
    }
  return n;
}

gboolean
weir_process_find (const WeirLinear *plant, gboolean with_second, WeirProcess *process,
                   const char **why)
{
  g_autoptr (WeirLinear) matrices = NULL;
  g_autoptr (WeirLinear) least = NULL;
  g_autoptr (WeirResponse) response = weir_response_new (plant);
  g_autoptr (GArray) zeros = NULL;
  guint n, n_lags = 0, n_integrators = 0;
  g_autofree double *re = NULL;
  g_autofree double *im = NULL;
  g_autofree double *lags = NULL;
  double largest = 0, delay = 0;
  double complex gain;

  *why = N_ ("the rule is for continuous plants with at most one delay");
  if (plant->period > 0 || plant->n_delays > 1)
    return FALSE;
  for (guint i = 0; i < plant->n_delays; i++)
    delay += plant->delays[i];
  matrices = weir_linear_dup (plant);
  least = weir_linear_reduce (matrices);
  n = least->a->rows;
  zeros = plant->n_delays == 0 ? weir_linear_list_zeros (least)
                               : g_array_new (FALSE, FALSE, sizeof (double complex));
  re = g_new (double, n + 1);
  im = g_new (double, n + 1);
  lags = g_new (double, n + 1);
  weir_linear_get_poles (least, re, im);
  for (guint i = 0; i < n; i++)
    largest = fmax (largest, hypot (re[i], im[i]));
  for (guint i = 0; i < n; i++)
    {
      *why = N_ ("the plant oscillates or is unstable; the rule is for lags and integrators");
      if (fabs (im[i]) > 1e-3 * fabs (re[i]) || re[i] > 1e-7 * largest)
        return FALSE;
      if (fabs (re[i]) <= 1e-7 * largest)
        n_integrators++;
      else
        lags[n_lags++] = -1 / re[i];
    }
  *why = N_ ("the plant integrates twice; the rule is for one integrator at most");
  if (n_integrators > 1)
    return FALSE;
  for (guint i = 0; i < zeros->len; i++)
    if (fabs (cimag (g_array_index (zeros, double complex, i))) > 1e-6)
      return FALSE;
  n_lags = cancel_zeros (zeros, n_lags, lags, &delay);
  *why = NULL;
  if (n_integrators == 0)
    {
      weir_response_eval (response, 0, &gain);
      *process = weir_process_by_half_rule (creal (gain), n_lags, lags, delay, with_second);
      return TRUE;
    }
  /* The lag of an integrator is infinite: the slope is what remains. */
  weir_response_eval (response, 1e-6 * (largest > 0 ? largest : 1), &gain);
  *process = weir_process_by_half_rule (1, n_lags, lags, delay, FALSE);
  *process = (WeirProcess) { .gain = cabs (gain) * 1e-6 * (largest > 0 ? largest : 1),
                             .delay = process->delay,
                             .second = process->lag,
                             .is_integrating = TRUE };
  return TRUE;
}

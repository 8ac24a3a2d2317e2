/* Sources: blocks without inputs, functions of time and their parameters.
 *
 * Each declares exactly time and the parameters that it reads; Constant and Clock compute nothing,
 * their outputs are windows on a parameter and on time.
 */
#include "blocks/types/family.h"

#include <string.h>

#include "base/error.h"

#define CATEGORY N_ ("Sources")

/* --- Clock: y = t ---------------------------------------------------------------------------- */

static const WeirBlockType clock_type = {
  .name = "Clock",
  .title = N_ ("Clock"),
  .category = CATEGORY,
  .summary = N_ ("Gives the simulated time, in seconds."),
  .list_outputs = weir_list_scalar_y,
  WEIR_LEAF (.y = { "y", .reads = WEIR_READS ("t") }),
};

/* --- Constant: y = value --------------------------------------------------------------------- */

static const WeirParameterSpec constant_parameters[] = {
  {
      .name = "value",
      .label = N_ ("Value"),
      .kind = WEIR_VALUE_VECTOR,
      .default_text = "1",
      WEIR_ANY,
      .help = N_ ("The output: a number, or a vector such as [1, 2, 3]."),
      .tunable = "value",
  },
};

static void
constant_list_outputs (const WeirArguments *arguments, GArray *ports)
{
  guint size;

  weir_arguments_get_vector (arguments, "value", &size);
  weir_list_port (ports, "y", size);
}

static const WeirBlockType constant_type = {
  .name = "Constant",
  .title = N_ ("Constant"),
  .category = CATEGORY,
  .summary = N_ ("Gives a value that never changes."),
  WEIR_PARAMETERS (constant_parameters),
  .list_outputs = constant_list_outputs,
  WEIR_LEAF (.y = { "y", .reads = WEIR_READS ("value") }),
};

/* --- Slider: a constant to be moved while a run goes on -------------------------------------- */

static const WeirParameterSpec slider_parameters[] = {
  WEIR_TUNABLE_NUMBER ("value", N_ ("Value"), "0", N_ ("What comes out."), WEIR_ANY),
  {
      .name = "minimum",
      .label = N_ ("Minimum"),
      .kind = WEIR_VALUE_NUMBER,
      .default_text = "0",
      WEIR_ANY,
      .help = N_ ("The value at the left end of the slider."),
  },
  {
      .name = "maximum",
      .label = N_ ("Maximum"),
      .kind = WEIR_VALUE_NUMBER,
      .default_text = "1",
      WEIR_ANY,
      .help = N_ ("The value at the right end of the slider."),
  },
};

static gboolean
slider_accept (const WeirArguments *arguments, G_GNUC_UNUSED const guint *sizes, GError **error)
{
  double value = weir_arguments_get_number (arguments, "value");
  double low = weir_arguments_get_number (arguments, "minimum");
  double high = weir_arguments_get_number (arguments, "maximum");

  if (low < high && value >= low && value <= high)
    return TRUE;
  weir_error_set (
      error, WEIR_ERROR_INVALID,
      "The value %g of a Slider must lie between its minimum %g and its greater maximum %g.", value,
      low, high);
  return FALSE;
}

static const WeirBlockType slider_type = {
  .name = "Slider",
  .title = N_ ("Slider"),
  .category = CATEGORY,
  .summary = N_ ("Gives a value that can be moved between two limits while a run goes on."),
  WEIR_PARAMETERS (slider_parameters),
  .list_outputs = weir_list_scalar_y,
  WEIR_LEAF (.accept = slider_accept, .y = { "y", .reads = WEIR_READS ("value") }),
};

/* --- Pulse: amplitude during the first duty of every period, from delay on ------------------- */

/* A quotient is off by no more than a rounding, so that the next of a period's multiples is among
 * so many from one before it on; if not, the period is lost in the rounding of time or delay. */
#define PERIODS_TRIED 4

/* Where the period is lost in the rounding of the delay there is no saying when it begins. */
static void
check_periods (const WeirArguments *arguments, WeirDiagnostics *diagnostics, const char *path,
               guint32 block, int line)
{
  double delay = weir_arguments_get_number (arguments, "delay");
  double period = weir_arguments_get_number (arguments, "period");
  const char *type = weir_arguments_get_type (arguments)->name;

  if (fabs (delay) * DBL_EPSILON < period || (delay > 0 && strcmp (type, "Pulse") == 0))
    return;
  weir_diagnostics_add (diagnostics, WEIR_SEVERITY_ERROR, "PAR02", path, block, 0, line,
                        N_ ("Parameter delay is %g s, so much that a period of %g s is lost in its "
                            "rounding; leave out whole periods."),
                        delay, period);
  weir_diagnostics_set_subject (diagnostics, "delay");
}

/* Beginnings and ends of pulses count as reached at the very times that they are computed as,
 * whichever way their products and quotients were rounded. */
static inline gboolean
is_pulse (double t, double period, double duty)
{
  double x = t / period, rounding = 4.0 * DBL_EPSILON * x;

  return x - floor (x + rounding) < duty / 100.0 - rounding;
}

WEIR_KERNEL_5 (pulse, t, amplitude, period, duty, delay,
               t >= delay && is_pulse (t - delay, period, duty) ? amplitude : 0.0)

static void
pulse_tangent (const double *in, double *out)
{
  double t = in[0], period = in[2], duty = in[3], delay = in[4], damplitude = in[5 + 1];

  *out = t >= delay && is_pulse (t - delay, period, duty) ? damplitude : 0.0;
}

static const WeirParameter PULSE_PERIOD = { 1 }, PULSE_DUTY = { 2 }, PULSE_DELAY = { 3 };

static WeirStatus
pulse_next_jump (const WeirCalc *c, double after, double *time)
{
  double period = weir_calc_parameter (c, PULSE_PERIOD)[0];
  double duty = weir_calc_parameter (c, PULSE_DUTY)[0];
  double delay = weir_calc_parameter (c, PULSE_DELAY)[0];
  double first = MAX (floor ((after - delay) / period) - 1.0, 0.0);

  *time = INFINITY;
  for (guint i = 0; i < PERIODS_TRIED && isinf (*time); i++)
    {
      double n = first + i;
      double begin = delay + n * period, end = delay + (n + duty / 100.0) * period;

      if (begin > after)
        *time = begin;
      else if (end > after)
        *time = end;
    }
  return WEIR_OK;
}

static const WeirParameterSpec pulse_parameters[] = {
  WEIR_TUNABLE_NUMBER ("amplitude", N_ ("Amplitude"), "1",
                       N_ ("The output during a pulse; it is 0 between."), WEIR_ANY),
  WEIR_TUNABLE_NUMBER ("period", N_ ("Period"), "1", N_ ("The time from one pulse to the next."),
                       WEIR_MORE_THAN (0), .unit = "s"),
  WEIR_TUNABLE_NUMBER ("duty", N_ ("Duty"), "50", N_ ("How much of the period the pulse lasts."),
                       WEIR_FROM_TO (0, 100), .unit = "%"),
  WEIR_TUNABLE_NUMBER ("delay", N_ ("Delay"), "0", N_ ("When the first pulse begins."), WEIR_ANY,
                       .unit = "s"),
};

static const WeirBlockType pulse_type = {
  .name = "Pulse",
  .title = N_ ("Pulse"),
  .category = CATEGORY,
  .summary = N_ ("Gives rectangular pulses, again and again."),
  WEIR_PARAMETERS (pulse_parameters),
  .list_outputs = weir_list_scalar_y,
  .check = check_periods,
  WEIR_LEAF (.y = { "y", .kernel = pulse,
                    .reads = WEIR_READS ("t", "amplitude", "period", "duty", "delay") },
             .next_jump = pulse_next_jump),
  WEIR_POSITIONS (WEIR_POSITION (PULSE_PERIOD, "period"), WEIR_POSITION (PULSE_DUTY, "duty"),
                  WEIR_POSITION (PULSE_DELAY, "delay")),
};

/* --- Ramp: y = initial + slope (t - start), from start on ------------------------------------ */

WEIR_KERNEL_4 (ramp, t, start, slope, initial, t > start ? initial + slope * (t - start) : initial)

static const WeirParameter START = { 0 }; /* the only event: when a ramp or a step begins */

static WeirStatus
next_start (const WeirCalc *c, double after, double *time)
{
  double at = weir_calc_parameter (c, START)[0];

  *time = at > after ? at : (double) INFINITY;
  return WEIR_OK;
}

static const WeirParameterSpec ramp_parameters[] = {
  WEIR_TUNABLE_NUMBER ("start", N_ ("Start"), "0", N_ ("When the output begins to change."),
                       WEIR_ANY, .unit = "s"),
  WEIR_TUNABLE_NUMBER ("slope", N_ ("Slope"), "1", N_ ("How much the output changes in a second."),
                       WEIR_ANY, .unit = "1/s"),
  WEIR_TUNABLE_NUMBER ("initial", N_ ("Initial output"), "0", N_ ("The output until the start."),
                       WEIR_ANY),
};

static const WeirBlockType ramp_type = {
  .name = "Ramp",
  .title = N_ ("Ramp"),
  .category = CATEGORY,
  .summary = N_ ("Changes at a constant rate from a certain time on."),
  WEIR_PARAMETERS (ramp_parameters),
  .list_outputs = weir_list_scalar_y,
  WEIR_LEAF (.y = { "y", .kernel = ramp, .reads = WEIR_READS ("t", "start", "slope", "initial") },
             .next_jump = next_start),
  WEIR_POSITIONS (WEIR_POSITION (START, "start")),
};

/* --- Sine: y = amplitude sin (2 pi frequency t + phase) + bias ------------------------------- */

WEIR_KERNEL_5 (sine, t, amplitude, frequency, phase, bias,
               amplitude *sin (2.0 * G_PI * frequency * t + phase) + bias)

static const WeirParameter FREQUENCY = { 1 };

static WeirStatus
sine_phase (const WeirCalc *c, double *phases)
{
  phases[0] = weir_calc_parameter (c, FREQUENCY)[0] * weir_calc_time (c);
  return WEIR_OK;
}

static const WeirParameterSpec sine_parameters[] = {
  WEIR_TUNABLE_NUMBER ("amplitude", N_ ("Amplitude"), "1",
                       N_ ("The greatest distance from the bias."), WEIR_ANY),
  WEIR_TUNABLE_NUMBER ("frequency", N_ ("Frequency"), "1",
                       N_ ("How many periods there are in a second."), WEIR_ANY, .unit = "Hz"),
  WEIR_TUNABLE_NUMBER ("phase", N_ ("Phase"), "0", N_ ("The angle at time 0."), WEIR_ANY,
                       .unit = "rad"),
  WEIR_TUNABLE_NUMBER ("bias", N_ ("Bias"), "0", N_ ("The mean of the output."), WEIR_ANY),
};

static const WeirBlockType sine_type = {
  .name = "Sine",
  .title = N_ ("Sine"),
  .category = CATEGORY,
  .summary = N_ ("Gives a sine wave."),
  WEIR_PARAMETERS (sine_parameters),
  .list_outputs = weir_list_scalar_y,
  WEIR_LEAF (.y = { "y", .kernel = sine,
                    .reads = WEIR_READS ("t", "amplitude", "frequency", "phase", "bias") },
             .phase = sine_phase),
  WEIR_POSITIONS (WEIR_POSITION (FREQUENCY, "frequency")),
};

/* --- Step: y = before, then after ------------------------------------------------------------ */

WEIR_KERNEL_4 (step_at, t, time, before, after, t < time ? before : after)

static const WeirParameterSpec step_parameters[] = {
  WEIR_TUNABLE_NUMBER ("time", N_ ("Step time"), "1", N_ ("When the output changes."), WEIR_ANY,
                       .unit = "s"),
  WEIR_TUNABLE_NUMBER ("before", N_ ("Before"), "0", N_ ("The output until the step time."),
                       WEIR_ANY),
  WEIR_TUNABLE_NUMBER ("after", N_ ("After"), "1", N_ ("The output from the step time on."),
                       WEIR_ANY),
};

static const WeirBlockType step_type = {
  .name = "Step",
  .title = N_ ("Step"),
  .category = CATEGORY,
  .summary = N_ ("Changes once, at a certain time."),
  WEIR_PARAMETERS (step_parameters),
  .list_outputs = weir_list_scalar_y,
  WEIR_LEAF (.y = { "y", .kernel = step_at, .reads = WEIR_READS ("t", "time", "before", "after") },
             .next_jump = next_start),
  WEIR_POSITIONS (WEIR_POSITION (START, "time")),
};

/* --- Sawtooth: from -amplitude to amplitude in every period ---------------------------------- */

/* Which part of its period @t is at; the ends count as reached as those of pulses do. */
static inline double
get_part (double t, double period)
{
  double x = t / period, part = x - floor (x + 4.0 * DBL_EPSILON * __builtin_fabs (x));

  return part < 0 ? 0 : part;
}

WEIR_KERNEL_4 (sawtooth, t, amplitude, period, delay,
               amplitude *(2.0 * get_part (t - delay, period) - 1.0))

/* What the part of a period moves by: of t, amplitude, period and delay, and their moves. */
static double
get_part_tangent (const double *in)
{
  double dt = in[4 + 0], dperiod = in[4 + 2], ddelay = in[4 + 3];

  return (dt - ddelay - (in[0] - in[3]) / in[2] * dperiod) / in[2];
}

static void
sawtooth_tangent (const double *in, double *out)
{
  *out = in[4 + 1] * (2.0 * get_part (in[0] - in[3], in[2]) - 1.0)
         + 2.0 * in[1] * get_part_tangent (in);
}

/* The first of delay + n period after @after. */
static double
next_multiple (double after, double delay, double period)
{
  double first = floor ((after - delay) / period) - 1.0;

  for (guint i = 0; i < PERIODS_TRIED; i++)
    {
      double time = delay + (first + i) * period;

      if (time > after)
        return time;
    }
  return (double) INFINITY;
}

static const WeirParameter TOOTH_PERIOD = { 1 }, TOOTH_DELAY = { 2 };

static WeirStatus
sawtooth_next_jump (const WeirCalc *c, double after, double *time)
{
  *time = next_multiple (after, weir_calc_parameter (c, TOOTH_DELAY)[0],
                         weir_calc_parameter (c, TOOTH_PERIOD)[0]);
  return WEIR_OK;
}

static const WeirParameterSpec sawtooth_parameters[] = {
  WEIR_TUNABLE_NUMBER ("amplitude", N_ ("Amplitude"), "1",
                       N_ ("The greatest distance of the output from 0."), WEIR_ANY),
  WEIR_TUNABLE_NUMBER ("period", N_ ("Period"), "1", N_ ("The time from one tooth to the next."),
                       WEIR_MORE_THAN (0), .unit = "s"),
  WEIR_TUNABLE_NUMBER ("delay", N_ ("Delay"), "0", N_ ("When a tooth begins."), WEIR_ANY,
                       .unit = "s"),
};

static const WeirBlockType sawtooth_type = {
  .name = "Sawtooth",
  .title = N_ ("Sawtooth"),
  .category = CATEGORY,
  .summary = N_ ("Rises in a straight line and falls back, again and again."),
  WEIR_PARAMETERS (sawtooth_parameters),
  .list_outputs = weir_list_scalar_y,
  .check = check_periods,
  WEIR_LEAF (.y = { "y", .kernel = sawtooth,
                    .reads = WEIR_READS ("t", "amplitude", "period", "delay") },
             .next_jump = sawtooth_next_jump),
  WEIR_POSITIONS (WEIR_POSITION (TOOTH_PERIOD, "period"), WEIR_POSITION (TOOTH_DELAY, "delay")),
};

/* --- Triangle: from -amplitude to amplitude and back in every period ------------------------- */

WEIR_KERNEL_4 (triangle, t, amplitude, period, delay,
               amplitude *(1.0 - 4.0 * __builtin_fabs (get_part (t - delay, period) - 0.5)))

static void
triangle_tangent (const double *in, double *out)
{
  double distance = get_part (in[0] - in[3], in[2]) - 0.5;

  *out = in[4 + 1] * (1.0 - 4.0 * fabs (distance))
         - 4.0 * in[1] * (distance < 0 ? -1.0 : 1.0) * get_part_tangent (in);
}

static WeirStatus
triangle_next_kink (const WeirCalc *c, double after, double *time)
{
  *time = next_multiple (after, weir_calc_parameter (c, TOOTH_DELAY)[0],
                         0.5 * weir_calc_parameter (c, TOOTH_PERIOD)[0]);
  return WEIR_OK;
}

static const WeirBlockType triangle_type = {
  .name = "Triangle",
  .title = N_ ("Triangle"),
  .category = CATEGORY,
  .summary = N_ ("Rises and falls in straight lines, again and again."),
  WEIR_PARAMETERS (sawtooth_parameters),
  .list_outputs = weir_list_scalar_y,
  .check = check_periods,
  WEIR_LEAF (.y = { "y", .kernel = triangle,
                    .reads = WEIR_READS ("t", "amplitude", "period", "delay") },
             .next_jump = triangle_next_kink),
  WEIR_POSITIONS (WEIR_POSITION (TOOTH_PERIOD, "period"), WEIR_POSITION (TOOTH_DELAY, "delay")),
};

/* --- Chirp: the frequency goes from start to end within the duration, in a straight line ----- */

WEIR_KERNEL_5 (chirp, t, amplitude, start, end, duration,
               amplitude *sin (2.0 * G_PI * t * (start + 0.5 * (end - start) / duration * t)))

static const WeirParameter CHIRP_START = { 1 }, CHIRP_END = { 2 }, CHIRP_DURATION = { 3 };

static WeirStatus
chirp_phase (const WeirCalc *c, double *phases)
{
  double start = weir_calc_parameter (c, CHIRP_START)[0];
  double end = weir_calc_parameter (c, CHIRP_END)[0];
  double duration = weir_calc_parameter (c, CHIRP_DURATION)[0];
  double t = weir_calc_time (c);

  phases[0] = t * (start + 0.5 * (end - start) / duration * t);
  return WEIR_OK;
}

static const WeirParameterSpec chirp_parameters[] = {
  WEIR_TUNABLE_NUMBER ("amplitude", N_ ("Amplitude"), "1",
                       N_ ("The greatest distance of the output from 0."), WEIR_ANY),
  WEIR_TUNABLE_NUMBER ("start", N_ ("Start frequency"), "0.1", N_ ("The frequency at time 0."),
                       WEIR_ANY, .unit = "Hz"),
  WEIR_TUNABLE_NUMBER ("end", N_ ("End frequency"), "1",
                       N_ ("The frequency after the duration; it goes on changing then."), WEIR_ANY,
                       .unit = "Hz"),
  WEIR_TUNABLE_NUMBER ("duration", N_ ("Duration"), "10",
                       N_ ("The time from one frequency to the other."), WEIR_MORE_THAN (0),
                       .unit = "s"),
};

static const WeirBlockType chirp_type = {
  .name = "Chirp",
  .title = N_ ("Chirp"),
  .category = CATEGORY,
  .summary = N_ ("Gives a sine wave whose frequency changes steadily."),
  WEIR_PARAMETERS (chirp_parameters),
  .list_outputs = weir_list_scalar_y,
  WEIR_LEAF (.y = { "y", .kernel = chirp,
                    .reads = WEIR_READS ("t", "amplitude", "start", "end", "duration") },
             .phase = chirp_phase),
  WEIR_POSITIONS (WEIR_POSITION (CHIRP_START, "start"), WEIR_POSITION (CHIRP_END, "end"),
                  WEIR_POSITION (CHIRP_DURATION, "duration")),
};

WEIR_FAMILY (sources, &clock_type, &constant_type, &slider_type, &pulse_type, &ramp_type,
             &sine_type, &step_type, &sawtooth_type, &triangle_type, &chirp_type);

/* A study: many runs of one model with other values, and what is kept of each. A file of its own
 * (*.weirstudy, XML, data/weirstudy.xsd) that names its model.
 *
 *   <study version="1" model="filter.weir" seed="7">
 *     <title>Tolerances of a filter</title>
 *     <setting name="stop-time" value="5"/>
 *     <points method="latin-hypercube" n="1000">
 *       <parameter path="Filter.R" name="R" distribution="normal" mean="1" deviation="0.05"/>
 *       <parameter path="Filter.C" name="C" from="0.9" to="1.1"/>
 *       <correlation of="R" with="C" value="0.3"/>
 *     </points>
 *     <keep>
 *       <signal port="Filter.y"/>
 *       <figure name="rise" what="rise-time" of="Filter.y"/>
 *       <figure name="badness" is="rise + 10*R"/>
 *     </keep>
 *   </study>
 *
 * Settings are those of model files; they win over the model's. A parameter without a name is
 * called by the end of its path. What point i is follows from the file and i alone: random numbers
 * are functions of the seed, i and the parameter's place. A value that is left as the model has it
 * is NAN here.
 *
 * Reading is bounded and strict: what is no study is refused whole, with one sentence that gives
 * the line. Thread: *immutable* once it is read.
 */
#pragma once

#include <gio/gio.h>

#include "base/diagnostic.h"
#include "study/sobol.h"

G_BEGIN_DECLS

#define WEIR_STUDY_VERSION 1
#define WEIR_STUDY_MOST_POINTS G_GUINT64_CONSTANT (1000000000)

/* How the points are laid out; by d parameters. */
typedef enum {
  WEIR_POINTS_LIST,            /* those that are listed */
  WEIR_POINTS_GRID,            /* every combination; the last parameter changes fastest */
  WEIR_POINTS_ONE_AT_A_TIME,   /* the middle, then each parameter by itself through its values */
  WEIR_POINTS_CORNERS,         /* the 2^d combinations of ends */
  WEIR_POINTS_RANDOM,          /* n, independent */
  WEIR_POINTS_LATIN_HYPERCUBE, /* n, one in each of n parts of every distribution */
  WEIR_POINTS_SOBOL,           /* n, evenly */
  WEIR_POINTS_LOCAL,           /* the middle, then each parameter a step down and up */
  WEIR_POINTS_MORRIS,          /* n walks of d + 1 points each */
  WEIR_POINTS_INDICES,         /* n (d + 2): for Sobol's indices */
  WEIR_N_POINTS,
} WeirPointsMethod;

const char *weir_points_method_get_name (WeirPointsMethod method);

typedef enum {
  WEIR_DISTRIBUTION_UNIFORM,     /* from, to */
  WEIR_DISTRIBUTION_LOG_UNIFORM, /* from, to: above 0 */
  WEIR_DISTRIBUTION_NORMAL,      /* mean, deviation */
  WEIR_DISTRIBUTION_LOG_NORMAL,  /* exp of a normal one of this mean and deviation */
  WEIR_DISTRIBUTION_TRIANGULAR,  /* from, to, mode */
  WEIR_DISTRIBUTION_EXPONENTIAL, /* mean */
  WEIR_DISTRIBUTION_WEIBULL,     /* mean is its scale, deviation its shape */
  WEIR_N_DISTRIBUTIONS,
} WeirDistribution;

const char *weir_distribution_get_name (WeirDistribution distribution);

typedef struct {
  char *path, *name;
  WeirDistribution distribution;
  double from, to;        /* NAN: not given */
  double mean, deviation; /* likewise */
  double mode;            /* likewise */
  double middle;          /* likewise: where others vary */
  guint n;                /* of values between @from and @to */
  double *values;         /* listed; NULL = @n of them */
  guint n_values;
  int line;
} WeirStudyParameter;

typedef struct {
  guint a, b; /* parameters */
  double value;
} WeirStudyCorrelation;

/* What is kept of a run as one number. */
typedef enum {
  WEIR_FIGURE_MAXIMUM,
  WEIR_FIGURE_MINIMUM,
  WEIR_FIGURE_MEAN,
  WEIR_FIGURE_RMS,
  WEIR_FIGURE_DEVIATION,
  WEIR_FIGURE_INTEGRAL,
  WEIR_FIGURE_INITIAL,
  WEIR_FIGURE_FINAL,
  WEIR_FIGURE_PEAK,
  WEIR_FIGURE_PEAK_TIME,
  WEIR_FIGURE_OVERSHOOT,
  WEIR_FIGURE_UNDERSHOOT,
  WEIR_FIGURE_RISE_TIME,
  WEIR_FIGURE_SETTLING_TIME,
  WEIR_FIGURE_MEDIAN,
  WEIR_FIGURE_PERIOD,
  WEIR_FIGURE_EXPRESSION, /* of parameters and the figures before it */
  WEIR_N_FIGURES,
} WeirFigureKind;

const char *weir_figure_kind_get_name (WeirFigureKind kind);

typedef struct {
  char *name;
  WeirFigureKind kind;
  char *port;                  /* "Plant.y", or "Mux.y[2]"; NULL: an expression */
  char *expression;            /* or NULL */
  double from, to;             /* s: of the run; +-INFINITY: all of it */
  double initial, final, band; /* as measuring steps takes them; NAN: not given */
  int line;
} WeirStudyFigure;

typedef struct {
  char *port;
  int line;
} WeirStudySignal;

typedef struct {
  char *name, *value;
  int line;
} WeirStudySetting;

typedef struct {
  char *file;  /* as it was named, or NULL */
  char *model; /* as written: relative to the study's folder */
  char *title; /* or NULL */
  guint64 seed;
  GArray *settings; /* WeirStudySetting */

  WeirPointsMethod method;
  guint64 n;            /* as written, where the method asks for it */
  guint levels;         /* of MORRIS: even; 4 */
  double step;          /* of LOCAL: part of the middle, or of the range; 0.001 */
  gboolean is_shifted;  /* of SOBOL and INDICES: by the seed */
  int line;             /* of the points */
  GArray *parameters;   /* WeirStudyParameter */
  GArray *correlations; /* WeirStudyCorrelation */
  GArray *points;       /* double: those of a LIST, one after the other */

  GArray *signals; /* WeirStudySignal: those whose samples are kept */
  GArray *figures; /* WeirStudyFigure */

  WeirSobol sobol;
  double *mix; /* of correlations: the lower triangle that makes normal numbers depend; or NULL */
} WeirStudy;

/* NULL and a diagnostic with the line. @name: as shown there. (transfer full) */
WeirStudy *weir_study_read_file (const char *path, WeirDiagnostics *diagnostics);
WeirStudy *weir_study_read_bytes (GBytes *bytes, const char *name, WeirDiagnostics *diagnostics);
/* The same bytes for the same study; reading them gives it again. (transfer full) */
GBytes *weir_study_write_bytes (const WeirStudy *self);
void weir_study_free (WeirStudy *self);

static inline const WeirStudyParameter *
weir_study_get_parameter (const WeirStudy *self, guint i)
{
  return &g_array_index (self->parameters, WeirStudyParameter, i);
}

static inline const WeirStudyFigure *
weir_study_get_figure (const WeirStudy *self, guint i)
{
  return &g_array_index (self->figures, WeirStudyFigure, i);
}

static inline const WeirStudySignal *
weir_study_get_signal (const WeirStudy *self, guint i)
{
  return &g_array_index (self->signals, WeirStudySignal, i);
}

/* Checks what reading cannot see line by line and prepares the points; the reader calls it. FALSE,
 * @line and @error. */
gboolean weir_study_prepare (WeirStudy *self, int *line, GError **error);

guint64 weir_study_get_n_points (const WeirStudy *self);
/* The values of point @i, one a parameter; NAN: as the model has it. Thread: *any*. */
void weir_study_get_point (const WeirStudy *self, guint64 i, double *values);

/* The number below which a part @u of a normal distribution lies, 0 < @u < 1. */
double weir_normal_quantile (double u);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirStudy, weir_study_free)

G_END_DECLS

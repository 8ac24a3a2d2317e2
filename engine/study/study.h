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
 * Where points are *searched*, each is chosen by what those before it gave: with method optimise a
 * figure is made least or largest while others keep within limits; with method fit signals come as
 * near as they can to measured ones, columns of a CSV file:
 *
 *   <points method="optimise" n="200" starts="4">
 *     <parameter path="Controller.p" from="10" to="200"/>
 *     <objective figure="settling"/>
 *     <constraint figure="overshoot" to="5"/>
 *   </points>
 *   <points method="fit">
 *     <parameter path="Motor.resistance" from="0.1" to="10" distribution="log-uniform"/>
 *     <measured file="motor.csv"/>
 *     <match port="Motor.speed" column="speed" deviation="0.02"/>
 *   </points>
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
  WEIR_POINTS_OPTIMISE,        /* at most n from each start, searched (search.h) */
  WEIR_POINTS_FIT,             /* likewise */
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

/* How a figure is made least: NLopt's methods without derivatives. */
typedef enum {
  WEIR_ALGORITHM_USUAL,       /* COBYLA with limits, else BOBYQA; of one parameter SBPLX */
  WEIR_ALGORITHM_BOBYQA,      /* local, quadratic models; limits by an augmented Lagrangian */
  WEIR_ALGORITHM_COBYLA,      /* local, linear models, limits too */
  WEIR_ALGORITHM_SBPLX,       /* local, simplices in parts of the space */
  WEIR_ALGORITHM_NELDER_MEAD, /* local, one simplex */
  WEIR_ALGORITHM_CRS,         /* global, a random population */
  WEIR_ALGORITHM_ISRES,       /* global, evolution, limits too */
  WEIR_ALGORITHM_DIRECT,      /* global, dividing boxes */
  WEIR_N_ALGORITHMS,
} WeirAlgorithm;

const char *weir_algorithm_get_name (WeirAlgorithm algorithm);

typedef struct {
  char *figure;
  guint place; /* of it */
  gboolean is_largest;
  int line;
} WeirStudyObjective;

typedef struct {
  char *figure;
  guint place;
  double from, to; /* +-INFINITY: not limited; equal: the figure is to have that value */
  int line;
} WeirStudyConstraint;

/* A signal that is to be like a measured one. */
typedef struct {
  char *port, *column;
  double deviation; /* of what was measured; NAN: not given, taken as 1 */
  guint signal;     /* which of the study's signals it is */
  int line;
} WeirStudyMatch;

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

extern const char *const weir_figure_kind_names[WEIR_N_FIGURES]; /* as files have them */

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
  double step;          /* of LOCAL: part of the middle, or of the range, 0.001; of FIT: of two
                           points for a derivative, part of the value, 0.0001 */
  gboolean is_shifted;  /* of SOBOL and INDICES: by the seed */
  int line;             /* of the points */
  GArray *parameters;   /* WeirStudyParameter */
  GArray *correlations; /* WeirStudyCorrelation */
  GArray *points;       /* double: those of a LIST, one after the other */

  /* Of a search. */
  guint starts;     /* the first from the middle, others at random */
  double tolerance; /* of parameters, in parts of their ranges */
  WeirAlgorithm algorithm;
  WeirStudyObjective objective;
  GArray *constraints; /* WeirStudyConstraint */
  char *measured;      /* the file, as written: relative to the study's folder; or NULL */
  int measured_line;
  GArray *matches; /* WeirStudyMatch */

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

/* --- Changing --------------------------------------------------------------------------------
 *
 * As an editor does. What comes of it need not make sense before it is written and read again. */

/* A Latin hypercube in which nothing varies and of which nothing is kept; its model is NULL.
 * (transfer full) */
WeirStudy *weir_study_new (void);
/* Changing one leaves the other as it is; what is prepared of the points is not copied. (transfer
 * full) */
WeirStudy *weir_study_copy (const WeirStudy *self);
/* With what is usual for the method where nothing else was given. */
void weir_study_set_method (WeirStudy *self, WeirPointsMethod method);
/* Whether the number of points is for the user to say; how many, or how many values of each
 * parameter where they are counted out. */
gboolean weir_study_is_counted (const WeirStudy *self);
guint64 weir_study_get_count (const WeirStudy *self);
void weir_study_set_count (WeirStudy *self, guint64 n);
/* Its place. Listed points go: they had as many values as there were parameters. */
guint weir_study_add_parameter (WeirStudy *self, const char *path, double from, double to);
/* Correlations with it go too. */
void weir_study_remove_parameter (WeirStudy *self, guint i);
guint weir_study_add_figure (WeirStudy *self, WeirFigureKind kind, const char *port);
void weir_study_change_figure (WeirStudy *self, guint i, WeirFigureKind kind, const char *port);
/* The goals that name it go too. */
void weir_study_remove_figure (WeirStudy *self, guint i);
void weir_study_set_objective (WeirStudy *self, guint figure, gboolean is_largest);
/* Those of all figures, or none. */
void weir_study_keep_signals (WeirStudy *self, gboolean keeps);

/* Letters, digits and _: what expressions can name. */
gboolean weir_study_is_name (const char *text);
/* The end of a path as a name: of "Filter.k[2]" k_2. (transfer full) */
char *weir_study_dup_end (const char *path);

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

static inline gboolean
weir_study_is_search (const WeirStudy *self)
{
  return self->method == WEIR_POINTS_OPTIMISE || self->method == WEIR_POINTS_FIT;
}

/* How searches see a parameter: itself, or its logarithm. */
double weir_study_parameter_to_search (const WeirStudyParameter *p, double value);
double weir_study_parameter_from_search (const WeirStudyParameter *p, double x);

/* Checks what reading cannot see line by line and prepares the points; the reader calls it. FALSE,
 * @line and @error. */
gboolean weir_study_prepare (WeirStudy *self, int *line, GError **error);

guint64 weir_study_get_n_points (const WeirStudy *self);
/* The values of point @i, one a parameter; NAN: as the model has it. Of a search: those of the
 * start that it belongs to. Thread: *any*. */
void weir_study_get_point (const WeirStudy *self, guint64 i, double *values);

/* The number below which a part @u of a normal distribution lies, 0 < @u < 1. */
double weir_normal_quantile (double u);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirStudy, weir_study_free)

G_END_DECLS
